/**
 * The rows of the CPU backend's table for arrays besides transforms, in WASM: corner turns, products with filters,
 * conversions. Words written here are read by `assembly/arrays.ts`.
 */
import { type Convert, dtypes, elementCount, formatOp, type Multiply, type Op, scalarCount, type Transpose } from "@dechirp/core";
import { axisView, onePassCost, type PlanBody, type Rule } from "@dechirp/core/backend";
import type { Engine, Entry } from "./engine.ts";
import { type HostArray, usesOf } from "./memory.ts";

export function arrayRules(engine: Engine): readonly Rule<HostArray>[] {
  return [
    {
      name: "wasm corner turn",
      fused: false,
      // From one array to another only: in place is left to core, which goes through a copy.
      try: (op, { options }) => (op.op === "transpose" && !options.inPlace ? turnBody(op, engine) : undefined),
    },
    {
      name: "wasm product",
      fused: false,
      try: (op) => (op.op === "multiply" && op.layout.dtype === "c64" ? multiplyBody(op, engine) : undefined),
    },
    { name: "wasm conversion", fused: false, try: (op) => (op.op === "convert" ? convertBody(op, engine) : undefined) },
  ];
}

/** Elements or numbers of an item where an array is cut into blocks. */
const blockLength = 8192;
/** A slow estimate, to decide what is small and to size a first slice. */
const bytesPerMillisecond = 2e6;

interface Items {
  readonly entry: Entry;
  readonly name: string;
  readonly items: number;
  /** Words of the argument. */
  words(ports: Readonly<Record<string, HostArray>>): readonly number[];
  readonly scale?: number;
}

function body(op: Op, engine: Engine, { entry, name, items, words, scale }: Items): PlanBody<HostArray> {
  const { heap } = engine;
  const argument = heap.allocate(48, formatOp(op));
  const cost = onePassCost(op);
  const uses = usesOf(op);
  return {
    text: `(${op.op}/wasm ${name})`,
    cost,
    dispose: () => heap.free(argument),
    run: (ports, { units, signal }) =>
      engine.run({
        what: formatOp(op),
        uses: uses(ports),
        entry,
        argument,
        items,
        chunk: Math.ceil(items / (8 * units.length)),
        milliseconds: cost.bytes / bytesPerMillisecond,
        units,
        signal,
        prepare() {
          new Uint32Array(heap.memory.buffer, argument, 10).set(words(ports));
          new Float64Array(heap.memory.buffer, argument + 40, 1)[0] = scale ?? 1;
        },
      }),
  };
}

/** A permutation that exchanges two neighbouring groups of axes behind some that stay: matrices to be turned. */
function asMatrices(op: Transpose): { matrices: number; rows: number; columns: number } | undefined {
  const rank = op.permutation.length;
  let kept = 0;
  while (kept < rank && op.permutation[kept] === kept) kept++;
  const first = op.permutation[kept] ?? rank;
  const turned = [...Array(rank).keys()].slice(kept);
  const exchanged = [...turned.filter((axis) => axis >= first), ...turned.filter((axis) => axis < first)];
  if (exchanged.some((axis, i) => op.permutation[kept + i] !== axis)) return undefined;
  const product = (from: number, to: number): number => op.layout.shape.slice(from, to).reduce((a, b) => a * b, 1);
  return { matrices: product(0, kept), rows: product(kept, first), columns: product(first, rank) };
}

function turnBody(op: Transpose, engine: Engine): PlanBody<HostArray> | undefined {
  const shape = asMatrices(op);
  if (!shape) return undefined;
  const { matrices, rows, columns } = shape;
  const bands = Math.ceil(rows / 64);
  return body(op, engine, {
    entry: engine.kernel("turnTask"),
    name: `turn ${matrices} of ${rows}×${columns}`,
    items: matrices * bands,
    words: (ports) => [ports["in"].address, ports["out"].address, rows, columns, dtypes[op.layout.dtype].bytes, bands],
  });
}

function multiplyBody(op: Multiply, engine: Engine): PlanBody<HostArray> {
  const { outers, extent, inners } = axisView(op.layout, op.axis);
  const total = elementCount(op.layout);
  const ways = {
    line: { way: 0, length: extent, items: outers },
    rows: { way: 1, length: inners, items: outers * extent },
    all: { way: 2, length: blockLength, items: Math.ceil(total / blockLength) },
  };
  const { way, length, items } = op.h === "all" ? ways.all : inners === 1 ? ways.line : ways.rows;
  return body(op, engine, {
    entry: engine.kernel("multiplyTask"),
    name: `h=${op.h}`,
    items,
    words: (ports) => [
      ports["in"].address,
      ports["h"].address,
      ports["out"].address,
      length,
      way,
      extent,
      items,
      total - (items - 1) * blockLength,
    ],
  });
}

const codes = { f32: 0, f64: 1, i8: 2, i16: 3, u8: 4, u32: 5 } as const;

/** The type of an element's numbers: f32 for c64. */
const numberType = (dtype: string): string => ({ c64: "f32", c128: "f64", ci8: "i8", ci16: "i16" })[dtype] ?? dtype;

function convertBody(op: Convert, engine: Engine): PlanBody<HostArray> | undefined {
  if (![op.layout.dtype, op.to].every((dtype) => Object.hasOwn(codes, numberType(dtype)))) return undefined;
  const total = scalarCount(op.layout);
  const items = Math.ceil(total / blockLength);
  const code = (dtype: Convert["to"]): number => codes[numberType(dtype) as keyof typeof codes];
  const bytesOf = (dtype: Convert["to"]): number => dtypes[dtype].bytes / dtypes[dtype].components;
  const rest = total - (items - 1) * blockLength;
  return body(op, engine, {
    entry: engine.kernel("convertTask"),
    name: op.to,
    items,
    scale: op.scale ?? 1,
    words: (ports) => [
      ports["in"].address,
      ports["out"].address,
      blockLength,
      rest,
      items,
      code(op.layout.dtype),
      code(op.to),
      bytesOf(op.layout.dtype),
      bytesOf(op.to),
    ],
  });
}
