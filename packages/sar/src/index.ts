/** The public surface of sar. */
export * from "./radar.ts";
