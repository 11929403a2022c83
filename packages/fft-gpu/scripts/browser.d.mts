/** Types of browser.mjs, for tests. */
import type { Browser, Page } from "playwright-core";
export function launchBrowser(options?: { readonly collects?: boolean }): Promise<Browser>;
export function newPage(browser: Browser): Promise<Page>;
export const pagePatience: number;
export const isolation: Readonly<Record<string, string>>;
export function bundle(file: string): Promise<string>;
export interface Served {
  readonly type: string;
  readonly content: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}
export function serve(answer: (path: string) => Served | undefined): Promise<{ readonly port: number; readonly close: () => void }>;
