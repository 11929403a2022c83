/** Acts as the user of the page: simulates a scene of one reflector, and chooses the files that `dechirp simulate` would have written. */
import { encodeScene } from "@dechirp/io";
import type { StripmapRadar } from "@dechirp/radar";
import { quantise, simulateStripmap } from "@dechirp/sar";

const radar: StripmapRadar = {
  carrierHz: 9.6e9,
  samplingRateHz: 120e6,
  prfHz: 400,
  chirpRateHzPerSecond: 50e12,
  pulseSeconds: 2e-6,
  velocityMetersPerSecond: 100,
  nearRangeMeters: 5000,
  dopplerCentroidHz: 0,
};
const [lines, samples] = [512, 512];
const targets = [{ name: "reflector", azimuthSeconds: 0.6, slantRangeMeters: 5200, amplitude: 1, phaseRadians: 0 }];

export async function chooseScene(input: HTMLInputElement): Promise<void> {
  const echoes = await simulateStripmap({ radar, lines, samples, beam: { kind: "doppler-band", bandwidthHz: 300 }, targets });
  const { data } = quantise(echoes.raw, { dtype: "ci8" });
  const written = await encodeScene({
    name: "one reflector",
    radar,
    raw: { layout: { dtype: "ci8", shape: [lines, samples] }, data },
    targets,
    notes: [],
  });
  const chosen = new DataTransfer();
  for (const [name, chunks] of Object.entries(written)) chosen.items.add(new File(chunks as BlobPart[], name));
  input.files = chosen.files;
  input.dispatchEvent(new Event("change"));
}
