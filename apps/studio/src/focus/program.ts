/** Writes the program that makes an image once more in Node: from the same recording, with the same settings, on the same device. */

import type { RecordingPlace } from "../opened/source.ts";
import { addressLines, literal, pathLines } from "../programs.ts";
import { fileNameOf } from "../ui/file-name.ts";
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
  /** Lines at the top: what the user may have to set. */
  readonly top?: readonly string[];
  readonly lines: readonly string[];
  readonly imports: Readonly<Record<string, readonly string[]>>;
}

/** The program, a module of JavaScript for Node. It writes the image beside itself, as `imageFileOf` names it. */
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
  const top = pieces.flatMap(({ top = [] }) => top);
  return `${[...header, "", ...top, ...pieces.flatMap(({ lines }) => lines)].join("\n")}\n`;
}

/** Names of the task's files: the image that the program writes is named as the one that the page saves. */
const imageFileOf = ({ recording }: ProgramParts): string => fileNameOf(recording.name, "focus", "npy");

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
  if (source.kind === "scene") return source.scene === "spotlight" ? spotlightPiece(source.seed) : scenePiece(parts, source);
  const { kind, place } = recording;
  if (!place) return { imports: {}, lines: [] };
  const isStripmap = kind === "stripmap";
  const { imports, top = [], lines } = place.addresses ? addressPiece(place, place.addresses, recording) : pathPiece(place, recording);
  return {
    imports: { ...imports, ...(isStripmap && { "@dechirp/processor": ["regularRecordings"] }) },
    top,
    lines: [
      ...lines,
      ...(isStripmap
        ? [`const recording = regularRecordings(found)[${choices.segment <= recording.segments ? choices.segment - 1 : 0}];`]
        : []),
    ],
  };
}

const foundName = (kind: RecordingFacts["kind"]): string => (kind === "stripmap" ? "found" : "recording");

/** Reads from a path. What the reader would look for is stated, so that other files on the disk make no other image. */
function pathPiece({ paths, files, agcFile, isAgcAdded }: RecordingPlace, { kind, channel }: RecordingFacts): Piece {
  const reader = kind === "stripmap" ? "readScene" : "readPhaseHistory";
  const { lines, expression } = pathLines(paths, files);
  const isRelative = typeof agcFile === "string" && !/^(\/|[A-Za-z]:\/)/.test(agcFile);
  const agc = isAgcAdded ? "agcFile" : isRelative ? `agcFile: \`\${path}/${agcFile}\`` : `agcFile: ${literal(agcFile)}`;
  const options = [...(agcFile === undefined ? [] : [agc]), ...(channel === undefined ? [] : [`channel: ${literal(channel)}`])];
  return {
    imports: { "@dechirp/io/node": [reader] },
    top: [...lines, ...(isAgcAdded ? ["// Set this to the path of the file of AGC values.", `const agcFile = ${literal(agcFile)};`] : [])],
    lines: [`const ${foundName(kind)} = await ${reader}(${expression}${options.length === 0 ? "" : `, { ${options.join(", ")} }`});`],
  };
}

/** Reads from a server. */
function addressPiece(
  { isFolder, agcFile }: RecordingPlace,
  addresses: Readonly<Record<string, string>>,
  { kind, channel }: RecordingFacts,
): Piece {
  const { top, lines, expression } = addressLines(addresses, isFolder);
  const options = `${agcFile === undefined ? "" : `, agcFile: ${literal(agcFile)}`}${channel === undefined ? "" : `, channel: ${literal(channel)}`}`;
  return {
    imports: { "@dechirp/io": ["openUrl"], "@dechirp/io/formats": ["placeOf", "readRecordingFrom"] },
    top,
    lines: [
      ...lines,
      `const { ${kind === "stripmap" ? "recording: found" : "recording"} } = await readRecordingFrom(${expression}, { kind: ${literal(kind)}${options} });`,
    ],
  };
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
      "  shape: [pulses, count],",
      `  area: ${literal(area)},`,
      "  pulses: (from, some) => history.samples.subarray(2 * from * count, 2 * (from + some) * count),",
      "};",
    ],
  };
}

function imagePiece(parts: ProgramParts): Piece {
  const { recording, choices, proposal } = parts;
  const file = literal(imageFileOf(parts));
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
        `const sink = await npySink.open(${file}, { dtype: "c64", shape: plan.shape }, {});`,
        "const { report } = await focusInBlocks(recording, device, sink, plan);",
        ...end.map((line) => line.replace("plan.SHAPE", "plan.shape")),
      ],
    };
  }
  return {
    imports: { "@dechirp/io/node": ["npySink"], "@dechirp/processor": ["backprojectInWindows", "planBackprojectedImage"] },
    lines: [
      `const plan = await planBackprojectedImage(recording, ${literal(backprojectSettingsOf(choices))});`,
      `const sink = await npySink.open(${file}, { dtype: "c64", shape: [plan.grid.ny, plan.grid.nx] }, {});`,
      `const report = await backprojectInWindows(plan, device, sink, { ${memory} });`,
      ...end.map((line) => line.replace("plan.SHAPE", "report.image.shape")),
    ],
  };
}
