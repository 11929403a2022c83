/** Named wall-clock times of the parts of a run. */

/** A part of a run and the wall-clock time that it took. */
export interface Timing {
  readonly name: string;
  readonly milliseconds: number;
}

/** Notes the times of the parts of a run. */
export interface Clock {
  /** Parts in the order in which they ended. */
  readonly timings: readonly Timing[];
  /** Runs `work` and notes its time under `name`; nothing is noted where it throws. */
  time<T>(name: string, work: () => T | Promise<T>): Promise<T>;
  /** Notes a time that somebody else has measured. */
  note(name: string, milliseconds: number): void;
}

/** A clock without times. */
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

/** To a tenth of a millisecond: more is noise. */
const round = (milliseconds: number): number => Math.round(10 * milliseconds) / 10;
