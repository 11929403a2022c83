/** The public surface of core, in reading order. */
export * from "./errors.ts";
export * from "./layout.ts";
