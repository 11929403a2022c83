/** `dechirp convert`: writes a recording or an image in another format, in parts. */
import { dirname, resolve } from "node:path";
import { oneLine } from "@dechirp/core/internal";
import { type ConvertArguments, checkPair, type TargetName, targetOf, targets } from "../convert/formats.ts";
import type { Source } from "../convert/source.ts";
import type { Made, Work } from "../convert/work.ts";
import { argumentError, CommandError } from "../errors.ts";
import { type Io, print } from "../io.ts";
import { checkOutputFolder, isSameFile } from "../output.ts";
import { createProgress } from "../progress.ts";

/** What `dechirp convert --json` prints. */
export interface ConvertReport {
  readonly format: "dechirp-convert";
  readonly version: 1;
  readonly from: { readonly files: readonly string[]; readonly format: string; readonly kind: string };
  readonly to: { readonly file: string; readonly format: TargetName };
  /** Shape of what was written. */
  readonly shape: readonly number[];
  /** Type of its samples or pixels. */
  readonly type: string;
  /** Further facts of the format, such as the map. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly notes: readonly string[];
}

/** Runs `dechirp convert`. The last path is the output. */
export async function convertCommand(paths: readonly string[], options: ConvertArguments, io: Io): Promise<void> {
  const [inputs, out] = [paths.slice(0, -1), paths[paths.length - 1]];
  if (inputs.length === 0)
    throw new CommandError("argument", "OUT is missing: the file or folder to write, after what is converted", { option: "OUT" });
  for (const path of inputs) if (path === "") throw argumentError("IN", "a file or a folder", path);
  if (out === "" || out === "-") throw argumentError("OUT", "the name of a file or a folder", out);
  const target = targetOf(out, options);
  const [{ findSource, openSource }, { cphdOptions }, { mapOptions }, { drawingOf }] = await Promise.all([
    import("../convert/source.ts"),
    import("../convert/to-recording.ts"),
    import("../convert/to-map.ts"),
    import("../options.ts"),
  ]);
  // Wrong values of options are found before anything is read.
  cphdOptions(options);
  mapOptions(options);
  drawingOf(options);
  const { signal } = io;
  const found = await findSource(inputs, signal);
  checkPair(inputs[0], found.kind, target, options);
  for (const input of inputs) await checkApart(input, out);
  await checkOutputFolder(target === "scene" || target === "zarr" ? out : dirname(resolve(out)), [], [], "OUT", out);
  using progress = createProgress(io, "convert");
  const source = await openSource(found, options, signal);
  let result: Made;
  try {
    for (const file of source.files) await checkApart(file, out);
    result = await write(source, target, { out, options, signal, progress });
  } finally {
    await source.close();
  }
  progress[Symbol.dispose]();
  const report: ConvertReport = {
    format: "dechirp-convert",
    version: 1,
    from: { files: inputs, format: found.format, kind: found.kind },
    to: { file: out, format: target },
    shape: result.shape,
    type: result.type,
    details: result.details ?? {},
    notes: result.notes,
  };
  print(io, options.json, report, () => textOf(report));
}

/** Throws `argument` if the output is the input. */
async function checkApart(input: string, out: string): Promise<void> {
  if (!(await isSameFile(input, out))) return;
  throw new CommandError("argument", `OUT ${out} is the input ${input}, which the result would replace`, { option: "OUT", file: out });
}

/** Writes what was opened. Pairs have been checked, so what is not an image has one writer for each kind. */
async function write(source: Source, target: TargetName, work: Work): Promise<Made> {
  const { writeCphdFile, writeCube, writeScene } = await import("../convert/to-recording.ts");
  if (source.kind === "phase-history") return writeCphdFile(source, work);
  if (source.kind === "stripmap") return writeScene(source.scene, work);
  if (source.kind === "array") return writeCube(source.array, work);
  const [{ writeNpyImage, writePicture, writeSicdImage, writeZarrImage }, { writeMap }] = await Promise.all([
    import("../convert/to-image.ts"),
    import("../convert/to-map.ts"),
  ]);
  const writers = { npy: writeNpyImage, zarr: writeZarrImage, sicd: writeSicdImage, cog: writeMap, png: writePicture } as const;
  return writers[target as keyof typeof writers](source.image, work);
}

function textOf({ from, to, shape, type, details, notes }: ConvertReport): string {
  const shown = (value: unknown): string => String(typeof value === "number" ? Number(value.toPrecision(9)) : value);
  const facts = Object.entries(details).map(
    ([name, value]) => `${name} ${Array.isArray(value) ? value.map(shown).join(", ") : shown(value)}`,
  );
  return [
    `${oneLine(from.files.join(", "))} → ${oneLine(to.file)}: ${targets[to.format].title.replace(/^an? /, "")}, ${type} ${shape.join(" × ")}`,
    ...(facts.length > 0 ? [`  ${oneLine(facts.join("; "))}`] : []),
    ...notes.map((note) => `  note: ${oneLine(note)}`),
  ].join("\n");
}
