/**
 * Cases that are measured on the device's clock, as data: arrays, the ways to compute the same result, the expected result, and the work
 * of a peer. Sizes follow from a number of elements, so that a slow device runs the same cases at smaller sizes.
 */
import { type Device, elementCount, type Layout, layout, type Op, type Plan } from "@dechirp/core";
import { load, map, times, type Value } from "@dechirp/core/expression";
import { timeOnDevice } from "@dechirp/fft-gpu";
import { weightedSum, windowFilters } from "../cases/stencils.ts";
import { transformFlops } from "../runner.ts";
import { type AxesWork, axesWork, elementsOf } from "./axes.ts";
import type { PeerWork } from "./peer.ts";
import { realInverseWork, realLengths, realWork } from "./real.ts";
import { dft, energyOf, lineOf, product, rowSpectra, type Sample, sampledError, spreadOver } from "./reference.ts";
import type { GpuContender } from "./rounds.ts";
import type { Way, Work } from "./work.ts";

/** What cases are set up with. */
export interface Ground {
  readonly device: Device;
  /** Random numbers between −½ and ½ for complex elements. The input of a case is its first part. */
  readonly data: Float32Array;
  /** Further devices on which every case runs, with their names. */
  readonly variants?: readonly { readonly name: string; readonly device: Device }[];
  /** The CPU device, for comparison. */
  cpu(): Promise<Device>;
}

/** A case of the GPU bench. */
export interface GpuCase {
  readonly name: string;
  readonly errorKind: string;
  readonly clock: "device" | "host";
  readonly peer?: PeerWork;
  /** Libraries of npm as contenders, by name, or the reasons why they are left out. Their results are right. */
  npm?(data: Float32Array): Promise<Readonly<Record<string, GpuContender | string>>>;
  setUp(ground: Ground): Promise<GpuSetUp>;
}

/** The contenders of a case. */
export interface GpuSetUp {
  /** The contenders, ours first. */
  readonly contenders: readonly GpuContender[];
  /** Contenders that could not be set up, with the reason. */
  readonly failed?: Readonly<Record<string, string>>;
  /** Frees what the contenders share. Called after their own `dispose`. */
  dispose?(): void;
}

/** Lengths: powers of two, small primes, then 2³5³, 2⁹3, 3²5·7·13, 2¹²3 and a prime. */
export const gpuLengths = [...Array.from({ length: 19 }, (_, i) => 2 ** (i + 4)), 7, 17, 31, 61, 1000, 1536, 4095, 12_288, 10_007] as const;

function fftWork(n: number, elements: number): Work {
  const lines = Math.floor(elements / n);
  const shape = layout("c64", [lines, n]);
  return {
    name: `fft c64 ${lines}×${n}`,
    arrays: { in: shape, out: shape },
    ways: [{ steps: [{ op: { op: "fft", layout: shape, axis: 1, inverse: false }, bind: { in: "in", out: "out" } }] }],
    flops: transformFlops(lines, n),
    gain: n,
    samples: (x) => rowSpectra(x, n, lines),
    peer: { kind: "fft", lines, n },
  };
}

/** A few lines, whose runs are so short that it counts how one follows another. */
function fewLinesWork(n: number, lines: number): Work {
  return { ...fftWork(n, n * lines), peer: { kind: "fft", lines, n, how: "graph" } };
}

/** A transform whose load, an expression, multiplies with a complex window, beside the transform without it. */
function hookedWork(n: number, elements: number): Work {
  const plain = fftWork(n, elements);
  const shape = plain.arrays["in"];
  const [lines] = shape.shape;
  const window = layout("c64", [n]);
  const hook = load({ name: "window", layout: shape, sources: { x: shape, w: window } }, ({ at, x, w }) =>
    times(x(at) as Value<"complex">, w(at[1])),
  );
  return {
    ...plain,
    name: `fft of a window c64 ${lines}×${n}`,
    arrays: { ...plain.arrays, h: window },
    ways: [
      {
        steps: [
          { op: { op: "fft", layout: shape as Layout<"c64">, axis: 1, inverse: false, load: hook }, bind: { x: "in", w: "h", out: "out" } },
        ],
      },
      { ...plain.ways[0], name: "without the window", samples: plain.samples },
    ],
    samples: (x, h) => spreadOver(lines).map((l) => ({ start: l * n, stride: 1, values: dft(product(lineOf(x, n, l * n), h)) })),
  };
}

