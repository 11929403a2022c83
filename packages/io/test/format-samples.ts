/** A small sound recording of every format in the table, as files by name, for tests. */
import { createRandom } from "@dechirp/core";
import { encodeScene, perfectSizes, type SceneData, writeNpy } from "../src/index.ts";
import { makeCphd } from "./cphd-builder.ts";
import { bytesOf } from "./gotcha-builder.ts";
import { concat, Mat5, mat4 } from "./mat-builder.ts";
import { radarsatFiles } from "./radarsat-builder.ts";

const random = createRandom(11);
export const noise = (n: number): number[] => Array.from({ length: n }, () => Math.fround(random.gaussian()));
const m = new Mat5("little");

/** Numbers of channels, pulses and ranges. */
export const extents = [2, 3, 5] as const;
const [channels, pulses, ranges] = extents;

export const mountainTopFile = (intervals = 1, more: Readonly<Record<string, readonly number[]>> = {}): Uint8Array =>
  concat(
    ...Array.from({ length: intervals }, (_, i) => mat4("big", `cpi${i + 1}`, 0, "f64", [pulses * ranges, channels], noise(30), noise(30))),
    ...Object.entries({ npulses: [pulses], pri: [0.0016], fxmit: [435e6], trecord: [865], ...more }).map(([name, values]) =>
      mat4("big", name, 0, "f64", [1, values.length], [...values]),
    ),
  );

/** A complex array as MATLAB stores it. */
export function complexMat(
  arrays: Readonly<Record<string, { readonly shape: readonly number[]; readonly data: ArrayLike<number> }>>,
): Uint8Array {
  return m.file(
    ...Object.entries(arrays).map(([name, { shape, data }]) => {
      const part = (at: number): number[] => Array.from({ length: data.length / 2 }, (_, i) => data[2 * i + at]);
      const numbers = (values: number[]) => ({ kind: "f64", values }) as const;
      return m.compressed(m.complex(name, 6, [...shape], numbers(part(0)), numbers(part(1))));
    }),
  );
}

const scene: SceneData = {
  name: "sample",
  radar: {
    carrierHz: 5.3e9,
    samplingRateHz: 20e6,
    prfHz: 300,
    chirpRateHzPerSecond: 1e13,
    pulseSeconds: 1.6e-6,
    velocityMetersPerSecond: 150,
    nearRangeMeters: 5000,
  },
  raw: { layout: { dtype: "c64", shape: [4, 6] }, data: Float32Array.from(noise(48)) },
  targets: [],
  notes: [],
};

function perfectFiles(): Record<string, Uint8Array> {
  const { small } = perfectSizes;
  const bytes = (n: number): Uint8Array => new Uint8Array(Float32Array.from({ length: 2 * n }, (_, i) => (i % 1001) - 500).buffer);
  return {
    "small_app_input.bin": bytes(small.channels * small.pulses * small.ranges),
    "small_app_steering_vectors.bin": bytes(small.steeringVectors * small.channels * small.temporalTaps),
  };
}

export interface Sample {
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** Which of the files the place is. Default: the folder. */
  readonly file?: string;
}

const cube = Float32Array.from(noise(60));

/** Samples by name of the format. */
export const samples: Readonly<Record<string, () => Promise<readonly Sample[]>>> = {
  "scene-folder": async () => {
    const written = Object.entries(await encodeScene(scene)).map(([name, chunks]) => [name, concat(...chunks)] as const);
    // A folder that is both a scene folder and an extraction counts as the former.
    return [
      { files: Object.fromEntries(written) },
      { files: { ...radarsatFiles({ lines: 4, cells: 3 }), ...Object.fromEntries(written) } },
    ];
  },
  "radarsat-1-cd": async () => [{ files: radarsatFiles({ lines: 4, cells: 3 }) }],
  cphd: async () => {
    const { bytes } = makeCphd({ pulses: 6, samples: 24, channels: [{ id: "a" }, { id: "b" }] });
    return [
      { files: { "any.cphd": bytes }, file: "any.cphd" },
      { files: { "data_3dsar_pass1_az001_HH.mat.bin": bytes }, file: "data_3dsar_pass1_az001_HH.mat.bin" },
    ];
  },
  gotcha: async () => [
    { files: { "data_3dsar_pass1_az002_HH.mat": bytesOf({}, 2, 3), "data_3dsar_pass1_az001_HH.mat": bytesOf({ compressed: true }) } },
    { files: { "data_3dsar_pass1_az002_HH.mat": bytesOf({}) }, file: "data_3dsar_pass1_az002_HH.mat" },
    { files: { "any.mat": bytesOf({}) }, file: "any.mat" },
    { files: { any: bytesOf({ compressed: true }) }, file: "any" },
  ],
  "perfect-stap": async () => [{ files: perfectFiles() }, { files: perfectFiles(), file: "small_app_input.bin" }],
  "mountain-top": async () => [
    { files: { "any.mat": mountainTopFile() }, file: "any.mat" },
    { files: { any: mountainTopFile() }, file: "any" },
  ],
  "array-npy": async () => [
    { files: { "cube.npy": writeNpy({ dtype: "c64", shape: extents }, cube) }, file: "cube.npy" },
    { files: { cube: writeNpy({ dtype: "c64", shape: extents }, cube) }, file: "cube" },
  ],
  "array-mat": async () => [
    { files: { "cube.mat": complexMat({ x: { shape: extents, data: cube } }) }, file: "cube.mat" },
    { files: { cube: complexMat({ x: { shape: extents, data: cube }, y: { shape: extents, data: cube } }) }, file: "cube" },
  ],
};
