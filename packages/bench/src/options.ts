/** Options of the benches' command lines. A wrong one ends the process with status 2 and one line that says what is wrong. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { messageOf } from "@dechirp/core";

/** Parses the process's arguments. */
export function parseOptions<const T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    console.error(`bench: ${messageOf(error)}`);
    process.exit(2);
  }
}
