/**
 * The service worker: a host that sends no headers gets an isolated page, the studio works without a network, and a new version replaces an old
 * one as a whole.
 */
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import sirv from "sirv";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { writeServiceWorker } from "../scripts/service-worker.mjs";
import { activate, useBrowser, visit } from "./pages.ts";

useBrowser();

const isIsolated = (page: Page): Promise<boolean> => page.evaluate(() => crossOriginIsolated);
const bound = (page: Page): Promise<string | null> => page.locator("[data-figure=bound]").first().textContent();
/** Waits until a service worker controls the page, which means that it has kept all files. */
const isKept = (page: Page): Promise<unknown> => page.waitForFunction(() => navigator.serviceWorker.controller !== null);
const cacheNames = (page: Page): Promise<string[]> => page.evaluate(() => caches.keys());
/**
 * Waits until a version answers the page's requests. The page asks for it again and again: Chromium itself looks for one only when the worker has
 * had nothing to do for a second, which may be never on a busy machine.
 */
const takesOver = (page: Page, title: string): Promise<unknown> =>
  expect
    .poll(
      () =>
        page.evaluate(async () => {
          await (await navigator.serviceWorker.getRegistration())?.update();
          return (await fetch("./")).text();
        }),
      { interval: 3000 },
    )
    .toContain(title);
const versionOf = (page: Page): Promise<string | null> => page.locator("meta[name=version]").getAttribute("content");

/** A host without any header that serves the first version of a site, and then others. */
async function changingHost() {
  const folder = await mkdtemp(join(tmpdir(), "dechirp-studio-versions-"));
  let files: ReturnType<typeof sirv>;
  /** Serves a version. With `isTorn`, its page is not the one that belongs to it. */
  const change = async (title: string, isTorn = false): Promise<void> => {
    const site = join(folder, title);
    await cp(inject("site"), site, { recursive: true });
    const page = await readFile(join(site, "index.html"), "utf8");
    await writeFile(join(site, "assets", `${title}.js`), "");
    await writeFile(join(site, "index.html"), page.replace("<title>", `<meta name="version" content="${title}"><title>`));
    await writeServiceWorker(site);
    if (isTorn) await writeFile(join(site, "index.html"), page);
    files = sirv(site, { dev: true });
  };
  await change("first");
  const server = createServer((request, response) => files(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.close().closeAllConnections();
    await rm(folder, { recursive: true, force: true });
  });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, change };
}

describe("the service worker", () => {
  it("isolates the page of a host without headers when the button is pressed, and every later one", () =>
    visit(
      "#/realtime?tasks=24&rho=1.3",
      async (page) => {
        const shown = await bound(page);
        expect(await isIsolated(page)).toBe(false);
        await isKept(page);
        // Nothing happens without the user.
        expect(await isIsolated(page)).toBe(false);
        expect(await page.evaluate(() => performance.getEntriesByType("navigation").length)).toBe(1);
        await activate(page.getByRole("button", { name: "Use all cores" }));
        await page.waitForFunction(() => crossOriginIsolated);
        expect(page.url()).toMatch(/#\/realtime\?tasks=24&rho=1\.3$/);
        expect(await bound(page)).toBe(shown);
        expect(await page.getByText("one core").count()).toBe(0);
        const later = await page.context().newPage();
        await later.goto(page.url());
        expect(await isIsolated(later)).toBe(true);
      },
      { host: "plain", serviceWorkers: "allow" },
    ));

  it("lets a new tab compute without a network", () =>
    visit(
      "#/realtime",
      async (page) => {
        const shown = await bound(page);
        await isKept(page);
        const context = page.context();
        await page.close();
        await context.setOffline(true);
        const cold = await context.newPage();
        await cold.goto(`${inject("studio")}/plain/#/realtime`);
        expect(await bound(cold)).toBe(shown);
        await cold.locator("figure.drawn img").first().waitFor();
        expect(await isIsolated(cold)).toBe(true);
      },
      { host: "plain", serviceWorkers: "allow" },
    ));

  it("works under a strict content security policy, and keeps the host's headers", () =>
    visit(
      "#/realtime",
      async (page) => {
        await page.evaluate(() => navigator.serviceWorker.register("service-worker.js"));
        await isKept(page);
        const answer = await page.reload();
        expect(answer?.fromServiceWorker()).toBe(true);
        expect(answer?.headers()["content-security-policy"]).toContain("default-src 'none'");
        expect(await isIsolated(page)).toBe(true);
        await page.locator("figure.drawn img").first().waitFor();
      },
      { host: "strict", serviceWorkers: "allow" },
    ));

  it("is not registered where a server on this machine isolates the page, nor by a page inside another", () =>
    visit(
      "",
      async (page) => {
        await page.waitForTimeout(500);
        const registrations = () => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
        expect(await registrations()).toBe(0);
        await page.goto(`${inject("studio")}/frame/`);
        await page.frameLocator("iframe").locator("[data-figure=bound]").first().waitFor();
        await page.waitForTimeout(500);
        expect(await registrations()).toBe(0);
      },
      { serviceWorkers: "allow" },
    ));

  it("replaces a version as a whole, while pages of the old one go on", async () => {
    const host = await changingHost();
    await visit(
      "",
      async (page) => {
        await isKept(page);
        const before = await cacheNames(page);
        expect(before).toHaveLength(1);
        await host.change("second");
        // The page of the kept version opens at once; the new version is kept meanwhile.
        await page.reload();
        expect(await versionOf(page)).toBe("first");
        await takesOver(page, "second");
        // The host no longer has the parts of the open page.
        expect(await page.evaluate(async () => (await fetch("assets/first.js")).ok)).toBe(true);
        await page.reload();
        expect(await versionOf(page)).toBe("second");
        // The next version finds no page of the first one.
        await host.change("third");
        await page.reload();
        await takesOver(page, "third");
        await expect.poll(() => cacheNames(page)).not.toContain(before[0]);
        await expect.poll(() => cacheNames(page)).toHaveLength(2);
      },
      { address: host.address, serviceWorkers: "allow" },
    );
  });

  it("does not keep a version whose files do not belong together", async () => {
    const host = await changingHost();
    await visit(
      "",
      async (page) => {
        await isKept(page);
        const before = await cacheNames(page);
        await host.change("torn", true);
        await page.reload();
        const failed = await page.evaluate(async () => {
          const registration = (await navigator.serviceWorker.getRegistration())!;
          const found =
            registration.installing ??
            (await new Promise<ServiceWorker>((resolve) => {
              registration.addEventListener("updatefound", () => resolve(registration.installing!));
              void registration.update();
            }));
          return new Promise<boolean>((resolve) => {
            found.addEventListener("statechange", () => resolve(found.state === "redundant"));
          });
        });
        expect(failed).toBe(true);
        expect(await cacheNames(page)).toEqual(before);
        await page.reload();
        expect(await versionOf(page)).toBe("first");
      },
      { address: host.address, serviceWorkers: "allow", expects: /integrity|digest/ },
    );
  });
});
