// @ts-check
/**
 * Checks the packed packages in a page. `scripts/app` is bundled by Vite without any setting, and also served by Vite's development
 * server. It is opened in headless Chromium with and without the headers that let a page share memory, and the built page under a strict
 * content security policy. The page's results must be right.
 * It can load only the packages that are installed in its folder.
 */

import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { build, createServer } from "vite";
import { isolation, launchBrowser, serve } from "../packages/fft-gpu/scripts/browser.mjs";
import { SetUpError } from "./setup.mjs";

const types = { ".html": "text/html", ".js": "text/javascript" };

/** Allows the page's own files and WebAssembly. */
const policy = {
  "Content-Security-Policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src data:",
};

/** The largest allowed error of a target's position: a sixteenth of a pixel. */
const mostOffset = 1 / 16;
/**
 * The largest allowed relative L2 difference between two devices: each may have 8·ε·√log₂N of single precision, where N is the number of
 * pixels.
 */
const mostApart = 2 * 8 * 2 ** -23 * Math.sqrt(20);

/**
 * Opens a page and checks its result. Returns how long that took in milliseconds: half a minute if SwiftShader compiles the kernels of
 * `?gpu`.
 * @param {Awaited<ReturnType<typeof launchBrowser>>} browser @param {string} url @param {boolean} isolated
 */
async function visit(browser, url, isolated) {
  const start = performance.now();
  const page = await browser.newPage();
  /** @type {string[]} */
  const uncaught = [];
  page.on("pageerror", (error) => uncaught.push(error.stack ?? String(error)));
  page.on("console", (message) => message.type() === "error" && uncaught.push(message.text()));
  try {
    await page.goto(url);
    await page.waitForSelector("body[data-result], body[data-error]", { timeout: 120_000, state: "attached" }).catch(() => {});
    const [result, error] = /** @type {[string | undefined, string | undefined]} */ (
      await page.evaluate("[document.body.dataset.result, document.body.dataset.error]")
    );
    if (!result || uncaught.length > 0) throw new SetUpError(`${url}: ${[error ?? "no result", ...uncaught].join("\n")}`);
    const found = JSON.parse(result);
    const right = {
      "the page shares memory exactly if it is isolated": found.isolated === isolated,
      "the CPU has its workers": found.cpu.units === (isolated ? 2 : 1),
      "there are five targets": found.targets === 5,
      "the CPU's image is right": found.cpu.offset < mostOffset,
      ...(url.endsWith("?gpu") && {
        "the GPU's image is right": found.gpu?.offset < mostOffset,
        "both images agree": found.gpu?.apart < mostApart,
      }),
    };
    const wrong = Object.entries(right).filter(([, is]) => !is);
    if (wrong.length > 0)
      throw new SetUpError(`${url}: these checks failed: ${wrong.map(([what]) => what).join(", ")}; the page's result is ${result}`);
    return Math.round(performance.now() - start);
  } finally {
    await page.close();
  }
}

/**
 * Serves the files of a folder with a strict policy: under `/isolated/` with the headers for shared memory, and under `/plain/` without.
 * @param {string} folder @returns {(path: string) => import("../packages/fft-gpu/scripts/browser.mjs").Served | undefined}
 */
const filesOf = (folder) => (url) => {
  const [, way, ...path] = (url.split("?")[0] ?? "").split("/");
  const file = path.join("/") || "index.html";
  try {
    const type = types[/** @type {".html" | ".js"} */ (extname(file))] ?? "application/octet-stream";
    return { type, content: readFileSync(join(folder, file)), headers: { ...policy, ...(way === "isolated" && isolation) } };
  } catch {
    return undefined;
  }
};

/**
 * Checks the page in `folder`, in which the packages are installed.
 * @param {string} folder @returns {Promise<string>} a summary with the times
 */
export async function checkApp(folder) {
  const common = /** @type {const} */ ({ root: folder, configFile: false, logLevel: "error" });
  await build({ ...common, base: "./" });
  const server = await serve(filesOf(join(folder, "dist")));
  const development = await createServer({ ...common, server: { host: "127.0.0.1", port: 0, headers: isolation } });
  const browser = await launchBrowser();
  try {
    await development.listen();
    const times = [
      `built, on both backends: ${await visit(browser, `http://127.0.0.1:${server.port}/isolated/?gpu`, true)} ms`,
      `built, without shared memory: ${await visit(browser, `http://127.0.0.1:${server.port}/plain/`, false)} ms`,
      `in development: ${await visit(browser, development.resolvedUrls?.local[0] ?? "", true)} ms`,
    ];
    return `a page that focuses five targets; ${times.join(", ")}\n`;
  } finally {
    await browser.close();
    await development.close();
    server.close();
  }
}
