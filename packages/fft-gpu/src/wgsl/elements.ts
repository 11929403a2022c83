/**
 * Readers and writers of elements. They follow from a transform's op: its lines may come from a port, with padding, from a hook, from real
 * numbers, or from half a spectrum. They generate the text for one element of one line. The kernel of lines decides which invocation reads
 * which element.
 */
import {
  elementCount,
  type FilterInverse,
  type Load,
  layout,
  portsOf,
  type SpectralFilter,
  type Store,
  type TransformOp,
  transformLayout,
  transformLength,
  withAxis,
} from "@dechirp/core";
import { axisView, filterHookOf, keptLayout, wgslStored } from "@dechirp/core/backend";
import type { ArrayUse } from "../dispatch.ts";
import type { Transform } from "../transform.ts";
import { halfPairs, hermitian, pairs, type ReadElement, spectrumOfPairs } from "./half-spectra.ts";
import type { FilterReader, LineAt, MirroredWriter, Reader, Writer } from "./line-kernel.ts";
import type { Text } from "./text.ts";
import { hookFunction, userFunction } from "./user-text.ts";

type WriteElement = (text: Text, k: string, value: string) => void;

/** Reads element i of a line along the op's axis, from a port or a hook, without padding. */
interface Elements {
  readonly arrays: Readonly<Record<string, ArrayUse>>;
  readonly uniforms?: Load["uniforms"];
  readonly declarations?: string;
  line(text: Text, at: LineAt): ReadElement;
  /** Reads a line and the next one together, as vec4f. Only if the number of adjacent lines is even. */
  readonly paired?: { readonly arrays: Readonly<Record<string, ArrayUse>>; line(text: Text, at: LineAt): ReadElement };
  readonly worked?: boolean;
}

/** The line after a line. */
const beside = (at: LineAt): LineAt => ({ ...at, inner: `(${at.inner} + 1u)` });

/** Whether lines along the last axis are written as columns, so that rows are the adjacent lines. */
const fromRows = (op: TransformOp): boolean => op.cornerTurn === true && op.axis === op.layout.shape.length - 1;

/**
 * The lines of an op. `inners` of them are adjacent in the input, or in the output if lines along the last axis are written with a corner
 * turn.
 */
export function linesOf(op: TransformOp): Pick<Transform, "outers" | "inners"> {
  const { outers, inners } = axisView(op.layout, op.axis);
  if (!fromRows(op)) return { outers, inners };
  const rows = op.layout.shape[op.axis - 1];
  return { outers: outers / rows, inners: rows };
}

/** The position of a line in arrays without a corner turn. */
function straight(op: TransformOp, text: Text, at: LineAt): LineAt {
  if (!fromRows(op)) return at;
  return { ...at, outer: text.let(plus(times(at.outer, op.layout.shape[op.axis - 1]), at.inner), "row"), inner: "0u" };
}

const portUse = (op: TransformOp, name: string): ArrayUse => {
  const { layout, access } = portsOf(op)[name];
  return { from: { port: name }, layout, access };
};

const plus = (a: string, b: string): string => (a === "0u" ? b : b === "0u" ? a : `${a} + ${b}`);
const times = (a: string, b: number): string => (a === "0u" ? a : b === 1 ? a : `${a} * ${b}u`);

/** Flat index of element i of a line of an array whose axis has `extent` elements, `inners` apart. */
function lineBase(text: Text, { outer, inner }: LineAt, extent: number, inners: number): (i: string) => string {
  const base = text.let(plus(times(outer, extent * inners), inner), "base");
  return (i) => plus(base, times(i.includes(" ") ? `(${i})` : i, inners));
}

/** Index vector of element i of a line. */
function vectorText(text: Text, shape: readonly number[], axis: number, at: LineAt): (i: string) => string {
  const parts: string[] = [];
  const unravel = (from: number, to: number, flat: string): void => {
    let rest = flat;
    for (let a = to - 1; a >= from; a--) {
      parts[a] = a === from ? rest : text.let(`${rest} % ${shape[a]}u`, "at");
      if (a > from) rest = text.let(`${rest} / ${shape[a]}u`, "at");
    }
  };
  unravel(0, axis, at.outer);
  unravel(axis + 1, shape.length, at.inner);
  return (i) => {
    const vector = Array.from({ length: shape.length }, (_, a) => (a === axis ? i : parts[a]));
    return `array<u32, ${shape.length}>(${vector.join(", ")})`;
  };
}

