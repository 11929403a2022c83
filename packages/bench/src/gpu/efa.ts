/**
 * The extended factored algorithm from cube to output on the device's clock: the published sizes in four variants that use the data sets
 * in turn, beside the same chain in PyTorch (peers/efa_torch.py) in the same rounds. Our output is compared with float64 in sampled
 * Doppler bins, and the peer's output everywhere with ours. The experiment (paper.ts) measures stages, sweeps and the published tables.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createEfaProblem,
  type EfaProblem,
  type EfaSizes,
  type EfaVariant,
  formatEfaSizes,
  minEfaSnrDb,
  openEfaChain,
  uploadEfaBuffers,
} from "@dechirp/experiments";
import type { GpuCase } from "./cases.ts";
import type { GpuContender } from "./rounds.ts";

/** The variants: the library's default first, the published chain last. */
const ways: Readonly<Record<string, EfaVariant>> = {
  dechirp: {},
  "dechirp, Gauss-Jordan": { solver: "gauss-jordan" },
  "dechirp, four stages": { fused: false },
  "dechirp, four stages, Gauss-Jordan, B_T = 3": { fused: false, solver: "gauss-jordan", rowsPerInvocation: 3 },
};

/** The case for some sizes. */
export function efaCase(sizes: EfaSizes, dataSets: number): GpuCase {
  const { channels, temporalTaps, steeringVectors, dopplerBins, ranges } = sizes;
  const folder = join(tmpdir(), `dechirp-efa-${process.pid}`);
  return {
    name: `EFA ${formatEfaSizes(sizes)}, mean of ${dataSets} data sets`,
    errorKind: "relative L2: ours against float64 in sampled bins, peers against ours",
    clock: "device",
    peer: { kind: "efa", lines: steeringVectors, n: channels * temporalTaps, folder },
    async setUp({ device }) {
      const problem = createEfaProblem(sizes);
      const inputs = await uploadEfaBuffers(device, problem, dataSets);
      const contenders: GpuContender[] = [];
      const failed: Record<string, string> = {};
      const bytes = 8 * channels * sizes.pulses * ranges + 4 * steeringVectors * dopplerBins * ranges;
      for (const [name, way] of Object.entries(ways)) {
        try {
          const chain = await openEfaChain(device, problem, inputs, way);
          const stages = [...chain.stages.keys()];
          const all = Array.from({ length: dataSets }, (_, set) => set);
          contenders.push({
            name: `${name} ${chain.stages.map(({ text }) => text).join(" ")}`,
            kind: "ours",
            bytes,
            flops: chain.stages.reduce((sum, { flops }) => sum + flops, 0),
            allowed: 10 ** (-minEfaSnrDb / 20),
            async sample(runs) {
              await chain.time(stages, 1, [0]);
              // Every data set is used equally often.
              return chain.time(stages, Math.ceil(runs / dataSets) * dataSets, all);
            },
            error: async () => 10 ** (-problem.snrDb(0, await chain.output(0)) / 20),
            dispose: () => chain[Symbol.dispose](),
          });
          if (contenders.length === 1) writeScene(folder, sizes, { problem, dataSets, y: await chain.output(0) });
        } catch (error) {
          failed[name] = (error as Error).message;
        }
      }
      return {
        contenders,
        failed,
        dispose() {
          inputs[Symbol.dispose]();
          rmSync(folder, { recursive: true, force: true });
        },
      };
    },
  };
}

interface Written {
  readonly problem: EfaProblem;
  readonly dataSets: number;
  readonly y: Float32Array;
}

/** Writes the problem as files for the peer's process. */
function writeScene(folder: string, sizes: EfaSizes, { problem, dataSets, y }: Written): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "scene.json"), JSON.stringify({ ...sizes, dataSets }));
  writeFileSync(join(folder, "cubes.c64"), "");
  for (let set = 0; set < dataSets; set++) writeFileSync(join(folder, "cubes.c64"), problem.cube(set), { flag: "a" });
  writeFileSync(join(folder, "steering.c64"), problem.steering);
  writeFileSync(join(folder, "y.f32"), y);
}
