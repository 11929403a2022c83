/**
 * focus --memory, --format, --resume and --dry-run: images in blocks are those without, in every format; runs that were killed or stopped go
 * on; recordings with gaps; wrong options. DECHIRP_FAULTS=full kills thirty processes instead of six.
 */
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom } from "@dechirp/core";
import { readNpy, type SceneData } from "@dechirp/io";
import { openFile, writeSceneFolder } from "@dechirp/io/node";
import type { Report } from "@dechirp/processor";
import { type ScenePreset, scenePresets } from "@dechirp/sar";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as zarr from "zarrita";
import { firesWhen } from "../../io/test/firing-signal.ts";
import { canGoOn, dechirp, simulatedScene, temporaryFolder } from "./command.ts";
import { killed, start } from "./executable.ts";

const preset: ScenePreset = { ...scenePresets.default, lines: 1536, samples: 640 };
const kills = process.env["DECHIRP_FAULTS"] === "full" ? 30 : 6;
/** Enough for a block of some hundred lines. */
const memory = ["--memory", "9MiB"];
let dir: string;
let scene: string;
/** The contents of `scene`. */
let data: SceneData;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "dechirp-blocks-"));
  scene = join(dir, "scene");
  data = await simulatedScene("small", preset, { type: "ci8" });
  await writeSceneFolder(scene, data);
});
afterAll(() => rm(dir, { recursive: true, force: true }));

async function imageOf(folder: string): Promise<Float32Array> {
  const path = join(folder, "image.npy");
  const file = await openFile(path);
  try {
    return (await readNpy(file, { file: path })).data as Float32Array;
  } finally {
    await file.close();
  }
}

async function focus(out: string, ...more: readonly string[]): Promise<Report> {
  const { code, stdout, stderr } = await dechirp(["focus", scene, "--device", "cpu", "--out", out, "--json", ...more]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout).images[0].report as Report;
}

/** The result of a run in blocks that nothing disturbs, in `npy`. It is made once. */
const undisturbed = (): Promise<Report> => {
  calm ??= focus(join(dir, "npy"), ...memory);
  return calm;
};
let calm: Promise<Report> | undefined;

const decibels = (found: ArrayLike<number>, expected: ArrayLike<number>): number => {
  let [error, power] = [0, 0];
  for (let i = 0; i < expected.length; i++) {
    error += (found[i] - expected[i]) ** 2;
    power += expected[i] ** 2;
  }
  return 10 * Math.log10(error / power);
};

