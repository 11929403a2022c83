/**
 * Recognises files of other formats that users pass to these readers by mistake, by their first bytes, so that the error can say what
 * the file is and what to do with it. Parses nothing. Files of unknown formats are not named.
 */
import { inputError, RadarError } from "@dechirp/core";
import { isArrayOf, oneLine } from "@dechirp/core/internal";

/** A recognised format: its name in a sentence, its magic bytes, and advice if it differs from the reader's own advice. */
interface Format {
  readonly name: string;
  readonly at?: number;
  /** Magic bytes as Latin-1 text. */
  readonly magic: string;
  readonly advice?: string;
  /** The reader that accepts such files and reports its own errors about them. */
  readonly reader?: Reader;
}

/** What each reader expects, and its advice for formats that have none of their own. */
const readers = {
  npy: { expected: "a .npy file", advice: "save the array with numpy.save" },
  mat: {
    expected: "a MAT-file of version 4 or 5",
    advice: "save its arrays as a MAT-file of version 5, for example with scipy.io.savemat",
  },
} as const;

type Reader = keyof typeof readers;

const unpack = "unpack it first";

/** The formats, in the order in which they are tried. */
const formats: readonly Format[] = [
  { name: "a .npy file", magic: "\x93NUMPY", reader: "npy" },
  { name: "a version 5 MAT-file", magic: "MATLAB 5.0 MAT-file", reader: "mat" },
  { name: "a CPHD file", magic: "CPHD/", advice: "read it with readPhaseHistory, or with openCphd of @dechirp/io/cphd" },
  { name: "a CRSD file", magic: "CRSD/", advice: "its echoes are not compressed in range; they can't be read yet" },
  { name: "a NITF file, such as SICD images are", magic: "NITF", advice: "it holds an image, not echoes" },
  { name: "a NITF file, such as SICD images are", magic: "NSIF01", advice: "it holds an image, not echoes" },
  { name: "a BigTIFF image", magic: "II+\0", advice: "it holds an image, not echoes" },
  { name: "a BigTIFF image", magic: "MM\0+", advice: "it holds an image, not echoes" },
  { name: "a TIFF image", magic: "II*\0", advice: "it holds an image, not echoes" },
  { name: "a TIFF image", magic: "MM\0*", advice: "it holds an image, not echoes" },
  { name: "a PNG picture", magic: "\x89PNG\r\n", advice: "it holds an image, not echoes" },
  { name: "a JPEG picture", magic: "\xff\xd8\xff", advice: "it holds an image, not echoes" },
  { name: "a PDF document", magic: "%PDF-" },
  { name: "a zip archive, which .npz files are too", magic: "PK\x03\x04", advice: unpack },
  { name: "a gzip file", magic: "\x1f\x8b\x08", advice: unpack },
  { name: "a bzip2 file", magic: "BZh", advice: unpack },
  { name: "an xz file", magic: "\xfd7zXZ\0", advice: unpack },
  { name: "a Zstandard file", magic: "\x28\xb5\x2f\xfd", advice: unpack },
  { name: "a 7z archive", magic: "7z\xbc\xaf\x27\x1c", advice: unpack },
  { name: "a tar archive", at: 257, magic: "ustar", advice: unpack },
  { name: "a classic NetCDF file", magic: "CDF\x01" },
  { name: "a classic NetCDF file", magic: "CDF\x02" },
  { name: "an Envisat product", magic: 'PRODUCT="' },
  {
    name: "a Git LFS pointer, not the file that it stands for",
    magic: "version https://git-lfs",
    advice: "fetch the file itself with git lfs pull",
  },
  { name: "a web page", magic: "<!DOCTYPE html", advice: "the download has failed: fetch the file again" },
  { name: "a web page", magic: "<!doctype html", advice: "the download has failed: fetch the file again" },
  { name: "a web page", magic: "<html", advice: "the download has failed: fetch the file again" },
  { name: "an XML document", magic: "<?xml" },
];

const hdf5Signature = "\x89HDF\r\n\x1a\n";
/** An HDF5 file may begin with a user block of 512 bytes times a power of two. */
const mostUserBytes = 2 ** 16;
/** Number of bytes at the beginning of a file that suffice to recognise it. */
export const foreignBytes = mostUserBytes + 8;

function has(bytes: Uint8Array, at: number, magic: string): boolean {
  if (bytes.length < at + magic.length) return false;
  for (let i = 0; i < magic.length; i++) if (bytes[at + i] !== magic.charCodeAt(i)) return false;
  return true;
}

function isHdf5(bytes: Uint8Array): boolean {
  if (has(bytes, 0, hdf5Signature)) return true;
  for (let at = 512; at <= mostUserBytes; at *= 2) if (has(bytes, at, hdf5Signature)) return true;
  return false;
}

/** MATLAB writes its name into the first 116 bytes, and the version 0x0200 in either byte order before the mark IM or MI at byte 126. */
const isMat73 = (bytes: Uint8Array): boolean =>
  has(bytes, 0, "MATLAB 7.3 MAT-file") || has(bytes, 124, "\x00\x02IM") || has(bytes, 124, "\x02\x00MI");

/** The format that `bytes` begin with, or `undefined` if it is not a known one. */
function formatOf(bytes: Uint8Array): Omit<Format, "magic"> | undefined {
  if (isMat73(bytes)) return { name: "a MATLAB 7.3 file, which is HDF5 inside", advice: "load it in MATLAB and save it with -v7" };
  if (isHdf5(bytes)) return { name: "an HDF5 file that MATLAB did not write" };
  return formats.find(({ at = 0, magic }) => has(bytes, at, magic));
}

/** A format that is recognised by its first bytes. */
export interface ForeignFormat {
  /** Its name in a sentence, with an article: `a PNG picture`. */
  readonly name: string;
  /** What to do with such a file, if there is something to say. */
  readonly advice?: string;
}

/**
 * The format of a file that no reader of recordings takes, by its first bytes, 64 KiB and 8 bytes of them if the file has so many. Returns
 * `undefined` if it is not known, and for .npy files and MAT-files of version 5. Throws `input` unless `bytes` are bytes.
 */
export function foreignFormat(bytes: Uint8Array): ForeignFormat | undefined {
  if (!isArrayOf(bytes, Uint8Array)) throw inputError("bytes", "a Uint8Array", bytes);
  const format = formatOf(bytes);
  if (format === undefined || format.reader !== undefined) return undefined;
  return { name: format.name, ...(format.advice === undefined ? {} : { advice: format.advice }) };
}

/**
 * Makes the `input` error of `reader` about a file of another format, with fields `{ file, offset, expected, actual }`. Returns
 * `undefined` if the format is not known or is the reader's own.
 */
export function foreignError(file: string, bytes: Uint8Array, reader: Reader): RadarError | undefined {
  const format = formatOf(bytes);
  if (format === undefined || format.reader === reader) return undefined;
  const { expected, advice } = readers[reader];
  const message = `${file}: must be ${expected}, but is ${format.name}: ${format.advice ?? advice}`;
  return new RadarError("input", oneLine(message), { file, offset: 0, expected, actual: format.name });
}
