/** What this package uses of fft.js, which carries no types. Interleaved complex arrays; `out` and `data` must differ. */
declare module "fft.js" {
  export default class FFT {
    constructor(size: number);
    transform(out: ArrayLike<number>, data: ArrayLike<number>): void;
    inverseTransform(out: ArrayLike<number>, data: ArrayLike<number>): void;
  }
}
