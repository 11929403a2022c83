/**
 * Variants of plans: lists of alternatives for the planner's preferences. Each combination is timed against the planner's own
 * choice, the peers and the copy, in the turns of one case. They are given in a JSON file:
 *     [{ "case": "fft c64 4096×4096",
 *        "try": { "prefer.exchange": ["split", "both"], "prefer.tile": [4, 8] },
 *        "named": { "8·16·32": { "prefer": { "radices": { "4096": [8, 16, 32] }, "threads": { "4096": 128 } } } } }]
 * Preferences are the backend's option `planning`. Dots separate the levels of a path. `named` is for preferences that belong together.
 */
import type { Device } from "@dechirp/core";
import type { GpuOptions } from "@dechirp/fft-gpu";

/** Variants to try on some cases. */
export interface Variants {
  /** The cases whose names contain this text. */
  readonly case: string;
  readonly named?: Readonly<Record<string, Variant["planning"]>>;
  /** Values to try, by path. Every combination is tried. */
  readonly try?: Readonly<Record<string, readonly unknown[]>>;
}

/** One variant. */
export interface Variant {
  /** For example `exchange=split threads.4096=256`. */
  readonly name: string;
  readonly planning: NonNullable<GpuOptions["planning"]>;
}

interface Tree {
  [key: string]: unknown;
}

/** The named variants, and every combination of the values to try. */
export function combinations({ named = {}, try: given }: Variants): Variant[] {
  const list = Object.entries(named).map(([name, planning]): Variant => ({ name, planning }));
  if (!given) return list;
  let found: { words: readonly string[]; planning: Tree }[] = [{ words: [], planning: {} }];
  for (const [path, values] of Object.entries(given)) {
    found = found.flatMap(({ words, planning }) =>
      values.map((value) => ({
        words: [...words, `${path.replace(/^prefer\./, "")}=${Array.isArray(value) ? value.join("·") : String(value)}`],
        planning: withValue(planning, path.split("."), value),
      })),
    );
  }
  return [...list, ...found.map(({ words, planning }): Variant => ({ name: words.join(" "), planning }))];
}

function withValue(tree: Tree, [key, ...rest]: readonly string[], value: unknown): Tree {
  return { ...tree, [key]: rest.length === 0 ? value : withValue((tree[key] ?? {}) as Tree, rest, value) };
}

/** Opens a device for each variant of a case, and one that plans by measurement if `measure` is set. */
export async function variantDevices(
  name: string,
  list: readonly Variants[],
  measure: boolean,
  open: (options: Pick<GpuOptions, "planning" | "effort">) => Promise<Device>,
): Promise<{ readonly name: string; readonly device: Device }[]> {
  const variants = list.filter((one) => name.includes(one.case)).flatMap(combinations);
  const devices = variants.map(async (variant) => ({ name: variant.name, device: await open({ planning: variant.planning }) }));
  return Promise.all([...devices, ...(measure ? [open({ effort: "measure" }).then((device) => ({ name: "measured", device }))] : [])]);
}
