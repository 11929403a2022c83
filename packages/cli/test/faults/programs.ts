/**
 * Small whole programs into which faults are injected. Each runs from host arrays to host arrays on a device and releases everything,
 * however it ends. Results depend only on the device.
 */
import {
  type Bindings,
  type Buffer,
  createRandom,
  type Device,
  dtypes,
  evaluate,
  type Kernel,
  type Load,
  layout,
  type Op,
  portsOf,
  type TypedArrayOf,
} from "@dechirp/core";
import { createBackprojector, fusedSarScene, linearTrack, rangeDoppler, simulatePhaseHistory, withDetection } from "@dechirp/sar";
import { efa, efaGeometry, efaSteering, uniformSteering } from "@dechirp/stap";

export interface WholeProgram {
  readonly name: string;
  run(device: Device, signal?: AbortSignal): Promise<readonly TypedArrayOf[]>;
}

const noise = (length: number, seed: number): Float32Array => {
  const random = createRandom(seed);
  return Float32Array.from({ length }, () => random.gaussian());
};

const withSignal = (signal: AbortSignal | undefined): { readonly signal?: AbortSignal } => (signal ? { signal } : {});

const scene = fusedSarScene(128, 160);
const image = withDetection(rangeDoppler({ ...scene, azimuthLength: scene.lines }), "magnitude");
const echoes = noise(2 * scene.lines * scene.samples, 1);

/** Range compression, azimuth transform, migration correction, azimuth compression, magnitudes. */
const rangeDopplerImage: WholeProgram = {
  name: "range-Doppler image",
  run: async (device, signal) => [(await evaluate(image, device, { raw: echoes }, withSignal(signal))).image],
};

const frequencies = 60;
const history = simulatePhaseHistory({
  positions: linearTrack({ middleMeters: [6000, 0, 6000], stepMeters: [0, 5, 0], pulses: 14 }),
  frequency: { firstHz: 9.3e9, stepHz: 3e6, count: frequencies },
  targets: [{ positionMeters: [2, 1, 0], amplitude: 1, phaseRadians: 0.5 }],
  noise: { snrDb: 0 },
  seed: 1,
});
const pulses = Float32Array.from(history.samples);
const grid = { kind: "ground", nx: 64, ny: 48, originMeters: [-32, -24, 0], xStepMeters: [1, 0, 0], yStepMeters: [0, 1, 0] } as const;

/** Four blocks of pulses, passed in portions that do not match the blocks. */
const backprojection: WholeProgram = {
  name: "backprojection in blocks",
  async run(device, signal) {
    using projector = await createBackprojector(device, history, grid, { pulsesPerBlock: 4 });
    await projector.add(pulses.subarray(0, 2 * frequencies * 5), withSignal(signal));
    await projector.add(pulses.subarray(2 * frequencies * 5), withSignal(signal));
    await projector.finish(withSignal(signal));
    return [await projector.image()];
  },
};

const adaptive = { channels: 3, pulses: 8, ranges: 48, steeringVectors: 3, blockRanges: 16 } as const;
const cube = noise(2 * adaptive.channels * adaptive.pulses * adaptive.ranges, 2);
const looks = Array.from({ length: adaptive.steeringVectors }, (_, p) => uniformSteering(adaptive.channels, p / 3 - 0.4));
const steering = Float32Array.from(efaSteering(efaGeometry(adaptive), looks));

const inFourSteps = efa({ ...adaptive, fused: false });

const extendedFactored: WholeProgram = {
  name: "EFA in four steps",
  async run(device, signal) {
    const { y, status } = await evaluate(inFourSteps, device, { cube, steering }, withSignal(signal));
    return [y, status];
  },
};

