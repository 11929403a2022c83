/**
 * The commands of `dechirp` as targets: their files are changed, their options (as listed by --help) get hostile values, and their
 * paths lead to wrong things. Each case runs in a folder of its own.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  cphdFiles,
  cubeFiles,
  gotchaFiles,
  mountainTopFile,
  perfectFiles,
  radarsatFiles,
  sceneFolder,
  taskSets,
  workSets,
} from "./corpus.ts";
import type { Dice } from "./dice.ts";
import { changed, changeOf } from "./readers.ts";
import { judgeEnded, judgeFolder, runApart, runHere } from "./run-command.ts";
import { sicdFiles } from "./sicd.ts";
import { type Case, fault, type Target, type Verdict } from "./target.ts";
import { hostileText } from "./text.ts";

interface CommandCase {
  readonly name: string;
  readonly weight: number;
  readonly argv: readonly string[];
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** The command reads no files that could be changed, so only its arguments are. */
  readonly argumentsOnly?: boolean;
}

/** Puts the files into a subfolder, as some inputs are. */
const inside = (folder: string, files: Readonly<Record<string, Uint8Array>>): Record<string, Uint8Array> =>
  Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`${folder}/${name}`, bytes]));

const json = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value, null, 1));

async function commandCases(data: string | undefined): Promise<readonly CommandCase[]> {
  const scene = inside("scene", await sceneFolder("ci8"));
  const perfect = perfectFiles(data);
  const cubes = cubeFiles();
  const image = await madeImage();
  const stap = ["--spacing", "0.5", "--azimuth=-40:40:40", "--block", "16", "--tdof", "1", "--out", "out"];
  const schedules = taskSets.map((set, i) => [`tasks-${i}`, { "tasks.json": json(set) }] as const);
  const gotchas = gotchaFiles();
  const [cphd] = await cphdFiles(undefined);
  const sicd = (await sicdFiles())[0];
  const located = ["--origin", "47,8,400", "--prf", "100", "--start", "2026-01-02T03:04:05Z"];
  const known: readonly (readonly [name: string, files: Readonly<Record<string, Uint8Array>>, ...conversions: (readonly string[])[]])[] = [
    ["scene", scene, ["--to", "scene"]],
    ["x.cphd", { "x.cphd": cphd }, ["--to", "cphd"]],
    ["x.mat", { "x.mat": gotchas[0] }, ["--to", "cphd", ...located]],
    ["cube.npy", { "cube.npy": cubes["cube.npy"] }, ["--to", "npy"]],
    ["cpi.mat", { "cpi.mat": mountainTopFile() }, ["--to", "npy"]],
    ["x.nitf", { "x.nitf": sicd }, ["--to", "cog"], ["--to", "cog", "--control-points"], ["--to", "sicd"], ["--to", "png"]],
    ["image", inside("image", image), ["--to", "cog"], ["--to", "zarr"]],
    ["x.tif", { "x.tif": await madeFile("cog", inside("image", image)) }],
  ];
  const argumentsOnly = { files: {}, argumentsOnly: true } as const;
  return [
    { name: "focus", weight: 2, argv: ["focus", "scene", "--out", "out"], files: scene },
    { name: "focus-orbit", weight: 2, argv: ["focus", "scene", "--out", "out"], files: inside("scene", await sceneFolder("c128")) },
    { name: "focus-radarsat", weight: 1, argv: ["focus", "scene", "--out", "out"], files: inside("scene", radarsatFiles()) },
    { name: "quality", weight: 3, argv: ["quality", "image"], files: inside("image", image) },
    ...gotchas.map((bytes, i) => ({
      name: `backproject-${i}`,
      weight: 1.5,
      argv: ["backproject", "data_3dsar_pass1_az001_HH.mat", "--grid=-4,-4,1,1,8,8", "--out", "out"],
      files: { "data_3dsar_pass1_az001_HH.mat": bytes },
    })),
    {
      name: "backproject-folder",
      weight: 1,
      argv: ["backproject", "gotcha", "--out", "out"],
      files: inside("gotcha", { "data_3dsar_pass1_az001_HH.mat": gotchas[0], "data_3dsar_pass1_az002_HH.mat": gotchas[0] }),
    },
    { name: "stap-npy", weight: 2, argv: ["stap", "cube.npy", ...stap], files: { "cube.npy": cubes["cube.npy"] } },
    {
      name: "stap-mat",
      weight: 2,
      argv: ["stap", "cube.mat", "--axes", "range,pulse,channel", ...stap],
      files: { "cube.mat": cubes["cube.mat"] },
    },
    {
      name: "stap-steering",
      weight: 1,
      argv: ["stap", "cube.npy", "--steering", "steering.npy", "--block", "16", "--tdof", "1", "--out", "out"],
      files: { "steering.npy": cubes["steering.npy"], "cube.npy": cubes["cube.npy"] },
    },
    {
      name: "stap-mountain-top",
      weight: 1,
      argv: ["stap", "cpi.mat", "--chirp", "none", "--azimuth", "250:260:10", "--loading", "0.01", "--tdof", "1", "--out", "out"],
      files: { "cpi.mat": mountainTopFile() },
    },
    {
      name: "stap-perfect",
      weight: 0.2,
      argv: ["stap", "perfect", "--out", "out"],
      files: inside("perfect", { "small_app_input.bin": perfect.input, "small_app_steering_vectors.bin": perfect.steering }),
    },
    ...schedules.map(([name, files]) => ({ name: `analyse-${name}`, weight: 3, argv: ["schedule", "analyse", "tasks.json"], files })),
    { name: "analyse-stdin", weight: 1, argv: ["schedule", "analyse", "-", "--json"], files: { "tasks.json": json(taskSets[1]) } },
    ...schedules.map(([name, files]) => ({
      name: `simulate-${name}`,
      weight: 2,
      argv: ["schedule", "simulate", "tasks.json", "--jobs", "20", "--out", "out"],
      files,
    })),
    ...workSets.map((set, i) => ({
      name: `run-${i}`,
      weight: 1,
      argv: ["schedule", "run", "tasks.json", "--jobs", "3", "--runs", "3", "--workers", "1"],
      files: { "tasks.json": json(set) },
    })),
    ...known.map(([path, files]) => ({ name: `info-${path}`, weight: 3, argv: ["info", path], files })),
    { name: "info-geojson", weight: 1, argv: ["info", "x.nitf", "--geojson"], files: { "x.nitf": sicd } },
    ...known.flatMap(([path, files, ...conversions]) =>
      conversions.map((options) => ({
        name: `convert-${path}-${options.filter((one) => /^(?!-)[a-z]+$|^--control/.test(one)).join("")}`,
        weight: 2,
        argv: ["convert", path, "out", ...options],
        files,
      })),
    ),
    { name: "simulate", weight: 0.5, argv: ["simulate", "--out", "out"], ...argumentsOnly },
    { name: "devices", weight: 0.1, argv: ["devices"], ...argumentsOnly },
    { name: "demo", weight: 0.3, argv: ["demo", "--out", "out"], ...argumentsOnly },
    ...["fused-sar-paper", "backprojection-paper", "efa-paper", "realtime-paper"].map((name) => ({
      name: `bench-${name}`,
      weight: 0.3,
      argv: ["bench", name, "--out", "out"],
      ...argumentsOnly,
    })),
  ];
}

