/** What is measured on a GPU, as data: an op on so many elements, under the planner's own choices or under others. */
import { type Buffer, type Device, layout, type Op } from "@dechirp/core";
import type { GpuOptions } from "@dechirp/fft-gpu";

interface Arrays {
  readonly source: Buffer;
  readonly target: Buffer;
  readonly data: Float32Array;
}

export interface GpuCase {
  readonly name: string;
  readonly planning?: GpuOptions["planning"];
  op(elements: number): Op;
  bind(device: Device, arrays: Arrays, elements: number): { readonly bindings: Readonly<Record<string, Buffer>>; free(): void };
}

type Planning = NonNullable<GpuOptions["planning"]>;

/** Arrays of the op's own shape, with the first of the random data. */
const own =
  (op: (elements: number) => Op, filter: number): GpuCase["bind"] =>
  (device, { data }, elements) => {
    const made = op(elements);
    if (made.op === "kernel") throw new TypeError("kernels have ports of their own");
    const source = device.alloc(made.layout);
    source.write(data.subarray(0, 2 * made.layout.shape.reduce((a, b) => a * b, made.layout.dtype === "c64" ? 1 : 0.5)) as never);
    const target = device.alloc(made.op === "real-fft" ? layout("c64", [made.layout.shape[0], made.layout.shape[1] / 2 + 1]) : made.layout);
    const h = filter > 0 ? device.alloc(layout("c64", [filter])) : undefined;
    h?.write(data.subarray(0, 2 * filter));
    return {
      bindings: { in: source, out: target, ...(h && { h }) },
      free() {
        for (const buffer of [source, target, h]) buffer?.[Symbol.dispose]();
      },
    };
  };

const make = (name: string, op: (elements: number) => Op, planning?: Planning, filter = 0): GpuCase => ({
  name,
  op,
  bind: own(op, filter),
  ...(planning && { planning }),
});

const rows =
  (n: number) =>
  (elements: number): Op => ({ op: "fft", layout: layout("c64", [Math.floor(elements / n), n]), axis: 1, inverse: false });
const columns =
  (n: number) =>
  (elements: number): Op => ({ op: "fft", layout: layout("c64", [n, elements / n]), axis: 0, inverse: false });
const filters =
  (n: number) =>
  (elements: number): Op => ({ op: "spectral-filter", layout: layout("c64", [elements / n, n]), axis: 1, h: "line" });

const variants = (name: string, op: (elements: number) => Op, list: Readonly<Record<string, Planning>>, filter = 0): GpuCase[] =>
  Object.entries(list).map(([variant, planning]) => make(`${name} [${variant}]`, op, planning, filter));

const mib = 2 ** 20;
const lengths = [
  16,
  32,
  64,
  128,
  256,
  512,
  1024,
  2048,
  4096,
  8192,
  16384,
  32768,
  65536,
  2 ** 17,
  2 ** 18,
  2 ** 19,
  2 ** 20,
  2 ** 21,
  2 ** 22,
];

const stagings = {
  split: { prefer: { exchange: "split" } },
  both: { prefer: { exchange: "both" } },
  "split, products": { prefer: { exchange: "split", twiddles: "products" } },
  "both, products": { prefer: { exchange: "both", twiddles: "products" } },
} as const satisfies Record<string, Planning>;

const caches = (longestPass: number, list: readonly number[]): Record<string, Planning> =>
  Object.fromEntries(list.map((size) => [`two passes, ${size} MiB`, { longestPass, cacheBytes: size * mib }]));

const plain: readonly GpuCase[] = [
  ...lengths.map((n) => make(`fft ${n}`, rows(n))),
  ...[1000, 1536, 4095, 10_007].map((n) => make(`fft ${n}`, rows(n))),
  make("columns 4096", columns(4096)),
  make("columns 1024", columns(1024)),
  ...[1024, 2048, 4096, 8192].map((n) => make(`filter ${n}`, filters(n), undefined, n)),
  make("real 4096", (elements) => ({ op: "real-fft", layout: layout("f32", [(2 * elements) / 4096, 4096]), axis: 1, inverse: false })),
  make("transpose 4096", (elements) => ({ op: "transpose", layout: layout("c64", [4096, elements / 4096]), permutation: [1, 0] })),
];

