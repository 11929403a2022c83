/**
 * Time slots of a GPU: whenever the device is free, one dispatch takes jobs from the front of the queue and divides its workgroups
 * among them. A unit is a slot, a workgroup of that dispatch, and nothing else: which processor a workgroup runs on, and beside whom, is
 * the driver's to decide. All jobs of a dispatch finish together, and who comes while it runs waits for its end.
 *
 * Tasks are transforms of c64 lines along the last axis, in place, of lengths that a workgroup can do. A port of the kernel that no job
 * has is bound to an array of the executor's own, so that nothing is waited for, or broken, that a dispatch does not work on. On a
 * CPU device the kernel runs by its reference: right, and slow.
 */

import {
  type Buffer,
  type Device,
  type Fft,
  inputError,
  type Layout,
  type Plan,
  RadarError,
  sameLayout,
  scalarCount,
  typedArray,
} from "@dechirp/core";
import { asRadarError } from "@dechirp/core/backend";
import { checkFields, onAbort } from "@dechirp/core/internal";
import { checkInteger, maxUnits } from "../validate.ts";
import type { ExecutableTask, Executor } from "./executor.ts";
import { type Admission, admit, planGangs } from "./gangs.ts";
import { checkDevice, createJobs, type Job, notOwned, runAll } from "./jobs.ts";
import { createOwnership } from "./ownership.ts";
import { portName, type SlotPort, slotsKernel, slotUniforms } from "./slots-kernel.ts";

/** Options of `gpuSlots`. */
export interface SlotsOptions {
  /** Workgroups of a dispatch, 1 to 4096. 32 where left out. */
  readonly slots?: number;
}

export interface SlotsExecutor extends Executor {
  /** c of `slotBound`: so many jobs from the front of the queue a dispatch takes at least, where there are as many. */
  readonly admitted: number;
}

/** What the bound of tasks on slots is computed from. */
export interface SlotsFigures {
  /** 𝒩. */
  readonly tasks: number;
  /** c: `admitted` of the executor. */
  readonly admitted: number;
  /** C: microseconds that any dispatch takes at most, from its being queued until the host knows that it has finished. */
  readonly dispatch: number;
}

/**
 * What a job waits, and takes, at most: w = ⌈(𝒩 − 1)/c⌉·C and w + C, in microseconds.
 *
 * Proof. A job asks at t. It is served after those ahead of it and no others, since dispatches take the queue from its front; each takes
 * at least c of it, or all. With a jobs ahead it is therefore in the ⌈(a + 1)/c⌉-th dispatch from t on, and each of those before that
 * one takes at most C, one directly after the other. If the device is free at t, a ≤ 𝒩 − 1, one job of each other task asking at
 * that moment, and w ≤ (⌈𝒩/c⌉ − 1)·C ≤ ⌈(𝒩 − 1)/c⌉·C. If not, the dispatch in flight ends within C; it has at least one other task's
 * only job, so that a ≤ 𝒩 − 2, and w ≤ C + (⌈(𝒩 − 1)/c⌉ − 1)·C. The job's own dispatch takes at most C more. ∎
 *
 * It holds where C does: measured, it is a largest observed value with a margin and no guarantee. Throws `input`.
 */
export function slotBound({ tasks, admitted, dispatch }: SlotsFigures): { readonly wait: number; readonly response: number } {
  for (const [field, value] of Object.entries({ tasks, admitted }))
    if (!(Number.isInteger(value) && value > 0)) throw inputError(field, "a positive integer", value);
  if (!(dispatch > 0 && Number.isFinite(dispatch))) throw inputError("dispatch", "a positive number", dispatch);
  const wait = Math.ceil((tasks - 1) / admitted) * dispatch;
  return { wait, response: wait + dispatch };
}

interface SlotTask {
  readonly array: Buffer;
  readonly class: number;
  readonly lines: number;
  /** Operations of a line, about. */
  readonly lineWork: number;
}

