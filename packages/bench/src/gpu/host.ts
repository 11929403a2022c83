/**
 * Cases that are measured on the host's clock: planning, queueing, transfers, and the size from which on the GPU is faster including
 * transfers from and to the host, beside the CPU device in the same turns.
 */
import { type Device, type Fft, layout, type Op, type Plan, type Store } from "@dechirp/core";
import { transformFlops } from "../runner.ts";
import type { GpuCase } from "./cases.ts";
import { jaxContender } from "./jax-js.ts";
import { dft, lineOf, rowSpectra, type Sample, sampledError } from "./reference.ts";
import type { GpuContender } from "./rounds.ts";

const noError = (): number => Number.NaN;

/** Milliseconds of one of `runs` runs. */
async function timed(runs: number, run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  for (let r = 0; r < runs; r++) await run();
  return (performance.now() - start) / runs;
}

let texts = 0;

/** A store hook that multiplies by a number that no plan had before, so that its text and its pipelines are new. */
function freshStore(): Store {
  texts += 1;
  const scale = 1 + texts / 2 ** 20;
  return {
    name: "fresh",
    dtype: "c64",
    constants: { scale },
    sources: {},
    reference: (_, [re, im]) => [re * scale, im * scale],
    wgsl: () => `return value * ${scale};`,
  };
}

function planCase(n: number, lines: number): GpuCase {
  const op: Fft = { op: "fft", layout: layout("c64", [lines, n]), axis: 1, inverse: false };
  return {
    name: `plan of fft c64 ${lines}×${n}`,
    errorKind: "",
    clock: "host",
    async setUp({ device }) {
      const kept = await device.plan(op);
      const planned = async (of: Op): Promise<void> => (await device.plan(of))[Symbol.dispose]();
      const contender = (name: string, make: () => Op): GpuContender => ({
        name,
        kind: "ours",
        bytes: 0,
        flops: 0,
        sample: (runs) => timed(runs, () => planned(make())),
        error: noError,
      });
      const first = contender("first", () => ({ ...op, store: freshStore() }));
      return { contenders: [first, { ...contender("again", () => op), dispose: () => kept[Symbol.dispose]() }] };
    },
  };
}

const tinyRuns = 1000;

const tinyCase: GpuCase = {
  name: `${tinyRuns} runs of fft c64 1×16 and one read, a run`,
  errorKind: "relative L2 against float64",
  clock: "host",
  async setUp({ device, data }) {
    const shape = layout("c64", [1, 16]);
    const [a, b] = [device.alloc(shape, "a"), device.alloc(shape, "b")];
    a.write(data.subarray(0, 32));
    const plan = await device.plan({ op: "fft", layout: shape, axis: 1, inverse: false });
    const samples: Sample[] = [{ start: 0, stride: 1, values: dft(lineOf(data, 16, 0)) }];
    const ours: GpuContender = {
      name: `dechirp ${plan.text}`,
      kind: "ours",
      bytes: 0,
      flops: 0,
      async sample() {
        const start = performance.now();
        for (let r = 0; r < tinyRuns; r++) plan.run({ in: a, out: b });
        await b.read();
        return (performance.now() - start) / tinyRuns;
      },
      error: async () => sampledError(await b.read(), samples, 2),
      dispose() {
        for (const thing of [plan, a, b]) thing[Symbol.dispose]();
      },
    };
    return { contenders: [ours] };
  },
};

const transferCase = (elements: number): GpuCase => ({
  name: `transfer of ${((8 * elements) / 2 ** 20).toPrecision(3)} MiB`,
  errorKind: "numbers that differ",
  clock: "host",
  async setUp({ device, data }) {
    const array = device.alloc(layout("c64", [elements]), "transferred");
    const x = data.subarray(0, 2 * elements);
    const write = async (): Promise<void> => {
      array.write(x);
      await device.ready();
    };
    let back: Float32Array = new Float32Array();
    const read = async (): Promise<void> => {
      back = await array.read();
    };
    const used = new Float32Array(x.length).fill(1);
    const readInto = async (): Promise<void> => {
      await array.readInto(used);
      back = used;
    };
    const differing = (): number => x.reduce((sum, value, i) => sum + (value === back[i] ? 0 : 1), 0);
    const size = { kind: "ours", bytes: 8 * elements, flops: 0 } as const;
    return {
      contenders: [
        { name: "write, until it has arrived", ...size, sample: (runs) => timed(runs, write), error: noError },
        { name: "read", ...size, sample: (runs) => timed(runs, read), error: differing },
        {
          name: "read into memory that was used before",
          ...size,
          sample: (runs) => timed(runs, readInto),
          error: differing,
          dispose: () => array[Symbol.dispose](),
        },
      ],
    };
  },
});

