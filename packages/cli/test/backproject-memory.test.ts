/**
 * backproject --memory, --format, --resume and --dry-run: images in windows are those without, in every format; runs that were killed or
 * stopped go on, never with other options; plans are printed; wrong sizes are refused. DECHIRP_FAULTS=full kills thirty processes instead
 * of five.
 */
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createRandom } from "@dechirp/core";
import type { BackprojectReport } from "@dechirp/processor";
import { circularTrack, simulatePhaseHistory } from "@dechirp/sar";
import { describe, expect, it } from "vitest";
import * as zarr from "zarrita";
import { firesWhen } from "../../io/test/firing-signal.ts";
import { canGoOn, dechirp, type Outcome, temporaryFolder } from "./command.ts";
import { killed, start } from "./executable.ts";
import { writeGotcha } from "./gotcha-file.ts";

const kills = process.env["DECHIRP_FAULTS"] === "full" ? 30 : 5;
const pulses = 64;
const history = simulatePhaseHistory({
  positions: circularTrack({ radiusMeters: 700, altitudeMeters: 700, firstRadians: 0, stepRadians: 0.001, pulses }),
  frequency: { firstHz: 9.3e9, stepHz: 6e6, count: 60 },
  targets: [{ positionMeters: [-3.2, 4.1, 0], amplitude: 2, phaseRadians: 1 }],
  noise: { snrDb: 10 },
  seed: 3,
});
const grid = ["--grid=-9,-6,0.025,0.03,650,420", "--tile", "16"];
/** A quarter of the pixels, of the same scene. */
const coarse = ["--grid=-9,-6,0.05,0.06,325,210", "--tile", "16"];

/** A folder with a history in it, and the command that makes its image on a grid. */
async function made(pixels: readonly string[] = grid) {
  const folder = await temporaryFolder();
  const file = join(folder, "a.mat");
  await writeGotcha(file, history);
  return {
    folder,
    args: ["backproject", file, ...pixels],
    command: (...more: readonly string[]): Promise<Outcome> => dechirp(["backproject", file, ...pixels, ...more]),
  };
}

type Command = Awaited<ReturnType<typeof made>>["command"];

/** The least memory with which the image can be made, as the error of less says. */
async function leastBytes(command: Command): Promise<number> {
  const { code, stderr } = await command("--dry-run", "--memory", "1KiB");
  expect(code).toBe(2);
  expect(stderr).toMatch(/^dechirp: --memory must be at least \d+ bytes, which the smallest window of this image needs, not 1024\n$/);
  return Number(/\d+/.exec(stderr)?.[0]);
}

describe("backproject --memory", () => {
  it("makes the image in windows, with the bits of the whole image", async () => {
    const { folder, command } = await made();
    const least = await leastBytes(command);
    const images: Buffer[] = [];
    for (const [i, memory] of [[], ["--memory", `${least}B`], ["--memory", `${1.5 * least}B`]].entries()) {
      const out = join(folder, `out${i}`);
      const { code, stdout, stderr } = await command("--out", out, "--json", ...memory);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      const { report } = JSON.parse(stdout).images[0] as { report: BackprojectReport };
      expect(report.peak.xMeters).toBeCloseTo(-3.2, 1);
      expect(report.peak.yMeters).toBeCloseTo(4.1, 1);
      if (i === 0) expect(report.work).not.toHaveProperty("windows");
      else expect(report.work.windows?.count).toBeGreaterThan(1);
      images.push(await readFile(join(out, "image.npy")), await readFile(join(out, "quicklook.png")));
    }
    for (const i of [2, 4]) {
      expect(images[i].equals(images[0])).toBe(true);
      expect(images[i + 1].equals(images[1])).toBe(true);
    }
    const { stdout } = await command("--out", join(folder, "text"), "--memory", `${least}B`);
    expect(stdout).toMatch(/\n {2}windows +\d+ windows of at most \d+ × \d+ pixels; [\d.]+ MiB of [\d.]+ MiB\n/);
  });

  it.each(["", "2", "2GX", "-1GiB", "0B", "lots"])("refuses %j", async (size) => {
    const { folder, command } = await made();
    const { code, stderr } = await command("--out", join(folder, "refused"), `--memory=${size}`);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^dechirp: --memory must be (a size of memory such as|non-empty text)/);
    expect(existsSync(join(folder, "refused"))).toBe(false);
  });
});

describe("backproject --dry-run", () => {
  it("prints the plan and makes nothing", async () => {
    const { folder, command } = await made();
    const out = join(folder, "dry");
    const { code, stdout, stderr } = await command("--dry-run", "--out", out, "--memory", "1GiB");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(
      /: 64 pulses × 60 frequencies → image 420 × 650 on cpu\n {2}windows +1 window of at most 420 × 650 pixels; [\d.]+ MiB of 1\.00 GiB\n/,
    );
    expect(stdout).toContain("0.0175 billion backprojections");
    expect(existsSync(out)).toBe(false);
  });

  it("prints it as JSON, also without --out", async () => {
    const { command } = await made();
    const least = await leastBytes(command);
    const { code, stdout } = await command("--dry-run", "--json", "--memory", `${least}B`);
    expect(code).toBe(0);
    const plan = JSON.parse(stdout);
    expect(plan).toMatchObject({ device: "cpu", backprojections: 650 * 420 * pulses, budgetBytes: least });
    expect(plan.windows).toBe(Math.ceil(650 / plan.columns) * Math.ceil(420 / plan.rows));
    expect(plan.memoryBytes).toBeLessThanOrEqual(least);
    expect(plan.plan).toMatchObject({ format: "dechirp-backprojection-plan", tile: 16, image: { nx: 650, ny: 420 } });
  });
});

