/** Reads an array in a .npy file in parts along its first axis, so that it need not fit into memory. `npy.ts` parses the header. */
import { createPause, dtypes, inputError, type Layout, RadarError, type TypedArrayOf, throwIfAborted } from "@dechirp/core";
import { isArrayOf } from "@dechirp/core/internal";
import { checkImageWindow, type ImageWindow } from "@dechirp/radar";
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
   * memory. `into` is an array of as many numbers of the file's type, which may be read into and returned. Rejects with `input` if there are no such
   * rows or the file has been cut short, and with `aborted`.
   */
  rows(from: number, count: number, options?: { readonly signal?: AbortSignal; readonly into?: TypedArrayOf }): Promise<TypedArrayOf>;
  /**
   * Reads a window of an array of two axes, [rows][columns], row-major, complex numbers interleaved. Rejects with `input` for other arrays,
   * for a window outside the array, and if the file has been cut short; and with `aborted`.
   */
  window(window: ImageWindow, options?: { readonly signal?: AbortSignal }): Promise<TypedArrayOf>;
}

/** Rows of a narrow window that are read at the same time. */
const rowsAtOnce = 16;

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
  /** Reads `length` numbers from byte `at` of the file on. */
  const numbersAt = async (at: number, length: number, heard: AbortSignal | undefined, into?: TypedArrayOf): Promise<TypedArrayOf> => {
    const wanted = length * array.BYTES_PER_ELEMENT;
    const place = into && { into: new Uint8Array(into.buffer, into.byteOffset, into.byteLength) };
    const bytes = await access.read(at, wanted, { ...(heard && { signal: heard }), ...place });
    if (bytes.length !== wanted)
      throw new RadarError("input", `${file}: at byte ${at}: expected ${wanted} bytes, found ${bytes.length}`, {
        file,
        offset: at,
        expected: `${wanted} bytes`,
        actual: bytes.length,
      });
    const given = bytes.buffer === into?.buffer;
    return numbersOf(bytes, { owned: access.owned, given }, dtype, length, little, createPause(what, heard));
  };
  const opened: NpyRows = {
    layout,
    async rows(from, count, given = {}) {
      const { signal: heard, into } = checkOptions(given, { signal: true, into: true }, "rows");
      if (!(Number.isSafeInteger(from) && from >= 0 && from < total)) throw inputError("from", `an integer from 0 to ${total - 1}`, from);
      if (!(Number.isSafeInteger(count) && count >= 1 && count <= total - from))
        throw inputError("count", `an integer from 1 to ${total - from}`, count);
      const length = (count * rowBytes) / array.BYTES_PER_ELEMENT;
      if (into !== undefined && !(isArrayOf(into, array) && into.length === length))
        throw inputError("into", `${array.name} of ${length} numbers`, into);
      throwIfAborted(heard, what);
      if (whole) {
        const hear = heard ? { signal: heard } : {};
        all ??= (await readNpy(source, { file, ...(complexPairs ? { complexPairs } : {}), ...hear })).data;
        const start = (from * rowBytes) / array.BYTES_PER_ELEMENT;
        return all.subarray(start, start + length) as TypedArrayOf;
      }
      return numbersAt(dataAt + from * rowBytes, length, heard, into);
    },
    async window(window, given = {}) {
      const { signal: heard } = checkOptions(given, { signal: true }, "window");
      const [rows, columns] = layout.shape;
      if (layout.shape.length !== 2) throw inputError("window", `left out for an array of ${layout.shape.length} axes`, window);
      checkImageWindow(window, rows, columns);
      const [width, all] = [window.columns, columns].map((n) => (n * (rowBytes / columns)) / array.BYTES_PER_ELEMENT);
      if (whole || width === all) {
        const some = await opened.rows(window.row, window.rows, heard ? { signal: heard } : {});
        if (width === all) return some;
        return cut(some, window, width, all);
      }
      const out = new array(window.rows * width) as TypedArrayOf;
      const pause = createPause(what, heard);
      const first = dataAt + (window.column * rowBytes) / columns;
      for (let row = 0; row < window.rows; row += rowsAtOnce) {
        await pause();
        const group = Array.from({ length: Math.min(rowsAtOnce, window.rows - row) }, async (_, i) =>
          out.set(await numbersAt(first + (window.row + row + i) * rowBytes, width, heard), (row + i) * width),
        );
        // All are awaited, so that nothing is read any more after an error.
        for (const one of await Promise.allSettled(group)) if (one.status === "rejected") throw one.reason;
      }
      return out;
    },
  };
  return opened;
}

/** The columns of a window out of whole rows of `all` numbers. */
function cut(rows: TypedArrayOf, { column, columns, rows: count }: ImageWindow, width: number, all: number): TypedArrayOf {
  const out = new (rows.constructor as new (length: number) => TypedArrayOf)(count * width);
  const first = (column * width) / columns;
  for (let row = 0; row < count; row++) out.set(rows.subarray(row * all + first, row * all + first + width), row * width);
  return out;
}
