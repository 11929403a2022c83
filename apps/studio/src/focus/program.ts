/** Writes the program that makes an image once more in Node: from the same recording, with the same settings, on the same device. */
import type { DeviceName } from "../work/devices.ts";
import type { Proposal, RecordingFacts, Source } from "./messages.ts";
import { scenes, spotlight } from "./scenes.ts";
import { backprojectSettingsOf, type Choices, focusSettingsOf } from "./settings.ts";

/** What an image was made of. */
export interface ProgramParts {
  readonly source: Source;
  readonly recording: RecordingFacts;
  readonly choices: Choices;
  readonly proposal: Proposal;
  readonly device: DeviceName;
}

/** The lines of a program that are about one thing, and what they import: names by package. */
interface Piece {
  readonly lines: readonly string[];
  readonly imports: Readonly<Record<string, readonly string[]>>;
}

/** The program as TypeScript for Node. */
export function programOf(parts: ProgramParts): string {
  const pieces = [devicePiece(parts), recordingPiece(parts), imagePiece(parts)];
  const names = new Map<string, Set<string>>();
  for (const { imports } of pieces)
    for (const [from, list] of Object.entries(imports)) names.set(from, new Set([...(names.get(from) ?? []), ...list]));
  const header = [...names]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([from, list]) => `import { ${[...list].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)).join(", ")} } from "${from}";`,
    );
  return `${[...header, "", ...pieces.flatMap(({ lines }) => lines)].join("\n")}\n`;
}

const needsProcessor = ({ source, device }: ProgramParts): boolean =>
  device === "gpu" && source.kind === "scene" && source.scene !== "spotlight";

function devicePiece(parts: ProgramParts): Piece {
  const { device } = parts;
  const backend = device === "cpu" ? { "@dechirp/fft-cpu": ["cpu"] } : { "@dechirp/fft-gpu": ["gpu"] };
  const processor = needsProcessor(parts);
  return {
    imports: { "@dechirp/core": ["open"], ...backend, ...(processor && { "@dechirp/fft-cpu": ["cpu"] }) },
    lines: [
      `const device = await open(${device}());`,
      ...(processor ? ["const processor = await open(cpu()); // simulates in float64"] : []),
    ],
  };
}

function recordingPiece(parts: ProgramParts): Piece {
  const { source, recording, choices } = parts;
  const kind = recording.kind;
  const isStripmap = kind === "stripmap";
  const segment: Piece = isStripmap
    ? {
        imports: { "@dechirp/processor": ["regularRecordings"] },
        lines: [`const recording = regularRecordings(found)[${choices.segment <= recording.segments ? choices.segment - 1 : 0}];`],
      }
    : { imports: {}, lines: [] };
  const found = isStripmap ? "found" : "recording";
  switch (source.kind) {
    case "scene":
      return source.scene === "spotlight" ? spotlightPiece(source.seed) : scenePiece(parts, source);
    case "files": {
      const channel = recording.channel === undefined ? "" : `, ${literal({ channel: recording.channel })}`;
      const reader = isStripmap ? "readScene" : "readPhaseHistory";
      const [only] = recording.files;
      const folder = only?.includes("/") ? only.slice(0, only.indexOf("/")) : "folder-of-the-files";
      const path = recording.files.length === 1 ? only! : folder;
      return {
        imports: { "@dechirp/io/node": [reader], ...segment.imports },
        lines: [`const ${found} = await ${reader}(${JSON.stringify(path)}${channel});`, ...segment.lines],
      };
    }
    case "url": {
      const entries = recording.files.map(
        (name) => `${JSON.stringify(name)}: await openUrl(${JSON.stringify(new URL(name, source.url).href)})`,
      );
      const [only] = recording.files;
      const option = recording.files.length === 1 ? `, { file: ${JSON.stringify(only)} }` : "";
      const name = isStripmap ? "recording: found" : "recording";
      return {
        imports: { "@dechirp/io": ["openUrl"], "@dechirp/io/formats": ["placeOf", "readRecordingFrom"], ...segment.imports },
        lines: [
          `const place = placeOf({ ${entries.join(", ")} }${option});`,
          `const { ${name} } = await readRecordingFrom(place, ${literal({ kind, ...(recording.channel !== undefined && { channel: recording.channel }) })});`,
          ...segment.lines,
        ],
      };
    }
  }
}

