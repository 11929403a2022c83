/**
 * Every task of the table, as it opens: axe finds no serious violation in light, in dark and on a phone; no page scrolls sideways on a phone; and
 * a strict content security policy is violated nowhere.
 */
import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { tasks } from "../src/tasks.ts";
import { settled, useBrowser, visit } from "./pages.ts";

useBrowser();

/** One line for each element with a serious or critical violation. */
async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const { violations: found } = await page.evaluate<AxeResults>("axe.run(document, { resultTypes: ['violations'] })");
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, help, nodes }) => nodes.map(({ target, any }) => `${id}: ${help}: ${target.join(" ")} ${any[0]?.message ?? ""}`));
}

it.each(tasks)("the task $title", ({ id }) =>
  visit(
    `#/${id}`,
    async (page) => {
      await settled(page);
      expect(await page.getByRole("alert").allTextContents()).toEqual([]);
      expect(await page.evaluate("violated")).toEqual([]);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await settled(page);
        expect({ colorScheme, violations: await violations(page) }).toEqual({ colorScheme, violations: [] });
      }
      await page.setViewportSize({ width: 390, height: 844 });
      await settled(page);
      expect({ width: 390, violations: await violations(page) }).toEqual({ width: 390, violations: [] });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
      expect(await page.evaluate("violated")).toEqual([]);
    },
    {
      host: "strict",
      before: `globalThis.violated = [];
        addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => violated.push(violatedDirective + " " + blockedURI));`,
    },
  ),
);
