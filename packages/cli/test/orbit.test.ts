/** focus of scenes with orbit state vectors, and of scenes with implausible radar parameters: what is used, printed and asked. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createRandom } from "@dechirp/core";
import type { SceneData } from "@dechirp/io";
import { writeSceneFolder } from "@dechirp/io/node";
import type { Report } from "@dechirp/processor";
import { speedOfLight } from "@dechirp/radar";
import { effectiveVelocity } from "@dechirp/sar";
import { describe, expect, it } from "vitest";
import { circularOrbit, placeToTheRight } from "./circular-orbit.ts";
import { dechirp, temporaryFolder } from "./command.ts";

const elements = { altitudeMeters: 693e3, inclinationDegrees: 98.18, latitudeArgument: 40 };
const orbit = (times: readonly number[] = [-40, -30, -20, -10, 0, 10, 20, 30, 40]) => ({
  ...circularOrbit(elements, times),
  lookSide: "right" as const,
});
const nearRangeMeters = 840_000;
const radar = {
  carrierHz: 5.405e9,
  samplingRateHz: 20e6,
  prfHz: 1700,
  chirpRateHzPerSecond: 2.5e12,
  pulseSeconds: 6e-6,
  nearRangeMeters,
  dopplerCentroidHz: 0,
};

/** A scene of noise. */
function noise(lines: number, samples: number, more: Partial<SceneData["radar"]>): SceneData {
  const random = createRandom(3);
  const data = Float32Array.from({ length: 2 * lines * samples }, () => random.gaussian());
  return {
    name: "noise",
    radar: { ...radar, ...more },
    raw: { layout: { dtype: "c64", shape: [lines, samples] }, data },
    targets: [],
    notes: [],
  };
}

async function focus(scene: SceneData, ...more: string[]): Promise<{ code: number; stderr: string; report: Report; image: Buffer }> {
  const folder = await temporaryFolder();
  await writeSceneFolder(join(folder, "scene"), scene);
  const out = join(folder, "out");
  const { code, stderr } = await dechirp(["focus", join(folder, "scene"), "--out", out, ...more]);
  if (code !== 0) return { code, stderr, report: {} as Report, image: Buffer.alloc(0) };
  return {
    code,
    stderr,
    report: JSON.parse(await readFile(join(out, "report.json"), "utf8")),
    image: await readFile(join(out, "image.npy")),
  };
}

const [lines, samples] = [128, 200];
const start = { startSeconds: -lines / 2 / radar.prfHz };
const middle = nearRangeMeters + ((samples - 120) * speedOfLight) / (4 * radar.samplingRateHz);
const expected = effectiveVelocity(orbit(), middle, { lookSide: "right", timeSeconds: -0.5 / radar.prfHz });