/** A map of five operations that together multiply with unit vectors, beside the op that multiplies. */
function mapWork(n: number, elements: number): Work {
  const lines = Math.floor(elements / n);
  const shape = layout("c64", [lines, n]);
  const line = layout("c64", [n]);
  const op = map({ shape: shape.shape, sources: { in: shape, h: line }, outputs: { out: "c64" } }, "w = h[i1]; -(in * w * w * conj(-w))");
  const bind = { in: "in", h: "h", out: "out" };
  return {
    name: `map c64 ${lines}×${n}`,
    arrays: { in: shape, h: line, out: shape },
    ways: [{ steps: [{ op, bind }] }, { name: "multiply", steps: [{ op: { op: "multiply", layout: shape, axis: 1, h: "line" }, bind }] }],
    flops: 20 * lines * n,
    gain: 1,
    samples: (x, h) => spreadOver(lines).map((l) => ({ start: l * n, stride: 1, values: product(lineOf(x, n, l * n), h) })),
  };
}

function filterWork(n: number, elements: number): Work {
  const lines = Math.floor(elements / n);
  const shape = layout("c64", [lines, n]);
  const line = layout("c64", [n]);
  const op: Op = { op: "spectral-filter", layout: shape, axis: 1, h: "line" };
  const computed: Op = { ...op, h: load({ name: "filter", layout: shape, sources: { filter: line } }, ({ at, filter }) => filter(at[1])) };
  const bind = { in: "in", h: "h", out: "out" };
  return {
    name: `FFT·H·IFFT c64 ${lines}×${n}`,
    arrays: { in: shape, h: line, out: shape },
    ways: [
      { steps: [{ op, bind }] },
      { name: "not fused", steps: [{ op, bind, options: { fuse: false } }] },
      { name: "computed", steps: [{ op: computed, bind: { in: "in", filter: "h", out: "out" } }] },
    ],
    flops: 2 * transformFlops(lines, n) + 6 * lines * n,
    gain: 1,
    samples: (x, h) => spreadOver(lines).map((l) => ({ start: l * n, stride: 1, values: dft(product(dft(lineOf(x, n, l * n)), h), true) })),
    peer: { kind: "filter", lines, n },
  };
}

function transposeWork(side: number): Work {
  const shape = layout("c64", [side, side]);
  return {
    name: `transpose c64 ${side}×${side}`,
    arrays: { in: shape, out: shape },
    ways: [{ steps: [{ op: { op: "transpose", layout: shape, permutation: [1, 0] }, bind: { in: "in", out: "out" } }] }],
    flops: 0,
    gain: 1,
    samples: (x) => spreadOver(side, 16).map((r) => ({ start: r * side, stride: 1, values: lineOf(x, side, r, side) })),
    peer: { kind: "transpose", lines: side, n: side },
  };
}

/** Filters over windows of square images. Columns are sampled so densely that each tile of a device has one, and some rows. */
function stencilWorks(side: number): readonly Work[] {
  return windowFilters.flatMap((filter) =>
    (["f32", "c64"] as const).map((dtype): Work => {
      const shape = layout(dtype, [side, side]);
      const components = dtype === "c64" ? 2 : 1;
      const { weights, kind } = filter;
      return {
        name: `${filter.name} ${dtype} ${side}×${side}`,
        arrays: { in: shape, out: shape },
        ways: [{ steps: [{ op: filter.op(shape), bind: { x: "in", out: "out" } }] }],
        flops: 2 * components * weights.length ** 2 * side * side,
        samples: (x) => {
          const line = (start: number, stride: number): Sample => ({
            ...{ start, stride },
            values: Float64Array.from({ length: components * side }, (_, i) =>
              weightedSum(weights, x, side, start + Math.floor(i / components) * stride, components, i % components),
            ),
          });
          const columns = Array.from({ length: Math.ceil(side / 61) }, (_, i) => line(61 * i, side));
          return [...columns, ...spreadOver(side, 5).map((row) => line(row * side, 1))];
        },
        peer: { kind: dtype === "c64" ? kind : (`${kind}-real` as const), lines: side, n: side },
      };
    }),
  );
}

