/** Helpers for tests of the laboratory's kernels: what a variant takes, from its own plan and the limits of the device. */
import { fft, layout, open } from "@dechirp/core";
import { type GpuOptions, gpu } from "../src/index.ts";
import type { Transform } from "../src/transform.ts";
import type { Variant, VariantLimits } from "../src/variants.ts";

/** The lengths that the laboratory's kernels are for. */
export const lengths: readonly number[] = Array.from({ length: 7 }, (_, i) => 2 ** (8 + i));

/** A transform of rows that is only planned. */
const rows = (n: number): Transform => ({
  n,
  kind: "forward",
  outers: 1,
  inners: 1,
  read: { extent: n, line: () => () => "vec2f()" },
  write: { keep: [0, n], line: () => () => undefined },
});

/** What a variant needs for rows of n points. Undefined if it takes them. */
export function needs(variant: Variant, n: number, limits: VariantLimits): string | undefined {
  const planned = variant.plan(rows(n), limits);
  return "dispatches" in planned ? undefined : planned.needs;
}

/** The lengths that a variant takes. */
export const lengthsOf = (variant: Variant, limits: VariantLimits): readonly number[] =>
  lengths.filter((n) => needs(variant, n, limits) === undefined);

/** The limits of the device as variants get them. */
export async function limitsOf(options: GpuOptions): Promise<VariantLimits> {
  let found: VariantLimits | undefined;
  const spy: Variant = {
    error: () => 0,
    plan(_, limits) {
      found = limits;
      return { needs: "nothing" };
    },
  };
  using device = await open(gpu({ ...options, variants: { ...options.variants, spy } }));
  await device.plan(fft(layout("c64", [1, 256]), { axis: 1 }), { variant: "spy" }).catch(() => {});
  if (!found) throw new Error("no plan was tried");
  return found;
}
