/** Focuses raw samples in memory block by block, for tests: the loop that the processor runs on recordings. */
import { compile, type Device, dtypes, type TypedArrayOf } from "@dechirp/core";
import { runToEnd } from "@dechirp/core/internal";
import { type BlockPlan, blockProgramSteps, type ImageGeometry, type RangeDopplerParams } from "../src/index.ts";

/** The image [row][column] of `raw` [line][sample] in the blocks of a plan. */
export async function imageInBlocks(
  device: Device,
  params: RangeDopplerParams,
  whole: ImageGeometry,
  plan: BlockPlan,
  raw: TypedArrayOf<"c64" | "ci8" | "ci16">,
): Promise<Float32Array> {
  const programs = plan.swaths.map((_, swath) => runToEnd(blockProgramSteps(params, whole, plan, swath)));
  const [{ program }] = programs;
  using compiled = await compile(program, device);
  const buffers = Object.fromEntries(Object.entries(compiled.layouts).map(([name, layout]) => [name, device.alloc(layout, name)]));
  try {
    const image = new Float32Array(2 * whole.rows * whole.cells);
    const { lines, samples } = params;
    const block = new dtypes[params.rawType ?? "c64"].array(2 * plan.lines * plan.samples) as typeof raw;
    const gains = new Float32Array(plan.lines);
    for (const { firstLine, swath, window, from } of plan.blocks) {
      for (const [name, { data }] of Object.entries(programs[swath].tables)) buffers[name].write(data);
      block.fill(0);
      gains.fill(0);
      const first = plan.swaths[swath].firstSample;
      const [start, end] = [Math.max(0, first), Math.min(samples, first + plan.samples)];
      for (let line = Math.max(0, firstLine); line < Math.min(lines, firstLine + plan.lines); line++) {
        const part = raw.subarray(2 * (line * samples + start), 2 * (line * samples + end));
        block.set(part, 2 * ((line - firstLine) * plan.samples + start - first));
        gains[line - firstLine] = params.lineGain?.[line] ?? 1;
      }
      buffers["raw"].write(block);
      buffers["lineGain"]?.write(gains);
      await compiled.run(buffers).done;
      const made = (await buffers["image"].read()) as Float32Array;
      const columns = compiled.layouts["image"].shape[1];
      for (let row = 0; row < window.rows; row++) {
        const at = 2 * ((from[0] + row) * columns + from[1]);
        image.set(made.subarray(at, at + 2 * window.columns), 2 * ((window.row + row) * whole.cells + window.column));
      }
    }
    return image;
  } finally {
    for (const buffer of Object.values(buffers)) buffer[Symbol.dispose]();
  }
}
