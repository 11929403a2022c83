/**
 * Every task of the table, as it opens: axe finds no serious violation in light, in dark and on a phone; no page scrolls sideways on a phone; and
 * a strict content security policy is violated nowhere.
 */
import axe, { type AxeResults } from "axe-core";
import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { tasks } from "../src/tasks.ts";
import { settled, useBrowser, visit } from "./pages.ts";

useBrowser();

const looks: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  phone: { colorScheme: "light", viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};

/** One line for each element with a serious or critical violation. */
async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const { violations: found } = await page.evaluate<AxeResults>("axe.run(document, { resultTypes: ['violations'] })");
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, help, nodes }) => nodes.map(({ target, any }) => `${id}: ${help}: ${target.join(" ")} ${any[0]?.message ?? ""}`));
}

describe.each(tasks)("the task $title", ({ id }) => {
  it.each(Object.keys(looks))("is accessible: %s", (look) =>
    visit(
      `#/${id}`,
      async (page) => {
        await settled(page);
        expect(await violations(page)).toEqual([]);
        if (look === "phone") expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
      },
      looks[look],
    ),
  );

  it("keeps to a strict content security policy", () =>
    visit(
      `#/${id}`,
      async (page) => {
        await settled(page);
        expect(await page.evaluate("violated")).toEqual([]);
        expect(await page.getByRole("alert").allTextContents()).toEqual([]);
      },
      {
        host: "strict",
        before: `globalThis.violated = [];
          addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => violated.push(violatedDirective + " " + blockedURI));`,
      },
    ));
});
