/**
 * Makes the blocks of a plan one after the other: reads their lines, computes and measures on the device, and writes the image. Reading the
 * next block and writing the last one take place while the device computes.
 */
import { type Buffer, compile, type Device, inputError, throwIfAborted } from "@dechirp/core";
import { asRadarError } from "@dechirp/core/backend";
import { isArrayOf, runAbortable, unlessAborted } from "@dechirp/core/internal";
import type { ImageWindow } from "@dechirp/radar";
import { type BlockPlan, type BlockProgram, blockProgramSteps, type ImageBlock, type ImageGeometry } from "@dechirp/sar";
import type { PartSink } from "../part-sink.ts";
import type { StripmapRecording } from "../recording.ts";
import { begun, resultOf, type Settled } from "../settled.ts";
import type { StageReport } from "../used.ts";
import { createDeviceMeasures, type Measures } from "./block-measures.ts";
import { allocateSamples, type BlockArrays, createReader } from "./block-reader.ts";

import type { Prepared } from "./prepare.ts";
import { measuring } from "./theory.ts";

/** What is done for a block: reading its lines, computing, measuring its part of the image on the device, and writing it. */
export type BlockActivity = "read" | "compute" | "measure" | "write";

/** What is made of what. */
export interface BlockRun {
  readonly recording: StripmapRecording;
  /** Where the recording is, for messages. */
  readonly where: string;
  readonly device: Device;
  readonly params: Prepared["params"];
  readonly geometry: ImageGeometry;
  readonly plan: BlockPlan;
  /** Default: the image is not written. */
  readonly sink: PartSink | undefined;
  /** Default: nothing is measured. */
  readonly measures: Measures | undefined;
  readonly signal: AbortSignal | undefined;
}

/** What is told while blocks are made. */
export interface BlockHooks {
  readonly onBlock: (done: number, samplesPerSecond: number) => void;
  /** Does a piece of work and tells when. */
  timed<T>(activity: BlockActivity, block: number, work: () => T | Promise<T>): Promise<T>;
}

/** What is known when all blocks are made. */
export interface MadeBlocks {
  /** Blocks that the sink had already. */
  readonly resumed: number;
  readonly stages: readonly StageReport[];
}

/** Milliseconds that sinks and recordings have to stop after a signal has fired. */
const patience = 500;

/** Makes all blocks of a plan. */
export async function makeBlocks(run: BlockRun, { onBlock, timed }: BlockHooks): Promise<MadeBlocks> {
  const { recording, where, device, params, geometry, plan, sink, measures, signal } = run;
  const on = signal ? { signal } : {};
  const programs = new Map<number, BlockProgram>();
  const programOf = async (swath: number): Promise<BlockProgram> => {
    const known = programs.get(swath);
    if (known) return known;
    const made = await runAbortable(signal, "focus", blockProgramSteps(params, geometry, plan, swath));
    programs.set(swath, made);
    return made;
  };
  using arrays = allocateSamples(device, recording, plan);
  const readSamples = createReader(recording, where, plan, arrays.raw, signal);
  const done = plan.blocks.map(({ window }) => sink?.has?.(window) === true);
  const start = performance.now();
  /** Begins to read the first block from `i` on that is not done. The device must have read the samples of the block before. */
  const readFrom = (i: number): Promise<Settled<Float32Array>> | undefined => {
    const next = done.indexOf(false, i);
    return next < 0 ? undefined : begun(timed("read", next, () => readSamples(plan.blocks[next])));
  };
  let nextRead = readFrom(0);
  /** Samples of the recording for each pixel of the image. */
  const samplesPerPixel = (params.lines * params.samples) / (geometry.rows * geometry.cells);
  let [pixels, resumed, swath] = [0, 0, -1];
  /** Measuring and writing the last block. Never rejects. */
  let output: Promise<Settled<void>> = Promise.resolve({ value: undefined });
  const settled = async (): Promise<void> => {
    // A sink that does not heed the signal is not waited for.
    const result = await unlessAborted(output, signal);
    throwIfAborted(signal, "focus");
    if (result && "error" in result) throw asRadarError(result.error, "sink.write");
  };
  let stages: readonly StageReport[] = [];
  try {
    const first = await programOf(0);
    const block = arrays.arraysOf(first);
    using compiled = await compile(first.program, device, on);
    using sums = measures && (await createDeviceMeasures(device, block.image, measures, signal));
    const milliseconds = compiled.stages.map(() => 0);
    /** The last stage that needs the samples of a block. */
    const lastReader = Math.max(...compiled.stages.map(({ bind }, i) => (Object.values(bind).includes("raw") ? i : 0)));
    for (const [i, one] of plan.blocks.entries()) {
      throwIfAborted(signal, "focus");
      if (done[i]) {
        // The image of the block before is replaced.
        await settled();
        await timed("read", i, () => restore(run, one, block));
        resumed += 1;
      } else {
        const gains = resultOf(await nextRead!);
        nextRead = undefined;
        block.buffers["lineGain"]?.write(gains);
        if (one.swath !== swath) {
          const { tables } = await programOf(one.swath);
          block.writeTables(tables);
          swath = one.swath;
        }
        for (const [stage, { name }] of compiled.stages.entries()) {
          // The last stage overwrites the image of the block before.
          if (stage === compiled.stages.length - 1) await settled();
          const began = performance.now();
          await timed("compute", i, () => compiled.runStage(stage, block.buffers, on).done);
          milliseconds[stage] += performance.now() - began;
          throwIfAborted(signal, name);
          if (stage === lastReader) nextRead = readFrom(i + 1);
        }
        pixels += one.window.rows * one.window.columns;
      }
      const given = done[i] ? undefined : begun(give(run, one, block.image, (work) => timed("write", i, work)));
      const measured = sums && begun(timed("measure", i, () => sums.add(one.window, one.from)));
      output = Promise.all([measured, given]).then((all) => all.find((one) => one && "error" in one) ?? { value: undefined });
      if (!nextRead) await settled();
      onBlock(i + 1, (pixels * samplesPerPixel) / ((performance.now() - start) / 1000));
    }
    await settled();
    stages = compiled.stages.map(({ name, plan: { text } }, i) => ({ name, milliseconds: Math.round(10 * milliseconds[i]) / 10, text }));
  } finally {
    // Nothing should use the arrays after they are freed. What does not heed the signal is not waited for.
    const ending = Promise.all([output, nextRead]);
    await (signal?.aborted
      ? Promise.race([ending, new Promise((resolve) => setTimeout(resolve, patience))])
      : unlessAborted(ending, signal));
  }
  return { resumed, stages };
}

