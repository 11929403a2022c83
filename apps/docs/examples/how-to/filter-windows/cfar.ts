import { createRandom, evaluate, layout, open, program } from "@dechirp/core";
import { greater, select, times } from "@dechirp/core/expression";
import { box, stencil } from "@dechirp/core/stencil";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";

const [dopplers, ranges] = [128, 400];
const map = layout("f32", [dopplers, ranges]);
const training = 11 * 17 - 3 * 5; // cells of the window without its hole
const falseAlarms = 1e-3;
const threshold = training * (falseAlarms ** (-1 / training) - 1); // for noise power with an exponential distribution

// Doppler bins are on a circle. Beyond the first and the last range, the nearest cell counts.
const detect = stencil(
  { name: "CA-CFAR", shape: map.shape, sources: { power: map }, boundary: ["wrap", "clamp"], outputs: { hits: "u8" } },
  ({ at, power }) => {
    const noise = box(power, { rows: 11, columns: 17, hole: { rows: 3, columns: 5 } });
    return { hits: select(greater(power(at), times(noise, threshold / training)), 1, 0) };
  },
);

// Noise whose power rises with range, and three targets, one of them at the last Doppler bin.
const { uniform } = createRandom(1);
const power = Float32Array.from({ length: dopplers * ranges }, (_, i) => -Math.log(1 - uniform()) * (1 + (i % ranges) / 100));
const targets = [
  [20, 100],
  [64, 250],
  [127, 300],
] as const;
for (const [doppler, range] of targets) power[doppler * ranges + range] = 200;

for (const backends of [[cpu()], [gpu(), cpu()]]) {
  using device = await open(...backends);
  const steps = [{ name: "detect", op: detect, bind: { power: "power", hits: "hits" } }];
  const { hits } = await evaluate(program({ name: "detect", inputs: { power: map }, steps, outputs: ["hits"] }), device, { power });
  const found = targets.filter(([doppler, range]) => hits[doppler * ranges + range] === 1).length;
  const alarms = hits.reduce((sum, hit) => sum + hit, 0) - found;
  console.log(device.id, "targets", found, "false alarms", alarms, "of", (falseAlarms * power.length).toFixed(0), "expected");
}
