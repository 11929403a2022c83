import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRandom, evaluate, open } from "@dechirp/core";
import { decodeProgram } from "@dechirp/core/json";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";

const program = decodeProgram(readFileSync(0, "utf8"));
const { gaussian } = createRandom(7);
const echoes = Float32Array.from({ length: 2 * 64 * 1000 }, gaussian);
for (const backends of [[cpu()], [gpu(), cpu()]]) {
  const device = await open(...backends);
  const { spectra } = await evaluate(program, device, { echoes });
  console.log(createHash("sha256").update(spectra).digest("hex"));
  device[Symbol.dispose]();
}
