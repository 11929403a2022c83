import { createRandom, evaluate, fft, layout, open, program } from "@dechirp/core";
import { compare } from "@dechirp/core/compare";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import { canceller } from "./canceller.ts";

const [pulses, ranges] = [65, 200];
const cancel = canceller(pulses, ranges);
const toDoppler = fft(layout("c64", [pulses - 1, ranges]), { axis: 0 });
const movingTargets = program({
  name: "moving targets",
  inputs: { echoes: layout("c64", [pulses, ranges]) },
  steps: [
    { name: "cancel", op: cancel, bind: { x: "echoes", y: "moving" } },
    { name: "doppler", op: toDoppler, bind: { in: "moving", out: "spectrum" } },
  ],
  outputs: ["spectrum"],
});

// Clutter whose phase advances by 0.1 cycles per pulse, and at range cell 120 a moving target: 0.35 cycles per pulse, a thousandth of the power.
const { gaussian } = createRandom(5);
const clutter = Float64Array.from({ length: 2 * ranges }, gaussian);
const echoes = new Float32Array(2 * pulses * ranges);
for (let p = 0; p < pulses; p++) {
  const [c, s] = [Math.cos(2 * Math.PI * 0.1 * p), Math.sin(2 * Math.PI * 0.1 * p)];
  for (let r = 0; r < ranges; r++) {
    const i = 2 * (p * ranges + r);
    echoes[i] = clutter[2 * r] * c - clutter[2 * r + 1] * s;
    echoes[i + 1] = clutter[2 * r] * s + clutter[2 * r + 1] * c;
  }
  const i = 2 * (p * ranges + 120);
  echoes[i] += 0.03 * Math.cos(2 * Math.PI * 0.35 * p);
  echoes[i + 1] += 0.03 * Math.sin(2 * Math.PI * 0.35 * p);
}

using device = await open(gpu(), cpu());
const uniforms = { cyclesPerPulse: 0.1 };
const { spectrum } = await evaluate(movingTargets, device, { echoes }, { uniforms });
const powers = Array.from({ length: spectrum.length / 2 }, (_, k) => spectrum[2 * k] ** 2 + spectrum[2 * k + 1] ** 2);
const brightest = powers.indexOf(Math.max(...powers));
console.log(
  `brightest at range cell ${brightest % ranges}, ${(Math.floor(brightest / ranges) / (pulses - 1)).toFixed(2)} cycles per pulse`,
);

using processor = await open(cpu({ workers: 1 }));
const { stages } = await compare(movingTargets, device, processor, { echoes: echoes.map(() => gaussian()) }, { uniforms });
for (const { stage, agrees } of stages) console.log(stage, agrees ? "agrees" : "differs");
