/**
 * Decides which tasks a dispatch of slots takes together. Tasks with equal layout and direction form a class. A kernel has one or more
 * ports for each of its classes, as many as the device can bind; any task of the class can use them. Pure functions, without queues or
 * devices.
 */
import { byteLength, type DeviceLimits } from "@dechirp/core";
import { grantSize } from "../permitted.ts";
import type { SlotPort, SlotRange } from "./slots-kernel.ts";

/** The kernels for a set of tasks, and how many jobs each dispatch is sure to take. */
export interface Gangs {
  /** For each kernel, the class of each of its ports. */
  readonly kernels: readonly (readonly number[])[];
  /** c: a dispatch takes at least this many jobs from the front of the queue, or all if there are fewer. */
  readonly admitted: number;
}

/** The number of bindings of a kernel, and the bytes of each. */
type ArrayLimit = NonNullable<DeviceLimits["kernelArrays"]>;

/** The limit for devices that state none. */
const unlimited: ArrayLimit = { count: 64, bytes: Number.POSITIVE_INFINITY };

/**
 * Plans the kernels for classes with `members` tasks each. If possible, one kernel has a port for every task; else one kernel has ports
 * for every class, the class with the fewest ports growing first; else there are several kernels, each for some of the classes. Returns
 * `tooLarge`, the index of the class, if a port does not fit into any kernel.
 */
export function planGangs(
  classes: readonly { readonly port: SlotPort; readonly members: number }[],
  slots: number,
  limit: ArrayLimit = unlimited,
): Gangs | { readonly tooLarge: number } {
  const costs = classes.map(({ port }) => Math.max(1, Math.ceil(byteLength(port.layout) / limit.bytes)));
  const tooLarge = costs.findIndex((cost) => cost > limit.count);
  if (tooLarge >= 0) return { tooLarge };
  const groups: number[][] = [[]];
  let used = 0;
  costs.forEach((cost, k) => {
    if (used + cost > limit.count) {
      groups.push([]);
      used = 0;
    }
    groups.at(-1)?.push(k);
    used += cost;
  });
  const kernels = groups.map((group) => {
    const ports = [...group];
    let room = limit.count - group.reduce((sum, k) => sum + costs[k], 0);
    const held = (k: number): number => ports.filter((other) => other === k).length;
    for (;;) {
      const growing = group.filter((k) => held(k) < classes[k].members && costs[k] <= room).sort((a, b) => held(a) - held(b));
      if (growing.length === 0) return ports.sort((a, b) => a - b);
      ports.push(growing[0]);
      room -= costs[growing[0]];
    }
  });
  // Some kernel takes the first job of the queue, but the next job may be of a class that this kernel lacks.
  if (kernels.length > 1) return { kernels, admitted: 1 };
  const ports = (k: number): number => kernels[0].filter((other) => other === k).length;
  const scarce = classes.flatMap(({ members }, k) => (ports(k) < members ? [ports(k)] : []));
  return { kernels, admitted: Math.min(slots, kernels[0].length, ...scarce) };
}

/** What a job requires of a dispatch. */
export interface Applicant {
  readonly class: number;
  /** S, ascending. */
  readonly sizes: readonly number[];
  /** Number of lines. Slots beyond this number would have nothing to do. */
  readonly lines: number;
  /** The work of a line, in a unit that is the same for all jobs. */
  readonly lineWork: number;
}

/** The port and the slots of a job in a dispatch. */
export interface Admission extends SlotRange {
  readonly port: number;
}

/**
 * Chooses the dispatch for a queue: the kernel that takes the most jobs from its front, and the slots of each job. All jobs of a dispatch
 * end together with the last one, so slots are shared by work. Every job gets its share, but at least one slot. The remaining slots go,
 * one permitted size after another, to the job with the most work per slot that can still grow.
 */
export function admit(
  queue: readonly Applicant[],
  kernels: Gangs["kernels"],
  slots: number,
): { readonly kernel: number; readonly admissions: readonly Admission[] } {
  const fronts = kernels.map((ports) => frontOf(queue, ports, slots));
  const kernel = fronts.reduce((best, front, i) => (front.length > fronts[best].length ? i : best), 0);
  const ports = fronts[kernel];
  const counts = shareOut(queue.slice(0, ports.length), slots);
  let first = 0;
  const admissions = ports.map((port, i): Admission => {
    first += counts[i];
    return { port, first: first - counts[i], count: counts[i] };
  });
  return { kernel, admissions };
}

function shareOut(gang: readonly Applicant[], slots: number): readonly number[] {
  const works = gang.map(({ lines, lineWork }) => lines * lineWork);
  /** The work per slot if the jobs that deserve less than one whole slot are left out. */
  let [all, shared] = [works.reduce((sum, work) => sum + work, 0), slots];
  for (const work of [...works].sort((a, b) => a - b)) {
    if (work * shared >= all * (1 - 1e-9)) break;
    all -= work;
    shared--;
  }
  const counts = gang.map(({ sizes, lines }, i) => grantSize(sizes, Math.min(lines, Math.max(1, Math.floor((shared * works[i]) / all)))));
  let left = slots - counts.reduce((sum, count) => sum + count, 0);
  for (;;) {
    let most = -1;
    let grown = 0;
    for (const [i, { sizes, lines }] of gang.entries()) {
      if (most >= 0 && works[i] / counts[i] <= works[most] / counts[most]) continue;
      const next = sizes.find((k) => k > counts[i]);
      if (next === undefined || next > lines || next - counts[i] > left) continue;
      most = i;
      grown = next;
    }
    if (most < 0) return counts;
    left -= grown - counts[most];
    counts[most] = grown;
  }
}

/** The ports for jobs from the front of the queue, up to the first job without a free port. */
function frontOf(queue: readonly Applicant[], ports: readonly number[], slots: number): readonly number[] {
  const taken = new Set<number>();
  for (const job of queue) {
    if (taken.size === slots) break;
    const port = ports.findIndex((k, i) => k === job.class && !taken.has(i));
    if (port < 0) break;
    taken.add(port);
  }
  return [...taken];
}
