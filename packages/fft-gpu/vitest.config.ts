import shared from "../../vitest.shared.ts";
import { useAdapter } from "./scripts/adapter.mjs";

// Sets the environment variables that select a driver before workers start, as workers inherit them.
await useAdapter();

export default shared;
