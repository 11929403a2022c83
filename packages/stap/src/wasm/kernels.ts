/**
 * The kernels' WebAssembly: what `assembly/kernels.ts` is built to, as core's `WasmFunction` describes it, and the numbers that it needs.
 * Nothing here compiles it.
 */
import { type Constants, lazyModules, mostWasmConstant, type WasmFunction } from "@dechirp/core";
import type { AdaptiveOutput } from "../adaptive.ts";
import type { EfaTables } from "../device/tables.ts";
import type { EfaGeometry } from "../efa/options.ts";
import { binaries } from "./binaries.ts";

export type WasmEntry = "products" | "solve" | "weighting" | "weightingLargest" | "filter" | "filterLargest";

const modules = lazyModules(binaries);

const outputs: Readonly<Record<AdaptiveOutput, number>> = { amf: 0, mvdr: 1, "paper-literal": 2, complex: 3 };

/** The kernel's properties `wasm` and `constants`; none where a number is not exact as f32. `tables` of all but weighting. */
export function kernelWasm(
  entry: WasmEntry,
  geometry: EfaGeometry,
  tables?: EfaTables,
): { readonly wasm?: WasmFunction; readonly constants?: Constants } {
  const { channels, temporalTaps, dopplerBins, ranges, order, steeringVectors, sets, shared, solver, output, loading } = geometry;
  const regions = entry === "products" && tables ? productsWork(geometry, tables) : filterWork(geometry);
  const places: Record<string, number> = {};
  let used = 0;
  for (const [name, bytes] of Object.entries(regions)) {
    places[name] = used;
    used += Math.ceil(bytes / 16);
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
  };
  if ([...Object.values(whole), used].some((value) => value > mostWasmConstant)) return {};
  return { wasm: { ...modules(), entry, precision: "f32", workBytes: 16 * used }, constants: { ...whole, loading, ...places } };
}

/** Bytes of each place in work memory, in the order of assembly/products.ts, and as many as there are elsewhere. */
function productsWork({ order }: EfaGeometry, { products }: EfaTables): Readonly<Record<string, number>> {
  const pitch = 8 * 64 + 32;
  return { rows: order * pitch, sums: 16 * products.rows, tiles: 24 * products.rows, none3: 0, none4: 0, none5: 0, none6: 0 };
}

/** In the order of assembly/kernels.ts. */
function filterWork({ order: n, sets, ranges }: EfaGeometry): Readonly<Record<string, number>> {
  const cells = Math.ceil(Math.min(256, sets.groupRanges, ranges) / 4);
  return { matrix: 16 * n * n, scales: 16 * n, sides: 128 * n + 32, cells: 32 * n * (cells + 1), filters: 8 * 32 * n, largest: 2048, packed: 4 * n * (n + 1) };
}
