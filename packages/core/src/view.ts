/**
 * `ArrayView`: access to the elements of an array of any element type as float64 numbers. References of kernels and hooks use it. It is
 * made for clarity, not for speed.
 */
import { fromHalf, toHalf } from "./half.ts";
import { dtypes, type Layout, type TypedArrayOf } from "./layout.ts";

/** An array whose elements are read and written as float64 numbers, by flat row-major index, whatever its element type. */
export class ArrayView {
  readonly layout: Layout;
  /** The array's scalars: two for each complex element. For cf16 they are 16-bit words. */
  readonly data: TypedArrayOf;
  readonly #stride: 1 | 2;
  readonly #integer: boolean;
  readonly #half: boolean;
  readonly #low: number;
  readonly #high: number;

  constructor(layout: Layout, data: TypedArrayOf) {
    this.layout = layout;
    this.data = data;
    const facts = dtypes[layout.dtype];
    this.#stride = facts.components;
    this.#integer = !facts.float;
    this.#half = layout.dtype === "cf16";
    const bits = 8 * data.BYTES_PER_ELEMENT;
    const signed = layout.dtype.includes("i");
    this.#low = signed ? -(2 ** (bits - 1)) : 0;
    this.#high = signed ? 2 ** (bits - 1) - 1 : 2 ** bits - 1;
  }

  /** The real part of an element. */
  re(index: number): number {
    const value = this.data[index * this.#stride];
    return this.#half ? fromHalf(value) : value;
  }

  /** The imaginary part of an element. 0 if the type is real. */
  im(index: number): number {
    if (this.#stride === 1) return 0;
    const value = this.data[2 * index + 1];
    return this.#half ? fromHalf(value) : value;
  }

  /** Writes an element. Integer types round to nearest, ties away from zero, and saturate; NaN becomes 0. Default of `im`: 0. */
  set(index: number, re: number, im = 0): void {
    if (this.#stride === 2) {
      this.data[2 * index] = this.#fit(re);
      this.data[2 * index + 1] = this.#fit(im);
    } else {
      this.data[index] = this.#fit(re);
    }
  }

  #fit(value: number): number {
    if (!this.#integer) return this.#half ? toHalf(value) : value;
    const rounded = value < 0 ? -Math.round(-value) : Math.round(value);
    return rounded >= this.#high ? this.#high : rounded > this.#low ? rounded : Number.isNaN(rounded) ? 0 : this.#low;
  }
}
