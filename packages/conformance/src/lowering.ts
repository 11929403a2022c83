/**
 * Checks that fused equals lowered. Every composite op runs in three ways: as the device plans it, with `{ fuse: false }`, and by core's
 * lowering step by step. The results must agree within rounding. Errors that all three share are found by the checks against the
 * definition.
 */
import { compile, evaluate, formatOp, type Layout, layout, type Op, portsOf, type TypedArrayOf, uniformsOf } from "@dechirp/core";
import { lower, sampleOps } from "@dechirp/core/backend";
import { lowerReduction } from "@dechirp/core/reduce";
import { close, isTrue } from "./assert.ts";
import { check, type Kit, suite } from "./kit.ts";
import { random, randomArray } from "./random.ts";
import { c64, complexTypes, runOp } from "./run.ts";
import { detect, integersTimesGain, shiftedTable, weighted } from "./samples.ts";
import { correct } from "./tolerance.ts";

/** Values for the uniforms of the kit's hooks. Any other uniform gets a value of its own. */
const uniformValues: Readonly<Record<string, number>> = { shift: 3, scale: 0.75, level: 2 };

async function agree(kit: Kit, op: Op, tolerance: number): Promise<void> {
  const source = random(formatOp(op).length);
  const inputs: Record<string, TypedArrayOf> = {};
  for (const [name, port] of Object.entries(portsOf(op))) if (port.access !== "write") inputs[name] = randomArray(port.layout, source);
  const uniforms = Object.fromEntries(Object.keys(uniformsOf(op)).map((name) => [name, uniformValues[name] ?? 1]));
  const fused = await runOp(kit.device, op, inputs, { uniforms });
  const apart = await runOp(kit.device, op, inputs, { uniforms, fuse: false });
  const program = lower(op) ?? lowerReduction(op);
  const lowered = program && (await evaluate(program, kit.device, inputs, { uniforms, fuse: false }));
  for (const [port, result] of Object.entries(fused.outputs)) {
    close(apart.outputs[port], result, tolerance, `${apart.text} against ${fused.text}`);
    if (lowered) close(lowered[port], result, tolerance, `core's lowering of ${formatOp(op)} against ${fused.text}`);
  }
}

type Case = readonly [shape: readonly number[], axis: number, n: number, keep: readonly [number, number]];

const cases: readonly Case[] = [
  [[5, 24], 1, 32, [3, 20]],
  [[24, 5], 0, 30, [0, 17]],
  [[3, 17, 4], 1, 17, [16, 1]],
  [[40], 0, 25, [5, 20]],
  [[2, 3, 2, 60], 3, 64, [10, 40]],
  [[97, 3], 0, 97, [0, 97]],
];
const shapes = (kit: Kit): readonly Case[] => (kit.sizes === "full" ? cases : cases.slice(0, 4));

/** Checks every variant of a transform: in each element type, plain, padded or cropped, and kept in part. */
async function forEachTransform(kit: Kit, make: (layout: Layout<"c64" | "c128">, axis: number) => Op): Promise<void> {
  for (const dtype of complexTypes(kit.device)) {
    for (const [shape, axis, n, keep] of shapes(kit)) {
      const op = make(layout(dtype, shape), axis);
      for (const more of [{}, { n }, { n, keep }])
        await agree(kit, { ...op, ...more } as Op, 2 * correct(n, dtype, 3) * Math.sqrt(n / keep[1]));
    }
  }
}

