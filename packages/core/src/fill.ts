/** Uploads of whole arrays, for what runs programs: an array that is too short is a mistake there, not a partial write. */
import type { Buffer } from "./device.ts";
import { RadarError } from "./errors.ts";
import { scalarCount, type TypedArrayOf } from "./layout.ts";

/** Writes all of an array. Throws `layout` where `data` is not as long as it. */
export function fill(buffer: Buffer, data: TypedArrayOf): void {
  if (data?.length !== scalarCount(buffer.layout)) {
    throw new RadarError("layout", `${buffer.label} takes ${scalarCount(buffer.layout)} numbers, not ${data?.length}`, {
      field: buffer.label,
      expected: scalarCount(buffer.layout),
      actual: data?.length,
    });
  }
  buffer.write(data);
}
