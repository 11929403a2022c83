/** All targets: the readers, programs as JSON, and the commands. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { commandTargets } from "./commands.ts";
import { programTarget } from "./program.ts";
import { readerTargets } from "./readers.ts";
import type { Target } from "./target.ts";

/** Share of inputs for commands. One takes as long as hundreds of inputs of a reader. */
const commandShare = 0.35;

export async function allTargets(): Promise<readonly Target[]> {
  const beside = fileURLToPath(new URL("../../../../shared/data", import.meta.url));
  const data = process.env["DECHIRP_DATA"] ?? (existsSync(beside) ? beside : undefined);
  const commands = await commandTargets(data);
  return [
    ...(await readerTargets(data)),
    programTarget(),
    ...commands.map((target) => ({ ...target, weight: commandShare * target.weight })),
  ];
}
