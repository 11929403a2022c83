import shared from "../../vitest.shared.ts";
import { useAdapter } from "./scripts/adapter.mjs";

// Before workers start: what a driver needs to be found has to be in their environment from the beginning.
await useAdapter();

export default shared;
