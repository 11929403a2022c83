// @ts-check
/**
 * The browser in which tests open pages, and the server for these pages. On Linux on x86-64 it is the headless Chromium of an npm package,
 * with SwiftShader and all libraries; elsewhere DECHIRP_CHROMIUM must name an installed one. It resolves `insecure.test` to this machine,
 * which, unlike 127.0.0.1, is not a secure origin.
 */
import { createServer } from "node:http";
import { homedir } from "node:os";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { unpackCarried } from "./adapter.mjs";

/**
 * Starts the browser. Throws if it does not start within a minute.
 * @param {{ readonly collects?: boolean }} [options] `collects`: scripts can collect garbage, with `gc`
 */
export async function launchBrowser({ collects = false } = {}) {
  const given = process.env["DECHIRP_CHROMIUM"];
  const folder = given ? undefined : await unpackCarried("chromium", ["chromium.br", "swiftshader.tar.br", "al2023.tar.br"]);
  return chromium.launch({
    executablePath: given || `${folder}/chromium`,
    args: [
      "--enable-unsafe-webgpu",
      "--use-webgpu-adapter=swiftshader",
      "--no-sandbox",
      "--host-resolver-rules=MAP insecure.test 127.0.0.1",
      ...(collects ? ["--js-flags=--expose-gc"] : []),
    ],
    // Without the variables that select drivers for Node, as the browser has its own.
    env: { HOME: homedir(), PATH: process.env["PATH"] ?? "", ...(folder && { LD_LIBRARY_PATH: `${folder}/lib` }) },
    timeout: 60_000,
  });
}

/** Milliseconds that a page may need to load or to show something. Playwright's own limit, 30 seconds, is too short for a busy machine. */
export const pagePatience = 120_000;

/**
 * Opens a new page, with this limit.
 * @param {import("playwright-core").Browser} browser
 */
export async function newPage(browser) {
  const page = await browser.newPage();
  page.setDefaultTimeout(pagePatience);
  return page;
}

/** Headers that let a page share memory. */
export const isolation = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

/**
 * Bundles a script with everything that it imports from the sources of this workspace, without settings for browsers, as a user's page is
 * bundled.
 * @param {string} file
 */
export async function bundle(file) {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: "es2022",
    conditions: ["@dechirp/source"],
    logLevel: "error",
  });
  return /** @type {{ text: string }} */ (outputFiles[0]).text;
}

/**
 * Serves what `answer` returns for a path, on this machine only.
 * @param {(path: string) => import("./browser.d.mts").Served | undefined} answer
 */
export async function serve(answer) {
  const server = createServer(({ url = "/" }, response) => {
    const served = answer(url);
    if (served) response.writeHead(200, { "Content-Type": served.type, ...served.headers }).end(served.content);
    else response.writeHead(404).end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    port,
    close() {
      server.close().closeAllConnections();
    },
  };
}
