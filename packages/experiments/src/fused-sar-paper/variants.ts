/**
 * The variants of the program that are compared: three fused passes; the same without fusion; and the published chain of dispatches with
 * transposes, unfused on the device, unfused with conjugation and scaling on the host (the published baseline), and with the published
 * fused kernels. All read the same constants: filters, migration, phases.
 */
import {
  type ComplexDType,
  type Constant,
  elementCount,
  type Kernel,
  type Layout,
  type Op,
  type Program,
  RadarError,
  resultLayout,
  type Step,
  type TransformOp,
} from "@dechirp/core";
import { lower } from "@dechirp/core/backend";
import { type RangeDopplerParams, type RangeDopplerProgram, rangeDoppler } from "@dechirp/sar";
import { type InverseForm, lineKernel } from "./line-kernel.ts";
import type { Part } from "./published.ts";

/** A variant of the program. */
export interface Variant {
  /** Name of the variant. */
  readonly name: string;
  /** Description of the variant for readers. */
  readonly title: string;
  /** The program. */
  readonly program: Program;
  /** The part of the algorithm that each step belongs to. */
  readonly parts: readonly Part[];
  /** Whether the program is planned with fusion. */
  readonly fuse: boolean;
  /** Whether the host works between the steps, so that the device's clock does not measure the whole. */
  readonly host: boolean;
}

/** The name of the variant that images and times are compared with. */
export const unfusedName = "unfused";
/** The name of the published baseline, which speed-ups refer to. */
export const baselineName = "baseline";

/** Returns every variant. `rawPeak` is the largest magnitude of a raw sample. Throws `input` for parameters that make no image. */
export function variantsOf(params: RangeDopplerParams, rawPeak: number): readonly Variant[] {
  const program = rangeDoppler(params);
  const half = rangeDoppler({ ...params, storage: "f16", rawPeak });
  const whole = (name: string, title: string, of: RangeDopplerProgram, fuse: boolean): Variant => ({
    name,
    title,
    program: of,
    parts: ["range", "azimuth", "image"],
    fuse,
    host: false,
  });
  const dispatches = (name: string, title: string, form: Form): Variant => ({
    name,
    title,
    ...chain(program, form),
    fuse: false,
    host: form === "host",
  });
  return [
    dispatches(unfusedName, "unfused on the device, with transposes", "device"),
    whole("fused", "fused: three passes", program, true),
    whole("no-fuse", "the same three steps planned with { fuse: false }", program, false),
    dispatches("kernels-conjugate", "the published dispatches, inverse by conj·FFT·conj", "conjugate"),
    dispatches("kernels-twiddles", "the published dispatches, inverse by conjugate twiddles", "twiddles"),
    dispatches(baselineName, "unfused, conjugation and scaling on the host (the published baseline)", "host"),
    // Last, because references run a quarter slower after one of them has read half precision.
    whole("fused-f16", "fused, half precision between passes", half, true),
  ];
}

/** How a line's filter and inverse transform are done: as separate steps, with the host's help, or in one kernel. */
type Form = "device" | "host" | InverseForm;

interface Piece {
  readonly part: Part;
  readonly step: Step;
}

