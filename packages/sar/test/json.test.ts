/**
 * Programs of this package sent as JSON text to another process: they give the same bits there, on the CPU and the GPU. Changed parameters of
 * recipes end in one error.
 */
import { fileURLToPath } from "node:url";
import { random, randomArray } from "@dechirp/conformance";
import {
  createRandom,
  type Device,
  evaluate,
  isRadarError,
  layout,
  open,
  type Program,
  type TypedArrayOf,
  type Uniforms,
} from "@dechirp/core";
import { type DecodeOptions, decodeProgram, type EncodedProgram, encodeProgram } from "@dechirp/core/json";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import { interpolatorTable } from "@dechirp/radar/interpolation";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runElsewhere } from "../../../scripts/other-process.mjs";
import { backprojectionProgram } from "../src/backprojection/program.ts";
import {
  compressProfiles,
  fusedSarScene,
  type RangeDopplerParams,
  rangeDoppler,
  sarHooks,
  sarKernels,
  sarTuned,
  withDetection,
  withQuicklook,
} from "../src/index.ts";
import { inputsOf, shapeOf, uniformsOf } from "./backprojection-inputs.ts";
import { scenes } from "./backprojection-scenes.ts";

const options: DecodeOptions = { kernels: sarKernels, hooks: sarHooks, tuned: sarTuned };
const receiver = `import { sarHooks as hooks, sarKernels as kernels, sarTuned as tuned } from "./src/index.ts";
const options = { hooks, kernels, tuned };`;
const folder = fileURLToPath(new URL("..", import.meta.url));

let devices: Readonly<Record<"cpu" | "gpu", Device>>;
beforeAll(async () => {
  devices = { cpu: await open(cpu()), gpu: await open(gpu()) };
});
afterAll(() => {
  for (const device of Object.values(devices)) device[Symbol.dispose]();
});

type Inputs = Readonly<Record<string, TypedArrayOf>>;

type Names = readonly ("cpu" | "gpu")[];

/** Runs the program here and there, and compares bits. */
async function travels(program: Program, inputs: Inputs, uniforms: Uniforms = {}, names: Names = ["cpu", "gpu"]): Promise<void> {
  const text = JSON.stringify(encodeProgram(program));
  const there = await runElsewhere({ folder, options: receiver, text, inputs, uniforms, devices: names });
  for (const name of names) {
    const here = await evaluate(program, devices[name], inputs, { uniforms });
    for (const [output, data] of Object.entries(here)) {
      expect(data.some((value) => value !== 0 && !Number.isNaN(value))).toBe(true);
      expect(Buffer.from(data.buffer, data.byteOffset, data.byteLength).equals(there[name][output]), `${output} on the ${name}`).toBe(true);
    }
  }
}

/**
 * A small scene of noise, and the same programs for it. Software adapters compile the unrolled code of taps and long lines for half a minute,
 * so the GPU's scene is tiny, with 2 taps.
 */
function programsOf(lines: number, samples: number, more: Partial<RangeDopplerParams>) {
  const params: RangeDopplerParams = { ...fusedSarScene(lines, samples), ...more };
  const c64 = { raw: randomArray(layout("c64", [lines, samples]), random(1)) };
  const ci16 = { raw: randomArray(layout("ci16", [lines, samples]), random(2)) };
  const lineGain = Float32Array.from({ length: lines }, (_, i) => 1 + i / lines);
  const list: [string, () => Program, Inputs, Uniforms][] = [
    ["with raw integers and detection", () => withDetection(rangeDoppler({ ...params, rawType: "ci16", lineGain }), "power"), ci16, {}],
    [
      "in two dimensions, to grey levels",
      () => withDetection(rangeDoppler({ ...params, src: "doppler" }), "decibel"),
      c64,
      { lowDb: -40, highDb: 40 },
    ],
    [
      "in half precision, as a quicklook",
      () => withQuicklook(rangeDoppler({ ...params, storage: "f16", rawPeak: 2 }), { azimuthLooks: 4, rangeLooks: 2 }),
      c64,
      {},
    ],
  ];
  return list;
}

describe("a range-Doppler program in another process gives the same bits", () => {
  const rcmc = { kind: "sinc", taps: 2, window: "kaiser" } as const;
  test.each(programsOf(32, 64, {}))("%s, on the CPU", (_, make, inputs, uniforms) => travels(make(), inputs, uniforms, ["cpu"]));
  test.each(programsOf(8, 32, { azimuthLength: 8, rcmc }))("%s, on the GPU", (_, make, inputs, uniforms) =>
    travels(make(), inputs, uniforms, ["gpu"]),
  );
});

