// @ts-check
/**
 * The browser that tests open pages in, and what serves them these pages. The browser is the headless Chromium that comes out of an npm
 * package with SwiftShader and all that it links to, for Linux on x86-64; elsewhere DECHIRP_CHROMIUM names one that is installed. It
 * takes `insecure.test` for this machine: a name that, unlike 127.0.0.1, is no secure origin.
 */
import { createServer } from "node:http";
import { homedir } from "node:os";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { unpackCarried } from "./adapter.mjs";

/** Starts it. Throws where it does not start within a minute. */
export async function launchBrowser() {
  const given = process.env["DECHIRP_CHROMIUM"];
  const folder = given ? undefined : await unpackCarried("chromium", ["chromium.br", "swiftshader.tar.br", "al2023.tar.br"]);
  return chromium.launch({
    executablePath: given || `${folder}/chromium`,
    args: [
      "--enable-unsafe-webgpu",
      "--use-webgpu-adapter=swiftshader",
      "--no-sandbox",
      "--host-resolver-rules=MAP insecure.test 127.0.0.1",
    ],
    // Without what finds drivers for Node: this is the browser's own.
    env: { HOME: homedir(), PATH: process.env["PATH"] ?? "", ...(folder && { LD_LIBRARY_PATH: `${folder}/lib` }) },
    timeout: 60_000,
  });
}

/** Headers with which a page may share memory. */
export const isolation = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

/**
 * A script with all that it imports, from the sources of this workspace, as any page's bundle is made: no setting says what browsers do not
 * have.
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
 * Serves, on this machine alone, what `answer` has for a path.
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
