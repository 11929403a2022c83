// The one vitest configuration of all packages: tests run against the sources of every package, not against `dist`.
import { defineConfig } from "vitest/config";

/** How long `expect.poll` asks again. Its own standard, one second, is too short for pages and processes of a busy machine. */
const pollMilliseconds = 120_000;

/**
 * Timeouts are meant for tests that hang. They leave room for a machine with two cores and three times as much to do, and for SwiftShader,
 * which takes seconds to compile a kernel. Tests that take longer set their own.
 */
const patience = 600_000;

const conditions = ["@dechirp/source"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: { include: ["test/**/*.test.ts"], testTimeout: patience, hookTimeout: patience, expect: { poll: { timeout: pollMilliseconds } } },
});
