/** How the CPU device compares with its kernels: with more units, and with fused filters. */
import { createRandom, type Device, layout, type Op, open } from "@dechirp/core";
import { load, times } from "@dechirp/core/expression";
import { cpu } from "@dechirp/fft-cpu";
import { type Case, type Contender, noError, transformFlops } from "../runner.ts";
import { coresNote } from "../spin.ts";

const n = 4096;
const lines = 4096;
const flops = transformFlops(lines, n);
const shape = layout("c64", [lines, n]);

function fill(device: Device, label: string) {
  const random = createRandom(1);
  const array = device.alloc(shape, label);
  const line = Float32Array.from({ length: 2 * n }, () => random.uniform() - 0.5);
  for (let l = 0; l < lines; l++) array.write(line, l * n);
  return array;
}

/** The same transform on 1, 2, … units. */
export const unitsCase: Case = {
  name: `fft c64 ${lines}×${n} by units`,
  flops,
  errorKind: "",
  async setUp() {
    const device = await open(cpu());
    const [from, to] = [fill(device, "from"), device.alloc(shape, "to")];
    const plan = await device.plan({ op: "fft", layout: shape, axis: 1, inverse: false });
    const contenders = Array.from({ length: device.units }, (_, last): Contender => {
      const units = Array.from({ length: last + 1 }, (_, unit) => unit);
      return {
        name: `${units.length} of ${device.units} units`,
        run: () => plan.run({ in: from, out: to }, { units }).done,
        error: noError,
      };
    });
    return { contenders, absent: await coresNote(device.units), dispose: () => device[Symbol.dispose]() };
  },
};

/** A fused filter beside three separate plans, and one that a hook computes at every line and bin. */
export const filterCase: Case = {
  name: `FFT·H·IFFT c64 ${lines}×${n}, one unit`,
  flops: 2 * flops + lines * 6 * n,
  errorKind: "",
  async setUp() {
    const device = await open(cpu({ workers: 1 }));
    const [from, spectrum, filtered, to] = [fill(device, "from"), device.alloc(shape), device.alloc(shape), device.alloc(shape)];
    const h = device.alloc(layout("c64", [n]), "h");
    h.write(Float32Array.from({ length: 2 * n }, (_, i) => (i % 2 === 0 ? Math.cos(i * i) : Math.sin(i * i))));
    const plan = (op: Op) => device.plan(op);
    const fused = await plan({ op: "spectral-filter", layout: shape, axis: 1, h: "line" });
    const forward = await plan({ op: "fft", layout: shape, axis: 1, inverse: false });
    const multiply = await plan({ op: "multiply", layout: shape, axis: 1, h: "line" });
    const inverse = await plan({ op: "fft", layout: shape, axis: 1, inverse: true });
    const gain = device.alloc(layout("f32", [lines]), "gain");
    gain.write(Float32Array.from({ length: lines }, (_, line) => 1 + 1 / (line + 1)));
    const sources = { filter: h.layout, gain: gain.layout };
    const hook = load({ name: "filter × gain", layout: shape, sources }, (names) =>
      times(names.filter(names.at[1]), names.gain(names.at[0])),
    );
    const computed = await plan({ op: "spectral-filter", layout: shape, axis: 1, h: hook });
    const contenders: Contender[] = [
      { name: "three plans: fft, multiply, inverse", run: threePlans, error: noError },
      { name: `fused ${fused.text}`, run: () => fused.run({ in: from, h, out: to }).done, error: noError },
      { name: `h computed ${computed.text}`, run: () => computed.run({ in: from, filter: h, gain, out: to }).done, error: noError },
    ];
    function threePlans(): Promise<void> {
      forward.run({ in: from, out: spectrum });
      multiply.run({ in: spectrum, h, out: filtered });
      return inverse.run({ in: filtered, out: to }).done;
    }
    return { contenders, dispose: () => device[Symbol.dispose]() };
  },
};
