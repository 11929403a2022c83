/**
 * Gathers of 8 taps as work for both benches: operations of their own along rows and along columns, beside the migration of range-Doppler
 * imaging, as the pass that it is part of and as an operation of its own.
 */
import { type Layout, layout, type MapOp, type Op, scalarCount, type TypedArrayOf, typedArray } from "@dechirp/core";
import { gatherMap, phaseColumns, positionColumns, setLinePhase, setLinePositions } from "@dechirp/radar/interpolation";
import { fusedSarScene, rangeDoppler } from "@dechirp/sar";

/** One gather: the operation, the layouts of its arrays by port, and the data of its tables. */
export interface GatherWay {
  readonly name: string;
  readonly op: Op;
  readonly ports: Readonly<Record<string, Layout>>;
  readonly tables: Readonly<Record<string, TypedArrayOf>>;
}

const kernel = { kind: "sinc", taps: 8, window: "kaiser", oversampling: 1.2 } as const;

/** Each line is moved by some samples and stretched by some in 4096, and turned, all linear in the index. */
function resampling(name: string, side: number, axis: number): GatherWay {
  const shape = layout("c64", [side, side]);
  const lines = { lines: side, extent: side, degree: 1 };
  const positions = new Uint32Array(positionColumns(1) * side);
  const phase = new Uint32Array(phaseColumns(1) * side);
  for (let line = 0; line < side; line++) {
    const u = line / side - 0.5;
    setLinePositions(positions, lines, line, [0.3 + 8 * u, 1 + u / 128]);
    setLinePhase(phase, lines, line, [10 * u, 0.1 * u]);
  }
  const op = gatherMap({
    layout: shape,
    samples: shape,
    axis,
    positions: { kind: "polynomial", degree: 1 },
    phase: { degree: 1 },
    interpolator: kernel,
    name,
  });
  const words = layout("u32", [3, side]);
  return { name, op, ports: { samples: shape, positions: words, phase: words, out: shape }, tables: { positions, phase } };
}

/** The ways to gather, the migration pass first. */
export function gatherWays(side: number): readonly GatherWay[] {
  const { radar, processedBandwidthHz, lines, samples, rangeLength } = fusedSarScene(side, side);
  const program = rangeDoppler({
    ...{ radar, lines, samples, processedBandwidthHz, azimuthLength: lines },
    ...(rangeLength && { rangeLength }),
  });
  const pass = program.steps[program.steps.length - 1].op;
  if (pass.op !== "filter-inverse" || !pass.load?.expression || !pass.load.shape)
    throw new Error("the last step of range-Doppler has no load");
  const { load, layout: image } = pass;
  const { sources, expression, shape, tuned } = load as Required<typeof load>;
  const alone: MapOp = {
    ...{ op: "map", name: "migration", shape, sources, outputs: { out: "c64" } },
    ...{ expression, ...(tuned?.wgsl !== undefined && { tuned: { wgsl: tuned.wgsl } }) },
  };
  const constants = program.constants ?? {};
  const tables = Object.fromEntries(
    Object.keys(sources).flatMap((port) => (constants[port] ? [[port, constants[port].data as TypedArrayOf]] : [])),
  );
  const [cells, rows] = image.shape;
  const kept = pass.keep ? pass.keep[1] : rows;
  const h = layout("c64", [rows]);
  return [
    {
      name: "migration pass",
      op: pass,
      ports: { ...sources, h, out: layout("c64", pass.cornerTurn ? [kept, cells] : [cells, kept]) },
      tables: { ...tables, h: constants["azimuthFilter"].data as TypedArrayOf },
    },
    { name: "migration alone", op: alone, ports: { ...sources, out: layout("c64", shape) }, tables },
    resampling("gather along rows", side, 1),
    resampling("gather along columns", side, 0),
  ];
}

/** The data of an input: its table, or the first of some random numbers. */
export function gatherInput({ tables }: GatherWay, port: string, of: Layout, data: Float32Array): TypedArrayOf {
  if (tables[port]) return tables[port];
  const count = scalarCount(of);
  const numbers = typedArray(of.dtype, count);
  for (let at = 0; at < count; at += data.length) numbers.set(data.subarray(0, Math.min(data.length, count - at)), at);
  return numbers;
}
