/** What is at the path of an input, asked before any work. */
import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { blame, CommandError } from "./errors.ts";

/** What is at `path`, a `kind` of thing. Throws `file` where there is nothing or the system does not let look; `option`: whose value it is. */
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
