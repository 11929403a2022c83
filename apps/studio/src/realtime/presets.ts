/** Task sets to begin with. Times are in microseconds. */
import { exampleSet, type TaskSet, type WcetTable } from "@dechirp/realtime";

/** Execution times of work of which a share can't be divided. */
function divided(whole: number, serial: number, most: number): WcetTable {
  return Object.fromEntries(
    Array.from({ length: most }, (_, i) => [i + 1, Math.round(whole * (serial + (1 - serial) / (i + 1)))] as const),
  );
}

/** A task set to choose: its name, and its tasks. `units` and `tasks` are those that are set on the page. */
interface Preset {
  readonly title: string;
  readonly set: (units: number, tasks: number) => TaskSet;
}

/** The presets by the name that is in addresses. */
export const presets = {
  paper: {
    title: "paper's example: 2²⁴ samples",
    set: (units, tasks) => {
      const set = exampleSet(tasks);
      // Sporadic releases need a period.
      return { ...set, units, tasks: set.tasks.map((task) => ({ ...task, period: 40_000 })) };
    },
  },
  radar: {
    title: "radar: range, Doppler, STAP",
    set: () => ({
      units: 16,
      tasks: [
        { id: "pulse compression", wcet: divided(900, 0.04, 8), deadline: 2000, period: 2500, count: 4 },
        { id: "Doppler filter bank", wcet: divided(1600, 0.06, 8), deadline: 4000, period: 5000, count: 2 },
        { id: "STAP", wcet: divided(5200, 0.1, 16), deadline: 8000, period: 10_000 },
        { id: "display", wcet: { 1: 700 }, period: 40_000, count: 2 },
      ],
    }),
  },
  crowded: {
    title: "too much work for 8 units",
    set: () => ({
      units: 8,
      tasks: [
        { id: "search", wcet: divided(3000, 0.05, 8), deadline: 4000, period: 4000, count: 6 },
        { id: "track", wcet: divided(800, 0.3, 4), deadline: 1200, period: 2000, count: 4 },
      ],
    }),
  },
  single: {
    title: "tasks of one unit each",
    set: () => ({
      units: 4,
      tasks: [
        { id: "fast", wcet: { 1: 200 }, deadline: 1500, period: 2000, count: 4 },
        { id: "slow", wcet: { 1: 1000 }, deadline: 4000, period: 5000, count: 2 },
      ],
    }),
  },
} as const satisfies Readonly<Record<string, Preset>>;

/** The name of a preset. */
export type PresetName = keyof typeof presets;
