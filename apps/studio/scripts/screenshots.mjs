// @ts-check
/**
 * Takes pictures of every task of the built studio, as it opens: on a desktop and on a phone, in light and in dark.
 * `node scripts/screenshots.mjs FOLDER [ADDRESS…]`; an address such as `#/realtime?rho=1.3` is shown instead of the tasks. Build the site first.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { preview } from "vite";
import { launchBrowser } from "../../../packages/fft-gpu/scripts/browser.mjs";

const screens = {
  desktop: { viewport: { width: 1280, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
};
const [folder, ...addresses] = process.argv.slice(2);
if (folder === undefined) throw new Error("give the folder for the pictures");
mkdirSync(folder, { recursive: true });
const root = fileURLToPath(new URL("..", import.meta.url));
const server = await preview({ root, logLevel: "error", preview: { host: "127.0.0.1", port: 0 } });
const browser = await launchBrowser();
try {
  const site = server.resolvedUrls?.local[0] ?? "";
  const shown = addresses.length > 0 ? addresses : await tasksOf(site);
  for (const address of shown) {
    for (const [screen, options] of Object.entries(screens)) {
      for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
        const page = await browser.newPage({ ...options, colorScheme, serviceWorkers: "block" });
        await page.goto(site + address);
        await settled(page);
        const name = address.replace(/^#\//, "").replaceAll(/[^\w=.-]+/g, "_");
        await page.screenshot({ path: join(folder, `${name}-${screen}-${colorScheme}.png`), fullPage: true });
        await page.close();
      }
    }
  }
} finally {
  await browser.close();
  await server.close();
}

/** The addresses of the tasks, from the page's own list. @param {string} site @returns {Promise<string[]>} */
async function tasksOf(site) {
  const page = await browser.newPage({ serviceWorkers: "block" });
  await page.goto(site);
  await page.locator("nav li a").first().waitFor();
  const found = await page.evaluate(`[...document.querySelectorAll("nav li a")].map((link) => link.getAttribute("href"))`);
  await page.close();
  return /** @type {string[]} */ (found);
}

/** Waits until nothing in the page is busy. @param {import("playwright-core").Page} page */
async function settled(page) {
  await page.locator("main h1").waitFor();
  for (let quiet = 0; quiet < 3; quiet++) {
    await page.locator("main [aria-busy=true], main progress").first().waitFor({ state: "detached", timeout: 120_000 });
    await page.waitForTimeout(200);
  }
}
