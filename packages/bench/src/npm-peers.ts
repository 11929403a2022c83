/** Transforms of npm packages that are compiled from kissfft, and of the collection webfft, as contenders. */
import { createRequire } from "node:module";
import { messageOf } from "@dechirp/core";
import type { Batch } from "./peers.ts";
import type { Contender } from "./runner.ts";

/** A transform of one line. It returns the library's own array, or a view of its memory, which the next call overwrites. */
interface LineTransform {
  transform(line: Float32Array): Float32Array;
  dispose?(): void;
}

/** Calls a library line by line, as its users do: each call copies a line into the library's memory, and its result is copied out. */
function byLines(name: string, { n, lines, data, error }: Batch, { transform, dispose }: LineTransform): Contender {
  const y = new Float32Array(data.length);
  const from = Array.from({ length: lines }, (_, l) => data.subarray(2 * n * l, 2 * n * (l + 1)));
  return {
    name,
    run() {
      for (let l = 0; l < lines; l++) y.set(transform(from[l]), 2 * n * l);
    },
    error: () => error(y),
    ...(dispose && { dispose }),
  };
}

interface KissFft {
  forward(line: Float32Array): Float32Array;
  dispose(): void;
}

/** The longest line that its memory of 16 MiB holds, with tables for both directions. It can't be used any more once that is exceeded. */
const longestKissFft = 2 ** 18;

/** kissfft-js, compiled by Emscripten to JavaScript, or the reason why it can not be a contender. */
export function kissFft(batch: Batch): Contender | string {
  if (batch.n > longestKissFft) return `lines of up to ${longestKissFft} points only`;
  const { FFT } = createRequire(import.meta.url)("kissfft-js") as { readonly FFT: new (n: number) => KissFft };
  const fft = new FFT(batch.n);
  return byLines("kissfft-js 0.1, line by line", batch, {
    transform: (line) => fft.forward(line),
    dispose: () => fft.dispose(),
  });
}

interface WebFft {
  fft(line: Float32Array): Float32Array;
  dispose(): void;
}

/** The libraries of webfft that its own profile tries first, and its variant of kissfft. */
const webFftLibraries = ["kissWasm", "kissfftmodifiedWasm", "indutnyModifiedJavascript"] as const;
const webFftLengths = { least: 4, most: 131_072 };

/** The libraries of webfft as contenders, or the reasons why they can't be ones. */
export async function webFft(batch: Batch): Promise<Readonly<Record<string, Contender | string>>> {
  const { n } = batch;
  const fits = Number.isInteger(Math.log2(n)) && n >= webFftLengths.least && n <= webFftLengths.most;
  if (!fits) return { webfft: `powers of two from ${webFftLengths.least} to ${webFftLengths.most} only` };
  const { default: WebFft } = (await import("webfft" as string)) as {
    readonly default: new (n: number, library: string, useProfile: boolean) => WebFft;
  };
  return Object.fromEntries(
    webFftLibraries.map((library) => {
      let fft: WebFft;
      try {
        fft = new WebFft(n, library, false);
      } catch (error) {
        return [`webfft ${library}`, `it failed: ${messageOf(error).slice(0, 120)}`] as const;
      }
      const contender = byLines(`webfft 1.0 ${library}, line by line`, batch, {
        transform: (line) => fft.fft(line),
        dispose: () => fft.dispose(),
      });
      return [`webfft ${library}`, contender] as const;
    }),
  );
}
