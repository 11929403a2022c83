import { analyseTaskSet, recommendRho, simulateTaskSet, traceFaults } from "@dechirp/realtime";

const set = {
  units: 19, // for example the workers of a pool or the slots of a dispatch
  rho: 1.1, // k units are permitted if k·L[k] ≤ ρ·L[1]
  tasks: [
    { id: "fft", wcet: { 1: 9101, 4: 2501, 5: 2032 }, deadline: 20_000, count: 10 }, // ten equal tasks; times in microseconds
    { id: "filter", wcet: { 1: 1200, 2: 650 }, period: 9000 },
  ],
};
const { tasks, schedulable } = analyseTaskSet(set);
const { sizes, wait, response, slack } = tasks[0];
console.log(schedulable, sizes, wait.toFixed(2), response.toFixed(2), slack?.toFixed(2)); // true [ 1, 4 ] 4807.16 13908.16 6091.84

const trace = simulateTaskSet(set, { seed: 1, jobs: 100 }); // every task requests its next job when one has finished
console.log(trace.summary.tasks[0].maxResponse <= tasks[0].bound); // true
console.log(traceFaults(set, trace)); // []
const { rho } = recommendRho(set, { goal: "response" }); // the ρ whose largest bound is smallest, relative to deadlines and periods
console.log(rho.toFixed(2)); // 1.08