const profiles = (() => {
  const history = scenes.airborne.history();
  return compressProfiles(history, {});
})();
const grid = { ...scenes.airborne.grid, nx: 40, ny: 24 };
const interpolator = interpolatorTable({ kind: "sinc", taps: 8, window: "kaiser" }, { oversampling: 2 });

describe("a backprojection program in another process gives the same bits", () => {
  test.each([
    ["with parabolas", { curves: profiles.bins, tile: 16 }],
    ["with a table of taps and of sines, and sets", { taps: interpolator, sets: 2, sine: "table", tile: 8 }],
    ["linear, with anchors for tiles", { blockTiles: 0, tile: 8, order: 3, sine: "native" }],
  ] as const)("%s", async (_, more) => {
    const shape = shapeOf(profiles, grid, more);
    const {
      curves: _c,
      profiles: samples,
      taps: _t,
      sines: _s,
      ...inputs
    } = inputsOf(profiles, grid, { ...shape, ...(shape.curves && { curves: 4 }) });
    const image = new Float32Array(2 * grid.nx * grid.ny);
    await travels(
      backprojectionProgram(shape),
      { ...inputs, samples: samples ?? Float32Array.from(profiles.samples), image },
      uniformsOf(profiles, grid, shape),
    );
  });
});

describe("parameters of recipes that a stranger has changed", () => {
  const shape = shapeOf(profiles, grid, { taps: interpolator, sets: 2, sine: "table", tile: 8 });
  const scene = fusedSarScene(32, 64);
  const documents = [
    backprojectionProgram(shape),
    backprojectionProgram(shapeOf(profiles, grid, { curves: profiles.bins })),
    withDetection(rangeDoppler({ ...scene, storage: "f16", rawPeak: 1 }), "decibel"),
    rangeDoppler({ ...scene, src: "doppler" }),
  ].map((program) => encodeProgram(program));
  type Json = Record<string, unknown>;
  const places = (value: unknown, path: readonly string[] = []): (readonly string[])[] =>
    typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([name, field]) => [[...path, name], ...places(field, [...path, name])])
      : [];
  const hostile: readonly unknown[] = [
    null,
    true,
    0,
    -1,
    0.5,
    3,
    24,
    1e9,
    2 ** 31,
    1e308,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    "",
    "x",
    "1u); loop {}",
    "toString",
    [],
    [[]],
    [[1e308]],
    {},
    { $array: 0 },
    { $array: 1 },
    { $number: "NaN" },
    { $number: "-0" },
    { dtype: "c64", shape: [1, 1] },
    { dtype: "f32", shape: [2 ** 31] },
  ];
  const judge = async (document: EncodedProgram): Promise<string> => {
    try {
      const { steps } = decodeProgram(document, options);
      // What is accepted must be what a GPU's compiler can be given without fear: short.
      for (const { op } of steps) {
        if (op.op !== "kernel") continue;
        const items = () => ({ code: "", dispatches: [] });
        const wgsl = op.wgsl?.({}, { workgroupBytes: 32768, invocations: 1024 }, { items, hook: () => "", fft: () => undefined });
        expect(wgsl?.code.length ?? 0).toBeLessThan(500_000);
      }
      return "accepted";
    } catch (error) {
      if (!isRadarError(error)) throw error;
      expect(["input", "limit"]).toContain(error.code);
      expect(error.cause).not.toBeInstanceOf(TypeError);
      return error.code;
    }
  };

  test("each value of each recipe", async () => {
    const seen = new Map<string, number>();
    for (const document of documents) {
      const inRecipe = places(document).filter((path) => path.includes("$recipe") && !(Number(path.at(-1)) > 1));
      expect(inRecipe.length).toBeGreaterThan(3);
      for (const path of inRecipe) {
        for (const value of hostile) {
          const copy = structuredClone(document) as unknown as Json;
          (path.slice(0, -1).reduce((at, name) => at[name] as Json, copy) as Json)[path.at(-1) as string] = value;
          const verdict = await judge(copy as unknown as EncodedProgram);
          seen.set(verdict, (seen.get(verdict) ?? 0) + 1);
        }
      }
    }
    expect(seen.get("input")).toBeGreaterThan(300);
    expect(seen.get("accepted")).toBeGreaterThan(0);
  });

  test("values at random, several at once", async () => {
    const random = createRandom(7);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random.uniform() * list.length)];
    for (let turn = 0; turn < 400; turn++) {
      const copy = structuredClone(pick(documents)) as unknown as Json;
      for (let changes = 0; changes < 3; changes++) {
        const path = pick(places(copy).filter((path) => path.includes("$recipe") || path.includes("sources") || path.includes("shape")));
        if (!path) break;
        (path.slice(0, -1).reduce((at, name) => at[name] as Json, copy) as Json)[path.at(-1) as string] = pick(hostile);
      }
      await judge(copy as unknown as EncodedProgram);
    }
  });
});
