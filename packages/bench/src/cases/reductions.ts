/** Reductions and histograms on the CPU, on one unit and on all, beside numpy (peers/reduce.py, a process that times itself). */
import { createRandom, layout, open, resultLayout, scalarCount } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { type Numpy, startNumpy } from "../peers.ts";
import { nameOf, opOf, type ReduceWork, reduceError } from "../reduce-work.ts";
import type { Case, Contender } from "../runner.ts";

const real = layout("f32", [4096, 4096]);
const complex = layout("c64", [4096, 2048]);

let numpy: Promise<Numpy | string> | undefined;

/** Ends the process of numpy. */
export async function stopNumpy(): Promise<void> {
  const running = await numpy;
  if (typeof running === "object") running.stop();
}

function caseOf(work: ReduceWork): Case {
  const { what, shape, axes, bins = 0 } = work;
  return {
    name: nameOf(work),
    flops: 0,
    errorKind: "largest error of sampled results, relative to the sum of magnitudes",
    async setUp() {
      const device = await open(cpu());
      const { uniform } = createRandom(1);
      const data = Float32Array.from({ length: scalarCount(shape) }, () => uniform() - 0.5);
      const input = device.alloc(shape, "in");
      input.write(data);
      const by = what === "product" ? device.alloc(shape, "by") : undefined;
      by?.write(Float32Array.from(data).reverse());
      const op = opOf(work);
      const plan = await device.plan(op);
      const out = device.alloc(resultLayout(op), "out");
      const ours = (name: string, units: readonly number[]): Contender => ({
        name: `dechirp, ${name} ${plan.text}`,
        run: () => plan.run({ in: input, ...(by && { by }), out }, { units }).done,
        error: async () => reduceError(work, data, await out.read()),
      });
      const contenders = [ours("one unit", [0])];
      if (device.units > 1)
        contenders.push(
          ours(
            `${device.units} units`,
            Array.from({ length: device.units }, (_, unit) => unit),
          ),
        );
      numpy ??= startNumpy("reduce.py");
      const peer = await numpy;
      const question = { what, dtype: shape.dtype, shape: shape.shape, axes, bins };
      if (typeof peer === "object")
        contenders.push({
          name: peer.name,
          window: async (window) => (await peer.ask({ ...question, window })).milliseconds,
          run: async () => (await peer.ask({ ...question, window: 0 })).milliseconds,
          error: async () => (await peer.ask({ ...question, window: 0, check: true })).error,
        });
      return { contenders, ...(typeof peer === "string" && { absent: { numpy: peer } }), dispose: () => device[Symbol.dispose]() };
    },
  };
}

const works: ReduceWork[] = [[0], [1], [0, 1]].flatMap((axes): ReduceWork[] => [
  ...(["sum", "max", "argmax"] as const).map((what) => ({ what, shape: real, axes })),
  ...(["sum", "sum of squares", "product"] as const).map((what) => ({ what, shape: complex, axes })),
]);

/** Every case: 64 MiB of real or complex numbers. */
export const reductionCases: readonly Case[] = [...works, { what: "histogram", shape: real, axes: [0, 1], bins: 256 } as const].map(caseOf);
