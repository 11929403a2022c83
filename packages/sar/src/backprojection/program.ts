/**
 * Backprojection of one block of pulses as a program: range compression if the input is a phase history, parabolas if
 * profiles are read by them, the kernel over tiles and pulse sets, and the sum of the sets. Only shapes are known here; positions and grids
 * are in
 * the anchors, which are inputs.
 */
import type { Constant, Kernel, Layout, Load, Program, Step } from "@dechirp/core";
import { inside, load, mod, plus, times } from "@dechirp/core/expression";
import { curvesKernel } from "./curves.ts";
import { backprojectionKernel, sumSetsKernel } from "./kernel.ts";
import type { Compression } from "./profiles.ts";
import { alignmentPorts, alignmentStep } from "./pulse-frequencies.ts";
import { type BackprojectionShape, hasPartials, kernelPorts, sineTable } from "./shape.ts";

export interface BackprojectionProgram extends Program<{ readonly image: Float32Array }> {
  /** The input for the numbers of pulses: phase histories or profiles, c64 [pulses][count]. */
  readonly samples: Layout<"c64">;
}

/**
 * Inputs: `samples` c64 [pulses][frequencies] with a `compression`, [pulses][bins] without; the tables of its alignment, if it has one
 * (`alignmentPorts`); `anchors`, and `offsets` if
 * anchors are those of tiles, as `kernelPorts` has them; `image` c64 [ny][nx], which is added to. Output: `image`.
 */
export function backprojectionProgram(shape: BackprojectionShape, compression?: Compression): BackprojectionProgram {
  const before = profilesProgram(shape, compression);
  const { inputs, constants, steps } = projectionProgram(shape);
  const samples = samplesLayout(shape, compression);
  const { profiles: _, ...others } = inputs;
  return {
    name,
    samples,
    inputs: { ...(before?.inputs ?? { samples }), ...others },
    constants: { ...before?.constants, ...constants },
    steps: [...(before?.steps ?? []), ...(before ? steps : steps.map(readingSamples))],
    outputs: ["image"],
  };
}

const name = "backprojection";

/** The samples of a block: of phase histories if they are compressed, else of profiles. */
export const samplesLayout = (
  { pulses, bins }: Pick<BackprojectionShape, "pulses" | "bins">,
  compression?: Compression,
): Layout<"c64"> => ({
  dtype: "c64",
  shape: [pulses, compression ? compression.weights.length : bins],
});

/** The step with its port `profiles` bound to `samples`. */
const readingSamples = (step: Step): Step =>
  Object.hasOwn(step.bind, "profiles") ? { ...step, bind: { ...step.bind, profiles: "samples" } } : step;

/**
 * The part of `backprojectionProgram` that is the same for every window of an image: from `samples` to `profiles`. Undefined if the samples
 * are profiles.
 */
export function profilesProgram({ pulses, bins }: BackprojectionShape, compression?: Compression): Program | undefined {
  if (!compression) return undefined;
  const samples = samplesLayout({ pulses, bins }, compression);
  const { alignment, weights } = compression;
  return {
    name,
    inputs: { samples, ...(alignment && alignmentPorts(alignment, pulses)) },
    constants: { weights: floats({ dtype: "f32", shape: [weights.length] }, weights) },
    steps: [compressionStep(samples, bins, compression), ...(alignment ? [alignmentStep(alignment, pulses)] : [])],
    outputs: ["profiles"],
  };
}

/**
 * The rest of `backprojectionProgram`, for a window of a shape. `curves` is the number of parabolas of a whole profile: if the kernel reads
 * fewer (`shape.curves`), only these are made. Inputs: `profiles`, `firsts` if a part of the parabolas is made (`curvesKernel`), `anchors`,
 * `offsets` if anchors are those of tiles, and `image`. Outputs: `image`, `curves` if the kernel reads them, and `partials` if there are several
 * pulse sets.
 */
export function projectionProgram(shape: BackprojectionShape, curves = shape.curves): Program & Pick<Required<Program>, "constants"> {
  const { pulses, bins, taps, sine, curves: kept } = shape;
  const ports = kernelPorts(shape);
  const partials = hasPartials(shape);
  const own = Object.fromEntries(Object.keys(ports).map((port) => [port, port]));
  const making =
    curves !== undefined && kept !== undefined ? curvesKernel({ pulses, bins, curves, ...(kept < curves && { kept }) }) : undefined;
  return {
    name,
    inputs: {
      profiles: { dtype: "c64", shape: [pulses, bins] },
      ...(making?.ports["firsts"] && { firsts: making.ports["firsts"].layout }),
      anchors: ports["anchors"].layout,
      ...(ports["offsets"] && { offsets: ports["offsets"].layout }),
      image: { dtype: "c64", shape: [shape.ny, shape.nx] },
    },
    constants: {
      ...(taps && { taps: floats(ports["taps"].layout, taps.table) }),
      ...(sine === "table" && { sines: floats(ports["sines"].layout, sineTable()) }),
    },
    steps: [
      ...(making ? [{ name: "curves", op: making, bind: Object.fromEntries(Object.keys(making.ports).map((port) => [port, port])) }] : []),
      { name: "backproject", op: backprojectionKernel(shape), bind: own },
      ...(partials ? [sumStep(shape)] : []),
    ],
    outputs: ["image", ...(making ? ["curves"] : []), ...(partials ? ["partials"] : [])],
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
    bind: { samples: "samples", weights: "weights", out: compression.alignment ? "compressed" : "profiles" },
  };
}

/** Frequency k = (element + shift) mod bins of a pulse times its weight; zero from `count` on. */
function frequencyLoad(samples: Layout<"c64">, bins: number, shift: number): Load {
  const [pulses, count] = samples.shape;
  const weights: Layout<"f32"> = { dtype: "f32", shape: [count] };
  return load(
    { name: "frequencies", layout: { dtype: "c64", shape: [pulses, bins] }, sources: { samples, weights } },
    ({ at: [pulse, element], samples, weights }) => {
      const k = mod(plus(element, shift), bins);
      return times(inside(samples, pulse, k), inside(weights, k));
    },
  );
}