function chain(program: RangeDopplerProgram, form: Form): Pick<Variant, "program" | "parts"> {
  const [range, , image] = program.steps.map(({ op }) => op as TransformOp);
  if (program.src.mode !== "range" || range.op !== "spectral-filter" || !range.keep)
    throw new RadarError("unsupported", "the published chain has no Doppler-dependent secondary range compression", {});
  const { azimuthLength, rangeLength } = program.geometry;
  const raw = range.layout as Layout<ComplexDType>;
  if (azimuthLength !== raw.shape[0] || rangeLength !== raw.shape[1])
    throw new RadarError("unsupported", "the published chain does not pad", { azimuthLength, rangeLength });
  const compressed = resultLayout(range) as Layout<ComplexDType>;
  const turned = transposed(compressed);
  const migration = lower({ ...image, cornerTurn: false })?.steps[0].op as Op;
  const columns = image.layout as Layout<ComplexDType>;
  const piece = (part: Part, name: string, op: Op, bind: Step["bind"], inPlace = false): Piece => ({
    part,
    step: { name, op, bind, ...(inPlace && { inPlace }) },
  });
  const turn = (part: Part, layout: Layout, from: string, to: string): Piece =>
    piece(part, `turn ${from}`, { op: "transpose", layout, permutation: [1, 0] }, { in: from, out: to });
  const forward = (part: Part, layout: Layout<ComplexDType>, n: number, from: string, to: string): Piece =>
    piece(part, `transform ${from}`, { op: "fft", layout, axis: 1, n, inverse: false }, { in: from, out: to });

  /** Multiplies rows of spectra by a filter and transforms them back, in separate steps. The spectra are overwritten. */
  const filtered = (part: Part, layout: Layout<ComplexDType>, h: string, keep: number, from: string, to: string): readonly Piece[] => {
    const n = layout.shape[1];
    const kept = { ...layout, shape: [layout.shape[0], keep] };
    const cropped = keep < n ? { keep: [0, keep] as const } : {};
    const multiply = piece(part, `filter ${from}`, { op: "multiply", layout, axis: 1, h: "line" }, { in: from, h, out: from }, true);
    if (form !== "host")
      return [multiply, piece(part, `back to ${to}`, { op: "fft", layout, axis: 1, inverse: true, ...cropped }, { in: from, out: to })];
    return [
      multiply,
      piece(part, `conjugate ${from}`, hostConjugate(layout, 1), { x: from }),
      piece(part, `back to ${to}`, { op: "fft", layout, axis: 1, inverse: false, ...cropped }, { in: from, out: to }),
      piece(part, `conjugate ${to}`, hostConjugate(kept, 1 / n), { x: to }),
    ];
  };
  const inOneKernel = form === "conjugate" || form === "twiddles";
  const keep = compressed.shape[1];
  const pieces: readonly Piece[] = [
    ...(inOneKernel
      ? [
          piece("range", "range kernel", lineKernel({ layout: raw, forward: true, inverse: form, keep }), {
            in: "raw",
            h: "rangeFilter",
            out: "compressed",
          }),
        ]
      : [
          forward("range", raw, rangeLength, "raw", "range spectra"),
          ...filtered("range", { ...raw, shape: [raw.shape[0], rangeLength] }, "rangeFilter", keep, "range spectra", "compressed"),
        ]),
    turn("azimuth", compressed, "compressed", "turned"),
    forward("azimuth", turned, azimuthLength, "turned", "doppler"),
    piece("rcmc", "migration", migration, { ...without(program.steps[2].bind, "h"), out: "columns" }),
    ...(inOneKernel
      ? [
          piece("compression", "azimuth kernel", lineKernel({ layout: columns, forward: false, inverse: form, keep: azimuthLength }), {
            in: "columns",
            h: "azimuthFilter",
            out: "focused",
          }),
        ]
      : filtered("compression", columns, "azimuthFilter", azimuthLength, "columns", "focused")),
    turn("compression", columns, "focused", "image"),
  ];
  return {
    program: {
      name: `published chain, ${form}`,
      inputs: program.inputs,
      constants: program.constants as Readonly<Record<string, Constant>>,
      steps: pieces.map(({ step }) => step),
      outputs: ["image"],
    },
    parts: pieces.map(({ part }) => part),
  };
}

const transposed = ({ dtype, shape: [rows, columns] }: Layout<ComplexDType>): Layout<ComplexDType> => ({ dtype, shape: [columns, rows] });

function without(bind: Step["bind"], port: string): Step["bind"] {
  const { [port]: _, ...rest } = bind;
  return rest;
}

/** Conjugates and scales an array in place on the host. A device other than the CPU transfers all of it to the host and back. */
function hostConjugate(layout: Layout, scale: number): Kernel {
  return {
    op: "kernel",
    name: `conjugate on the host${scale === 1 ? "" : " and scale"}`,
    flops: 2 * elementCount(layout),
    ports: { x: { access: "update", layout } },
    items: elementCount(layout),
    reference({ x: { data } }, _uniforms, start, end) {
      for (let i = 2 * start; i < 2 * end; i += 2) {
        data[i] *= scale;
        data[i + 1] *= -scale;
      }
    },
  };
}
