/** Builds MAT-files byte by byte for tests, from the format's specification and independently of the reader. */
import { zlibSync } from "fflate";

export type Order = "little" | "big";

export const concat = (...parts: Uint8Array[]): Uint8Array => {
  const out = new Uint8Array(parts.reduce((n, part) => n + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
};

const setters = {
  i8: ["setInt8", 1],
  u8: ["setUint8", 1],
  i16: ["setInt16", 2],
  u16: ["setUint16", 2],
  i32: ["setInt32", 4],
  u32: ["setUint32", 4],
  f32: ["setFloat32", 4],
  f64: ["setFloat64", 8],
} as const;
export type Kind = keyof typeof setters | "i64" | "u64";

export function pack(order: Order, kind: Kind, values: readonly number[] | readonly bigint[]): Uint8Array {
  const size = kind === "i64" || kind === "u64" ? 8 : setters[kind][1];
  const view = new DataView(new ArrayBuffer(values.length * size));
  values.forEach((value: number | bigint, i: number) => {
    if (kind === "i64") view.setBigInt64(i * 8, BigInt(value), order === "little");
    else if (kind === "u64") view.setBigUint64(i * 8, BigInt(value), order === "little");
    else view[setters[kind][0]](i * size, Number(value), order === "little");
  });
  return new Uint8Array(view.buffer);
}

export const ascii = (text: string): Uint8Array => Uint8Array.from(text, (c) => c.charCodeAt(0));

/** One version 4 matrix. */
export function mat4(
  order: Order,
  name: string,
  precision: number,
  kind: Kind,
  shape: [number, number],
  re: number[],
  im?: number[],
  text = 0,
): Uint8Array {
  const mopt = (order === "big" ? 1000 : 0) + precision * 10 + text;
  const header = pack(order, "i32", [mopt, ...shape, im ? 1 : 0, name.length + 1]);
  return concat(header, ascii(`${name}\0`), pack(order, kind, re), ...(im ? [pack(order, kind, im)] : []));
}

const typeCodes: Record<Kind, number> = { i8: 1, u8: 2, i16: 3, u16: 4, i32: 5, u32: 6, f32: 7, f64: 9, i64: 12, u64: 13 };

export interface Numbers {
  readonly kind: Kind;
  readonly values: readonly number[] | readonly bigint[];
}

export class Mat5 {
  readonly order: Order;

  constructor(order: Order) {
    this.order = order;
  }

  tag(type: number, size: number): Uint8Array {
    return pack(this.order, "u32", [type, size]);
  }

  /** A data element: small if it fits into 4 bytes, else padded to 8. */
  element(type: number, bytes: Uint8Array): Uint8Array {
    if (bytes.length > 0 && bytes.length <= 4) {
      return concat(pack(this.order, "u32", [bytes.length * 65536 + type]), bytes, new Uint8Array(4 - bytes.length));
    }
    return concat(this.tag(type, bytes.length), bytes, new Uint8Array((8 - (bytes.length % 8)) % 8));
  }

  numbers(part: Numbers): Uint8Array {
    return this.element(typeCodes[part.kind], pack(this.order, part.kind, part.values));
  }

  matrix(classCode: number, shape: number[], name: string, ...rest: Uint8Array[]): Uint8Array {
    return this.flagged(classCode, shape, name, ...rest);
  }

  flagged(flags: number, shape: number[], name: string, ...rest: Uint8Array[]): Uint8Array {
    const body = concat(
      this.element(6, pack(this.order, "u32", [flags, 0])),
      this.element(5, pack(this.order, "i32", shape)),
      this.element(1, ascii(name)),
      ...rest,
    );
    return concat(this.tag(14, body.length), body);
  }

  real(name: string, classCode: number, shape: number[], re: Numbers, logical = false): Uint8Array {
    return this.flagged(classCode | (logical ? 0x200 : 0), shape, name, this.numbers(re));
  }

  complex(name: string, classCode: number, shape: number[], re: Numbers, im: Numbers): Uint8Array {
    return this.flagged(classCode | 0x800, shape, name, this.numbers(re), this.numbers(im));
  }

  char(name: string, text: string, as: "u16" | "utf8" = "u16"): Uint8Array {
    if (as === "utf8") return this.matrix(4, [1, text.length], name, this.element(16, new TextEncoder().encode(text)));
    const codes = Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
    return this.matrix(4, [1, text.length], name, this.numbers({ kind: "u16", values: codes }));
  }

  /** Elements in file order: struct by struct, field by field. */
  struct(name: string, shape: number[], fieldNames: string[], elements: Uint8Array[]): Uint8Array {
    const width = 32;
    const names = concat(...fieldNames.map((field) => concat(ascii(field), new Uint8Array(width - field.length))));
    return this.matrix(2, shape, name, this.element(5, pack(this.order, "i32", [width])), this.element(1, names), ...elements);
  }

  cell(name: string, shape: number[], elements: Uint8Array[]): Uint8Array {
    return this.matrix(1, shape, name, ...elements);
  }

  compressed(matrix: Uint8Array): Uint8Array {
    const bytes = zlibSync(matrix);
    return concat(this.tag(15, bytes.length), bytes);
  }

  file(...elements: Uint8Array[]): Uint8Array {
    const header = new Uint8Array(128).fill(0x20);
    header.set(ascii("MATLAB 5.0 MAT-file, for a test"));
    header.fill(0, 116, 124);
    header.set(pack(this.order, "u16", [0x0100, 0x4d49]), 124);
    return concat(header, ...elements);
  }
}
