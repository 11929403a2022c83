/**
 * The plans of a device: how a rule is chosen for an op, what is checked before a run is queued, and how the failure of a run reaches the
 * readers of its outputs (taint.ts).
 */
import { type BufferState, noteWriting, outcomesOf } from "./array-state.ts";
import {
  type CheckedBinding,
  checkArray,
  checkBindings,
  checkSignal,
  checkUniforms,
  checkUnits,
  fieldsOfPlans,
  fieldsOfRuns,
} from "./bindings.ts";
import type { Buffers, MemoryMeter } from "./buffers.ts";
import type { Bindings, Device, Plan, PlanOptions, Run, RunOptions } from "./device.ts";
import type { BodyRunOptions, Driver, PlanBody, Rule, RuleContext, Storage } from "./driver.ts";
import { RadarError, throwIfAborted } from "./errors.ts";
import { checkFields } from "./fields.ts";
import { asHostError } from "./host-memory.ts";
import { sameLayout } from "./layout.ts";
import { lower } from "./lower.ts";
import { canOverwrite, formatOp, hasExpression, isTransform, portsOf, transformLength, uniformsOf, validateOp } from "./op.ts";
import type { Op } from "./ops/table.ts";
import { checkLength } from "./ops/transform.ts";
import { createPause, type Pause } from "./pause.ts";
import { setPreparation } from "./prepare.ts";
import { compile } from "./program.ts";
import { firstFailure, outcomeOf } from "./taint.ts";

/** The plans of one device. */
export interface Plans {
  /** Plans that have not been disposed of. */
  readonly live: ReadonlySet<Plan>;
  /** Outcomes of the runs that have not finished. */
  readonly running: ReadonlySet<Promise<unknown>>;
  /** Implements `Device.plan`. */
  plan(device: Device, op: Op, options?: PlanOptions): Promise<Plan>;
}

type FullOptions = RuleContext["options"];

/** The fields of a plan that its implementation provides. */
type PlanFacts = Pick<Plan, "text" | "cost" | "convolved" | "offUnits">;

/** The implementation of a plan: a rule's body or a compiled lowering. */
interface Executable<S> extends Disposable {
  readonly facts: PlanFacts;
  run(bound: readonly CheckedBinding<BufferState<S>>[], options: BodyRunOptions): Promise<void>;
}

/** Makes the plans of a device. `assertOpen` must throw if the device was disposed of or is lost. */
export function createPlans<S extends Storage>(driver: Driver<S>, buffers: Buffers<S>, meter: MemoryMeter, assertOpen: () => void): Plans {
  const live = new Set<Plan>();
  const running = new Set<Promise<unknown>>();

  async function plan(device: Device, given: Op, options: PlanOptions = {}): Promise<Plan> {
    assertOpen();
    validateOp(given);
    checkFields(options, fieldsOfPlans, "options of a plan", "layout");
    const { signal, variant } = options;
    checkSignal(signal);
    checkVariant(variant, driver);
    const pauseOfWork = createPause("planning", signal);
    const pause: Pause = () => {
      assertOpen();
      return pauseOfWork();
    };
    const settled: FullOptions = {
      fuse: options.fuse ?? true,
      inPlace: options.inPlace ?? false,
      ...(variant !== undefined && { variant }),
    };
    checkPlannable(given, settled, driver);
    throwIfAborted(signal, "planning");
    const op = hasExpression(given) ? await codeOf(given) : given;
    const context: RuleContext = { device, options: settled, pause, ...(signal && { signal }) };
    for (const rule of driver.rules) {
      if (rule.fused && !settled.fuse) continue;
      const body = await tryRule(rule, op, context);
      if (body === undefined) continue;
      // The rule may not have checked the signal since it fired.
      if (signal?.aborted) body.dispose?.();
      throwIfAborted(signal, "planning");
      return makePlan(given, settled, executableOfBody(body, meter));
    }
    return makePlan(given, settled, await executableOfLowering(given, settled, device, signal));
  }

  /**
   * Makes the plan that users hold. It checks and queues runs, and keeps buffers and the implementation alive until every run has
   * finished.
   */
  function makePlan(op: Op, options: FullOptions, executable: Executable<S>): Plan {
    const { facts } = executable;
    const ports = portsOf(op);
    const uniformTypes = uniformsOf(op);
    let disposed = false;
    let pending = 0;
    const release = (): void => {
      if (disposed && pending === 0) executable[Symbol.dispose]();
    };
    try {
      assertOpen();
    } catch (error) {
      executable[Symbol.dispose]();
      throw error;
    }
    /** Checks the arguments of a run. Returns a function that queues it. */
    const prepare = (bindings: Bindings, given: RunOptions) => {
      if (disposed) throw new RadarError("disposed", `plan ${facts.text} was disposed`, { plan: facts.text });
      assertOpen();
      checkFields(given, fieldsOfRuns, "options of a run", "layout");
      const { signal } = given;
      checkSignal(signal);
      const units = checkUnits(given, driver.units);
      const uniforms = checkUniforms(uniformTypes, given.uniforms);
      const bound = checkBindings(ports, bindings, options.inPlace, buffers.states);
      return (): Run => {
        // If an earlier run failed to write an input, this run fails with the same error.
        const inputs = bound.flatMap(([name, , { array, start, count }]) =>
          ports[name].access === "write" ? [] : outcomesOf(array, start, start + count),
        );
        for (const [, , { array }] of bound) array.pending += 1;
        pending += 1;
        const outcomeOfRun = outcomeOf(facts.text, () => executable.run(bound, { uniforms, units, ...(signal && { signal }) }));
        const outcome = firstFailure([outcomeOfRun, ...inputs]).then((failure) => {
          for (const [, , { array }] of bound) {
            array.pending -= 1;
            buffers.release(array);
          }
          pending -= 1;
          release();
          return failure;
        });
        running.add(outcome);
        outcome.then(() => running.delete(outcome));
        for (const [name, , { array, start, count }] of bound)
          if (ports[name].access !== "read") noteWriting(array, start, start + count, outcome);
        const done = outcome.then((failure) => {
          if (failure) throw failure;
        });
        done.catch(() => {});
        return { done };
      };
    };
    const result: Plan = {
      op,
      ...facts,
      run: (bindings, runOptions = {}) => prepare(bindings, runOptions)(),
      [Symbol.dispose]() {
        if (disposed) return;
        disposed = true;
        live.delete(result);
        release();
      },
    };
    setPreparation(result, prepare);
    live.add(result);
    return result;
  }

  return { live, running, plan };
}

