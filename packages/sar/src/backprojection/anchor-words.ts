/**
 * The words of anchors: what `anchors.ts` and `blocks.ts` write, and every form of the kernel reads. The one description of all sides:
 * TypeScript and WGSL take the places of fields from it, and the build makes AssemblyScript classes of it (`assembly/generated`).
 */

/** A word, or several of one kind. */
type WordType = "i32" | "f32" | `i32[${number}]`;

interface Words<F> {
  readonly fields: F;
  /** How many there are. */
  readonly count: number;
  /** The first word of each field. */
  readonly at: { readonly [K in keyof F]: number };
}

function wordsOf<const F extends Readonly<Record<string, WordType>>>(fields: F): Words<F> {
  const at: Record<string, number> = {};
  let count = 0;
  for (const [name, type] of Object.entries(fields)) {
    at[name] = count;
    count += Number(type.slice(4, -1) || 1);
  }
  return { fields, count, at: at as Words<F>["at"] };
}

/** The anchor of a tile and pulse, with the names of `anchors.ts`. */
export const tileAnchor = wordsOf({
  bin: "i32",
  /** Of a bin. */
  fraction: "f32",
  cycles: "f32",
  /** u, the look direction. */
  lookX: "f32",
  lookY: "f32",
  lookZ: "f32",
  /** 1/(2R₀) */
  half: "f32",
  /** 0, so that there are eight. */
  unused: "f32",
});

/** The anchor of a block and pulse, with the names of `blocks.ts`. Polynomials are in 2⁻³² cycles. */
export const blockAnchor = wordsOf({
  bin: "i32",
  /** Of a bin. */
  fraction: "f32",
  /** bx, in bins a pixel. */
  binsX: "f32",
  /** by */
  binsY: "f32",
  /** binMeters/(2R₀) */
  half: "f32",
  /** Phase: factors of 1, I, J, I², IJ, J², I³, I²J, IJ², J³. */
  phase: "i32[10]",
  /** Phase from pixel to pixel along x: factors of 1, I, J, I², IJ, J². */
  slopeX: "i32[6]",
  /** The same along y. */
  slopeY: "i32[6]",
  /** 0, so that they are a multiple of four. */
  unused: "f32",
});
