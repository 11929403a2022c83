/** The program for Node that makes the result on the page. */
import type { StapSettings } from "@dechirp/processor";
import { wardExample } from "@dechirp/stap";
import type { RecordingPlace } from "../opened/source.ts";
import { addressLines, literal, pathLines } from "../programs.ts";
import { fileNameOf } from "../ui/file-name.ts";
import type { FileRequest } from "./messages.ts";
import { type FileTraits, fileSettings, sceneOf, wardSettings } from "./scenario.ts";
import type { Values } from "./settings.ts";

/** What the page processes: the scenario, or a recording of a name, at a place and with traits that decide what is set. */
export type ProgramSource =
  | "ward"
  | {
      readonly name: string;
      readonly place: RecordingPlace;
      readonly request: Omit<FileRequest, "source">;
      readonly traits: FileTraits;
    };

const axisNames: Readonly<Record<string, string>> = { c: "channel", p: "pulse", r: "range" };

/** Names of the task's files. The program writes report and output under the names under which the page saves them. */
export function fileNamesOf(source: ProgramSource) {
  const name = source === "ward" ? "ward" : source.name;
  return {
    report: fileNameOf(name, "adaptive", "json"),
    output: fileNameOf(name, "adaptive", "npy"),
    program: fileNameOf(name, "adaptive", "mjs"),
  };
}

/** The text of a module for Node. It needs the packages that it imports, and writes the report and the output. */
export function programOf(values: Values, source: ProgramSource): string {
  const { device } = values;
  const files = fileNamesOf(source);
  const backend = device === "cpu" ? ["cpu", "@dechirp/fft-cpu"] : ["gpu", "@dechirp/fft-gpu"];
  const precise = device === "gpu" ? ", { openFloat64: () => open(cpu()) }" : "";
  return [
    'import { writeFile } from "node:fs/promises";',
    'import { open } from "@dechirp/core";',
    `import { ${backend[0]} } from "${backend[1]}";`,
    ...(device === "gpu" ? ['import { cpu } from "@dechirp/fft-cpu";'] : []),
    'import { arrayBytes, npyHeader } from "@dechirp/io";',
    ...(source === "ward" ? wardLines(values) : fileLines(source)),
    `const settings = ${literal(settingsOf(values, source))};`,
    "const plan = await planStap(recording, settings);",
    `const device = await open(${backend[0]}());`,
    `const { output, report } = await processStap(plan, device${precise});`,
    "device[Symbol.dispose]();",
    `await writeFile(${literal(files.report)}, JSON.stringify(report, null, 2));`,
    `await writeFile(${literal(files.output)}, [npyHeader({ dtype: report.output.type, shape: report.output.shape }), arrayBytes(output)]);`,
    'console.log(report.detections.count, "detections; strongest:", report.detections.listed[0]);',
    "",
  ].join("\n");
}

const settingsOf = (values: Values, source: ProgramSource): StapSettings =>
  source === "ward" ? wardSettings(values) : fileSettings(values, source.traits);

function wardLines(values: Values): readonly string[] {
  const { scenario, draw, blockRanges } = sceneOf(values);
  const given = Object.entries(scenario).filter(([name, value]) => wardExample[name as keyof typeof wardExample] !== value);
  return [
    'import { planStap, processStap } from "@dechirp/processor";',
    'import { drawCube, interferenceCovariance, wardExample } from "@dechirp/stap";',
    "",
    `const scenario = { ...wardExample, ${literal(Object.fromEntries(given)).slice(2, -2)} };`,
    `const cube = drawCube(interferenceCovariance(scenario), ${literal(draw)});`,
    "const { prfHz, carrierHz } = scenario;",
    'const facts = { prfHz, carrierHz, spacing: { value: 0.5, unit: "wavelengths" } };',
    `const recording = { name: "Ward's scenario", cube, blockRanges: ${blockRanges}, facts };`,
  ];
}

function fileLines({ place, request: { axes, cpi } }: Exclude<ProgramSource, "ward">): readonly string[] {
  const options = {
    kind: "array",
    ...(axes !== "auto" && { axes: [...axes].map((letter) => axisNames[letter]) }),
    ...(cpi > 1 && { cpi }),
  };
  if (place.addresses) {
    const { top, lines, expression } = addressLines(place.addresses, place.isFolder);
    return [
      'import { openUrl } from "@dechirp/io";',
      'import { placeOf, readRecordingFrom } from "@dechirp/io/formats";',
      'import { planStap, processStap } from "@dechirp/processor";',
      "",
      ...top,
      ...lines,
      `const { recording } = await readRecordingFrom(${expression}, ${literal(options)});`,
    ];
  }
  const { lines, expression } = pathLines(place.paths, place.files);
  return [
    'import { readRecording } from "@dechirp/io/node";',
    'import { planStap, processStap } from "@dechirp/processor";',
    "",
    ...lines,
    `const { recording } = await readRecording(${expression}, ${literal(options)});`,
  ];
}