const fewLinesLengths = [1024, 4096, 65_536];

/** The side of a square with about this many elements. */
export const sideOf = (elements: number): number => 2 ** Math.floor(Math.log2(elements) / 2);

/** Columns of a square, the first axis of a cube, long columns, and both axes of a square. */
function usualAxes(elements: number): readonly AxesWork[] {
  const [side, log] = [sideOf(elements), Math.log2(elements)];
  return [
    { shape: [side, side], axes: [0] },
    { shape: [2 ** Math.floor(log / 3), 2 ** Math.ceil((2 * log) / 3)], axes: [0] },
    ...[65_536].filter((n) => 4 * n <= elements).map((n) => ({ shape: [n, 2 ** Math.floor(Math.log2(elements / n))], axes: [0] })),
    { shape: [side, side], axes: [0, 1] },
  ];
}

/** Every case for arrays of about `elements` complex numbers, with transforms of the lengths `given` and along `axes` instead of the usual ones. */
export function deviceCases(elements: number, given?: readonly number[], axes?: readonly AxesWork[]): GpuCase[] {
  const lengths = given ?? gpuLengths;
  const side = sideOf(elements);
  const fitting = (n: number): boolean => n <= elements;
  return [
    ...lengths.filter(fitting).map((n) => fftWork(n, elements)),
    ...(given ?? fewLinesLengths).flatMap((n) =>
      [1, 4, 16].filter((lines) => 2 * n * lines <= elements).map((lines) => fewLinesWork(n, lines)),
    ),
    ...(axes ?? usualAxes(elements)).filter((work) => fitting(elementsOf(work))).map(axesWork),
    ...[1024, 2048, 4096].filter(fitting).map((n) => filterWork(n, elements)),
    ...[1024, 4096].filter(fitting).map((n) => hookedWork(n, elements)),
    ...[4096].filter(fitting).map((n) => mapWork(n, elements)),
    transposeWork(side),
    ...(given ?? realLengths).filter(fitting).flatMap((n) => [realWork(n, elements), realInverseWork(n, elements)]),
    ...stencilWorks(side),
  ].map(caseOf);
}

/** Makes a case of some work. */
export function caseOf(work: Work): GpuCase {
  return {
    name: work.name,
    errorKind: "relative L2 on sampled lines against float64, or of the whole energy if worse",
    clock: "device",
    ...(work.peer && { peer: work.peer }),
    async setUp({ device, data, variants = [] }) {
      const contenders: GpuContender[] = [];
      const failed: Record<string, string> = {};
      for (const [v, on] of [{ name: "dechirp", device }, ...variants].entries()) {
        const ways = v === 0 ? work.ways : work.ways.slice(0, 1);
        const inputs = fill(work, on.device, data);
        const before = contenders.length;
        for (const way of ways) {
          const name = way.name ? `${on.name} ${way.name}` : on.name;
          try {
            contenders.push(await contenderOf(work, way, { name, device: on.device, inputs, data }));
          } catch (error) {
            failed[name] = (error as Error).message;
          }
        }
        if (contenders.length === before) for (const array of Object.values(inputs)) array[Symbol.dispose]();
      }
      return { contenders, failed };
    },
  };
}

type Arrays = Readonly<Record<string, ReturnType<Device["alloc"]>>>;

