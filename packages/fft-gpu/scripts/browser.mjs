// @ts-check
/**
 * The browser that tests open pages in: the headless Chromium that comes out of an npm package with SwiftShader and all that it
 * links to, for Linux on x86-64; elsewhere DECHIRP_CHROMIUM names one that is installed. It takes `insecure.test` for this machine:
 * a name that, unlike 127.0.0.1, is no secure origin.
 */
import { homedir } from "node:os";
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
