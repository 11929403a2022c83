/**
 * A process that writes an image in random windows until it is killed, for sink-resume.test.ts. Arguments: format, path, seed of the
 * order. It prints `open N`, with the number of windows that earlier runs have written, then `done`.
 */
import { createRandom, layout } from "@dechirp/core";
import { npySink, zarrSink } from "../src/node.ts";
import { cut, randomImage, randomPartition, wholeOf } from "./sink-support.ts";

const [format, path, order] = process.argv.slice(2);
const l = layout("c64", [700, 500]);
const image = randomImage(l, 17);
const options = { digest: "of the parameters", resume: true };
const sink = await (format === "npy"
  ? npySink.open(path, l, {}, { ...options, syncBytes: 2 ** 15 })
  : zarrSink.open(path, l, {}, { ...options, chunk: [64, 48] }));
// Parts are the same in all runs, their order is not.
const parts = randomPartition(wholeOf(l), 3000, createRandom(18));
const { uniform } = createRandom(Number(order));
const turned = parts.map((part) => ({ part, at: uniform() })).sort((a, b) => a.at - b.at);
const left = turned.filter(({ part }) => !sink.has(part));
process.stdout.write(`open ${parts.length - left.length}\n`);
for (const { part } of left) await sink.write(part, cut(l, image, part));
await sink.finish();
process.stdout.write("done\n");
