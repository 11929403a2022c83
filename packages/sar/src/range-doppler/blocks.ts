/**
 * Range-Doppler images that are made block by block, so that memory does not limit their size. A block takes a fixed number of lines and
 * of range samples, and gives the rows and columns whose targets it holds in full. Neighbouring blocks overlap by the synthetic aperture at
 * far range along azimuth, and by the pulse and the range migration along range. Samples outside the recording count as zero. All
 * blocks have the same size, so one program focuses them all; only the tables of sub-swaths differ.
 *
 * Rows and columns of blocks lie on those of the whole image, which `imageGeometry` describes. As the azimuth response fades out within
 * `fadingRows` (azimuth.ts), blocks that leave out as many rows at both ends equal the whole image but for rounding, if the processed band is
 * narrower than the PRF. If it is not, the response has weak tails of any length, and blocks cut them off.
 */
import { byteLength, type Constant, inputError, type Layout, type Program } from "@dechirp/core";
import { chirpSamples, type ImageWindow } from "@dechirp/radar";
import { rangeSpacingMeters } from "../radar.ts";
import { exposedLines, type RowSpan } from "./exposed-lines.ts";
import { type BlockFrame, fastLength, guardCells, type ImageGeometry } from "./geometry.ts";
import { defaultRcmc, type RangeDopplerParams } from "./params.ts";
import { rangeDopplerSteps } from "./program.ts";
import { foldingErrorRadians, foldingLimitRadians } from "./range.ts";

/** One block: the samples that it takes, and the part of the image that it gives. */
export interface ImageBlock {
  /** First line of the block, counted from the recording's first. Lines before 0 and behind the last count as zero. */
  readonly firstLine: number;
  /** The sub-swath that the block belongs to. */
  readonly swath: number;
  /** The part of the image that the block gives. */
  readonly window: ImageWindow;
  /** Where the window begins in the block's own image. */
  readonly from: readonly [row: number, column: number];
}

/** A sub-swath: consecutive columns of the image that are made with filters of their own. */
export interface SubSwath {
  /** First range sample of its blocks. Samples before 0 and behind the last count as zero. */
  readonly firstSample: number;
  /** First column of the image, and number of columns. */
  readonly columns: RowSpan;
}

/** How an image is divided into blocks. Plain data. */
export interface BlockPlan {
  /** Lines and range samples that a block takes. The azimuth transform is as long as the lines. */
  readonly lines: number;
  readonly samples: number;
  /** Range transform length. */
  readonly rangeLength: number;
  /** Where secondary range compression is done in all blocks. */
  readonly src: "off" | "range" | "doppler";
  /** Rows from one block to the next; lines that neighbours share; rows at both ends of a block that are made and left out. */
  readonly step: number;
  readonly overlapLines: number;
  readonly marginRows: number;
  readonly swaths: readonly SubSwath[];
  /** Blocks in the order in which they should be made: by rows, then sub-swaths. */
  readonly blocks: readonly ImageBlock[];
  /** Bytes of the arrays on the device. */
  readonly bytes: number;
  /** Samples that all blocks take together over the samples of the recording. */
  readonly work: number;
}

/** Options of `planBlocks`. */
export interface BlockOptions {
  /** Bytes that the arrays of a block may have. */
  readonly memoryBytes: number;
  /** Rows at both ends of a block that are left out. Default: `fadingRows` of the image. */
  readonly marginRows?: number;
  /** Lines of a block, at most. Default: as many as the memory holds. */
  readonly mostLines?: number;
}

/** One swath may take so many times the work of sub-swaths; and few sub-swaths, of more. */
const mostWork = 3;

/** The most sub-swaths that are tried. */
const mostSwaths = 64;

/** A candidate: the size of blocks along range. */
interface Width {
  readonly swaths: readonly SubSwath[];
  readonly samples: number;
  readonly rangeLength: number;
  /** Columns of the block's own image, and compressed cells with guards. */
  readonly cells: number;
  readonly kept: number;
}

/**
 * Divides the image of `whole` into blocks whose arrays fit `memoryBytes`, with few sub-swaths and little work. Throws `input`, naming `memoryBytes` and how
 * much is needed, if no block fits, and `marginRows` or `mostLines` if it is not valid.
 */
