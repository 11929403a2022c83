/**
 * Jobs that backproject a phase history: a task makes a tile of the image from all pulses. A tile has the bits that it has in the whole
 * image, because the plan of the backprojection is a part of the job, and tiles lie on its block lattice. If pulses are divided into sets, a task
 * makes a tile from one set, and the tile of the image is the sum over the sets (sums.ts).
 */
import { type Device, inputError } from "@dechirp/core";
import { runAbortable } from "@dechirp/core/internal";
import { readPhaseHistory } from "@dechirp/io/node";
import {
  type BackprojectedImagePlan,
  type BackprojectSettings,
  backprojectInWindows,
  createWindowMaker,
  frequenciesFor,
  imageWindowBytes,
  imageWindowRangeShare,
  largestSquareWindow,
  planBackprojectedImage,
  planImageWindows,
  type WindowedImagePlan,
} from "@dechirp/processor";
import { type BackprojectionPlan, createQuicklookAccumulator, latticePixels } from "@dechirp/sar";
import type { JobBody } from "./document.ts";
import { chunkedImage, createChunk } from "./image.ts";
import type { JobKind, JobWorkPlace } from "./kind.ts";
import { chooseSets, pulseRuns, type SetsRequest } from "./pulse-sets.ts";
import { sumTile, sumTiles } from "./sums.ts";

/** Default for the edge of a tile: a task then takes some seconds on a processor. */
const usualTile = 1024;

/** What a job of this kind has decided. */
interface Pinned {
  readonly backprojection: BackprojectionPlan;
  readonly memoryBytes: number;
  readonly channel?: string;
  /** Why there are so many sets of pulses. */
  readonly reason: string;
}

export const backprojectKind: JobKind = {
  name: "backproject",
  title: "an image of a phase history by backprojection, tile by tile",

  async plan(request, device) {
    const { paths, memoryBytes, channel, signal } = request;
    const settings = request.settings as BackprojectSettings;
    await using history = await readHistory(paths, settings, channel, signal);
    if (channel === undefined && (history.channels?.length ?? 0) > 1)
      throw inputError("channel", `one of ${history.channels?.join(", ")}, as a job makes one image`, undefined);
    const plan = await planBackprojectedImage(history, settings, { inputs: paths });
    const division = await planImageWindows(plan, device, { memoryBytes });
    const { plan: chosen, backprojections } = division;
    const { nx, ny } = plan.grid;
    const [pulses, frequencies] = history.shape;
    const { pulseSets, workers } = request;
    const { tile, sets, reason } = chooseSets({
      image: [ny, nx],
      pulses,
      samples: frequencies,
      deviceClass: device.id === "cpu" ? "cpu" : "gpu",
      ...(await tilesOf(request.tile, plan, device, division, pulseSets !== undefined || workers !== undefined)),
      ...(pulseSets !== undefined && { pulseSets }),
      ...(workers !== undefined && { workers }),
    });
    const chunk: [number, number] = [Math.min(tile, ny), Math.min(tile, nx)];
    const pinned: Pinned = { backprojection: chosen, memoryBytes, ...(channel !== undefined && { channel }), reason };
    const ranges = await imageWindowRangeShare(plan, device, chosen, chunk[1], chunk[0]);
    const [, most] = pulseRuns(pulses, sets, chosen.pulsesPerBlock).reduce((a, b) => (b[1] > a[1] ? b : a));
    return {
      settings: settings as JobBody["settings"],
      plan: { ...pinned },
      image: { shape: [ny, nx], chunk, ...(sets > 1 && { sets }) },
      tasks: Math.ceil(ny / chunk[0]) * Math.ceil(nx / chunk[1]) * sets,
      inputs: paths.map((path) => ({ path, role: "recording" as const })),
      work: { amount: backprojections, unit: "backprojections" },
      notes: [
        reason,
        `a task reads ${most} pulses of ${frequencies} frequencies (${((8 * most * frequencies) / 1e6).toPrecision(3)} MB) and keeps ${(100 * ranges).toFixed(0)} % of their ranges`,
      ],
    };
  },

  async open(place) {
    const { job, device, signal } = place;
    const { backprojection, memoryBytes, channel } = pinnedOf(job.plan);
    const settings = job.settings as BackprojectSettings;
    if (job.inputs.some(({ role }) => role !== "recording")) throw inputError("job.inputs", "recordings only", job.inputs);
    const paths: string[] = [];
    for (const input of job.inputs.keys()) paths.push(await place.pathOf(input));
    const history = await readHistory(paths, settings, channel, signal);
    try {
      const names = job.inputs.map(({ path }) => path);
      const plan = await planBackprojectedImage(history, settings, { inputs: names });
      const image = chunkedImage(job);
      const { nx, ny } = plan.grid;
      if (job.image?.shape[0] !== ny || job.image.shape[1] !== nx)
        throw inputError("job.image.shape", `${ny} × ${nx}, as the settings say`, job.image?.shape);
      if (image.sets > history.shape[0])
        throw inputError("job.image.sets", `at most ${history.shape[0]}, the number of pulses`, image.sets);
      const runs = pulseRuns(history.shape[0], image.sets, backprojection.pulsesPerBlock);
      const first = gridWindowOf(image.windowOf(0));
      const keepBytes =
        memoryBytes - (await imageWindowBytes(plan, device, backprojection, first.nx, first.ny)) - sumBytes(image.sets, first);
      const maker = await createWindowMaker(plan, device, backprojection, { first, keepBytes });
      const { xMeters: x, yMeters: y } = plan.axes;
      return {
        async make(task, options) {
          const window = image.windowOf(task);
          const some = image.sets > 1 ? { pulses: runs[image.setOf(task)] } : {};
          const pixels = await maker.make({ gridWindow: gridWindowOf(window), ...some }, options);
          const chunk = createChunk(image, window);
          await chunk.write(window, pixels);
          return new Map([[image.keyOf(task), chunk.bytes()]]);
        },
        ...(image.sets > 1 && {
          async settle(task: number, on: { readonly signal?: AbortSignal }) {
            await sumTile(job, place.store, task % image.tiles, on);
          },
        }),
        image: {
          axes: [
            { name: "y", unit: "m", first: y.start, step: y.step },
            { name: "x", unit: "m", first: x.start, step: x.step },
          ],
          description: plan.description,
          provenance: provenanceOf(place, plan),
          async assemble(parts, { signal: heard, onProgress, quicklook = {} }) {
            const onSum = (share: number): void => onProgress?.("summing", share);
            await sumTiles(job, place.store, { ...(heard && { signal: heard }), onProgress: onSum });
            const spacings = { rowSpacingMeters: Math.abs(y.step), columnSpacingMeters: Math.abs(x.step) };
            const picture = createQuicklookAccumulator(ny, nx, { ...quicklook, ...spacings });
            const read = async (...given: Parameters<typeof parts.read>): Promise<Float32Array> => {
              const data = (await parts.read(...given)) as Float32Array;
              await runAbortable(heard, "the quicklook", picture.addSteps(given[0], data));
              return data;
            };
            const hooks = { inputs: names, memoryBytes, ...(heard && { signal: heard }), ...(onProgress && { onProgress }) };
            const report = await backprojectInWindows(plan, device, { ...parts, read }, hooks);
            return { report, quicklook: await runAbortable(heard, "the quicklook", picture.finishSteps()) };
          },
        },
        async [Symbol.asyncDispose]() {
          maker[Symbol.dispose]();
          await history.close();
        },
      };
    } catch (error) {
      await history.close();
      throw error;
    }
  },
};

