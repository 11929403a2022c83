import { chirpBandwidthHz, rangeSpacingMeters } from "@dechirp/sar";
import { savePicture, slantRange, slowTime } from "./picture.ts";
import { lines, radar, raw, samples } from "./scene.ts";

console.log(`${lines} pulses of ${samples} complex samples, ${radar.prfHz} pulses a second`);
console.log(`a pulse sweeps ${chirpBandwidthHz(radar) / 1e6} MHz in ${radar.pulseSeconds * 1e6} µs`);
console.log(`samples are ${rangeSpacingMeters(radar).toFixed(2)} m of slant range apart`);

await savePicture("raw.png", "Raw echoes", raw, slowTime, slantRange);
