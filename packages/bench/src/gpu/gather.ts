/** Gathers on the device's clock, beside the migration pass. Results are compared with the CPU device. */
import { type Buffer, type Device, elementCount, type TypedArrayOf } from "@dechirp/core";
import { type GatherWay, gatherInput, gatherWays } from "../gathers.ts";
import { type GpuCase, sideOf, timeRuns } from "./cases.ts";
import type { GpuContender } from "./rounds.ts";

/** The case of gathers of 8 taps. */
export function gatherCase(elements: number): GpuCase {
  const side = sideOf(elements);
  return {
    name: `gathers of 8 taps, c64 ${side}×${side}`,
    errorKind: "relative L2 against the CPU's device",
    clock: "device",
    peer: { kind: "gather", lines: side, n: side },
    async setUp({ device, data, cpu }) {
      // The gather along rows first: others are shown relative to it.
      const [pass, alone, rows, columns] = gatherWays(side);
      const contenders: GpuContender[] = [];
      for (const way of [rows, columns, pass, alone]) contenders.push(await contenderOf(way, device, data, cpu));
      return { contenders };
    },
  };
}

async function placed({ op, ports, ...way }: GatherWay, device: Device, data: Float32Array) {
  const plan = await device.plan(op);
  const arrays: Record<string, Buffer> = {};
  for (const [port, of] of Object.entries(ports)) {
    arrays[port] = device.alloc(of, port);
    if (port !== "out") arrays[port].write(gatherInput({ op, ports, ...way }, port, of, data) as never);
  }
  const dispose = (): void => {
    for (const thing of [plan, ...Object.values(arrays)]) thing[Symbol.dispose]();
  };
  return { plan, arrays, dispose };
}

async function contenderOf(way: GatherWay, device: Device, data: Float32Array, cpu: () => Promise<Device>): Promise<GpuContender> {
  const { plan, arrays, dispose } = await placed(way, device, data);
  const samples = way.ports["samples"] ?? way.ports["doppler"];
  return {
    name: `dechirp ${way.name} ${plan.text}`,
    kind: "ours",
    bytes: 8 * (elementCount(samples) + elementCount(way.ports["out"])),
    flops: plan.cost.flops,
    async sample(runs) {
      plan.run(arrays);
      return timeRuns(device, runs, () => {
        for (let r = 0; r < runs; r++) plan.run(arrays);
      });
    },
    async error() {
      const got = (await arrays["out"].read()) as TypedArrayOf;
      const other = await placed(way, await cpu(), data);
      other.plan.run(other.arrays);
      const wanted = (await other.arrays["out"].read()) as TypedArrayOf;
      other.dispose();
      let [error, energy] = [0, 0];
      for (let i = 0; i < wanted.length; i++) {
        error += (got[i] - wanted[i]) ** 2;
        energy += wanted[i] ** 2;
      }
      return Math.sqrt(error / energy);
    },
    dispose,
  };
}
