/** Tests of `open`: the order of backends and their reasons; and the public surfaces of the package. */
import { expect, test } from "vitest";
import * as backend from "../src/backend.ts";
import * as comparing from "../src/compare.ts";
import * as core from "../src/index.ts";
import { type Backend, open, RadarError } from "../src/index.ts";
import * as internal from "../src/internal.ts";
import * as tables from "../src/tables.ts";
import { fake } from "./fake.ts";

const opened: string[] = [];
const works = (id: string): Backend => ({
  id,
  contract: 1,
  async open() {
    opened.push(id);
    return { ...fake().device, id };
  },
});
const fails = (id: string, error: unknown): Backend => ({ id, contract: 1, open: () => Promise.reject(error) });
const reason = (message: string): RadarError => new RadarError("no-backend", message);

test("takes the first backend that opens and does not try the others", async () => {
  opened.length = 0;
  expect((await open(fails("gpu", reason("no adapter")), works("first"), works("second"))).id).toBe("first");
  expect(opened).toEqual(["first"]);
});

test("gives every backend's reason if none opens", async () => {
  await expect(open(fails("gpu", reason("no adapter")), fails("npu", reason("no driver")))).rejects.toMatchObject({
    code: "no-backend",
    message: "no backend could be opened (gpu: no adapter; npu: no driver)",
    fields: { reasons: { gpu: "no adapter", npu: "no driver" } },
  });
});

test("tries the next backend if the host has no memory for a device", async () => {
  const full = fails("cpu", new RangeError("Array buffer allocation failed"));
  expect((await open(full, works("first"))).id).toBe("first");
  await expect(open(full)).rejects.toMatchObject({ code: "no-backend", message: expect.stringContaining("no memory for backend cpu") });
});

test("says that no backend was given", async () => {
  await expect(open()).rejects.toMatchObject({ code: "no-backend", message: "no backend was given" });
});

test("names a backend of another contract", async () => {
  const future = { ...works("future"), contract: 2 } as unknown as Backend;
  await expect(open(future, works("first"))).rejects.toMatchObject({
    code: "no-backend",
    fields: { backend: "future" },
    message: /contract 2/,
  });
});

test("names an argument that is not a backend", async () => {
  for (const wrong of [undefined, null, works, "cpu", {}, [works("first")], Symbol("cpu")])
    await expect(open(works("first"), wrong as never)).resolves.toBeDefined();
  for (const wrong of [undefined, null, works, "cpu", {}, [works("first")], Symbol("cpu")])
    await expect(open(wrong as never, works("first"))).rejects.toMatchObject({
      code: "input",
      message: expect.stringMatching(/^backends\[0\] must be a backend, such as cpu\(\)/),
      fields: { field: "backends[0]" },
    });
});

test("does not try the next backend after a bug in one", async () => {
  for (const cause of [new TypeError("oops"), Object.create(null), null, Symbol("oops")]) {
    await expect(open(fails("gpu", cause), works("first"))).rejects.toMatchObject({
      code: "failed",
      fields: { what: "backend gpu" },
      cause,
    });
  }
});

test("does not try the next backend after a wrong option", async () => {
  opened.length = 0;
  const wrong = new RadarError("input", 'limits must be adapter or default, not "typo"', { field: "limits" });
  await expect(open(fails("gpu", wrong), works("first"))).rejects.toBe(wrong);
  expect(opened).toEqual([]);
});

test("the public surface", () => {
  expect(Object.keys(core).sort()).toMatchInlineSnapshot(`
    [
      "ArrayView",
      "RadarError",
      "byteLength",
      "checkLayout",
      "compile",
      "convert",
      "createPause",
      "createRandom",
      "dtypes",
      "elementCount",
      "evaluate",
      "fft",
      "filterInverse",
      "formatLayout",
      "formatOp",
      "inputError",
      "isRadarError",
      "isTransform",
      "kernel",
      "layout",
      "maxTransformLength",
      "messageOf",
      "multiply",
      "nextFastLength",
      "open",
      "portsOf",
      "program",
      "realFft",
      "realOf",
      "resultLayout",
      "runInPieces",
      "sameLayout",
      "scalarCount",
      "spectralFilter",
      "throwIfAborted",
      "transform",
      "transformLayout",
      "transformLength",
      "transpose",
      "typedArray",
      "uniformsOf",
      "validateOp",
      "withAxis",
    ]
  `);
});

test("the surface for authors of backends", () => {
  expect(Object.keys(backend).sort()).toMatchInlineSnapshot(`
    [
      "addCosts",
      "afterTurn",
      "asRadarError",
      "axisView",
      "createDevice",
      "filterHookOf",
      "hooksText",
      "keptLayout",
      "layoutError",
      "lower",
      "onePassCost",
      "referenceOf",
      "requireSynchronous",
      "sampleOps",
      "wgslStored",
    ]
  `);
});

test("the helpers that packages of dechirp share", () => {
  expect(Object.keys(internal).sort()).toMatchInlineSnapshot(`
    [
      "callListener",
      "checkDevice",
      "checkFields",
      "checkObject",
      "checkSeed",
      "checkSpelling",
      "copyInto",
      "describe",
      "firstNotFinite",
      "forEachSlice",
      "isArrayOf",
      "isWhole",
      "lazyModules",
      "maxWasmConstant",
      "memorySizeText",
      "mix32",
      "nearestSpelling",
      "nextTurn",
      "onAbort",
      "oneLine",
      "runAbortable",
      "runToEnd",
      "sortSteps",
      "unlessAborted",
      "wgslFloat",
      "wgslIndex",
    ]
  `);
});

test("the surface for comparing devices and profiling programs", () => {
  expect(Object.keys(comparing).sort()).toEqual(["compare", "differenceOf", "differenceSteps", "profileProgram"]);
});

test("the surface for backends that make tables", () => {
  expect(Object.keys(tables).sort()).toEqual([
    "chirpSpectrum",
    "isSmooth",
    "legFactors",
    "lineStages",
    "matrixOf",
    "putChirp",
    "putRoot",
    "rootsOf",
    "runStages",
    "unitRoot",
  ]);
});
