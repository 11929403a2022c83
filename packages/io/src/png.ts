/** PNG images of 8-bit gray or RGBA, through fast-png. Turning radar data into gray levels is the caller's affair. */
import { inputError } from "@dechirp/core";
import { encode } from "fast-png";

export interface PngImage {
  readonly width: number;
  readonly height: number;
  /** Rows from the top: width·height gray levels, or four times as many for red, green, blue, alpha. */
  readonly data: Uint8Array | Uint8ClampedArray;
}

/** The longest side that PNG decoders can be relied on to accept. */
const maxSide = 65535;

/** The bytes of a PNG file. Throws `input` unless sides and data fit. */
export function encodePng(image: PngImage): Uint8Array {
  const { width, height, data } = image;
  for (const [side, extent] of Object.entries({ width, height })) {
    if (!Number.isInteger(extent) || extent < 1 || extent > maxSide)
      throw inputError(`image.${side}`, `an integer from 1 to ${maxSide}`, extent);
  }
  const pixels = width * height;
  if (!(data instanceof Uint8Array || data instanceof Uint8ClampedArray) || (data.length !== pixels && data.length !== 4 * pixels)) {
    throw inputError("image.data", `${pixels} gray bytes or ${4 * pixels} RGBA bytes`, data);
  }
  return encode({ width, height, data, channels: data.length === pixels ? 1 : 4, depth: 8 });
}