const sourceUses = (op: TransformOp, hook: Load | Store): Record<string, ArrayUse> =>
  Object.fromEntries(Object.keys(hook.sources).map((name) => [name, portUse(op, name)]));

/** The elements that the op reads, from its port or its load hook. Undefined if the hook has no WGSL. */
function elementsOf(op: TransformOp): Elements | undefined {
  const { load } = op;
  if (!load) {
    const { extent, inners } = axisView(op.layout, op.axis);
    const use = portUse(op, "in");
    const elements: Elements = {
      arrays: { in: use },
      line(text, at) {
        const index = lineBase(text, straight(op, text, at), extent, inners);
        return (_, i) => `load_in(${index(i)})`;
      },
    };
    if (linesOf(op).inners % 2 === 1 || op.layout.dtype !== "c64") return elements;
    if (fromRows(op)) return { ...elements, paired: inTurn(elements) };
    const paired: Elements["paired"] = {
      arrays: { in: { ...use, pairs: true } },
      line(text, at) {
        const index = lineBase(text, at, extent, inners);
        return (_, i) => `load2_in(${index(i)})`;
      },
    };
    return { ...elements, paired };
  }
  const real = op.op === "real-fft" && !op.inverse;
  const { shape } = op.layout;
  const code = hookFunction("load", load, shape.length);
  if (code === undefined) return undefined;
  const elements: Elements = {
    arrays: sourceUses(op, load),
    ...(load.uniforms && { uniforms: load.uniforms }),
    worked: load.wgslPair !== undefined,
    declarations: code,
    line(text, at) {
      const vector = vectorText(text, shape, op.axis, straight(op, text, at));
      return (_, i) => `dechirp_load(${vector(i)})${real ? ".x" : ""}`;
    },
  };
  if (linesOf(op).inners % 2 === 1) return elements;
  const pair = load.wgslPair;
  // Adjacent lines differ in the last index that is not the index within a line.
  if (real || pair?.axis !== (op.axis === shape.length - 1 ? shape.length - 2 : shape.length - 1) || shape[pair.axis] % 2 === 1)
    return { ...elements, paired: inTurn(elements) };
  const paired: Elements["paired"] = {
    arrays: elements.arrays,
    line(text, at) {
      const vector = vectorText(text, shape, op.axis, straight(op, text, at));
      return (_, i) => `dechirp_load2(${vector(i)})`;
    },
  };
  const head = `dechirp_load2(at: array<u32, ${shape.length}>) -> vec4f`;
  const both = userFunction(head, "load.wgslPair.text", () => pair.text(load.constants ?? {}));
  return { ...elements, declarations: `${code}\n${both}`, paired };
}

/** Reads a line and the next one, one after the other. */
const inTurn = (elements: Elements): NonNullable<Elements["paired"]> => ({
  arrays: elements.arrays,
  line(text, at) {
    const [a, b] = [at, beside(at)].map((one) => elements.line(text, one));
    return (t, i) => `vec4f(${a(t, i)}, ${b(t, i)})`;
  },
});

/** The reader of the lines that are transformed. Undefined if a hook has no WGSL. */
export function readerOf(op: TransformOp, form: "complex" | "pairs" | "half pairs"): Reader | undefined {
  const elements = elementsOf(op);
  if (!elements) return undefined;
  const { line: _, paired, ...port } = elements;
  const n = transformLength(op);
  const extent = op.layout.shape[op.axis];
  if (form === "pairs") {
    const wide = op.load ? undefined : neighbours(op, "in", extent);
    if (wide) {
      return {
        arrays: { in: wide.use },
        extent: Math.min(extent, n) / 2,
        line(text, at) {
          const index = wide.index(text, at);
          return (_, i) => `load_in(${index(i)})`;
        },
      };
    }
    return { ...port, extent: Math.ceil(Math.min(extent, n) / 2), line: pairs(elements.line, Math.min(extent, n)) };
  }
  if (form === "half pairs") return { ...port, extent: n / 2, ...halfPairs(elements.line, n, extent) };
  if (op.op === "real-fft") {
    if (op.inverse) return { ...port, extent: n, line: hermitian(elements.line, n, extent) };
    return {
      ...port,
      extent: Math.min(extent, n),
      line(text, at) {
        const element = elements.line(text, at);
        return (t, i) => `vec2f(${element(t, i)}, 0.0)`;
      },
    };
  }
  const reader: Reader = {
    ...port,
    extent: Math.min(extent, n),
    line: (text, at) => elements.line(text, at),
    ...(paired && { paired }),
  };
  if (op.op !== "filter-inverse") return reader;
  const filter = filterOf(op);
  return filter && filtered(op, reader, filter);
}

