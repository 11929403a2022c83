/** Waits for promises of foreign code only until a signal fires. */
export { unlessAborted } from "@dechirp/core/internal";
