/**
 * The check that every task set passes. It turns any value, such as a parsed tasks.json, into a `TaskSet` that the other functions trust,
 * or throws an `input` error that names the field by its path. The rules are written by hand instead of by a schema because most of them
 * relate two fields.
 */
import { inputError } from "@dechirp/core";
import type { Task, TaskSet, WcetTable } from "./model.ts";

/** The largest ℋ, and the largest size in a WCET table. */
export const maxUnits = 4096;
/** The largest number of tasks of a set, including copies. */
export const maxTasks = 10_000;
/** The longest time: 10¹⁵ µs, 31 years. Sums of such times stay far from overflow. */
export const maxMicroseconds = 1e15;
/** The longest id, in characters. */
const maxIdLength = 200;

/**
 * Checks a task set and returns a copy. Throws `input` with fields `{ field, expected, actual }`, where `field` is a path such as
 * `tasks[2].wcet[4]`.
 *
 * - Units: 1 to 4096. ρ: finite, at least 1.
 * - Tasks: 1 to 10,000 including copies, with unique names that are not empty. The copies of a task with a `count` are named as
 *   `taskCopies` says; these names must be unique, too.
 * - WCETs: by size, including 1, above 0. Sizes beyond the units are allowed and ignored, as in a table for a larger device.
 * - `sizes`: ascending, including 1, each with a WCET, none beyond the units.
 * - Deadline and period: above 0.
 *
 * Unknown keys are kept as they are.
 */
export function checkTaskSet(value: unknown): TaskSet {
  const set = checkRecord(value, "the task set", "an object with units and tasks");
  const units = set["units"];
  checkInteger(units, "units", 1, maxUnits);
  if (set["rho"] !== undefined) checkRho(set["rho"], "rho");
  const tasks = set["tasks"];
  if (!Array.isArray(tasks) || tasks.length < 1 || tasks.length > maxTasks)
    throw inputError("tasks", `a list of 1 to ${maxTasks} tasks`, tasks);
  const checked: Task[] = [];
  const names = new Set<string>();
  // An index loop instead of entries(), so that a hole in a sparse array is reported as a missing task.
  for (let i = 0; i < tasks.length; i++) {
    const task = checkTask(tasks[i], `tasks[${i}]`, units);
    if (names.size + (task.count ?? 1) > maxTasks)
      throw inputError(`tasks[${i}].count`, `small enough that the set has at most ${maxTasks} tasks`, task.count ?? 1);
    for (const name of copyNames(task)) {
      if (names.has(name)) throw inputError(`tasks[${i}].id`, "unique, also among the names of copies", name);
      names.add(name);
    }
    checked.push(task);
  }
  return { ...set, units, tasks: checked } as TaskSet;
}

/** One task of a set after expansion of `count`: its name and the index of its entry in `tasks`. */
export interface TaskCopy {
  /** The task's id; copies are numbered. */
  readonly id: string;
  /** Index of the entry in `tasks`. */
  readonly entry: number;
}

/**
 * Lists the tasks of a set one by one. A task `fft` keeps its name; with a count of 3 it becomes `fft/1`, `fft/2` and `fft/3`. The set
 * must have been checked.
 */
export function taskCopies(set: TaskSet): readonly TaskCopy[] {
  return set.tasks.flatMap((task, entry) => copyNames(task).map((id) => ({ id, entry })));
}

function copyNames({ id, count = 1 }: Task): readonly string[] {
  return count === 1 ? [id] : Array.from({ length: count }, (_, i) => `${id}/${i + 1}`);
}