/** An image of the scene of noise, as `focus` writes it. */
async function madeImage(): Promise<Readonly<Record<string, Uint8Array>>> {
  const { readFile } = await import("node:fs/promises");
  const folder = mkdtempSync(join(tmpdir(), "dechirp-fuzz-image-"));
  try {
    place(folder, inside("scene", await sceneFolder("ci8")));
    const { code, stderr } = await runHere(["focus", join(folder, "scene"), "--out", join(folder, "out")], undefined, soundPatience);
    if (code !== 0) throw new Error(`the corpus has no image: ${stderr}`);
    const read = async (name: string) => [name, new Uint8Array(await readFile(join(folder, "out", name)))] as const;
    return Object.fromEntries([await read("report.json"), await read("image.npy")]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What `convert` makes of an image. */
async function madeFile(format: string, files: Readonly<Record<string, Uint8Array>>): Promise<Uint8Array> {
  const { readFile } = await import("node:fs/promises");
  const folder = mkdtempSync(join(tmpdir(), "dechirp-fuzz-file-"));
  try {
    place(folder, files);
    const argv = ["convert", join(folder, "image"), join(folder, "out"), "--to", format];
    const { code, stderr } = await runHere(argv, undefined, soundPatience);
    if (code !== 0) throw new Error(`the corpus has no file: ${stderr}`);
    return new Uint8Array(await readFile(join(folder, "out")));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function place(folder: string, files: Readonly<Record<string, Uint8Array>>): void {
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  }
}

interface Option {
  readonly name: string;
  readonly takesValue: boolean;
  /** Words of the option's description. Some of them are valid choices or example values. */
  readonly words: readonly string[];
}

/** Parses the options of a command from its --help. */
async function optionsOf(command: readonly string[]): Promise<readonly Option[]> {
  const { stdout } = await runHere([...command, "--help"], undefined, soundPatience);
  const lines = stdout.replace(/\n {10,}/g, " ").split("\n");
  return lines.flatMap((line) => {
    const [, name, value, text] = /^ +(?:-\w, )?(--[a-z-]+)( <[^>]+>)?\s+(.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [{ name, takesValue: value !== undefined, words: text.match(/[\w:.,-]+/g) ?? [] }];
  });
}

/** Wrong things to which paths may lead. */
const places = [
  "folder",
  "empty",
  "file.txt",
  "dangling",
  "loop",
  "fifo",
  "/dev/null",
  "/dev/zero",
  "absent/absent",
  ".",
  "scene",
  "image",
  `${"n".repeat(300)}`,
];

/** Adds one to three options, or replaces paths by hostile ones. */
function changeArguments(argv: readonly string[], options: readonly Option[], dice: Dice): string[] {
  const out = [...argv];
  if (dice.chance(0.35)) {
    const values = out.flatMap((text, i) => (i > 0 && !text.startsWith("--") && !["analyse", "run", "simulate"].includes(text) ? [i] : []));
    if (values.length > 0) out[dice.pick(values)] = dice.chance(0.8) ? dice.pick(places) : hostileText(dice);
    if (dice.chance(0.5)) return out;
  }
  for (let n = dice.length(3); n > 0; n--) {
    const { name, takesValue, words } = dice.pick(options);
    const value = dice.chance(0.4) && words.length > 0 ? dice.pick(words) : hostileText(dice);
    const change = dice.below(12);
    if (change === 0) out.push(`${name}x`, value);
    else if (change === 1) out.push(value);
    else if (change === 2) out.push(name);
    else if (change === 3) out.splice(1 + dice.below(out.length), 1);
    else if (change === 4) out.push("--", value);
    else if (!takesValue) out.push(name);
    else if (dice.chance(0.5)) out.push(`${name}=${value}`);
    else out.push(name, value);
  }
  return out;
}

/**
 * Limit on the buffers of a command: those of its reader, arrays and pictures made from the input, and a bounded amount for modules and
 * tables.
 */
const commandAllowance = (bytes: number): Case["allowance"] => ({ largest: 2 ** 28 + 64 * bytes, total: 2 ** 30 + 1024 * bytes });
/** Arguments may request as much memory as a command permits. */
const anyAllowance: Case["allowance"] = { largest: 2 ** 33, total: 2 ** 36 };

export async function commandTargets(data: string | undefined): Promise<readonly Target[]> {
  const cases = await commandCases(data);
  const root = mkdtempSync(join(tmpdir(), "dechirp-fuzz-"));
  process.on("exit", () => rmSync(root, { recursive: true, force: true }));
  const targets: Target[] = [];
  for (const one of cases) {
    const options = await optionsOf(one.argv.slice(0, one.argv[0] === "schedule" ? 2 : 1));
    targets.push(target(one, options, root));
  }
  return targets;
}

/** Patience for sound input, on a busy machine. */
const soundPatience = 30_000;

const bytesOf = (files: Readonly<Record<string, Uint8Array>>): number => Object.values(files).reduce((sum, { length }) => sum + length, 0);

function target({ name, weight, argv, files, argumentsOnly = false }: CommandCase, options: readonly Option[], root: string): Target {
  const names = Object.keys(files);
  return {
    name,
    weight,
    make(dice) {
      if (!dice) {
        // Some commands would work for minutes, so only their --help is run.
        const sound = argumentsOnly ? [...argv, "--help"] : argv;
        return {
          files,
          argv: sound,
          allowance: commandAllowance(bytesOf(files)),
          run: () => runCase(root, files, sound, false, soundPatience),
        };
      }
      const byFile = !argumentsOnly && dice.chance(0.7);
      let given = files;
      if (byFile) {
        const which = dice.chance(0.8) ? names[0] : dice.pick(names);
        given = { ...files, [which]: changed(files[which], changeOf(which, files[which]), dice, files[dice.pick(names)]) };
        if (dice.chance(0.03)) given = Object.fromEntries(Object.entries(given).filter(([file]) => file !== which));
      }
      const withArguments = byFile ? [...argv] : changeArguments(argv, options, dice);
      // Devices other than the processor are not tested here.
      const asked = withArguments.filter((text) => text !== "gpu" && text !== "--device=gpu");
      if (dice.chance(0.3)) asked.splice(1, 0, ...(asked[0] === "schedule" ? [] : ["--json"]));
      const apart = dice.chance(0.01) && asked.every((text) => !text.includes("\0"));
      return {
        files: given,
        argv: asked,
        allowance: byFile ? commandAllowance(bytesOf(given)) : anyAllowance,
        run: async () => {
          const verdict = await runCase(root, given, asked, apart);
          const blamed = argumentsOnly && verdict.kind === "refused" && verdict.how === "3";
          return blamed ? fault(`blames a file although none is read: ${verdict.message}`) : verdict;
        },
      };
    },
  };
}

async function runCase(
  root: string,
  files: Readonly<Record<string, Uint8Array>>,
  argv: readonly string[],
  apart: boolean,
  patience?: number,
): Promise<Verdict> {
  const folder = mkdtempSync(join(root, "case-"));
  try {
    place(folder, files);
    mkdirSync(join(folder, "folder"));
    mkdirSync(join(folder, "empty"));
    writeFileSync(join(folder, "folder", "notes.txt"), "nothing");
    writeFileSync(join(folder, "file.txt"), "nothing");
    symlinkSync("nowhere", join(folder, "dangling"));
    symlinkSync("loop", join(folder, "loop"));
    if (argv.includes("fifo") && process.platform !== "win32") spawnSync("mkfifo", [join(folder, "fifo")]);
    process.chdir(folder);
    const stdin = argv.includes("-") ? files["tasks.json"] : undefined;
    const ended = await (apart ? runApart(argv, stdin) : runHere(argv, stdin, patience));
    const options = argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv;
    const helps = ["--help", "-h", "-V", "--version"].some((option) => options.includes(option));
    const verdict = judgeEnded(ended, helps ? undefined : options.includes("--json"));
    if (verdict.kind === "fault") return verdict;
    const wrong = judgeFolder(folder, files, verdict.kind === "refused");
    return wrong === undefined ? verdict : fault(wrong);
  } finally {
    process.chdir(root);
    rmSync(folder, { recursive: true, force: true });
  }
}
