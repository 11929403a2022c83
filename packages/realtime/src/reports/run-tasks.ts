/**
 * Tasks that are to be run: what there is and what it transforms. Execution times and units of a task set are another device's: they are
 * not looked at, since those of this one are measured.
 */
import { inputError } from "@dechirp/core";
import type { Task } from "../model.ts";
import { inputsOfKind } from "../transforms/transform-task.ts";
import { checkTaskSet, maxUnits, type TaskCopy, taskCopies } from "../validate.ts";

/** An entry of `tasks` without its times, with its work. */
export interface RunTask extends Omit<Task, "wcet"> {
  /** Real float32 samples of a job. */
  readonly samples: number;
  /** Complex lines of so many points, in place; one real transform where left out. */
  readonly line?: number;
}

/** Tasks as `checkRunTasks` gives them: checked, with what stands in for what was left out. */
export interface RunTasks {
  /** ρ for tasks that have neither ρ nor sizes of their own. */
  readonly rho?: number;
  readonly tasks: readonly RunTask[];
  /** What of the given set is not used, and what stands in for what it lacks. */
  readonly notes: readonly string[];
}

const usualSamples = 65_536;
/** Samples of a job: the largest published. */
const mostSamples = 2 ** 24;
/** Samples of all inputs, which are kept with their spectra in float64: 768 MiB. */
const mostInputs = 2 ** 26;
/** Samples of all copies of all tasks: with their outputs 4 GiB, what the processor's memory has addresses for. */
const mostCopies = 2 ** 29;
/** Names that a note lists. */
const mostNames = 5;

/** Which work a task does: tasks of a kind have the same times. */
export const kindOf = ({ samples, line }: Pick<RunTask, "samples" | "line">): string => `${samples} ${line ?? 0}`;

/**
 * `value`, such as a parsed tasks.json, as tasks to run: as `checkTaskSet` has them, without execution times, and with `samples`, real
 * float32 samples of a job, 65,536 where left out, and `line`, points of complex lines that are transformed in place. `lines`: whether tasks
 * must be of lines, as those of slots must. Notes that it has stay, and it may be checked again. Throws `input` naming the field by its path, also for more samples than can be kept.
 */
export function checkRunTasks(value: unknown, lines = false): RunTasks {
  const { rho, tasks: checked } = checkTaskSet(withTimes(value, maxUnits));
  const tasks = checked.map(({ wcet: _, ...task }, i) => checkWork(task, `tasks[${i}]`, lines));
  checkInputs(tasks);
  const given = value as { readonly units?: unknown; readonly tasks: readonly Partial<RunTask & Task>[]; readonly notes?: unknown };
  const { notes = [] } = given;
  if (!Array.isArray(notes) || !notes.every((note) => typeof note === "string")) throw inputError("notes", "a list of texts", notes);
  const foreign = [
    ...(given.units === undefined ? [] : ["units"]),
    ...(given.tasks.every(({ wcet }) => wcet === undefined) ? [] : ["wcet"]),
  ];
  const usual = tasks.filter((_, i) => given.tasks[i].samples === undefined).map(({ id }) => id);
  return {
    ...(rho !== undefined && { rho }),
    tasks,
    notes: [
      ...notes,
      ...(foreign.length > 0 ? [`${foreign.join(" and ")} of the task set are not used: times are measured on this device`] : []),
      ...(usual.length > 0 ? [`samples: ${usualSamples} where a task has none: ${listed(usual)}`] : []),
    ],
  };
}

/** Throws `input` where a size that a task names is more than the device's `units`. */
export const checkUnits = (set: Pick<RunTasks, "tasks">, units: number): void => void checkTaskSet(withTimes(set, units));

/** The set with times that stand in for those to be measured: of one unit, and of the sizes that tasks name. */
function withTimes(value: unknown, units: number): unknown {
  if (!isRecord(value)) return value;
  const { tasks } = value;
  if (!Array.isArray(tasks)) return { ...value, units };
  return { ...value, units, tasks: tasks.map((task: unknown) => (isRecord(task) ? { ...task, wcet: timesOf(task["sizes"]) } : task)) };
}

function timesOf(sizes: unknown): Readonly<Record<number, number>> {
  const named: unknown[] = Array.isArray(sizes) ? sizes : [];
  const known = named.filter((k): k is number => Number.isInteger(k) && (k as number) >= 1 && (k as number) <= maxUnits);
  return Object.fromEntries([1, ...known].map((k) => [k, 1]));
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

function checkWork(task: Omit<Task, "wcet">, field: string, lines: boolean): RunTask {
  const { samples = usualSamples, line } = task as { readonly samples?: unknown; readonly line?: unknown };
  if (!isInteger(samples, 2, mostSamples)) throw inputError(`${field}.samples`, `an integer from 2 to ${mostSamples}`, samples);
  if (line === undefined) {
    if (lines) throw inputError(`${field}.line`, "given: slots take complex lines", line);
    return { ...task, samples };
  }
  if (!isInteger(line, 1, samples / 2) || samples % (2 * line) !== 0)
    throw inputError(`${field}.line`, `an integer whose double divides the ${samples} samples`, line);
  return { ...task, samples, line };
}

const isInteger = (value: unknown, least: number, most: number): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;

/** Throws `input` for more than can be kept, before any of it is made. */
function checkInputs(tasks: readonly RunTask[]): void {
  const inputs = new Map<string, number>();
  let all = 0;
  let copies = 0;
  for (const [i, task] of tasks.entries()) {
    const { count = 1 } = task;
    copies += count * task.samples;
    if (copies > mostCopies) {
      throw inputError(
        `tasks[${i}].count`,
        `such that all tasks have at most ${mostCopies} samples, copies of ${task.samples} each`,
        count,
      );
    }
    const before = inputs.get(kindOf(task)) ?? 0;
    const after = Math.min(inputsOfKind, before + count);
    inputs.set(kindOf(task), after);
    all += (after - before) * task.samples;
    if (all > mostInputs) throw inputError(`tasks[${i}].samples`, `such that inputs have at most ${mostInputs} in all`, task.samples);
  }
}

/** The tasks one by one. */
export const copiesOf = (set: Pick<RunTasks, "tasks">): readonly TaskCopy[] =>
  taskCopies({ units: 1, tasks: set.tasks.map((task) => ({ ...task, wcet: {} })) });

/** A few names, and how many more there are. */
export const listed = (names: readonly string[]): string =>
  names.length > mostNames ? `${names.slice(0, mostNames).join(", ")} and ${names.length - mostNames} more` : names.join(", ");
