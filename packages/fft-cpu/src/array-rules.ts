/**
 * The rows of the CPU backend's table for arrays besides transforms, in WASM: corner turns, products with filters,
 * conversions. Their tasks are done by `assembly/arrays.ts`.
 */
import { type Convert, dtypes, elementCount, formatOp, type Multiply, type Op, scalarCount, type Transpose } from "@dechirp/core";
import { axisView, onePassCost, type PlanBody, type Rule } from "@dechirp/core/backend";
import type { Engine, Entry } from "./engine.ts";
import { type HostArray, usesOf } from "./memory.ts";
import { convertTask, multiplyTask, numberTypes, turnTask } from "./wasm/layouts.ts";
import type { Fields, RecordLayout, Values } from "./wasm/records.ts";

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

interface Items<F extends Fields> {
  readonly entry: Entry;
  readonly name: string;
  readonly items: number;
  /** What the entry's argument points to. */
  readonly task: RecordLayout<F>;
  values(ports: Readonly<Record<string, HostArray>>): Values<F>;
}

function body<F extends Fields>(op: Op, engine: Engine, { entry, name, items, task, values }: Items<F>): PlanBody<HostArray> {
  const { heap } = engine;
  const argument = heap.allocate(task.bytes, formatOp(op));
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
        prepare: () => task.write(heap.memory, argument, values(ports)),
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
    task: turnTask,
    values: (ports) => ({
      source: ports["in"].address,
      target: ports["out"].address,
      rows,
      columns,
      elementBytes: dtypes[op.layout.dtype].bytes,
      items: bands,
    }),
  });
}

function multiplyBody(op: Multiply, engine: Engine): PlanBody<HostArray> {
  const { outers, extent, inners } = axisView(op.layout, op.axis);
  const total = elementCount(op.layout);
  const ways = {
    line: { way: "line", count: extent, items: outers },
    rows: { way: "rows", count: inners, items: outers * extent },
    all: { way: "all", count: blockLength, items: Math.ceil(total / blockLength) },
  } as const;
  const { way, count: length, items } = op.h === "all" ? ways.all : inners === 1 ? ways.line : ways.rows;
  return body(op, engine, {
    entry: engine.kernel("multiplyTask"),
    name: `h=${op.h}`,
    items,
    task: multiplyTask,
    values: (ports) => ({
      x: ports["in"].address,
      h: ports["h"].address,
      y: ports["out"].address,
      count: length,
      way,
      extent,
      items,
      rest: total - (items - 1) * blockLength,
    }),
  });
}

/** The type of an element's numbers: f32 for c64. */
const numberType = (dtype: string): string => ({ c64: "f32", c128: "f64", ci8: "i8", ci16: "i16" })[dtype] ?? dtype;

function convertBody(op: Convert, engine: Engine): PlanBody<HostArray> | undefined {
  if (![op.layout.dtype, op.to].every((dtype) => Object.hasOwn(numberTypes, numberType(dtype)))) return undefined;
  const total = scalarCount(op.layout);
  const items = Math.ceil(total / blockLength);
  const typeOf = (dtype: Convert["to"]): keyof typeof numberTypes => numberType(dtype) as keyof typeof numberTypes;
  const bytesOf = (dtype: Convert["to"]): number => dtypes[dtype].bytes / dtypes[dtype].components;
  const rest = total - (items - 1) * blockLength;
  return body(op, engine, {
    entry: engine.kernel("convertTask"),
    name: op.to,
    items,
    task: convertTask,
    values: (ports) => ({
      x: ports["in"].address,
      y: ports["out"].address,
      count: blockLength,
      rest,
      items,
      from: typeOf(op.layout.dtype),
      to: typeOf(op.to),
      bytesIn: bytesOf(op.layout.dtype),
      bytesOut: bytesOf(op.to),
      scale: op.scale ?? 1,
    }),
  });
}
