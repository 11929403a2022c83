/**
 * The extended factored algorithm on the CPU device, from cube to output at the published sizes, on one unit and on all, fused and in four
 * stages, beside numpy in an optimised and a plain form (peers/efa.py, a separate process that times itself). The experiment measures
 * stages and sweeps (`dechirp bench efa-paper`).
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Device, open } from "@dechirp/core";
import {
  createEfaProblem,
  type EfaBuffers,
  type EfaProblem,
  type EfaSizes,
  type EfaVariant,
  formatEfaSizes,
  openEfaChain,
  publishedEfa,
  uploadEfaBuffers,
} from "@dechirp/experiments";
import { cpu } from "@dechirp/fft-cpu";
import { numpyScene } from "../peers.ts";
import type { Case, Contender } from "../runner.ts";
import { coresNote } from "../spin.ts";

const peer = fileURLToPath(new URL("../../peers/efa.py", import.meta.url));

/** Every turn has one pass to warm up and this many timed passes. */
const timedPasses = 5;

/** The case for some sizes. */
export function efaCase(sizes: EfaSizes = publishedEfa.sizes): Case {
  return {
    name: `EFA ${formatEfaSizes(sizes)}`,
    flops: 0,
    windows: 9,
    errorKind: "relative L2 of sampled bins against float64",
    setUp: () => setUp(sizes),
  };
}

async function setUp(sizes: EfaSizes) {
  const problem = createEfaProblem(sizes);
  const device = await open(cpu());
  const inputs = await uploadEfaBuffers(device, problem, 1);
  const on = { device, problem, inputs };
  const one = [0];
  const ours = [
    await contenderOf(on, "dechirp, one unit", {}, one),
    ...(device.units > 1 ? [await contenderOf(on, `dechirp, ${device.units} units`, {})] : []),
    await contenderOf(on, "dechirp, four stages, one unit", { fused: false }, one),
    ...(device.units > 1 ? [await contenderOf(on, `dechirp, four stages, ${device.units} units`, { fused: false })] : []),
  ];
  const folder = writeScene(sizes, problem);
  const peers: Contender[] = [];
  const absent: Record<string, string> = {};
  for (const args of [[], ["--processes", String(cpus().length)], ["--form", "solve"], ["--form", "plain"]]) {
    const numpy = numpyScene(peer, folder, ["--repeat", String(timedPasses), ...args], "y.f32", (y) => relative(problem, y));
    if (typeof numpy === "string") absent[`numpy ${args.join(" ")}`.trim()] = numpy;
    else peers.push(numpy);
  }
  return {
    contenders: [...peers, ...ours],
    absent: { ...absent, ...(await coresNote(device.units)) },
    dispose() {
      inputs[Symbol.dispose]();
      device[Symbol.dispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Ground {
  readonly device: Device;
  readonly problem: EfaProblem;
  readonly inputs: EfaBuffers;
}

async function contenderOf(
  { device, problem, inputs }: Ground,
  name: string,
  way: EfaVariant,
  units?: readonly number[],
): Promise<Contender> {
  const chain = await openEfaChain(device, problem, inputs, way);
  const stages = [...chain.stages.keys()];
  const on = units ? { units } : {};
  return {
    name,
    async run() {
      await chain.time(stages, 1, [0], on);
      return chain.time(stages, timedPasses, [0], on);
    },
    error: async () => relative(problem, await chain.output(0, on)),
    dispose: () => chain[Symbol.dispose](),
  };
}

const relative = (problem: EfaProblem, y: ArrayLike<number>): number => 10 ** (-problem.snrDb(0, y) / 20);

/** Writes the problem as files for the numpy process. */
function writeScene(sizes: EfaSizes, problem: EfaProblem): string {
  const folder = mkdtempSync(join(tmpdir(), "dechirp-bench-"));
  writeFileSync(join(folder, "scene.json"), JSON.stringify(sizes));
  writeFileSync(join(folder, "cube.c64"), problem.cube(0));
  writeFileSync(join(folder, "steering.c64"), problem.steering);
  return folder;
}
