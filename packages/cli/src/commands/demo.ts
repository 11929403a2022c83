/** `dechirp demo`: simulates the default scene in memory, focuses and measures it, and writes the image. */
import { createClock } from "@dechirp/processor/clock";
import { checkDevice, createChooser } from "../devices.ts";
import { type Io, print, printWarnings } from "../io.ts";
import { type DrawingArguments, drawingOf } from "../options.ts";
import { checkOutputFolder, imageFiles } from "../output.ts";
import { createProgress } from "../progress.ts";
import { drawnOptions } from "../quicklook.ts";
import { simulated } from "../simulated.ts";

/** The options as commander passes them. */
export interface DemoArguments extends DrawingArguments {
  readonly out: string;
  readonly device: string;
  readonly json?: boolean;
}

/** Runs `dechirp demo`. */
export async function demoCommand({ out, device: deviceName, json, ...pictures }: DemoArguments, io: Io): Promise<void> {
  checkDevice(deviceName);
  const drawing = drawingOf(pictures);
  await checkOutputFolder(out, imageFiles);
  const [{ scenePresets }, { focusRecording, focusWork }, { writeImageFolder }, { focusText }] = await Promise.all([
    import("@dechirp/sar"),
    import("@dechirp/processor"),
    import("../output.ts"),
    import("../summary.ts"),
  ]);
  const { signal } = io;
  const clock = createClock();
  using progress = createProgress(io, "demo");
  using chooser = await createChooser(deviceName);
  const scene = await clock.time("simulate", () =>
    simulated("default", scenePresets.default, {}, { signal, onProgress: (what, share) => progress.update(what, 0.7 * share) }),
  );
  const { device, why } = await chooser.choose(focusWork(scene));
  using focused = await focusRecording(scene, {}, device, {
    clock,
    ...(why === undefined ? {} : { whyDevice: why }),
    signal,
    quicklook: drawnOptions(drawing),
    onProgress: (what, share) => progress.update(what, 0.7 + 0.25 * share),
  });
  progress.update("writing", 0.95);
  const written = await writeImageFolder(out, focused, clock, signal, drawing);
  progress[Symbol.dispose]();
  printWarnings(io, written.report.warnings);
  print(io, json, { images: [written] }, () => focusText(written.report, out));
}
