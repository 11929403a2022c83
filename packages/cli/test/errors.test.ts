/** Failing files, output places and devices: one line, the right status, nothing left behind. */
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isRadarError, RadarError, type RadarErrorCode } from "@dechirp/core";
import { writeSceneFolder } from "@dechirp/io/node";
import { describe, expect, it } from "vitest";
import { CommandError, failureJson, failureOf } from "../src/errors.ts";
import type { Io } from "../src/io.ts";
import { imageFiles } from "../src/output.ts";
import { tell } from "../src/run.ts";
import { dechirp, type Outcome, simulatedScene, smallPreset, temporaryFolder } from "./command.ts";

function failed({ code, stdout, stderr }: Outcome, status: number, message: RegExp): void {
  expect(stderr).toMatch(/^(question: [^\n]+\n)*dechirp: [^\n]+\n$/);
  expect(stderr).toMatch(message);
  expect({ code, stdout }).toEqual({ code: status, stdout: "" });
}

/** A folder with a small scene in `scene`. */
async function sceneFolder(): Promise<{ folder: string; scene: string; out: string }> {
  const folder = await temporaryFolder();
  const scene = join(folder, "scene");
  await writeSceneFolder(scene, await simulatedScene("small", smallPreset(false), { type: "ci16" }));
  return { folder, scene, out: join(folder, "out") };
}

describe("bad input files (3)", () => {
  it("of focus", async () => {
    const { folder, scene, out } = await sceneFolder();
    const focus = (input: string, ...more: string[]): Promise<Outcome> => dechirp(["focus", input, "--out", out, ...more]);
    failed(await focus(join(folder, "absent")), 3, /absent: there is no such folder/);
    failed(
      await focus(join(scene, "raw.npy")),
      3,
      /raw\.npy: must be a folder with scene\.json, or with CD_run_params\.mat and CDdata1\.mat, not a file/,
    );
    failed(await focus(folder), 3, /must be a folder with scene\.json, or with CD_run_params\.mat/);
    // The second input is checked before the first one is processed.
    failed(await dechirp(["focus", scene, join(folder, "absent"), "--out", out]), 3, /absent: there is no such folder/);

    const json = await readFile(join(scene, "scene.json"), "utf8");
    const raw = await readFile(join(scene, "raw.npy"));
    const withJson = async (text: string, message: RegExp): Promise<void> => {
      await writeFile(join(scene, "scene.json"), text);
      failed(await focus(scene), 3, message);
    };
    await withJson("{", /scene\.json: not JSON/);
    await withJson(json.replace(/"prfHz": [^,]*/, '"prfHz": -1'), /scene\.json: radar\.prfHz must be a positive number, not -1/);
    await withJson(
      json.replace(/"pulseSeconds": [^,]*/, '"pulseSeconds": 0.5'),
      /scene: radar\.samplingRateHz must be at least the chirp bandwidth/,
    );
    await withJson(
      json.replace(/"processedBandwidthHz": [^,]*/, '"processedBandwidthHz": 1e6'),
      /processedBandwidthHz must be at most the PRF/,
    );
    await withJson(json.replace('"prfHz"', '"startSeconds": 1e308, "prfHz"'), /scene: radar\.startSeconds must be a finite number, within/);
    await withJson(
      json.replace(/"lineGain": \[[^\]]*\]/, `"lineGain": [${new Array(320).fill(3e38)}]`),
      /the image of .*scene: data must be finite numbers/,
    );
    await writeFile(join(scene, "scene.json"), json);
    await writeFile(join(scene, "raw.npy"), raw.subarray(0, raw.length - 3));
    failed(await focus(scene), 3, /raw\.npy: at byte \d+: expected \d+ bytes of data/);
    await writeFile(join(scene, "raw.npy"), raw.subarray(0, raw.length).fill(0, 128));
    failed(await focus(scene, "--doppler-centroid", "auto"), 3, /scene: .*different from its mean/);
    await writeFile(join(scene, "scene.json"), "");
    failed(await focus(folder, "--agc", join(folder, "absent.mat")), 3, /--agc .*absent\.mat: there is no such file/);
    expect(existsSync(out)).toBe(false);
  });

  it("of quality", async () => {
    const { folder, scene, out } = await sceneFolder();
    failed(await dechirp(["quality", join(folder, "absent")]), 3, /report\.json: can't read it: there is no such file/);
    expect((await dechirp(["focus", scene, "--out", out])).code).toBe(0);
    const json = await readFile(join(out, "report.json"), "utf8");
    const withReport = async (change: (report: Record<string, never>) => void, message: RegExp): Promise<void> => {
      const report = JSON.parse(json);
      change(report);
      await writeFile(join(out, "report.json"), JSON.stringify(report));
      failed(await dechirp(["quality", out]), 3, message);
    };
    await withReport((r) => Object.assign(r, { format: "other" }), /report\.json: format must be "dechirp-report", not "other"/);
    await withReport((r) => Object.assign(r["radar"], { prfHz: "x" }), /report\.json: radar\.prfHz must be a number/);
    await withReport((r) => delete r["theory"], /report\.json: theory must be present, not absent/);
    await withReport(
      (r) => Object.assign(r["axes"]["slantRangeMeters"], { count: 7 }),
      /image\.npy: must be complex64 or complex128 \[415, 7\]/,
    );
    await writeFile(join(out, "report.json"), json);
    await writeFile(join(out, "image.npy"), "no array");
    failed(await dechirp(["quality", out]), 3, /image\.npy: at byte 0: expected a \.npy file/);
  });

  it("an error names an option only if it was given", async () => {
    const { scene, out } = await sceneFolder();
    failed(await dechirp(["focus", scene, "--out", out, "--bandwidth", "170"]), 2, /--bandwidth does not suit .*at most the PRF of 160 Hz/);
    failed(await dechirp(["focus", scene, "--out", out, "--azimuth-length", "100"]), 2, /--azimuth-length does not suit .*at least 320/);
    failed(await dechirp(["focus", scene, "--out", out, "--doppler-centroid", "5000"]), 2, /--doppler-centroid does not suit/);
    failed(await dechirp(["focus", scene, "--out", out, "--velocity", "1"]), 2, /--velocity does not suit/);
    failed(await dechirp(["focus", scene, "--out", out, "--velocity", "1e308"]), 2, /--velocity does not suit .*at most 299792458/);
    failed(await dechirp(["focus", scene, "--out", out, "--bandwidth", "0.1"]), 2, /--bandwidth does not suit .*at least 0.4/);
    expect(existsSync(out)).toBe(false);
  });
});

