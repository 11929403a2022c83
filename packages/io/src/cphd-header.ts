/**
 * The text header of a CPHD file (Compensated Phase History Data, NGA.STND.0068-1, versions 1.0.1 and 1.1.0): the version, lines
 * `KEY := VALUE`, and where the blocks of the file are. Nothing else of the file is read, and no size is trusted: all blocks lie inside the
 * file, in order and without overlap, before anything is read from them.
 */
import { isCphd } from "./cphd-magic.ts";
import { fieldError, fileError, stateError } from "./file-error.ts";
import { type RandomAccess, readExactly } from "./random-access.ts";

/** The versions that are read. */
export const cphdVersions = ["1.0.1", "1.1.0"] as const;

/** A version of CPHD that is read and written. */
export type CphdVersion = (typeof cphdVersions)[number];

/** Where a block is in the file. */
export interface CphdBlock {
  /** Its first byte. */
  readonly at: number;
  /** Number of bytes. */
  readonly size: number;
}

/** The header of a CPHD file. */
export interface CphdHeader {
  readonly version: CphdVersion;
  /** All lines of the header, those with unknown keys too. */
  readonly fields: Readonly<Record<string, string>>;
  readonly xml: CphdBlock;
  /** Absent if the file has no support arrays. */
  readonly support?: CphdBlock;
  readonly vectors: CphdBlock;
  readonly signal: CphdBlock;
  /** Remarks about the header, one sentence each. */
  readonly notes: readonly string[];
}

/** A header ends within this many bytes. */
export const mostHeaderBytes = 2 ** 16;

/** Reads and checks the header. Rejects with `input`, which names the byte or the key, and with `aborted`. */
export async function readCphdHeader(access: RandomAccess, file: string, signal?: AbortSignal): Promise<CphdHeader> {
  const head = await readExactly(access, file, 0, Math.min(access.size, mostHeaderBytes), signal);
  if (!isCphd(head)) throw fileError(file, 0, "CPHD/1.0.1 or CPHD/1.1.0", latin(head.subarray(0, 10)));
  const lineEnd = head.indexOf(10);
  const first = latin(head.subarray(0, lineEnd < 0 ? Math.min(20, head.length) : lineEnd));
  const version = cphdVersions.find((one) => first === `CPHD/${one}`);
  if (!version) throw fileError(file, 0, "version CPHD/1.0.1 or CPHD/1.1.0", first);
  let end = lineEnd;
  while (end >= 0 && head[end + 1] !== 10) end = head.indexOf(12, end + 1);
  if (end < 0)
    throw fileError(file, 0, `a header that ends with a form feed and a line feed within ${mostHeaderBytes} bytes`, "no such end");
  const fields = linesOf(head.subarray(lineEnd + 1, end), lineEnd + 1, file);
  const number = (key: string): number | undefined => {
    const text = fields[key];
    if (text === undefined) return undefined;
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (!Number.isSafeInteger(value)) throw fieldError(file, key, "a whole number below 2^53", text);
    return value;
  };
  const blockOf = (name: string): CphdBlock | undefined => {
    const [sizeKey, atKey] = [`${name}_BLOCK_SIZE`, `${name}_BLOCK_BYTE_OFFSET`];
    const [size, at] = [number(sizeKey), number(atKey)];
    if (size === undefined && at === undefined && name === "SUPPORT") return undefined;
    if (size === undefined) throw stateError(file, sizeKey, "in the header", "absent");
    if (at === undefined) throw stateError(file, atKey, "in the header", "absent");
    return { at, size };
  };
  const [xml, support, vectors, samples] = ["XML", "SUPPORT", "PVP", "SIGNAL"].map(blockOf) as [
    CphdBlock,
    CphdBlock | undefined,
    CphdBlock,
    CphdBlock,
  ];
  const blocks = { XML: xml, ...(support && support.size > 0 ? { SUPPORT: support } : {}), PVP: vectors, SIGNAL: samples };
  let free = end + 2;
  for (const [name, { at, size }] of Object.entries(blocks)) {
    if (at < free) throw fieldError(file, `${name}_BLOCK_BYTE_OFFSET`, `at least ${free}, where the part before it ends`, at);
    if (size < 1) throw fieldError(file, `${name}_BLOCK_SIZE`, "at least 1", size);
    // The XML is followed by a form feed and a line feed.
    free = at + size + (name === "XML" ? 2 : 0);
    if (free > access.size)
      throw fieldError(file, `${name}_BLOCK_SIZE`, `such that the block ends within the file's ${access.size} bytes`, `${at} + ${size}`);
  }
  const notes = free < access.size ? [`${access.size - free} bytes follow the signal block; they are not read`] : [];
  return { version, fields, xml, ...(support && support.size > 0 ? { support } : {}), vectors, signal: samples, notes };
}

/** Bytes as text, one character each. */
const latin = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");

function linesOf(bytes: Uint8Array, at: number, file: string): Record<string, string> {
  const fields: Record<string, string> = Object.create(null);
  let start = at;
  for (const line of latin(bytes).split("\n")) {
    const match = /^([!-~]+) := (.*)$/.exec(line);
    if (match) {
      const [, key, value] = match;
      if (key in fields) throw stateError(file, key, "in the header once", "there several times");
      fields[key] = value.trim();
    } else if (line.trim() !== "") throw fileError(file, start, "a line KEY := VALUE", line);
    start += line.length + 1;
  }
  return fields;
}
