// #region open
import { type Device, isRadarError, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import type { Scene } from "@dechirp/io";
import { placeOf, readRecordingFrom } from "@dechirp/io/formats";
import { focusRecording } from "@dechirp/processor";
import { type GrayPicture, quicklook } from "@dechirp/sar";
import { chooseScene } from "./choose.ts";

async function openDevice(): Promise<Device> {
  const device = await open(gpu(), cpu()); // the CPU if there is no WebGPU
  if (!device.info.software) return device;
  device[Symbol.dispose](); // a software adapter is slower than cpu()
  return open(cpu());
}

const device = await openDevice();
console.log(`on ${device.id}, ${crossOriginIsolated ? "isolated" : "not isolated"}`);
for (const note of device.info.notes) console.log(note);
// #endregion open

// #region files
/** Opens the scene in the files that `dechirp simulate` writes. Its lines are read from the user's disk when they are needed. */
async function openScene(files: readonly File[]): Promise<Scene> {
  const place = placeOf(Object.fromEntries(files.map((file) => [file.name, file])));
  return (await readRecordingFrom(place, { kind: "stripmap" })).recording;
}

async function focus(scene: Scene): Promise<GrayPicture> {
  const onProgress = (what: string): void => message.replaceChildren(what);
  using focused = await focusRecording(scene, {}, device, { onProgress });
  const { axes, report } = focused;
  for (const warning of report.warnings) console.log(warning);
  const spacing = { rowSpacingMeters: axes.azimuthMeters.step, columnSpacingMeters: axes.slantRangeMeters.step };
  return quicklook(focused.image, axes.azimuthMeters.count, axes.slantRangeMeters.count, spacing);
}
// #endregion files

// #region draw
const input = document.createElement("input");
input.type = "file";
input.multiple = true;
const canvas = document.createElement("canvas");
const message = document.createElement("p");
document.body.append(input, message, canvas);

function draw({ width, height, data }: GrayPicture): void {
  canvas.width = width;
  canvas.height = height;
  const pixels = new ImageData(width, height);
  data.forEach((level, i) => pixels.data.set([level, level, level, 255], 4 * i));
  canvas.getContext("2d")?.putImageData(pixels, 0, 0);
}

input.addEventListener("change", async () => {
  try {
    await using scene = await openScene([...(input.files ?? [])]);
    draw(await focus(scene));
    message.textContent = `${canvas.width} × ${canvas.height} pixels`;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    message.textContent = isRadarError(error) ? `${error.code}: ${error.message}` : error.message; // a sentence for the page's user
  }
  document.body.dataset["done"] = message.textContent;
});
// #endregion draw

// Acts as the user: chooses the two files of a scene.
await chooseScene(input);
