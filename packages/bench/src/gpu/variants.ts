/**
 * Variants of plans: the planner's preferences as lists of alternatives, each combination timed against the planner's own
 * choice, the peers and the copy, in the turns of one case. A file of them is JSON:
 *     [{ "case": "fft c64 4096×4096",
 *        "try": { "prefer.exchange": ["split", "both"], "prefer.tile": [4, 8] },
 *        "named": { "8·16·32": { "prefer": { "radices": { "4096": [8, 16, 32] }, "threads": { "4096": 128 } } } } }]
 * Preferences are `planning` of the backend's options; dots lead into objects; `named` is for those that belong together.
 */
import type { Device } from "@dechirp/core";
import type { GpuOptions } from "@dechirp/fft-gpu";

export interface Variants {
  /** Cases whose names contain this. */
  readonly case: string;
  readonly named?: Readonly<Record<string, Variant["planning"]>>;
  /** Values to try, by path: every combination. */
  readonly try?: Readonly<Record<string, readonly unknown[]>>;
}

export interface Variant {
  /** `exchange=split threads.4096=256` */
  readonly name: string;
  readonly planning: NonNullable<GpuOptions["planning"]>;
}

interface Tree {
  [key: string]: unknown;
}

/** Those with a name, and every combination of the values. */
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

/** Devices for the variants of a case. */
export async function variantDevices(
  name: string,
  list: readonly Variants[],
  open: (planning: Variant["planning"]) => Promise<Device>,
): Promise<{ readonly name: string; readonly device: Device }[]> {
  const variants = list.filter((one) => name.includes(one.case)).flatMap(combinations);
  return Promise.all(variants.map(async (variant) => ({ name: variant.name, device: await open(variant.planning) })));
}
