// The one vitest configuration of all packages: tests run against the sources of every package, not against `dist`.
import { defineConfig } from "vitest/config";

/**
 * Limits are for tests that hang. They leave room for a machine with two cores that has three times as much to do, and for SwiftShader, which
 * takes seconds to compile a kernel. Tests that take more say so themselves.
 */
const patience = 600_000;

const conditions = ["@dechirp/source"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: { include: ["test/**/*.test.ts"], testTimeout: patience, hookTimeout: patience },
});
