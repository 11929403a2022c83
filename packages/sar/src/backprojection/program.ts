/**
 * Backprojection of one block of pulses as a program: range compression if the input is a phase history, parabolas if
 * profiles are read by them, the kernel over tiles and pulse sets, and the sum of the sets. Only shapes are known here; positions and grids
 * are in
 * the anchors, which are inputs.
 */
import type { Constant, Kernel, Layout, Load, Program, Step, Uniforms } from "@dechirp/core";
import { frequenciesWasm } from "../wasm/backprojection.ts";
import { curvesKernel } from "./curves.ts";
import { backprojectionKernel, sumSetsKernel } from "./kernel.ts";
import type { Compression } from "./profiles.ts";
import { type BackprojectionShape, hasPartials, kernelPorts, sineTable } from "./shape.ts";

export interface BackprojectionProgram extends Program<{ readonly image: Float32Array }> {
  /** The input for the numbers of pulses: phase histories or profiles, c64 [pulses][count]. */
  readonly samples: Layout<"c64">;
}

/**
 * Inputs: `samples` c64 [pulses][frequencies] with a `compression`, [pulses][bins] without; `anchors`, and `offsets` if
 * anchors are those of tiles, as `kernelPorts` has them; `image` c64 [ny][nx], which is added to. Output: `image`.
 */
export function backprojectionProgram(shape: BackprojectionShape, compression?: Compression): BackprojectionProgram {
  const ports = kernelPorts(shape);
  const { pulses, bins, taps, curves, sine } = shape;
  const partials = hasPartials(shape);
  const kernel = backprojectionKernel(shape);
  const samples: Layout<"c64"> = { dtype: "c64", shape: [pulses, compression ? compression.weights.length : bins] };
  const profiles = compression ? "profiles" : "samples";
  const steps: readonly Step[] = [
    ...(compression ? [compressionStep(samples, bins, compression)] : []),
    ...(curves ? [{ name: "curves", op: curvesKernel({ pulses, bins, curves }), bind: { profiles, curves: "curves" } }] : []),
    {
      name: "backproject",
      op: kernel,
      bind: {
        ...Object.fromEntries(Object.keys(ports).map((name) => [name, name === "profiles" ? profiles : name])),
      },
    },
    ...(partials ? [sumStep(shape)] : []),
  ];
  return {
    name: "backprojection",
    samples,
    inputs: {
      samples,
      anchors: ports["anchors"].layout,
      ...(ports["offsets"] && { offsets: ports["offsets"].layout }),
      image: { dtype: "c64", shape: [shape.ny, shape.nx] },
    },
    constants: {
      ...(compression && { weights: floats({ dtype: "f32", shape: [compression.weights.length] }, compression.weights) }),
      ...(taps && { taps: floats(ports["taps"].layout, taps.table) }),
      ...(sine === "table" && { sines: floats(ports["sines"].layout, sineTable()) }),
    },
    steps,
    outputs: ["image"],
  };
}

const floats = (layout: Layout, values: ArrayLike<number>): Constant => ({ layout, data: Float32Array.from(values) });

function sumStep(shape: BackprojectionShape): Step {
  const kernel: Kernel = sumSetsKernel(shape);
  return { name: "sum", op: kernel, bind: { partials: "partials", image: "image" } };
}

/** Range compression (profiles.ts): an inverse transform whose load puts frequencies in their places, weighted. */
function compressionStep(samples: Layout<"c64">, bins: number, compression: Compression): Step {
  const layout: Layout<"c64"> = { dtype: "c64", shape: [samples.shape[0], bins] };
  return {
    name: "compress",
    op: { op: "fft", layout, axis: 1, inverse: true, load: frequencyLoad(samples, bins, compression.shift) },
    bind: { samples: "samples", weights: "weights", out: "profiles" },
  };
}

function frequencyLoad(samples: Layout<"c64">, bins: number, shift: number): Load {
  const [, count] = samples.shape;
  return {
    name: "frequencies",
    constants: { bins, shift, count },
    ...frequenciesWasm(bins, shift, count),
    sources: { samples, weights: { dtype: "f32", shape: [count] } },
    reference([p, element], { samples: x, weights }, _uniforms: Uniforms) {
      const k = (element + shift) % bins;
      if (k >= count) return [0, 0];
      const weight = weights.re(k);
      return [weight * x.re(p * count + k), weight * x.im(p * count + k)];
    },
    wgsl: () => `let k = (at[1] + ${shift}u) % ${bins}u;
if (k >= ${count}u) { return vec2f(); }
return load_weights(k) * load_samples(at[0] * ${count}u + k);`,
  };
}
