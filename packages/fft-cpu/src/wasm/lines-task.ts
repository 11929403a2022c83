/** The words that `assembly/task.ts` reads, by name. */

export interface LinesTask {
  readonly columns: boolean;
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
  readonly inners: number;
  readonly tileColumns: number;
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
}

export const linesTaskBytes = 112;

export function writeLinesTask(memory: WebAssembly.Memory, address: number, t: LinesTask): void {
  new Uint32Array(memory.buffer, address, linesTaskBytes / 4).set([
    t.columns ? 1 : 0,
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
    t.inners,
    t.tileColumns,
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
  ]);
}
