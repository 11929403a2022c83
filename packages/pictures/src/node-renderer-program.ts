/**
 * The program of the process that draws pictures (node-renderer.ts starts it): Vega makes SVG documents of specifications, and resvg, compiled to
 * WebAssembly, draws them. It is one text that Node gets on the command line, so that it is the same wherever this package's modules lie, and it takes
 * some of its functions from them as text.
 */
import { bundledVega } from "./node-vega.ts";
import { woffFont } from "./node-woff.ts";
import { svgOfSpec } from "./vega.ts";

/** What the process is told: a document to draw. */
export interface Drawing {
  /** An SVG document, or a specification of Vega. */
  readonly document: string | object;
  /** Pixels for each pixel of the document. */
  readonly scale: number;
  readonly form: Form;
}

/**
 * What is made of a document: nothing, because what is needed for the next document is loaded and compiled on the way; a PNG file; or pixels, which are
 * red, green and blue times alpha, and alpha, or one byte if all are grey and opaque.
 */
export type Form = "nothing" | "png" | "pixels";

/** What the process answers to a document, unless it is to make nothing of it. `code` is that of the system's or of Node's error, if it was one. */
export type Answer = { readonly made: Uint8Array } | { readonly error: string; readonly code?: unknown };

/** One byte for each pixel, if all are grey and opaque. Its text is part of the program, so it refers to nothing outside itself. */
function greyOf(drawing: Uint8Array): Uint8Array {
  const pixels = new Uint32Array(drawing.buffer, drawing.byteOffset, drawing.length / 4);
  const grey = new Uint8Array(pixels.length);
  for (let i = 0; i < grey.length; i++) {
    const level = pixels[i] & 255;
    if (pixels[i] !== 255 * 2 ** 24 + level * 65793) return drawing;
    grey[i] = level;
  }
  return grey;
}

/**
 * The program. Its argument is the URL of a module of this package. It loads resvg and the fonts before it is told anything. It keeps V8 from
 * compiling resvg a second time with all optimisations, which would take ten times as long as most pictures: with Node 20, 1.0 s of processor time
 * were measured with it and 0.15 s without. A V8 that does not know these flags ignores them.
 */
export const program = `
const v8 = require("node:v8");
for (const flag of ["--no-wasm-tier-up", "--no-wasm-dynamic-tiering"]) v8.setFlagsFromString(flag);
// resvg asks whether it got a response of fetch. Node would load all of fetch for the answer, which takes 70 ms.
globalThis.Request = globalThis.Response = undefined;
const { readFileSync } = require("node:fs");
const { pathToFileURL } = require("node:url");
const { inflateSync } = require("node:zlib");
const base = process.argv[1];
const { resolve } = require("node:module").createRequire(base);
const load = (path) => import(pathToFileURL(path).href);
// Some tools that join modules call this in functions, to keep their names.
const __name = (named) => named;
const svgOfSpec = ${svgOfSpec};
const bundledVega = ${bundledVega};
const greyOf = ${greyOf};
const woffFont = ${woffFont};
const wasm = resolve("@resvg/resvg-wasm/index_bg.wasm");
const ready = load(wasm.replace("index_bg.wasm", "index.mjs")).then(async (resvg) => {
  await resvg.initWasm(readFileSync(wasm));
  const fonts = [400, 700].map((weight) =>
    woffFont(readFileSync(resolve("@fontsource/dejavu-sans/files/dejavu-sans-latin-" + weight + "-normal.woff")), inflateSync));
  return { ...resvg, fonts };
});
ready.catch(() => {});
let vega;
const loadVega = () =>
  Promise.all([bundledVega(base) ?? load(resolve("vega")), load(resolve("vega-interpreter"))]).catch((error) => {
    // What hinders one picture, such as too many open files, need not hinder the next.
    vega = undefined;
    throw error;
  });
async function make({ document, scale, form }) {
  const { Resvg, fonts } = await ready;
  const svg = typeof document === "string" ? document : await svgOfSpec(await (vega ??= loadVega()), document);
  const font = { fontBuffers: fonts, defaultFontFamily: "DejaVu Sans", loadSystemFonts: false };
  const drawn = new Resvg(svg, { fitTo: { mode: "zoom", value: scale }, font }).render();
  return form === "png" ? drawn.asPng() : greyOf(drawn.pixels);
}
let before = Promise.resolve();
process.on("message", (message) => {
  before = before.then(async () => {
    const answer = await make(message).then((made) => ({ made }), (error) => ({ error: String(error), code: error?.code }));
    if (message.form !== "nothing") process.send(answer);
  });
});
`;