/**
 * A port of real lines of `extent` numbers as an array of complex numbers x[2i] + j·x[2i + 1], which are read and written at once. Undefined if
 * neighbours of a line are apart in memory, or if a line may begin in the middle of two.
 */
function neighbours(
  op: TransformOp,
  port: "in" | "out",
  extent: number,
): { readonly use: ArrayUse; index(text: Text, at: LineAt): (i: string) => string } | undefined {
  const use = portUse(op, port);
  if (use.layout.dtype !== "f32" || extent % 2 !== 0 || axisView(op.layout, op.axis).inners !== 1) return undefined;
  return {
    use: { ...use, layout: layout("c64", [elementCount(use.layout) / 2]) },
    index: (text, at) => lineBase(text, at, extent / 2, 1),
  };
}

/** Reads x·h. */
function filtered(op: FilterInverse, reader: Reader, filter: FilterReader): Reader {
  return {
    ...reader,
    arrays: { ...reader.arrays, ...filter.arrays },
    uniforms: { ...reader.uniforms, ...filter.uniforms },
    declarations: `${reader.declarations ?? ""}\n${filter.declarations ?? ""}`,
    line(text, at, table) {
      const element = reader.line(text, at, table);
      const h = filter.line(text, at, table);
      return (t, i) => `cmul(${element(t, i)}, ${h(t, i)})`;
    },
    ...(reader.paired && { paired: filteredPairs(op, reader.paired, filter) }),
  };
}

function filteredPairs(op: FilterInverse, reader: NonNullable<Reader["paired"]>, filter: FilterReader): NonNullable<Reader["paired"]> {
  return {
    ...reader,
    arrays: { ...reader.arrays, ...filter.arrays },
    line(text, at, table) {
      const element = reader.line(text, at, table);
      const [a, b] = [at, beside(at)].map((one) => filter.line(text, one, table));
      return (t, i) => {
        const value = t.let(element(t, i));
        const first = t.let(a(t, i));
        return `vec4f(cmul(${value}.xy, ${first}), cmul(${value}.zw, ${op.h === "line" ? first : b(t, i)}))`;
      };
    },
  };
}

/** The filter's values at the frequencies of a line. Undefined if a hook computes them that has no WGSL. */
export function filterOf(op: SpectralFilter | FilterInverse): FilterReader | undefined {
  const n = transformLength(op);
  const hook = filterHookOf(op);
  if (hook) {
    const { shape } = withAxis(op.layout, op.axis, n);
    const declarations = hookFunction("h", hook, shape.length);
    if (declarations === undefined) return undefined;
    return {
      arrays: sourceUses(op, hook),
      ...(hook.uniforms && { uniforms: hook.uniforms }),
      declarations,
      line(text, at) {
        const vector = vectorText(text, shape, op.axis, straight(op, text, at));
        return (_, k) => `dechirp_h(${vector(k)})`;
      },
    };
  }
  const { inners } = axisView(op.layout, op.axis);
  return {
    arrays: { h: portUse(op, "h") },
    line(text, at) {
      const index = op.h === "line" ? (k: string) => k : lineBase(text, straight(op, text, at), n, inners);
      return (_, k) => `load_h(${index(k)})`;
    },
  };
}

/** Flat index of result k of a line, of which `kept` are written. With a corner turn, lines are along one of the last two axes. */
function resultBase(op: TransformOp, text: Text, at: LineAt, kept: number): (k: string) => string {
  const { inners } = linesOf(op);
  if (!op.cornerTurn || fromRows(op)) return lineBase(text, at, kept, inners);
  return lineBase(text, { ...at, outer: text.let(plus(times(at.outer, inners), at.inner), "row"), inner: "0u" }, kept, 1);
}

/**
 * Generates the statement that writes result k, counted from the first kept one. The value is a vec2f. Undefined if the store hook has no
 * WGSL.
 */
