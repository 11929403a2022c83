/** `dechirp simulate`: writes the raw echoes of a scene preset as a scene folder that `focus` reads. */
import type { EchoType } from "@dechirp/radar";
import { argumentError, blame } from "../errors.ts";
import { type Io, print } from "../io.ts";
import { neededOut, optional, parseInteger } from "../options.ts";
import { checkOutputFolder, sceneFiles } from "../output.ts";
import { createProgress } from "../progress.ts";
import { table } from "../table.ts";

/** The options as commander passes them. */
export interface SimulateArguments {
  readonly preset: string;
  readonly out?: string;
  readonly seed?: string;
  readonly type: EchoType;
  readonly list?: boolean;
  readonly json?: boolean;
}

/** Runs `dechirp simulate`. */
export async function simulateCommand(options: SimulateArguments, io: Io): Promise<void> {
  const { scenePresets } = await import("@dechirp/sar");
  if (options.list) {
    const presets = Object.entries(scenePresets).map(([name, { title, lines, samples, targets, seed }]) => ({
      name,
      title,
      lines,
      samples,
      targets: targets.length,
      seed,
    }));
    print(io, options.json, { presets }, () =>
      table(
        presets.map(({ name, lines, samples, title }) => [name, `${lines} × ${samples}`, title]),
        [0, 2],
      ),
    );
    return;
  }
  const { type } = options;
  const out = neededOut(options.out);
  if (!Object.hasOwn(scenePresets, options.preset))
    throw argumentError("--preset", `one of ${Object.keys(scenePresets).join(", ")}`, options.preset);
  const seed = optional("seed", options.seed, (text) => parseInteger("--seed", text, 0, 2 ** 32 - 1));
  await checkOutputFolder(out, sceneFiles);

  const preset = scenePresets[options.preset as keyof typeof scenePresets];
  const [{ sceneOf, simulated }, { writeSceneFolder }] = await Promise.all([import("../simulated.ts"), import("@dechirp/io/node")]);
  using progress = createProgress(io, "simulate");
  const recording = await simulated(
    options.preset,
    preset,
    { ...seed, type },
    { signal: io.signal, onProgress: (what, share) => progress.update(what, share) },
  );
  const scene = sceneOf(recording);
  await blame("write", undefined, () => writeSceneFolder(out, scene, { signal: io.signal }));
  progress[Symbol.dispose]();
  const { shape } = scene.raw.layout;
  print(
    io,
    options.json,
    {
      folder: out,
      files: sceneFiles,
      scene: { name: scene.name, type, shape, targets: scene.targets.length, notes: scene.notes },
    },
    () =>
      [
        `${scene.name}: ${type} ${shape.join(" × ")}, ${scene.targets.length} targets`,
        ...scene.notes.map((note) => `  ${note}`),
        `  written: ${out}: ${sceneFiles.join(", ")}`,
      ].join("\n"),
  );
}
