/** Transforms of batches of lines, c64 in and out: the backend's plan beside the bare library it rests on. */
import { layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { createRandom } from "@dechirp/sar";
import FFT from "fft.js";
import type { Case, Contender } from "../runner.ts";

/** Lines per batch: 2^16 elements or more, so that a run is some milliseconds. */
const sizes: readonly (readonly [n: number, lines: number])[] = [
  [256, 256],
  [1000, 64],
  [1024, 256],
  [1536, 64],
  [4096, 256],
  [16384, 16],
  [65536, 4],
];

export const fftCases: readonly Case[] = sizes.map(([n, lines]) => ({
  name: `fft c64 ${lines}×${n}`,
  flops: lines * 5 * n * Math.log2(n),
  errorKind: "relative L2 against float64",
  setUp: () => contenders(n, lines),
}));

async function contenders(n: number, lines: number) {
  const random = createRandom(n);
  const x = Float32Array.from({ length: 2 * n * lines }, () => random.uniform() - 0.5);
  const absent: Record<string, string> = {};
  const list: Contender[] = [];
  if (Number.isInteger(Math.log2(n))) list.push(fftJs(n, lines, x));
  else absent["fft.js"] = "powers of two only";
  list.unshift(await plan(n, lines, x));
  return { contenders: list, absent };
}

async function plan(n: number, lines: number, x: Float32Array): Promise<Contender> {
  const device = await open(cpu());
  const shape = layout("c64", [lines, n]);
  const input = device.alloc(shape);
  const output = device.alloc(shape);
  input.write(x);
  const made = await device.plan({ op: "fft", layout: shape, axis: 1, inverse: false });
  return {
    name: `dechirp cpu ${made.text}`,
    run: () => made.run({ in: input, out: output }).done,
    error: async () => sampledError(x, await output.read(), n, lines),
    dispose: () => device[Symbol.dispose](),
  };
}

function fftJs(n: number, lines: number, x: Float32Array): Contender {
  const fft = new FFT(n);
  const y = new Float32Array(x.length);
  return {
    name: "fft.js, Float32Array",
    run() {
      for (let l = 0; l < lines; l++) fft.transform(y.subarray(2 * n * l, 2 * n * (l + 1)), x.subarray(2 * n * l, 2 * n * (l + 1)));
    },
    error: () => sampledError(x, y, n, lines),
  };
}

/** Relative L2 error over 64 bins spread over lines and frequencies, against the definition in float64. */
function sampledError(x: Float32Array, y: ArrayLike<number>, n: number, lines: number): number {
  const random = createRandom(1);
  let error = 0;
  let energy = 0;
  for (let s = 0; s < 64; s++) {
    const line = Math.floor(random.uniform() * lines);
    const k = Math.floor(random.uniform() * n);
    let re = 0;
    let im = 0;
    for (let i = 0; i < n; i++) {
      const angle = (-2 * Math.PI * ((i * k) % n)) / n;
      const [c, d] = [Math.cos(angle), Math.sin(angle)];
      const [a, b] = [x[2 * (line * n + i)], x[2 * (line * n + i) + 1]];
      re += a * c - b * d;
      im += a * d + b * c;
    }
    error += (y[2 * (line * n + k)] - re) ** 2 + (y[2 * (line * n + k) + 1] - im) ** 2;
    energy += re * re + im * im;
  }
  return Math.sqrt(error / energy);
}
