/**
 * Tests the laboratory's shuffle kernel with subgroups of every size, whatever the adapter has: the builtins of subgroups are replaced by
 * functions that pass values through workgroup memory, and invocations are in subgroups in an order of their own. The replaced functions
 * compute what WGSL defines.
 */
import { type Device, fft, layout, open } from "@dechirp/core";
import { mix32 } from "@dechirp/core/internal";
import { unitRoot } from "@dechirp/core/tables";
import { expect, it } from "vitest";
import { gpu } from "../src/index.ts";
import { type Variant, type VariantLimits, variants } from "../src/lab.ts";

const { shuffle } = variants;

interface Emulated {
  /** The size that the plan assumes, as the smallest and largest of the device. */
  readonly assumed: readonly [number, number];
  /** The size that the kernel finds, and the number of subgroups, which is larger if some are not full. */
  readonly size: number;
  readonly more?: number;
  readonly language?: readonly string[];
  readonly features?: readonly string[];
}

/** The variant, planned and run with subgroups of the given kind. */
const emulated = ({ assumed, size, more = 0, language = ["subgroup_id"], features = [] }: Emulated): Variant => ({
  ...shuffle,
  plan(transform, limits) {
    const given: VariantLimits = {
      ...limits,
      workgroupBytes: 16_384, // the rest is for the functions below
      subgroups: assumed,
      features: new Set(features),
      language: new Set(language),
    };
    const planned = shuffle.plan(transform, given);
    if (!("dispatches" in planned)) return planned;
    const dispatches = planned.dispatches.map((dispatch) => ({ ...dispatch, code: withEmulation(dispatch.code, size, more), enables: [] }));
    return { ...planned, dispatches };
  },
});

function withEmulation(code: string, size: number, more: number): string {
  const threads = Number(/@workgroup_size\((\d+)\)/.exec(code)?.[1]);
  // Invocation i is lane (3i + 1) mod S of subgroup (last − i/S).
  const lane = `(3u * tid + 1u) % ${size}u`;
  const subgroup = `${threads / size - 1}u - tid / ${size}u`;
  const start = [
    "dechirp_tid = tid;",
    `let subgroup_size = ${size}u;`,
    `let lane = ${lane};`,
    `dechirp_at = (${subgroup}) * ${size}u + lane;`,
    ...(code.includes("@builtin(subgroup_id)") ? [`let subgroup_id = ${subgroup};`, `let num_subgroups = ${threads / size + more}u;`] : []),
  ];
  return [
    `var<private> dechirp_tid: u32;
var<private> dechirp_at: u32;
var<workgroup> dechirp_passed: array<vec2f, ${threads}>;
fn passed_xor(value: vec2f, mask: u32) -> vec2f {
  workgroupBarrier();
  dechirp_passed[dechirp_at] = value;
  workgroupBarrier();
  return dechirp_passed[dechirp_at ^ mask];
}
fn passed_first(value: u32) -> u32 {
  if (dechirp_at % ${size}u == 0u) { dechirp_passed[dechirp_at] = vec2f(f32(value), 0.0); }
  workgroupBarrier();
  return u32(dechirp_passed[dechirp_at - dechirp_at % ${size}u].x);
}`,
    code
      .replace(/, @builtin\((subgroup_\w+|num_subgroups)\) \w+: u32/g, "")
      .replace(/ @subgroup_size\(\d+\)/, "")
      .replaceAll("subgroupShuffleXor(", "passed_xor(")
      .replaceAll("subgroupBroadcastFirst(", "passed_first(")
      .replaceAll("subgroupElect()", `(dechirp_at % ${size}u == 0u)`)
      .replace(/(fn main\(.*\) \{\n)/, `$1${start.join("\n")}\n`),
  ].join("\n");
}

/** The relative L2 error of a transform of three lines, at 16 bins of each, and the text of the plan. */
async function errorOf(
  device: Device,
  variant: string,
  n: number,
  inverse: boolean,
): Promise<{ readonly error: number; readonly text: string }> {
  const shape = layout("c64", [3, n]);
  const x = Float32Array.from({ length: 6 * n }, (_, i) => mix32(i) / 2 ** 32 - 0.5);
  using plan = await device.plan(fft(shape, { axis: 1, inverse }), { variant });
  using from = device.alloc(shape);
  using to = device.alloc(shape);
  from.write(x);
  plan.run({ in: from, out: to });
  const found = await to.read();
  let [wrong, energy] = [0, 0];
  for (let line = 0; line < 3; line++)
    for (let b = 0; b < 16; b++) {
      const k = (b * 7919 + n / 2) % n;
      let [re, im] = [0, 0];
      for (let i = 0; i < n; i++) {
        const [c, s] = unitRoot((i * k) % n, n);
        const [vx, vy] = [x[2 * (line * n + i)], x[2 * (line * n + i) + 1]];
        re += inverse ? vx * c + vy * s : vx * c - vy * s;
        im += inverse ? vy * c - vx * s : vy * c + vx * s;
      }
      const gain = inverse ? 1 / n : 1;
      wrong += (found[2 * (line * n + k)] - gain * re) ** 2 + (found[2 * (line * n + k) + 1] - gain * im) ** 2;
      energy += (gain * re) ** 2 + (gain * im) ** 2;
    }
  return { error: Math.sqrt(wrong / energy), text: plan.text };
}

/** Opens a device that has the variant under its own features, and measures. */
async function measured(kind: Emulated, n: number, inverse = false): Promise<{ readonly error: number; readonly text: string }> {
  using device = await open(gpu({ variants: { emulated: emulated(kind) } }));
  return await errorOf(device, "emulated", n, inverse);
}

const bound = (n: number): number => shuffle.error(n);

it.each([4, 8, 16, 32, 64, 128])("subgroups of %i lanes, in any order", async (size) => {
  for (const [n, inverse] of [
    [256, true],
    [2048, false],
  ] as const) {
    const { error, text } = await measured({ assumed: [size, size], size }, n, inverse);
    expect(text).toContain(`of ${size} lanes`);
    expect(error).toBeLessThan(bound(n));
  }
});

it("a device with several sizes has code for each", async () => {
  for (const size of [8, 32]) {
    const { error, text } = await measured({ assumed: [8, 32], size }, 512);
    expect(text).toMatch(/of 8 lanes or .* of 16 lanes or .* of 32 lanes/);
    expect(error).toBeLessThan(bound(512));
  }
});

it("a device that lets kernels ask for the size has code for that size", async () => {
  const { error, text } = await measured({ assumed: [8, 64], size: 32, features: ["subgroup-size-control"] }, 512);
  expect(text).toContain("radix=8·(32)·2 of 32 lanes ");
  expect(error).toBeLessThan(bound(512));
});

it("subgroups of an unexpected size, and subgroups that are not full, do no harm", async () => {
  for (const kind of [
    { assumed: [32, 32], size: 8 },
    { assumed: [8, 8], size: 8, more: 1 },
  ] as const) {
    const { error } = await measured(kind, 512);
    expect(error).toBeLessThan(bound(512));
  }
});

it("subgroups number themselves if WGSL has no number for them", async () => {
  const { error } = await measured({ assumed: [8, 8], size: 8, language: [] }, 512);
  expect(error).toBeLessThan(bound(512));
});
