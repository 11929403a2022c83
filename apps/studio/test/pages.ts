/** Opens pages of the studio in headless Chromium, and fails a test if its page logged an error. */
import type { Browser, BrowserContextOptions, Locator, Page, Worker } from "playwright-core";
import { afterAll, beforeAll, expect, inject } from "vitest";
import { launchBrowser, pagePatience } from "../../../packages/fft-gpu/scripts/browser.mjs";

let browser: Browser | undefined;

/** Call once in a test file: starts the browser before its tests. `collects`: scripts can collect garbage, with `gc`. */
export function useBrowser(options: { readonly collects?: boolean } = {}): void {
  beforeAll(async () => {
    browser = await launchBrowser(options);
  });
  afterAll(() => browser?.close());
}

/** How a page is opened. */
export interface Opening extends BrowserContextOptions {
  /** How the studio is served (site.ts). Default: `isolated`. */
  readonly host?: "isolated" | "plain" | "strict";
  /** Address of a site that is served otherwise. */
  readonly address?: string;
  /** Runs before the scripts of the page. */
  readonly before?: string;
  /** Errors in the console that the test expects. */
  readonly expects?: RegExp;
}

/** Opens the studio at `hash`, such as `#/focus`, and closes it after `visit`. */
export async function visit<T>(hash: string, use: (page: Page) => Promise<T>, opening: Opening = {}): Promise<T> {
  const { host = "isolated", address = `${inject("studio")}/${host}/`, before = "", expects, ...rest } = opening;
  // The service worker is tested by itself.
  const context = await browser!.newContext({ viewport: { width: 1280, height: 900 }, serviceWorkers: "block", ...rest });
  context.setDefaultTimeout(pagePatience);
  try {
    const page = await context.newPage();
    const errors: string[] = [];
    const note = (text: string): void => void (expects?.test(text) || errors.push(text));
    page.on("pageerror", (error) => note(error.stack ?? String(error)));
    page.on("console", (message) => message.type() === "error" && note(message.text()));
    page.on("crash", () => note("the page crashed"));
    await page.addInitScript(before);
    await page.goto(address + hash);
    const result = await use(page).catch(async (error: unknown) => {
      const shown = await page
        .locator("main")
        .textContent({ timeout: 5000 })
        .catch(() => "a page that does not answer");
      const text = `${error instanceof Error ? error.message : error}\nThe page at ${page.url()}: ${shown?.slice(0, 3000)}\nIts errors: ${errors.join("\n")}`;
      throw new Error(text, { cause: error });
    });
    expect(errors).toEqual([]);
    return result;
  } finally {
    await context.close();
  }
}

/** Runs `code` in the page's workers of the studio that start from now on, before their own scripts. */
export const beforeWorkers = (page: Page, code: string): Promise<unknown> =>
  page.route(/\/worker-[^/]*\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${code}\n${await response.text()}` });
  });

/** The page's worker of a name. Workers of the processor wait for work, and don't answer meanwhile. */
export const workerNamed = (page: Page, name: string): Promise<Worker> =>
  Promise.any(
    page
      .workers()
      .map((one) => one.evaluate(() => self.name).then((own) => (own === name ? one : Promise.reject(new Error(`the worker ${own}`))))),
  );

/** The next commands for a device of the worker end the device, as a reset of the GPU would. */
export const loseDevice = (worker: Worker): Promise<void> =>
  worker.evaluate(() => {
    const { prototype } = GPUDevice;
    const { createCommandEncoder } = prototype;
    prototype.createCommandEncoder = function (...options) {
      prototype.createCommandEncoder = createCommandEncoder;
      this.destroy();
      return createCommandEncoder.apply(this, options);
    };
  });

/** Waits until an image is on the map, and all of its tiles are drawn. */
export const tilesLoaded = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => {
    const [all, loaded] = [".leaflet-tile", ".leaflet-tile-loaded"].map((name) => document.querySelectorAll(name).length);
    return loaded! > 0 && loaded === all;
  });

/**
 * Uses a button, a link or a summary by its key, as soon as it could be clicked. Between the press and the release of a mouse, a figure that has been
 * drawn may move it.
 */
export async function activate(element: Locator): Promise<void> {
  await element.click({ trial: true });
  await element.press("Enter");
}

/** Waits until the page's task is loaded and nothing in it is busy. */
export async function settled(page: Page): Promise<void> {
  await page.locator("main h1").waitFor();
  const isSettled = (): boolean => document.querySelector("main [aria-busy=true], main progress") === null;
  // Results of one step start the next.
  for (let quiet = 0; quiet < 3; quiet++) {
    await page.waitForFunction(isSettled);
    await page.waitForTimeout(100);
  }
}
