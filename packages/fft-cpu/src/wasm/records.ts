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
  const place = (kind: keyof typeof sizes): number => {
    const align = kind === "f64" ? 8 : 4;
    const at = Math.ceil(bytes / align) * align;
    bytes = at + sizes[kind];
    return at;
  };
  // Tasks are written at every run: words by their indices in a loop of their own take half the time of a DataView.
  const words: { readonly name: string; readonly index: number; readonly codes: Codes }[] = [];
  const floats: { readonly name: string; readonly at: number; readonly kind: "f32" | "f64" }[] = [];
  for (const [name, type] of Object.entries(fields)) {
    if (type === "f32" || type === "f64") floats.push({ name, at: place(type), kind: type });
    else if (type === "u32[4]") place(type);
    else words.push({ name, index: place("u32") / 4, codes: type === "u32" ? {} : type });
  }
  return {
    fields,
    bytes,
    write(memory, address, values) {
      const given = values as Readonly<Record<string, number | string>>;
      const target = new Uint32Array(memory.buffer, address, bytes / 4);
      for (const { name, index, codes } of words) {
        const value = given[name];
        target[index] = typeof value === "string" ? codes[value] : value;
      }
      for (const { name, at, kind } of floats) {
        if (kind === "f32") new Float32Array(memory.buffer, address + at, 1)[0] = given[name] as number;
        else new Float64Array(memory.buffer, address + at, 1)[0] = given[name] as number;
      }
    },
  };
}
