/**
 * What a device knows about arrays and their parts: where a part is, whether it was disposed of, and which work has written it. Work that
 * failed makes later reads of the elements fail that it should have written.
 */
import type { Buffer } from "./device.ts";
import { RadarError } from "./errors.ts";
import type { Outcome } from "./taint.ts";

/** Where a buffer's elements are: from element `start` of an array on. */
export interface Place {
  readonly array: object;
  readonly start: number;
  readonly count: number;
}

/** The places of all buffers. */
export const places = new WeakMap<Buffer, Place>();

/** Whether two buffers have elements in common: "all" if all of them. */
export function overlap(a: Buffer, b: Buffer): "all" | boolean {
  const [x, y] = [places.get(a), places.get(b)];
  if (!x || x.array !== y?.array) return false;
  return x.start === y.start && x.count === y.count ? "all" : x.start < y.start + y.count && y.start < x.start + x.count;
}

/** Work that wrote elements `start` to `end` − 1 of an array, which has not finished or has failed. */
interface Writing {
  readonly start: number;
  readonly end: number;
  readonly outcome: Outcome;
}

/** What a device knows about the memory of one array. */
export interface ArrayState {
  readonly label: string;
  /** Number of unfinished reads and runs that use the array. */
  pending: number;
  disposed: boolean;
  freed: boolean;
  /** What was queued for the array and is not known to have succeeded. A read keeps the outcomes that it saw when it was queued. */
  writings: readonly Writing[];
}

/** What a device knows about one of its buffers, which is an array or a part of one. */
export interface BufferState<S> extends Place {
  readonly array: ArrayState;
  readonly storage: S;
  readonly label: string;
  /** Whether this buffer was disposed of. Its array lives on if it is a part. */
  disposed: boolean;
}

/** The outcomes of what was queued for elements `start` to `end` − 1 of an array. */
export const outcomesOf = ({ writings }: ArrayState, start: number, end: number): Outcome[] =>
  writings.filter((one) => one.start < end && start < one.end).map(({ outcome }) => outcome);

/**
 * Notes that work was queued that writes elements `start` to `end` − 1, or that it was done at once, without an outcome. What was noted
 * before then holds for the other elements only.
 */
export function noteWriting(array: ArrayState, start: number, end: number, outcome?: Outcome): void {
  array.writings = array.writings.flatMap((one) =>
    [
      { ...one, end: Math.min(one.end, start) },
      { ...one, start: Math.max(one.start, end) },
    ].filter((rest) => rest.start < rest.end),
  );
  if (!outcome) return;
  array.writings = [...array.writings, { start, end, outcome }];
  outcome.then((failure) => {
    if (!failure) array.writings = array.writings.filter((one) => one.outcome !== outcome);
  });
}

/** Throws `disposed` if the array was disposed of, or this part of it. `where` is text for the message. */
export function assertAlive({ array, label, disposed }: BufferState<unknown>, where = "", fields = {}): void {
  const gone = array.disposed ? array.label : disposed ? label : undefined;
  if (gone !== undefined) throw new RadarError("disposed", `buffer ${gone}${where} was disposed`, { ...fields, buffer: gone });
}
