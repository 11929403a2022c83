import { mergeConfig } from "vitest/config";
import { useAdapter } from "../../packages/fft-gpu/scripts/adapter.mjs";
import shared from "../../vitest.shared.ts";

// Examples use a GPU if one opens. Its driver must be chosen before workers start.
await useAdapter();

export default mergeConfig(shared, { test: { name: "docs", include: ["examples/**/*.test.ts"] } });
