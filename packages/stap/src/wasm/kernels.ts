/**
 * The WebAssembly of the kernels, built from `assembly/kernels.ts`, as core's `WasmFunction` describes it, and the numbers that it needs.
 * Nothing here compiles it.
 */
import type { Constants, WasmFunction } from "@dechirp/core";
import { lazyModules, maxWasmConstant } from "@dechirp/core/internal";
import type { AdaptiveOutput } from "../adaptive.ts";
import type { EfaTables } from "../device/tables.ts";
import type { EfaGeometry } from "../efa/options.ts";
import { binary } from "./binaries.ts";

export type WasmEntry = "products" | "solve" | "weighting" | "weightingLargest" | "filter" | "filterLargest";

const modules = lazyModules(binary);

/** Number of places in work memory that an argument has room for. */
const mostPlaces = 9;

const outputs: Readonly<Record<AdaptiveOutput, number>> = { amf: 0, mvdr: 1, "paper-literal": 2, complex: 3 };

/** The properties `wasm` and `constants` of a kernel; none if a number is not exact as f32. All kernels except weighting need `tables`. */
export function kernelWasm(
  entry: WasmEntry,
  geometry: EfaGeometry,
  tables?: EfaTables,
): { readonly wasm?: WasmFunction; readonly constants?: Constants } {
  const { channels, temporalTaps, dopplerBins, ranges, order, steeringVectors, sets, shared, solver, output, loading, precision } =
    geometry;
  const bytes = entry === "products" && tables ? productsWork(geometry, tables) : filterWork(geometry);
  const starts: number[] = [];
  let used = 0;
  for (let place = 0; place < mostPlaces; place++) {
    starts.push(used);
    used += Math.ceil((bytes[place] ?? 0) / 16);
  }
  const whole = {
    channels,
    temporalTaps,
    dopplerBins,
    ranges,
    order,
    steeringVectors,
    groups: sets.groups,
    groupRanges: Math.min(sets.groupRanges, ranges),
    sets: tables?.sets.count ?? 0,
    products: tables?.products.rows ?? 0,
    runsWidth: tables?.sets.runs.width ?? 0,
    membersWidth: tables?.sets.members.width ?? 0,
    perBin: sets.perBin ? 1 : 0,
    below: shared ? 0 : temporalTaps >> 1,
    eliminate: solver === "gauss-jordan" ? 1 : 0,
    output: outputs[output],
    wide: precision === "f64" ? 1 : 0,
  };
  if ([...Object.values(whole), used].some((value) => value > maxWasmConstant)) return {};
  return {
    wasm: { ...modules(), entry, precision: "f32", workBytes: 16 * used },
    constants: { ...whole, loading, ...Object.fromEntries(starts.map((start, place) => [`place${place}`, start])) },
  };
}

/** Bytes of the places in work memory of assembly/products.ts. */
function productsWork({ order }: EfaGeometry, { products }: EfaTables): readonly number[] {
  const pitch = 8 * 64 + 32;
  return [order * pitch, 16 * products.rows, 24 * products.rows];
}

/** Bytes of the places in work memory of assembly/factor.ts and kernels.ts. */
function filterWork({ order: n, sets, ranges }: EfaGeometry): readonly number[] {
  const triangle = (n * (n + 1)) / 2;
  const sides = 128 * n + 32;
  const cells = 96 * n * Math.ceil(Math.min(256, sets.groupRanges, ranges) / 8);
  return [16 * n * n, 16 * n, 16 * triangle, 4 * triangle, sides, cells, 384 * n, 2432, 8 * triangle];
}
