import { open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { focusRecording, simulateRecording } from "@dechirp/processor";
import { scenePresets } from "@dechirp/sar";

const device = await open(cpu());
const { quality } = scenePresets; // point targets without clutter; readScene of @dechirp/io reads recordings from disk
const recording = await simulateRecording("points", quality, {}, device);

const focused = await focusRecording(recording, { azimuthWindow: { kind: "hamming" } }, device);
const { report } = focused; // plain data; focused.image is [row][column], complex
const { velocityMetersPerSecond, azimuthWindow } = report.parameters;
console.log(`${velocityMetersPerSecond.value} m/s (${velocityMetersPerSecond.source}), ${azimuthWindow.value} (${azimuthWindow.source})`);
const [{ name, measured }] = report.targets;
console.log(`${name}: ${measured.azimuth.irwRatio.toFixed(2)} of the theoretical width, PSLR ${measured.azimuth.pslrDb.toFixed(1)} dB`);
focused[Symbol.dispose](); // the image may lie in the device's memory
device[Symbol.dispose]();
