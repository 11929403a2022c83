/** Writes a backprojected image window by window, with its quicklook and report, so that it need not fit the memory. */
import type { Device } from "@dechirp/core";
import { runAbortable } from "@dechirp/core/internal";
import type { BackprojectedImagePlan, BackprojectReport, PartSink, WindowedImagePlan } from "@dechirp/processor";
import { type PartsTarget, plainJson, runIdentity, writeImageParts } from "./image-parts.ts";
import type { Written } from "./output.ts";
import { quicklookOptions } from "./quicklook.ts";

/** Where an image is written and how its quicklook is drawn. */
export type WindowsTarget = Omit<PartsTarget, "shape" | "axes" | "description" | "run" | "plan">;

/**
 * Writes the image of `plan` as `make` gives its windows. A later run may go on with another `--memory`: the pixels do not depend on the
 * windows.
 */
export async function writeWindows(
  plan: BackprojectedImagePlan,
  division: WindowedImagePlan,
  inputs: readonly string[],
  device: Device,
  target: WindowsTarget,
  make: (sink: PartSink) => Promise<BackprojectReport>,
): Promise<Written<BackprojectReport>> {
  const { createQuicklookAccumulator } = await import("@dechirp/sar");
  const { settings, recording, autofocus, axes, description } = plan;
  const { xMeters: x, yMeters: y } = axes;
  // Heights of pixels follow from the settings.
  const { heightMeters: _, ...grid } = plan.grid;
  const { files, device: on } = await runIdentity(inputs, device);
  const whole: PartsTarget = {
    ...target,
    shape: [grid.ny, grid.nx],
    description,
    axes: [
      { name: "y", unit: "m", first: y.start, step: y.step },
      { name: "x", unit: "m", first: x.start, step: x.step },
    ],
    run: {
      files,
      scene: recording.name,
      shape: recording.shape,
      settings: plainJson(settings),
      grid: plainJson(grid),
      autofocus,
      device: on,
    },
    plan: plainJson(division.plan),
  };
  const { drawing, clock, signal } = target;
  const picture = createQuicklookAccumulator(grid.ny, grid.nx, quicklookOptions(axes, drawing));
  const addPart = (...part: Parameters<typeof picture.addSteps>): Promise<void> =>
    runAbortable(signal, "the quicklook", picture.addSteps(...part));
  return writeImageParts(whole, async (sink) => {
    const report = await make({
      async write(window, data, options) {
        await addPart(window, data);
        await sink?.write(window, data, options);
      },
      has: (window) => sink?.has?.(window) === true,
      async read(window, options) {
        const data = (await sink?.read?.(window, options)) as Float32Array;
        await addPart(window, data);
        return data;
      },
    });
    const quicklook = await clock.time("quicklook", () => runAbortable(signal, "the quicklook", picture.finishSteps()));
    return { report, quicklook };
  });
}
