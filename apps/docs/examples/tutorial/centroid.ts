import { open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { estimateDopplerFraction, measureDopplerCentroid } from "@dechirp/sar";
import { lines, radar, raw, samples, scene } from "./scene.ts";

const { fractionHz } = estimateDopplerFraction({ data: raw, lines, samples }, radar.prfHz);
console.log(`from neighbouring pulses: ${fractionHz.toFixed(0)} Hz, plus any whole number of PRFs (${radar.prfHz} Hz)`);

using device = await open(cpu());
const measured = await measureDopplerCentroid({ radar, lines, samples }, device, raw, { presetHz: 100 });
console.log(`unambiguous: ${measured.dopplerCentroidHz.toFixed(0)} Hz, source: ${measured.source}`);
console.log(`the scene was made with ${scene.radar.dopplerCentroidHz} Hz`);
