/** Transforms of batches of lines, c64: the backend's plan in place on one unit, beside other libraries. */
import { createRandom, layout, messageOf, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { kissFft, webFft } from "../npm-peers.ts";
import { type Batch, fftJs, fftwContender, mklContender, type NativePeer, pffft, startFftw, startMkl } from "../peers.ts";
import { type Case, type Contender, transformFlops } from "../runner.ts";

/** Lengths: powers of two, then 2³5³, 2⁹3, 3²5·7·13 and a prime. */
export const fftSizes = [256, 512, 1024, 2048, 4096, 8192, 16384, 65536, 2 ** 20, 1000, 1536, 4095, 1009] as const;

/** About a million samples per batch, as in radar: many short lines or a few long ones. */
const linesOf = (n: number): number => Math.max(1, Math.round(2 ** 20 / n));

/** The case for one length. */
export function fftCase(n: number): Case {
  const lines = linesOf(n);
  return {
    name: `fft c64 ${lines}×${n}`,
    flops: transformFlops(lines, n),
    errorKind: "relative L2 against float64",
    setUp: () => setUp(n, lines),
  };
}

/** One process of each native library for all cases, or the reason why there is none. */
let native: { readonly fftw: NativePeer | string; readonly mkl: NativePeer | string } | undefined;

/** Stops these processes. */
export function stopPeers(): void {
  for (const peer of Object.values(native ?? {})) if (typeof peer !== "string") peer.stop();
  native = undefined;
}

async function setUp(n: number, lines: number) {
  const batch = randomBatch(n, lines);
  native ??= { fftw: startFftw(), mkl: startMkl() };
  const { fftw, mkl } = native;
  const peers = {
    "fft.js": fftJs(batch),
    "pffft-wasm": await pffft(batch),
    "kissfft-js": kissFft(batch),
    ...(await webFft(batch)),
    FFTW: typeof fftw === "string" ? fftw : fftwContender(fftw, batch),
    MKL: typeof mkl === "string" ? mkl : mklContender(mkl, batch),
  };
  const contenders: Contender[] = [await ours(batch)];
  const absent: Record<string, string> = {};
  for (const [name, peer] of Object.entries(peers)) {
    const why = typeof peer === "string" ? peer : await wrongPeer(n, peer);
    if (why !== undefined) absent[name] = why;
    if (typeof peer !== "string") {
      if (why === undefined) contenders.push(peer);
      else peer.dispose?.();
    }
  }
  return { contenders, absent };
}

/** Why a peer is not timed: it fails, or its result differs from float64. Undefined if it is right, or if its process checks itself. */
export async function wrongPeer(n: number, peer: Contender): Promise<string | undefined> {
  if (peer.window) return undefined;
  let error: number;
  try {
    peer.reset?.();
    await peer.run();
    error = await peer.error();
  } catch (cause) {
    return failure(cause);
  }
  return error <= allowedError(n) ? undefined : `its result is wrong: relative L2 error ${error.toExponential(1)} against float64`;
}

/** The error of a peer that fails while it is set up or called for the first time, in its first words. */
const failure = (error: unknown): string => `it failed: ${messageOf(error).slice(0, 120)}`;

/** 8·ε·√log₂n: peers may compute their twiddle factors in single precision. */
const allowedError = (n: number): number => 8 * 2 ** -23 * Math.sqrt(Math.log2(n));

/** Our contender: the CPU device, on one unit unless more `workers` are asked for, in place on a view of its memory. */
export async function ours(batch: Batch, workers = 1): Promise<Contender> {
  const device = await open(cpu({ workers }));
  const shape = layout("c64", [batch.lines, batch.n]);
  const array = device.alloc(shape);
  const plan = await device.plan({ op: "fft", layout: shape, axis: 1, inverse: false }, { inPlace: true });
  return {
    name: `dechirp cpu, ${workers === 1 ? "one unit" : `up to ${workers} units`}, in place ${plan.text}`,
    reset: () => array.view?.().set(batch.data),
    run: () => plan.run({ in: array, out: array }).done,
    error: () => batch.error(array.view?.() ?? []),
    dispose: () => device[Symbol.dispose](),
  };
}

/** Uniform random lines. The error is relative L2 against the definition, over 64 bins spread over lines and frequencies. */
export function randomBatch(n: number, lines: number): Batch {
  const random = createRandom(n);
  const data = Float32Array.from({ length: 2 * n * lines }, () => random.uniform() - 0.5);
  const bins = Array.from({ length: 64 }, () => {
    const line = Math.floor(random.uniform() * lines);
    const k = Math.floor(random.uniform() * n);
    let [re, im] = [0, 0];
    for (let i = 0; i < n; i++) {
      const angle = (-2 * Math.PI * ((i * k) % n)) / n;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      const [a, b] = [data[2 * (line * n + i)], data[2 * (line * n + i) + 1]];
      re += a * c - b * s;
      im += a * s + b * c;
    }
    return { at: 2 * (line * n + k), re, im };
  });
  const energy = bins.reduce((sum, { re, im }) => sum + re * re + im * im, 0);
  return {
    n,
    lines,
    data,
    error: (y) => Math.sqrt(bins.reduce((sum, { at, re, im }) => sum + (y[at] - re) ** 2 + (y[at + 1] - im) ** 2, 0) / energy),
  };
}