/** Throws `unsupported`, `limit` or `layout` if the device's limits or the options rule the op out. */
function checkVariant(variant: string | undefined, { id, variants = [] }: Driver<Storage>): void {
  if (variant === undefined || variants.includes(variant)) return;
  const known = variants.length > 0 ? `its variants are ${variants.join(", ")}` : "it was opened without variants";
  throw new RadarError("unsupported", `device ${id} has no variant ${variant}; ${known}`, { field: "variant", device: id, variant });
}

function checkPlannable(op: Op, { inPlace }: FullOptions, driver: Driver<Storage>): void {
  const ports = portsOf(op);
  for (const [name, port] of Object.entries(ports)) checkArray(port.layout, name, driver);
  if (isTransform(op)) checkLength(transformLength(op), driver.limits.maxTransformLength, ` on device ${driver.id}`);
  if (!inPlace) return;
  const { in: input, out } = ports;
  if (!(input && out && sameLayout(input.layout, out.layout)))
    throw new RadarError("layout", `inPlace needs ports in and out of one layout: ${formatOp(op)}`, { field: "inPlace" });
  const adds = op.op !== "kernel" && out.access === "update";
  if (!adds && canOverwrite(op)) return;
  const why = adds ? "adds to out, which can't be its input" : "may read elements that it has overwritten";
  throw new RadarError("layout", `inPlace needs an elementwise op: ${formatOp(op)} ${why}`, { field: "inPlace" });
}

/** The op with code in place of its expressions. */
async function codeOf(op: Op): Promise<Op> {
  try {
    return await (await import("./expression/forms.ts")).planned(op);
  } catch (error) {
    throw asHostError(error, `the code of ${formatOp(op)}`);
  }
}

async function tryRule<S extends Storage>(rule: Rule<S>, op: Op, context: RuleContext): Promise<PlanBody<S> | undefined> {
  try {
    return await rule.try(op, context);
  } catch (error) {
    throw asHostError(error, formatOp(op));
  }
}

/** A rule's body as an executable. */
function executableOfBody<S extends Storage>(body: PlanBody<S>, meter: MemoryMeter): Executable<S> {
  const { text, cost, convolved, offUnits, temporaryBytes = 0 } = body;
  meter.add(temporaryBytes);
  return {
    facts: { text, cost, ...(convolved && { convolved }), ...(offUnits && { offUnits }) },
    run: (bound, options) => body.run(Object.fromEntries(bound.map(([name, , { storage }]) => [name, storage])), options),
    [Symbol.dispose]() {
      meter.add(-temporaryBytes);
      body.dispose?.();
    },
  };
}

/** The op's lowering, compiled. Throws `unsupported` if the op can't be lowered. */
async function executableOfLowering<S extends Storage>(
  op: Op,
  options: FullOptions,
  device: Device,
  signal: AbortSignal | undefined,
): Promise<Executable<S>> {
  const program = lower(op) ?? (await import("./expression/forms.ts")).lowerReduction(op);
  if (!program) throw new RadarError("unsupported", `device ${device.id} can't do ${formatOp(op)}`, { device: device.id, op: op.op });
  const compiled = await compile(program, device, { ...options, ...(signal && { signal }) });
  const anyStage = (fact: "convolved" | "offUnits") => compiled.stages.some(({ plan }) => plan[fact]) && ({ [fact]: true } as const);
  return {
    facts: { text: `(${op.op}/lowered ${compiled.text})`, cost: compiled.cost, ...anyStage("convolved"), ...anyStage("offUnits") },
    run: (bound, run) => compiled.run(Object.fromEntries(bound), run).done,
    [Symbol.dispose]: () => compiled[Symbol.dispose](),
  };
}
