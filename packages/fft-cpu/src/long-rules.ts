/**
 * The rule for a small number of long lines: c64 and f32 transforms along the last axis, without hooks. It makes two passes over memory,
 * in which all units of a run share each line (the four-step algorithm; `assembly/long.ts`).
 *
 * It is tried before the rules that give each line to one unit. It takes an op if some number of the device's units is faster with it.
 * For runs on other numbers of units it holds a plan that goes line by line. It declines lengths with a prime factor above 13, odd real
 * lengths, and short lines.
 */
import { dtypes, formatOp, runInPieces, type TransformOp, transformLength } from "@dechirp/core";
import { axisView, keptLayout, onePassCost, type PlanBody, type Rule, type RuleContext } from "@dechirp/core/backend";
import { isSmooth } from "@dechirp/core/tables";
import type { Engine } from "./engine.ts";
import { type HostArray, usesOf } from "./memory.ts";
import { columnRadices, factorize } from "./wasm/factors.ts";
import { type LinesPlan, planLines } from "./wasm/kernels.ts";
import { longTask } from "./wasm/layouts.ts";
import { leastColumns, mostColumns } from "./wasm/program.ts";
import type { Values } from "./wasm/records.ts";
import { realTurns, rootTable, type Table, turnFactors } from "./wasm/tables.ts";
import { flopsPerMillisecond, isBare, limitOfLength, transformBody } from "./wasm-rules.ts";

/** The rule for long lines. */
export function longRules(engine: Engine): readonly Rule<HostArray>[] {
  return [
    {
      name: "wasm long lines",
      fused: false,
      async try(op, context) {
        if (!isBare(op)) return undefined;
        const n = complexLength(op);
        if (n === undefined) return undefined;
        const lines = axisView(op.layout, op.axis).outers;
        const { units: most } = context.device;
        const counts = Array.from({ length: most }, (_, i) => i + 1);
        const byLine = counts.filter((units) => !isQuicker(n, lines, units, most));
        return byLine.length < counts.length ? longBody(op, n, engine, byLine, context) : undefined;
      },
    },
  ];
}

/** The shortest line, so that rows and columns have several tiles. */
const shortest = 2 ** 12;

/** Number of complex numbers of a line, or undefined if the rule does not take the op. A real line of n numbers counts as n/2. */
function complexLength(op: TransformOp): number | undefined {
  const n = transformLength(op);
  const { extent, inners } = axisView(op.layout, op.axis);
  const isReal = op.op === "real-fft";
  const natural = isReal && op.inverse ? n / 2 + 1 : n;
  if (inners > 1 || extent !== natural || op.keep || op.cornerTurn || (isReal && n % 2 !== 0)) return undefined;
  if (op.layout.dtype !== "c64" && op.layout.dtype !== "f32") return undefined;
  const length = isReal ? n / 2 : n;
  return length >= shortest && isSmooth(length) ? length : undefined;
}

/**
 * The figures that the choice uses, measured on an EPYC of 2024 with 32 MiB of cache: the speed line by line, the time to hand work to
 * workers, and the time of two passes divided by that of a line's own stages, which is 1.25 … 1.5 while all data fit in the cache. Beyond
 * the cache both are equally fast on one unit, but line by line every unit would need memory of three times the line's size.
 */
const lineFlopsPerMillisecond = 4e7;
const handoverMilliseconds = 0.1;
const twoPassesOverOne = 1.4;
const beyondCache = 2 ** 22;

/**
 * Whether `units` of a device's `device` units transform `lines` lines of n complex numbers faster if they share each line in two passes
 * than if each takes whole lines.
 */
function isQuicker(n: number, lines: number, units: number, device: number): boolean {
  if (n > beyondCache) return true;
  const handover = device > 1 ? handoverMilliseconds : 0;
  const line = (5 * n * Math.log2(n)) / lineFlopsPerMillisecond;
  // Lengths without a factor of 4 are transformed four lines at a time, so one line takes as long as four.
  const together = factorize(n).mode === "across" ? 4 : 1;
  const byLine = line * together * Math.ceil(lines / together / units) + handover;
  return (line * twoPassesOverOne * lines) / units + 2 * handover < byLine;
}

/** The shape of a line as a matrix: the two divisors that are closest to each other, with fewer rows than columns. */
function split(n: number): readonly [rows: number, columns: number] {
  let rows = Math.floor(Math.sqrt(n));
  while (n % rows !== 0) rows--;
  return [rows, n / rows];
}

