// An image that is written and measured in blocks of rows, stopped, and gone on with.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom, layout } from "@dechirp/core";
import { encodePng, parametersDigest } from "@dechirp/io";
import { npySink } from "@dechirp/io/node";
import type { ImageWindow } from "@dechirp/radar";
import { createFocusAccumulator, createPointTargetCollector, createQuicklookAccumulator } from "@dechirp/sar";

const folder = await mkdtemp(join(tmpdir(), "parts-"));
const path = join(folder, "image.npy");
const [rows, columns] = [1024, 512];
const target = { row: 500.25, column: 300 };

/** A block of the image: a point target on noise. It stands for a processor that focuses block by block. */
function block({ row, rows: count }: ImageWindow): Float32Array {
  const random = createRandom(row + 1);
  const data = Float32Array.from({ length: 2 * count * columns }, () => 1e-3 * random.gaussian());
  const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));
  for (let i = 0; i < count; i++)
    for (let k = 0; k < columns; k++) data[2 * (i * columns + k)] += sinc(0.8 * (row + i - target.row)) * sinc(0.8 * (k - target.column));
  return data;
}
const blocks = Array.from({ length: 8 }, (_, k): ImageWindow => ({ row: 128 * k, column: 0, rows: 128, columns }));

// #region write
const image = layout("c64", [rows, columns]);
const digest = await parametersDigest({ prfHz: 1000, window: "kaiser:2.5" });
const sink = await npySink.open(path, image, {}, { digest });
for (const window of blocks.slice(0, 3)) await sink.write(window, block(window));
await sink.abort({ keep: true }); // or the process is killed
// #endregion write

// #region resume
const next = await npySink.open(path, image, {}, { digest, resume: true });
console.log("written:", next.written());
for (const window of blocks) if (!next.has(window)) await next.write(window, block(window));
await next.finish();
console.log("bytes:", (await readFile(path)).length);
// #endregion resume

// #region measure
const focus = createFocusAccumulator(rows, columns);
const picture = createQuicklookAccumulator(rows, columns, { maxSide: 256 });
const targets = createPointTargetCollector(rows, columns, [{ row: 500, column: 300 }]);
for (const window of blocks) {
  const data = block(window);
  for (const measure of [focus, picture, targets]) measure.add(window, data);
}
console.log("entropy:", focus.finish().entropy.toFixed(2));
const { width, height, data: gray } = picture.finish();
const png = await encodePng({ width, height, data: gray });
console.log("picture:", `${width} × ${height}`, png.length > 0);
console.log("target at:", targets.measure(0).row.toFixed(2), targets.measure(0).column.toFixed(2));
// #endregion measure

await rm(folder, { recursive: true });
