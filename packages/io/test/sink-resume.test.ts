/**
 * Images that several runs write: processes that are killed at random moments and the runs after them, kept images, other parameters, torn
 * journals. DECHIRP_FAULTS=full kills thirty processes of each format instead of ten.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { appendFile, mkdir, mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom, isRadarError, layout } from "@dechirp/core";
import { build } from "esbuild";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { canonicalJson, parametersDigest, writeNpy } from "../src/index.ts";
import { npySink, removeIncompleteImage, zarrSink } from "../src/node.ts";
import { cut, randomImage, wholeOf } from "./sink-support.ts";

const kills = process.env["DECHIRP_FAULTS"] === "full" ? 30 : 10;

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "dechirp-resume-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

interface Run {
  readonly earlier: number | undefined;
  readonly done: boolean;
  /** Milliseconds from its first line to its end. */
  readonly milliseconds: number;
  readonly stderr: string;
}

/** Runs the child. It is killed `after` milliseconds from its first line on, or from its start if `fromStart`. */
function run(script: string, args: readonly string[], after?: number, fromStart = false): Promise<Run> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "pipe"] });
    const said = { out: "", err: "" };
    let [first, timer]: [number, NodeJS.Timeout | undefined] = [performance.now(), undefined];
    const start = (): void => {
      if (after !== undefined) timer = setTimeout(() => child.kill("SIGKILL"), after);
    };
    if (fromStart) start();
    child.stdout.on("data", (text) => {
      if (said.out === "") {
        first = performance.now();
        if (!fromStart) start();
      }
      said.out += text;
    });
    child.stderr.on("data", (text) => (said.err += text));
    child.on("close", () => {
      clearTimeout(timer);
      const earlier = /^open (\d+)\n/.exec(said.out)?.[1];
      resolve({
        earlier: earlier === undefined ? undefined : Number(earlier),
        done: said.out.endsWith("done\n"),
        milliseconds: performance.now() - first,
        stderr: said.err,
      });
    });
  });
}

/** All files of a folder by their paths, as text, but for what a process that was killed has left of the folder that it worked in. */
async function contents(path: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((one) => one.isFile())) {
    const file = join(entry.parentPath, entry.name);
    if (file.slice(path.length + 1).startsWith(".dechirp")) continue;
    found[file.slice(path.length)] = (await readFile(file)).toString("base64");
  }
  return found;
}

describe.each(["npy", "zarr"] as const)("%s: processes that are killed", (format) => {
  it(`${kills} of them at random moments: the runs after them make what one undisturbed run makes`, async () => {
    const script = join(dir, "child.mjs");
    await build({
      entryPoints: [join(import.meta.dirname, "sink-child.ts")],
      outfile: script,
      bundle: true,
      platform: "node",
      format: "esm",
      conditions: ["@dechirp/source"],
    });
    const alone = join(dir, `alone.${format}`);
    const undisturbed = await run(script, [format, alone, "1"]);
    expect(undisturbed).toMatchObject({ earlier: 0, done: true, stderr: "" });
    const { uniform } = createRandom(format === "npy" ? 91 : 92);
    const path = join(dir, `image.${format}`);
    const count = { killed: 0, resumed: 0, ended: 0 };
    for (let turn = 2; count.killed < kills || count.ended === 0; turn++) {
      const fromStart = uniform() < 0.15;
      const after = undisturbed.milliseconds * (fromStart ? 2 : 0.5) * uniform();
      const {
        earlier = 0,
        done,
        stderr,
      } = await run(script, [format, path, `${turn}`], count.killed < kills ? after : undefined, fromStart);
      expect(stderr).toBe("");
      if (earlier > 0) count.resumed++;
      if (!done) count.killed++;
      // It may be killed after the image is complete, before it says so.
      const complete = format === "npy" ? existsSync(path) : existsSync(join(path, "zarr.json")) && !(await isPartial(path));
      if (done) expect(complete).toBe(true);
      if (!complete) continue;
      count.ended++;
      if (format === "npy") expect(await contentsOf(path)).toBe(await contentsOf(alone));
      else expect(await contents(path)).toEqual(await contents(alone));
      if (done) expect((await readdir(dir)).sort()).toEqual([`alone.${format}`, "child.mjs", `image.${format}`]);
      await rm(path, { recursive: true });
    }
    expect(count.resumed, JSON.stringify(count)).toBeGreaterThan(kills / 4);
  });
});

const isPartial = async (store: string): Promise<boolean> => (await readdir(store)).some((name) => name.startsWith(".dechirp.partial"));
const contentsOf = async (path: string): Promise<string> => (await readFile(path)).toString("base64");

