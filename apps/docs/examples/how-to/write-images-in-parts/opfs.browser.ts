// An image that a page writes in parts to its private file system, and reads back.
import { layout } from "@dechirp/core";
import { createNpySink, readNpy } from "@dechirp/io";

const root = await navigator.storage.getDirectory();
const file = await root.getFileHandle("image.npy", { create: true });
const stream = await file.createWritable();
const target = { write: (position: number, data: Uint8Array) => stream.write({ type: "write", position, data: new Uint8Array(data) }) };

const sink = await createNpySink(target, layout("c64", [512, 256]));
for (let row = 512 - 64; row >= 0; row -= 64)
  await sink.write({ row, column: 0, rows: 64, columns: 256 }, new Float32Array(2 * 64 * 256).fill(row));
await sink.finish();
await stream.close(); // the file appears now

const bytes = new Uint8Array(await (await file.getFile()).arrayBuffer());
const image = await readNpy(bytes, { file: "image.npy" });
document.body.textContent = `${image.layout.dtype}, first ${image.data[0]}, last ${image.data[image.data.length - 1]}`;
document.body.dataset["done"] = "yes";
