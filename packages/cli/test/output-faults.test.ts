/**
 * Every command that writes files, with failing writes: at each call of the file system in turn, the result must be complete or the
 * folder as it was, one line must say why, and the next run must work. DECHIRP_FAULTS=full tries every way in which each call can be
 * refused, into a new folder and over existing files. Without it, faults are sampled from these; for quick commands nearly all are
 * tried.
 */
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createRandom } from "@dechirp/core";
import { writeSceneFolder } from "@dechirp/io/node";
import { circularTrack, simulatePhaseHistory } from "@dechirp/sar";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { analysisFiles, imageFiles, reportFiles, runFiles, sceneFiles, simulationFiles, stapFiles } from "../src/output.ts";
import { dechirp, type Outcome, simulatedScene, smallPreset } from "./command.ts";
import { type Call, calls, type Fault, refusedCalls, withFault } from "./file-faults.ts";
import { full } from "./full.ts";
import { writeGotcha } from "./gotcha-file.ts";
import { tiny } from "./schedule-tasks.ts";
import { cubeNpy, radar, stapCube } from "./stap-cube.ts";

// This is about writing, not about the contents of the pictures.
vi.mock("@dechirp/sar", async (original) => {
  const sar = await original<typeof import("@dechirp/sar")>();
  const { background: _, ...preset } = sar.scenePresets.default;
  const small = { ...preset, lines: 320, samples: 576, targets: [], noise: { snrDb: 0 } };
  return { ...sar, scenePresets: { ...sar.scenePresets, default: small } };
});

// Nor about how they are drawn, for which a process starts every time.
vi.mock("@dechirp/pictures/png", async () => {
  const { encodePng } = await import("@dechirp/io");
  const drawn = (_: unknown, { signal }: { signal: AbortSignal }) =>
    encodePng({ width: 1, height: 1, data: new Uint8Array(1) }, { signal });
  return {
    ...Object.fromEntries(["pngOfSvg", "imagePng"].map((name) => [name, drawn])),
  };
});

/** Called whenever a command reports progress. */
const progress = vi.hoisted(() => ({ step(): void {} }));
vi.mock("../src/progress.ts", () => ({
  createProgress: () => ({ update: () => progress.step(), [Symbol.dispose]() {} }),
}));

let inputs: string;
beforeAll(async () => {
  inputs = await mkdtemp(join(tmpdir(), "dechirp-cli-"));
  await writeSceneFolder(join(inputs, "scene"), await simulatedScene("small", { ...smallPreset(true), targets: [] }, { type: "ci16" }));
  await writeFile(join(inputs, "cube.npy"), cubeNpy(stapCube()));
  await writeFile(join(inputs, "tasks.json"), '{ "units": 2, "tasks": [{ "id": "a", "wcet": { "1": 5, "2": 3 }, "count": 2 }] }');
  await writeFile(join(inputs, "run.json"), JSON.stringify({ ...tiny, tasks: tiny.tasks.slice(0, 1) }));
  const positions = circularTrack({ radiusMeters: 700, altitudeMeters: 700, firstRadians: 0, stepRadians: 0.001, pulses: 16 });
  const frequency = { firstHz: 9.3e9, stepHz: 6e6, count: 32 };
  await writeGotcha(
    join(inputs, "a.mat"),
    simulatePhaseHistory({ positions, frequency, targets: [{ positionMeters: [0, 0, 0], amplitude: 1 }] }),
  );
});
afterAll(() => rm(inputs, { recursive: true, force: true }));

interface Writer {
  readonly args: readonly string[];
  readonly files: readonly string[];
  /** Number of faults to try, chosen by the time that a run takes. */
  readonly most: number;
}

const at = (name: string): string => `INPUTS/${name}`;
const writers: readonly Writer[] = [
  { args: ["demo"], files: imageFiles, most: 4 },
  { args: ["simulate", "--type", "ci8"], files: sceneFiles, most: 4 },
  { args: ["focus", at("scene")], files: imageFiles, most: 6 },
  {
    args: ["focus", at("scene"), at("scene")],
    files: ["scene", "scene-2"].flatMap((folder) => imageFiles.map((name) => join(folder, name))),
    most: 5,
  },
  { args: ["backproject", at("a.mat"), "--grid", "-1,-1,1,1,3,3"], files: imageFiles, most: 8 },
  { args: ["stap", at("cube.npy"), ...radar, "--azimuth", "10"], files: stapFiles, most: 5 },
  {
    args: ["schedule", "analyse", at("tasks.json")],
    files: analysisFiles,
    most: 60,
  },
  { args: ["schedule", "simulate", at("tasks.json")], files: simulationFiles, most: 60 },
  {
    args: ["schedule", "run", at("run.json"), "--workers", "2", "--jobs", "2", "--runs", "2"],
    files: runFiles,
    most: 6,
  },
  { args: ["bench", "fused-sar-paper", "--size", "256", "--turns", "1"], files: reportFiles, most: 1 },
  { args: ["bench", "efa-paper", "--quick", "--seconds", "0.001", "--parts", "perfect"], files: reportFiles, most: 3 },
  {
    args: ["bench", "realtime-paper", "--quick", "--exponents", "4", "--tasks", "1", "--jobs", "2", "--runs", "2"],
    files: reportFiles,
    most: 6,
  },
];

