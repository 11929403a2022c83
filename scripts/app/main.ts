/**
 * A user's page, bundled by Vite from the packed packages. It simulates point targets, focuses them on the CPU and, with `?gpu`, on the
 * GPU, and draws the picture. The body's `data-result` then has the result as JSON, or `data-error` the error.
 */
import { type Backend, evaluate, layout, open } from "@dechirp/core";
import { differenceOf } from "@dechirp/core/compare";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import { analysePointTarget, imageSpectrum, quicklook, rangeDoppler, scenePresets, simulateStripmap } from "@dechirp/sar";

const { background: _background, noise: _noise, ...scene } = scenePresets.default;

async function main() {
  const { raw } = await simulateStripmap(scene);
  const program = rangeDoppler(scene);
  const { azimuthSeconds, slantRangeMeters } = program.axes;
  const shape = layout("c64", [azimuthSeconds.count, slantRangeMeters.count]);
  const picture = { rows: azimuthSeconds.count, columns: slantRangeMeters.count };

  async function focused(backend: Backend) {
    using device = await open(backend);
    const { image } = await evaluate(program, device, { raw });
    const pixels = image as Float32Array;
    // The largest error of a target's position, in pixels.
    const offsets = scene.targets.map((target) => {
      const at = {
        row: (target.azimuthSeconds - azimuthSeconds.start) / azimuthSeconds.step,
        column: (target.slantRangeMeters - slantRangeMeters.start) / slantRangeMeters.step,
      };
      const { rowOffset, columnOffset } = analysePointTarget({ data: pixels, ...picture }, at, { ...imageSpectrum(scene.radar) });
      return Math.max(Math.abs(rowOffset), Math.abs(columnOffset));
    });
    return { image: pixels, facts: { units: device.units, notes: device.info.notes, offset: Math.max(...offsets) } };
  }

  const startWorker = () => new Worker(new URL("@dechirp/fft-cpu/worker", import.meta.url), { type: "module" });
  const onCpu = await focused(cpu({ workers: 2, startWorker }));
  const onGpu = location.search === "?gpu" ? await focused(gpu()) : undefined;
  draw(quicklook(onCpu.image, picture.rows, picture.columns));
  return {
    isolated: crossOriginIsolated,
    targets: scene.targets.length,
    cpu: onCpu.facts,
    ...(onGpu && { gpu: { ...onGpu.facts, apart: differenceOf(shape, onGpu.image, onCpu.image).relativeL2 } }),
  };
}

function draw({ data, width, height }: { data: Uint8Array; width: number; height: number }): void {
  const canvas = document.querySelector("canvas") as HTMLCanvasElement;
  Object.assign(canvas, { width, height });
  const pixels = new ImageData(width, height);
  data.forEach((gray, i) => {
    pixels.data.set([gray, gray, gray, 255], 4 * i);
  });
  canvas.getContext("2d")?.putImageData(pixels, 0, 0);
}

main().then(
  (result) => {
    document.body.dataset["result"] = JSON.stringify(result);
  },
  (error) => {
    document.body.dataset["error"] = String(error?.stack ?? error);
  },
);
