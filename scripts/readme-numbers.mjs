// @ts-check
/**
 * Generates the table of numbers in the README from the newest results of the bench. `node scripts/readme-numbers.mjs` writes it between
 * the markers, and `npm run check` fails if it differs.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bench, comparisons, dateOf, newest, short } from "../apps/docs/scripts/results.mjs";
import { root } from "./setup.mjs";

const markers = ["<!-- numbers: made by scripts/readme-numbers.mjs -->", "<!-- end of numbers -->"];

/**
 * The result files, with a name for each case that is shown, and a pattern for our own contender if it is not the first.
 * @type {readonly { what: string, where: string, ours?: RegExp, cases: Readonly<Record<string, RegExp>> }[]}
 */
const chosen = [
  {
    what: "gpu-h200.json",
    where: "H200, WebGPU",
    cases: {
      "FFT, 4096 lines of 4096 points": /^fft c64 4096×4096$/,
      "FFT, 2048 lines of 8192": /^fft c64 2048×8192$/,
      "FFT, 512 lines of 32768": /^fft c64 512×32768$/,
      "FFT, 541,200 lines of 31": /^fft c64 541200×31$/,
      "FFT down the columns of 4096²": /^fft c64 columns of 4096×4096$/,
      "FFT · H · IFFT, 4096 lines of 4096": /^FFT·H·IFFT c64 4096×4096$/,
      "range-Doppler image of 4096² samples": /^range-Doppler c64 4096×4096$/,
    },
  },
  {
    what: "gpu-lines-h200.json",
    where: "H200, WebGPU",
    cases: {
      "FFT, 2097 lines of 8000": /^fft c64 2097×8000$/,
      "FFT, 932 lines of 18,000": /^fft c64 932×18000$/,
    },
  },
  { what: "efa-h200.json", where: "H200, WebGPU", cases: { "adaptive processing (EFA), 256 Doppler bins × 512 ranges": /^EFA/ } },
  {
    what: "epyc-2-cores-node-20.json",
    where: "one core, WASM",
    cases: { "FFT, 1024 lines of 1024 points": /^fft c64 1024×1024$/, "FFT, 256 lines of 4095": /^fft c64 256×4095$/ },
  },
  {
    what: "efa-epyc-2-cores-node-20.json",
    where: "two cores, WASM",
    ours: /^dechirp, 2 units/,
    cases: { "adaptive processing (EFA), 256 Doppler bins × 512 ranges": /^EFA/ },
  },
];

/** The table as Markdown, without markers. */
export function numbers() {
  const rows = chosen.flatMap(({ what, where, ours, cases }) => {
    const results = bench(newest(what));
    return Object.entries(cases).map(([name, pattern]) => {
      const [found] = comparisons(results, pattern, ours && { ours });
      if (!found) throw new Error(`packages/bench/results/${newest(what)} has no case that matches ${pattern}`);
      const peer = found.peer.split(",")[0];
      return `| ${name} | ${where} | ${short(found.ours)} | ${peer}: ${short(found.theirs)} | ${found.ratio.toFixed(2)} |`;
    });
  });
  const dates = [...new Set(chosen.map(({ what }) => dateOf(newest(what))))].sort();
  return [`| ${dates.join(", ")} | on | dechirp, ms | fastest peer, ms | speed-up |`, "| --- | --- | ---: | ---: | ---: |", ...rows].join(
    "\n",
  );
}

/** Returns `text` with the numbers replaced by the current ones. @param {string} text */
export function withNumbers(text) {
  const [start, end] = markers.map((marker) => text.indexOf(/** @type {string} */ (marker)));
  if (start === undefined || end === undefined || start < 0 || end < start) throw new Error(`README.md has no ${markers.join(" and ")}`);
  return `${text.slice(0, start)}${markers[0]}\n\n${numbers()}\n\n${text.slice(end)}`;
}

/** Returns a message if the README's numbers are out of date. @returns {string[]} */
export function staleNumbers() {
  const text = readFileSync(join(root, "README.md"), "utf8");
  return withNumbers(text) === text
    ? []
    : ["README.md: the numbers differ from packages/bench/results; run node scripts/readme-numbers.mjs"];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = join(root, "README.md");
  writeFileSync(file, withNumbers(readFileSync(file, "utf8")));
}
