import { evaluate, fft, layout, open, program } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import { gather, positionColumns, setLinePositions } from "@dechirp/radar/interpolation";

// 64 pulses of 256 samples: an echo that moves by a quarter of a sample from pulse to pulse.
const pulses = layout("c64", [64, 256]);
const echo = (sample: number): number => {
  const x = sample / 2; // sampled at twice the bandwidth
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
};
const recorded = new Float32Array(2 * 64 * 256);
for (let i = 0; i < 64 * 256; i++) recorded[2 * i] = echo((i % 256) - 100 - Math.floor(i / 256) / 4);

// The positions of each line, as the coefficients of a polynomial of the index: pulse/4 + index.
const lines = { lines: 64, extent: 256, degree: 1 };
const table = new Uint32Array(positionColumns(1) * 64);
for (let pulse = 0; pulse < 64; pulse++) setLinePositions(table, lines, pulse, [pulse / 4, 1]);

const straight = gather({
  layout: pulses,
  samples: pulses,
  axis: 1,
  positions: { kind: "polynomial", degree: 1 },
  interpolator: { kind: "sinc", taps: 8, window: "kaiser", oversampling: 2 },
});
const doppler = program({
  name: "straighten and transform",
  inputs: { recorded: pulses },
  constants: { positions: { layout: layout("u32", [positionColumns(1), 64]), data: table } },
  steps: [
    {
      name: "doppler",
      op: fft(pulses, { axis: 0, load: straight }),
      bind: { samples: "recorded", positions: "positions", out: "spectrum" },
    },
  ],
  outputs: ["spectrum"],
});

for (const backends of [[cpu()], [gpu(), cpu()]]) {
  using device = await open(...backends);
  const { spectrum } = await evaluate(doppler, device, { recorded });
  // Without the gather, the echo would be spread over 16 samples.
  console.log(device.id, "sample 100 at zero Doppler:", (spectrum[2 * 100] / 64).toFixed(3));
}
