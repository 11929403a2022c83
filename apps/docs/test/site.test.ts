/**
 * The built site in headless Chromium: nothing is cut off, pages are accessible in light, in dark and on a phone, the studio starts in a page, tables
 * tell by a word who is ahead, and every page ends with repository, licence and version.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bench, comparisons, newest, short } from "../scripts/results.mjs";
import { cutOff } from "./cut-off.ts";
import { root } from "./markdown.ts";
import { type BuiltSite, openBuiltSite } from "./site.ts";

const timeout = 540_000;
let site: BuiltSite;
beforeAll(async () => {
  site = await openBuiltSite();
}, timeout);
afterAll(() => site?.[Symbol.asyncDispose]());

const desktop = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };

/** Addresses of the studio, as browsers ask for them. */
const studio = /^http:..[^/]+.studio./;

/** One page of every kind. */
const kinds = [
  "index.html",
  "range-doppler.html",
  "quality.html",
  "performance-fft-gpu.html",
  "how-to/studio.html",
  "api/core/index.html",
  "api/core/devices.html",
  "api/command-line.html",
];

describe("no line is cut off", () => {
  const outline = '<div class="VPDoc"><div class="VPDocAside">Outline</div>';
  it.each([
    ['<div style="width: 100px; overflow: hidden">WORD</div>', ["div.: a-word"]],
    ['<div style="width: 100px; overflow: auto">WORD</div>', []],
    [`${outline}<div class="vp-doc" style="width: 100px"><p>WORD</p></div></div>`, ["p.: a-word"]],
    [`${outline}<div class="vp-doc" style="width: 100px"><div style="overflow: auto"><p>WORD</p></div></div></div>`, []],
    ['<p style="width: 2000px">WORD</p>', ["the page is 2008 wide"]],
  ])("in %s: %j", { timeout }, async (html, expected) => {
    const found = await site.withTab({ viewport: desktop }, async (tab) => {
      await tab.setContent(html.replace("WORD", `<span style="white-space: nowrap">a-word${" and more".repeat(9)}</span>`));
      return tab.evaluate(cutOff);
    });
    expect(found.map((text) => text.replace(/a-word.*/, "a-word"))).toEqual(expected);
  });

  it.each([
    { name: "on any page at 1280 pixels", viewport: desktop, chosen: () => site.pages },
    { name: "on a phone", viewport: phone, chosen: () => kinds },
  ])("$name", { timeout }, async ({ viewport, chosen }) => {
    const found = await site.withTab({ viewport }, async (tab) => {
      const all: string[] = [];
      await tab.goto(site.address("404.html")); // what follows has this address, so that its styles are found
      for (const page of chosen()) {
        // The layout needs no scripts, and loading them takes most of the time.
        await tab.setContent(site.read(page).replace(/<script.*?<\/script>|<link rel="(?:module)?preload"[^>]*>/gs, ""));
        all.push(...(await tab.evaluate(cutOff)).map((what) => `${page}: ${what}`));
      }
      return all;
    });
    expect(site.pages.length).toBeGreaterThan(100);
    expect(found).toEqual([]);
  });
});

