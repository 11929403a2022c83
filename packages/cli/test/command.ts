/** Helpers of the tests: run command lines in this process, temporary folders, simulated scenes. */
import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SceneData } from "@dechirp/io";
import { onTestFinished } from "vitest";
import { run } from "../src/index.ts";
import { sceneOf, simulated } from "../src/simulated.ts";

export { smallPreset, squintedPreset } from "../../processor/test/presets.ts";

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `dechirp ...args` in this process. */
export async function dechirp(
  args: readonly string[],
  options: { signal?: AbortSignal; env?: Record<string, string> } = {},
): Promise<Outcome> {
  const written = { stdout: "", stderr: "" };
  const code = await run(args, {
    stdout: { write: (text) => (written.stdout += text) },
    stderr: { write: (text) => (written.stderr += text) },
    signal: options.signal ?? new AbortController().signal,
    env: options.env ?? {},
  });
  return { code, ...written };
}

/** A simulated preset as the contents of a scene folder. */
export const simulatedScene = async (...given: Parameters<typeof simulated>): Promise<SceneData> => sceneOf(await simulated(...given));

/** Whether a partial image.npy in a folder can be gone on with: as soon as it has a journal. */
export const canGoOn = (folder: string): boolean =>
  existsSync(folder) && readdirSync(folder).some((name) => name.startsWith(".image.npy") && existsSync(join(folder, name, "journal")));

/** A new folder for one test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "dechirp-cli-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