/** Number of scalars of a complex or real array. */
const numbersOf = (of: Layout): number => elementCount(of) * (of.dtype === "c64" ? 2 : 1);

/** Unit vectors of random phase: a filter that keeps energy. */
function unitVectors(data: Float32Array, n: number): Float32Array {
  const h = new Float32Array(2 * n);
  for (let k = 0; k < n; k++) {
    const angle = 2 * Math.PI * data[data.length - 1 - k];
    h[2 * k] = Math.cos(angle);
    h[2 * k + 1] = Math.sin(angle);
  }
  return h;
}

function fill({ arrays }: Work, device: Device, data: Float32Array): Arrays {
  const input = device.alloc(arrays["in"], "in");
  input.write(data.subarray(0, numbersOf(arrays["in"])));
  if (!arrays["h"]) return { in: input };
  const h = device.alloc(arrays["h"], "h");
  h.write(unitVectors(data, elementCount(arrays["h"])));
  return { in: input, h };
}

interface On {
  readonly name: string;
  readonly device: Device;
  readonly inputs: Arrays;
  readonly data: Float32Array;
}

/** Milliseconds of one of the `runs` runs that `queue` queues, on the device's clock if it has one. */
export async function timeRuns(device: Device, runs: number, queue: () => void): Promise<number> {
  const onDevice = await timeOnDevice(device, queue);
  if (onDevice !== undefined) return onDevice / runs;
  await device.ready();
  const start = performance.now();
  queue();
  await device.ready();
  return (performance.now() - start) / runs;
}

/** A contender with a result array of its own, so that what was timed is checked. */
async function contenderOf(work: Work, { steps, samples = work.samples }: Way, { name, device, inputs, data }: On): Promise<GpuContender> {
  const { arrays } = work;
  const own: Record<string, ReturnType<Device["alloc"]>> = {};
  const plans: Plan[] = [];
  const dispose = (): void => {
    for (const thing of [...plans, ...Object.values(own), ...Object.values(inputs)]) thing[Symbol.dispose]();
  };
  try {
    for (const [key, of] of Object.entries(arrays)) if (!inputs[key]) own[key] = device.alloc(of, key);
    for (const { op, options } of steps) plans.push(await device.plan(op, options));
  } catch (error) {
    for (const thing of [...plans, ...Object.values(own)]) thing[Symbol.dispose]();
    throw error;
  }
  const all = { ...inputs, ...own };
  const bindings = steps.map(({ bind }) => Object.fromEntries(Object.entries(bind).map(([port, key]) => [port, all[key]])));
  const once = (): void => {
    for (const [s, plan] of plans.entries()) plan.run(bindings[s]);
  };
  const times = (runs: number): void => {
    for (let r = 0; r < runs; r++) once();
  };
  return {
    name: `${name} ${plans.map((plan) => plan.text).join(" ")}`,
    kind: "ours",
    bytes: work.bytes ?? 4 * (numbersOf(arrays["in"]) + numbersOf(arrays["out"])),
    flops: work.flops,
    async sample(runs) {
      times(Math.min(5, runs));
      return timeRuns(device, runs, () => times(runs));
    },
    async error() {
      const x = data.subarray(0, numbersOf(arrays["in"]));
      const h = arrays["h"] ? unitVectors(data, elementCount(arrays["h"])) : new Float32Array();
      if (work.adds) {
        all["out"].write(new Float32Array(numbersOf(arrays["out"])));
        times(2);
      }
      const result = (await all["out"].read()) as Float32Array;
      const sampled = sampledError(result, samples(x, h), arrays["out"].dtype === "c64" ? 2 : 1);
      if (work.gain === undefined) return sampled;
      const energy = energyOf(result, arrays["out"].shape[1], work.weight) / (work.gain * energyOf(x));
      const whole = Math.abs(energy - 1);
      return Math.max(sampled, Number.isNaN(whole) ? Number.POSITIVE_INFINITY : whole);
    },
    dispose,
  };
}