const l = layout("f32", [40, 30]);
const image = randomImage(l, 6);
const rowsOf = (row: number, rows: number) => ({ row, column: 0, rows, columns: 30 });
const formats = [
  ["npy", npySink, {}],
  ["zarr", zarrSink, { chunk: [10, 30] }],
] as const;

describe.each(formats)("%s: an image that was kept", (name, format, options) => {
  const open = (path: string, digest: string, more: object = {}, metadata: object = {}) =>
    format.open(path, l, metadata, { ...options, digest, ...more } as object);
  const keep = async (path: string, metadata: object = {}): Promise<void> => {
    const sink = await open(path, "a", {}, metadata);
    await sink.write(rowsOf(0, 20), cut(l, image, rowsOf(0, 20)));
    await sink.abort({ keep: true });
  };

  it("goes on in the same process, and what is there may be written again", async () => {
    const path = join(dir, `image.${name}`);
    await keep(path);
    const sink = await open(path, "a", { resume: true });
    expect([sink.written(), sink.has(rowsOf(5, 15)), sink.has(rowsOf(5, 16))]).toEqual([[rowsOf(0, 20)], true, false]);
    await sink.write(rowsOf(15, 25), cut(l, image, rowsOf(15, 25)));
    await sink.finish();
    const other = join(dir, `other.${name}`);
    const whole = await format.open(other, l, {}, options);
    await whole.write(wholeOf(l), image);
    await whole.finish();
    if (name === "npy") expect(new Uint8Array(await readFile(path))).toEqual(writeNpy(l, image));
    else expect(await contents(path)).toEqual(await contents(other));
    expect((await readdir(dir)).sort()).toEqual([`image.${name}`, `other.${name}`]);
  });

  it("is refused with other parameters, which the error names, and stays; without resume it is begun anew", async () => {
    const path = join(dir, `image.${name}`);
    await keep(path, { units: "V", provenance: { prfHz: 1000, window: { kind: "kaiser" } } });
    const changed = { units: "V", provenance: { prfHz: 1200, window: { kind: "kaiser" } } };
    await expect(open(path, "b", { resume: true }, changed)).rejects.toMatchObject({
      code: "input",
      message: `${path}: can't resume it: it was begun with other parameters: provenance.prfHz: 1000, now 1200`,
      fields: { field: "resume", expected: "a", actual: "b" },
    });
    await expect(format.open(path, layout("f64", [40, 30]), {}, { ...options, digest: "a", resume: true })).rejects.toThrow(
      /layout\.dtype: "f32", now "f64"/,
    );
    const again = await open(path, "a", { resume: true });
    expect(again.written()).toEqual([rowsOf(0, 20)]);
    await expect(open(path, "a", { resume: true })).rejects.toThrow(/process \d+ is writing it/);
    await again.abort({ keep: true });
    const anew = await open(path, "b");
    expect(anew.written()).toEqual([]);
    await anew.abort();
    expect(await readdir(dir)).toEqual([]);
  });

  it("is taken from a process that can't be checked only after a day or on request", async () => {
    const path = join(dir, `image.${name}`);
    await keep(path);
    const [place, base] = name === "npy" ? [dir, ".image.npy"] : [path, ".dechirp"];
    await rename(join(place, `${base}.partial`), join(place, `${base}.partial-12-34-0123456789abcdef-0123456789ab`));
    await expect(open(path, "a", { resume: true })).rejects.toMatchObject({ code: "input", fields: { field: "resume", reason: "EBUSY" } });
    const sink = await open(path, "a", { resume: true, takeOver: true });
    expect(sink.written()).toEqual([rowsOf(0, 20)]);
    await sink.abort();
    expect(await readdir(dir)).toEqual([]);
  });
});

it("npy: what is torn in a journal counts as not written, and data that was cut is refused", async () => {
  const path = join(dir, "image.npy");
  const partial = join(dir, ".image.npy.partial");
  for (const [torn, rows] of [
    ["[20,0,5,3", 20],
    ["[20,0,5,30]", 20],
    ["[20,0,5,30]\n[25,0,99,30]\n[30,0,1,30]\n", 25],
    ["\u0000\u0000\u0000\n[30,0,1,30]\n", 20],
  ] as const) {
    const sink = await npySink.open(path, l, {}, { digest: "a" });
    await sink.write(rowsOf(0, 20), cut(l, image, rowsOf(0, 20)));
    await sink.abort({ keep: true });
    await appendFile(join(partial, "journal"), torn);
    const next = await npySink.open(path, l, {}, { digest: "a", resume: true });
    expect(next.written()).toEqual([rowsOf(0, rows)]);
    await next.abort({ keep: true });
  }
  await truncate(join(partial, "image"), 100);
  await expect(npySink.open(path, l, {}, { digest: "a", resume: true })).rejects.toThrow(/has been changed/);
  // Without a first line there is nothing to go on with.
  await writeFile(join(partial, "journal"), '{"journal":1');
  const anew = await npySink.open(path, l, {}, { digest: "a", resume: true });
  expect(anew.written()).toEqual([]);
  await anew.abort();
  expect(await readdir(dir)).toEqual([]);
});

