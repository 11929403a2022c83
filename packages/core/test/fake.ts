/**
 * The smallest possible backend: host arrays, a promise chain as the queue, kernels by their references, and the rules and faults that a
 * test passes in. It has no transform unless a test adds one.
 */
import { createDevice, type Driver, onePassCost, type Rule, type Storage } from "../src/backend.ts";
import {
  ArrayView,
  type Device,
  formatOp,
  type Layout,
  layout,
  type Op,
  RadarError,
  scalarCount,
  type TypedArrayOf,
  typedArray,
} from "../src/index.ts";

export interface FakeStorage extends Storage {
  readonly layout: Layout;
  readonly data: TypedArrayOf;
  freed: number;
}

export interface Fake {
  readonly device: Device;
  /** All storage that was ever allocated. */
  readonly storages: FakeStorage[];
  /** The runs, in order. */
  readonly log: string[];
  lose(error: RadarError): void;
  /** Starts the queued work. With the option `held`, nothing runs before this call. */
  start(): void;
  closed: boolean;
}

export interface FakeOptions extends Partial<Pick<Driver<FakeStorage>, "units" | "limits">> {
  readonly rules?: readonly Rule<FakeStorage>[];
  /** Whether the queue waits for `start`. Default: false. */
  readonly held?: boolean;
}

export function fake({ rules = [], held = false, units = 1, limits }: FakeOptions = {}): Fake {
  let start = (): void => {};
  let queue: Promise<unknown> = held ? new Promise<void>((resolve) => (start = resolve)) : Promise.resolve();
  let lose: (error: RadarError) => void = () => {};
  const lost = new Promise<RadarError>((resolve) => (lose = resolve));
  const state: { closed: boolean } = { closed: false };
  const storages: FakeStorage[] = [];
  const log: string[] = [];
  const push = <T>(work: () => T): Promise<T> => {
    const result = queue.then(() => {
      if (state.closed) throw new RadarError("disposed", "the fake device was disposed");
      return work();
    });
    queue = result.catch(() => {});
    return result;
  };
  const kernels: Rule<FakeStorage> = {
    name: "kernel",
    fused: false,
    try(op) {
      if (op.op !== "kernel") return undefined;
      return {
        text: `(kernel ${op.name})`,
        cost: onePassCost(op),
        run: (ports, { uniforms, signal }) =>
          push(() => {
            if (signal?.aborted) throw new RadarError("aborted", "aborted");
            log.push(op.name);
            op.reference(
              Object.fromEntries(Object.entries(ports).map(([name, s]) => [name, new ArrayView(s.layout, s.data)])),
              uniforms,
              0,
              op.items,
            );
          }),
      };
    },
  };
  const device = createDevice<FakeStorage>({
    id: "fake",
    info: { description: "fake", notes: [] },
    limits: limits ?? { maxBufferBytes: 2 ** 20, maxTransformLength: 4096, dtypes: ["f32", "c64", "u8", "ci8"] },
    units,
    rules: [...rules, kernels],
    lost,
    allocate(shape) {
      const data = typedArray(shape.dtype, scalarCount(shape));
      const storage: FakeStorage = {
        layout: shape,
        data,
        freed: 0,
        write(source, offset) {
          const copy = source.slice();
          return push(() => void data.set(copy, offset));
        },
        read: (offset, target) => push(() => target.set(data.subarray(offset, offset + target.length))),
        free() {
          storage.freed += 1;
        },
      };
      storages.push(storage);
      return storage;
    },
    ready: () => push(() => {}),
    close() {
      state.closed = true;
    },
  });
  return {
    device,
    storages,
    log,
    lose,
    start: () => start(),
    get closed() {
      return state.closed;
    },
  };
}

/** A rule that takes ops of `kind`, only records its runs, and counts its disposals. */
export function taker(
  kind: Op["op"],
  log: string[],
  { fused = false, name = kind as string } = {},
): Rule<FakeStorage> & { disposed: number } {
  const rule = {
    name,
    fused,
    disposed: 0,
    try(op: Op) {
      if (op.op !== kind) return undefined;
      return {
        text: `(${name})`,
        cost: onePassCost(op),
        async run() {
          log.push(formatOp(op));
        },
        dispose() {
          rule.disposed += 1;
        },
      };
    },
  };
  return rule;
}

export const c64 = (...shape: number[]): Layout<"c64"> => layout("c64", shape);
