/** The words that `assembly/task.ts` reads, by name. */

/** What an item is: a row, a tile of columns, or a tile of either whose results are turned. */
export const lineWays = { rows: 0, columns: 1, "turned rows": 2, "turned columns": 3 } as const;

export interface LinesTask {
  readonly way: keyof typeof lineWays;
  readonly plan: number;
  readonly source: number;
  readonly sourcePitch: number;
  readonly target: number;
  readonly targetPitch: number;
  readonly filter: number;
  readonly filterPitch: number;
  readonly work: number;
  readonly workPitch: number;
  readonly sourceOuter: number;
  readonly targetOuter: number;
  readonly filterOuter: number;
  readonly adjacent: number;
  readonly tileLines: number;
  readonly tiles: number;
  readonly loadHook: number;
  readonly loadArgument: number;
  readonly loaded: number;
  readonly loadedPitch: number;
  readonly storeHook: number;
  readonly storeArgument: number;
  readonly results: number;
  readonly resultsPitch: number;
  readonly loadedCount: number;
  readonly storedCount: number;
  readonly elementIn: number;
  readonly elementOut: number;
  readonly tile: number;
  readonly tilePitch: number;
}

export const linesTaskBytes = 120;

export function writeLinesTask(memory: WebAssembly.Memory, address: number, t: LinesTask): void {
  new Uint32Array(memory.buffer, address, linesTaskBytes / 4).set([
    lineWays[t.way],
    t.plan,
    t.source,
    t.sourcePitch,
    t.target,
    t.targetPitch,
    t.filter,
    t.filterPitch,
    t.work,
    t.workPitch,
    t.sourceOuter,
    t.targetOuter,
    t.filterOuter,
    t.adjacent,
    t.tileLines,
    t.tiles,
    t.loadHook,
    t.loadArgument,
    t.loaded,
    t.loadedPitch,
    t.storeHook,
    t.storeArgument,
    t.results,
    t.resultsPitch,
    t.loadedCount,
    t.storedCount,
    t.elementIn,
    t.elementOut,
    t.tile,
    t.tilePitch,
  ]);
}