describe("parametersDigest", () => {
  it("is SHA-256 of canonical JSON, whatever the order of members", async () => {
    const one = { b: [1, -0, 1e21, "ü"], a: { y: null, x: true }, c: undefined };
    expect(canonicalJson(one)).toBe('{"a":{"x":true,"y":null},"b":[1,0,1e+21,"ü"]}');
    expect(await parametersDigest(one)).toBe(await parametersDigest({ a: { x: true, y: null }, b: [1, 0, 1e21, "ü"] }));
    // From another implementation of SHA-256: printf '{"a":1}' | sha256sum
    expect(await parametersDigest({ a: 1 })).toBe("015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862");
  });

  it("refuses what JSON can't say", async () => {
    const cycle: Record<string, unknown> = {};
    cycle["again"] = cycle;
    for (const [value, field] of [
      [{ a: [1, Number.NaN] }, "parameters.a[1]"],
      [{ a: new Float32Array(1) }, "parameters.a"],
      [{ a: 1n }, "parameters.a"],
      [() => 1, "parameters"],
      [undefined, "parameters"],
    ] as const) {
      const error = await parametersDigest(value).catch((thrown: unknown) => thrown);
      expect(isRadarError(error, "input") && error.fields["field"]).toBe(field);
    }
    expect(isRadarError(await parametersDigest(cycle).catch((thrown: unknown) => thrown), "input")).toBe(true);
  });
});

describe("removeIncompleteImage", () => {
  const l = layout("c64", [64, 50]);
  /** What a run leaves that was stopped after half of its rows. */
  const begin = async (name: "image.npy" | "image.zarr"): Promise<void> => {
    const path = join(dir, name);
    const sink = await (name === "image.npy" ? npySink : zarrSink).open(path, l, {}, { digest: "a" });
    await sink.write({ row: 0, column: 0, rows: 32, columns: 50 }, new Float32Array(2 * 32 * 50));
    await sink.abort({ keep: true });
  };
  const names = (): Promise<string[]> => readdir(dir, { recursive: true }).then((all) => all.sort());

  it.each(["image.npy", "image.zarr"] as const)("removes what a run has left of %s, and nothing else", async (name) => {
    const path = join(dir, name);
    await writeFile(join(dir, "other"), "");
    await writeFile(join(dir, ".image.npy.partial.txt"), "");
    const before = await names();
    expect(await removeIncompleteImage(path)).toBe(false);
    await begin(name);
    expect((await names()).length).toBeGreaterThan(before.length);
    expect(await removeIncompleteImage(path)).toBe(true);
    expect(await names()).toEqual(before);
    expect(await removeIncompleteImage(join(dir, "nowhere", name))).toBe(false);
    await expect(removeIncompleteImage(7 as never)).rejects.toMatchObject({ code: "input", fields: { field: "path" } });
  });

  it.each(["image.npy", "image.zarr"] as const)(
    "leaves %s if it is complete, being written, or has files of others in it",
    async (name) => {
      const path = join(dir, name);
      const sink = name === "image.npy" ? npySink : zarrSink;
      await begin(name);
      const other = name === "image.npy" ? join(dir, ".image.npy.partial", "notes.txt") : join(path, "notes.txt");
      await writeFile(other, "");
      const mixed = await names();
      expect(await removeIncompleteImage(path)).toBe(false);
      expect(await names()).toEqual(mixed);
      await rm(other);
      const open = await sink.open(path, l, {}, { digest: "a", resume: true });
      const [busy, whole] = [await names(), wholeOf(l)];
      expect(await removeIncompleteImage(path)).toBe(false);
      expect(await names()).toEqual(busy);
      await open.write(whole, new Float32Array(2 * 64 * 50));
      await open.finish();
      const complete = await names();
      expect(await removeIncompleteImage(path)).toBe(false);
      expect(await names()).toEqual(complete);
      await mkdir(join(dir, `${name}.d`));
      expect(await removeIncompleteImage(join(dir, `${name}.d`))).toBe(false);
    },
  );
});
