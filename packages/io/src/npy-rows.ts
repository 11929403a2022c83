/** Reads an array in a .npy file in parts along its first axis, so that it need not fit into memory. `npy.ts` parses the header. */
import { createPause, dtypes, inputError, type Layout, RadarError, type TypedArrayOf, throwIfAborted } from "@dechirp/core";
import { pathError } from "./file-error.ts";
import { beginNpy, joinedPairs, numbersOf, type ReadNpyOptions, readNpy, readNpyFields } from "./npy.ts";
import { mostFileBytes } from "./place.ts";
import { accessTo, type ByteSource, checkOptions } from "./random-access.ts";

/** An array in a .npy file that is read in parts. It is not closed here; close the source. */
export interface NpyRows {
  /** Element type and shape. There may be up to 2^53 elements. */
  readonly layout: Layout;
  /**
   * Reads `count` rows from row `from` along the first axis, row-major, complex numbers interleaved. The result may be a view of bytes in
   * memory. Rejects with `input` if there are no such rows or the file has been cut short, and with `aborted`.
   */
  rows(from: number, count: number, options?: { readonly signal?: AbortSignal }): Promise<TypedArrayOf>;
}

/**
 * Opens a .npy file of any type that `readNpy` reads. Only its header is read. An array in Fortran order with several axes is read as a
 * whole when its first rows are asked for, so it may have at most 4 GiB. Rejects as `readNpy` does.
 */
export async function openNpy(source: ByteSource, options: ReadNpyOptions): Promise<NpyRows> {
  const { file, complexPairs, signal } = checkOptions(options, readNpyFields, "openNpy", ["file"]);
  const access = accessTo(source, "source", file);
  const what = `reading ${file}`;
  throwIfAborted(signal, what);
  const { dtype, shape, fortran, little, dataAt, size } = await beginNpy(access, file, signal);
  if (!Number.isSafeInteger(size)) throw pathError(file, "an array of less than 2^53 bytes", `${size}`);
  const [total] = shape;
  const rowBytes = size / total;
  const layout = complexPairs ? joinedPairs({ dtype, shape }) : { dtype, shape };
  const { array } = dtypes[dtype];
  const whole = fortran && shape.length > 1;
  if (whole && size > mostFileBytes) throw pathError(file, `at most ${mostFileBytes} bytes long in Fortran order`, `${size}`);
  let all: TypedArrayOf | undefined;
  return {
    layout,
    async rows(from, count, given = {}) {
      const { signal: heard } = checkOptions(given, { signal: true }, "rows");
      if (!(Number.isSafeInteger(from) && from >= 0 && from < total)) throw inputError("from", `an integer from 0 to ${total - 1}`, from);
      if (!(Number.isSafeInteger(count) && count >= 1 && count <= total - from))
        throw inputError("count", `an integer from 1 to ${total - from}`, count);
      throwIfAborted(heard, what);
      const length = (count * rowBytes) / array.BYTES_PER_ELEMENT;
      const hear = heard ? { signal: heard } : {};
      if (whole) {
        all ??= (await readNpy(source, { file, ...(complexPairs ? { complexPairs } : {}), ...hear })).data;
        const start = (from * rowBytes) / array.BYTES_PER_ELEMENT;
        return all.subarray(start, start + length) as TypedArrayOf;
      }
      const at = dataAt + from * rowBytes;
      const bytes = await access.read(at, count * rowBytes, hear);
      if (bytes.length !== count * rowBytes)
        throw new RadarError("input", `${file}: at byte ${at}: expected ${count * rowBytes} bytes, found ${bytes.length}`, {
          file,
          offset: at,
          expected: `${count * rowBytes} bytes`,
          actual: bytes.length,
        });
      return numbersOf(bytes, access, dtype, length, little, createPause(what, heard));
    },
  };
}