function checkTask(value: unknown, field: string, units: number): Task {
  const task = checkRecord(value, field, "an object with id and wcet");
  const { id, rho, sizes, deadline, period, count } = task;
  if (typeof id !== "string" || id.length < 1 || id.length > maxIdLength)
    throw inputError(`${field}.id`, `a text of 1 to ${maxIdLength} characters`, id);
  const wcet = checkWcet(task["wcet"], `${field}.wcet`);
  if (rho !== undefined) checkRho(rho, `${field}.rho`);
  if (sizes !== undefined) {
    checkSizes(sizes, `${field}.sizes`, wcet, units);
    if (sizes[0] !== 1) throw inputError(`${field}.sizes[0]`, "1, as a job must be able to start on any idle unit", sizes[0]);
  }
  if (deadline !== undefined) checkMicroseconds(deadline, `${field}.deadline`);
  if (period !== undefined) checkMicroseconds(period, `${field}.period`);
  if (count !== undefined) checkInteger(count, `${field}.count`, 1, maxTasks);
  return { ...task, id, wcet, ...(sizes === undefined ? {} : { sizes: [...sizes] }) } as Task;
}

/** Checks a WCET table and returns a copy. Throws `input` that names `field[k]`. */
export function checkWcet(value: unknown, field: string): WcetTable {
  const given = checkRecord(value, field, "an object that maps numbers of units to microseconds");
  const table: Record<number, number> = {};
  for (const key of Object.keys(given)) {
    const k = Number(key);
    if (!(k >= 1 && k <= maxUnits && String(Math.floor(k)) === key))
      throw inputError(`${field}'s key`, `an integer from 1 to ${maxUnits}`, key);
    const microseconds = given[key];
    // A set may have millions of these, so field names are built only for invalid ones.
    if (!isMicroseconds(microseconds)) checkMicroseconds(microseconds, `${field}[${key}]`);
    table[k] = microseconds;
  }
  if (table[1] === undefined) throw inputError(`${field}[1]`, "given, as it is the WCET on a single unit", undefined);
  return table;
}

/** Throws `input` unless `sizes` are ascending integers from 1 to `units`, each with a WCET. 1 may be missing. */
export function checkSizes(sizes: unknown, field: string, wcet: WcetTable, units: number): asserts sizes is readonly number[] {
  if (!Array.isArray(sizes) || sizes.length < 1 || sizes.length > units) throw inputError(field, `a list of 1 to ${units} sizes`, sizes);
  for (let i = 0; i < sizes.length; i++) {
    checkInteger(sizes[i], `${field}[${i}]`, 1, units);
    if (i > 0 && sizes[i] <= sizes[i - 1]) throw inputError(`${field}[${i}]`, `above ${sizes[i - 1]}, as sizes must ascend`, sizes[i]);
    if (wcet[sizes[i]] === undefined) throw inputError(`${field}[${i}]`, "a size with a WCET", sizes[i]);
  }
}

function checkRecord(value: unknown, field: string, expected: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw inputError(field, expected, value);
  return value as Record<string, unknown>;
}

/** Throws `input` unless `value` is an integer from `least` to `most`. */
export function checkInteger(value: unknown, field: string, least: number, most: number): asserts value is number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > most)
    throw inputError(field, `an integer from ${least} to ${most}`, value);
}

/** Throws `input` unless `value` is a number from `least` to `most`. */
export function checkNumber(value: unknown, field: string, least: number, most: number): asserts value is number {
  if (typeof value !== "number" || !(value >= least && value <= most)) throw inputError(field, `a number from ${least} to ${most}`, value);
}

/** Throws `input` unless `value` is a valid ρ of Eq. 4. */
export function checkRho(value: unknown, field: string): asserts value is number {
  if (typeof value !== "number" || !Number.isFinite(value) || value < 1) throw inputError(field, "a finite number of at least 1", value);
}

/** Throws `input` unless `value` is a time above 0. */
export function checkMicroseconds(value: unknown, field: string): asserts value is number {
  if (!isMicroseconds(value)) throw inputError(field, `microseconds above 0 and at most ${maxMicroseconds}`, value);
}

const isMicroseconds = (value: unknown): value is number => typeof value === "number" && value > 0 && value <= maxMicroseconds;
