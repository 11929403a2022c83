/**
 * Programs: sequences of operations as plain data. A program names its inputs, its steps and its outputs. It knows no device; the same
 * program runs on any.
 *
 * `compile` plans every step on one device and allocates the temporaries. (`evaluate` in evaluate.ts also uploads and reads arrays.) Each
 * value of a program is written by one step. The exceptions are `update` ports and in-place steps, which change a value that exists.
 */

import { overlap, places } from "./array-state.ts";
import { fieldsOfRuns, isInOut, sharing } from "./bindings.ts";
import type { Bindings, Buffer, Device, Plan, PlanOptions, Run, RunOptions } from "./device.ts";
import { layoutError, RadarError, throwIfAborted } from "./errors.ts";
import { checkDevice, checkFields, checkNames, checkObject, type FieldsOf } from "./fields.ts";
import { fill } from "./fill.ts";
import { checkLayout, formatLayout, type Layout, sameLayout, type TypedArrayOf } from "./layout.ts";
import { callListener } from "./listener.ts";
import { addCosts, canOverwrite, portsOf, uniformsOf, validateOp } from "./op.ts";
import type { Cost } from "./ops/row.ts";
import type { Op } from "./ops/table.ts";
import { prepareRun } from "./prepare.ts";
import { allSettle } from "./settle.ts";

/** One operation of a program, and the values that its ports are bound to. */
export interface Step {
  /** Name for messages, progress and profiles. */
  readonly name: string;
  readonly op: Op;
  /** Name of the value at each port. */
  readonly bind: Readonly<Record<string, string>>;
  /** Whether `in` and `out` are bound to the same value, which the step overwrites. Default: false. */
  readonly inPlace?: boolean;
}

/** An array that belongs to a program, for example a filter or a table. */
export interface Constant {
  readonly layout: Layout;
  /** The values in row-major order; complex elements interleaved, real part first. */
  readonly data: TypedArrayOf;
}

/** Host arrays by name. */
export type Arrays = Readonly<Record<string, TypedArrayOf>>;

/** A sequence of operations on named arrays, as plain data. `program` builds one whose inputs and outputs are typed. */
export interface Program<Outputs extends Arrays = Arrays, Inputs extends Arrays = Arrays> {
  /** Name for messages. */
  readonly name: string;
  /** Layouts of the inputs, by name. */
  readonly inputs: Readonly<Record<string, Layout>>;
  /** Arrays that the program brings along. Default: none. */
  readonly constants?: Readonly<Record<string, Constant>>;
  /** The operations, in the order in which they run. */
  readonly steps: readonly Step[];
  /** Names of the values that a run returns. */
  readonly outputs: readonly string[];
  /** For the compiler only, always undefined: the types of the outputs, by which `evaluate` knows its result. */
  readonly outputTypes?: Outputs;
  /** For the compiler only, always undefined: the types of the inputs. */
  readonly inputTypes?: Inputs;
}

/** How far the run of a program is. */
export interface Progress {
  /** Name of the stage that begins now, or `done` at the end. */
  readonly stage: string;
  /** Number of stages that have finished. */
  readonly finished: number;
  /** Number of stages of the program. */
  readonly stages: number;
}

/** Options of one run of a program. */
export interface ProgramRunOptions extends RunOptions {
  /**
   * Called when a stage begins (which is when the one before it has finished) and at the end. If it returns a promise, the promise is
   * awaited before the next call and before `done` resolves. If it throws or its promise rejects, `done` rejects with `failed`, and the
   * error is its `cause`.
   */
  readonly onProgress?: (progress: Progress) => void;
}

/** A step of a compiled program, with its plan. */
export interface Stage {
  /** Name of the step. */
  readonly name: string;
  readonly plan: Plan;
  /** Name of the value at each port. */
  readonly bind: Readonly<Record<string, string>>;
}

/** A program that is planned on one device, with its temporaries allocated. It can run any number of times. */
export interface CompiledProgram extends Disposable {
  readonly program: Program;
  readonly stages: readonly Stage[];
  /** The plans of all stages as text. */
  readonly text: string;
  /** Predicted cost of one run. */
  readonly cost: Cost;
  /** Layouts of the inputs and outputs, by name. `run` must be given a buffer for each. */
  readonly layouts: Readonly<Record<string, Layout>>;
  /**
   * Queues all stages, in order. Work that is queued later runs after all of them. Throws `layout` or `disposed` if bindings, uniforms or
   * options are wrong, and has then queued nothing. If the signal fires before `done` has settled, `done` rejects with `aborted`. Stages
   * that have not begun then write nothing, and reads of the values that they should have written reject.
   */
  run(bindings: Bindings, options?: ProgramRunOptions): Run;
  /**
   * Queues one stage, for profiling and comparing. The stages before it must have run. `uniforms` may hold values for other stages too.
   */
  runStage(index: number, bindings: Bindings, options?: RunOptions): Run;
}

