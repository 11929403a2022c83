/**
 * Runs examples for browsers in headless Chromium: each is bundled as a page's script is, on a page with the headers that the page on
 * devices names, until the script sets `document.body.dataset.done`.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { build } from "esbuild";
import type { Browser } from "playwright-core";
import { launchBrowser } from "../../../packages/fft-gpu/scripts/browser.mjs";
import { examples, read } from "./markdown.ts";

export interface Site extends AsyncDisposable {
  /** What the example made of the page. */
  run(example: string, seconds: number): Promise<{ readonly done: string; readonly said: string }>;
}

/** `Name: value` lines. */
const headers = (): Record<string, string> =>
  Object.fromEntries(
    read(join(examples, "devices", "headers.txt"))
      .trim()
      .split("\n")
      .map((line) => line.split(": ")),
  );

export async function openSite(): Promise<Site> {
  let script = "";
  const page =
    '<!doctype html><html lang="en"><link rel="icon" href="data:,"><body><script type="module" src="/page.js"></script></body></html>';
  const server = createServer(({ url }, response) => {
    const [type, text] = url === "/page.js" ? ["text/javascript", script] : ["text/html", page];
    response.writeHead(200, { "Content-Type": type, ...headers() }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  let browser: Browser;
  try {
    browser = await launchBrowser();
  } catch (error) {
    server.close();
    throw error;
  }
  return {
    async run(example, seconds) {
      const bundled = await build({
        entryPoints: [example],
        bundle: true,
        write: false,
        format: "esm",
        platform: "browser",
        target: "es2022",
        conditions: ["@dechirp/source"],
        logLevel: "error",
      });
      script = bundled.outputFiles[0].text;
      const tab = await browser.newPage();
      try {
        const said: string[] = [];
        const failed = new Promise<never>((_, reject) => {
          tab.on("pageerror", reject);
          tab.on("crash", () => reject(new Error("the page crashed")));
        });
        tab.on("console", (message) => message.type() === "log" && said.push(message.text()));
        await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
        await Promise.race([failed, tab.waitForFunction("document.body.dataset.done !== undefined", null, { timeout: seconds * 1000 })]);
        return { done: (await tab.evaluate("document.body.dataset.done")) as string, said: said.join("\n") };
      } finally {
        await tab.close();
      }
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      server.close().closeAllConnections();
    },
  };
}