describe("results that can't be written (5)", () => {
  it("leave the folder as it was", async () => {
    const { scene, out } = await sceneFolder();
    await mkdir(join(out, "quicklook.png"), { recursive: true });
    failed(await dechirp(["focus", scene, "--out", out]), 5, /quicklook\.png: can't write it: it is a folder/);
    expect(await readdir(out)).toEqual(["quicklook.png"]);
  });
});

describe("interruption", () => {
  it("before the start: 130 for SIGINT, 143 for SIGTERM, 129 for SIGHUP", async () => {
    const { scene, out } = await sceneFolder();
    for (const [name, code] of [
      ["SIGINT", 130],
      ["SIGTERM", 143],
      ["SIGHUP", 129],
    ] as const) {
      failed(
        await dechirp(["focus", scene, "--out", out], { signal: AbortSignal.abort(name) }),
        code,
        new RegExp(`interrupted by ${name}`),
      );
      failed(await dechirp(["demo", "--out", out], { signal: AbortSignal.abort(name) }), code, new RegExp(`interrupted by ${name}`));
    }
    expect(existsSync(out)).toBe(false);
  });

  it("at any time leaves all files or none", async () => {
    const { scene, out } = await sceneFolder();
    let interrupted = 0;
    for (const delay of [0, 10, 30, 60, 90, 120, 150, 200, 300]) {
      const controller = new AbortController();
      const timer = setTimeout(() => controller.abort("SIGINT"), delay);
      const folder = join(out, String(delay));
      const { code } = await dechirp(["focus", scene, "--out", folder], { signal: controller.signal });
      clearTimeout(timer);
      if (code === 130) interrupted++;
      expect([0, 130]).toContain(code);
      expect(existsSync(folder) ? (await readdir(folder)).sort() : []).toEqual(code === 0 ? [...imageFiles] : []);
    }
    expect(interrupted).toBeGreaterThan(0);
  });
});

describe("kinds of errors", () => {
  it.each([
    ["no-backend", 4],
    ["unsupported", 4],
    ["limit", 4],
    ["out-of-memory", 4],
    ["compile", 4],
    ["failed", 4],
    ["device-lost", 4],
    ["input", 3],
    ["aborted", 130],
    ["layout", 1],
    ["disposed", 1],
  ] as const satisfies readonly (readonly [RadarErrorCode, number])[])("%s is status %i", (code, exitCode) => {
    expect(failureOf(new RadarError(code, "what happened")).exitCode).toBe(exitCode);
  });

  it("running out of memory is a device error, anything else unexpected is internal", () => {
    expect(failureOf(new RangeError("Array buffer allocation failed"))).toMatchObject({ kind: "device", exitCode: 4 });
    expect(failureOf(new RangeError("Maximum call stack size exceeded"))).toMatchObject({ kind: "internal", exitCode: 1 });
    expect(failureOf(new TypeError("x is not a function"))).toMatchObject({ exitCode: 1, message: "internal error: x is not a function" });
    for (const code of ["EMFILE", "ENFILE", "ENOMEM", "EAGAIN", "ERR_WORKER_INIT_FAILED"]) {
      const failed = { kind: "device", exitCode: 4, message: expect.stringMatching(/^(this process|the system) .*: what happened$/) };
      expect(failureOf(Object.assign(new Error("what happened"), { code }))).toMatchObject({ ...failed, fields: { reason: code } });
    }
    // This is not about a bad file: the reason is that the system refused to write the result.
    const reason = { reason: "EMFILE" };
    expect(failureOf(new RadarError("input", "a: can't read it", reason))).toMatchObject({ kind: "device", exitCode: 4 });
    expect(failureOf(new CommandError("file", "a: can't read it", reason))).toMatchObject({ kind: "device", exitCode: 4 });
    expect(failureOf(new CommandError("write", "a: can't write it", reason))).toMatchObject({ kind: "write", exitCode: 5 });
    expect(failureOf(Object.assign(new Error("x"), { code: "ERR_MODULE_NOT_FOUND" }))).toMatchObject({ kind: "internal" });
    expect(failureOf("odd")).toMatchObject({ exitCode: 1, message: "internal error: odd" });
  });

  it("whatever is thrown is reported in one line", () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const refuse = (): never => {
      throw proxy;
    };
    const odd = [
      Object.create(null),
      proxy,
      new Proxy(new Error("x"), { get: refuse, getPrototypeOf: refuse }),
      Symbol("x"),
      null,
      undefined,
      {},
    ];
    for (const thrown of [...odd, new RadarError("failed", "a kernel failed", {}, proxy)]) {
      const written: string[] = [];
      const stream = { write: (text: string) => written.push(text) };
      const io = { stdout: stream, stderr: stream, signal: new AbortController().signal, env: { DECHIRP_DEBUG: "1" } } as unknown as Io;
      expect(tell(thrown, ["focus", "--json"], io)).toBe(isRadarError(thrown) ? 4 : 1);
      expect(written[1]).toMatch(/^dechirp: [^\n]+\n$/);
      expect(JSON.parse(written[0])).toMatchObject({ error: { message: expect.any(String) } });
    }
  });

  it("messages are one line, fields are JSON", () => {
    const failure = failureOf(
      new CommandError("file", "a\nb\u001b[31m: c\u202e", { list: new Float32Array(9), many: new Array(99).fill(1), value: Number.NaN }),
    );
    expect(failure.message).toBe("a b?[31m: c?");
    expect(JSON.parse(failureJson(failure)).error.fields).toEqual({
      list: "Float32Array(9)",
      many: "[1, 1, 1, 1, 1, 1, 1, 1, ...]",
      value: "NaN",
    });
  });

  it("fields are JSON of limited size, whatever a file contains", () => {
    const deep: unknown = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`);
    const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`key ${i}`, i]));
    const fields = { deep, wide, long: "x".repeat(2 ** 20), few: { list: [1, "a", { b: null }] } };
    const json = failureJson(failureOf(new CommandError("file", "bad", fields)));
    expect(JSON.parse(json).error.fields).toEqual({
      deep: [["[[[...]]]"]],
      wide: "Object",
      long: `${"x".repeat(4096)}...`,
      few: { list: [1, "a", "Object"] },
    });
  });

  it("a stack is shown only with DECHIRP_DEBUG", async () => {
    const args = ["focus", "nowhere", "--out", "out"];
    expect((await dechirp(args)).stderr).not.toMatch(/\bat /);
    expect((await dechirp(args, { env: { DECHIRP_DEBUG: "1" } })).stderr).toMatch(/\n\s+at /);
  });
});
