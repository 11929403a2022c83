/** Types of browser.mjs, for tests. */
import type { Browser } from "playwright-core";
export function launchBrowser(args?: readonly string[]): Promise<Browser>;
export const pagePatience: number;
export const isolation: Readonly<Record<string, string>>;
export function bundle(file: string): Promise<string>;
export interface Served {
  readonly type: string;
  readonly content: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}
export function serve(answer: (path: string) => Served | undefined): Promise<{ readonly port: number; readonly close: () => void }>;
