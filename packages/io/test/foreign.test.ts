/** Files of other formats: every reader's error says what the file is and what to do. */
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { encodePng, readMat, readNpy, writeNpy } from "../src/index.ts";
import { ascii, concat, Mat5, mat4, pack } from "./mat-builder.ts";
import { refusal } from "./refusal.ts";

const file = "x";

const hdf5 = concat(Uint8Array.of(0x89), ascii("HDF\r\n\x1a\n"), new Uint8Array(600));
const png = await encodePng({ width: 1, height: 1, data: Uint8Array.of(7) });
const npy = writeNpy({ dtype: "f64", shape: [1] }, Float64Array.of(1));
const mat5 = new Mat5("little").file();
/** As MATLAB writes it: a text of 116 bytes, the version and the byte order mark, zeros up to byte 512, then HDF5. */
const mat73 = concat(
  ascii("MATLAB 7.3 MAT-file, Platform: GLNXA64, Created on: Mon Jan  1 00:00:00 2024 HDF5 schema 1.00 .".padEnd(124, " ")),
  pack("little", "u16", [0x0200]),
  ascii("IM"),
  new Uint8Array(384),
  hdf5,
);

const named: readonly (readonly [name: string, bytes: Uint8Array, words: string])[] = [
  ["MATLAB 7.3", mat73, "is a MATLAB 7.3 file, which is HDF5 inside: load it in MATLAB and save it with -v7"],
  ["MATLAB 7.3, cut off behind its header", mat73.subarray(0, 128), "is a MATLAB 7.3 file"],
  ["MATLAB 7.3 with another text", concat(ascii("made by hand".padEnd(124, " ")), mat73.subarray(124)), "is a MATLAB 7.3 file"],
  ["HDF5", hdf5, "is an HDF5 file that MATLAB did not write: save "],
  ["HDF5 behind 512 bytes of its user's", concat(new Uint8Array(512), hdf5), "is an HDF5 file that MATLAB did not write: save "],
  ["HDF5 behind 2048 bytes of its user's", concat(new Uint8Array(2048).fill(65), hdf5), "is an HDF5 file that MATLAB did not write"],
  ["CPHD", ascii("CPHD/1.0.1\nXML_BLOCK_SIZE := 1\n"), "is a CPHD file"],
  ["CRSD", ascii("CRSD/1.0\nXML_BLOCK_SIZE := 1\n"), "is a CRSD file"],
  ["NITF", ascii("NITF02.1003BF01"), "is a NITF file"],
  ["TIFF", concat(ascii("II"), pack("little", "u16", [42]), new Uint8Array(100)), "is a TIFF image"],
  ["TIFF, big-endian", concat(ascii("MM"), pack("big", "u16", [42]), new Uint8Array(100)), "is a TIFF image"],
  ["BigTIFF", concat(ascii("II"), pack("little", "u16", [43]), new Uint8Array(100)), "is a BigTIFF image"],
  ["PNG", png, "is a PNG picture"],
  ["zip", concat(ascii("PK"), Uint8Array.of(3, 4), new Uint8Array(100)), "is a zip archive, which .npz files are too: unpack it first"],
  ["gzip", new Uint8Array(gzipSync(npy)), "is a gzip file: unpack it first"],
  ["tar", concat(new Uint8Array(257).fill(65), ascii("ustar"), new Uint8Array(300)), "is a tar archive: unpack it first"],
  ["NetCDF", concat(ascii("CDF"), Uint8Array.of(1), new Uint8Array(100)), "is a classic NetCDF file"],
  ["a Git LFS pointer", ascii("version https://git-lfs.github.com/spec/v1\noid sha256:1\n"), "is a Git LFS pointer, not the file"],
  ["a web page", ascii("<!DOCTYPE html>\n<html>"), "is a web page: the download has failed"],
];

describe.each([
  ["readMat", readMat, "must be a MAT-file of version 4 or 5, but "],
  ["readNpy", readNpy, "must be a .npy file, but "],
] as const)("%s says that a file", (_, read, expected) => {
  it.each(named)("is of %s", async (_name, bytes, words) => {
    const { message, fields } = await refusal(() => read(bytes, { file }));
    expect(message).toContain(`x: ${expected}${words}`);
    expect(fields).toEqual({ file, offset: 0, expected: expect.any(String), actual: expect.any(String) });
  });
});

it("each name the other's format, and report their own format with their own errors", async () => {
  expect((await refusal(() => readMat(npy, { file }))).message).toMatch(/but is a \.npy file: save its arrays as a MAT-file/);
  expect((await refusal(() => readNpy(mat5, { file }))).message).toMatch(/but is a version 5 MAT-file: save the array with numpy\.save/);
  const damaged = mat5.slice();
  damaged.set(pack("little", "u16", [0x0300]), 124);
  expect((await refusal(() => readMat(damaged, { file }))).message).toContain("expected MAT-file version 0x0100");
  expect((await refusal(() => readNpy(npy.subarray(0, 20), { file }))).message).toContain("expected a header inside the file");
});

it("do not mistake sound files by bytes that occur in their data", async () => {
  const m = new Mat5("little");
  const values = [...new Uint8Array(300), ...hdf5.subarray(0, 8)];
  for (let shift = 0; shift < 8; shift++) {
    const shifted = m.file(
      m.real("a", 9, [1, values.length + 48 + shift], { kind: "u8", values: [...new Array(48 + shift).fill(0), ...values] }),
    );
    expect((await readMat(shifted, { file })).variables.size).toBe(1);
  }
  expect((await readMat(mat4("little", "a", 0, "f64", [1, 1], [1]), { file })).version).toBe(4);
});
