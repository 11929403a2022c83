/**
 * Every reader, converter and writer returns to the event loop regularly and ends when a signal fires. The test measures processor time
 * between two turns, so that other processes do not matter.
 */
import { deflateSync } from "node:zlib";
import { createRandom, isRadarError, type Layout } from "@dechirp/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { placeOf, readRecordingFrom } from "../src/formats.ts";
import {
  encodePng,
  encodeScene,
  type MatFile,
  type MatValue,
  parseGotcha,
  parsePerfect,
  parseRadarsat,
  parseScene,
  parseSceneDescription,
  perfectSizes,
  readMat,
  readNpy,
  type SceneData,
  transposeArray,
  writeNpy,
} from "../src/index.ts";
import { ascii, concat, Mat5, mat4, pack } from "./mat-builder.ts";

const file = "x";
const mebi = 2 ** 20;
const floats = (n: number): Float32Array => {
  const out = new Float32Array(n);
  const random = createRandom(3);
  for (let i = 0; i < n; i++) out[i] = random.uniform() - 0.5;
  return out;
};

/** A .npy file of version 1 with this dtype and data. */
function npy(descr: string, shape: readonly number[], fortran: boolean, data: Uint8Array): Uint8Array {
  const dictionary = `{'descr': '${descr}', 'fortran_order': ${fortran ? "True" : "False"}, 'shape': (${shape.join(", ")},), }`;
  return concat(
    Uint8Array.of(0x93),
    ascii("NUMPY"),
    Uint8Array.of(1, 0),
    pack("little", "u16", [dictionary.length]),
    ascii(dictionary),
    data,
  );
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array => new Uint8Array(buffer, byteOffset, byteLength);

const m = new Mat5("little");

/** A compressed double variable of `bytes` bytes. */
function compressed(bytes: number): Uint8Array {
  const head = m.real("x", 6, [bytes / 8, 1], { kind: "f64", values: [0] }).subarray(0, 48);
  const whole = concat(m.tag(14, 40 + 8 + bytes), head.subarray(8), m.tag(9, bytes), bytesOf(floats(bytes / 4)));
  const packed = deflateSync(whole, { level: 1 });
  return m.file(concat(m.tag(15, packed.length), packed));
}

const numeric = (shape: number[], data: Float32Array | Float64Array, complex = false): MatValue => ({
  kind: "numeric",
  class: "double",
  shape,
  complex,
  data,
});
const matFile = (name: string, variables: Readonly<Record<string, MatValue>>): MatFile => ({
  file: name,
  version: 5,
  variables: new Map(Object.entries(variables)),
  notes: [],
});
const scalar = (value: number): MatValue => numeric([1, 1], Float64Array.of(value));

const radar = {
  carrierHz: 5.3e9,
  samplingRateHz: 32.317e6,
  prfHz: 1256.98,
  chirpRateHzPerSecond: -0.72135e12,
  pulseSeconds: 41.74e-6,
  velocityMetersPerSecond: 7062,
  nearRangeMeters: 9.9e5,
};

interface Work {
  readonly name: string;
  /** Prepares the input and returns the work to be interrupted. */
  make(): (hear: { readonly signal?: AbortSignal }) => Promise<unknown>;
}

/** Work that is refused in the end counts too. */
function notAborted(error: unknown): void {
  if (!isRadarError(error, "input")) throw error;
}

const side = 2048;
const works: readonly Work[] = [
  {
    name: "readNpy of complex64, big-endian",
    make() {
      const bytes = npy(">c8", [2 * side, side], false, bytesOf(floats(4 * side * side)));
      return (hear) => readNpy(bytes, { file, ...hear });
    },
  },
  {
    name: "readNpy of complex128, big-endian",
    make() {
      const bytes = npy(">c16", [side, side], false, bytesOf(new Float64Array(floats(2 * side * side))));
      return (hear) => readNpy(bytes, { file, ...hear });
    },
  },
  {
    name: "readNpy of int16, big-endian and in Fortran order",
    make() {
      const bytes = npy(">i2", [2 * side, side, 2], true, new Uint8Array(8 * side * side));
      return (hear) => readNpy(bytes, { file, complexPairs: true, ...hear });
    },
  },
  {
    name: "readNpy of complex64, in Fortran order",
    make() {
      const bytes = npy("<c8", [side, 2 * side], true, bytesOf(floats(4 * side * side)));
      return (hear) => readNpy(bytes, { file, ...hear });
    },
  },
  {
    name: "readMat of a compressed variable",
    make() {
      const bytes = compressed(24 * mebi);
      return (hear) => readMat(bytes, { file, ...hear });
    },
  },
  {
    name: "readMat of 64-bit integers",
    make() {
      const count = 4 * mebi;
      const head = m.real("x", 14, [count, 1], { kind: "f64", values: [0] }).subarray(0, 48);
      const bytes = m.file(concat(m.tag(14, 48 + 8 * count), head.subarray(8), m.tag(12, 8 * count), new Uint8Array(8 * count)));
      return (hear) => readMat(bytes, { file, ...hear });
    },
  },
  {
    name: "readMat of text",
    make() {
      const count = 24 * mebi;
      const head = m.char("x", "ab").subarray(0, 48);
      const dims = pack("little", "i32", [1, count]);
      head.set(dims, 32);
      const bytes = m.file(concat(m.tag(14, 48 + count), head.subarray(8), m.tag(16, count), new Uint8Array(count).fill(65)));
      return (hear) => readMat(bytes, { file, ...hear });
    },
  },
  {
    name: "readMat of many small variables, version 4",
    make() {
      const one = mat4("little", "a", 0, "f64", [1, 1], [1]);
      const bytes = new Uint8Array(200_000 * one.length);
      for (let at = 0; at < bytes.length; at += one.length) bytes.set(one, at);
      return (hear) => readMat(bytes, { file, ...hear });
    },
  },
  {
    name: "parseGotcha",
    make() {
      const [count, pulses] = [512, 16_384];
      const of = (f: (i: number) => number, n = pulses) =>
        numeric(
          [n, 1],
          Float64Array.from({ length: n }, (_, i) => f(i)),
        );
      const one = (i: number): MatFile => {
        const fields = new Map<string, MatValue[]>([["fp", [numeric([count, pulses], floats(2 * count * pulses), true)]]]);
        fields.set("freq", [of((k) => 9e9 + 1e6 * k, count)]);
        for (const name of ["x", "y", "z", "th", "phi"]) fields.set(name, [of((p) => p)]);
        fields.set("r0", [of(() => 1e4)]);
        return matFile(`part ${i}`, { data: { kind: "struct", shape: [1, 1], fields } });
      };
      const files = [one(0), one(1)];
      return (hear) => parseGotcha(files, hear);
    },
  },
  {
    name: "parseRadarsat",
    make() {
      const [lines, cells] = [4096, 4096];
      const samples = new Float64Array(2 * lines * cells);
      for (let i = 0; i < samples.length; i++) samples[i] = (i % 200) - 100;
      const numbers = { Fr: 32.317e6, Kr: 0.72135e12, Tr: 41.74e-6, c: 299_792_458, f0: 5.3e9, PRF: 1256.98, R0: 9.9e5 };
      const places = { first_rg_cell: 1, first_rg_line: 1, Nrg_lines: lines, Nrg_cells: cells, Nblocks: 1 };
      const params = matFile("params", Object.fromEntries(Object.entries({ ...numbers, ...places }).map(([name, n]) => [name, scalar(n)])));
      const block = matFile("block", { data: numeric([lines, cells], samples, true) });
      const agc = matFile("agc", { nom_attenuation: numeric([lines, 1], new Float64Array(lines)) });
      return (hear) => parseRadarsat({ name: "scene", params, blocks: [block], agc }, hear);
    },
  },
  {
    name: "parsePerfect",
    make() {
      const { channels, pulses, ranges, temporalTaps, steeringVectors } = perfectSizes.large;
      const input = bytesOf(floats(2 * channels * pulses * ranges));
      const steering = bytesOf(floats(2 * steeringVectors * channels * temporalTaps));
      return (hear) => parsePerfect(input, steering, { set: "large", ...hear });
    },
  },
  {
    name: "parseScene of complex128",
    make() {
      const layout: Layout<"c128"> = { dtype: "c128", shape: [4096, side] };
      const data = new Float64Array(floats(2 * 4096 * side));
      const text = JSON.stringify({ format: "dechirp-scene", version: 1, name: "a", radar, raw: "raw.npy", targets: [] });
      const description = parseSceneDescription(text, file);
      return (hear) => parseScene(description, { layout, data }, file, "raw.npy", hear);
    },
  },
  {
    name: "encodeScene",
    make() {
      const raw: SceneData["raw"] = { layout: { dtype: "c64", shape: [4096, 4096] }, data: floats(2 * 4096 * 4096) };
      return (hear) => encodeScene({ name: "a", radar, raw, targets: [], notes: [] }, hear);
    },
  },
  {
    name: "encodePng",
    make() {
      const data = new Uint8Array(4 * 1536 * 1536);
      const random = createRandom(5);
      for (let i = 0; i < data.length; i++) data[i] = 256 * random.uniform();
      return (hear) => encodePng({ width: 1536, height: 1536, data }, hear);
    },
  },
  {
    name: "readRecordingFrom an array of int16, its axes in another order",
    make() {
      const bytes = npy("<i2", [4096, 64, 16, 2], false, bytesOf(new Int16Array(2 * 16 * 64 * 4096)));
      const place = placeOf({ "x.npy": bytes }, { file: "x.npy" });
      return (hear) => readRecordingFrom(place, { axes: ["range", "pulse", "channel"], ...hear });
    },
  },
  {
    name: "detectFormat of a MAT-file of many small variables",
    make() {
      const one = mat4("little", "a", 0, "f64", [1, 1], [1]);
      const bytes = new Uint8Array(200_000 * one.length + one.length);
      for (let at = 0; at < bytes.length; at += one.length) bytes.set(one, at);
      bytes.set(mat4("little", "x", 0, "f64", [1, 1], [1]), bytes.length - one.length);
      // A new place each time, because a place caches what has been inspected.
      return (hear) => readRecordingFrom(placeOf({ x: bytes }, { file: "x" }), { kind: "array", ...hear }).catch(notAborted);
    },
  },
  {
    name: "transposeArray",
    make() {
      const data = floats(2 * 16 * 128 * 4096);
      return (hear) => transposeArray(data, [4096, 128, 16], [2, 1, 0], 2, hear);
    },
  },
];

/**
 * The longest processor time, in milliseconds, between two turns of the event loop while `work` runs. It includes garbage collection
 * threads of the process, which is one reason why the limit is generous.
 */
async function longestStretch(work: () => Promise<unknown>): Promise<number> {
  let [stretch, ended] = [0, false];
  let at = process.cpuUsage();
  const turn = (): void => {
    const { user, system } = process.cpuUsage(at);
    stretch = Math.max(stretch, (user + system) / 1000);
    at = process.cpuUsage();
    if (!ended) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  ended = true;
  turn();
  return stretch;
}

/**
 * Makes the first `most` pauses due: a pause is due 10 ms after the last one, and this clock gains 20 ms whenever it is read. The real
 * clock comes back then.
 */
function makePausesDue(most = Number.POSITIVE_INFINITY): void {
  let reads = 0;
  const spy = vi.spyOn(performance, "now").mockImplementation(() => {
    if (++reads > most) spy.mockRestore();
    return 20 * reads;
  });
}

/** How many times the event loop turns while `work` runs, when its first pauses are due. It does not depend on the machine's speed. */
async function turnsWhenPausesAreDue(work: () => Promise<unknown>): Promise<number> {
  let [turns, ended] = [0, false];
  const turn = (): void => {
    turns++;
    if (!ended) setImmediate(turn);
  };
  setImmediate(turn);
  makePausesDue(100);
  try {
    await work();
  } finally {
    vi.restoreAllMocks();
    ended = true;
  }
  return turns;
}

describe.each(works)("$name", ({ make }) => {
  // Arrays of up to 128 MiB are made, which takes a while on two busy cores.
  it("never blocks the event loop for long, and ends when a signal fires", { timeout: 60_000 }, async () => {
    const work = make();
    // Pauses are 10 ms apart; a signal must take effect within 300 ms.
    expect(await longestStretch(() => work({}))).toBeLessThan(100);
    const controller = new AbortController();
    const start = process.cpuUsage();
    const ending = work({ signal: controller.signal });
    setImmediate(() => controller.abort());
    await expect(ending).rejects.toSatisfy((error) => isRadarError(error, "aborted"));
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(150);
    await expect(work({ signal: AbortSignal.abort() })).rejects.toSatisfy((error) => isRadarError(error, "aborted"));
  });
});

// These come after the tests that measure time, because reading the clock is slower once it was replaced.
it.each(works)("$name returns to the event loop at each pause that is due", { timeout: 60_000 }, async ({ make }) => {
  const work = make();
  expect(await turnsWhenPausesAreDue(() => work({}))).toBeGreaterThan(10);
});

describe("with a clock that makes every pause due", () => {
  beforeEach(() => makePausesDue());
  afterEach(() => void vi.restoreAllMocks());

  it("a signal takes effect at every turn of a reader, and no turn follows", async () => {
    const bytes = npy(">c8", [512, 512], true, bytesOf(floats(2 * 512 * 512)));
    const turns = async (signal?: AbortSignal, onTurn: (turn: number) => void = () => {}): Promise<number> => {
      let count = 0;
      const original = globalThis.setImmediate;
      const spy = vi.spyOn(globalThis, "setImmediate").mockImplementation(((callback: () => void) => {
        onTurn(++count);
        return original(callback);
      }) as never);
      try {
        await readNpy(bytes, { file, ...(signal ? { signal } : {}) });
      } finally {
        spy.mockRestore();
      }
      return count;
    };
    const all = await turns();
    expect(all).toBeGreaterThan(10);
    for (let stop = 1; stop <= all; stop++) {
      const controller = new AbortController();
      let last = 0;
      const ended = turns(controller.signal, (turn) => {
        last = turn;
        if (turn === stop) controller.abort();
      });
      await expect(ended).rejects.toSatisfy((error) => isRadarError(error, "aborted"));
      expect(last).toBe(stop);
    }
  });
});

it("a .npy file that needs no conversion is not copied", async () => {
  const bytes = writeNpy({ dtype: "c64", shape: [1000] }, new Float32Array(2000));
  const { data } = await readNpy(bytes, { file });
  expect(data.buffer).toBe(bytes.buffer);
});
