/**
 * Records in WASM memory: named fields of 32 or 64 bits, one behind the other in the order of their description, each aligned to its own
 * size. The descriptions are in `layouts.ts`. This side writes records by the fields' names; `scripts/assembly-records.mjs` of the
 * workspace makes AssemblyScript classes of the same descriptions, by whose fields the kernels read them.
 */

/** Numbers by name, of which a field holds one as u32. */
export type Codes = Readonly<Record<string, number>>;

/** A number; four u32 that only the kernels write; a code. */
export type FieldType = "u32" | "f32" | "f64" | "u32[4]" | Codes;

export type Fields = Readonly<Record<string, FieldType>>;

/** What TypeScript writes: every field but those that only the kernels write, codes by their names. */
export type Values<F extends Fields> = {
  readonly [K in keyof F as F[K] extends "u32[4]" ? never : K]: F[K] extends Codes ? keyof F[K] : number;
};

export interface RecordLayout<F extends Fields> {
  readonly fields: F;
  readonly bytes: number;
  /** Writes a record at `address`, a multiple of 8. */
  write(memory: WebAssembly.Memory, address: number, values: Values<F>): void;
}

const sizes = { u32: 4, f32: 4, f64: 8, "u32[4]": 16 } as const;

export function record<const F extends Fields>(fields: F): RecordLayout<F> {
  let bytes = 0;
  const places = Object.entries(fields).map(([name, type]) => {
    const kind = typeof type === "string" ? type : "u32";
    const align = kind === "f64" ? 8 : 4;
    const at = Math.ceil(bytes / align) * align;
    bytes = at + sizes[kind];
    return { name, type, kind, at };
  });
  return {
    fields,
    bytes,
    write(memory, address, values) {
      const view = new DataView(memory.buffer, address, bytes);
      const given = values as Readonly<Record<string, number | string>>;
      for (const { name, type, kind, at } of places) {
        const value = given[name];
        if (kind === "f64") view.setFloat64(at, value as number, true);
        else if (kind === "f32") view.setFloat32(at, value as number, true);
        else if (kind === "u32") view.setUint32(at, typeof type === "string" ? (value as number) : type[value], true);
      }
    },
  };
}
