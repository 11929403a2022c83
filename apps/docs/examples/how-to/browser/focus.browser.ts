// #region open
import { type Device, isRadarError, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import { parseScene, parseSceneDescription, readNpy, type Scene } from "@dechirp/io";
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
/** Reads a scene from the two files that `dechirp simulate` writes. */
async function readScene(files: readonly File[]): Promise<Scene> {
  const file = (name: string): File => {
    const found = files.find((one) => one.name === name);
    if (!found) throw new Error(`choose scene.json and the array that it names: ${name} is missing`);
    return found;
  };
  const description = parseSceneDescription(await file("scene.json").text(), "scene.json");
  const bytes = new Uint8Array(await file(description.raw).arrayBuffer());
  const raw = await readNpy(bytes, { file: description.raw, complexPairs: true });
  return await parseScene(description, raw, "scene.json", description.raw);
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
    draw(await focus(await readScene([...(input.files ?? [])])));
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