/** Complex numbers of the lines whose first pass is done before their second pass. The intermediate data should stay in the cache. */
const groupLength = 2 ** 19;
/** Largest number of bytes for the two tiles of an item. */
const tilesBytes = 2 ** 20;

/** The columns that one pass transforms. */
interface Pass {
  /** Complex numbers of a column. */
  readonly length: number;
  readonly columns: number;
  /** Whether each tile is processed together with the tile that mirrors it. */
  readonly isMirrored: boolean;
}

const widestTile = ({ length, isMirrored }: Pass): number => {
  const fit = Math.floor(tilesBytes / (16 * length * (isMirrored ? 2 : 1)) / leastColumns);
  return leastColumns * Math.max(1, Math.min(mostColumns / leastColumns, fit));
};

/**
 * Bytes of the widest tile. A mirrored tile may have one column more, so that it ends with the middle one, and is rounded up to a
 * multiple of four columns.
 */
const tileBytesOf = (pass: Pass): number => 8 * pass.length * (pass.isMirrored ? 2 * (widestTile(pass) + 4) : widestTile(pass));

/** Columns of a tile and tiles of a line, chosen so that all units have several tiles. */
function tilesOf(pass: Pass, lines: number, units: number): { readonly tileColumns: number; readonly tiles: number } {
  const served = pass.isMirrored ? Math.floor(pass.columns / 2) : pass.columns;
  const even = leastColumns * Math.ceil((served * lines) / (4 * units) / leastColumns);
  const tileColumns = Math.min(widestTile(pass), even);
  return { tileColumns, tiles: Math.ceil(served / tileColumns) };
}

