import { evaluate, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { analysePointTarget, rangeDoppler, scenePresets, simulateStripmap } from "@dechirp/sar";

const scene = scenePresets.quality; // an airborne radar, its targets, and how many pulses and samples it records
const { raw } = await simulateStripmap(scene); // complex echoes, [pulse][sample]

const program = rangeDoppler(scene); // plain data: three steps, their filters, and the axes of the image
const device = await open(cpu());
const { image } = await evaluate(program, device, { raw });

// Measure the first target, in the pixel where it should be.
const { azimuthSeconds, slantRangeMeters } = program.axes;
const picture = { data: image, rows: azimuthSeconds.count, columns: slantRangeMeters.count };
const [target] = scene.targets;
const row = (target.azimuthSeconds - azimuthSeconds.start) / azimuthSeconds.step;
const column = (target.slantRangeMeters - slantRangeMeters.start) / slantRangeMeters.step;
const { range } = analysePointTarget(picture, { row, column });
console.log(`range IRW ${range.irwPixels.toFixed(2)} pixels, PSLR ${range.pslrDb.toFixed(1)} dB`);

device[Symbol.dispose]();