function resultsOf(
  op: TransformOp,
  kept: number,
): { readonly port: Omit<Writer, "keep" | "line">; line(text: Text, at: LineAt): WriteElement } | undefined {
  const out = portUse(op, "out");
  const { store } = op;
  const { shape } = keptLayout(op);
  const code = store && hookFunction("store", store, shape.length);
  if (store && code === undefined) return undefined;
  return {
    port: {
      arrays: { ...(store && sourceUses(op, store)), out },
      ...(store?.uniforms && { uniforms: store.uniforms }),
      ...(code !== undefined && { declarations: code }),
    },
    line(text, at) {
      const index = resultBase(op, text, at, kept);
      const vector = store ? vectorText(text, shape, op.axis, straight(op, text, at)) : undefined;
      return (t, k, value) => {
        const result = t.let(vector ? `dechirp_store(${vector(k)}, ${value})` : value);
        t.line(`store_out(${index(k)}, ${wgslStored(out.layout.dtype, result)});`);
      };
    },
  };
}

/** The writer of the op's results. Undefined if the store hook has no WGSL. */
export function writerOf(op: TransformOp, form: "complex" | "pairs" | "split"): Writer | undefined {
  const full = transformLayout(op).shape[op.axis];
  const [start, count] = op.keep ?? [0, full];
  const results = resultsOf(op, count);
  if (!results) return undefined;
  const n = transformLength(op);
  /** Writes result k of the op (a vec2f) if it is kept. */
  const kept = (t: Text, write: WriteElement, k: string, value: string): void => {
    const condition = [start > 0 ? `${k} >= ${start}u` : undefined, start + count < full ? `${k} < ${start + count}u` : undefined]
      .filter((part) => part !== undefined)
      .join(" && ");
    t.when(condition === "" ? undefined : condition, () => write(t, start === 0 ? k : `(${k} - ${start}u)`, value));
  };
  if (form === "pairs") {
    const wide = op.store || start % 2 !== 0 ? undefined : neighbours(op, "out", count);
    if (wide) {
      return {
        arrays: { out: wide.use },
        keep: [start / 2, count / 2],
        line(text, at) {
          const index = wide.index(text, at);
          return (t, k, value) => t.line(`store_out(${index(k)}, ${value});`);
        },
      };
    }
    return {
      ...results.port,
      keep: [0, n / 2],
      line(text, at) {
        const write = results.line(text, at);
        return (t, k, value) => {
          const even = t.let(`2u * (${k})`, "k");
          kept(t, write, even, `vec2f(${value}.x, 0.0)`);
          kept(t, write, `(${even} + 1u)`, `vec2f(${value}.y, 0.0)`);
        };
      },
    };
  }
  if (form === "split") {
    const mirrored: MirroredWriter = { ...spectrumOfPairs(n), keep: [start, count], line: results.line };
    return {
      ...results.port,
      keep: [0, n / 2],
      mirrored,
      line(text, at, table) {
        const write = results.line(text, at);
        const whole = mirrored.whole(table);
        return (t, k, values) => {
          const [element, image] = values.split(", ");
          kept(t, write, k, whole(t, k, element, image));
          t.when(`${k} == 0u`, () => kept(t, write, `${n / 2}u`, mirrored.last(t, element)));
        };
      },
    };
  }
  const real = op.op === "real-fft" && op.inverse;
  const writer: Writer = {
    ...results.port,
    keep: [start, count],
    line(text, at) {
      const write = results.line(text, at);
      return (t, k, value) => write(t, k, real ? `vec2f(${value}.x, 0.0)` : value);
    },
  };
  if (real || linesOf(op).inners % 2 === 1) return writer;
  const out = portUse(op, "out");
  const paired: Writer["paired"] =
    op.store || out.layout.dtype !== "c64" || (op.cornerTurn && !fromRows(op))
      ? {
          arrays: results.port.arrays ?? {},
          line(text, at) {
            const [a, b] = [at, beside(at)].map((one) => results.line(text, one));
            return (t, k, value) => {
              const both = t.let(value);
              a(t, k, `${both}.xy`);
              b(t, k, `${both}.zw`);
            };
          },
        }
      : {
          arrays: { out: { ...out, pairs: true } },
          line(text, at) {
            const index = resultBase(op, text, at, count);
            return (t, k, value) => t.line(`store2_out(${index(k)}, ${value});`);
          },
        };
  return { ...writer, paired };
}