const radices = (n: number, list: readonly number[], threads: number, more: Planning["prefer"] = {}): Planning => ({
  prefer: { radices: { [n]: list }, threads: { [n]: threads }, ...more },
});

const search: readonly GpuCase[] = [
  ...variants("fft 1024", rows(1024), {
    "32·32": radices(1024, [32, 32], 32),
    "32·32 products": radices(1024, [32, 32], 32, { twiddles: "products" }),
  }),
  ...variants("fft 4096", rows(4096), {
    "64·64": radices(4096, [64, 64], 64),
    "8·16·32": radices(4096, [8, 16, 32], 128),
    "16·16·16 products": { prefer: { twiddles: "products" } },
  }),
  ...variants("fft 8192", rows(8192), {
    "16·16·32 both": radices(8192, [16, 16, 32], 256, { exchange: "both" }),
    "8·32·32": radices(8192, [8, 32, 32], 256),
    "32·16·16": radices(8192, [32, 16, 16], 256),
  }),
  ...variants("fft 16384", rows(16384), {
    "16·32·32": radices(16384, [16, 32, 32], 512),
    "32·32·16": radices(16384, [32, 32, 16], 512),
    "16·32·32 products": radices(16384, [16, 32, 32], 512, { twiddles: "products" }),
    "8·8·16·16": radices(16384, [8, 8, 16, 16], 1024),
    "two passes": { longestPass: 8192 },
  }),
  ...variants("columns 4096", columns(4096), {
    "two passes": { longestPass: 2048 },
    "tile 4 8·16·32": radices(4096, [8, 16, 32], 128, { tile: 4 }),
    "tile 4 64·64": radices(4096, [64, 64], 64, { tile: 4 }),
    "tile 2 64·64": radices(4096, [64, 64], 64, { tile: 2, fewestTile: 2 }),
    "tile 2 8·16·32": radices(4096, [8, 16, 32], 128, { tile: 2, fewestTile: 2 }),
    "tile 2 both 16·16·16": radices(4096, [16, 16, 16], 256, { tile: 2, fewestTile: 2, exchange: "both" }),
    "tile 4 16·16·16": radices(4096, [16, 16, 16], 256, { tile: 4 }),
  }),
  ...variants("columns 1024", columns(1024), {
    "tile 8 32·32": radices(1024, [32, 32], 32, { tile: 8 }),
    "tile 4 32·32": radices(1024, [32, 32], 32, { tile: 4 }),
    "tile 4 both 32·32": radices(1024, [32, 32], 32, { tile: 4, exchange: "both" }),
    "tile 8 8·8·16": radices(1024, [8, 8, 16], 64, { tile: 8 }),
    "tile 8 4·16·16": radices(1024, [4, 16, 16], 64, { tile: 8 }),
  }),
  ...variants(
    "filter 1024",
    filters(1024),
    { "32·32": radices(1024, [32, 32], 32), "32·32 both": radices(1024, [32, 32], 32, { exchange: "both" }) },
    1024,
  ),
  ...variants(
    "filter 4096",
    filters(4096),
    {
      "64·64": radices(4096, [64, 64], 64, { exchange: "split" }),
      "64·64 both": radices(4096, [64, 64], 64, { exchange: "both" }),
      "8·16·32": radices(4096, [8, 16, 32], 128, { exchange: "split" }),
      "8·16·32 both": radices(4096, [8, 16, 32], 128, { exchange: "both" }),
      "16·16·16 products": { prefer: { twiddles: "products" } },
    },
    4096,
  ),
  ...variants("fft 32768", rows(32768), {
    "tile 16": { prefer: { tile: 16 } },
    "tile 4": { prefer: { tile: 4 } },
    products: { prefer: { twiddles: "products" } },
  }),
  ...variants("fft 1048576", rows(2 ** 20), {
    "32·32": { prefer: { radices: { 1024: [32, 32] }, threads: { 1024: 32 } } },
    "32·32 tile 4": { prefer: { radices: { 1024: [32, 32] }, threads: { 1024: 32 }, tile: 4 } },
    "tile 4": { prefer: { tile: 4 } },
  }),
];

export const cases: readonly GpuCase[] = process.env["SEARCH"] ? [...plain, ...search] : plain;
