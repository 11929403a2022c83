/** Uploads of whole arrays, for running programs. `Buffer.write` accepts shorter data; here that is an error. */
import type { Buffer } from "./device.ts";
import { RadarError } from "./errors.ts";
import { scalarCount, type TypedArrayOf } from "./layout.ts";

/** Writes `data` to a whole buffer. Throws `layout` if the lengths differ. */
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
