/**
 * Compares ways to make one image on a device: how the work is divided, how many pulses are added at a time, and how profiles are read
 * between bins. Each is run a few times, and the shortest time counts.
 */
import { type Device, isRadarError, messageOf, throwIfAborted } from "@dechirp/core";
import { createBackprojector, describePartition, type GridWindow, gridWindows, latticePixels } from "@dechirp/sar";
import { aperturePulses, pulsesOf } from "./flight.ts";
import { addPortions, gridOf, optionsOf, project } from "./project.ts";
import { exactAt, sampledSerDb, samplePixels } from "./quality.ts";
import type { Flight } from "./samples.ts";
import type { ImageRequest } from "./settings.ts";
import { type Way, type WayResult, ways } from "./ways.ts";

/** Runs of a way: at most this many, and no further one after so many seconds. */
const mostRuns = 3;
const enoughSeconds = 1;

/** Measures all ways in order. Calls `onRow` after each. Rejects with `aborted`, and with device errors that make more impossible. */
export async function compare(
  device: Device,
  flight: Flight,
  request: ImageRequest,
  onRow: (row: WayResult, share: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const pulses = aperturePulses(flight.facts.pulses, request.aperture);
  const portions = await flight.portions(pulses, () => {}, signal);
  const grid = gridOf(request.window, request.pixels);
  const common = optionsOf(request);
  const first = await project(device, flight, pulses, portions, grid, common, { signal });
  const sample = samplePixels(first.image);
  const exact = await exactAt(portions, grid, sample, signal);
  const geometry = pulsesOf(flight.geometry, pulses);
  const whole: GridWindow = { ix: 0, iy: 0, nx: grid.nx, ny: grid.ny };

  async function measure({ options, inWindows }: Way): Promise<NonNullable<WayResult["measured"]>> {
    using projector = await createBackprojector(device, geometry, grid, { ...common, ...options });
    const { partition, plan } = projector;
    const lattice = latticePixels(plan);
    const edge = Math.max(lattice, lattice * Math.ceil(grid.nx / 2 / lattice));
    const windows = inWindows ? [...gridWindows(grid, [edge, edge])] : [whole];
    const image = new Float32Array(2 * grid.nx * grid.ny);
    let best = Number.POSITIVE_INFINITY;
    let total = 0;
    let runs = 0;
    while (runs < mostRuns && (runs === 0 || total < enoughSeconds)) {
      let seconds = 0;
      for (const gridWindow of windows) {
        await projector.begin({ gridWindow });
        seconds += await addPortions(projector, portions, { signal });
        if (runs === 0) paste(image, grid.nx, await projector.image(), gridWindow);
      }
      best = Math.min(best, seconds);
      total += seconds;
      runs += 1;
    }
    return {
      seconds: best,
      rate: (grid.nx * grid.ny * pulses[1]) / best,
      runs,
      trafficBytes: partition.trafficBytes[partition.scheme],
      serDb: sampledSerDb(image, sample, exact),
      text: `${describePartition(partition)}${inWindows ? `\n${windows.length} windows of at most ${edge} × ${edge} pixels` : ""}`,
    };
  }

  for (const [i, way] of ways.entries()) {
    throwIfAborted(signal, "the comparison");
    const { section, name } = way;
    const share = (i + 1) / ways.length;
    try {
      onRow({ section, name, measured: await measure(way) }, share);
    } catch (error) {
      if (isRadarError(error, "aborted") || isRadarError(error, "device-lost") || isRadarError(error, "disposed")) throw error;
      onRow({ section, name, why: messageOf(error) }, share);
    }
  }
}

/** Puts the image of a window where it belongs. */
function paste(image: Float32Array, width: number, part: Float32Array, { ix, iy, nx, ny }: GridWindow): void {
  for (let y = 0; y < ny; y++) image.set(part.subarray(2 * y * nx, 2 * (y + 1) * nx), 2 * ((iy + y) * width + ix));
}
