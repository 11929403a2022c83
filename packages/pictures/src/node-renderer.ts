/**
 * Draws pictures in Node, in a process of its own (node-renderer-program.ts). The event loop of this thread keeps running, a signal ends the work at
 * once, and a document that crashes resvg does no other harm. Text is set in DejaVu Sans from an npm package. System fonts are not used, so pictures
 * are the same everywhere and text never vanishes.
 */
import { spawn } from "node:child_process";
import { inputError, RadarError, throwIfAborted } from "@dechirp/core";
import type { Spec } from "vega";
import { type Answer, type Drawing, type Form, program } from "./node-renderer-program.ts";

/** Limit on the number of pixels. An image of this size takes half a gigabyte. */
const mostPixels = 2 ** 27;

/** Name of the work in errors. */
export const what = "making a PNG image";

/** A process that can draw one document. */
export interface Renderer extends Disposable {
  /**
   * Draws an SVG document, or a specification of Vega, at `scale` pixels for each of its own. Rejects with `input` if it has no size or is too large,
   * with `failed` if the process fails, and with `aborted`.
   */
  draw(document: string | Spec, scale: number, form: Form): Promise<Uint8Array>;
}

type Child = ReturnType<typeof start>;

/** A process that waits for the next document. */
let waiting: Child | undefined;

/**
 * Starts the process of the next renderer before it is wanted, and lets it draw what `rehearsal` makes, so that all is loaded and compiled when a
 * document like it comes. It does not keep Node alive, and ends with this process if no document comes.
 */
export function prepareRenderer(rehearsal: () => Promise<Spec>): void {
  if (waiting) return;
  const child = start();
  waiting = child;
  const forget = (): void => {
    if (waiting === child) waiting = undefined;
  };
  child.on("error", forget).on("exit", forget);
  hold(child, "unref");
  // What is wrong shows with the picture.
  rehearsal().then(
    (document) => send(child, { document, scale: 1, form: "nothing" }),
    () => {},
  );
}

/** Makes a process keep Node alive, or the opposite. */
function hold(child: Child, how: "ref" | "unref"): void {
  child[how]();
  for (const stream of [child.channel, child.stderr]) (stream as Partial<Record<"ref" | "unref", () => void>> | undefined)?.[how]?.();
}

/** Sends a drawing. If the process has ended, its status tells why. */
function send(child: Child, drawing: Drawing): void {
  if (child.connected) child.send(drawing, () => {});
}

function start() {
  // Node options of this process do not apply to it.
  const { NODE_OPTIONS: _, ...env } = process.env;
  return spawn(process.execPath, ["-e", program, import.meta.url], {
    // In a process group of its own, so that a terminal's Ctrl-C does not reach it before this process has handled it.
    detached: process.platform !== "win32",
    env: { ...env, ELECTRON_RUN_AS_NODE: "1" },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    serialization: "advanced",
    windowsHide: true,
  });
}

/** Starts the process, or takes the one that waits. It ends when it is disposed of, or when the signal fires. */
export function startRenderer(signal: AbortSignal | undefined): Renderer {
  throwIfAborted(signal, what);
  const child = waiting ?? start();
  if (waiting) hold(child, "ref");
  waiting = undefined;
  const stop = (): void => void child.kill("SIGKILL");
  signal?.addEventListener("abort", stop);
  const said: Buffer[] = [];
  child.stderr?.on("data", (part: Buffer) => said.push(part));
  const answered = new Promise<Answer>((settle, reject) => {
    child.on("error", reject);
    child.on("message", settle);
    child.on("close", (code, by) => settle({ error: Buffer.concat(said).toString() || `the process ended with ${code ?? by}` }));
  });
  answered.catch(() => {});
  return {
    async draw(document, scale, form) {
      checkDocument(document, scale);
      send(child, { document, scale, form });
      const answer = await answered;
      throwIfAborted(signal, what);
      if ("error" in answer) {
        const { error, code } = answer;
        const cause = code === undefined ? undefined : Object.assign(new Error(error), { code });
        throw new RadarError("failed", `${what} failed: ${error.slice(0, 1000)}`, { what }, cause);
      }
      return answer.made;
    },
    [Symbol.dispose]() {
      signal?.removeEventListener("abort", stop);
      stop();
    },
  };
}

/** Throws `input` unless a document has a size and is small enough. */
export function checkDocument(document: unknown, scale: number): void {
  const [width, height] = sizeOf(document);
  if (!(width > 0 && height > 0))
    throw inputError(
      "svg",
      "an SVG document with width and height in pixels",
      typeof document === "string" ? document.slice(0, 80) : document,
    );
  if (width * height * scale * scale > mostPixels)
    throw inputError("svg", `a picture of at most ${mostPixels} pixels`, `${width} × ${height} at scale ${scale}`);
}

/** Width and height of an SVG document or a specification. NaN if there are none. */
function sizeOf(document: unknown): readonly number[] {
  const names = ["width", "height"] as const;
  if (typeof document !== "string") return names.map((name) => Number((document as Spec | null | undefined)?.[name]));
  const opening = /<svg\b[^>]*>/.exec(document)?.[0] ?? "";
  return names.map((name) => Number(new RegExp(`\\s${name}="([\\d.]+)(?:px)?"`).exec(opening)?.[1]));
}
