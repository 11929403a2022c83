// The one vitest configuration of all packages: tests run against the sources of every package, not against `dist`.
import { defineConfig } from "vitest/config";

const conditions = ["@dechirp/source"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: { include: ["test/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 60_000 },
});
