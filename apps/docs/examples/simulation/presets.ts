// The ready-made scenes.
import { chirpBandwidthHz, scenePresets } from "@dechirp/sar";

for (const [name, { title, radar, lines, samples }] of Object.entries(scenePresets)) {
  console.log(`${name}: ${title}`);
  console.log(
    `  ${lines} × ${samples}, ${radar.carrierHz / 1e9} GHz, ${(chirpBandwidthHz(radar) / 1e6).toFixed(0)} MHz, centroid ${radar.dopplerCentroidHz} Hz`,
  );
}
