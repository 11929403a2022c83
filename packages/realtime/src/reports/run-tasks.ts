/**
 * Tasks to run: their work, and how they are checked. Execution times and units of a given task set are ignored, as they belong to another
 * device; the times on this device are measured.
 */
import { inputError } from "@dechirp/core";
import type { Task } from "../model.ts";
import { inputsOfKind } from "../transforms/transform-task.ts";
import { checkTaskSet, maxUnits, type TaskCopy, taskCopies } from "../validate.ts";

/** An entry of `tasks` with its work instead of its execution times. */
export interface RunTask extends Omit<Task, "wcet"> {
  /** Number of real float32 samples of a job. */
  readonly samples: number;
  /** The number of points of complex lines that are transformed in place. Default: one real transform of all samples. */
  readonly line?: number;
}

/** Tasks that `checkRunTasks` has checked, with defaults filled in. */
export interface RunTasks {
  /** ρ for tasks that have neither ρ nor sizes of their own. */
  readonly rho?: number;
  /** The tasks. */
  readonly tasks: readonly RunTask[];
  /** Notes about parts of the given set that are ignored and about defaults. */
  readonly notes: readonly string[];
}

const usualSamples = 65_536;
/** The largest number of samples of a job, which is the largest of the paper. */
const mostSamples = 2 ** 24;
/** The largest number of samples of all inputs, which are kept with their spectra in float64: 768 MiB. */
const mostInputs = 2 ** 26;
/**
 * The largest number of samples of all copies of all tasks: 4 GiB with their outputs, which is the address space of the CPU backend's
 * memory.
 */
const mostCopies = 2 ** 29;
/** Number of names that a note lists. */
const mostNames = 5;

/** A key for the work of a task. Tasks with equal keys have equal times. */
export const workKind = ({ samples, line }: Pick<RunTask, "samples" | "line">): string => `${samples} ${line ?? 0}`;

/**
 * Checks `value`, such as a parsed tasks.json, as tasks to run. The rules are those of `checkTaskSet` without execution times, and:
 * `samples` is the number of real float32 samples of a job (default: 65,536); `line` is the number of points of complex lines that are
 * transformed in place, and is required if `lines` is true, as for slots. Existing notes are kept, and the result may be checked again.
 * Throws `input` that names the field by its path, also if there are more samples than fit into memory.
 */
export function checkRunTasks(value: unknown, lines = false): RunTasks {
  const { rho, tasks: checked } = checkTaskSet(withTimes(value, maxUnits));
  const tasks = checked.map(({ wcet: _, ...task }, i) => checkWork(task, `tasks[${i}]`, lines));
  checkInputs(tasks);
  const given = value as { readonly units?: unknown; readonly tasks: readonly Partial<RunTask & Task>[]; readonly notes?: unknown };
  const { notes = [] } = given;
  if (!Array.isArray(notes) || !notes.every((note) => typeof note === "string")) throw inputError("notes", "a list of strings", notes);
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
      ...(foreign.length > 0 ? [`${foreign.join(" and ")} of the task set are ignored, as times are measured on this device`] : []),
      ...(usual.length > 0 ? [`tasks without samples get ${usualSamples}: ${listed(usual)}`] : []),
    ],
  };
}

/** Throws `input` if a task's `sizes` include more than the device's `units`. */
export const checkUnits = (set: Pick<RunTasks, "tasks">, units: number): void => void checkTaskSet(withTimes(set, units));

/**
 * Adds placeholder times for one unit and for the sizes that tasks name, so that `checkTaskSet` accepts the set before times are measured.
 */
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
    if (lines) throw inputError(`${field}.line`, "given, as slots transform complex lines", line);
    return { ...task, samples };
  }
  if (!isInteger(line, 1, samples / 2) || samples % (2 * line) !== 0)
    throw inputError(`${field}.line`, `an integer such that 2 · line divides the ${samples} samples`, line);
  return { ...task, samples, line };
}

const isInteger = (value: unknown, least: number, most: number): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;

/** Throws `input` if the samples do not fit into memory, before any are made. */
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
        `small enough that all tasks together have at most ${mostCopies} samples; each copy has ${task.samples}`,
        count,
      );
    }
    const before = inputs.get(workKind(task)) ?? 0;
    const after = Math.min(inputsOfKind, before + count);
    inputs.set(workKind(task), after);
    all += (after - before) * task.samples;
    if (all > mostInputs)
      throw inputError(`tasks[${i}].samples`, `small enough that all inputs together have at most ${mostInputs}`, task.samples);
  }
}

/** Lists the copies of all tasks. */
export const copiesOf = (set: Pick<RunTasks, "tasks">): readonly TaskCopy[] =>
  taskCopies({ units: 1, tasks: set.tasks.map((task) => ({ ...task, wcet: {} })) });

/** A few names, and the number of the others. */
export const listed = (names: readonly string[]): string =>
  names.length > mostNames ? `${names.slice(0, mostNames).join(", ")} and ${names.length - mostNames} more` : names.join(", ");

/** Names of the fields of a task set in a file, for checks of misspelt ones. */
export const taskSetFields: readonly string[] = ["units", "rho", "tasks"];
/** Names of the fields of a task in a file. */
export const taskFields: readonly string[] = ["id", "wcet", "rho", "sizes", "deadline", "period", "count", "samples", "line"];
