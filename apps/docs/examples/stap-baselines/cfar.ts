// Cell-averaging and order-statistic CFAR: false alarms in noise, and a target beside a stronger one.
import { createRandom } from "@dechirp/core";
import { caCfar, caFactor, osCfar, osFactor } from "@dechirp/stap";

const ranges = 2 ** 16;
const random = createRandom(2);
const power = Float64Array.from({ length: ranges }, () => random.gaussian() ** 2 + random.gaussian() ** 2);
console.log(`factors for 1e-3 from 32 cells: mean ${caFactor(1e-3, 32).toFixed(2)}, 24th smallest ${osFactor(1e-3, 32, 24).toFixed(2)}`);
for (const [name, detect] of [
  ["mean", caCfar],
  ["order statistic", osCfar],
] as const) {
  const { detected } = detect(power, ranges, { falseAlarm: 1e-3 });
  const count = detected.reduce((sum, one) => sum + one, 0);
  console.log(`${name}: ${Math.abs(count / ranges / 1e-3 - 1) < 0.4 ? "1e-3 of noise" : count / ranges} above`);
}

const scene = power.slice(0, 200);
scene[100] = 60; // 15 dB over the mean of 2
scene[106] = 600; // and another one, among the first one's cells
console.log(
  `beside a target ten times as strong: mean ${caCfar(scene, 200, { falseAlarm: 1e-4 }).detected[100]}, order statistic ${osCfar(scene, 200, { falseAlarm: 1e-4 }).detected[100]}`,
);