const fieldsOfSteps: FieldsOf<Step> = { name: "string", op: true, bind: "object", inPlace: "boolean" };
/** The fields of `ProgramRunOptions`, for checks. */
export const fieldsOfRunsOfPrograms: FieldsOf<ProgramRunOptions> = { ...fieldsOfRuns, onProgress: "function" };

/** A function that throws a `layout` error about the program. */
const failOf =
  ({ name }: Program) =>
  (message: string, fields: Record<string, unknown>): never => {
    throw new RadarError("layout", `program ${name}: ${message}`, { program: name, ...fields });
  };

/**
 * Checks a program and returns the layout of each of its values, by name. Throws `layout`, naming the step and the port, if the program
 * is not valid.
 */
export function valueLayouts(program: Program): Record<string, Layout> {
  checkObject(program, "program");
  if (typeof program.name !== "string") throw layoutError("program.name", "a string", program.name);
  checkObject(program.inputs, "inputs");
  checkObject(program.constants ?? {}, "constants");
  for (const field of ["steps", "outputs"] as const) {
    if (!Array.isArray(program[field]) || program[field].length === 0) throw layoutError(field, "a list of at least one", program[field]);
  }
  if (!program.outputs.every((name) => typeof name === "string")) throw layoutError("outputs", "a list of names", program.outputs);
  const fail = failOf(program);
  const layouts: Record<string, Layout> = Object.assign(Object.create(null), program.inputs);
  for (const name of Object.keys(layouts)) checkLayout(layouts[name], `inputs.${name}`);
  for (const [name, constant] of Object.entries(program.constants ?? {})) {
    if (layouts[name]) fail(`constant ${name} has the name of an input`, { value: name });
    checkObject(constant, `constants.${name}`);
    checkLayout(constant.layout, `constants.${name}.layout`);
    layouts[name] = constant.layout;
  }
  const constants = new Set(Object.keys(program.constants ?? {}));
  for (const [i, step] of program.steps.entries()) {
    checkFields(step, fieldsOfSteps, `steps[${i}]`, "layout");
    validateOp(step.op);
    checkObject(step.bind, "bind");
    const ports = portsOf(step.op);
    for (const port of Object.keys(step.bind))
      if (!Object.hasOwn(ports, port))
        fail(`step ${step.name} binds port ${port}, which ${step.op.op} does not have; it has ${Object.keys(ports).join(", ")}`, {
          step: step.name,
          port,
        });
    const written: [string, Layout][] = [];
    for (const [port, { access, layout }] of Object.entries(ports)) {
      const wrong = (what: string, value?: string): never =>
        fail(`step ${step.name} ${what}`, { step: step.name, port, ...(value !== undefined && { value }) });
      const value = step.bind[port];
      if (typeof value !== "string") return wrong(`does not bind port ${port} to a name`);
      const known = layouts[value];
      if (access !== "read" && constants.has(value)) wrong(`writes ${value}, which is a constant`, value);
      const overwrites = step.inPlace === true && port === "out" && value === step.bind["in"];
      if (access === "write" && !overwrites) {
        if (known || written.some(([other]) => other === value)) wrong(`writes ${value}, which exists already`, value);
        written.push([value, layout]);
      } else if (!known) {
        wrong(`reads ${value}, which no earlier step has written`, value);
      } else if (!sameLayout(known, layout)) {
        wrong(`binds ${value}, ${formatLayout(known)}, to port ${port}, which takes ${formatLayout(layout)}`, value);
      }
    }
    for (const [value, layout] of written) layouts[value] = layout;
  }
  for (const name of program.outputs) {
    if (!layouts[name] || constants.has(name)) fail(`output ${name} is never written`, { value: name });
  }
  return layouts;
}

/**
 * Plans all steps of a program on `device` at once, and allocates its constants and temporaries. Temporaries of one layout share memory if they
 * are not needed at the same time.
 *
 * With `inPlace`, a run may bind one buffer to the program's input `in` and its output `out`. Rejects with `layout` if the program is not
 * valid, and with what `device.plan` and `device.alloc` reject or throw with. Nothing stays allocated then.
 */
export async function compile(program: Program, device: Device, options: PlanOptions = {}): Promise<CompiledProgram> {
  checkDevice(device);
  checkObject(options, "options");
  if (!options.inPlace) return compileApart(program, device, options, false);
  return { ...(await compileApart(forOneBuffer(program), device, { ...options, inPlace: false }, true)), program };
}

