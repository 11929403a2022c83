import { mergeConfig } from "vitest/config";
import { useAdapter } from "../../packages/fft-gpu/scripts/adapter.mjs";
import shared from "../../vitest.shared.ts";

// Examples take a GPU where one opens, whose driver has to be known before workers start.
await useAdapter();

export default mergeConfig(shared, { test: { name: "docs", include: ["examples/**/*.test.ts"] } });