/** Bytes of a part that is written at once. */
const partBytes = 2 ** 23;

/** The parts of a window: whole rows of it. */
function partsOf({ row, rows, column, columns }: ImageWindow): readonly ImageWindow[] {
  const most = Math.max(1, Math.floor(partBytes / (8 * columns)));
  const parts: ImageWindow[] = [];
  for (let from = 0; from < rows; from += most) parts.push({ row: row + from, rows: Math.min(most, rows - from), column, columns });
  return parts;
}

/** Gives the pixels of a part to what measures point targets, if it has any of theirs. */
async function collect({ measures, signal }: BlockRun, part: ImageWindow, data: Float32Array): Promise<void> {
  const { targets } = measures ?? {};
  if (targets?.needs(part)) await runAbortable(signal, measuring, targets.addSteps(part, data));
}

/** Reads the image of a block that the sink has, and writes it to the array of images, where it is measured like others. */
async function restore(run: BlockRun, { window, from }: ImageBlock, { image }: BlockArrays): Promise<void> {
  const { sink, signal } = run;
  const [, columns] = image.layout.shape;
  for (const part of partsOf(window)) {
    if (!sink?.read) throw inputError("sink.read", "a function, as the sink has parts of an earlier run", undefined);
    const data = await sink.read(part, signal ? { signal } : {});
    if (!isArrayOf(data, Float32Array)) throw inputError("sink.read", "a function that resolves with a Float32Array", data);
    const length = 2 * part.rows * part.columns;
    if (data.length !== length) throw inputError("sink.read", `a function that resolves with ${length} numbers`, data.length);
    await collect(run, part, data);
    const at = (from[0] + part.row - window.row) * columns + from[1];
    if (part.columns === columns) image.write(data, at);
    else
      for (let row = 0; row < part.rows; row++)
        image.write(data.subarray(2 * row * part.columns, 2 * (row + 1) * part.columns), at + row * columns);
  }
}

/** Parts that are read from the device at the same time. One is being written, and the others wait for it. */
const partsAtOnce = 3;

/** Writes the window of a block. Parts are read from the device while others are being written. */
async function give(
  run: BlockRun,
  { window, from }: ImageBlock,
  image: Buffer,
  timed: <T>(work: () => T | Promise<T>) => Promise<T>,
): Promise<void> {
  const { sink, measures, signal } = run;
  const [, columns] = image.layout.shape;
  const isWhole = from[1] === 0 && window.columns === columns;
  let failed = false;
  /** Ends when the part before is written. Sinks get one part at a time. */
  let before: Promise<unknown> = Promise.resolve();
  const write = async (part: ImageWindow, data: Float32Array, mayBegin: Promise<unknown>): Promise<void> => {
    await mayBegin;
    if (!failed) await timed(() => sink?.write(part, data, signal ? { signal } : {}));
  };
  const one = (part: ImageWindow): Promise<void> => {
    const { row, rows } = part;
    return image.borrow({ start: (from[0] + row - window.row) * columns, count: rows * columns }, async (numbers) => {
      const data = isWhole ? (numbers as Float32Array) : columnsOf(numbers as Float32Array, rows, columns, from[1], window.columns);
      const writing = write(part, data, before);
      before = writing.catch(() => {
        failed = true;
      });
      // Both are awaited, so that nothing reads the image any more after an error.
      for (const one of await Promise.allSettled([writing, collect(run, part, data)])) if (one.status === "rejected") throw one.reason;
    });
  };
  const parts = sink ? partsOf(window) : partsOf(window).filter((part) => measures?.targets.needs(part));
  let next = 0;
  const turns = Array.from({ length: partsAtOnce }, async () => {
    while (next < parts.length && !failed) {
      try {
        await one(parts[next++]);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  });
  for (const one of await Promise.allSettled(turns)) if (one.status === "rejected") throw one.reason;
}

function columnsOf(data: Float32Array, rows: number, columns: number, first: number, count: number): Float32Array {
  const out = new Float32Array(2 * rows * count);
  for (let row = 0; row < rows; row++) {
    const at = 2 * (row * columns + first);
    out.set(data.subarray(at, at + 2 * count), 2 * row * count);
  }
  return out;
}