/** Plans an op in two passes. Runs on one of the numbers of units in `byLine` go line by line instead. */
export async function longBody(
  op: TransformOp,
  n: number,
  engine: Engine,
  byLine: readonly number[],
  context: Pick<RuleContext, "pause">,
): Promise<PlanBody<HostArray>> {
  const { heap } = engine;
  const what = formatOp(op);
  const isReal = op.op === "real-fft";
  const inverse = "inverse" in op && op.inverse;
  const lines = axisView(op.layout, op.axis).outers;
  const [rows, columns] = split(n);
  // Real spectra are combined before the first stage of an inverse, and separated after the last stage of a forward transform.
  const first: Pass = { length: rows, columns, isMirrored: isReal && inverse };
  const second: Pass = { length: columns, columns: rows, isMirrored: isReal && !inverse };
  const taken: number[] = [];
  const plans: LinesPlan[] = [];
  let lineBody: PlanBody<HostArray> | undefined;
  const dispose = (): void => {
    lineBody?.dispose?.();
    for (const plan of plans.splice(0)) plan.free();
    for (const address of taken.splice(0)) heap.free(address);
  };
  const allocate = (bytes: number, raw?: "raw"): number => {
    const address = heap.allocate(bytes, `plan of ${what}`, raw);
    taken.push(address);
    return address;
  };
  /** The tables to make after all memory has been allocated. */
  const unmade: (() => Generator<void>)[] = [];
  const place = (table: Table): number => {
    const address = allocate(4 * table.length, "raw");
    unmade.push(() => table.pieces(() => new Float32Array(heap.memory.buffer, address, table.length)));
    return address;
  };
  const planOf = (length: number): number => {
    const plan = planLines(
      { kind: inverse ? "inverse-fft" : "fft", n: length, factors: { mode: "across", middle: columnRadices(length) } },
      heap.memory,
      { allocate: (bytes) => heap.allocate(bytes, `tables of ${what}`, "raw"), free: heap.free },
    );
    plans.push(plan);
    unmade.push(() => plan.tables());
    return plan.address;
  };
  try {
    const firstPlan = planOf(rows);
    const secondPlan = rows === columns ? firstPlan : planOf(columns);
    const factors = place(turnFactors(rows, columns, inverse, first.isMirrored));
    const mirrored = inverse ? first : second;
    const turns = isReal ? place(realTurns(mirrored.length, inverse, mirrored.length)) : 0;
    // Tiles read up to a multiple of four.
    const columnTurns = isReal ? place(rootTable(2 * n, Math.floor(mirrored.columns / 2) + 4, inverse)) : 0;
    const group = Math.max(1, Math.min(lines, Math.floor(groupLength / n)));
    const betweenLine = columns * (second.isMirrored ? 16 * (Math.floor(rows / 2) + 4) : 32 * Math.ceil(rows / 4));
    const levelsLine = Math.ceil(columns / 16) * 16;
    const between = allocate(group * betweenLine, "raw");
    const levels = allocate(group * levelsLine);
    const most = Math.max(tileBytesOf(first), tileBytesOf(second));
    // Space for a row of the second pass's tiles. Tiles that are read and written together never have the same address modulo 4096.
    const tile = 16 * (mostColumns + 4);
    const otherTile = tile + Math.ceil(most / 4096) * 4096 + 2112;
    engine.reserve(otherTile + most);
    const passes = [
      { way: "long first", argument: allocate(longTask.bytes) },
      { way: "long second", argument: allocate(longTask.bytes) },
    ] as const;
    if (byLine.length > 0) lineBody = await transformBody(op, engine, context);
    for (const pieces of unmade) await runInPieces(pieces(), context.pause);
    const result = keptLayout(op);
    const sourceLine = dtypes[op.layout.dtype].bytes * op.layout.shape[op.axis];
    const targetLine = dtypes[result.dtype].bytes * result.shape[op.axis];
    const onePass = onePassCost(op);
    const cost = { flops: onePass.flops, bytes: onePass.bytes + 16 * n * lines, passes: 2 };
    const form = `four-step${inverse ? " inverse" : ""} n=${transformLength(op)} ${rows}×${columns}`;
    const stages = [rows, columns].map((length) => columnRadices(length).join("·")).join(", ");
    const few = byLine.length > 1 && byLine.at(-1) === byLine.length ? `up to ${byLine.length}` : byLine.join(", ");
    const otherwise = lineBody ? `; on ${few} of the units ${lineBody.text}` : "";

    const uses = usesOf(op);
    const runPasses = async (ports: Readonly<Record<string, HostArray>>, units: readonly number[], signal?: AbortSignal): Promise<void> => {
      const runs: Promise<void>[] = [];
      for (let start = 0; start < lines; start += group) {
        const count = Math.min(group, lines - start);
        const [firstTiles, secondTiles] = [first, second].map((pass) => tilesOf(pass, count, units.length));
        const task = (way: (typeof passes)[number]["way"]): Values<typeof longTask.fields> => {
          const work = engine.workMemory();
          return {
            way,
            firstPlan,
            firstColumns: columns,
            firstTileColumns: firstTiles.tileColumns,
            firstTiles: firstTiles.tiles,
            firstTurns: first.isMirrored ? turns : 0,
            secondPlan,
            secondColumns: rows,
            secondTileColumns: secondTiles.tileColumns,
            secondTiles: secondTiles.tiles,
            secondTurns: second.isMirrored ? turns : 0,
            source: ports["in"].address + start * sourceLine,
            sourceLine,
            target: ports["out"].address + start * targetLine,
            targetLine,
            between,
            betweenLine,
            levels,
            levelsLine,
            work: work.address,
            workPitch: work.pitch,
            nowhere: 0,
            tile,
            otherTile,
            columnTurns,
            factors,
          };
        };
        for (const { way, argument } of passes) {
          runs.push(
            engine.run({
              what,
              uses: uses(ports),
              entry: engine.kernel("linesTask"),
              prepare: () => longTask.write(heap.memory, argument, task(way)),
              argument,
              items: count * (way === "long first" ? firstTiles : secondTiles).tiles,
              chunk: 1,
              milliseconds: (cost.flops * count) / lines / 2 / flopsPerMillisecond,
              units,
              signal,
            }),
          );
        }
      }
      // Wait for all runs, so that none is left if one fails.
      await Promise.allSettled(runs);
      await Promise.all(runs);
    };

    return {
      text: `(${op.op}/wasm ${form} ${stages} lines=${lines}${otherwise})`,
      cost,
      ...(lineBody?.convolved && { convolved: true }),
      temporaryBytes: group * (betweenLine + levelsLine),
      dispose,
      run: (ports, options) =>
        lineBody && byLine.includes(options.units.length) ? lineBody.run(ports, options) : runPasses(ports, options.units, options.signal),
    };
  } catch (error) {
    dispose();
    throw limitOfLength(error, transformLength(op));
  }
}