export function planBlocks(given: RangeDopplerParams, whole: ImageGeometry, options: BlockOptions): BlockPlan {
  const params = { rcmc: defaultRcmc, ...given };
  const { memoryBytes, marginRows = whole.fadingRows, mostLines = 2 ** 26 } = options;
  if (!(memoryBytes > 0)) throw inputError("memoryBytes", "a positive number of bytes", memoryBytes);
  if (!(Number.isInteger(marginRows) && marginRows >= 0)) throw inputError("marginRows", "a whole number of rows", marginRows);
  if (!(Number.isInteger(mostLines) && mostLines >= 1)) throw inputError("mostLines", "an integer of at least 1", mostLines);
  const { rows } = whole;
  // What a block of few lines exposes in full has no rows. The difference is the same for any number of lines.
  const aperture = 2 ** 20 - fullRows(whole, 2 ** 20)[1];
  const lost = aperture + 2 * marginRows;
  let best: { readonly width: Width; readonly lines: number; readonly cost: number; readonly bytes: number } | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const width of widthsOf(params, whole)) {
    const perLine = bytesOf(params, whole, width, 1024) / 1024;
    least = Math.min(least, perLine * fastLength(lost + 16));
    // One block is enough if it holds all rows; more blocks than one per row are never needed.
    const fitting = Math.min(mostLines, Math.floor(memoryBytes / perLine), fastLength(rows + lost));
    const most = fastLengthBelow(fitting);
    if (most <= lost) continue;
    const count = Math.ceil(rows / (most - lost));
    const lines = Math.min(most, fastLength(Math.ceil(rows / count) + lost));
    const cost = count * lines * width.rangeLength * width.swaths.length;
    // Sub-swaths have range filters of another length, whose responses differ from those of the whole swath, so one swath is worth some work.
    if (!best || cost < best.cost / mostWork) best = { width, lines, cost, bytes: Math.ceil(perLine * lines) };
  }
  if (!best) {
    if (mostLines <= fastLength(lost + 16))
      throw inputError("mostLines", `more than ${lost} lines, the aperture at far range and the margins`, mostLines);
    throw inputError("memoryBytes", `at least ${Math.ceil(least)} bytes, for an aperture of ${aperture} lines`, memoryBytes);
  }
  const { width, lines, bytes } = best;
  const [first, count] = fullRows(whole, lines);
  const step = count - 2 * marginRows;
  const blocks: ImageBlock[] = [];
  for (let row = 0; row < rows; row += step)
    for (const [swath, { columns }] of width.swaths.entries())
      blocks.push({
        firstLine: whole.firstLine + row - first - marginRows,
        swath,
        window: { row, rows: Math.min(step, rows - row), column: columns[0], columns: columns[1] },
        from: [marginRows, 0],
      });
  return {
    lines,
    samples: width.samples,
    rangeLength: width.rangeLength,
    src: srcOf(params, whole, width),
    step,
    overlapLines: lines - step,
    marginRows,
    swaths: width.swaths,
    blocks,
    bytes,
    work: (blocks.length * lines * width.samples) / (params.lines * params.samples),
  };
}

/** The largest fast length that is not above `n`; 0 if there is none. */
function fastLengthBelow(n: number): number {
  for (let at = 16 * Math.floor(n / 16); at > 0; at -= 16) if (fastLength(at) === at) return at;
  return 0;
}

/** Rows that `lines` lines expose in full in every column of the image, in lines from the first. */
function fullRows({ radar, processedBandwidthHz, axes }: ImageGeometry, lines: number): RowSpan {
  const { start, step, count } = axes.slantRangeMeters;
  return exposedLines(radar, lines, processedBandwidthHz, [start, start + (count - 1) * step]).full;
}

/** The ways to divide the swath: as one, and into equal sub-swaths. */
function* widthsOf(params: RangeDopplerParams, whole: ImageGeometry): Generator<Width> {
  const { samples, radar } = params;
  const { cells } = whole;
  const guard = guardCells(params);
  const pulse = chirpSamples(radar);
  const one = { firstSample: 0, columns: [0, cells] as const };
  yield { swaths: [one], samples, rangeLength: whole.rangeLength, cells, kept: cells + guard[0] + guard[1] };
  for (let count = 2; count <= mostSwaths; count++) {
    const wanted = Math.ceil(cells / count);
    const taken = fastLength(wanted + pulse + guard[0] + guard[1] + 8);
    if (taken >= samples) continue;
    // As `imageGeometry` divides them.
    const exposed = taken - pulse + 1;
    const own = (exposed - guard[0] - guard[1] - (-(guard[0] + guard[1]) & 3)) & ~3;
    if (own < 4) return;
    const swaths: SubSwath[] = [];
    for (let column = 0; column < cells; column += own)
      swaths.push({ firstSample: whole.firstCell + column - guard[0], columns: [column, Math.min(own, cells - column)] });
    yield { swaths, samples: taken, rangeLength: taken, cells: own, kept: own + guard[0] + guard[1] };
  }
}

