/**
 * Converts SVG documents to PNG in Node, with resvg (compiled to WebAssembly) in a process of its own. The event loop of this thread
 * keeps running, a signal ends the work at once, and a document that crashes resvg does no other harm. Text is set in DejaVu Sans from
 * an npm package. System fonts are not used, so pictures are the same everywhere and text never vanishes. In a web page the browser
 * draws SVG itself.
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
  /** Pixels of the image per pixel of the document, above 0 and up to 8. Default: 1. */
  readonly scale?: number;
}

/** Limit on the number of pixels. An image of this size takes half a gigabyte. */
const mostPixels = 2 ** 27;

/** Name of the work in errors. */
const what = "making a PNG image";

const { resolve } = createRequire(import.meta.url);
const fontFile = (weight: number): string => resolve(`@fontsource/dejavu-sans/files/dejavu-sans-latin-${weight}-normal.woff`);

/** What the process receives on stdin. */
interface Work {
  /** URL of resvg's module, and path of its WebAssembly file. */
  readonly module: string;
  readonly wasm: string;
  readonly fonts: readonly Uint8Array[];
  readonly svg: string;
  readonly scale: number;
}

/**
 * The program of the process, which writes the image to stdout. It keeps V8 from compiling resvg a second time with all optimisations,
 * which would take ten times as long as most pictures: with Node 20, 1.0 s of processor time were measured with it and 0.15 s without.
 * A V8 that does not know these flags ignores them.
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
 * Converts an SVG document to a PNG image and resolves with its bytes. The document may come from this package or elsewhere; its size
 * is that of its `width` and `height`. Rejects with `input` if it is not such a document, and with `aborted` if the signal fires.
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
  // In a process group of its own, so that a terminal's Ctrl-C does not reach it before this process has handled it. Node options of
  // this process do not apply to it.
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
    // If the process ends before it has read everything, its status tells why.
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
