/**
 * A small backend that transforms by recursive splitting in float64 and runs kernels by their references. It can be given one of the
 * faults below, each a plausible bug. The kit must pass on it without a fault and fail with each fault: a check that no fault can fail is
 * useless.
 */
import {
  ArrayView,
  type Device,
  type Fft,
  type Layout,
  type Op,
  RadarError,
  scalarCount,
  type TypedArrayOf,
  typedArray,
} from "@dechirp/core";
import { axisView, createDevice, onePassCost, requireSynchronous, type Storage } from "@dechirp/core/backend";

/** The faults that the backend can have. */
export type Fault =
  | "wrong sign"
  | "inverse not divided"
  | "float32 angles"
  | "sums overflow"
  | "small numbers flushed"
  | "one bin wrong at one length"
  | "last line forgotten"
  | "strides ignored"
  | "lines leak"
  | "input overwritten"
  | "neighbour overwritten"
  | "write keeps a reference"
  | "read out of turn"
  | "signal ignored"
  | "aborted runs spoil the next"
  | "aborts untyped"
  | "ends untyped"
  | "offset ignored"
  | "failures swallowed"
  | "causes lost"
  | "items skipped"
  | "items twice"
  | "one bit lost"
  | "arrays not zeroed"
  | "plans scale by state"
  | "parts begin at zero";

interface Held extends Storage {
  readonly layout: Layout;
  readonly data: TypedArrayOf;
}

const tables = new Map<number, Float64Array>();

function circle(n: number, rough: boolean): Float64Array {
  const key = rough ? -n : n;
  const known = tables.get(key);
  if (known) return known;
  const angle = (k: number): number => (rough ? Math.fround(Math.fround((2 * Math.PI) / n) * k) : (2 * Math.PI * k) / n);
  const table = Float64Array.from({ length: 2 * n }, (_, i) => (i % 2 === 0 ? Math.cos(angle(i >> 1)) : Math.sin(angle(i >> 1))));
  tables.set(key, table);
  return table;
}

const largestFloat = (2 - 2 ** -23) * 2 ** 127;

const smallestFactor = (n: number): number => {
  for (let p = 2; p * p <= n; p++) if (n % p === 0) return p;
  return n;
};

/** y[k] = Σ exp(±j2πrk/n) · F_r[k mod n/p] over r < p, where F_r is the transform of every p-th element from r on. */
function dft(x: Float64Array, sign: number, rough: boolean): Float64Array {
  const n = x.length / 2;
  if (n === 1) return x;
  const p = smallestFactor(n);
  const m = n / p;
  const parts = Array.from({ length: p }, (_, r) => {
    const part = new Float64Array(2 * m);
    for (let i = 0; i < m; i++) part.set(x.subarray(2 * (p * i + r), 2 * (p * i + r) + 2), 2 * i);
    return dft(part, sign, rough);
  });
  const table = circle(n, rough);
  const y = new Float64Array(2 * n);
  for (let k = 0; k < n; k++) {
    const at = 2 * (k % m);
    for (let r = 0; r < p; r++) {
      const turn = 2 * ((r * k) % n);
      const [c, s] = [table[turn], sign * table[turn + 1]];
      y[2 * k] += parts[r][at] * c - parts[r][at + 1] * s;
      y[2 * k + 1] += parts[r][at] * s + parts[r][at + 1] * c;
    }
  }
  return y;
}

function transform(op: Fft, from: TypedArrayOf, to: TypedArrayOf, fault: Fault | undefined, runs: number): void {
  const { outers, extent: n, inners } = axisView(op.layout, op.axis);
  const sign = op.inverse !== (fault === "wrong sign") ? 1 : -1;
  let scale = op.inverse && fault !== "inverse not divided" ? 1 / n : 1;
  if (fault === "plans scale by state" && runs > 1) scale *= 2;
  let leak = 0;
  for (let outer = 0; outer < outers; outer++) {
    for (let inner = 0; inner < inners; inner++) {
      if (fault === "last line forgotten" && outers > 1 && outer === outers - 1) continue;
      const at = (i: number): number => (fault === "strides ignored" ? (outer * inners + inner) * n + i : (outer * n + i) * inners + inner);
      const line = Float64Array.from({ length: 2 * n }, (_, i) => from[2 * at(i >> 1) + (i & 1)]);
      if (fault === "small numbers flushed") for (let i = 0; i < 2 * n; i++) if (Math.abs(line[i]) < 2 ** -100) line[i] = 0;
      if (fault === "lines leak") line[0] += 0 * leak;
      leak += line[0];
      const y = dft(line, sign, fault === "float32 angles");
      if (fault === "sums overflow") for (let i = 0; i < 2 * n; i++) if (Math.abs(y[i]) > largestFloat) y[i] = Number.POSITIVE_INFINITY;
      if (fault === "one bin wrong at one length" && n === 97) y[2 * 60] *= 1.001;
      for (let i = 0; i < n; i++) {
        to[2 * at(i)] = y[2 * i] * scale;
        to[2 * at(i) + 1] = y[2 * i + 1] * scale;
      }
    }
  }
  if (fault === "input overwritten" && from !== to) from[0] = 1;
}

