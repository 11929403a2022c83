// The example of the paper: bounds for several numbers of tasks, a simulation that stays within them, and simulations that break a rule and exceed them.
import { analyseTaskSet, brokenSchedulers, exampleSet, permittedSizes, simulateTaskSet, traceFaults } from "@dechirp/realtime";

// #region example
const { wcet } = exampleSet(1).tasks[0]; // transforms of 2²⁴ samples: L[1] = 9101, L[4] = 2501, L[5] = 2032 µs
console.log(`S = {${permittedSizes(wcet, 1.1, 19).join(", ")}}: 4·2501 ≤ 1.1·9101 < 5·2032`);
for (const count of [1, 2, 4, 5, 10, 21]) {
  const [{ wait, response, partition, bound, binding }] = analyseTaskSet(exampleSet(count)).tasks;
  const numbers = [wait, response, partition].map((us) => us?.toFixed(2) ?? "none").join(", ");
  console.log(`${count} tasks: wait, Lemma 2, partition ${numbers}; ${bound.toFixed(0)} µs by ${binding}`);
}
// #endregion example

// #region simulate
const set = exampleSet(21);
const [{ bound }] = analyseTaskSet(set).tasks;
const trace = simulateTaskSet(set, { seed: 1, jobs: 50 });
console.log(`observed ${trace.summary.tasks[0].maxResponse.toFixed(0)} µs, ${traceFaults(set, trace).length} faults`);

// Schedulers that break one assumption of the proofs each.
for (const [name, mutant] of Object.entries(brokenSchedulers)) {
  const broken = simulateTaskSet(set, { ...mutant(set), seed: 1, jobs: 50 });
  const kinds = new Set(traceFaults(set, broken).map(({ kind }) => kind));
  const times = (broken.summary.tasks[0].maxResponse / bound).toFixed(1);
  console.log(`${name}: ${times} times the bound; faults: ${[...kinds].sort().join(", ")}`);
}
// #endregion simulate
