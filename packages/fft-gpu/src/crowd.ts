/**
 * How many workgroups of lines a core has at a time, which counts for as much as how long one takes: while some wait for memory or at a barrier, others
 * compute. Registers and workgroup memory limit it. Registers can't be asked for, but compilers give an invocation no more than leave room for as
 * many workgroups as the memory does.
 */

/** The largest number of values that one of `threads` invocations holds in any stage. */
export const valuesOf = (n: number, stages: readonly number[], threads: number): number =>
  Math.max(1, ...stages.map((r) => r * Math.ceil(n / r / threads)));

/** The registers of a core of an H200. */
export const coreRegisters = 65_536;
/**
 * Bytes of workgroup memory of all workgroups on a core at a time. An H200 gives no more to programs that use Vulkan, although it has 228 KiB. Other cards
 * were not measured.
 */
export const coreBytes = 49_152;
/**
 * Registers of an invocation besides those of its values: of transforms, of filters, and the fewest with which the driver's compiler managed. It did for 20
 * values by 400 invocations, and not for 24 by 384. If a workgroup is alone on a core, 24 in the first stages and 30 in the last went well by 750 invocations,
 * and 30 in all of them did not.
 */
const registersBesides = { transform: 40, filter: 56, fewest: 38, alone: 28, last: { barely: 16, amply: 20 } } as const;
/** The most values of invocations of which a core has two workgroups. */
export const mostValuesOfTwo = 32;
/** Invocations whose registers are allotted together. */
export const subgroup = 32;
/** The invocations that a workgroup of so many takes the registers and the turns of. */
export const allotted = (invocations: number): number => subgroup * Math.ceil(invocations / subgroup);

/**
 * How many workgroups a core's registers hold at a time, given the invocations of one and the values of each. Two are worth it even if compilers must then
 * manage with few registers: lines of 8192 points are 1.3 times as fast on an H200 with two as with one.
 */
export function groupsAtATime(invocations: number, values: number, filter: boolean): number {
  const groups = (besides: number): number => Math.floor(coreRegisters / (allotted(invocations) * (2 * values + besides)));
  const squeezed = values <= mostValuesOfTwo ? Math.min(2, groups(registersBesides.fewest)) : 1;
  return Math.max(1, squeezed, groups(filter ? registersBesides.filter : registersBesides.transform));
}

/** Whether a workgroup does not need more than a core's registers, given the values of an invocation before and in the last stage. */
export const fitsAlone = (invocations: number, values: number, last: number, how: "barely" | "amply" = "barely"): boolean =>
  coreRegisters / allotted(invocations) >= Math.max(2 * values + registersBesides.alone, 2 * last + registersBesides.last[how]);

/** Whether a workgroup takes so much of a core's memory that windows are worth their conditions and barriers. */
export const isLarge = (bytes: number): boolean => bytes > coreBytes / 3;

/** The numbers of windows in which a line may be exchanged. */
export const windowCounts = [1, 2] as const;

/**
 * Elements of a window, the last of which may have fewer, if a stage of radix `next` reads from the exchange. A window has whole groups of operands, and so of
 * results: all results of a butterfly are in the same window, and it is known in which one an operand is.
 */
export const windowElements = (n: number, windows: number, next?: number): number =>
  windows === 1 ? n : next === undefined ? Math.ceil(n / windows) : Math.ceil(next / windows) * (n / next);

/** Elements of the largest window of the exchanges between stages of these radices, in either direction. */
export const largestWindow = (n: number, windows: number, radices: readonly number[]): number =>
  Math.max(windowElements(n, windows), ...radices.map((r) => windowElements(n, windows, r)));

/** Exchanges of lines that are no powers of two need this much more memory than their numbers to be spread over the banks. */
export const leastRoom = 1.02;

/** The fewest windows with which so many workgroups with a line each fit into a core's memory. */
export const windowsFor = (n: number, stages: readonly number[], groups: number): number | undefined =>
  windowCounts.find((windows) => leastRoom * 4 * largestWindow(n, windows, stages) <= coreBytes / groups);

/** The values that an invocation holds at once. If only some invocations have another butterfly in the last stage, it is computed after the others. */
export const heldValues = (n: number, stages: readonly number[], threads: number): number => {
  const last = stages.at(-1) ?? 1;
  return Math.max(valuesOf(n, stages.slice(0, -1), threads), last * Math.max(1, Math.floor(n / last / threads)));
};

/** Whether n is a power of two. */
export const isPowerOfTwo = (n: number): boolean => Number.isInteger(Math.log2(n));

/** Adjacent lines of which a row of a tile fills 64 bytes. */
export const wideTile = 8;