/** Checks that fused and lowered plans agree within rounding. */
export const lowering = suite("lowering", [
  check("the samples of every op", async (kit) => {
    for (const op of sampleOps()) {
      const extents = Object.values(portsOf(op)).flatMap((port) => port.layout.shape);
      await agree(kit, op, 2 * correct(Math.max(...extents), "c64", 6));
    }
  }),
  check("fft", async (kit) => {
    for (const inverse of [false, true]) await forEachTransform(kit, (l, axis) => ({ op: "fft", layout: l, axis, inverse }));
  }),
  check("spectral-filter and filter-inverse, line and all", async (kit) => {
    for (const op of ["spectral-filter", "filter-inverse"] as const) {
      for (const h of ["line", "all"] as const) await forEachTransform(kit, (l, axis) => ({ op, layout: l, axis, h }));
    }
  }),
  check("real-fft", async (kit) => {
    for (const [shape, axis, n] of shapes(kit)) {
      for (const keep of [undefined, [0, Math.floor(n / 2)] as const]) {
        const more = keep ? { n, keep } : { n };
        await agree(kit, { op: "real-fft", layout: layout("f32", shape), axis, inverse: false, ...more }, correct(n, "c64", 6));
        await agree(kit, { op: "real-fft", layout: layout("c64", shape), axis, inverse: true, ...more }, correct(n, "c64", 6));
      }
    }
  }),
  check("multiply, transpose, convert", async (kit) => {
    for (const h of ["line", "all"] as const) await agree(kit, { op: "multiply", layout: c64(3, 8, 5), axis: 1, h }, correct(1, "c64"));
    await agree(kit, { op: "transpose", layout: c64(3, 8, 5), permutation: [2, 0, 1] }, 0);
    await agree(kit, { op: "convert", layout: layout("ci16", [3, 8]), to: "c64", scale: 0.5 }, 0);
    await agree(kit, { op: "convert", layout: c64(3, 8), to: "ci8", scale: 100 }, 0);
  }),
  check("hooks on every transform", async (kit) => {
    const [lines, extent, n] = [4, 20, 32];
    const base = { layout: c64(lines, extent), axis: 1, n } as const;
    const loads = [undefined, integersTimesGain(lines, extent), shiftedTable(11)];
    const stores = [undefined, detect(), weighted(n)];
    for (const load of loads) {
      for (const store of stores) {
        if (!load && !store) continue;
        const hooked = { ...base, ...(load && { load }), ...(store && { store }) };
        const tolerance = 4 * correct(n, "c64", 5);
        await agree(kit, { op: "fft", inverse: false, ...hooked }, tolerance);
        await agree(kit, { op: "fft", inverse: true, ...hooked }, tolerance);
        for (const h of ["line", "all"] as const) {
          await agree(kit, { op: "spectral-filter", h, ...hooked }, tolerance);
          await agree(kit, { op: "filter-inverse", h, ...hooked }, tolerance);
        }
      }
    }
  }),
  check("in place, lowered", async (kit) => {
    const x = randomArray(c64(6, 32), random(4));
    const h = randomArray(c64(32), random(5));
    const ops: Op[] = [
      { op: "fft", layout: c64(6, 32), axis: 1, inverse: false },
      { op: "fft", layout: c64(6, 32), axis: 1, inverse: false, n: 40, keep: [8, 32] },
      { op: "fft", layout: c64(6, 32), axis: 1, inverse: false, store: weighted(32) },
      { op: "spectral-filter", layout: c64(6, 32), axis: 1, h: "line" },
      { op: "filter-inverse", layout: c64(6, 32), axis: 1, h: "line" },
      { op: "multiply", layout: c64(6, 32), axis: 1, h: "line" },
      { op: "transpose", layout: c64(6, 6, 32), permutation: [1, 0, 2] },
      { op: "convert", layout: c64(6, 32), to: "c64", scale: 3 },
    ];
    for (const op of ops) {
      const input = op.op === "transpose" ? randomArray(op.layout, random(6)) : x;
      const inputs = { in: input, h, weight: randomArray(layout("f32", [32]), random(7)) };
      const apart = await runOp(kit.device, op, inputs);
      for (const fuse of [true, false]) {
        const together = await runOp(kit.device, op, inputs, { inPlace: true, fuse });
        close(together.out, apart.out, 2 * correct(40, "c64", 3), `${together.text} in place`);
      }
    }
  }),
  check("a plan has a text and a cost", async (kit) => {
    const op: Op = { op: "spectral-filter", layout: c64(4, 60), axis: 1, h: "line" };
    for (const fuse of [true, false]) {
      using plan = await kit.device.plan(op, { fuse });
      isTrue(/spectral-filter/.test(plan.text), `text names the op: ${plan.text}`);
      const { flops, bytes, passes } = plan.cost;
      isTrue(
        [flops, bytes, passes].every((v) => Number.isFinite(v) && v > 0) && Number.isInteger(passes),
        `cost is positive: ${JSON.stringify(plan.cost)}`,
      );
      // Every implementation reads the input and writes the output at least once.
      isTrue(bytes >= 2 * 4 * 60 * 8, `cost counts input and output: ${bytes}`);
    }
    const program = lower(op);
    if (!program) return;
    using steps = await compile(program, kit.device, { fuse: false });
    isTrue(steps.cost.passes >= program.steps.length, "a program costs at least a pass a step");
  }),
]);
