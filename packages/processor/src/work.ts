/** How much work a product is, as far as that decides which device to take. Whoever opens devices chooses. */

/** An image by transforms: its samples, and the largest array that may come up, in bytes of complex64. */
export interface TransformWork {
  readonly kind: "transforms";
  readonly bytes: number;
  readonly largestBytes: number;
  /** Whether the image is made many times from samples that stay on the device. */
  readonly repeated?: boolean;
}

/** An image by backprojection: pixels times pulses, and its largest array in bytes. */
export interface ProjectionWork {
  readonly kind: "backprojection";
  /** Pixels times pulses. */
  readonly backprojections: number;
  readonly largestBytes: number;
}

/** Adaptive processing: arithmetic operations, and its largest array in bytes. */
export interface AdaptiveWork {
  readonly kind: "adaptive";
  /** Arithmetic operations. */
  readonly operations: number;
  readonly largestBytes: number;
}

/** How much work a product is, by kind. */
export type Work = TransformWork | ProjectionWork | AdaptiveWork;
