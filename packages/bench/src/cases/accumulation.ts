/**
 * Adding to an array on the CPU: out += in by a map, beside numpy's `+=`; and a transform with an accumulating store, beside the transform and
 * the map in two steps.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createRandom, type Device, fft, layout, type Op, open, type Plan } from "@dechirp/core";
import { accumulate, map } from "@dechirp/core/expression";
import { cpu } from "@dechirp/fft-cpu";
import { numpyScene } from "../peers.ts";
import { type Case, type Contender, noError } from "../runner.ts";

const n = 2048;
const shape = layout("c64", [n, n]);
const addition = map({ name: "out += x", shape: [n, n], sources: { x: shape, out: shape }, outputs: { out: "c64" } }, "out + x");
const script = fileURLToPath(new URL("../../peers/accumulate.py", import.meta.url));

/** The largest difference between numbers and twice the numbers of x. */
const fromTwice = (x: Float32Array, sum: Float32Array): number =>
  sum.length === x.length ? x.reduce((most, v, i) => Math.max(most, Math.abs(sum[i] - 2 * v)), 0) : Number.POSITIVE_INFINITY;

/** Contenders on one unit and on all, and numpy. */
export const accumulationCase: Case = {
  name: `out += in of c64 ${n}×${n}`,
  flops: 2 * n * n,
  windows: 9,
  errorKind: "largest difference from twice the input, after two runs on zeros",
  async setUp() {
    const folder = mkdtempSync(join(tmpdir(), "dechirp-accumulate-"));
    const devices: Device[] = [];
    const absent: Record<string, string> = {};
    const contenders: Contender[] = [];
    const { uniform } = createRandom(7);
    const x = Float32Array.from({ length: 2 * n * n }, () => uniform() - 0.5);
    writeFileSync(join(folder, "x.c64"), x);
    for (const [units, options] of [
      ["one unit", { workers: 1 }],
      ["all units", {}],
    ] as const) {
      const device = await open(cpu(options));
      devices.push(device);
      const [input, out, middle] = ["x", "out", "middle"].map((name) => device.alloc(shape, name));
      input.write(x);
      const planned = async (op: Op): Promise<Plan> => device.plan(op);
      const add = await planned(addition);
      const stored = await planned(fft(shape, { axis: 1, store: accumulate(shape) }));
      const plain = await planned(fft(shape, { axis: 1 }));
      contenders.push(
        {
          name: `map ${add.text}, ${units}`,
          run: () => add.run({ x: input, out }).done,
          async error() {
            out.write(new Float32Array(2 * n * n));
            for (let i = 0; i < 2; i++) add.run({ x: input, out });
            return fromTwice(x, await out.read());
          },
        },
        { name: `out += fft(in) ${stored.text}, ${units}`, run: () => stored.run({ in: input, out }).done, error: noError },
        {
          name: `fft, then the map, ${units}`,
          run() {
            plain.run({ in: input, out: middle });
            return add.run({ x: middle, out }).done;
          },
          error: noError,
        },
      );
    }
    const numpy = numpyScene(script, folder, [], "sum.c64", (sum) => fromTwice(x, sum));
    if (typeof numpy === "string") absent["numpy"] = numpy;
    else contenders.push(numpy);
    return {
      contenders,
      absent,
      dispose() {
        for (const device of devices) device[Symbol.dispose]();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
};
