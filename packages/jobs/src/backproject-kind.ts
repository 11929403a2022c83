/**
 * Jobs that backproject a phase history: a task makes a tile of the image from all pulses. A tile has the bits that it has in the whole
 * image, because the plan of the backprojection is a part of the job, and tiles lie on its block lattice.
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
  largestSquareWindow,
  planBackprojectedImage,
  planImageWindows,
  type WindowedImagePlan,
} from "@dechirp/processor";
import { type BackprojectionPlan, createQuicklookAccumulator, latticePixels } from "@dechirp/sar";
import type { JobBody } from "./document.ts";
import { chunkedImage, createChunk } from "./image.ts";
import type { JobKind, JobWorkPlace } from "./kind.ts";

/** Default for the edge of a tile: a task then takes some seconds on a processor. */
const usualTile = 1024;

/** What a job of this kind has decided. */
interface Pinned {
  readonly backprojection: BackprojectionPlan;
  readonly memoryBytes: number;
  readonly channel?: string;
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
    const tile = await tileOf(request.tile, plan, device, division);
    const { nx, ny } = plan.grid;
    const chunk: [number, number] = [Math.min(tile, ny), Math.min(tile, nx)];
    const pinned: Pinned = { backprojection: chosen, memoryBytes, ...(channel !== undefined && { channel }) };
    return {
      settings: settings as JobBody["settings"],
      plan: { ...pinned },
      image: { shape: [ny, nx], chunk },
      tasks: Math.ceil(ny / chunk[0]) * Math.ceil(nx / chunk[1]),
      inputs: paths.map((path) => ({ path, role: "recording" as const })),
      work: { amount: backprojections, unit: "backprojections" },
    };
  },

  async open(place) {
    const { job, device, signal } = place;
    const { backprojection, memoryBytes, channel } = pinnedOf(job.plan);
    const settings = job.settings as BackprojectSettings;
    if (job.inputs.some(({ role }) => role !== "recording")) throw inputError("job.inputs", "recordings only", job.inputs);
    const history = await readHistory(place.paths, settings, channel, signal);
    try {
      const names = job.inputs.map(({ path }) => path);
      const plan = await planBackprojectedImage(history, settings, { inputs: names });
      const image = chunkedImage(job);
      const { nx, ny } = plan.grid;
      if (job.image?.shape[0] !== ny || job.image.shape[1] !== nx)
        throw inputError("job.image.shape", `${ny} × ${nx}, as the settings say`, job.image?.shape);
      const maker = await createWindowMaker(plan, device, backprojection, gridWindowOf(image.windowOf(0)));
      const { xMeters: x, yMeters: y } = plan.axes;
      return {
        keysOf: (task) => [image.keyOf(task)],
        async make(task, options) {
          const window = image.windowOf(task);
          const pixels = await maker.make({ gridWindow: gridWindowOf(window) }, options);
          const chunk = createChunk(image, window);
          await chunk.write(window, pixels);
          return new Map([[image.keyOf(task), chunk.bytes()]]);
        },
        image: {
          axes: [
            { name: "y", unit: "m", first: y.start, step: y.step },
            { name: "x", unit: "m", first: x.start, step: x.step },
          ],
          description: plan.description,
          provenance: provenanceOf(place, plan),
          async assemble(parts, { signal: heard, onProgress, quicklook = {} }) {
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

/** The edge of a tile: what is asked for, or the usual one if the memory holds it, or less. Throws `input`, naming `tile`. */
async function tileOf(
  tile: number | undefined,
  plan: BackprojectedImagePlan,
  device: Device,
  division: WindowedImagePlan,
): Promise<number> {
  const lattice = latticePixels(division.plan);
  const most = await largestSquareWindow(plan, device, division);
  if (tile === undefined) return Math.min(most, lattice * Math.max(1, Math.round(usualTile / lattice)));
  if (!(Number.isInteger(tile) && tile >= 1 && tile % lattice === 0))
    throw inputError("tile", `a multiple of ${lattice} pixels, the block lattice of this image`, tile);
  if (tile > most && most < Math.max(plan.grid.nx, plan.grid.ny))
    throw inputError("tile", `at most ${most} pixels, which the memory holds`, tile);
  return tile;
}

/** The decisions of a job. The backprojector checks its plan. Throws `input`. */
function pinnedOf(plan: JobBody["plan"]): Pinned {
  const { backprojection, memoryBytes, channel, ...others } = plan as Partial<Pinned>;
  const [other] = Object.keys(others);
  if (other !== undefined) throw inputError(`job.plan.${other}`, "left out", (others as Record<string, unknown>)[other]);
  if (typeof backprojection !== "object" || backprojection === null)
    throw inputError("job.plan.backprojection", "the plan of a backprojection", backprojection);
  if (!(Number.isSafeInteger(memoryBytes) && (memoryBytes as number) >= 1))
    throw inputError("job.plan.memoryBytes", "a positive integer", memoryBytes);
  if (channel !== undefined && typeof channel !== "string") throw inputError("job.plan.channel", "a text", channel);
  return { backprojection, memoryBytes: memoryBytes as number, ...(channel !== undefined && { channel }) };
}

const provenanceOf = ({ job }: JobWorkPlace, { recording }: BackprojectedImagePlan) => ({
  job: job.id,
  scene: recording.name,
  settings: job.settings,
  device: job.device,
});