/** `compile` of a program in which no two values are one buffer, unless `inPlace` says that `in` and `out` may be. */
async function compileApart(program: Program, device: Device, options: PlanOptions, inPlace: boolean): Promise<CompiledProgram> {
  const layouts = valueLayouts(program);
  const outer = new Set([...Object.keys(program.inputs), ...program.outputs]);
  const owned: Disposable[] = [];
  const inner = new Map<string, Buffer>();
  const dispose = (): void => {
    for (const item of owned.splice(0).reverse()) item[Symbol.dispose]();
  };
  try {
    for (const [name, constant] of Object.entries(program.constants ?? {})) {
      const buffer = device.alloc(constant.layout, `${program.name}.${name}`);
      owned.push(buffer);
      fill(buffer, constant.data);
      inner.set(name, buffer);
    }
    const plans = await plansOf(program, device, options);
    owned.push(...plans);
    const lastUse = new Map<string, number>();
    program.steps.forEach((step, i) => {
      for (const value of Object.values(step.bind)) lastUse.set(value, i);
    });
    const free = new Map<string, Buffer[]>();
    const stages: Stage[] = [];
    for (const [i, step] of program.steps.entries()) {
      stages.push({ name: step.name, plan: plans[i], bind: step.bind });
      for (const value of Object.values(step.bind)) {
        if (outer.has(value) || inner.has(value)) continue;
        const reused = free.get(formatLayout(layouts[value]))?.pop();
        const buffer = reused ?? device.alloc(layouts[value], `${program.name}.${value}`);
        if (!reused) owned.push(buffer);
        inner.set(value, buffer);
      }
      for (const value of new Set(Object.values(step.bind))) {
        const buffer = inner.get(value);
        if (!buffer || lastUse.get(value) !== i || program.constants?.[value]) continue;
        const key = formatLayout(layouts[value]);
        free.set(key, [...(free.get(key) ?? []), buffer]);
      }
    }
    return assemble(program, stages, inner, layouts, outer, inPlace, dispose);
  } catch (error) {
    dispose();
    throw error;
  }
}

/** Plans all steps at once, so that a device compiles their kernels side by side. Of several errors, that of the first step is thrown. */
async function plansOf(program: Program, device: Device, options: PlanOptions): Promise<readonly Plan[]> {
  const plan = (step: Step): Promise<Plan> => device.plan(step.op, { ...options, inPlace: step.inPlace ?? false });
  const settled = await Promise.allSettled(program.steps.map(plan));
  const failed = settled.find((one) => one.status === "rejected");
  const plans = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  if (!failed) return plans;
  for (const one of plans) one[Symbol.dispose]();
  throw failed.reason;
}