describe("axe finds no serious violation", () => {
  it.each([
    { name: "in light", viewport: desktop, colorScheme: "light" as const },
    { name: "in dark", viewport: desktop, colorScheme: "dark" as const },
    { name: "on a phone", viewport: phone, colorScheme: "light" as const },
  ])("$name", { timeout }, async ({ viewport, colorScheme }) => {
    const found = await site.withTab({ viewport, colorScheme }, async (tab) => {
      const all: string[] = [];
      for (const page of kinds) {
        await tab.goto(site.address(page), { waitUntil: "networkidle" });
        await tab.evaluate(axe.source);
        const { violations } = await tab.evaluate(() => (window as unknown as { axe: typeof axe }).axe.run());
        const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
        all.push(...serious.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${page}: ${id}: ${html.slice(0, 200)}`)));
      }
      return all;
    });
    expect(found).toEqual([]);
  });
});

describe("the studio in a page", () => {
  it("is a link without JavaScript", { timeout }, async () => {
    const link = await site.withTab({ viewport: desktop, javaScriptEnabled: false }, async (tab) => {
      await tab.goto(site.address("real-time.html"));
      expect(await tab.locator(".studio-frame img").getAttribute("src")).toBe("/images/studio/realtime.webp");
      expect(await tab.locator(".studio-frame :is(button, iframe)").count()).toBe(0);
      return tab.locator(".studio-frame a.start").getAttribute("href");
    });
    expect(link).toBe("/studio/#/realtime");
  });

  it.each(["light", "dark"] as const)("starts at a click, in the colours of the page: %s", { timeout }, async (colorScheme) => {
    await site.withTab({ viewport: desktop, colorScheme }, async (tab) => {
      const asked: string[] = [];
      await tab.route(studio, (route) => {
        asked.push(route.request().url());
        return route.fulfill({ contentType: "text/html", body: "<title>The studio</title>" });
      });
      await tab.goto(site.address("real-time.html"));
      await tab.locator(".studio-frame button").waitFor();
      expect(asked).toEqual([]);
      await tab.locator(".studio-frame button").press("Enter");
      const frame = tab.locator(".studio-frame iframe");
      await frame.waitFor();
      expect(await frame.getAttribute("src")).toBe(`/studio/#/realtime?theme=${colorScheme}&embed=1`);
      expect(await frame.getAttribute("title")).toMatch(/\w+ \w+/);
      expect(await frame.evaluate((element) => element === document.activeElement)).toBe(true);
      expect(await tab.locator(".studio-frame :is(img, button)").count()).toBe(0);
      await expect.poll(() => asked.length).toBe(1);
    });
  });

  it("is left for by its links, which are none of the site's pages", { timeout }, async () => {
    await site.withTab({ viewport: desktop }, async (tab) => {
      await tab.route(studio, (route) => route.fulfill({ contentType: "text/html", body: "<title>The studio</title>" }));
      await tab.goto(site.address("how-to/studio.html"), { waitUntil: "networkidle" });
      await tab.locator("main table").getByRole("link", { name: "Adaptive processing" }).first().click();
      await tab.waitForURL("**/studio/#/adaptive");
      expect(await tab.title()).toBe("The studio");
    });
  });
});

describe("performance tables", () => {
  it("tell by a word who is ahead", () => {
    const rows = [...site.read("performance-fft-gpu.html").matchAll(/<tr class="(behind)?">(.*?)<\/tr>/g)];
    const said = (behind: boolean) =>
      rows.filter(([, isBehind]) => (isBehind !== undefined) === behind).map(([, , row]) => /(peer|dechirp) ahead|equal/.exec(row)?.[0]);
    expect(new Set(said(true))).toEqual(new Set(["peer ahead"]));
    expect(new Set(said(false))).toEqual(new Set(["dechirp ahead", "equal"]));
  });
});

it("the front page states the measured numbers", () => {
  const page = site.read("index.html");
  const [image] = comparisons(bench(newest("gpu-h100.json")), /^range-Doppler c64 4096×4096$/);
  const [cube] = comparisons(bench(newest("efa-h100.json")), /^EFA/);
  for (const { ours, ratio } of [image, cube]) {
    expect(page).toContain(`>${short(ours)} <span`);
    expect(page).toContain(ratio >= 1 ? `${ratio.toFixed(1)} times as fast as` : `is ${(1 / ratio).toFixed(1)} times as fast`);
  }
  for (const link of ["fused-sar", "efa", "real-time"]) expect(page).toContain(`href="/performance-${link}"`);
});

it("every page ends with repository, licence and version", () => {
  const { repository, license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const { version } = JSON.parse(readFileSync(join(root, "packages", "cli", "package.json"), "utf8"));
  const address = repository.url.replace(/^git\+|\.git$/g, "");
  for (const page of site.pages.filter((one) => one !== "404.html")) {
    const [, end = ""] = site.read(page).split('class="site-footer');
    expect(end, page).toContain(`dechirp ${version} `);
    expect(end, page).toContain(`${license} licence`);
    expect(end, page).toContain(`href="${address}"`);
  }
});
