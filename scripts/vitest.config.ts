// Configuration for the tests of the repository's own scripts.
import { defineConfig } from "vitest/config";

export default defineConfig({ test: { name: "scripts", include: ["test/**/*.test.ts"], testTimeout: 60_000 } });
