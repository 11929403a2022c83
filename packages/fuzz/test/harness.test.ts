/** Tests of the harness: cases repeat, changes reach what they should change, and judges and meter notice what they should. */
import { createHash } from "node:crypto";
import { isRadarError, RadarError } from "@dechirp/core";
import { readMat } from "@dechirp/io";
import { detectFormat, formats, placeOf } from "@dechirp/io/formats";
import { describe, expect, it } from "vitest";
import { changeBytes } from "../src/bytes.ts";
import { cphdFiles, gotchaFiles, matFiles, npyFiles, recordingSeeds, taskSets } from "../src/corpus.ts";
import { changeCphd } from "../src/cphd.ts";
import { createDice, diceOf } from "../src/dice.ts";
import { changeJson } from "../src/json.ts";
import { changeMat, mat5 } from "../src/mat.ts";
import { installMeter } from "../src/meter.ts";
import { changeNpy } from "../src/npy.ts";
import { judge, readerAllowance, readerTargets, withoutSeeds } from "../src/readers.ts";
import { judgeEnded } from "../src/run-command.ts";

const text = new TextEncoder();

it("makes the same case from the same seed, target and number, and different cases otherwise", async () => {
  for (const target of await readerTargets(undefined)) {
    const digest = async (seed: number, number: number): Promise<string> => {
      const hash = createHash("sha1");
      for (const bytes of Object.values((await target.make(diceOf(seed, target.name, number))).files)) hash.update(bytes);
      return hash.digest("hex");
    };
    expect(await digest(1, 5)).toBe(await digest(1, 5));
    expect(new Set(await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((number) => digest(1, number)))).size).toBeGreaterThan(1);
  }
});

it("has files of every format of io's table: a new one needs an entry in recordingSeeds of src/corpus.ts", async () => {
  expect(withoutSeeds()).toEqual([]);
  const targets = await readerTargets(undefined);
  for (const { name } of formats) {
    const target = targets.find((one) => one.name === name);
    expect((await (await target?.make(undefined))?.run())?.kind, name).toBe("accepted");
    // Every seed is a sound recording of that format.
    for (const { files, file } of await recordingSeeds[name].seeds(undefined))
      expect((await detectFormat(placeOf(files, file === undefined ? {} : { file }))).name).toBe(name);
  }
});

it("changes bytes, and leaves its input unchanged", async () => {
  const [mat] = matFiles(undefined);
  for (const [change, bytes] of [
    [changeBytes, mat],
    [changeMat, mat],
    [changeMat, gotchaFiles()[1]],
    [changeNpy, npyFiles()[2]],
    [changeCphd, (await cphdFiles(undefined))[1]],
    [changeJson, text.encode(JSON.stringify(taskSets[1]))],
  ] as const) {
    const before = bytes.slice();
    let different = 0;
    for (let number = 1; number <= 200; number++) {
      const out = change(bytes, createDice(7, "change", number), mat);
      if (Buffer.compare(out, before) !== 0) different++;
    }
    expect(Buffer.compare(bytes, before)).toBe(0);
    expect(different).toBeGreaterThan(180);
  }
});

it("reaches the contents of compressed variables: the errors are about them, not about the stream", async () => {
  const m = mat5(true);
  const file = m.file(m.compressed(m.struct("s", { a: m.text("", "text"), b: m.real("", [1, 2], { type: 9, values: [1, 2] }) })));
  let inside = 0;
  for (let number = 1; number <= 300; number++) {
    try {
      await readMat(changeMat(file, createDice(3, "inside", number), file), { file: "x.mat" });
    } catch (error) {
      if (!isRadarError(error, "input")) throw error;
      if (error.message.includes("of the inflated variable")) inside++;
    }
  }
  expect(inside).toBeGreaterThan(100);
});

