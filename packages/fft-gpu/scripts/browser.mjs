// @ts-check
/**
 * The headless Chromium that tests open pages in: DECHIRP_CHROMIUM, or the one that comes with npm, which is for Linux on x86-64 and
 * brings SwiftShader and all that it links to. Throws where it does not start.
 */
import { homedir } from "node:os";
import { chromium } from "playwright-core";
import { unpackCarried } from "./adapter.mjs";

/** @param {readonly string[]} args further arguments of the browser's */
export async function launchChromium(args = []) {
  const given = process.env["DECHIRP_CHROMIUM"];
  const folder = given ? undefined : await unpackCarried("chromium", ["chromium.br", "swiftshader.tar.br", "al2023.tar.br"]);
  return chromium.launch({
    executablePath: given || `${folder}/chromium`,
    args: ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--no-sandbox", ...args],
    // Without what finds drivers for Node: this is the browser's own.
    env: { HOME: homedir(), PATH: process.env["PATH"] ?? "", ...(folder && { LD_LIBRARY_PATH: `${folder}/lib` }) },
    timeout: 60_000,
  });
}
