/**
 * Programs of this package sent as JSON text to another process: they give the same bits there, on the CPU and the GPU. Changed options and
 * tables end in one error.
 */
import { fileURLToPath } from "node:url";
import { type Constant, createRandom, evaluate, isRadarError, open, type Program, type TypedArrayOf } from "@dechirp/core";
import { decodeProgram, type EncodedProgram, encodeProgram } from "@dechirp/core/json";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import { describe, expect, test } from "vitest";
import { runElsewhere } from "../../../scripts/other-process.mjs";
import { type EfaProgramOptions, efa, efaGeometry, efaStages, efaSteering, stapKernels, uniformSteering } from "../src/index.ts";

const receiver = `import { stapKernels as kernels } from "./src/index.ts";
const options = { kernels };`;
const folder = fileURLToPath(new URL("..", import.meta.url));
const base: EfaProgramOptions = { channels: 3, pulses: 16, ranges: 64, steeringVectors: 5, blockRanges: 16 };
const throughText = (program: Program): Program => decodeProgram(JSON.stringify(encodeProgram(program)), { kernels: stapKernels });

function inputsOf(options: EfaProgramOptions): Readonly<Record<string, TypedArrayOf>> {
  const random = createRandom(9);
  const { channels, pulses, ranges, steeringVectors } = options;
  const spatial = Array.from({ length: steeringVectors }, (_, p) => uniformSteering(channels, p / steeringVectors - 0.4));
  return {
    cube: Float32Array.from({ length: 2 * channels * pulses * ranges }, () => random.gaussian()),
    steering: Float32Array.from(efaSteering(efaGeometry(options), spatial)),
  };
}

describe("EFA in another process gives the same bits", () => {
  test.each<[string, Partial<EfaProgramOptions>]>([
    ["fused", { dopplerBins: 20, centred: true, window: Float64Array.from({ length: 16 }, (_, t) => 1 + 0.5 * Math.sin(t)) }],
    ["in stages, by elimination", { fused: false, solver: "gauss-jordan", output: "complex", loading: 1e-3 }],
    [
      "with sliding training, the largest output kept",
      { training: { kind: "sliding", guardCells: 2 }, sharing: "none", maxOverSteering: true },
    ],
  ])("%s", async (_, more) => {
    const options = { ...base, ...more };
    const program = efa(options);
    const inputs = inputsOf(options);
    const text = JSON.stringify(encodeProgram(program));
    const there = await runElsewhere({ folder, options: receiver, text, inputs, devices: ["cpu", "gpu"] });
    for (const [name, backend] of [
      ["cpu", cpu()],
      ["gpu", gpu()],
    ] as const) {
      using device = await open(backend);
      const here = await evaluate(program, device, inputs);
      expect(here.y.some((value) => value !== 0)).toBe(true);
      for (const [output, { buffer, byteOffset, byteLength }] of Object.entries(here))
        expect(Buffer.from(buffer, byteOffset, byteLength).equals(there[name][output]), `${output} on the ${name}`).toBe(true);
    }
  });
});

