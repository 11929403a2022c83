/** Gathers on the CPU, beside the migration pass. */
import { createRandom, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gatherInput, gatherWays } from "../gathers.ts";
import { type Case, type Contender, noError } from "../runner.ts";

/** Contenders on all units: the migration pass, its load alone, and gathers along rows and columns. */
export const gatherCase = (side: number): Case => ({
  name: `gathers of 8 taps, c64 ${side}×${side}`,
  flops: 0,
  errorKind: "",
  async setUp() {
    const device = await open(cpu());
    const { uniform } = createRandom(7);
    const data = Float32Array.from({ length: 2 ** 20 }, () => uniform() - 0.5);
    const contenders: Contender[] = [];
    for (const way of gatherWays(side)) {
      const arrays = Object.fromEntries(Object.entries(way.ports).map(([port, of]) => [port, device.alloc(of, port)]));
      for (const [port, of] of Object.entries(way.ports)) if (port !== "out") arrays[port].write(gatherInput(way, port, of, data) as never);
      const plan = await device.plan(way.op);
      contenders.push({ name: `${way.name} ${plan.text}`, run: () => plan.run(arrays).done, error: noError });
    }
    return { contenders, dispose: () => device[Symbol.dispose]() };
  },
});