const nameOf = ({ args }: Writer): string => args.filter((arg) => !arg.startsWith("-") && Number.isNaN(Number(arg))).join(" ");

type Contents = Readonly<Record<string, string>>;

/** All files under `folder`, with their contents. */
function contents(folder: string): Contents {
  if (!existsSync(folder)) return {};
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return Object.fromEntries(
    names.map((name) => [name, statSync(join(folder, name)).isDirectory() ? "folder" : readFileSync(join(folder, name), "latin1")]),
  );
}

/** An output folder for each fault: `out` is two folders deep in it. */
async function place(before: "new" | "old", files: readonly string[]): Promise<{ folder: string; out: string }> {
  const folder = await mkdtemp(join(tmpdir(), "dechirp-cli-"));
  const out = join(folder, "deep", "out");
  if (before === "old") {
    for (const name of [...files, "other"]) {
      await mkdir(join(out, name, ".."), { recursive: true });
      await writeFile(join(out, name), `old ${name}`);
    }
  }
  return { folder, out };
}

const run = (writer: Writer, out: string, signal?: AbortSignal): Promise<Outcome> => {
  const args = writer.args.map((arg) => arg.replace(/^INPUTS/, inputs));
  return dechirp([...args, "--out", out], signal ? { signal } : {});
};

/** Names of files that have changed, including hidden files. */
const changed = (before: Contents, after: Contents): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => after[name] !== before[name] && after[name] !== "folder");

/** The number of pictures depends on the experiment. */
const isExtra = (name: string): boolean => name.endsWith(".svg");

/**
 * Checks that in each result folder all files of the result are new or nothing has changed, and that nothing else has changed anywhere.
 */
function expectWhole(writer: Writer, complete: boolean, before: Contents, after: Contents, told: string): void {
  const expected = writer.files.map((name) => join("deep", "out", name));
  const names = changed(before, after);
  expect(
    names.filter((name) => !expected.includes(name) && !isExtra(name)),
    told,
  ).toEqual([]);
  for (const folder of new Set(expected.map(dirname))) {
    const isHere = (name: string): boolean => dirname(name) === folder;
    if (complete || names.some(isHere)) expect(names, told).toEqual(expect.arrayContaining(expected.filter(isHere)));
  }
  // Folders that were made must be removed if they are empty.
  if (names.length === 0) expect(after, told).toEqual(before);
}

interface Tried extends Pick<Fault, "call" | "k"> {
  readonly before: "new" | "old";
  readonly what: string;
  readonly happens: (place: { readonly folder: string; readonly controller: AbortController }) => Fault["happens"];
}

/** Every call of a run is refused; in addition the folder vanishes, or a signal comes, in the middle. */
function faultsOf(counts: Readonly<Record<Call, number>>, before: Tried["before"]): readonly Tried[] {
  return calls.flatMap((call) =>
    Array.from({ length: counts[call] }).flatMap((_, k) => {
      const tried = (what: string, happens: Tried["happens"]): Tried => ({ call, k, before, what, happens });
      const ways = refusedCalls[call];
      return [
        ...(full ? ways : [ways[k % ways.length]]).map((errno) => tried(errno, () => ({ errno }))),
        ...(call === "write" ? [tried("takes nothing", () => ({ takes: () => 0 }))] : []),
        tried("vanishes", ({ folder }) => ({ before: () => rmSync(join(folder, "deep"), { recursive: true, force: true }) })),
        tried("signal", ({ controller }) => ({ before: () => controller.abort("SIGINT") })),
      ];
    }),
  );
}

/** Calls that only query (whether a name is free) or that a result does not need (a second name, syncing a folder). */
const forgiven: readonly Call[] = ["stat", "linkSync", "open", "sync", "close"];

function statusesOf({ what, call }: Tried): readonly number[] {
  if (what === "signal") return [0, 130];
  return what === "vanishes" || forgiven.includes(call) ? [0, 5] : [5];
}

