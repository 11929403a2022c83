import { evaluate, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { analysePointTarget, rangeDoppler, scenePresets, simulateStripmap } from "@dechirp/sar";

const scene = scenePresets.quality; // radar, targets, lines and samples of an airborne scene
const { raw } = await simulateStripmap(scene); // complex echoes, [line][sample]

const program = rangeDoppler(scene); // data: three steps, their filters, the image's axes
const device = await open(cpu()); // the first backend that opens; a program runs on any
const { image } = await evaluate(program, device, { raw });

const { azimuthSeconds, slantRangeMeters } = program.axes;
const picture = { data: image, rows: azimuthSeconds.count, columns: slantRangeMeters.count };
const [target] = scene.targets;
const row = (target.azimuthSeconds - azimuthSeconds.start) / azimuthSeconds.step;
const column = (target.slantRangeMeters - slantRangeMeters.start) / slantRangeMeters.step;
const { range } = analysePointTarget(picture, { row, column });
console.log(`range IRW ${range.irwPixels.toFixed(2)} pixels, PSLR ${range.pslrDb.toFixed(1)} dB`);

device[Symbol.dispose](); // ends its workers and frees its memory
