/** A small case of the task Backprojection, as the packages compute it in Node, and what its page shows. */
import { open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import type { PhaseHistory } from "@dechirp/radar";
import { analysePointTarget, backproject, type GroundGrid, simulatePhaseHistory } from "@dechirp/sar";
import type { Page } from "playwright-core";
import { aperturePulses, pulsesOf, simulatedGeometry } from "../src/backprojection/flight.ts";
import { gridOf } from "../src/backprojection/project.ts";
import { settings } from "../src/backprojection/settings.ts";
import { defaultsOf } from "../src/settings.ts";

export const chosen = { ...defaultsOf(settings), scene: 20, edge: 14, pixels: 64, targets: 5, from: 47, to: 53, seed: 3 };
export const small = "scene=20&edge=14&pixels=64&targets=5&from=47&to=53&seed=3";

/** The samples of an aperture, simulated by the package, and the grid. */
export function aperture(ends: readonly [from: number, to: number] = [chosen.from, chosen.to]): {
  readonly history: PhaseHistory;
  readonly grid: GroundGrid;
} {
  const { targets, ...geometry } = simulatedGeometry(chosen);
  const { positions, frequency } = pulsesOf(geometry, aperturePulses(geometry.referenceRangeMeters.length, ends));
  return {
    history: simulatePhaseHistory({ positions, frequency, targets }),
    grid: gridOf({ x: 0, y: 0, edge: chosen.edge }, chosen.pixels),
  };
}

export const figure = (page: Page, name: string): Promise<string> =>
  page
    .locator(`[data-figure=${name}]`)
    .first()
    .textContent()
    .then((text) => text ?? "");
export const numberOf = async (page: Page, name: string): Promise<number> => Number(await figure(page, name));

/** Waits until the image and its quality are there. */
export const finished = (page: Page): Promise<void> =>
  page
    .locator("[data-stage=whole][aria-busy=false]")
    .waitFor()
    .then(() => page.locator("[data-figure=range-measured]").waitFor());

/** Widths of the target in the middle along y and x, of an image of its own. The radar looks along y. */
export async function widths(history: PhaseHistory): Promise<readonly [range: number, cross: number]> {
  using device = await open(cpu());
  const grid = gridOf({ x: 0, y: 0, edge: 12 }, 192);
  const { image } = await backproject(device, history, grid);
  const { azimuth, range } = analysePointTarget({ data: image, rows: 192, columns: 192 }, { row: 96, column: 96 }, { cutHalfPixels: 30 });
  return [(azimuth.irwPixels * 12) / 192, (range.irwPixels * 12) / 192];
}

/** An end of the aperture is at a whole pulse: two turns from one to the next, in degrees. */
export const oneTurn = 120 / simulatedGeometry(chosen).referenceRangeMeters.length;