/** Makes the compiled program of planned stages. */
function assemble(
  program: Program,
  stages: readonly Stage[],
  inner: ReadonlyMap<string, Buffer>,
  layouts: Readonly<Record<string, Layout>>,
  outer: ReadonlySet<string>,
  inPlace: boolean,
  dispose: () => void,
): CompiledProgram {
  const fail = failOf(program);
  const written = new Set(
    stages.flatMap(({ plan, bind }) =>
      Object.entries(portsOf(plan.op)).flatMap(([port, { access }]) => (access === "read" ? [] : [bind[port]])),
    ),
  );
  /** Throws `layout` if a value that a stage writes shares memory with another value. */
  const checkShared = (bindings: Bindings): void => {
    const sharers = new Map<object, string[]>();
    for (const a of outer) {
      const array = places.get(bindings[a])?.array;
      if (!array) continue;
      const others = sharers.get(array) ?? [];
      for (const b of others) {
        const common = (written.has(a) || written.has(b)) && overlap(bindings[a], bindings[b]);
        if (common && !(inPlace && common === "all" && isInOut(a, b))) fail(`${b} and ${a} are bound to ${sharing(common)}`, { value: a });
      }
      others.push(a);
      sharers.set(array, others);
    }
  };
  const ends = Object.fromEntries([...outer].map((name) => [name, layouts[name]]));
  const known = Object.assign({}, ...stages.map(({ plan }) => uniformsOf(plan.op)));
  const checkGiven = (bindings: Bindings, { uniforms = {} }: RunOptions): void => {
    checkNames(bindings, ends, "value", "bindings");
    checkNames(uniforms, known, "uniform", "uniforms");
  };
  const prepareStage = (stage: Stage, bindings: Bindings, options: RunOptions): (() => Run) => {
    const { uniforms = {}, ...rest } = options;
    const bound = Object.entries(stage.bind).map(([port, value]) => {
      const buffer = inner.get(value) ?? bindings[value];
      if (!buffer?.layout) return fail(`${value} is not bound to a buffer`, { value });
      return [port, buffer] as const;
    });
    const wanted = Object.keys(uniformsOf(stage.plan.op)).filter((name) => Object.hasOwn(uniforms, name));
    return prepareRun(stage.plan, Object.fromEntries(bound), {
      ...rest,
      uniforms: Object.fromEntries(wanted.map((name) => [name, uniforms[name]])),
    });
  };
  /** Calls `onProgress` as the stages of a run finish. */
  const follow = async (
    runs: readonly Promise<void>[],
    signal: AbortSignal | undefined,
    onProgress: NonNullable<ProgramRunOptions["onProgress"]>,
  ): Promise<void> => {
    const report = (stage: string, finished: number): Promise<void> =>
      callListener(() => onProgress({ stage, finished, stages: stages.length }), "onProgress", signal, program.name);
    for (const [i, run] of runs.entries()) {
      await report(stages[i].name, i);
      await run;
    }
    await report("done", stages.length);
  };
  const start = (bindings: Bindings, given: ProgramRunOptions): Promise<void> => {
    checkFields(given, fieldsOfRunsOfPrograms, "options of a run", "layout");
    const { onProgress, ...options } = given;
    // Devices finish the stages of a run one by one if it has a signal. Progress needs that, so such runs always get one.
    const paced = onProgress ? { signal: new AbortController().signal, ...options } : options;
    checkGiven(bindings, options);
    checkShared(bindings);
    const queue = stages.map((stage) => prepareStage(stage, bindings, paced));
    const runs = queue.map((begin) => begin().done);
    const followed = onProgress && follow(runs, options.signal, onProgress);
    return allSettle(followed ? [...runs, followed] : runs).then(() => throwIfAborted(options.signal, program.name));
  };
  return {
    program,
    stages,
    layouts: ends,
    text: `(${program.name} ${stages.map((s) => s.plan.text).join(" ")})`,
    cost: addCosts(stages.map((s) => s.plan.cost)),
    runStage(index, bindings, options = {}) {
      checkFields(options, fieldsOfRuns, "options of a run", "layout");
      if (!Number.isInteger(index) || !stages[index]) throw layoutError("index", `an integer from 0 to ${stages.length - 1}`, index);
      checkGiven(bindings, options);
      checkShared(bindings);
      return prepareStage(stages[index], bindings, options)();
    },
    run(bindings, options = {}) {
      const done = start(bindings, options);
      done.catch(() => {});
      return { done };
    },
    [Symbol.dispose]: dispose,
  };
}

/** Changes a program so that `in` and `out` may be one buffer: no step may read `in` after a step has written `out`. */
function forOneBuffer(program: Program): Program {
  const first = program.steps.findIndex((step) => Object.values(step.bind).includes("out"));
  if (first < 0 || !program.inputs["in"]) {
    return failOf(program)("inPlace needs an input in and a step that writes out", { field: "inPlace" });
  }
  const { op, bind } = program.steps[first];
  const inPlace = readsInput(program.steps[first]);
  if (program.steps.slice(first + 1).some(readsInput) || (inPlace && !overwritesInput(op, bind))) return withCopy(program);
  return { ...program, steps: program.steps.map((step, i) => (i === first && inPlace ? { ...step, inPlace: true } : step)) };
}

const readsInput = ({ bind }: Step): boolean => Object.values(bind).includes("in");

/** Whether a step reads `in` only at its port `in`, writes `out` at its port `out`, and may do so if both are one buffer. */
function overwritesInput(op: Op, bind: Readonly<Record<string, string>>): boolean {
  const { in: input, out: output } = portsOf(op);
  const onlyThere = bind["in"] === "in" && bind["out"] === "out" && Object.values(bind).filter((value) => value === "in").length === 1;
  return onlyThere && input !== undefined && output !== undefined && sameLayout(input.layout, output.layout) && canOverwrite(op);
}

/** The program with its result in a temporary, which a last step copies to `out`. */
function withCopy(program: Program): Program {
  const layout = valueLayouts(program)["out"];
  const rename = (value: string): string => (value === "out" ? "out beside" : value);
  const steps = program.steps.map(
    (step): Step => ({ ...step, bind: Object.fromEntries(Object.entries(step.bind).map(([port, value]) => [port, rename(value)])) }),
  );
  return {
    ...program,
    steps: [...steps, { name: "copy", op: { op: "convert", layout, to: layout.dtype }, bind: { in: "out beside", out: "out" } }],
  };
}
