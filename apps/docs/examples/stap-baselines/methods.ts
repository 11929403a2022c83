// Seven methods find a target in clutter more than 40 dB above the noise. Prints the output at the target divided by the mean of the other cells.
import {
  adpcaReference,
  beamformerReference,
  type Cube,
  dopplerReference,
  dpca,
  drawCube,
  efaGeometry,
  efaReference,
  efaSteering,
  interferenceCovariance,
  jdlReference,
  kronecker,
  smiReference,
  uniformSteering,
  wardExample,
} from "@dechirp/stap";

const [channels, pulses, ranges, bin] = [6, 8, 400, 2];
const covariance = interferenceCovariance({ ...wardExample, channels, pulses, patches: 121 });
const target = { range: 60, spatialCycles: 0, dopplerCycles: bin / pulses, snrDb: 3 };
const cube = drawCube(covariance, { channels, pulses, ranges, seed: 12, targets: [target] });
const a = uniformSteering(channels, 0);
const training = { kind: "sliding", guardCells: 2 } as const;
const common = { training, steeringVectors: 1 } as const;

// #region methods
/** Doppler transform and beamforming of the output of a canceller. */
function pulsed(left: Cube, spatial: Float64Array): Float64Array {
  const geometry = efaGeometry({ ...common, channels: left.channels, pulses: left.pulses, ranges, dopplerBins: 8, temporalTaps: 1 });
  return beamformerReference(dopplerReference(left, geometry), spatial, geometry, [bin]).data;
}
function efa(temporalTaps: number): Float64Array {
  const geometry = efaGeometry({ ...common, channels, pulses, ranges, temporalTaps });
  return efaReference(cube, efaSteering(geometry, [a]), { ...common, temporalTaps }, [bin]).data;
}
const one = efaGeometry({ ...common, channels, pulses, ranges, temporalTaps: 1 });

const lines: Record<string, Float64Array> = {
  "joint domain, SMI": smiReference(cube, kronecker(a, uniformSteering(pulses, bin / pulses)), { training }),
  "EFA, 3 taps": efa(3),
  "factored, 1 tap": efa(1),
  "JDL, 3 beams × 3 bins": jdlReference(
    cube,
    a,
    [-1, 0, 1].map((k) => uniformSteering(channels, k / channels)),
    { training },
    [bin],
  ).data,
  ADPCA: pulsed(adpcaReference(cube, a, { training }), Float64Array.of(1, 0)),
  DPCA: pulsed(dpca(cube), uniformSteering(channels - 1, 0)),
  beamformer: beamformerReference(dopplerReference(cube, one), efaSteering(one, [a]), one, [bin]).data,
};
// #endregion methods

for (const [name, line] of Object.entries(lines)) {
  let others = 0;
  for (let l = 0; l < ranges; l++) if (Math.abs(l - 60) > 2) others += line[l] / (ranges - 5);
  console.log(`${name.padEnd(22)} ${(10 * Math.log10(line[60] / others)).toFixed(1)} dB`);
}