/** Bytes of the arrays of a block: raw samples, those between the steps, and the image. */
function bytesOf(params: RangeDopplerParams, whole: ImageGeometry, width: Width, lines: number): number {
  const { rawType = "c64" } = params;
  const raw = byteLength({ dtype: rawType, shape: [lines, width.samples] });
  const complex = (columns: number): number => byteLength({ dtype: "c64", shape: [lines, columns] });
  const between =
    srcOf(params, whole, width) === "doppler" ? 2 * complex(width.rangeLength) + complex(width.kept) : 2 * complex(width.kept);
  return raw + between + complex(width.cells);
}

/** Where secondary range compression is done: the same for all sub-swaths. */
function srcOf(params: RangeDopplerParams, whole: ImageGeometry, { swaths }: Width): BlockPlan["src"] {
  const { src = "on" } = params;
  if (src !== "on") return src;
  const { start, step } = whole.axes.slantRangeMeters;
  const worst = swaths.map(({ columns: [first, count] }) =>
    foldingErrorRadians(
      {
        ...whole,
        midRangeMeters: start + (first + (count - 1) / 2) * step,
        axes: { ...whole.axes, slantRangeMeters: { start: start + first * step, step, count } },
      },
      whole.processedBandwidthHz,
    ),
  );
  return Math.max(...worst) <= foldingLimitRadians ? "range" : "doppler";
}

/** The parameters of the blocks of a sub-swath. */
function paramsOfSwath(params: RangeDopplerParams, plan: BlockPlan, { firstSample }: SubSwath): RangeDopplerParams {
  const { lineGain: _, rows: __, azimuthLength: ___, ...same } = params;
  const nearRangeMeters = params.radar.nearRangeMeters + firstSample * rangeSpacingMeters(params.radar);
  return {
    ...same,
    radar: { ...params.radar, nearRangeMeters },
    lines: plan.lines,
    samples: plan.samples,
    azimuthLength: plan.lines,
    rangeLength: plan.rangeLength,
    src: plan.src,
  };
}

/** The program of all blocks of a plan. Its tables are inputs, besides `raw` and `lineGain`; `tables` are those of one sub-swath. */
export interface BlockProgram {
  readonly program: Program<{ readonly image: Float32Array }>;
  /** Values of the inputs other than raw and lineGain. */
  readonly tables: Readonly<Record<string, Constant>>;
  readonly geometry: ImageGeometry;
}

/**
 * The program of the blocks of a sub-swath, in steps of milliseconds for `runInPieces` of core. The program is the same for all sub-swaths
 * of a plan; only `tables` differ. Input `raw` [lines][samples]; `lineGain` [lines] if samples are integers or `gains` is true; output `image`
 * [rows][columns], in which a block's window begins at `from`.
 */
export function* blockProgramSteps(
  given: RangeDopplerParams,
  whole: ImageGeometry,
  plan: BlockPlan,
  swath: number,
  gains = given.lineGain !== undefined,
): Generator<void, BlockProgram> {
  const params = { rcmc: defaultRcmc, ...given };
  const frame: BlockFrame = {
    rows: fullRows(whole, plan.lines),
    guard: guardCells(params),
    gainRangeMeters: whole.gainRangeMeters,
    fadingRows: whole.fadingRows,
  };
  const own = paramsOfSwath(params, plan, plan.swaths[swath]);
  const program = yield* rangeDopplerSteps(
    { ...own, ...(gains && { lineGain: new Float32Array(plan.lines).fill(1) }), precision: "f32" },
    frame,
  );
  const { lineGain, ...tables } = program.constants ?? {};
  const layouts = (constants: Readonly<Record<string, Constant>>): Record<string, Layout> =>
    Object.fromEntries(Object.entries(constants).map(([name, { layout }]) => [name, layout]));
  const { name, steps, inputs, geometry } = program;
  return {
    program: {
      name: `${name} block`,
      inputs: { ...inputs, ...(lineGain && { lineGain: lineGain.layout }), ...layouts(tables) },
      steps,
      outputs: ["image"],
    },
    tables,
    geometry,
  };
}
