/** Ready-made loads: samples of any type, scaled, weighted by a window, with a gain for each line, and without their mean. */
import { layoutError } from "../errors.ts";
import { checkFields, type FieldsOf } from "../fields.ts";
import type { Load } from "../hooks.ts";
import { checkLayout, isWhole, type Layout } from "../layout.ts";
import { minus, type SourceOf, times, type Value } from "./build.ts";
import { load } from "./hooks.ts";

/** Options of `sampleLoad`. */
export interface SampleLoadOptions {
  /** The layout of what is computed: the op's `layout`. */
  readonly layout: Layout;
  /** The array at port `samples`: any element type, with the shape of `layout`. Default: `layout`. */
  readonly samples?: Layout;
  /** An axis. Port `window`, f32 with the extent of this axis, then has a factor for each index along it. Default: no window. */
  readonly window?: number;
  /** An axis. Port `gain`, f32 with the extent of this axis, then has a factor for each index along it. Default: no gain. */
  readonly gain?: number;
  /**
   * What is subtracted first, for example the mean of the samples (DC removal), at port `offset`, c64: "all" for one number, or an axis for
   * one number for each index along it. Default: nothing.
   */
  readonly offset?: "all" | number;
  /** A constant factor. Default: 1. */
  readonly scale?: number;
}

const fields: FieldsOf<SampleLoadOptions> = { layout: true, samples: true, window: true, gain: true, offset: true, scale: "number" };

/**
 * A load of samples: (samples − offset) · gain · window · scale. The hook is an expression, so every device runs it inside the transform.
 * Throws `layout`, naming the field, if an option is wrong.
 */
export function sampleLoad(options: SampleLoadOptions): Load {
  checkFields(options, fields, "options of sampleLoad", "layout");
  const { layout, samples = layout, window, gain, offset, scale = 1 } = options;
  checkLayout(layout, "layout");
  checkLayout(samples, "samples");
  const { shape } = layout;
  if (samples.shape.length !== shape.length || samples.shape.some((extent, axis) => extent !== shape[axis]))
    throw layoutError("samples.shape", `that of layout, [${shape.join(", ")}]`, samples.shape);
  if (!Number.isFinite(Math.fround(scale))) throw layoutError("scale", "finite in float32", scale);
  const along = (field: string, axis: unknown): Layout<"f32"> => {
    if (!isWhole(axis, 0, shape.length - 1)) throw layoutError(field, `an axis from 0 to ${shape.length - 1}`, axis);
    return { dtype: "f32", shape: [shape[axis]] };
  };
  const offsetLayout: Layout = { dtype: "c64", shape: offset === "all" || offset === undefined ? [1] : along("offset", offset).shape };
  const sources: Record<string, Layout> = {
    samples,
    ...(offset !== undefined && { offset: offsetLayout }),
    ...(gain !== undefined && { gain: along("gain", gain) }),
    ...(window !== undefined && { window: along("window", window) }),
  };
  const words = Object.keys(sources).filter((name) => name !== "samples");
  return load({ name: ["samples", ...words, ...(scale === 1 ? [] : ["scale"])].join(" "), layout, sources }, ({ at, ...named }) => {
    const source = named as unknown as Readonly<Record<string, SourceOf<"complex">>>;
    let value: Value<"complex" | "real"> = source["samples"](at);
    if (offset !== undefined) value = minus(value, source["offset"](offset === "all" ? 0 : at[offset])) as Value<"complex">;
    const factors = [gain, window].flatMap((axis, i) =>
      axis === undefined ? [] : [(source[["gain", "window"][i]] as unknown as SourceOf<"real">)(at[axis])],
    );
    for (const factor of factors) value = times(value as Value<"complex">, factor);
    return scale === 1 ? value : times(value as Value<"complex">, scale);
  });
}
