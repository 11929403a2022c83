/**
 * Draws SVG documents in Node, with resvg (compiled to WebAssembly) in a process of its own. The event loop of this thread keeps running, a
 * signal ends the work at once, and a document that crashes resvg does no other harm. Text is set in DejaVu Sans from an npm package. System
 * fonts are not used, so pictures are the same everywhere and text never vanishes.
 */
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { serialize } from "node:v8";
import { inputError, RadarError, throwIfAborted } from "@dechirp/core";
import { woffFont } from "./node-woff.ts";

/** Limit on the number of pixels. An image of this size takes half a gigabyte. */
const mostPixels = 2 ** 27;

/** Name of the work in errors. */
export const what = "making a PNG image";

const { resolve } = createRequire(import.meta.url);
const fontFile = (weight: number): string => resolve(`@fontsource/dejavu-sans/files/dejavu-sans-latin-${weight}-normal.woff`);

/** What the process receives on stdin. */
interface Work {
  readonly fonts: readonly Uint8Array[];
  readonly svg: string;
  readonly scale: number;
  readonly form: Form;
}

/** What is made of a document: a PNG file, or four bytes for each pixel (red, green and blue times alpha, and alpha). */
type Form = "png" | "pixels";

/**
 * The program of the process, which writes the image to stdout. It loads resvg before it has got the document. It keeps V8 from compiling resvg
 * a second time with all optimisations, which would take ten times as long as most pictures: with Node 20, 1.0 s of processor time were
 * measured with it and 0.15 s without. A V8 that does not know these flags ignores them.
 */
const program = `
const v8 = require("node:v8");
for (const flag of ["--no-wasm-tier-up", "--no-wasm-dynamic-tiering"]) v8.setFlagsFromString(flag);
const [, module, wasm] = process.argv;
const ready = import(module).then(async (resvg) => {
  await resvg.initWasm(require("node:fs").readFileSync(wasm));
  return resvg;
});
ready.catch(() => {});
const chunks = [];
process.stdin.on("data", (chunk) => chunks.push(chunk)).on("end", async () => {
  if (chunks.length === 0) process.exit();
  try {
    const { Resvg } = await ready;
    const { fonts, svg, scale, form } = v8.deserialize(Buffer.concat(chunks));
    const font = { fontBuffers: fonts, defaultFontFamily: "DejaVu Sans", loadSystemFonts: false };
    const drawn = new Resvg(svg, { fitTo: { mode: "zoom", value: scale }, font }).render();
    process.stdout.write(form === "png" ? drawn.asPng() : drawn.pixels);
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(String(error));
  }
});
`;

/** A process that can draw one document. */
export interface Renderer extends Disposable {
  /**
   * Draws a document at `scale` pixels for each of its own. Rejects with `input` if it has no size or is too large, with `failed` if the process
   * fails, and with `aborted`.
   */
  draw(svg: string, scale: number, form: Form): Promise<Uint8Array>;
}

type Child = ReturnType<typeof startChild>;

/** A process that waits for the next document. */
let waiting: Child | undefined;

/**
 * Starts the process of the next renderer before it is wanted. It does not keep Node alive, and ends with this process if no document comes.
 */
export function prepareRenderer(): void {
  if (waiting) return;
  const child = startChild();
  waiting = child;
  const forget = (): void => {
    if (waiting === child) waiting = undefined;
  };
  child.on("error", forget).on("exit", forget);
  hold(child, "unref");
}

/** Makes a process keep Node alive, or the opposite. */
function hold(child: Child, how: "ref" | "unref"): void {
  child[how]();
  for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as Partial<Record<"ref" | "unref", () => void>>)[how]?.();
}

function startChild() {
  const wasm = resolve("@resvg/resvg-wasm/index_bg.wasm");
  const module = pathToFileURL(wasm.replace(/index_bg\.wasm$/, "index.mjs")).href;
  // In a process group of its own, so that a terminal's Ctrl-C does not reach it before this process has handled it. Node options of
  // this process do not apply to it.
  const { NODE_OPTIONS: _, ...env } = process.env;
  return spawn(process.execPath, ["-e", program, module, wasm], {
    detached: process.platform !== "win32",
    env: { ...env, ELECTRON_RUN_AS_NODE: "1" },
    windowsHide: true,
  });
}

/** Starts the process, or takes the one that waits. It ends when it is disposed of, or when the signal fires. */
export function startRenderer(signal: AbortSignal | undefined): Renderer {
  throwIfAborted(signal, what);
  const child = waiting ?? startChild();
  if (waiting) hold(child, "ref");
  waiting = undefined;
  const stop = (): void => void child.kill("SIGKILL");
  signal?.addEventListener("abort", stop);
  const [parts, said]: readonly Buffer[][] = [[], []];
  child.stdout.on("data", (part: Buffer) => parts.push(part));
  child.stderr.on("data", (part: Buffer) => said.push(part));
  // If the process ends before it has read everything, its status tells why.
  child.stdin.on("error", () => {});
  const ended = new Promise<number | string | null>((settle, reject) => {
    child.on("error", reject);
    child.on("close", (code, by) => settle(code ?? by));
  });
  ended.catch(() => {});
  return {
    async draw(svg, scale, form) {
      checkDocument(svg, scale);
      const fonts = await Promise.all([400, 700].map(async (weight) => woffFont(await readFile(fontFile(weight)))));
      throwIfAborted(signal, what);
      child.stdin.end(serialize({ fonts, svg, scale, form } satisfies Work));
      const status = await ended;
      throwIfAborted(signal, what);
      if (status !== 0) {
        const why = Buffer.concat(said).toString().slice(0, 1000) || `the process ended with ${status}`;
        throw new RadarError("failed", `${what} failed: ${why}`, { what });
      }
      return new Uint8Array(Buffer.concat(parts));
    },
    [Symbol.dispose]() {
      signal?.removeEventListener("abort", stop);
      stop();
    },
  };
}

/** Throws `input` unless a document has a size and is small enough. */
export function checkDocument(svg: unknown, scale: number): void {
  if (typeof svg !== "string") throw inputError("svg", "text", svg);
  const opening = /<svg\b[^>]*>/.exec(svg)?.[0] ?? "";
  const [width, height] = ["width", "height"].map((name) => Number(new RegExp(`\\s${name}="([\\d.]+)(?:px)?"`).exec(opening)?.[1]));
  if (!(width > 0 && height > 0)) throw inputError("svg", "an SVG document with width and height in pixels", svg.slice(0, 80));
  if (width * height * scale * scale > mostPixels)
    throw inputError("svg", `a picture of at most ${mostPixels} pixels`, `${width} × ${height} at scale ${scale}`);
}
