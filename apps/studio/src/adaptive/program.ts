/** The program for Node that makes the result on the page. */
import type { StapSettings } from "@dechirp/processor";
import { wardExample } from "@dechirp/stap";
import type { FileRequest } from "./messages.ts";
import { type FileTraits, fileSettings, sceneOf, wardSettings } from "./scenario.ts";
import type { Values } from "./settings.ts";

/** What the page processes: the scenario, or files of a name and with traits that decide what is set. */
export type ProgramSource =
  | "ward"
  | {
      readonly names: readonly string[];
      /** Address of the recording, if it is on a server. */
      readonly url?: string | undefined;
      readonly request: Omit<FileRequest, "source">;
      readonly traits: FileTraits;
    };

const axisNames: Readonly<Record<string, string>> = { c: "channel", p: "pulse", r: "range" };

/** The text of a module. It needs the packages that it imports, and writes `report.json` and `output.npy`. */
export function programOf(values: Values, source: ProgramSource): string {
  const { device } = values;
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
    'await writeFile("report.json", JSON.stringify(report, null, 2));',
    'await writeFile("output.npy", [npyHeader({ dtype: report.output.type, shape: report.output.shape }), arrayBytes(output)]);',
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

function fileLines({ names, url, request: { axes, cpi } }: Exclude<ProgramSource, "ward">): readonly string[] {
  const options = {
    kind: "array",
    ...(axes !== "auto" && { axes: [...axes].map((letter) => axisNames[letter]) }),
    ...(cpi > 1 && { cpi }),
  };
  if (url !== undefined) {
    const entries = names.map(
      (name) => `${JSON.stringify(name)}: await openUrl(${JSON.stringify(new URL(`./${encodeURI(name)}`, url).href)})`,
    );
    const file = names.length === 1 ? `, { file: ${JSON.stringify(names[0])} }` : "";
    return [
      'import { openUrl } from "@dechirp/io";',
      'import { placeOf, readRecordingFrom } from "@dechirp/io/formats";',
      'import { planStap, processStap } from "@dechirp/processor";',
      "",
      `const place = placeOf({ ${entries.join(", ")} }${file});`,
      `const { recording } = await readRecordingFrom(place, ${literal(options)});`,
    ];
  }
  const path = names.length === 1 ? names[0] : "folder";
  return [
    'import { readRecording } from "@dechirp/io/node";',
    'import { planStap, processStap } from "@dechirp/processor";',
    "",
    `const { recording } = await readRecording(${JSON.stringify(path)}, ${literal(options)});`,
  ];
}

/** A plain value as JavaScript writes it on one line. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, one]) => `${name}: ${literal(one)}`);
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}