export function oracle(fault?: Fault): Device {
  let queue: Promise<unknown> = Promise.resolve();
  let closed = false;
  /** Whether a run was aborted. */
  let spoiled = false;
  const all: Held[] = [];
  const push = <T>(work: () => T): Promise<T> => {
    const result = queue.then(() => {
      if (closed) throw fault === "ends untyped" ? new Error("closed") : new RadarError("disposed", "the oracle was disposed");
      return work();
    });
    queue = result.catch(() => {});
    return result;
  };
  const compute = (op: Op, ports: Readonly<Record<string, Held>>, uniforms: Readonly<Record<string, number>>, runs: number): void => {
    if (op.op === "fft") transform(op, ports["in"].data, ports["out"].data, fault, runs);
    if (op.op === "kernel") {
      const views = Object.fromEntries(Object.entries(ports).map(([name, held]) => [name, new ArrayView(held.layout, held.data)]));
      const end = fault === "items skipped" && op.items > 1 ? op.items - 1 : op.items;
      requireSynchronous(op.reference(views, uniforms, 0, end), op.name);
      // Numbers with 22 bits instead of 24.
      for (const { data } of fault === "one bit lost" ? Object.values(ports) : [])
        if (data instanceof Float32Array) data.forEach((v, i) => (data[i] = v + v * 2 ** 31 - v * 2 ** 31));
      if (fault === "items twice") op.reference(views, uniforms, op.items - 1, op.items);
    }
    const output = ports["out"];
    const neighbour = all[all.indexOf(output) + 1];
    if (fault === "neighbour overwritten" && neighbour) neighbour.data[0] = 1;
  };
  const isBare = (op: Op): boolean =>
    op.op === "fft" &&
    !op.load &&
    !op.store &&
    !op.keep &&
    !op.cornerTurn &&
    (op.n ?? op.layout.shape[op.axis]) === op.layout.shape[op.axis];
  return createDevice<Held>({
    id: "oracle",
    info: { description: "splitting in float64", notes: [] },
    limits: { maxBufferBytes: 2 ** 30, maxTransformLength: 2 ** 16, dtypes: ["f32", "c64", "i8", "i16", "u8", "u32", "ci8", "ci16"] },
    units: 1,
    lost: new Promise(() => {}),
    rules: [
      {
        name: "reference",
        fused: false,
        try(op) {
          if (!isBare(op) && op.op !== "kernel") return undefined;
          let runs = 0;
          return {
            text: `(${op.op} by splitting)`,
            cost: onePassCost(op),
            run: (ports, { uniforms, signal }) =>
              push(() => {
                if (signal?.aborted && fault !== "signal ignored") {
                  spoiled = true;
                  throw fault === "aborts untyped" ? new Error("aborted") : new RadarError("aborted", "aborted");
                }
                runs += 1;
                if (spoiled && fault === "aborted runs spoil the next") return;
                try {
                  compute(op, ports, uniforms, runs);
                } catch (error) {
                  if (fault !== "failures swallowed")
                    throw new RadarError("failed", "a kernel failed", {}, fault === "causes lost" ? undefined : error);
                }
              }),
          };
        },
      },
    ],
    allocate(layout) {
      const data = typedArray(layout.dtype, scalarCount(layout));
      if (fault === "arrays not zeroed") data[data.length - 1] = 1;
      const held: Held = {
        layout,
        data,
        write(source, offset) {
          const copy = fault === "write keeps a reference" ? source : source.slice();
          return push(() => data.set(copy, fault === "offset ignored" ? 0 : offset));
        },
        read: (offset, target) => {
          const fill = (): void => target.set(data.subarray(offset, offset + target.length));
          return fault === "read out of turn" ? Promise.resolve().then(fill) : push(fill);
        },
        free() {
          all.splice(all.indexOf(held), 1);
        },
      };
      all.push(held);
      return held;
    },
    part: (whole, start, layout) => ({
      ...whole,
      layout,
      data: whole.data.subarray(fault === "parts begin at zero" ? 0 : start).subarray(0, scalarCount(layout)) as TypedArrayOf,
    }),
    ready: () => push(() => {}),
    close() {
      closed = true;
    },
  });
}
