/**
 * PNG images of SVG documents, in Node: resvg, compiled to WebAssembly, in a process of its own. So this thread's event loop goes on meanwhile, a
 * signal ends the work at once, and a document that breaks resvg breaks nothing else. Text is set in DejaVu Sans, which is an npm package of
 * its own; no font of the system is looked at, so that pictures are the same everywhere and text never vanishes. In a page, a browser draws
 * SVG itself.
 */
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { serialize } from "node:v8";
import { inputError, RadarError, throwIfAborted } from "@dechirp/core";
import { asRadarError } from "@dechirp/core/backend";
import { checkSignal } from "./check.ts";
import { woffFont } from "./node-woff.ts";
import type { PictureOptions } from "./options.ts";

/** Options of `pngOfSvg`. */
export interface PngOptions extends PictureOptions {
  /** Pixels of the image per pixel of the document, above 0 and up to 8; 1 where left out. */
  readonly scale?: number;
}

/** More pixels than that are refused: an image of them takes half a gigabyte. */
const mostPixels = 2 ** 27;

/** What errors say has failed. */
const what = "making a PNG image";

const { resolve } = createRequire(import.meta.url);
const fontFile = (weight: number): string => resolve(`@fontsource/dejavu-sans/files/dejavu-sans-latin-${weight}-normal.woff`);

/** What the process gets on stdin. */
interface Work {
  /** URL of resvg's module, and the file of the WebAssembly that goes with it. */
  readonly module: string;
  readonly wasm: string;
  readonly fonts: readonly Uint8Array[];
  readonly svg: string;
  readonly scale: number;
}

/**
 * The program of the process, which writes the image to stdout. V8 shall not compile resvg a second time with all its optimisations, which takes
 * ten times as long as most pictures do: measured 1.0 s of processor time with Node 20, 0.15 s without. A V8 that does not know these names
 * goes on without them.
 */
const program = `
const v8 = require("node:v8");
for (const flag of ["--no-wasm-tier-up", "--no-wasm-dynamic-tiering"]) v8.setFlagsFromString(flag);
const chunks = [];
process.stdin.on("data", (chunk) => chunks.push(chunk)).on("end", async () => {
  try {
    const { module, wasm, fonts, svg, scale } = v8.deserialize(Buffer.concat(chunks));
    const { initWasm, Resvg } = await import(module);
    await initWasm(require("node:fs").readFileSync(wasm));
    const font = { fontBuffers: fonts, defaultFontFamily: "DejaVu Sans", loadSystemFonts: false };
    process.stdout.write(new Resvg(svg, { fitTo: { mode: "zoom", value: scale }, font }).render().asPng());
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(String(error));
  }
});
`;

/**
 * The bytes of a PNG image of an SVG document, of this package or another, as large as its `width` and `height` say. Rejects with `input` for
 * what is no such document, with `aborted` where the signal fires.
 */
export async function pngOfSvg(svg: string, options: PngOptions = {}): Promise<Uint8Array> {
  checkSignal(options);
  const { scale = 1, signal } = options;
  throwIfAborted(signal, what);
  if (typeof svg !== "string") throw inputError("svg", "text", svg);
  if (!Number.isFinite(scale) || scale <= 0 || scale > 8) throw inputError("scale", "a number above 0 and up to 8", scale);
  const opening = /<svg\b[^>]*>/.exec(svg)?.[0] ?? "";
  const [width, height] = ["width", "height"].map((name) => Number(new RegExp(`\\s${name}="([\\d.]+)(?:px)?"`).exec(opening)?.[1]));
  if (!(width > 0 && height > 0)) throw inputError("svg", "an SVG document with width and height in pixels", svg.slice(0, 80));
  if (width * height * scale * scale > mostPixels)
    throw inputError("svg", `a picture of at most ${mostPixels} pixels`, `${width} × ${height} at scale ${scale}`);
  try {
    const fonts = await Promise.all([400, 700].map(async (weight) => woffFont(await readFile(fontFile(weight)))));
    throwIfAborted(signal, what);
    const wasm = resolve("@resvg/resvg-wasm/index_bg.wasm");
    const module = pathToFileURL(wasm.replace(/index_bg\.wasm$/, "index.mjs")).href;
    return await inProcess({ module, wasm, fonts, svg, scale }, signal);
  } catch (error) {
    throw asRadarError(error, what);
  }
}

async function inProcess(work: Work, signal: AbortSignal | undefined): Promise<Uint8Array> {
  // Of a group of its own, where a terminal's Ctrl-C does not reach it before this process has heard of it. Its options are not this process's.
  const { NODE_OPTIONS: _, ...env } = process.env;
  const child = spawn(process.execPath, ["-e", program], {
    detached: process.platform !== "win32",
    env: { ...env, ELECTRON_RUN_AS_NODE: "1" },
    windowsHide: true,
  });
  const stop = (): void => void child.kill("SIGKILL");
  signal?.addEventListener("abort", stop);
  try {
    const [parts, said]: readonly Buffer[][] = [[], []];
    child.stdout.on("data", (part: Buffer) => parts.push(part));
    child.stderr.on("data", (part: Buffer) => said.push(part));
    // What it could not read, as it had ended, its status tells.
    child.stdin.on("error", () => {});
    child.stdin.end(serialize(work));
    const status = await new Promise<number | string | null>((settle, reject) => {
      child.on("error", reject);
      child.on("close", (code, by) => settle(code ?? by));
    });
    throwIfAborted(signal, what);
    if (status !== 0) {
      const why = Buffer.concat(said).toString().slice(0, 1000) || `the process ended with ${status}`;
      throw new RadarError("failed", `${what} failed: ${why}`, { what });
    }
    return new Uint8Array(Buffer.concat(parts));
  } finally {
    signal?.removeEventListener("abort", stop);
    stop();
  }
}