describe("judges", () => {
  const throws = (error: unknown) => () => {
    throw error;
  };
  const error = (message: string, fields: Record<string, unknown>, code = "input" as "input" | "layout") =>
    throws(new RadarError(code, message, fields));

  it("accepts only one kind of error from readers", async () => {
    const sound = { file: "x", field: "a", expected: "a number", actual: 1 };
    expect((await judge(["x"], () => 1)).kind).toBe("accepted");
    expect((await judge(["x"], error("x: at byte 3: expected a number, found 1", sound))).kind).toBe("refused");
    for (const bad of [
      throws(new TypeError("x: is not a function")),
      throws("x"),
      error("x: bad", sound, "layout"),
      error("x: bad", { ...sound, file: "y" }),
      error("bad", sound),
      error("x: bad", { file: "x" }),
      error("x: bad", { file: "x", field: "a", expected: "a number" }),
      error("x: bad", { file: "x", expected: "a number", actual: 1 }),
      error("x: b\nad", sound),
      error("x: a must be given, not undefined", sound),
      error(`x: ${"a".repeat(2000)}`, sound),
    ])
      expect((await judge(["x"], bad)).kind).toBe("fault");
  });

  it("accepts only documented statuses and one line from commands", () => {
    const ended = (code: number | null, stdout: string, stderr: string, signalled = false) => ({ code, stdout, stderr, signalled });
    expect(judgeEnded(ended(0, "text\nof lines\n", ""), false).kind).toBe("accepted");
    expect(judgeEnded(ended(3, "", "dechirp: x: bad\n"), false)).toMatchObject({ kind: "refused", how: "3" });
    expect(judgeEnded(ended(3, '{"error":{}}\n', "dechirp: x: bad\n"), true).kind).toBe("refused");
    expect(judgeEnded(ended(130, "", "dechirp: interrupted by SIGINT\n", true), false).kind).toBe("refused");
    for (const [bad, json] of [
      [ended(1, "", "dechirp: internal error: x\n"), false],
      [ended(null, "", "dechirp: x\n"), false],
      [ended(130, "", "dechirp: interrupted by SIGINT\n"), false],
      [ended(3, "", "dechirp: x\n    at f (file.ts:1:1)\n"), false],
      [ended(3, "", ""), false],
      [ended(130, "", "", true), false],
      [ended(3, "", "dechirp: \u001b[31m\n"), false],
      [ended(3, "partial", "dechirp: x\n"), false],
      [ended(0, "", "warning\n"), false],
      [ended(0, "text\n", ""), true],
      [ended(3, "", "dechirp: x\n"), true],
    ] as const)
      expect(judgeEnded(bad, json).kind).toBe("fault");
  });
});

it("meters buffers of all kinds, and requests that fail", () => {
  const constructors = ["ArrayBuffer", "SharedArrayBuffer", "Uint8Array", "Float32Array", "Float64Array", "Int8Array"] as const;
  const world = globalThis as unknown as Record<string, { prototype: { constructor: unknown } }>;
  const originals = constructors.map((name) => [name, world[name]] as const);
  const read = installMeter();
  try {
    read();
    const array = new Float64Array(100);
    expect(read()).toEqual({ total: 800, largest: 800 });
    new Float64Array(array.buffer);
    array.subarray(1);
    expect(read()).toEqual({ total: 0, largest: 0 });
    array.slice(50);
    Float32Array.from([1, 2, 3]);
    new ArrayBuffer(7);
    expect(read()).toEqual({ total: 400 + 12 + 7, largest: 400 });
    expect(() => new Uint8Array(2 ** 53 - 1)).toThrow(RangeError);
    expect(read().largest).toBe(2 ** 53 - 1);
    expect(array).toBeInstanceOf(Float64Array);
    expect(array.constructor).toBe(Float64Array);
  } finally {
    for (const [name, original] of originals) {
      world[name] = original;
      original.prototype.constructor = original;
    }
  }
});

it("allows buffers in proportion to the file", () => {
  expect(readerAllowance(1000, false).largest).toBeLessThan(2 ** 20 + 10_000);
  expect(readerAllowance(1000, true).largest).toBeGreaterThan(1000 * 1032);
});