describe("programs of EFA as JSON", () => {
  test("in every variant, whole and by stages", () => {
    const variants: readonly Partial<EfaProgramOptions>[] = [
      {},
      { training: { kind: "own" }, output: "mvdr", temporalTaps: 1 },
      { precision: "f64", sharing: "none", training: { kind: "adjacent", guardBlocks: 0 } },
      { fused: false, channels: 12, ranges: 128, blockRanges: 32, solver: "gauss-jordan" },
    ];
    for (const more of variants) {
      const options = { ...base, ...more };
      const { geometry: _, fused: __, ...stages } = { ...efaStages(options, { rowsPerInvocation: 3 }), fused: undefined };
      for (const program of [efa(options), ...Object.values(stages).filter((stage) => stage !== undefined)]) {
        const { inputs, outputs, steps } = throughText(program);
        expect({ inputs, outputs }).toEqual({ inputs: program.inputs, outputs: program.outputs });
        for (const [i, { op }] of steps.entries()) {
          const sent = program.steps[i].op;
          expect(JSON.stringify({ ...op, wasm: undefined })).toBe(JSON.stringify({ ...sent, wasm: undefined }));
          if (op.op !== "kernel" || sent.op !== "kernel") continue;
          const limits = { workgroupBytes: 32768, invocations: 256 };
          expect(op.wgsl?.({}, limits, undefined as never)).toEqual(sent.wgsl?.({}, limits, undefined as never));
        }
      }
    }
  });

  test("name training that is a function", () => {
    const cells = (block: number): readonly number[] => Array.from({ length: 40 }, (_, i) => (i + block) % 64);
    expect(() => encodeProgram(efa({ ...base, training: { kind: "custom", cells } }))).toThrowError(
      expect.objectContaining({ code: "input", fields: expect.objectContaining({ step: "covariance" }) }),
    );
  });

  test("with other tables are refused", () => {
    const program = efa(base);
    const document = encodeProgram(program);
    for (const name of ["pairs", "elements", "runs", "members"]) {
      const constant = program.constants?.[name] as Constant;
      const data = constant.data.slice();
      data[data.length - 1] += 1000;
      const changed = encodeProgram({ ...program, constants: { ...program.constants, [name]: { ...constant, data } } });
      expect(() => decodeProgram(changed, { kernels: stapKernels })).toThrowError(
        expect.objectContaining({ code: "input", fields: expect.objectContaining({ field: expect.stringMatching(`bind.${name}$`) }) }),
      );
    }
    expect(decodeProgram(document, { kernels: stapKernels }).name).toBe("efa");
  });

  test("with one table for very many kernels end in limit, soon", () => {
    const training = { kind: "sliding", cells: 5 } as const;
    const { covariance } = efaStages({ ...base, channels: 1, pulses: 1, temporalTaps: 1, ranges: 2 ** 15, training });
    const document = encodeProgram(covariance);
    const step = document.steps.find(({ bind }) => "means" in bind) as EncodedProgram["steps"][number];
    const copies = Array.from({ length: 250 }, (_, i) => ({ ...step, name: `copy ${i}`, bind: { ...step.bind, means: `means ${i}` } }));
    const decoded = (count: number) =>
      decodeProgram({ ...document, steps: [...document.steps, ...copies.slice(0, count)] }, { kernels: stapKernels });
    /** Least processor time of three runs, in microseconds. */
    const timeOf = (work: () => unknown): number => {
      const times = Array.from({ length: 3 }, () => {
        const start = process.cpuUsage();
        work();
        const { user, system } = process.cpuUsage(start);
        return user + system;
      });
      return Math.min(...times);
    };
    decoded(25);
    const few = timeOf(() => decoded(25));
    const refused = timeOf(() =>
      expect(() => decoded(copies.length)).toThrowError(
        expect.objectContaining({ code: "limit", fields: expect.objectContaining({ field: "program", limit: 2 ** 23 }) }),
      ),
    );
    // Ten times as many kernels take ten times as long, and not more.
    expect(refused).toBeLessThan(20 * few);
  });

  test("with changed options end in one error, or are valid", () => {
    const document = JSON.parse(JSON.stringify(encodeProgram(efa({ ...base, fused: false, training: { kind: "sliding", cells: 20 } }))));
    const hostile: readonly unknown[] = [
      null,
      true,
      0,
      -1,
      0.5,
      2,
      3,
      1024,
      2 ** 20,
      2 ** 24,
      1e308,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      "",
      "x",
      "1u); loop {}",
      "toString",
      [],
      {},
      { kind: "own" },
      { kind: "custom", cells: 3 },
      { kind: "sliding", cells: 1e9 },
      { kind: "adjacent", guardBlocks: 1 },
      { $number: "NaN" },
      { $array: 0 },
    ];
    const names = [
      ...new Set([
        ...Object.keys(document.steps[1].op.$recipe.parameters),
        "dopplerBins",
        "temporalTaps",
        "loading",
        "solver",
        "output",
        "sharing",
        "precision",
        "centred",
        "maxOverSteering",
        "rowsPerInvocation",
        "window",
        "fused",
        "other",
      ]),
    ];
    const seen = new Map<string, number>();
    for (let step = 1; step < document.steps.length; step++) {
      for (const name of names) {
        for (const value of hostile) {
          const copy = structuredClone(document);
          copy.steps[step].op.$recipe.parameters[name] = value;
          const start = process.cpuUsage();
          let verdict = "accepted";
          try {
            decodeProgram(copy as EncodedProgram, { kernels: stapKernels });
          } catch (error) {
            if (!isRadarError(error)) throw error;
            expect(error.cause, error.message).not.toBeInstanceOf(TypeError);
            verdict = error.code;
          }
          expect(["accepted", "input", "limit"]).toContain(verdict);
          expect(process.cpuUsage(start).user).toBeLessThan(3e6);
          seen.set(verdict, (seen.get(verdict) ?? 0) + 1);
        }
      }
    }
    expect(seen.get("input")).toBeGreaterThan(500);
    expect(seen.get("accepted")).toBeGreaterThan(10);
  });
});
