/** The words that `assembly/long.ts` reads, by name. */

/** One of the passes, as what is done to columns. */
export interface LongPass {
  /** Of columns, as the kernels know it. */
  readonly plan: number;
  /** Columns of a line, of a tile, and tiles of a line. */
  readonly columns: number;
  readonly tileColumns: number;
  readonly tiles: number;
  /** Turns along a column where tiles are mirrored, else 0. */
  readonly turns: number;
}

export interface LongTask {
  readonly pass: "first" | "second";
  readonly first: LongPass;
  readonly second: LongPass;
  readonly source: number;
  readonly sourceLine: number;
  readonly target: number;
  readonly targetLine: number;
  readonly between: number;
  readonly betweenLine: number;
  readonly levels: number;
  readonly levelsLine: number;
  readonly work: number;
  readonly workPitch: number;
  readonly tile: number;
  readonly otherTile: number;
  readonly nowhere: number;
  readonly columnTurns: number;
  readonly factors: number;
}

export const longTaskBytes = 104;

/** What the kernels know the passes by, among the ways of `lines-task.ts`. */
const ways = { first: 4, second: 5 } as const;

export function writeLongTask(memory: WebAssembly.Memory, address: number, t: LongTask): void {
  const { first, second } = t;
  new Uint32Array(memory.buffer, address, longTaskBytes / 4).set([
    ways[t.pass],
    first.plan,
    t.source,
    t.sourceLine,
    t.target,
    t.targetLine,
    second.plan,
    t.between,
    t.work,
    t.workPitch,
    t.betweenLine,
    t.levels,
    t.levelsLine,
    first.columns,
    first.tileColumns,
    first.tiles,
    second.columns,
    second.tileColumns,
    second.tiles,
    t.tile,
    t.otherTile,
    t.nowhere,
    first.turns,
    t.columnTurns,
    second.turns,
    t.factors,
  ]);
}
