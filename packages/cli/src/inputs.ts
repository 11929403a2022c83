/** Checks that the paths of inputs exist, before any work. */
import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { blame, CommandError } from "./errors.ts";

/**
 * Returns what is at `path`. Throws `file` if nothing is there or the system denies access. `kind` is the kind of thing that is
 * expected, for the message; `option` is the option that gave the path.
 */
export async function statInput(path: string, kind: string, option?: string): Promise<Stats> {
  const where = option === undefined ? "" : `${option} `;
  try {
    return await stat(path);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code;
    if (reason === "ENOENT") throw new CommandError("file", `${where}${path}: there is no such ${kind}`, { file: path, reason }, error);
    const { systemError } = await import("@dechirp/io/node");
    return blame("file", option, () => {
      throw systemError(path, "read it", error);
    });
  }
}