interface SlotsKernel {
  readonly plan: Plan;
  /** The executor's own array for each port. */
  readonly spare: readonly Buffer[];
}

interface Waiting {
  readonly job: Job;
  /** Ends listening to the job's signal. */
  readonly deaf: () => void;
}

/** A job in a dispatch. */
interface Member {
  readonly job: Job;
  readonly admission: Admission;
  readonly units: readonly number[];
}

/**
 * Plans the kernels. Throws `input` for unsound tasks, `unsupported`, naming the task, for one that is no such transform or too long for
 * a workgroup, and as `device.plan` and `device.alloc` do.
 */
export async function gpuSlots(device: Device, given: readonly ExecutableTask[], options: SlotsOptions = {}): Promise<SlotsExecutor> {
  checkDevice(device);
  checkFields(options, { slots: true }, "options of gpuSlots");
  const { slots = 32 } = options;
  checkInteger(slots, "slots", 1, maxUnits);
  const ownership = createOwnership(slots);
  const jobs = createJobs(given, slots, ownership);
  const { tasks, classes } = sortTasks(given);
  const gangs = planGangs(classes, slots, device.limits.kernelArrays);
  const nameOf = (k: number): string => given[tasks.findIndex((task) => task.class === k)].id;
  if ("tooLarge" in gangs) throw unsupported(nameOf(gangs.tooLarge), "its array is more than a kernel of the device may bind");
  const kernels: SlotsKernel[] = [];
  const dispose = (): void => {
    for (const { plan, spare } of kernels) for (const held of [plan, ...spare]) held[Symbol.dispose]();
  };
  try {
    for (const ports of gangs.kernels) {
      const spare: Buffer[] = [];
      let refused: number | undefined;
      const kernel = slotsKernel(
        ports.map((k) => classes[k].port),
        slots,
        (port) => {
          refused ??= ports[port];
        },
      );
      const plan = await device.plan(kernel);
      kernels.push({ plan, spare });
      if (refused !== undefined) throw unsupported(nameOf(refused), "a workgroup of the device has no transform of that length");
      for (const k of ports) spare.push(device.alloc(classes[k].port.layout, "nobody's slots"));
    }
  } catch (error) {
    dispose();
    throw error;
  }

  const queue: Waiting[] = [];
  let busy = false;
  let starting = false;
  let serving = false;
  let disposed = false;

  const taskOf = ({ task }: Job): SlotTask => tasks[task.number - 1];

  /** Dispatches for as long as there are jobs and the device is free: one that is refused ends at once. */
  const serve = (): void => {
    starting = false;
    if (serving) return;
    serving = true;
    while (!busy && queue.length > 0) {
      const applicants = queue.map(({ job }) => ({ ...taskOf(job), sizes: job.task.sizes }));
      const { kernel, admissions } = admit(applicants, gangs.kernels, slots);
      const gang = queue.splice(0, admissions.length).map(({ job, deaf }, i) => {
        deaf();
        const { first, count } = admissions[i];
        return { job, admission: admissions[i], units: Array.from({ length: count }, (_, slot) => first + slot) };
      });
      busy = true;
      dispatch(kernels[kernel], gang);
    }
    serving = false;
    if (disposed && !busy) dispose();
  };

  const dispatch = ({ plan, spare }: SlotsKernel, gang: readonly Member[]): void => {
    const byPort = new Map(gang.map((member) => [member.admission.port, member]));
    const bindings = Object.fromEntries(
      spare.map((own, port) => {
        const member = byPort.get(port);
        return [portName(port), member ? taskOf(member.job).array : own];
      }),
    );
    const uniforms = slotUniforms(spare.length, (port) => byPort.get(port)?.admission);
    for (const { job, units } of gang) job.granted(units);
    const taken = gang.map(({ job, units }) => ownership.take(units, job.task.number));
    runAll([{ plan, bindings, uniforms }], { typed: (error) => asRadarError(error, "a dispatch of slots") }, (failure) => {
      const sound = gang.map(({ job, units }, i) => taken[i] && ownership.give(units, job.task.number));
      for (const { job } of gang) job.finished();
      if (failure !== undefined) renew(spare);
      busy = false;
      serve();
      gang.forEach(({ job, units }, i) => {
        job.settle(failure ?? (sound[i] ? undefined : notOwned(job.task.id, units)));
      });
    });
  };

  const enqueue = (job: Job): void => {
    const { signal, task } = job;
    const deaf = onAbort(signal, () => {
      queue.splice(queue.indexOf(waiting), 1);
      job.settle(new RadarError("aborted", `a job of ${task.id} was aborted`, { task: task.id }, signal?.reason));
    });
    const waiting: Waiting = { job, deaf };
    queue.push(waiting);
    // Who asks in the same turn goes together.
    if (busy || starting) return;
    starting = true;
    queueMicrotask(serve);
  };

  return {
    kind: "gpu-slots",
    units: slots,
    admitted: gangs.admitted,
    tasks: jobs.tasks.map(({ id }) => id),
    submit: (task, submitOptions) => jobs.submit(task, submitOptions, enqueue),
    idle: jobs.idle,
    get counts() {
      return jobs.counts;
    },
    [Symbol.dispose]() {
      if (disposed) return;
      disposed = true;
      jobs.close();
      for (const { job, deaf } of queue.splice(0)) {
        deaf();
        job.settle(new RadarError("disposed", `the executor was disposed while ${job.task.id} waited`, { task: job.task.id }));
      }
      if (!busy) dispose();
    },
  };
}