/** Data on the host: write, transform, read. */
function crossoverCase(n: number, lines: number): GpuCase {
  const shape = layout("c64", [lines, n]);
  return {
    name: `write, fft c64 ${lines}×${n}, read`,
    errorKind: "relative L2 against float64",
    clock: "host",
    npm: async (data) => ({ "jax-js": await jaxContender(data, n, lines) }),
    async setUp({ device, data, cpu }) {
      const x = data.subarray(0, 2 * n * lines);
      let samples: readonly Sample[] | undefined;
      const contender = async (on: Device, kind: GpuContender["kind"]): Promise<GpuContender> => {
        const plan: Plan = await on.plan({ op: "fft", layout: shape, axis: 1, inverse: false });
        const [a, b] = [on.alloc(shape, "a"), on.alloc(shape, "b")];
        const back = new Float32Array(2 * n * lines);
        return {
          name: `dechirp ${on.id} ${plan.text}`,
          kind,
          bytes: 2 * 8 * n * lines,
          flops: transformFlops(lines, n),
          sample: (runs) =>
            timed(runs, async () => {
              a.write(x);
              plan.run({ in: a, out: b });
              await b.readInto(back);
            }),
          error() {
            samples ??= rowSpectra(x, n, lines);
            return sampledError(back, samples, 2);
          },
          dispose() {
            for (const thing of [plan, a, b]) thing[Symbol.dispose]();
          },
        };
      };
      return { contenders: [await contender(device, "ours"), await contender(await cpu(), "peer")] };
    },
  };
}

/** A run that the host waits for, without transfers. */
function waitCase(n: number, lines: number): GpuCase {
  const shape = layout("c64", [lines, n]);
  return {
    name: `run and wait, fft c64 ${lines}×${n}`,
    errorKind: "relative L2 against float64",
    clock: "host",
    peer: { kind: "fft", lines, n, how: "wait" },
    async setUp({ device, data }) {
      const x = data.subarray(0, 2 * n * lines);
      const plan = await device.plan({ op: "fft", layout: shape, axis: 1, inverse: false });
      const [a, b] = [device.alloc(shape, "a"), device.alloc(shape, "b")];
      a.write(x);
      const ours: GpuContender = {
        name: `dechirp ${plan.text}`,
        kind: "ours",
        bytes: 2 * 8 * n * lines,
        flops: transformFlops(lines, n),
        sample: (runs) =>
          timed(runs, async () => {
            plan.run({ in: a, out: b });
            await device.ready();
          }),
        error: async () => sampledError(await b.read(), rowSpectra(x, n, lines), 2),
        dispose() {
          for (const thing of [plan, a, b]) thing[Symbol.dispose]();
        },
      };
      return { contenders: [ours] };
    },
  };
}

/** Every case on the host's clock for arrays of at most `elements` complex numbers. */
export function hostCases(elements: number): GpuCase[] {
  const most = Math.min(elements, 2 ** 23);
  const grid = [256, 1024, 4096, 16_384, 65_536].flatMap((n) => [1, 8, 64, 512, 4096].map((lines) => ({ n, lines })));
  return [
    ...[1024, 4096, 2 ** 20].filter((n) => n <= elements).map((n) => planCase(n, Math.min(4096, elements / n))),
    tinyCase,
    transferCase(elements),
    ...[1024, 4096, 65_536].flatMap((n) => [1, 16].filter((lines) => n * lines <= most).map((lines) => waitCase(n, lines))),
    ...grid.filter(({ n, lines }) => n * lines <= most).map(({ n, lines }) => crossoverCase(n, lines)),
  ];
}
