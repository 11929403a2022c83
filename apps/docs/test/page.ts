/**
 * Runs browser examples in headless Chromium. Each example is bundled and loaded by a page with the HTTP headers that the documentation of
 * devices lists. It runs until the script sets `document.body.dataset.done`.
 */
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { bundle, launchBrowser, serve } from "../../../packages/fft-gpu/scripts/browser.mjs";
import { examples, read } from "./markdown.ts";

export interface Site extends AsyncDisposable {
  /** Runs an example. Returns the value of `dataset.done` and what was logged. */
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
  const server = await serve((path) => {
    const [type, content] = path === "/page.js" ? ["text/javascript", script] : ["text/html", page];
    return { type, content, headers: headers() };
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
      const tab = await browser.newPage();
      try {
        const said: string[] = [];
        const failed = new Promise<never>((_, reject) => {
          tab.on("pageerror", reject);
          tab.on("crash", () => reject(new Error("the page crashed")));
        });
        tab.on("console", (message) => message.type() === "log" && said.push(message.text()));
        await tab.goto(`http://127.0.0.1:${server.port}/`);
        await Promise.race([failed, tab.waitForFunction("document.body.dataset.done !== undefined", null, { timeout: seconds * 1000 })]);
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
