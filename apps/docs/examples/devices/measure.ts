import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { fft, layout, open } from "@dechirp/core";
import { gpu, type Wisdom, wisdomOf } from "@dechirp/fft-gpu";

const file = "wisdom.json";
const wisdom = existsSync(file) ? (JSON.parse(await readFile(file, "utf8")) as Wisdom) : undefined;

using device = await open(gpu({ effort: "measure", ...(wisdom && { wisdom }) }));
const plan = await device.plan(fft(layout("c64", [256, 64]), { axis: 1 })); // measured, unless it is known

await writeFile(file, JSON.stringify(wisdomOf(device)));
using next = await open(gpu({ wisdom: wisdomOf(device) }));
console.log((await next.plan(plan.op)).text === plan.text);
