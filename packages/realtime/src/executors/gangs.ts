/**
 * Which tasks a dispatch of slots can take together. Tasks with equal arrays are one class; a kernel has a number of ports for each of
 * its classes, as many as a device lets it bind, and any tasks of those classes take them. Data alone, nothing of queues or devices.
 */
import { byteLength, type DeviceLimits } from "@dechirp/core";
import { grantSize } from "../permitted.ts";
import type { SlotPort, SlotRange } from "./slots-kernel.ts";

export interface Gangs {
  /** One for every kernel: the class of each of its ports. */
  readonly kernels: readonly (readonly number[])[];
  /** c: so many jobs from the front of the queue a dispatch takes at least, where there are as many. */
  readonly admitted: number;
}

/** Bindings that a port takes, and how many a kernel has. */
type ArrayLimit = NonNullable<DeviceLimits["kernelArrays"]>;

/** Enough, where a device names no limit. */
const unlimited: ArrayLimit = { count: 64, bytes: Number.POSITIVE_INFINITY };

/**
 * Kernels for classes of which there are `members` tasks each: one with a port for every task where they fit; one with ports for every
 * class, the scarcest first, where those do; else several, each with some of the classes. Nothing where a port fits into none: its
 * class is told.
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
  // Whichever job is first, one kernel takes it; the next may be of a class that this one has not.
  if (kernels.length > 1) return { kernels, admitted: 1 };
  const ports = (k: number): number => kernels[0].filter((other) => other === k).length;
  const scarce = classes.flatMap(({ members }, k) => (ports(k) < members ? [ports(k)] : []));
  return { kernels, admitted: Math.min(slots, kernels[0].length, ...scarce) };
}

/** What a job asks of a dispatch. */
export interface Applicant {
  readonly class: number;
  /** S, ascending. */
  readonly sizes: readonly number[];
  /** Lines: more slots than these have nothing to do. */
  readonly lines: number;
  /** What a line takes, in a measure that is the same for all. */
  readonly lineWork: number;
}

/** A job's place in a dispatch. */
export interface Admission extends SlotRange {
  readonly port: number;
}

/**
 * The dispatch for a queue: the kernel that takes the longest piece of its front, and what each of these jobs gets. All of them
 * end with the last, so slots are shared out by work: every job has its share, one at least; with what is left, whoever has
 * most to do on each of its slots grows as long as somebody can.
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
  /** What a slot should have: of those jobs that would have a whole slot or more. */
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

/** Ports for jobs from the front of the queue, up to the first that finds none. */
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
