/** Several Gotcha files as one phase history, also from folders. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRadarError } from "@dechirp/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type MatFile, type MatValue, parseGotcha, readMat } from "../src/index.ts";
import { readPhaseHistory } from "../src/node.ts";
import { type Built, bytesOf, column, count, historyOf, ramp, refused } from "./gotcha-builder.ts";
import { refusal } from "./refusal.ts";
import { plain, samplesOf } from "./scene-support.ts";

describe("several files", () => {
  const name = (azimuth: number, pass = 1, polarisation = "HH"): string =>
    `data_3dsar_pass${pass}_az${String(azimuth).padStart(3, "0")}_${polarisation}.mat`;
  const mat = (bytes: Uint8Array, file: string): ReturnType<typeof readMat> => readMat(bytes, { file });

  it("form one phase history, in the given order, as if from one file", async () => {
    const parts = [await mat(bytesOf({}, 3), "a"), await mat(bytesOf({}, 2, 3), "b"), await mat(bytesOf({}, 1, 5), "c")];
    expect(await plain(await parseGotcha(parts))).toEqual(await plain(await historyOf(bytesOf({}, 6))));
    const turned = await parseGotcha([parts[2], parts[0], parts[1]]);
    expect(Array.from(turned.referenceRangeMeters)).toEqual([10_005, 10_000, 10_001, 10_002, 10_003, 10_004]);
    expect((await turned.pulses(0, 1))[0]).toBe(5000);
  });

  it("are refused if they differ, naming the later one, and if there are none", async () => {
    const first = await mat(bytesOf({}), name(1));
    const second = name(2);
    const join2 =
      (built: Built, file = second) =>
      async () =>
        parseGotcha([first, await mat(bytesOf(built), file)]);
    const longer = { fp: { shape: [6, 3], values: ramp(18, 0, 1), imaginary: ramp(18, 0, 1) }, freq: column(ramp(6, 9.5e9, 2 ** 20)) };
    await refused(join2({ fields: longer }), "data.freq", "5 frequencies from 95", second);
    await refused(join2({ fields: { freq: column(ramp(5, 9.5e9 + 2e5, 1.5 * 2 ** 20)) } }), "data.freq", "5 frequencies from 95", second);
    await refused(join2({ fields: { freq: column(ramp(5, 9.5e9, 1.45 * 2 ** 20)) } }), "data.freq", "5 frequencies from 95", second);
    await refused(join2({ af: undefined }), "data.af", `present as in ${name(1)}, not absent`, second);
    await refused(join2({ fields: { th: undefined, phi: undefined } }), "data.th", `present as in ${name(1)}, not absent`, second);
    await refused(join2({}, name(2, 1, "VV")), "the polarisation in its name", `HH as in ${name(1)}, not VV`, name(2, 1, "VV"));
    await refused(join2({}, name(2, 3)), "the pass in its name", `1 as in ${name(1)}, not 3`, name(2, 3));
    await refused(join2({}, "b.mat"), "the pass in its name", `1 as in ${name(1)}, not absent`, "b.mat");
    expect((await refusal(() => parseGotcha([]))).message).toContain("files must be at least one file");
  });

  it("may differ in frequencies by 1 % of a step, and get those of the first one", async () => {
    const off = (steps: number, step = 1e6): ReturnType<typeof readMat> =>
      mat(bytesOf({ kind: "f64", fields: { freq: column(ramp(count, 9e9 + steps * 1e6, step)) } }), "b");
    expect((await parseGotcha([await off(0), await off(0.009), await off(-0.009, 1.004e6)])).frequency).toEqual(
      (await parseGotcha([await off(0)])).frequency,
    );
    for (const bad of [await off(0.011), await off(-0.011), await off(0, 1.003e6)])
      await refused(async () => parseGotcha([await off(0), bad]), "data.freq", "5 freq", "b");
  });

  it("are refused if they have too many pulses together", async () => {
    const numeric = (shape: number[], complex: boolean): MatValue => {
      const data = Float64Array.from({ length: complex ? 0 : shape[0] }, (_, k) => 9e9 + k * 1e6);
      return { kind: "numeric", class: "double", shape, complex, data };
    };
    // Plain data that claims many samples, so that no test needs to allocate them.
    const claiming = (frequencies: number, pulses: number): MatFile => {
      const fields = new Map([
        ["freq", [numeric([frequencies, 1], false)]],
        ["fp", [numeric([frequencies, pulses], true)]],
      ]);
      return { file: "x.mat", version: 5, notes: [], variables: new Map([["data", { kind: "struct", shape: [1, 1], fields }]]) };
    };
    const most = 2 ** 22;
    for (const frequencies of [2, 2 ** 10]) {
      const message = `at most ${most} pulses together with the files before it, not `;
      await refused(() => parseGotcha([claiming(frequencies, most + 1)]), "data.fp", `${message}${most + 1}`);
      // At the limit, the next check fails instead.
      await refused(() => parseGotcha([claiming(frequencies, most)]), "data.x", `a real vector of ${most}, not absent`);
    }
    const first = await mat(bytesOf({}), "a");
    await refused(
      () => parseGotcha([first, claiming(count, 2 ** 22 - 2)]),
      "data.fp",
      `at most ${2 ** 22} pulses together with the files before it, not ${2 ** 22 + 1}`,
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

    it("are sorted by azimuth, or keep the listed order", async () => {
      // By name, azimuth 10 would come before 9.
      await writeFile(join(dir, "data_3dsar_pass1_az9_HH.mat"), bytesOf({}, 2));
      await writeFile(join(dir, "data_3dsar_pass1_az10_HH.mat"), bytesOf({ compressed: true }, 1, 2));
      await writeFile(join(dir, "README.txt"), "no data");
      const history = await readPhaseHistory(dir);
      expect(await plain(history)).toEqual({
        ...(await plain(await historyOf(bytesOf({}, 3)))),
        name: "Gotcha pass 1 HH",
        pass: 1,
        polarisation: "HH",
      });
      expect(history.shape).toEqual([3, count]);
      const again = await readPhaseHistory(dir);
      const all = await samplesOf(await historyOf(bytesOf({}, 3)));
      expect(await again.pulses(1, 2)).toEqual(all.subarray(2 * count, 6 * count));
      const files = [10, 9].map((azimuth) => join(dir, `data_3dsar_pass1_az${azimuth}_HH.mat`));
      expect(Array.from((await readPhaseHistory(files)).referenceRangeMeters)).toEqual([10_002, 10_000, 10_001]);
      expect(await readPhaseHistory(files[1])).toMatchObject({ referenceRangeMeters: Float64Array.of(10_000, 10_001) });
    });

    it("are refused if there are none, if one is listed twice, or if one is damaged", async () => {
      await fails(readPhaseHistory(dir), `${dir}: must be a folder with files data_3dsar_pass*_az*_*.mat, not an empty folder`);
      await fails(readPhaseHistory([]), "source must be a path or a non-empty list of paths");
      await fails(readPhaseHistory(join(dir, "nowhere.mat")), "nowhere.mat: can't read it: there is no such file or folder");
      await mkdir(join(dir, "other"));
      await fails(readPhaseHistory(dir), "not a folder with other");
      const file = join(dir, name(1));
      await writeFile(file, bytesOf({}));
      await fails(readPhaseHistory([dir, file]), "source must be files that differ from each other");
      await fails(readPhaseHistory(new Array<string>(4097).fill(file)), "source must be at most 4096 files, not 4097");
      await fails(readPhaseHistory(file, { maxBytes: 100 }), `${file}: must be at most 100 bytes long`);
      await fails(readPhaseHistory(file, { maxBytes: 0 }), "maxBytes must be a positive number of bytes");
      await fails(readPhaseHistory(file, { signal: AbortSignal.abort() }), "aborted");
      await writeFile(join(dir, name(2)), bytesOf({}).subarray(0, 1000));
      await fails(readPhaseHistory(dir), `${join(dir, name(2))}: at byte`);
    });
  });
});
