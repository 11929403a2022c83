// #region program
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { createRandom, evaluate, fft, layout, open, program } from "@dechirp/core";
import { load, times } from "@dechirp/core/expression";
import { encodeProgram } from "@dechirp/core/json";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";

const lines = layout("c64", [64, 1000]);
const window = Float32Array.from({ length: 1000 }, (_, i) => 0.54 - 0.46 * Math.cos((2 * Math.PI * i) / 999));
const windowed = load({ layout: lines, sources: { x: lines, w: layout("f32", [1000]) } }, ({ at, x, w }) => times(x(at), w(at[1])));

const spectra = program({
  name: "spectra",
  inputs: { echoes: lines },
  constants: { window: { layout: layout("f32", [1000]), data: window } },
  steps: [{ name: "range", op: fft(lines, { axis: 1, n: 1024, load: windowed }), bind: { x: "echoes", w: "window", out: "spectra" } }],
  outputs: ["spectra"],
});
// #endregion program

// #region send
const text = JSON.stringify(encodeProgram(spectra));
const receiver = fileURLToPath(new URL("receive.process.mjs", import.meta.url));
const { stdout } = spawnSync(process.execPath, [receiver], { input: text, encoding: "utf8" });
const [onCpu, onGpu] = stdout.trim().split("\n");
// #endregion send

// #region compare
const { gaussian } = createRandom(7); // the receiver makes the same echoes
const echoes = Float32Array.from({ length: 2 * 64 * 1000 }, gaussian);
for (const [name, backends, there] of [
  ["CPU", [cpu()], onCpu],
  ["GPU", [gpu(), cpu()], onGpu],
] as const) {
  using device = await open(...backends);
  const here = await evaluate(spectra, device, { echoes });
  const same = createHash("sha256").update(here.spectra).digest("hex") === there;
  console.log(`${name}: ${same ? "every bit is the same" : "the results differ"}`);
}
// #endregion compare
