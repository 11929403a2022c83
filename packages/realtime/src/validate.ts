/**
 * The one door for task sets: anything, such as a parsed tasks.json, becomes a `TaskSet` that the rest may trust, or an `input` error
 * that names the field by its path. Hand-written rather than by a schema, as most rules tie two fields together. It computes no bound.
 */
import { inputError } from "@dechirp/core";
import type { Task, TaskSet, WcetTable } from "./model.ts";

/** Largest ℋ, and largest size in a WCET table. */
export const maxUnits = 4096;
/** Most tasks of a set, copies counted. */
export const maxTasks = 10_000;
/** Longest time: 10¹⁵ µs, 31 years. Sums of these stay far from overflow. */
export const maxMicroseconds = 1e15;
/** Longest id. */
const maxIdLength = 200;

/**
 * `value` as a task set, copied; throws `input` with fields `{ field, expected, actual }`, where `field` is a path such as
 * `tasks[2].wcet[4]`. Units: 1 to 4096. ρ: finite, at least 1. Tasks: 1 to 10,000, copies counted, with unique names that are not empty;
 * the copies of a task with a `count` are named as `taskCopies` says, and these names are unique, too. WCETs: by size, 1 among them,
 * above 0; sizes beyond the units are allowed and of no use, as in a table from a larger device. `sizes`: ascending, 1 among them, each
 * with a WCET, none beyond the units. Deadline and period: above 0. Keys that are none of the model's stay as they are.
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
  // Not entries(): a hole in a sparse array is a task that is missing.
  for (let i = 0; i < tasks.length; i++) {
    const task = checkTask(tasks[i], `tasks[${i}]`, units);
    if (names.size + (task.count ?? 1) > maxTasks)
      throw inputError(`tasks[${i}].count`, `such that the set has at most ${maxTasks} tasks`, task.count ?? 1);
    for (const name of copyNames(task)) {
      if (names.has(name)) throw inputError(`tasks[${i}].id`, "unique, also among the names of copies", name);
      names.add(name);
    }
    checked.push(task);
  }
  return { ...set, units, tasks: checked } as TaskSet;
}

/** A copy of a task: its name and which entry of `tasks` it comes from. */
export interface TaskCopy {
  readonly id: string;
  /** Index into `tasks`. */
  readonly entry: number;
}

/** The tasks of a set one by one: `fft` as it is, with a count of 3 as `fft/1`, `fft/2` and `fft/3`. The set is checked. */
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
    if (sizes[0] !== 1) throw inputError(`${field}.sizes[0]`, "1: a job must be able to begin on any idle unit", sizes[0]);
  }
  if (deadline !== undefined) checkMicroseconds(deadline, `${field}.deadline`);
  if (period !== undefined) checkMicroseconds(period, `${field}.period`);
  if (count !== undefined) checkInteger(count, `${field}.count`, 1, maxTasks);
  return { ...task, id, wcet, ...(sizes === undefined ? {} : { sizes: [...sizes] }) } as Task;
}

/** A WCET table, copied. Throws `input` naming `field[k]`. */
export function checkWcet(value: unknown, field: string): WcetTable {
  const given = checkRecord(value, field, "an object of microseconds by number of units");
  const table: Record<number, number> = {};
  for (const key of Object.keys(given)) {
    const k = Number(key);
    if (!(k >= 1 && k <= maxUnits && String(Math.floor(k)) === key))
      throw inputError(`${field}'s key`, `an integer from 1 to ${maxUnits}`, key);
    const microseconds = given[key];
    // A set may have millions of these, so that their names are put together for bad ones alone.
    if (!isMicroseconds(microseconds)) checkMicroseconds(microseconds, `${field}[${key}]`);
    table[k] = microseconds;
  }
  if (table[1] === undefined) throw inputError(`${field}[1]`, "given: the WCET on a single unit", undefined);
  return table;
}

/** Throws `input` unless `sizes` ascend from 1 to `units`, each with a WCET; 1 may be missing. */
export function checkSizes(sizes: unknown, field: string, wcet: WcetTable, units: number): asserts sizes is readonly number[] {
  if (!Array.isArray(sizes) || sizes.length < 1 || sizes.length > units) throw inputError(field, `a list of 1 to ${units} sizes`, sizes);
  for (let i = 0; i < sizes.length; i++) {
    checkInteger(sizes[i], `${field}[${i}]`, 1, units);
    if (i > 0 && sizes[i] <= sizes[i - 1]) throw inputError(`${field}[${i}]`, `above ${sizes[i - 1]}, as sizes ascend`, sizes[i]);
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

/** Throws `input` unless `value` may be a ρ of Eq. 4. */
export function checkRho(value: unknown, field: string): asserts value is number {
  if (typeof value !== "number" || !Number.isFinite(value) || value < 1) throw inputError(field, "a finite number of at least 1", value);
}

/** Throws `input` unless `value` is a time above 0. */
export function checkMicroseconds(value: unknown, field: string): asserts value is number {
  if (!isMicroseconds(value)) throw inputError(field, `microseconds above 0 and at most ${maxMicroseconds}`, value);
}

const isMicroseconds = (value: unknown): value is number => typeof value === "number" && value > 0 && value <= maxMicroseconds;
