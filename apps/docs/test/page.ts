/**
 * Runs browser examples in headless Chromium. Each example is bundled and loaded by a page with the HTTP headers that the documentation of
 * devices lists, and those of `NAME.headers.txt` beside it. It runs until the script sets `document.body.dataset.done`.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { bundle, launchBrowser, newPage, serve } from "../../../packages/fft-gpu/scripts/browser.mjs";
import { examples, read } from "./markdown.ts";

export interface Site extends AsyncDisposable {
  /** Runs an example. Returns the value of `dataset.done` and what was logged. */
  run(example: string, seconds: number): Promise<{ readonly done: string; readonly said: string }>;
}

/** The headers in a file of lines `Name: value`. */
const headersOf = (path: string): Record<string, string> =>
  Object.fromEntries(
    read(path)
      .trim()
      .split("\n")
      .map((line) => line.split(": ")),
  );

export async function openSite(): Promise<Site> {
  let script = "";
  let headers: Record<string, string> = {};
  const worker = await bundle(fileURLToPath(import.meta.resolve("@dechirp/fft-cpu/worker")));
  const page =
    '<!doctype html><html lang="en"><link rel="icon" href="data:,"><body><script type="module" src="/page.js"></script></body></html>';
  const server = await serve((path) => {
    // The bundler of this test leaves the URLs of workers as they are in the examples.
    const scripts: Readonly<Record<string, string>> = { "/page.js": script, "/@dechirp/fft-cpu/worker": worker };
    return path in scripts ? { type: "text/javascript", content: scripts[path], headers } : { type: "text/html", content: page, headers };
  });
  let browser: Browser;
  try {
    browser = await launchBrowser();
  } catch (error) {
    server.close();
    throw error;
  }
  return {
    async run(example, seconds) {
      script = await bundle(example);
      const own = example.replace(/\.browser\.ts$/, ".headers.txt");
      headers = { ...headersOf(join(examples, "devices", "headers.txt")), ...(existsSync(own) && headersOf(own)) };
      const tab = await newPage(browser);
      try {
        const said: string[] = [];
        const failed = new Promise<never>((_, reject) => {
          tab.on("pageerror", reject);
          tab.on("crash", () => reject(new Error("the page crashed")));
        });
        tab.on("console", (message) => message.type() === "log" && said.push(message.text()));
        await tab.goto(`http://127.0.0.1:${server.port}/`);
        await Promise.race([failed, tab.waitForSelector("body[data-done]", { state: "attached", timeout: seconds * 1000 })]);
        return { done: (await tab.evaluate("document.body.dataset.done")) as string, said: said.join("\n") };
      } finally {
        await tab.close();
      }
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      server.close();
    },
  };
}