/** Runs each op once in order; `out` of one is `in` of the next. Arrays are written in two portions, the first of odd length. */
async function chain(
  device: Device,
  steps: readonly { readonly op: Op; readonly fuse?: boolean }[],
  inputs: Readonly<Record<string, TypedArrayOf>>,
  signal: AbortSignal | undefined,
): Promise<readonly TypedArrayOf[]> {
  const owned: Disposable[] = [];
  try {
    let before: Buffer | undefined;
    const ends: Promise<void>[] = [];
    for (const { op, fuse } of steps) {
      const plan = await device.plan(op, fuse === undefined ? {} : { fuse });
      owned.push(plan);
      const bindings: Record<string, Buffer> = {};
      for (const [name, port] of Object.entries(portsOf(op))) {
        if (name === "in" && before) {
          bindings[name] = before;
          continue;
        }
        const buffer = device.alloc(port.layout, name);
        owned.push(buffer);
        bindings[name] = buffer;
        if (port.access === "write") continue;
        const first = 2 * Math.floor(port.layout.shape[0] / 2) - 1;
        const numbers = first * dtypes[port.layout.dtype].components;
        buffer.write(inputs[name].subarray(0, numbers));
        buffer.write(inputs[name].subarray(numbers), first);
      }
      ends.push(plan.run(bindings as Bindings, withSignal(signal)).done);
      before = bindings["out"];
    }
    const result = await (before as Buffer).read();
    await Promise.all(ends);
    return [result];
  } finally {
    for (const thing of owned.reverse()) thing[Symbol.dispose]();
  }
}

const [lines, extent] = [9, 64];
const integers = Int8Array.from(noise(2 * lines * extent, 3), (v) => Math.round(40 * v));
const filter = noise(2 * extent, 4);

const fromIntegers: Load = {
  name: "integers",
  sources: { raw: layout("ci8", [lines, extent]) },
  reference: ([line, i], { raw }) => [raw.re(line * extent + i), raw.im(line * extent + i)],
  wgsl: () => `return load_raw(at[0] * ${extent}u + at[1]);`,
};

/** A kernel that has only its reference form. */
const reversed: Kernel = {
  op: "kernel",
  name: "reversed",
  ports: {
    in: { access: "read", layout: layout("c64", [lines, extent]) },
    out: { access: "write", layout: layout("c64", [lines, extent]) },
  },
  items: lines * extent,
  reference({ in: x, out }, _uniforms, start, end) {
    for (let i = start; i < end; i++) out.set(i, x.re(lines * extent - 1 - i), x.im(lines * extent - 1 - i));
  },
};

/** Operations that core composes: a filter of loaded integers, a corner turn, and steps between them that only the host can do. */
const lowered: WholeProgram = {
  name: "a lowered filter, a kernel of the host's, a turn",
  run: (device, signal) =>
    chain(
      device,
      [
        { op: { op: "spectral-filter", layout: layout("c64", [lines, extent]), axis: 1, h: "line", load: fromIntegers }, fuse: false },
        { op: reversed },
        { op: { op: "transpose", layout: layout("c64", [lines, extent]), permutation: [1, 0] } },
        { op: { op: "convert", layout: layout("c64", [extent, lines]), to: "ci8", scale: 0.01 } },
      ],
      { raw: integers, h: filter },
      signal,
    ),
};

const [few, long] = [3, 8192];
const [prime, across] = [67, 480];
const longLines = noise(2 * few * long, 5);
const primeLines = noise(2 * prime * across, 6);

/** A few lines of 2¹³, in several passes if the device uses them, forward and inverse. */
const longTransform: WholeProgram = {
  name: "a long transform there and back",
  run: (device, signal) =>
    chain(
      device,
      [
        { op: { op: "fft", layout: layout("c64", [few, long]), axis: 1, inverse: false } },
        { op: { op: "fft", layout: layout("c64", [few, long]), axis: 1, inverse: true } },
      ],
      { in: longLines },
      signal,
    ),
};

const primeTransform: WholeProgram = {
  name: "a transform of prime length along columns",
  run: (device, signal) =>
    chain(device, [{ op: { op: "fft", layout: layout("c64", [prime, across]), axis: 0, inverse: false } }], { in: primeLines }, signal),
};

const doubles = Float64Array.from(noise(2 * 12 * 96, 7));
const doubleFilter = doubles.slice(0, 2 * 96);

/** Short enough that devices can be opened for it again and again within seconds. */
export const shortPrograms: readonly WholeProgram[] = [primeTransform];

/** In float64, for devices that support it. */
export const inDoubles: WholeProgram = {
  name: "a filter in float64",
  run: (device, signal) =>
    chain(
      device,
      [{ op: { op: "spectral-filter", layout: layout("c128", [12, 96]), axis: 1, h: "line" } }],
      { in: doubles, h: doubleFilter },
      signal,
    ),
};

export const programs: readonly WholeProgram[] = [
  rangeDopplerImage,
  backprojection,
  extendedFactored,
  lowered,
  longTransform,
  primeTransform,
];
