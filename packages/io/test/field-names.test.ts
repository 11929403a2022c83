/** Misspelt fields of scene.json: the error suggests the right name, instead of reporting that field as absent. */
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createNameCheck, parseSceneDescription, type SceneData } from "../src/index.ts";
import { readScene, writeSceneFolder } from "../src/node.ts";
import { processorMilliseconds } from "./processor-time.ts";
import { noiseRadar } from "./scene-support.ts";

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "dechirp-io-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const scene: SceneData = {
  name: "noise",
  radar: noiseRadar,
  raw: { layout: { dtype: "ci8", shape: [1, 2] }, data: Int8Array.of(1, -2, 3, -4) },
  targets: [{ name: "a", azimuthSeconds: 0.25, slantRangeMeters: 30_000, amplitude: 1, phaseRadians: -1 }],
  notes: [],
};

describe("scene.json", () => {
  const description = async () => {
    await writeSceneFolder(dir, scene);
    return JSON.parse(readFileSync(join(dir, "scene.json"), "utf8"));
  };

  it("says so if a list stands in place of an object", async () => {
    const json = await description();
    const refused = (value: unknown, field: string, actual: string) =>
      expect(() => parseSceneDescription(JSON.stringify(value), "scene.json")).toThrow(
        expect.objectContaining({
          code: "input",
          message: `scene.json: ${field} must be an object, not ${actual}`,
          fields: expect.objectContaining({ field }),
        }),
      );
    refused([], "the document", "[]");
    refused({ ...json, radar: [] }, "radar", "[]");
    refused({ ...json, radar: { ...json.radar, orbit: [1] } }, "radar.orbit", "[1]");
    refused({ ...json, targets: [json.targets[0], []] }, "targets[1]", "[]");
  });

  it("is UTF-8", async () => {
    const text = JSON.stringify(await description());
    const file = join(dir, "scene.json");
    for (const bytes of [Buffer.from(`\ufeff${text}`, "utf16le"), Buffer.from(text.replace("noise", "bruit blanc é"), "latin1")]) {
      await writeFile(file, bytes);
      await expect(readScene(dir)).rejects.toMatchObject({
        code: "input",
        message: `${file}: not JSON: the text is not UTF-8`,
        fields: { file, field: "the document" },
      });
    }
    await writeFile(file, `\ufeff${text}`);
    expect((await readScene(dir)).name).toBe("noise");
  });

  it("may have no targets", async () => {
    const { targets: _, ...without } = await description();
    await writeFile(join(dir, "scene.json"), JSON.stringify(without));
    expect((await readScene(dir)).targets).toEqual([]);
    expect(parseSceneDescription(JSON.stringify(without), "scene.json").targets).toBeUndefined();
  });

  it.each([
    ["prfHz", "prf"],
    ["prfHz", "PRF_Hz"],
    ["prfHz", "prfHertz"],
    ["carrierHz", "carierHz"],
    ["carrierHz", "carrierFrequency"],
    ["velocityMetersPerSecond", "velocity"],
    ["samplingRateHz", "samplingFrequencyHz"],
    ["nearRangeMeters", "nearRangeMetres"],
    ["pulseSeconds", "pusleSeconds"],
    ["prfHz", "pulseRepetitionFrequency"],
    ["prfHz", "pulse_repetition_frequency_hz"],
  ])("suggests radar.%s for %s", async (meant, name) => {
    const json = await description();
    const { [meant]: value, ...radar } = json.radar;
    for (const changed of [
      { ...radar, [name]: value },
      { ...json.radar, [name]: value },
    ]) {
      expect(() => parseSceneDescription(JSON.stringify({ ...json, radar: changed }), "scene.json")).toThrow(
        expect.objectContaining({
          code: "input",
          message: `scene.json: radar.${name}: did you mean ${meant}? There is no such field`,
          fields: { file: "scene.json", field: `radar.${name}`, expected: meant, actual: value },
        }),
      );
    }
  });

  it("suggests names in every object of the file", async () => {
    const json = await description();
    const refused = (changed: object, message: RegExp): void =>
      expect(() => parseSceneDescription(JSON.stringify({ ...json, ...changed }), "scene.json")).toThrow(message);
    refused({ target: [] }, /: target: did you mean targets\?/);
    refused({ processed_bandwidth_hz: 1 }, /: processed_bandwidth_hz: did you mean processedBandwidthHz\?/);
    refused({ targets: [json.targets[0], { ...json.targets[0], phase: 1 }] }, /: targets\[1\]\.phase: did you mean phaseRadians\?/);
    refused({ radar: { ...json.radar, orbit: { times: [] } } }, /: radar\.orbit\.times: did you mean timesSeconds\?/);
    refused({ colour: 1 }, /: colour must be absent: there is no such field, not 1/);
  });
});

describe("createNameCheck", () => {
  const known = ["units", "rho", "tasks", "id"];

  it("accepts names that resemble no field, and values that are not objects", () => {
    const check = createNameCheck("file");
    for (const value of [
      undefined,
      null,
      5,
      "unit",
      [{ unit: 1 }],
      { units: 1, note: "", r: 1, kind: 2, identity: 3, "": 4, __proto__: {} },
    ])
      check("", value, known);
    expect(() => check("a.", { untis: 1 }, known)).toThrow("file: a.untis: did you mean units? There is no such field");
  });

  it("takes little time for very many and very long names", async () => {
    const many = Object.fromEntries(Array.from({ length: 200_000 }, (_, i) => [`x${i}`, i]));
    const long = { ["unit".repeat(1e6)]: 1 };
    const checks = (): void => {
      createNameCheck("file")("", many, known);
      createNameCheck("file")("", long, known);
    };
    expect(await processorMilliseconds(checks)).toBeLessThan(2000);
  });
});
