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

const search: readonly GpuCase[] = [
  ...[16, 64, 256, 512, 1024, 2048, 4096].flatMap((n) => variants(`fft ${n}`, rows(n), stagings)),
  ...variants("fft 1024", rows(1024), {
    "4·16·16": { prefer: { radices: { 1024: [4, 16, 16] } } },
    "4·4·8·8": { prefer: { radices: { 1024: [4, 4, 8, 8] } } },
  }),
  ...variants("fft 2048", rows(2048), {
    "8·16·16 256": { prefer: { threads: { 2048: 256 } } },
    "4·8·8·8": { prefer: { radices: { 2048: [4, 8, 8, 8] } } },
  }),
  ...variants("fft 4096", rows(4096), {
    "8·8·8·8 both": { prefer: { radices: { 4096: [8, 8, 8, 8] }, exchange: "both" } },
    "8·8·8·8 split": { prefer: { radices: { 4096: [8, 8, 8, 8] }, exchange: "split" } },
    "8·8·8·8 256 split": { prefer: { radices: { 4096: [8, 8, 8, 8] }, threads: { 4096: 256 }, exchange: "split" } },
  }),
  ...variants("fft 8192", rows(8192), {
    ...stagings,
    "2·16·16·16": { prefer: { radices: { 8192: [2, 16, 16, 16] }, threads: { 8192: 512 } } },
    "16·16·32": { prefer: { radices: { 8192: [16, 16, 32] }, threads: { 8192: 256 } } },
    "16·16·32 products": { prefer: { radices: { 8192: [16, 16, 32] }, threads: { 8192: 256 }, twiddles: "products" } },
    ...caches(4096, [8, 16, 32]),
  }),
  ...variants("fft 16384", rows(16384), { products: { prefer: { twiddles: "products" } }, ...caches(8192, [4, 8, 16, 32, 64]) }),
  ...variants("fft 32768", rows(32768), caches(8192, [2, 4, 8, 16, 24, 32, 64, 256])),
  ...variants("fft 65536", rows(65536), caches(8192, [4, 8, 16, 32, 256])),
  ...variants("fft 1048576", rows(2 ** 20), caches(8192, [8, 16, 32, 256])),
  ...variants("columns 4096", columns(4096), {
    ...caches(2048, [4, 8, 16, 32, 64, 256]),
    "tile 4 products": { prefer: { tile: 4, twiddles: "products" } },
    "tile 2": { prefer: { tile: 2, fewestTile: 2 } },
    "tile 2 products": { prefer: { tile: 2, fewestTile: 2, twiddles: "products" } },
  }),
  ...variants("columns 1024", columns(1024), {
    "tile 4": { prefer: { tile: 4 } },
    "tile 16": { prefer: { tile: 16 } },
    "tile 8 products": { prefer: { twiddles: "products" } },
  }),
  ...[1024, 2048, 4096].flatMap((n) => variants(`filter ${n}`, filters(n), stagings, n)),
  ...variants(
    "filter 8192",
    filters(8192),
    { ...caches(4096, [8, 16, 32]), "16·16·32": { prefer: { radices: { 8192: [16, 16, 32] }, threads: { 8192: 256 } } } },
    8192,
  ),
];

export const cases: readonly GpuCase[] = process.env["SEARCH"] ? [...plain, ...search] : plain;
