import { mkdir, writeFile } from "node:fs/promises";
import { encodePng } from "@dechirp/io";
import { chirpBandwidthHz, quicklook, rangeSpacingMeters } from "@dechirp/sar";
import { lines, radar, raw, samples } from "./scene.ts";

console.log(`${lines} pulses of ${samples} complex samples, ${radar.prfHz} pulses a second`);
console.log(`a pulse sweeps ${chirpBandwidthHz(radar) / 1e6} MHz in ${radar.pulseSeconds * 1e6} µs`);
console.log(`samples are ${rangeSpacingMeters(radar).toFixed(2)} m of slant range apart`);

await mkdir("out", { recursive: true });
await writeFile("out/raw.png", await encodePng(quicklook(raw, lines, samples, { maxSide: 400 })));
