/** Several Gotcha files as one history, in folders too, and autofocus. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRadarError } from "@dechirp/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { applyAutofocus, gotchaHistory, type MatFile, type MatValue, type PhaseHistory, readMat } from "../src/index.ts";
import { readGotcha } from "../src/node.ts";
import { type Built, bytesOf, column, count, failure, historyOf, ramp, refused, row } from "./gotcha-builder.ts";

const speedOfLight = 299_792_458;

describe("several files", () => {
  const name = (azimuth: number, pass = 1, polarisation = "HH"): string =>
    `data_3dsar_pass${pass}_az${String(azimuth).padStart(3, "0")}_${polarisation}.mat`;
  const mat = (bytes: Uint8Array, file: string): ReturnType<typeof readMat> => readMat(bytes, { file });

  it("are one history, in the order given, as if from one file", async () => {
    const parts = [await mat(bytesOf({}, 3), "a"), await mat(bytesOf({}, 2, 3), "b"), await mat(bytesOf({}, 1, 5), "c")];
    expect(await gotchaHistory(parts)).toEqual(await historyOf(bytesOf({}, 6)));
    const turned = await gotchaHistory([parts[2], parts[0], parts[1]]);
    expect(Array.from(turned.referenceRangeMeters)).toEqual([10_005, 10_000, 10_001, 10_002, 10_003, 10_004]);
    expect(turned.samples[0]).toBe(5000);
  });

  it("are refused where they differ, naming the later one, and where there are none", async () => {
    const first = await mat(bytesOf({}), name(1));
    const second = name(2);
    const join2 =
      (built: Built, file = second) =>
      async () =>
        gotchaHistory([first, await mat(bytesOf(built), file)]);
    const longer = { fp: { shape: [6, 3], values: ramp(18, 0, 1), imaginary: ramp(18, 0, 1) }, freq: column(ramp(6, 9.5e9, 2 ** 20)) };
    await refused(join2({ fields: longer }), "data.freq", "5 frequencies from 95", second);
    await refused(join2({ fields: { freq: column(ramp(5, 9.5e9 + 2e5, 1.5 * 2 ** 20)) } }), "data.freq", "5 frequencies from 95", second);
    await refused(join2({ fields: { freq: column(ramp(5, 9.5e9, 1.45 * 2 ** 20)) } }), "data.freq", "5 frequencies from 95", second);
    await refused(join2({ af: undefined }), "data.af", `present as in ${name(1)}, not absent`, second);
    await refused(join2({ fields: { th: undefined, phi: undefined } }), "data.th", `present as in ${name(1)}, not absent`, second);
    await refused(join2({}, name(2, 1, "VV")), "the polarisation in its name", `HH as in ${name(1)}, not VV`, name(2, 1, "VV"));
    await refused(join2({}, name(2, 3)), "the pass in its name", `1 as in ${name(1)}, not 3`, name(2, 3));
    await refused(join2({}, "b.mat"), "the pass in its name", `1 as in ${name(1)}, not absent`, "b.mat");
    const bare = await mat(bytesOf({ af: undefined }), "bare.mat");
    await refused(() => gotchaHistory([bare], { autofocus: true }), "data.af", "present, for it is to be applied, not absent", "bare.mat");
    expect((await failure(() => gotchaHistory([]))).message).toContain("files must be one file at least");
  });

  it("may differ in frequencies by 1 % of a step, and have the first one's", async () => {
    const off = (steps: number, step = 1e6): ReturnType<typeof readMat> =>
      mat(bytesOf({ kind: "f64", fields: { freq: column(ramp(count, 9e9 + steps * 1e6, step)) } }), "b");
    expect((await gotchaHistory([await off(0), await off(0.009), await off(-0.009, 1.004e6)])).frequency).toEqual(
      (await gotchaHistory([await off(0)])).frequency,
    );
    for (const bad of [await off(0.011), await off(-0.011), await off(0, 1.003e6)])
      await refused(async () => gotchaHistory([await off(0), bad]), "data.freq", "5 freq", "b");
  });

  it("are refused where together they have more pulses or samples than can be held", async () => {
    const numeric = (shape: number[], complex: boolean): MatValue => {
      const data = Float64Array.from({ length: complex ? 0 : shape[0] }, (_, k) => 9e9 + k * 1e6);
      return { kind: "numeric", class: "double", shape, complex, data };
    };
    // Plain data, so that no test needs the samples that it claims.
    const claiming = (frequencies: number, pulses: number): MatFile => {
      const fields = new Map([
        ["freq", [numeric([frequencies, 1], false)]],
        ["fp", [numeric([frequencies, pulses], true)]],
      ]);
      return { file: "x.mat", version: 5, notes: [], variables: new Map([["data", { kind: "struct", shape: [1, 1], fields }]]) };
    };
    for (const [frequencies, most] of [
      [2, 2 ** 22],
      [2 ** 10, 2 ** 18],
    ]) {
      const message = `at most ${most} pulses with the files before, not `;
      await refused(() => gotchaHistory([claiming(frequencies, most + 1)]), "data.fp", `${message}${most + 1}`);
      // At the limit, the next check is what fails.
      await refused(() => gotchaHistory([claiming(frequencies, most)]), "data.x", `a real vector of ${most}, not absent`);
    }
    const first = await mat(bytesOf({}), "a");
    await refused(
      () => gotchaHistory([first, claiming(count, 2 ** 22 - 2)]),
      "data.fp",
      `at most ${2 ** 22} pulses with the files before, not ${2 ** 22 + 1}`,
    );
  });

  describe("in folders", () => {
    let dir: string;
    beforeEach(async () => {
      dir = await mkdtemp(join(tmpdir(), "dechirp-gotcha-"));
    });
    afterEach(() => rm(dir, { recursive: true, force: true }));
    const fails = async (promise: Promise<unknown>, message: string): Promise<void> => {
      const error = await promise.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (!isRadarError(error)) throw new Error(`not refused: ${error}`);
      expect(error.message).toContain(message);
    };

    it("are found and ordered by azimuth, or taken as listed", async () => {
      // Azimuth 10 comes before 9 in the order of names.
      await writeFile(join(dir, "data_3dsar_pass1_az9_HH.mat"), bytesOf({}, 2));
      await writeFile(join(dir, "data_3dsar_pass1_az10_HH.mat"), bytesOf({ compressed: true }, 1, 2));
      await writeFile(join(dir, "README.txt"), "no data");
      const history = await readGotcha(dir);
      expect(history).toEqual({ ...(await historyOf(bytesOf({}, 3))), pass: 1, polarisation: "HH" });
      const files = [10, 9].map((azimuth) => join(dir, `data_3dsar_pass1_az${azimuth}_HH.mat`));
      expect(Array.from((await readGotcha(files)).referenceRangeMeters)).toEqual([10_002, 10_000, 10_001]);
      expect(await readGotcha(files[1])).toMatchObject({ referenceRangeMeters: Float64Array.of(10_000, 10_001) });
      expect(await readGotcha(dir, { autofocus: true })).toEqual(await applyAutofocus(history));
    });

    it("are refused where there are none, the same one twice, or a damaged one", async () => {
      await fails(readGotcha(dir), `${dir}: must be a folder with files data_3dsar_pass*_az*_*.mat, not an empty folder`);
      await fails(readGotcha([]), "source must be a path, or a list of one at least");
      await fails(readGotcha(join(dir, "nowhere.mat")), "nowhere.mat: can't read the folder: there is no such file or folder");
      await mkdir(join(dir, "other"));
      await fails(readGotcha(dir), "not a folder with other");
      const file = join(dir, name(1));
      await writeFile(file, bytesOf({}));
      await fails(readGotcha([dir, file]), "source must be files that differ from each other");
      await fails(readGotcha(new Array<string>(4097).fill(file)), "source must be at most 4096 files, not 4097");
      await fails(readGotcha(file, { maxBytes: 100 }), `${file}: must be at most 100 bytes long`);
      await fails(readGotcha(file, { maxBytes: 0 }), "maxBytes must be a positive number of bytes");
      await fails(readGotcha(file, { signal: AbortSignal.abort() }), "aborted");
      await writeFile(join(dir, name(2)), bytesOf({}).subarray(0, 1000));
      await fails(readGotcha(dir), `${join(dir, name(2))}: at byte`);
    });
  });
});

describe("applyAutofocus", () => {
  it("turns each pulse by exp(+j·phase) and adds to its range, both, and leaves what it was given", async () => {
    const history = await historyOf(bytesOf({ af: { r_correct: row([0.5, -0.25, 0]), ph_correct: row([Math.PI / 2, 0.75, -2]) } }));
    const before = structuredClone(history);
    const { autofocus, samples, referenceRangeMeters, notes, ...rest } = await applyAutofocus(history);
    expect(history).toEqual(before);
    expect(autofocus).toBeUndefined();
    expect(rest).toEqual({ ...before, autofocus: undefined, samples: undefined, referenceRangeMeters: undefined, notes: undefined });
    expect(notes).toEqual(["the autofocus of the files was applied"]);
    expect(referenceRangeMeters).toEqual(Float64Array.of(10_000.5, 10_000.75, 10_002));
    const phases = before.autofocus?.phaseRadians as Float64Array;
    for (let i = 0; i < samples.length; i += 2) {
      const [re, im] = before.samples.subarray(i, i + 2);
      const magnitude = Math.hypot(re, im);
      const angle = Math.atan2(im, re) + phases[Math.floor(i / 2 / count)];
      // One rounding to float32 of each part.
      expect(Math.abs(samples[i] - magnitude * Math.cos(angle))).toBeLessThanOrEqual(2 ** -24 * magnitude);
      expect(Math.abs(samples[i + 1] - magnitude * Math.sin(angle))).toBeLessThanOrEqual(2 ** -24 * magnitude);
    }
  });

  it("makes a file whose ranges and phases were measured wrong one of the documented convention", async () => {
    const [amplitude, correction, phase] = [3, [0.25, -0.5, 0.125], [1, -2, 3]];
    const [scatterer, z] = [[-16, 21, 0], 7200];
    const hertz = ramp(count, 9.5e9, 1.5 * 2 ** 20);
    const platform = [0, 1, 2].map((p) => [7000 + p, 20 - p, z]);
    const phasor = (p: number, f: number, r0: number, more: number): [number, number] => {
      const distance = Math.hypot(...platform[p].map((at, axis) => at - scatterer[axis]));
      const angle = (-4 * Math.PI * f * (distance - r0)) / speedOfLight + more;
      return [amplitude * Math.cos(angle), amplitude * Math.sin(angle)];
    };
    // Compensated to a range that the file states wrong by the correction, and turned back by the phase.
    const r0 = platform.map((at) => Math.hypot(...at));
    const echoes = [0, 1, 2].flatMap((p) => hertz.map((f) => phasor(p, f, r0[p] + correction[p], -phase[p])));
    const fields = {
      fp: { shape: [count, 3], values: echoes.map(([re]) => re), imaginary: echoes.map(([, im]) => im) },
      freq: column(hertz),
      x: row(platform.map(([x]) => x)),
      y: row(platform.map(([, y]) => y)),
      z: row([z, z, z]),
      r0: row(r0),
    };
    const af = { r_correct: row(correction), ph_correct: row(phase) };
    const { samples, referenceRangeMeters, frequency } = await applyAutofocus(await historyOf(bytesOf({ kind: "f64", fields, af })));
    for (let p = 0; p < 3; p++) {
      for (let k = 0; k < count; k++) {
        const [re, im] = phasor(p, frequency.firstHz + k * frequency.stepHz, referenceRangeMeters[p], 0);
        const at = 2 * (p * count + k);
        // Samples are rounded to float32 when read and when turned: half a unit of at most the amplitude in either part.
        expect(Math.hypot(samples[at] - re, samples[at + 1] - im)).toBeLessThan(4 * 2 ** -24 * amplitude);
      }
    }
  });

  it("refuses a history without corrections, applied ones, and lengths that disagree", async () => {
    const history = await historyOf(bytesOf({}));
    const after = await applyAutofocus(history);
    expect((await failure(() => applyAutofocus(after))).fields.field).toBe("history.autofocus");
    const bad = async (change: Partial<PhaseHistory>): Promise<unknown> =>
      (await failure(() => applyAutofocus({ ...history, ...change }))).fields.field;
    const two = new Float64Array(2);
    const three = new Float64Array(3);
    expect(await bad({ autofocus: { rangeMeters: two, phaseRadians: three } })).toBe("history.autofocus.rangeMeters.length");
    expect(await bad({ autofocus: { rangeMeters: three, phaseRadians: two } })).toBe("history.autofocus.phaseRadians.length");
    expect(await bad({ samples: new Float32Array(4) })).toBe("history.samples.length");
  });
});
