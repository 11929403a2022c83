/**
 * Slots of a GPU: when the device is free, one dispatch takes jobs from the front of the queue and divides its workgroups among them. A
 * unit is a slot, which is one workgroup of that dispatch. The driver decides on which processor a workgroup runs and beside which others.
 * All jobs of a dispatch finish together; a job that arrives meanwhile waits for the end of the dispatch.
 *
 * Tasks must be in-place transforms of c64 lines along the last axis, of a length that one workgroup can transform. Ports without a job
 * are bound to spare arrays of the executor, so that a dispatch neither waits for nor affects arrays that it does not process. On a CPU
 * device the kernel runs by its reference, which is correct but slow.
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
  /** Workgroups of a dispatch, 1 to 4096. Default: 32. */
  readonly slots?: number;
}

/** An executor that runs several jobs in one dispatch. */
export interface SlotsExecutor extends Executor {
  /** c of `slotBound`: a dispatch takes at least this many jobs from the front of the queue, or all if there are fewer. */
  readonly admitted: number;
}

/** The figures that `slotBound` computes from. */
export interface SlotsFigures {
  /** 𝒩: the number of tasks. */
  readonly tasks: number;
  /** c: `admitted` of the executor. */
  readonly admitted: number;
  /** C: the longest time of any dispatch, in microseconds, from queueing until the host knows that it has finished. */
  readonly dispatch: number;
}

/**
 * Upper bounds of a job, in microseconds: it waits at most w = ⌈(𝒩 − 1)/c⌉·C and takes at most w + C.
 *
 * Proof. A job is requested at t. Only the jobs ahead of it are served before it, since dispatches take the queue from its front; each
 * takes at least c jobs, or all. With a jobs ahead it is therefore in the ⌈(a + 1)/c⌉-th dispatch from t on, and each dispatch before that
 * one takes at most C, one directly after the other. If the device is free at t, a ≤ 𝒩 − 1, as each other task requests at most one job
 * at that moment, and w ≤ (⌈𝒩/c⌉ − 1)·C ≤ ⌈(𝒩 − 1)/c⌉·C. If it is not free, the dispatch in flight ends within C. It contains the only
 * job of at least one other task, so a ≤ 𝒩 − 2, and w ≤ C + (⌈(𝒩 − 1)/c⌉ − 1)·C. The job's own dispatch takes at most C more. ∎
 *
 * The bound is as good as C. A measured C is the largest observed value with a margin and no guarantee. Throws `input`.
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
  /** The approximate number of operations of a line. */
  readonly lineWork: number;
}

interface SlotsKernel {
  readonly plan: Plan;
  /** The executor's spare array for each port. */
  readonly spare: readonly Buffer[];
}

interface Waiting {
  readonly job: Job;
  /** Stops listening to the job's signal. */
  readonly stopListening: () => void;
}

/** A job in a dispatch. */
interface Member {
  readonly job: Job;
  readonly admission: Admission;
  readonly units: readonly number[];
}

/**
 * Plans the kernels and creates the executor. Throws `input` for invalid tasks; `unsupported`, naming the task, if a task is not such a
 * transform or is too long for a workgroup; and as `device.plan` and `device.alloc` do.
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
  if ("tooLarge" in gangs) throw unsupported(nameOf(gangs.tooLarge), "its array is larger than a kernel of the device can bind");
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
      if (refused !== undefined) throw unsupported(nameOf(refused), "a workgroup of the device can not transform lines of that length");
      for (const k of ports) spare.push(device.alloc(classes[k].port.layout, "spare array of a port"));
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

  /** Starts dispatches while there are jobs and the device is free. A dispatch that is refused ends at once, so there may be several. */
  const serve = (): void => {
    starting = false;
    if (serving) return;
    serving = true;
    while (!busy && queue.length > 0) {
      const applicants = queue.map(({ job }) => ({ ...taskOf(job), sizes: job.task.sizes }));
      const { kernel, admissions } = admit(applicants, gangs.kernels, slots);
      const gang = queue.splice(0, admissions.length).map(({ job, stopListening }, i) => {
        stopListening();
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
    const stopListening = onAbort(signal, () => {
      queue.splice(queue.indexOf(waiting), 1);
      job.settle(new RadarError("aborted", `a job of ${task.id} was aborted`, { task: task.id }, signal?.reason));
    });
    const waiting: Waiting = { job, stopListening };
    queue.push(waiting);
    // Waits for the end of the current turn, so that jobs that are submitted together share a dispatch.
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
      for (const { job, stopListening } of queue.splice(0)) {
        stopListening();
        job.settle(new RadarError("disposed", `the executor was disposed while ${job.task.id} waited`, { task: job.task.id }));
      }
      if (!busy) dispose();
    },
  };
}

/** Overwrites the arrays that a failed run should have written, as they can not be read until they are written again. */
function renew(arrays: readonly Buffer[]): void {
  try {
    for (const array of arrays) array.write(typedArray(array.layout.dtype, scalarCount(array.layout)));
  } catch {
    // The device is gone. The next dispatch reports that.
  }
}

interface SlotClass {
  readonly port: SlotPort;
  members: number;
}

const unsupported = (id: string, why: string): RadarError =>
  new RadarError("unsupported", `task ${id} can not run in slots: ${why}`, { task: id });

/** Returns the array of every task, and the classes of tasks that the same ports can serve. */
function sortTasks(given: readonly ExecutableTask[]): { readonly tasks: readonly SlotTask[]; readonly classes: readonly SlotClass[] } {
  const classes: SlotClass[] = [];
  const owners = new Map<Buffer, string>();
  const tasks = given.map(({ id, runs }): SlotTask => {
    const { plan, bindings } = runs[0];
    const op = runs.length === 1 && plan.op.op === "fft" ? plan.op : undefined;
    if (!op || !isPlain(op)) throw unsupported(id, "it is not a single transform of c64 lines along the last axis without hooks");
    const array = bindings["in"];
    if (array !== bindings["out"]) throw unsupported(id, "it is not an in-place transform");
    const owner = owners.get(array);
    if (owner !== undefined) throw unsupported(id, `${owner} uses the same array`);
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