function drawn<T>(list: readonly T[], count: number): readonly T[] {
  const random = createRandom(list.length);
  return list.length <= count ? list : Array.from({ length: count }, () => list[Math.floor(random.uniform() * list.length)]);
}

describe.each(writers.map((writer) => [nameOf(writer), writer] as const))("%s", (_, writer) => {
  /** Runs with a fault: the result must be complete, or the folder as it was and one line must name the fault; the next run must work. */
  async function tryFault(tried: Tried): Promise<void> {
    const { folder, out } = await place(tried.before, writer.files);
    try {
      const before = contents(folder);
      const controller = new AbortController();
      const fault: Fault = { ...tried, happens: tried.happens({ folder, controller }) };
      const { result, fired } = await withFault(folder, fault, () => run(writer, out, controller.signal));
      const { code, stdout, stderr } = result;
      const told = `${JSON.stringify(tried)}: ${code} ${stderr}`;
      expect(fired, told).toBe(true);
      expect(statusesOf(tried), told).toContain(code);
      const after = contents(folder);
      if (tried.what !== "vanishes") expectWhole(writer, code === 0, before, after, told);
      else if (code !== 0) expect(after, told).toEqual({});
      if (code !== 0) {
        expect(stdout, told).toBe("");
        expect(stderr, told).toMatch(/^dechirp: [^\n]+\n$/);
        expect(stderr, told).toContain(code === 5 ? out : "interrupted by SIGINT");
      }
      if (full || tried.k === 0) {
        expect((await run(writer, out)).code, told).toBe(0);
        expectWhole(writer, true, before, { ...before, ...contents(folder) }, told);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** How often each call is made. */
  async function countCalls(before: "new" | "old"): Promise<Readonly<Record<Call, number>>> {
    const { folder, out } = await place(before, writer.files);
    try {
      const { result, counts } = await withFault(folder, undefined, () => run(writer, out));
      expect(result).toMatchObject({ code: 0, stderr: "" });
      return counts;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  it("is complete or leaves everything as it was", { timeout: full ? 3_600_000 : 600_000 }, async () => {
    const [fresh, over] = [await countCalls("new"), await countCalls("old")];
    expect(over.renameSync).toBeGreaterThan(writer.files.length);
    const all = [...faultsOf(fresh, "new"), ...faultsOf(over, "old")];
    for (const tried of full ? all : drawn(all, writer.most)) await tryFault(tried);
  });

  it("leaves nothing if a signal comes at any step", { timeout: full ? 3_600_000 : 600_000 }, async () => {
    const { folder, out } = await place("new", writer.files);
    /** Runs with a signal at the step `last`. Resolves with the number of steps. */
    const runTo = async (last: number): Promise<{ outcome: Outcome; steps: number }> => {
      const controller = new AbortController();
      let steps = 0;
      progress.step = () => void (steps++ === last && controller.abort("SIGINT"));
      return { outcome: await run(writer, out, controller.signal), steps };
    };
    try {
      const { outcome, steps } = await runTo(Number.POSITIVE_INFINITY);
      expect(outcome).toMatchObject({ code: 0, stderr: "" });
      expect(steps).toBeGreaterThan(0);
      const every = Array.from({ length: steps }, (_, k) => k);
      // Timed work has as many steps as it is repeated.
      for (const k of drawn(every, full ? 40 : Math.ceil(writer.most / 10))) {
        rmSync(join(folder, "deep"), { recursive: true, force: true });
        const { outcome, steps: taken } = await runTo(k);
        // The number of steps may depend on times.
        if (taken <= k) continue;
        expect({ k, ...outcome }).toEqual({ k, code: 130, stdout: "", stderr: "dechirp: interrupted by SIGINT\n" });
        // If there are several results, the earlier ones are there.
        if (new Set(writer.files.map(dirname)).size === 1) expect(contents(folder), `step ${k}`).toEqual({});
      }
    } finally {
      progress.step = () => {};
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

it("a write that takes only some bytes continues with the rest", async () => {
  const { folder, out } = await place("new", []);
  const written = async (fault?: Fault): Promise<{ writes: number; csv: string }> => {
    const args = ["schedule", "simulate", join(inputs, "tasks.json"), "--out", out];
    const { result, counts } = await withFault(folder, fault, () => dechirp(args));
    expect(result).toMatchObject({ code: 0, stderr: "" });
    return { writes: counts.write, csv: readFileSync(join(out, "trace.csv"), "utf8") };
  };
  try {
    const { writes, csv } = await written();
    for (let k = 0; k < writes; k++) {
      const cut = await written({ call: "write", k, happens: { takes: (bytes) => Math.ceil(bytes / 3) } });
      expect(cut).toEqual({ writes: writes + 1, csv });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