/** What a failed run was to write can not be read any more until it is written. */
function renew(arrays: readonly Buffer[]): void {
  try {
    for (const array of arrays) array.write(typedArray(array.layout.dtype, scalarCount(array.layout)));
  } catch {
    // Of a device that is gone; the next dispatch says so.
  }
}

interface SlotClass {
  readonly port: SlotPort;
  members: number;
}

const unsupported = (id: string, why: string): RadarError =>
  new RadarError("unsupported", `task ${id} can not run in slots: ${why}`, { task: id });

/** Every task's array, and classes of tasks that a port fits alike. */
function sortTasks(given: readonly ExecutableTask[]): { readonly tasks: readonly SlotTask[]; readonly classes: readonly SlotClass[] } {
  const classes: SlotClass[] = [];
  const owners = new Map<Buffer, string>();
  const tasks = given.map(({ id, runs }): SlotTask => {
    const { plan, bindings } = runs[0];
    const op = runs.length === 1 && plan.op.op === "fft" ? plan.op : undefined;
    if (!op || !isPlain(op)) throw unsupported(id, "it is not one transform of c64 lines along the last axis, without hooks");
    const array = bindings["in"];
    if (array !== bindings["out"]) throw unsupported(id, "it is not in place");
    const owner = owners.get(array);
    if (owner !== undefined) throw unsupported(id, `${owner} has the same array`);
    owners.set(array, id);
    const port: SlotPort = { layout: op.layout as Layout<"c64">, inverse: op.inverse };
    const same = ({ port: other }: SlotClass): boolean => other.inverse === port.inverse && sameLayout(other.layout, port.layout);
    let k = classes.findIndex(same);
    if (k < 0) k = classes.push({ port, members: 0 }) - 1;
    classes[k].members++;
    const n = op.layout.shape[op.axis];
    return { array, class: k, lines: op.layout.shape.slice(0, -1).reduce((a, b) => a * b, 1), lineWork: n * Math.log2(2 * n) };
  });
  return { tasks, classes };
}

function isPlain(op: Fft): boolean {
  const n = op.layout.shape.at(-1);
  return (
    op.layout.dtype === "c64" &&
    op.axis === op.layout.shape.length - 1 &&
    (op.n ?? n) === n &&
    !(op.keep || op.cornerTurn || op.load || op.store)
  );
}
