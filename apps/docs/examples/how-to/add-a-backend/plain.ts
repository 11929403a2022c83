// #region storage
/**
 * A backend that keeps arrays as typed arrays and computes on the caller's thread. It computes plain transforms in float64 and runs the references of
 * kernels; core lowers everything else. It is complete and correct, but slow.
 */
import {
  ArrayView,
  type Backend,
  type Fft,
  type Kernel,
  type Layout,
  RadarError,
  scalarCount,
  type TypedArrayOf,
  throwIfAborted,
  transformLength,
  typedArray,
  type Uniforms,
} from "@dechirp/core";
import {
  asRadarError,
  axisView,
  createDevice,
  type Driver,
  onePassCost,
  type PlanBody,
  type Rule,
  requireSynchronous,
  type Storage,
} from "@dechirp/core/backend";

/** The memory of one array. */
interface PlainArray extends Storage {
  readonly layout: Layout;
  readonly data: TypedArrayOf;
}

/** Runs the functions that are pushed, one after the other. */
interface Queue {
  push<T>(work: () => T): Promise<T>;
  close(): void;
}

function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;
  return {
    push(work) {
      const result = last.then(() => {
        if (closed) throw new RadarError("disposed", "device plain was disposed", { device: "plain" });
        return work();
      });
      last = result.catch(() => {});
      return result;
    },
    close() {
      closed = true;
    },
  };
}

function allocate(layout: Layout, queue: Queue): PlainArray {
  const data = typedArray(layout.dtype, scalarCount(layout)); // all zeros, which the contract requires
  return {
    layout,
    data,
    write(source, offset) {
      const copy = source.slice(); // the caller may change `source` as soon as write returns
      queue.push(() => data.set(copy, offset)).catch(() => {});
    },
    read: (offset, target) => queue.push(() => target.set(data.subarray(offset, offset + target.length))),
    free() {},
  };
}

/** A part of an array, for runs. It shares the memory. */
const partOf = (whole: PlainArray, start: number, layout: Layout): PlainArray => ({
  ...whole,
  layout,
  data: whole.data.subarray(start, start + scalarCount(layout)) as TypedArrayOf,
});
// #endregion storage

// #region rules
type Ports = Readonly<Record<string, PlainArray>>;

/** exp(j2πi/n) for i < n. */
const circleOf = (n: number): Float64Array =>
  Float64Array.from({ length: 2 * n }, (_, i) => (i % 2 ? Math.sin : Math.cos)((2 * Math.PI * (i >> 1)) / n));

/** y[k] = Σ x[i]·exp(±j2πik/n): by definition if n is odd, otherwise from the transforms of the even and the odd samples. */
function dft(x: Float64Array, sign: 1 | -1, circle: Float64Array): Float64Array {
  const n = x.length / 2;
  const y = new Float64Array(2 * n);
  const step = circle.length / n;
  const halves = n % 2 === 0 ? [0, 1].map((first) => dft(everySecond(x, first), sign, circle)) : undefined;
  for (let k = 0; k < n; k++) {
    for (let i = 0; i < (halves ? 2 : n); i++) {
      const [from, at] = halves ? [halves[i], 2 * (k % (n / 2))] : [x, 2 * i];
      const turn = step * ((i * k) % n);
      const [c, s] = [circle[turn], sign * circle[turn + 1]];
      y[2 * k] += from[at] * c - from[at + 1] * s;
      y[2 * k + 1] += from[at] * s + from[at + 1] * c;
    }
  }
  return y;
}

const everySecond = (x: Float64Array, first: number): Float64Array =>
  Float64Array.from({ length: x.length / 2 }, (_, i) => x[4 * (i >> 1) + 2 * first + (i & 1)]);

/** Lines along any axis: element i of line (outer, inner) is at (outer·n + i)·inners + inner. */
function transform(op: Fft, circle: Float64Array, ports: Ports): void {
  const { outers, extent: n, inners } = axisView(op.layout, op.axis);
  const [x, y] = [ports["in"].data, ports["out"].data];
  const scale = op.inverse ? 1 / n : 1;
  for (let outer = 0; outer < outers; outer++) {
    for (let inner = 0; inner < inners; inner++) {
      const at = (number: number): number => 2 * ((outer * n + (number >> 1)) * inners + inner) + (number & 1);
      const line = Float64Array.from({ length: 2 * n }, (_, number) => x[at(number)]); // a copy, because `in` and `out` may be the same array
      dft(line, op.inverse ? 1 : -1, circle).forEach((value, number) => {
        y[at(number)] = scale * value;
      });
    }
  }
}

function runKernel(op: Kernel, ports: Ports, uniforms: Uniforms): void {
  const views = Object.entries(ports).map(([name, array]) => [name, new ArrayView(array.layout, array.data)] as const);
  try {
    requireSynchronous(op.reference(Object.fromEntries(views), uniforms, 0, op.items), `${op.name}.reference`); // throws if the reference returned a promise
  } catch (error) {
    throw asRadarError(error, `kernel ${op.name}`); // a RadarError whose cause is what the reference threw
  }
}

/** Whether the op is a plain transform: without hooks, corner turn, padding or cropping. Core lowers all other transforms to plain ones. */
const isPlain = (op: Fft): boolean =>
  !op.load && !op.store && !op.keep && !op.cornerTurn && transformLength(op) === op.layout.shape[op.axis];

function rules(queue: Queue): readonly Rule<PlainArray>[] {
  const body = (text: string, cost: PlanBody<PlainArray>["cost"], work: (ports: Ports, uniforms: Uniforms) => void) => ({
    text,
    cost,
    run: (ports: Ports, { uniforms, signal }: { readonly uniforms: Uniforms; readonly signal?: AbortSignal }) =>
      queue.push(() => {
        throwIfAborted(signal, text);
        work(ports, uniforms);
      }),
  });
  return [
    {
      name: "transforms",
      fused: false,
      try(op) {
        if (op.op !== "fft" || !isPlain(op)) return undefined; // declines: the device tries the next rule, and finally core's lowering
        const n = transformLength(op);
        const circle = circleOf(n); // once per plan, and shared by all runs
        return body(`(fft/plain n=${n})`, onePassCost(op), (ports) => transform(op, circle, ports));
      },
    },
    {
      name: "kernels by reference",
      fused: false,
      try: (op) =>
        op.op === "kernel"
          ? body(`(kernel/plain ${op.name})`, onePassCost(op), (ports, uniforms) => runKernel(op, ports, uniforms))
          : undefined,
    },
  ];
}
// #endregion rules

// #region backend
/** The backend, to be passed to `open`. */
export function plain(): Backend {
  return {
    id: "plain",
    contract: 1,
    async open() {
      const queue = createQueue();
      const driver: Driver<PlainArray> = {
        id: "plain",
        info: { description: "plain arrays", notes: ["plain JavaScript: slow"] },
        limits: {
          maxBufferBytes: 2 ** 30,
          maxTransformLength: 2 ** 13,
          // No f64 and c128: sums by definition are not accurate enough for them.
          dtypes: ["f32", "c64", "i8", "i16", "u8", "u32", "ci8", "ci16", "cf16"],
        },
        units: 1,
        rules: rules(queue),
        lost: new Promise(() => {}), // never resolves: this device can't be lost
        allocate: (layout) => allocate(layout, queue),
        part: partOf,
        ready: () => queue.push(() => {}),
        close: () => queue.close(),
      };
      return createDevice(driver);
    },
  };
}
// #endregion backend
