/**
 * The row of the CPU backend's table for few long lines: c64 and f32 transforms along the last axis, without hooks, in two passes over
 * memory that the units of a run share (the four-step form; `assembly/long.ts`). It is tried before the rows that give each
 * line to one unit, and takes what some number of the device's units is quicker with; runs on a number that is not go line by
 * line, by a plan of that kind within. It leaves to others what has a prime factor beyond 13, odd real lines, and what is short.
 */
import { dtypes, formatOp, runInPieces, type TransformOp, transformLength } from "@dechirp/core";
import { axisView, keptLayout, onePassCost, type PlanBody, type Rule, type RuleContext } from "@dechirp/core/backend";
import { isSmooth } from "@dechirp/core/tables";
import type { Engine } from "./engine.ts";
import { type HostArray, usesOf } from "./memory.ts";
import { columnRadices, factorize } from "./wasm/factors.ts";
import { type LinesPlan, planLines } from "./wasm/kernels.ts";
import { longTask } from "./wasm/layouts.ts";
import type { Values } from "./wasm/records.ts";
import { realTurns, rootTable, type Table, turnFactors } from "./wasm/tables.ts";
import { flopsPerMillisecond, isBare, limitOfLength, transformBody } from "./wasm-rules.ts";

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

/** So that rows and columns are some tiles long. */
const shortest = 2 ** 12;

/** Complex numbers that a line is transformed as, where the rule knows how. */
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
 * What the choice rests on, measured on an EPYC of 2024 with 32 MiB of cache: speed line by line, what handing work to workers takes, and
 * the time of two passes over that of a line's own stages, 1.25 … 1.5 while all lies in cache. Beyond it they are as quick on one unit,
 * and a line's own stages would need three times its size of every unit.
 */
const lineFlopsPerMillisecond = 4e7;
const handoverMilliseconds = 0.1;
const twoPassesOverOne = 1.4;
const beyondCache = 2 ** 22;

/** Whether so many of a device's units do so many lines of n complex numbers sooner in two passes that they share than each a line. */
function isQuicker(n: number, lines: number, units: number, device: number): boolean {
  if (n > beyondCache) return true;
  const handover = device > 1 ? handoverMilliseconds : 0;
  const line = (5 * n * Math.log2(n)) / lineFlopsPerMillisecond;
  // Without a factor of four a line takes as long as four.
  const together = factorize(n).mode === "across" ? 4 : 1;
  const byLine = line * together * Math.ceil(lines / together / units) + handover;
  return (line * twoPassesOverOne * lines) / units + 2 * handover < byLine;
}

/** Rows and columns of a line as a matrix: the divisors next to each other, fewer rows. */
function split(n: number): readonly [rows: number, columns: number] {
  let rows = Math.floor(Math.sqrt(n));
  while (n % rows !== 0) rows--;
  return [rows, n / rows];
}

/** Numbers of lines whose first pass may be done before their second one: what lies between should stay in cache. */
const groupLength = 2 ** 19;
/** Bytes that the two tiles of an item should not exceed, and columns that one should have: wide ones are read faster, up to a limit. */
const tilesBytes = 2 ** 20;
const leastColumns = 8;
const mostColumns = 64;

interface Pass {
  /** Numbers of a column. */
  readonly length: number;
  readonly columns: number;
  /** Whether tiles are done together with those that mirror them. */
  readonly isMirrored: boolean;
}

const widestTile = ({ length, isMirrored }: Pass): number => {
  const fit = Math.floor(tilesBytes / (16 * length * (isMirrored ? 2 : 1)) / leastColumns);
  return leastColumns * Math.max(1, Math.min(mostColumns / leastColumns, fit));
};

/** Bytes of the widest tile. A mirrored one may have one column more, so that it ends with the middle one, and is rounded up to fours. */
const tileBytesOf = (pass: Pass): number => 8 * pass.length * (pass.isMirrored ? 2 * (widestTile(pass) + 4) : widestTile(pass));

/** Columns of a tile and tiles of a line, so many that all units have some to share. */
function tilesOf(pass: Pass, lines: number, units: number): { readonly tileColumns: number; readonly tiles: number } {
  const served = pass.isMirrored ? Math.floor(pass.columns / 2) : pass.columns;
  const even = leastColumns * Math.ceil((served * lines) / (4 * units) / leastColumns);
  const tileColumns = Math.min(widestTile(pass), even);
  return { tileColumns, tiles: Math.ceil(served / tileColumns) };
}

/** In two passes, but line by line on as many units as `byLine` names. */
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
  // Real spectra are put together before an inverse's first stage, and taken apart after a forward transform's last one.
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
  /** What is to be made once all memory is taken. */
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
    // Tiles read on to a multiple of four.
    const columnTurns = isReal ? place(rootTable(2 * n, Math.floor(mirrored.columns / 2) + 4, inverse)) : 0;
    const group = Math.max(1, Math.min(lines, Math.floor(groupLength / n)));
    const betweenLine = columns * (second.isMirrored ? 16 * (Math.floor(rows / 2) + 4) : 32 * Math.ceil(rows / 4));
    const levelsLine = Math.ceil(columns / 16) * 16;
    const between = allocate(group * betweenLine, "raw");
    const levels = allocate(group * levelsLine);
    const most = Math.max(tileBytesOf(first), tileBytesOf(second));
    // Room for a row of the second pass's tiles; tiles that are read and written together never share an address modulo 4096.
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
      // All of them, so that nothing of this run is left where one fails.
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