describe("backproject --format", () => {
  it("makes the same image as a Zarr store, and only picture and report with png", async () => {
    const { folder, command } = await made();
    const memory = ["--memory", `${await leastBytes(command)}B`];
    for (const [out, ...more] of [
      ["npy"],
      ["zarr", "--format", "zarr"],
      ["one-window", "--format", "zarr", "--memory", "1GiB"],
      ["png", "--format", "png"],
    ]) {
      const { code, stdout, stderr } = await command("--out", join(folder, out), ...(more.includes("--memory") ? [] : memory), ...more);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      const image = { npy: "image.npy, ", png: "" }[out] ?? "image.zarr, ";
      expect(stdout).toMatch(new RegExp(`written: .*: ${image}quicklook.png, report.json\n$`));
    }
    const npy = await readFile(join(folder, "npy", "image.npy"));
    const expected = npy.subarray(npy.length - 8 * 650 * 420);
    for (const store of ["zarr", "one-window"]) {
      const get = (key: string) =>
        readFile(join(folder, store, "image.zarr", key)).then(
          (bytes) => new Uint8Array(bytes),
          () => undefined,
        );
      const array = await zarr.open.v3(zarr.root({ get }).resolve("image"), { kind: "array" });
      const { data, shape } = await zarr.get(array);
      expect(shape).toEqual([420, 650, 2]);
      const { buffer, byteOffset, byteLength } = data as Float32Array;
      expect(Buffer.from(buffer, byteOffset, byteLength).equals(expected)).toBe(true);
    }
    expect((await readdir(join(folder, "png"))).sort()).toEqual(["quicklook.png", "report.json"]);
    const pictures = await Promise.all(["npy", "zarr", "png"].map((name) => readFile(join(folder, name, "quicklook.png"))));
    for (const one of pictures) expect(one.equals(pictures[0])).toBe(true);
    expect((await command("--out", folder, "--format", "tiff")).code).toBe(2);
  });
});

describe("backproject --resume", () => {
  it("goes on after Ctrl-C, also within other memory, and refuses to with other options", async () => {
    const { folder, command } = await made();
    const least = await leastBytes(command);
    const calm = await command("--out", join(folder, "calm"), "--json");
    expect(calm.code).toBe(0);
    const out = join(folder, "out");
    const signal = firesWhen(() => canGoOn(out));
    const file = join(folder, "a.mat");
    const stopped = await dechirp(["backproject", file, ...grid, "--out", out, "--memory", `${least}B`], { signal });
    expect(stopped.code).toBe(130);
    expect(await readdir(out)).toEqual([".image.npy.partial"]);
    const other = await command("--out", out, "--memory", `${least}B`, "--resume", "--window", "hann");
    expect(other.code).toBe(5);
    expect(other.stderr).toMatch(/image\.npy: can't resume it: it was begun with other parameters: .*settings\.window/);
    expect(other.stderr.split("\n").length).toBe(2);
    const resumed = await command("--out", out, "--memory", `${1.3 * least}B`, "--resume", "--json");
    expect(resumed).toMatchObject({ code: 0, stderr: "" });
    for (const name of ["image.npy", "quicklook.png"])
      expect((await readFile(join(out, name))).equals(await readFile(join(folder, "calm", name))), name).toBe(true);
    expect((await readdir(out)).sort()).toEqual(["image.npy", "quicklook.png", "report.json"]);
  });

  it(`gives the bits of an undisturbed run after ${kills} kills at random moments`, async () => {
    const { folder, args, command } = await made(coarse);
    const memory = ["--memory", `${await leastBytes(command)}B`];
    expect((await command("--out", join(folder, "calm"))).code).toBe(0);
    const began = performance.now();
    expect(await start([...args, ...memory, "--out", join(folder, "timed")]).ended).toMatchObject({ code: 0 });
    const milliseconds = performance.now() - began;
    const { uniform } = createRandom(5);
    const again = [...args, ...memory, "--out", join(folder, "out"), "--resume"];
    expect(await killed(again, kills, () => milliseconds * (0.3 + 0.7 * uniform()))).toBeGreaterThan(kills / 3);
    expect(await start(again).ended).toMatchObject({ code: 0, stderr: "" });
    for (const name of ["image.npy", "quicklook.png"])
      expect((await readFile(join(folder, "out", name))).equals(await readFile(join(folder, "calm", name))), name).toBe(true);
    expect((await readdir(join(folder, "out"))).sort()).toEqual(["image.npy", "quicklook.png", "report.json"]);
  });

  it("is not needed for what an earlier run of another format has left: it is removed", async () => {
    const { folder, command } = await made();
    const memory = ["--memory", `${await leastBytes(command)}B`];
    const file = join(folder, "a.mat");
    for (const [first, second] of [
      ["npy", ["--format", "zarr"]],
      ["zarr", memory],
      ["npy", []],
      ["zarr", ["--format", "png"]],
    ] as const) {
      const out = await temporaryFolder();
      // A store appears when it can be resumed.
      const signal = firesWhen(() => canGoOn(out) || existsSync(join(out, "image.zarr")));
      const begun = ["backproject", file, ...grid, "--out", out, ...memory, "--format", first];
      expect((await dechirp(begun, { signal })).code).toBe(130);
      expect((await readdir(out)).length).toBe(1);
      expect(await command("--out", out, ...second)).toMatchObject({ code: 0, stderr: "" });
      const image = second.includes("zarr" as never) ? ["image.zarr"] : second.includes("png" as never) ? [] : ["image.npy"];
      expect((await readdir(out)).sort()).toEqual([...image, "quicklook.png", "report.json"]);
    }
  });
});