const gridWindowOf = ({ row, column, rows, columns }: { row: number; column: number; rows: number; columns: number }) => ({
  ix: column,
  iy: row,
  nx: columns,
  ny: rows,
});

const readHistory = (
  paths: readonly string[],
  settings: BackprojectSettings,
  channel: string | undefined,
  signal: AbortSignal | undefined,
) =>
  readPhaseHistory(paths, {
    frequencies: frequenciesFor(settings),
    ...(channel !== undefined && { channel }),
    ...(signal && { signal }),
  });

/** Bytes that the sum of a tile needs beyond what makes it: float64 sums and a set's image, while the device holds its arrays. */
const sumBytes = (sets: number, { nx, ny }: { readonly nx: number; readonly ny: number }): number => (sets > 1 ? 8 * nx * ny : 0);

/**
 * What edges of a tile there may be: what is asked for, and the longest that the memory holds, also while sets of pulses are summed. Throws
 * `input`, naming `tile`.
 */
async function tilesOf(
  tile: number | undefined,
  plan: BackprojectedImagePlan,
  device: Device,
  division: WindowedImagePlan,
  mayBeSummed: boolean,
): Promise<Pick<SetsRequest, "lattice" | "mostTile" | "usualTile" | "tile">> {
  const lattice = latticePixels(division.plan);
  const { nx, ny } = plan.grid;
  let most = await largestSquareWindow(plan, device, division);
  if (mayBeSummed) {
    const [columns, rows] = [Math.min(most, nx), Math.min(most, ny)];
    const budgetBytes = division.budgetBytes - sumBytes(2, { nx: columns, ny: rows });
    most = await largestSquareWindow(plan, device, { ...division, budgetBytes });
  }
  const usual = Math.min(most, lattice * Math.max(1, Math.round(usualTile / lattice)));
  const edges = { lattice, mostTile: most, usualTile: usual };
  if (tile === undefined) return edges;
  if (!(Number.isInteger(tile) && tile >= 1 && tile % lattice === 0))
    throw inputError("tile", `a multiple of ${lattice} pixels, the block lattice of this image`, tile);
  if (tile > most && most < Math.max(nx, ny)) throw inputError("tile", `at most ${most} pixels, which the memory holds`, tile);
  return { ...edges, tile };
}

/** The decisions of a job. The backprojector checks its plan. Throws `input`. */
function pinnedOf(plan: JobBody["plan"]): Pinned {
  const { backprojection, memoryBytes, channel, reason, ...others } = plan as Partial<Pinned>;
  const [other] = Object.keys(others);
  if (other !== undefined) throw inputError(`job.plan.${other}`, "left out", (others as Record<string, unknown>)[other]);
  if (typeof backprojection !== "object" || backprojection === null)
    throw inputError("job.plan.backprojection", "the plan of a backprojection", backprojection);
  if (!(Number.isSafeInteger(memoryBytes) && (memoryBytes as number) >= 1))
    throw inputError("job.plan.memoryBytes", "a positive integer", memoryBytes);
  if (channel !== undefined && typeof channel !== "string") throw inputError("job.plan.channel", "a text", channel);
  if (typeof reason !== "string") throw inputError("job.plan.reason", "a text", reason);
  return { backprojection, memoryBytes: memoryBytes as number, ...(channel !== undefined && { channel }), reason };
}

const provenanceOf = ({ job }: JobWorkPlace, { recording }: BackprojectedImagePlan) => ({
  job: job.id,
  scene: recording.name,
  settings: job.settings,
  device: job.device,
});
