/** Cuts through the response of a cell's filter: over Doppler at its angle, and over angle at its Doppler. */
import type { Curve, CurvePlot } from "@dechirp/pictures";
import type { AngleDopplerMaps, CellPlace, StapPlan } from "@dechirp/processor";
import { angleDopplerResponse, efaSpaceTimeWeights, ulaCycles, uniformSteering } from "@dechirp/stap";

const floorDb = -120;
const decibels = (power: number): number => Math.max(floorDb, 10 * Math.log10(power));

/** Cuts along the row and the column of the map that are nearest to the cell, with the response of the beamformer. */
export function cutsOf(plan: StapPlan, { pattern, report }: AngleDopplerMaps, cell: CellPlace): readonly [CurvePlot, CurvePlot] {
  const { angle, doppler } = report;
  const [angles, dopplers] = [angle, doppler].map(({ start, step, count }) => Array.from({ length: count }, (_, i) => start + i * step));
  const at = cell.dopplerHz ?? cell.dopplerCycles;
  const column = nearest(dopplers, at);
  const row =
    cell.azimuthDegrees === undefined
      ? largest(angles.map((_, i) => pattern[i * doppler.count + column]))
      : nearest(angles, cell.azimuthDegrees);
  const quiet = beamformerResponse(
    plan,
    cell,
    angles,
    dopplers.map((one) => one / (plan.prfHz ?? 1)),
    row,
    column,
  );
  const shown = [...dopplers.map((_, i) => pattern[row * doppler.count + i]), ...angles.map((_, i) => pattern[i * doppler.count + column])];
  const high = 10 * Math.max(1, Math.ceil(decibels(Math.max(...shown)) / 10));
  const y = { label: "response, dB", low: high - 80, high };
  const adapted = "adapted filter";
  const beamformer = "beamformer";
  const curves = (x: readonly number[], powers: readonly number[], others: readonly number[]): readonly Curve[] => [
    { name: adapted, x, y: powers.map(decibels) },
    { name: beamformer, x, y: others.map(decibels), dashed: true },
  ];
  const angleUnit = angle.unit === "degrees" ? "°" : " cycles per element";
  const dopplerUnit = doppler.unit === "Hz" ? " Hz" : " cycles per pulse";
  return [
    {
      title: `response over Doppler at ${short(angles[row])}${angleUnit}`,
      x: { label: `Doppler,${dopplerUnit}`, low: dopplers[0], high: dopplers[dopplers.length - 1] },
      y,
      curves: curves(
        dopplers,
        dopplers.map((_, i) => pattern[row * doppler.count + i]),
        quiet.overDoppler,
      ),
      marks: [at],
    },
    {
      title: `response over angle at ${short(dopplers[column])}${dopplerUnit}`,
      x: { label: angle.unit === "degrees" ? "azimuth, degrees" : "cycles per element", low: angles[0], high: angles[angles.length - 1] },
      y,
      curves: curves(
        angles,
        angles.map((_, i) => pattern[i * doppler.count + column]),
        quiet.overAngle,
      ),
      marks: [angles[row]],
    },
  ];
}

/** Response of the filter that is the steering vector itself, 1 in its look direction. */
function beamformerResponse(
  { geometry, steering, array, input }: StapPlan,
  { dopplerBin, steering: which }: CellPlace,
  angles: readonly number[],
  dopplerCycles: readonly number[],
  row: number,
  column: number,
) {
  const { order, channels, pulses } = geometry;
  const v = steering.subarray(2 * which * order, 2 * (which + 1) * order);
  const gain = v.reduce((sum, value) => sum + value ** 2, 0);
  const w = efaSpaceTimeWeights(
    geometry,
    dopplerBin,
    v.map((value) => value / gain),
  );
  const spatial = angles.map((angle) => {
    const cycles = array ? ulaCycles(array.spacingWavelengths, ((angle - array.broadsideDegrees) * Math.PI) / 180) : angle;
    const line = uniformSteering(Math.max(...input.elements) + 1, cycles);
    return Float64Array.from(input.elements.flatMap((element) => [line[2 * element], line[2 * element + 1]]));
  });
  const response = (rows: readonly Float64Array[], columns: readonly number[]): readonly number[] => [
    ...angleDopplerResponse(w, channels, pulses, { spatial: rows, dopplerCycles: columns }).data,
  ];
  return { overDoppler: response([spatial[row]], dopplerCycles), overAngle: response(spatial, [dopplerCycles[column]]) };
}

const nearest = (values: readonly number[], to: number): number => largest(values.map((value) => -Math.abs(value - to)));
const largest = (values: readonly number[]): number => values.reduce((best, value, i) => (value > values[best] ? i : best), 0);
const short = (value: number): number => Number(value.toPrecision(4));
