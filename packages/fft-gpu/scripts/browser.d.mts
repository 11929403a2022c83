/** Types of browser.mjs, for tests. */
import type { Browser } from "playwright-core";
export function launchBrowser(): Promise<Browser>;
