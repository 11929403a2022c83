import { mergeConfig } from "vitest/config";
import gpu from "../../vitest.gpu.ts";

export default mergeConfig(gpu, { test: { globalSetup: ["./test/site.ts"] } });