describe("focus in blocks", () => {
  it("makes the image of a run without blocks, as .npy, as Zarr, or only its picture and report", async () => {
    const whole = await focus(join(dir, "whole"));
    expect(whole).not.toHaveProperty("blocks");
    const expected = await imageOf(join(dir, "whole"));
    const npy = await undisturbed();
    expect(npy.blocks?.count).toBeGreaterThan(1);
    expect(decibels(await imageOf(join(dir, "npy")), expected)).toBeLessThan(-80);
    expect(npy.image).toEqual(whole.image);
    expect(Math.abs((npy.entropy ?? 0) - (whole.entropy ?? 1))).toBeLessThan(1e-5);
    expect(npy.targets.map(({ measured }) => measured?.azimuth.irwPixels.toFixed(3))).toEqual(
      whole.targets.map(({ measured }) => measured?.azimuth.irwPixels.toFixed(3)),
    );
    await focus(join(dir, "zarr"), ...memory, "--format", "zarr");
    const store = join(dir, "zarr", "image.zarr");
    const root = zarr.root({
      get: (key: string) =>
        readFile(join(store, key)).then(
          (b) => new Uint8Array(b),
          () => undefined,
        ),
    });
    const array = await zarr.open.v3(root.resolve("image"), { kind: "array" });
    const { data } = await zarr.get(array);
    expect(decibels(data as Float32Array, await imageOf(join(dir, "npy")))).toBe(Number.NEGATIVE_INFINITY);
    await focus(join(dir, "png"), ...memory, "--format", "png");
    expect((await readdir(join(dir, "png"))).sort()).toEqual(["quicklook.png", "report.json"]);
    const pictures = await Promise.all(["npy", "zarr", "png"].map((name) => readFile(join(dir, name, "quicklook.png"))));
    for (const one of pictures) expect(one.equals(pictures[0])).toBe(true);
    // Reports of blocks can be measured again.
    const again = await dechirp(["quality", join(dir, "npy"), "--json"]);
    expect(again.code).toBe(0);
  });

  it("prints the plan and writes nothing with --dry-run", async () => {
    const out = join(dir, "dry");
    const text = await dechirp(["focus", scene, "--device", "cpu", "--dry-run", ...memory]);
    expect(text.stdout).toMatch(
      /blocks +\d+ of \d+ lines × \d+ samples.*\n.* memory +[\d.]+ MiB for the arrays of a block, of 9.00 MiB\n/s,
    );
    const { stdout } = await dechirp(["focus", scene, "--device", "cpu", "--dry-run", "--out", out, "--json", ...memory]);
    const { plans } = JSON.parse(stdout);
    expect(plans[0]).toMatchObject({ device: "cpu", memoryBytes: 9 * 2 ** 20, subSwaths: expect.any(Number), blocks: expect.any(Number) });
    expect(plans[0].bytes).toBeLessThanOrEqual(9 * 2 ** 20);
    expect(existsSync(out)).toBe(false);
    const whole = await dechirp(["focus", scene, "--device", "cpu", "--dry-run", "--memory", "100GiB"]);
    expect(whole.stdout).toMatch(/image as a whole on cpu\n {2}memory +about [\d.]+ MiB, of [\d.]+ GiB\n/);
  });

  it("replaces a complete store, and says what differs if it refuses to resume", async () => {
    const out = await temporaryFolder();
    for (let run = 0; run < 2; run++) await focus(out, ...memory, "--format", "zarr");
    const signal = firesWhen(() => canGoOn(out));
    const { code } = await dechirp(["focus", scene, "--device", "cpu", "--out", out, ...memory], { signal });
    expect(code).toBe(130);
    const other = await dechirp(["focus", scene, "--device", "cpu", "--out", out, ...memory, "--resume", "--bandwidth", "100"]);
    expect(other.code).not.toBe(0);
    expect(other.stderr).toContain("processedBandwidthHz");
  });

  it("goes on after Ctrl-C, and refuses to with other parameters", async () => {
    const out = await temporaryFolder();
    const expected = await undisturbed();
    const signal = firesWhen(() => canGoOn(out));
    const stopped = await dechirp(["focus", scene, "--device", "cpu", "--out", out, ...memory], { signal });
    expect(stopped.code).toBe(130);
    expect(existsSync(join(out, "image.npy"))).toBe(false);
    const other = await dechirp(["focus", scene, "--device", "cpu", "--out", out, ...memory, "--resume", "--window", "rect"]);
    expect([other.code === 0, other.stderr]).toEqual([false, expect.stringContaining("resume")]);
    const report = await focus(out, ...memory, "--resume");
    expect((await readFile(join(out, "image.npy"))).equals(await readFile(join(dir, "npy", "image.npy")))).toBe(true);
    expect([report.entropy, report.contrast]).toEqual([expected.entropy, expected.contrast]);
  });

  it(`gives the bits of an undisturbed run after ${kills} kills at random moments`, async () => {
    const out = await temporaryFolder();
    await undisturbed();
    const command = ["focus", scene, "--device", "cpu", "--out", out, ...memory, "--resume"];
    const { uniform } = createRandom(11);
    const first = performance.now();
    const alone = await start(command.map((one) => (one === out ? join(dir, "timed") : one))).ended;
    expect(alone.code).toBe(0);
    const milliseconds = performance.now() - first;
    expect(await killed(command, kills, () => milliseconds * uniform())).toBeGreaterThan(kills / 3);
    const last = await start(command).ended;
    expect(last).toMatchObject({ code: 0, stderr: "" });
    for (const name of ["image.npy", "quicklook.png"])
      expect((await readFile(join(out, name))).equals(await readFile(join(dir, "npy", name))), name).toBe(true);
    expect((await readdir(out)).sort()).toEqual(["image.npy", "quicklook.png", "report.json"]);
  });

  it("fills lines that are missing, repeated or bad with zeros, and counts them", async () => {
    const { prfHz } = data.radar;
    const [lines, samples] = data.raw.layout.shape;
    const missing = new Set([200, 201, 700]);
    const kept = Array.from({ length: lines }, (_, i) => i).filter((i) => !missing.has(i));
    const order = [...kept.slice(0, 400), kept[399], ...kept.slice(400)];
    const raw = new Int8Array(2 * order.length * samples);
    for (const [at, line] of order.entries())
      raw.set((data.raw.data as Int8Array).subarray(2 * line * samples, 2 * (line + 1) * samples), 2 * at * samples);
    const folder = join(dir, "gaps");
    await writeSceneFolder(folder, {
      ...data,
      raw: { layout: { dtype: "ci8", shape: [order.length, samples] }, data: raw },
      ...(data.lineGain && { lineGain: new Float32Array(order.length).fill(data.lineGain[0]) }),
      pulseSeconds: Float64Array.from(order, (line) => line / prfHz),
      badPulses: [10],
    } as never);
    const zeros = (data.raw.data as Int8Array).slice();
    for (const line of [...missing, 10]) zeros.fill(0, 2 * line * samples, 2 * (line + 1) * samples);
    const filled = join(dir, "filled");
    await writeSceneFolder(filled, { ...data, raw: { ...data.raw, data: zeros } } as never);
    const hz = ["--doppler-centroid", "0"];
    const run = await dechirp(["focus", folder, filled, "--device", "cpu", "--out", join(dir, "gapped"), "--json", ...memory, ...hz]);
    expect(run.code).toBe(0);
    const [{ report }] = JSON.parse(run.stdout).images as { report: Report }[];
    expect(report.lines).toMatchObject({ missing: 3, repeated: 1, bad: 1, segments: 1 });
    expect(report.notes.join()).toContain("3 missing, 1 repeated, 1 marked bad");
    expect((await imageOf(join(dir, "gapped", "gaps"))).every((value, i, all) => value === all[i])).toBe(true);
    expect(decibels(await imageOf(join(dir, "gapped", "gaps")), await imageOf(join(dir, "gapped", "filled")))).toBe(
      Number.NEGATIVE_INFINITY,
    );
  });

  it("makes an image of each part where the PRF changes", async () => {
    const [lines] = data.raw.layout.shape;
    const folder = join(dir, "two-prfs");
    const half = lines / 2;
    const interval = 1 / data.radar.prfHz;
    const pulseSeconds = Float64Array.from({ length: lines }, (_, i) =>
      i < half ? i * interval : half * interval + (i - half) * interval * 1.25,
    );
    await writeSceneFolder(folder, { ...data, pulseSeconds } as never);
    const run = await dechirp([
      "focus",
      folder,
      "--device",
      "cpu",
      "--out",
      join(dir, "parts"),
      "--json",
      "--doppler-centroid",
      "0",
      "--bandwidth",
      "90",
    ]);
    expect(run.code).toBe(0);
    const reports = (JSON.parse(run.stdout).images as { report: Report }[]).map(({ report }) => report);
    expect(reports.map(({ radar }) => radar.prfHz / data.radar.prfHz)).toEqual([expect.closeTo(1, 6), expect.closeTo(0.8, 6)]);
    expect(await readdir(join(dir, "parts"))).toEqual(["segment-1", "segment-2"]);
  });

  it("warns before it begins if little memory makes it twice the work or more, and says how much is enough", async () => {
    const dry = (bytes: string) => dechirp(["focus", scene, "--device", "cpu", "--dry-run", "--json", "--memory", bytes]);
    const least = Number(/at least (\d+) bytes/.exec((await dry("1KiB")).stderr)?.[1]);
    const said =
      /^warning: blocks within [\d.]+ [KM]iB take ([\d.]+) times the samples of the recording, because neighbours share \d+ of \d+ lines; with --memory (\d+MiB) it is less than 2 times\n$/;
    const tight = await dry(`${least}B`);
    expect(tight.code).toBe(0);
    const [, factor, enough] = said.exec(tight.stderr) ?? [];
    const [{ work, warnings }] = JSON.parse(tight.stdout).plans;
    expect(work).toBeGreaterThan(10);
    expect(Number(factor)).toBe(Number(work.toPrecision(3)));
    expect(tight.stderr).toBe(`warning: ${warnings.join()}\n`);
    const eased = await dry(enough);
    expect(eased).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(eased.stdout).plans[0]).toMatchObject({ warnings: [] });
    expect(JSON.parse(eased.stdout).plans[0].work).toBeLessThan(2);
    // Not much more than what is needed.
    const mebibytes = Number(enough.slice(0, -3));
    const little = ["--memory", `${0.98 * mebibytes - 1}MiB`];
    expect(JSON.parse((await dry(little[1])).stdout).plans[0].work).toBeGreaterThanOrEqual(2);
    const run = await dechirp(["focus", scene, "--device", "cpu", "--out", await temporaryFolder(), "--json", ...little]);
    expect(run.stderr).toMatch(said);
    expect(run.stderr).toBe(`warning: ${JSON.parse(run.stdout).images[0].report.notes.at(-1)}\n`);
  });

  it("blames the recording for a sample that is not finite, not the disk", async () => {
    const { background: _, ...points } = preset;
    const data = await simulatedScene("small", points, { type: "c64" });
    const [lines, samples] = data.raw.layout.shape;
    const folder = join(dir, "damaged");
    await writeSceneFolder(folder, data);
    const raw = await readFile(join(folder, "raw.npy"));
    raw.writeFloatLE(Number.NaN, raw.length - 8 * samples);
    await writeFile(join(folder, "raw.npy"), raw);
    const out = await temporaryFolder();
    const command = ["focus", folder, "--device", "cpu", "--out", out, "--memory", "14MiB", "--doppler-centroid", "0"];
    const { code, stderr } = await dechirp(command);
    expect(code).toBe(3);
    expect(stderr).toContain(`raw.npy: raw[${lines - 1}][0] must be finite, not NaN`);
    expect(await readdir(out)).toEqual([".image.npy.partial"]);
  });

  it("refuses wrong options and memory that is too small", async () => {
    const refused = async (...more: readonly string[]): Promise<string> => {
      const { code, stderr } = await dechirp(["focus", scene, "--device", "cpu", "--out", join(dir, "refused"), ...more]);
      expect(code).toBe(2);
      return stderr;
    };
    expect(await refused("--memory", "lots")).toContain("--memory must be a size of memory");
    expect(await refused("--memory", "100KiB")).toMatch(/--memory must be at least \d+ bytes, for an aperture of \d+ lines, not 102400/);
    expect(await refused("--format", "tiff")).toContain("--format");
    expect(await refused("--azimuth-length", "4096", ...memory)).toContain("--azimuth-length");
    await writeFile(join(dir, "a-file"), "");
    const onFile = await dechirp(["focus", scene, "--device", "cpu", "--out", join(dir, "a-file"), ...memory]);
    expect(onFile.code).toBe(2);
  });
});
