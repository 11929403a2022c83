/** backproject --memory and --dry-run: images in windows are those without, plans are printed, and wrong sizes are refused. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { BackprojectReport } from "@dechirp/processor";
import { circularTrack, simulatePhaseHistory } from "@dechirp/sar";
import { describe, expect, it } from "vitest";
import { dechirp, type Outcome, temporaryFolder } from "./command.ts";
import { writeGotcha } from "./gotcha-file.ts";

const pulses = 64;
const history = simulatePhaseHistory({
  positions: circularTrack({ radiusMeters: 700, altitudeMeters: 700, firstRadians: 0, stepRadians: 0.001, pulses }),
  frequency: { firstHz: 9.3e9, stepHz: 6e6, count: 60 },
  targets: [{ positionMeters: [-3.2, 4.1, 0], amplitude: 2, phaseRadians: 1 }],
  noise: { snrDb: 10 },
  seed: 3,
});
const grid = ["--grid=-9,-6,0.025,0.03,650,420", "--tile", "16"];

/** A folder with a history in it, and the command that makes its image. */
async function made() {
  const folder = await temporaryFolder();
  const file = join(folder, "a.mat");
  await writeGotcha(file, history);
  return { folder, command: (...more: readonly string[]): Promise<Outcome> => dechirp(["backproject", file, ...grid, ...more]) };
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
