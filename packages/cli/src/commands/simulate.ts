/**
 * `dechirp simulate`: writes the raw echoes of a scene preset as a scene folder that `focus` reads, or the phase history of the preset
 * spotlight as a CPHD file that `backproject` reads.
 */
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
    const { spotlightPreset } = await import("../spotlight.ts");
    const { title, pulses, frequency, targets, seed } = spotlightPreset;
    const spotlight = { name: spotlightName, title, lines: pulses, samples: frequency.count, targets: targets.length, seed };
    print(io, options.json, { presets: [...presets, spotlight] }, () =>
      table(
        [...presets, spotlight].map(({ name, lines, samples, title }) => [name, `${lines} × ${samples}`, title]),
        [0, 2],
      ),
    );
    return;
  }
  const { type } = options;
  const out = neededOut(options.out);
  const isSpotlight = options.preset === spotlightName;
  if (!isSpotlight && !Object.hasOwn(scenePresets, options.preset))
    throw argumentError("--preset", `one of ${[...Object.keys(scenePresets), spotlightName].join(", ")}`, options.preset);
  const seed = optional("seed", options.seed, (text) => parseInteger("--seed", text, 0, 2 ** 32 - 1));
  if (isSpotlight) return simulateSpotlight(out, seed.seed, options, io);
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

const spotlightName = "spotlight";

/** Writes the collection of the preset spotlight. */
async function simulateSpotlight(out: string, asked: number | undefined, { type, json }: SimulateArguments, io: Io): Promise<void> {
  const [{ spotlightContents, spotlightFiles, spotlightPreset }, { writeFolderAtomically }] = await Promise.all([
    import("../spotlight.ts"),
    import("@dechirp/io/node"),
  ]);
  if (type !== "c64") throw argumentError("--type", "c64 for the preset spotlight, as CPHD files have it", type);
  await checkOutputFolder(out, spotlightFiles);
  using progress = createProgress(io, "simulate");
  progress.update("pulses", 0);
  const { pulses, frequency, targets, coreName, seed } = spotlightPreset;
  const files = await spotlightContents(asked ?? seed, io.signal);
  await blame("write", undefined, () => writeFolderAtomically(out, files, { signal: io.signal }));
  progress[Symbol.dispose]();
  const shape = [pulses, frequency.count];
  print(
    io,
    json,
    { folder: out, files: spotlightFiles, collection: { name: coreName, type, shape, targets: targets.length } },
    () => `${coreName}: phase history ${shape.join(" × ")}, ${targets.length} targets\n  written: ${out}: ${spotlightFiles.join(", ")}`,
  );
}
