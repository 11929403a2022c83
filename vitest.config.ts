// All packages in one run: `vitest run` at the root. Each package's own configuration is `vitest.shared.ts`.
import { defineConfig } from "vitest/config";

export default defineConfig({ test: { projects: ["packages/*", "apps/*", "scripts"] } });
