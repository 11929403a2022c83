/** Measures the wall-clock times of the parts of a run. */

/** A part of a run and its wall-clock time. */
export interface Timing {
  readonly name: string;
  readonly milliseconds: number;
}

/** Records the times of the parts of a run. */
export interface Clock {
  /** The parts in the order in which they ended. */
  readonly timings: readonly Timing[];
  /** Runs `work` and records its time under `name`. Records nothing if it throws. */
  time<T>(name: string, work: () => T | Promise<T>): Promise<T>;
  /** Records a time that was measured elsewhere. */
  note(name: string, milliseconds: number): void;
}

/** Creates a clock without recorded times. */
export function createClock(): Clock {
  const timings: Timing[] = [];
  const note = (name: string, milliseconds: number): void => void timings.push({ name, milliseconds: round(milliseconds) });
  return {
    timings,
    note,
    async time(name, work) {
      const start = performance.now();
      const result = await work();
      note(name, performance.now() - start);
      return result;
    },
  };
}

/** Rounds to a tenth of a millisecond: further digits are noise. */
const round = (milliseconds: number): number => Math.round(10 * milliseconds) / 10;