describe("focus with radar.orbit", () => {
  it("computes the velocity from the orbit if none is stated, and says so", async () => {
    const { code, stderr, report, image } = await focus(noise(lines, samples, { ...start, orbit: orbit() }));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { value, source, why } = report.parameters.velocityMetersPerSecond;
    expect(value).toBeCloseTo(expected, 6);
    expect([source, report.warnings, report.questions]).toEqual(["scene", [], []]);
    expect(why).toMatch(
      /^from the orbit at slant range 840\.\d{3} km at -0\.000 s, looking right; 71\d\d\.\d\d m\/s at the near edge and /,
    );
    expect(report.radar.velocityMetersPerSecond).toBe(value);
    expect(report.radar).not.toHaveProperty("orbit");
    const stated = await focus(noise(lines, samples, { ...start, velocityMetersPerSecond: value }));
    expect(stated.image.equals(image)).toBe(true);
  });

  it("focuses a point that was seen from a curved orbit above the rotating Earth", async () => {
    const [many, wide] = [3072, 400];
    const from = -many / 2 / radar.prfHz;
    // Echoes of a point on the ground, by definition of the signal model, with the ranges of the orbit.
    const cell = 130.25;
    const range = nearRangeMeters + (cell * speedOfLight) / (2 * radar.samplingRateHz);
    const spaced = circularOrbit(
      elements,
      Array.from({ length: many }, (_, p) => from + p / radar.prfHz),
    );
    const place = placeToTheRight(elements, range);
    const data = new Float32Array(2 * many * wide);
    const [spacing, wavelength] = [speedOfLight / (2 * radar.samplingRateHz), speedOfLight / radar.carrierHz];
    for (let p = 0; p < many; p++) {
      const r = Math.hypot(...spaced.positionsMeters[p].map((x, k) => x - place[k]));
      const first = (r - nearRangeMeters) / spacing;
      for (let i = Math.ceil(first); i < first + 120; i++) {
        const t = (i - first) / radar.samplingRateHz - radar.pulseSeconds / 2;
        const phase = Math.PI * radar.chirpRateHzPerSecond * t * t - (4 * Math.PI * r) / wavelength;
        data.set([Math.cos(phase), Math.sin(phase)], 2 * (p * wide + i));
      }
    }
    const scene: SceneData = {
      name: "a point",
      radar: { ...radar, startSeconds: from, orbit: orbit() },
      raw: { layout: { dtype: "c64", shape: [many, wide] }, data },
      processedBandwidthHz: 1300,
      targets: [{ name: "point", azimuthSeconds: 0, slantRangeMeters: range, amplitude: 1, phaseRadians: 0 }],
      notes: [],
    };
    const { report, stderr } = await focus(scene);
    expect(stderr).toBe("");
    const { azimuth, phaseErrorDegrees } = report.targets[0].measured as NonNullable<(typeof report.targets)[0]["measured"]>;
    expect(Math.abs(azimuth.irwRatio - 1)).toBeLessThan(0.02);
    expect(Math.abs(azimuth.errorPixels)).toBeLessThan(0.05);
    expect(Math.abs(phaseErrorDegrees)).toBeLessThan(3);
    // The velocity for the other look side, half a per cent different, blurs it.
    const wrong = await focus({ ...scene, radar: { ...scene.radar, orbit: { ...orbit(), lookSide: "left" } } });
    const blurred = wrong.report.targets[0].measured as (typeof report.targets)[0]["measured"];
    expect(blurred!.peakMagnitude).toBeLessThan(0.8 * report.targets[0].measured!.peakMagnitude);
  });

  it("warns of a stated velocity that differs from the orbit's, and only then", async () => {
    const both = (velocityMetersPerSecond: number, ...more: string[]) =>
      focus(noise(lines, samples, { ...start, orbit: orbit(), velocityMetersPerSecond }), ...more);
    const near = await both(expected * 1.009);
    expect([near.stderr, near.report.warnings, near.report.parameters.velocityMetersPerSecond.source]).toEqual(["", [], "scene"]);
    const off = await both(7590);
    expect(off.report.warnings).toEqual([
      expect.stringMatching(/^the velocity that the recording states is 7590 m\/s, but the orbit gives 71\d\d\.\d\d m\/s at mid swath/),
    ]);
    expect(off.stderr).toBe(`warning: ${off.report.warnings[0]}\n`);
    expect(off.report.parameters.velocityMetersPerSecond.value).toBe(7590);
    const option = await both(7185, "--velocity", "7590");
    expect(option.stderr).toMatch(/^warning: the velocity given is 7590 m\/s, but the orbit gives/);
  });

  it("warns if one velocity does not fit the whole swath", async () => {
    // L band, over 57 km, 2 s.
    const wide = {
      carrierHz: 1.27e9,
      samplingRateHz: 1e6,
      chirpRateHzPerSecond: 1.2e10,
      pulseSeconds: 60e-6,
      prfHz: 1200,
      startSeconds: -1,
    };
    const { stderr, report } = await focus(noise(2400, 440, { ...wide, orbit: orbit() }));
    expect(report.warnings).toEqual([
      expect.stringMatching(
        /^the effective velocity changes from 71\d\d\.\d\d to 71\d\d\.\d\d m\/s over the swath, .*: a quadratic phase error of up to \d\.\d rad/,
      ),
    ]);
    expect(stderr).toBe(`warning: ${report.warnings[0]}\n`);
  });

  it("reports what is wrong with an orbit, whatever options are given", async () => {
    for (const more of [[], ["--velocity", "7185"]]) {
      const late = await focus(noise(lines, samples, { startSeconds: 300, orbit: orbit() }), ...more);
      expect(late.code).toBe(3);
      expect(late.stderr).toMatch(
        /scene: radar\.orbit\.timesSeconds must be around 300\.0\d* s, the time that the velocity is wanted at, not "-40 to 40 s"/,
      );
    }
    const kilometres = { ...orbit(), positionsMeters: orbit().positionsMeters.map((p) => p.map((x) => x / 1000)) };
    expect((await focus(noise(lines, samples, { ...start, orbit: kilometres }))).stderr).toMatch(
      /radar\.orbit\.positionsMeters\[0\] must be .*; these look like kilometres/,
    );
  });
});

describe("focus of a scene with implausible radar parameters", () => {
  it("asks in the report and on stderr, and focuses all the same", async () => {
    const { code, stderr, report } = await focus(noise(lines, samples, { nearRangeMeters: 850, velocityMetersPerSecond: 7125 }));
    expect(code).toBe(0);
    expect(report.questions).toEqual([
      {
        field: "radar.nearRangeMeters",
        text: expect.stringMatching(/850 m for a platform at 7125 m\/s: were kilometres meant \(850000\)\?$/),
      },
    ]);
    expect(stderr).toBe(`question: ${report.questions[0].text}\n`);
  });

  it("also asks if the scene can't be focused", async () => {
    const { code, stderr } = await focus(noise(lines, samples, { samplingRateHz: 20, velocityMetersPerSecond: 7125 }));
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /^question: samplingRateHz is 20 Hz, .*were megahertz meant \(20e6\)\?\ndechirp: .*radar\.samplingRateHz must be/,
    );
  });

  it("says about which of several scenes it asks, and asks about the velocity that is used", async () => {
    const folder = await temporaryFolder();
    const [good, bad] = [join(folder, "good"), join(folder, "bad")];
    await writeSceneFolder(good, noise(lines, samples, { velocityMetersPerSecond: 7125 }));
    await writeSceneFolder(bad, noise(lines, samples, { velocityMetersPerSecond: 7125, nearRangeMeters: 850 }));
    const { code, stderr, stdout } = await dechirp(["focus", good, bad, "--out", join(folder, "out"), "--json"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(new RegExp(`^question: ${bad}: nearRangeMeters is 850 m .*: were kilometres meant \\(850000\\)\\?\\n$`));
    expect(JSON.parse(stdout).images.map(({ report }: { report: Report }) => report.questions.length)).toEqual([0, 1]);
    await writeSceneFolder(bad, noise(lines, samples, { velocityMetersPerSecond: 7.125 }));
    const option = await dechirp(["focus", bad, "--out", join(folder, "one"), "--velocity", "7125"]);
    expect(option).toMatchObject({ code: 0, stderr: "" });
  });
});
