// Cell-averaging and order-statistic CFAR: false alarms in noise, and a target next to a stronger one.
import { createRandom } from "@dechirp/core";
import { caCfar, caFactor, osCfar, osFactor } from "@dechirp/stap";

const ranges = 2 ** 16;
const random = createRandom(2);
const power = Float64Array.from({ length: ranges }, () => random.gaussian() ** 2 + random.gaussian() ** 2);
console.log(
  `factors for 1e-3 with 32 cells: cell averaging ${caFactor(1e-3, 32).toFixed(2)}, 24th smallest cell ${osFactor(1e-3, 32, 24).toFixed(2)}`,
);
for (const [name, detect] of [
  ["cell averaging", caCfar],
  ["order statistic", osCfar],
] as const) {
  const { detected } = detect(power, ranges, { falseAlarm: 1e-3 });
  const count = detected.reduce((sum, one) => sum + one, 0);
  console.log(`${name}: ${Math.abs(count / ranges / 1e-3 - 1) < 0.4 ? "1e-3" : count / ranges} of the noise cells detected`);
}

const scene = power.slice(0, 200);
scene[100] = 60; // 15 dB over the mean of 2
scene[106] = 600; // a second target, among the neighbours of the first
console.log(
  `next to a target ten times as strong: cell averaging ${caCfar(scene, 200, { falseAlarm: 1e-4 }).detected[100]}, order statistic ${osCfar(scene, 200, { falseAlarm: 1e-4 }).detected[100]}`,
);
