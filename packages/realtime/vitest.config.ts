import shared from "../../vitest.shared.ts";
import { useAdapter } from "../fft-gpu/scripts/adapter.mjs";

// Tests compare programs on a GPU, whose driver must be selected before workers start.
await useAdapter();

export default shared;