function scenePiece(parts: ProgramParts, { scene, seed }: Extract<Source, { kind: "scene" }>): Piece {
  const device = needsProcessor(parts) ? "processor" : "device";
  const settings = literal(seed === undefined ? {} : { seed });
  return {
    imports: { "@dechirp/sar": ["scenePresets"], "@dechirp/processor": ["simulateRecording"] },
    lines: [
      ...(scenes[scene].code ?? []),
      `const recording = await simulateRecording(${JSON.stringify(scene)}, preset, ${settings}, ${device});`,
    ],
  };
}

function spotlightPiece(seed: number | undefined): Piece {
  const { track, frequency, targets, noise, area } = spotlight;
  const points = targets.map((target) => `  ${literal(target)},`);
  return {
    imports: { "@dechirp/sar": ["linearTrack", "simulatePhaseHistory"] },
    lines: [
      `const [pulses, count] = [${track.pulses}, ${frequency.count}];`,
      "const targets = [",
      ...points,
      "];",
      `const positions = linearTrack(${literal({ middleMeters: track.middleMeters, stepMeters: track.stepMeters }).replace(/ }$/, ", pulses }")});`,
      `const frequency = ${literal({ firstHz: frequency.firstHz, stepHz: frequency.stepHz }).replace(/ }$/, ", count }")};`,
      `const history = simulatePhaseHistory({ positions, frequency, targets, noise: ${literal(noise)}, seed: ${seed ?? spotlight.seed} });`,
      "const recording = {",
      "  ...history,",
      '  name: "spotlight",',
      "  shape: [pulses, count] as const,",
      `  area: ${literal(area)} as const,`,
      "  pulses: (from: number, some: number) => history.samples.subarray(2 * from * count, 2 * (from + some) * count),",
      "};",
    ],
  };
}

function imagePiece(parts: ProgramParts): Piece {
  const { recording, choices, proposal } = parts;
  const memory = `memoryBytes: ${proposal.memoryBytes}`;
  const end = [
    "await sink.finish();",
    "console.log(plan.SHAPE, report.entropy, report.contrast);",
    ...(needsProcessor(parts) ? ["processor[Symbol.dispose]();"] : []),
    "device[Symbol.dispose]();",
  ];
  if (recording.kind === "stripmap") {
    const lines = choices.lines === undefined ? "" : `, mostLines: ${choices.lines}`;
    return {
      imports: { "@dechirp/io/node": ["npySink"], "@dechirp/processor": ["focusInBlocks", "planFocus"] },
      lines: [
        `const plan = await planFocus(recording, ${literal(focusSettingsOf(choices))}, device, { ${memory}${lines} });`,
        'const sink = await npySink.open("image.npy", { dtype: "c64", shape: plan.shape }, {});',
        "const { report } = await focusInBlocks(recording, device, sink, plan);",
        ...end.map((line) => line.replace("plan.SHAPE", "plan.shape")),
      ],
    };
  }
  return {
    imports: { "@dechirp/io/node": ["npySink"], "@dechirp/processor": ["backprojectInWindows", "planBackprojectedImage"] },
    lines: [
      `const plan = await planBackprojectedImage(recording, ${literal(backprojectSettingsOf(choices))});`,
      'const sink = await npySink.open("image.npy", { dtype: "c64", shape: [plan.grid.ny, plan.grid.nx] }, {});',
      `const report = await backprojectInWindows(plan, device, sink, { ${memory} });`,
      ...end.map((line) => line.replace("plan.SHAPE", "report.image.shape")),
    ],
  };
}

/** Plain data as an expression of TypeScript. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${/^\w+$/.test(name) ? name : JSON.stringify(name)}: ${literal(member)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
