// The vitest configuration of packages whose tests run on a GPU, or on a software adapter.
import { fileURLToPath } from "node:url";
import { mergeConfig } from "vitest/config";
import { useAdapter } from "./packages/fft-gpu/scripts/adapter.mjs";
import shared from "./vitest.shared.ts";

// Sets the environment variables that select a driver before workers start, as workers inherit them.
await useAdapter();

const pollSlowly = fileURLToPath(new URL("packages/fft-gpu/scripts/poll-slowly.mjs", import.meta.url));

export default mergeConfig(shared, { test: { setupFiles: [pollSlowly] } });
