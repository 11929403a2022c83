/**
 * The studio in Firefox, where there is one (`node apps/studio/scripts/firefox.mjs` downloads it on Debian): every task opens on the processor
 * without an error, and the service worker isolates the page of a host that sends no headers.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer, { type Browser, type Page } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { environmentOf, findFirefox } from "../scripts/firefox.mjs";
import { tasks } from "../src/tasks.ts";

const firefox = findFirefox();
let browser: Browser;
let home: string;

it("DECHIRP_FIREFOX names the Firefox that is used", () => {
  vi.stubEnv("DECHIRP_FIREFOX", "/opt/firefox/firefox");
  expect(findFirefox()).toEqual({ program: "/opt/firefox/firefox" });
  vi.unstubAllEnvs();
});

describe.skipIf(!firefox)("in Firefox", () => {
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "dechirp-firefox-"));
    browser = await puppeteer.launch({
      browser: "firefox",
      executablePath: firefox!.program,
      env: environmentOf(firefox!.root, home),
      timeout: 90_000,
    });
  });
  afterAll(async () => {
    await browser?.close();
    if (home) await rm(home, { recursive: true, force: true });
  });

  /** Opens a page and checks that it logged no error. */
  async function open(address: string, use: (page: Page) => Promise<void>): Promise<void> {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    try {
      await page.goto(`${inject("studio")}/${address}`);
      await use(page);
      expect(errors).toEqual([]);
    } finally {
      await context.close();
    }
  }

  /** Waits until the page's task is loaded and nothing in it is busy. (`page.waitForFunction` needs `eval`, which the page forbids.) */
  async function settled(page: Page): Promise<void> {
    const isSettled = () =>
      page.evaluate(() => !!document.querySelector("main h1") && !document.querySelector("main [aria-busy=true], main progress"));
    for (let quiet = 0; quiet < 3; quiet++) {
      await expect.poll(() => isSettled().catch(() => false), { timeout: 400_000 }).toBe(true);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  it.each(tasks)("$title computes on the processor", ({ id }) =>
    open(`isolated/#/${id}`, async (page) => {
      await settled(page);
      expect(await page.evaluate(() => [...document.querySelectorAll("[role=alert]")].map(({ textContent }) => textContent))).toEqual([]);
      expect(await page.$$eval("main [data-figure]", (found) => found.length)).toBeGreaterThan(0);
    }),
  );

  it("the service worker isolates the page when the button is pressed", () =>
    open("plain/#/realtime", async (page) => {
      await settled(page);
      expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
      await page.click("aside button");
      await expect.poll(() => page.evaluate(() => crossOriginIsolated).catch(() => false)).toBe(true);
      await settled(page);
    }));
});
