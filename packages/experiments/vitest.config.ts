import shared from "../../vitest.shared.ts";
import { useAdapter } from "../fft-gpu/scripts/adapter.mjs";

// The experiments' kernels run on a GPU, whose driver has to be known before workers start.
await useAdapter();

export default shared;
