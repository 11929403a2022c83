/** Estimates of how much work a product needs, for programs that choose a device. */

/** Work of an image made by transforms: its samples, and the largest array that may be needed, both in bytes of complex64. */
export interface TransformWork {
  readonly kind: "transforms";
  readonly bytes: number;
  readonly largestBytes: number;
  /** Whether the image is made many times from samples that stay on the device. */
  readonly repeated?: boolean;
}

/** Work of an image made by backprojection: pixels times pulses, and the largest array in bytes. */
export interface BackprojectionWork {
  readonly kind: "backprojection";
  /** Pixels times pulses. */
  readonly backprojections: number;
  readonly largestBytes: number;
}

/** Work of adaptive processing: arithmetic operations, and the largest array in bytes. */
export interface AdaptiveWork {
  readonly kind: "adaptive";
  /** Arithmetic operations. */
  readonly operations: number;
  readonly largestBytes: number;
}

/** An estimate of how much work a product needs. */
export type Work = TransformWork | BackprojectionWork | AdaptiveWork;
