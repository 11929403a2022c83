/** The built site for tests: builds it if its sources have changed (turbo keeps builds), lists its pages, and serves it to a browser. */
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { launchBrowser, pagePatience, serve } from "../../../packages/fft-gpu/scripts/browser.mjs";
import { built } from "../../../scripts/built.mjs";
import { root, site } from "./markdown.ts";

const types: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};

export interface BuiltSite extends AsyncDisposable {
  /** Files of the pages, relative to the site, with forward slashes. */
  readonly pages: readonly string[];
  /** The HTML of a page. */
  read(page: string): string;
  /** Calls `use` with a new tab, which is closed afterwards. */
  withTab<T>(options: BrowserContextOptions, use: (tab: Page) => Promise<T>): Promise<T>;
  /** Where a page is served. */
  address(page: string): string;
}

/** Builds the site as `npm run docs` does, so that a later `npm run docs` finds it built. Rejects with what the build printed. */
async function build(): Promise<string> {
  await built();
  const { DOCS_BASE: _, ...env } = process.env;
  const args = [join(root, "scripts", "pnpm.mjs"), "exec", "turbo", "run", "docs", "--output-logs=errors-only"];
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (said += text));
  const status = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
  if (status !== 0) throw new Error(`the site could not be built:\n${said}`);
  return join(site, ".vitepress", "dist");
}

/** Builds and serves the site, and starts a browser. */
export async function openBuiltSite(): Promise<BuiltSite> {
  const folder = await build();
  const pages = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => path.replaceAll("\\", "/"));
  const server = await serve((url) => {
    const path = decodeURIComponent(new URL(url, "http://site").pathname);
    const file = [path, `${path}.html`, `${path}index.html`].find((one) => extname(one) !== "" && existsSync(join(folder, one)));
    if (file === undefined) return undefined;
    return { type: types[extname(file)] ?? "application/octet-stream", content: readFileSync(join(folder, file)) };
  });
  let browser: Browser;
  try {
    browser = await launchBrowser();
  } catch (error) {
    server.close();
    throw error;
  }
  return {
    // The studio, which the site contains, has tests of its own.
    pages: pages.filter((path) => path.endsWith(".html") && !path.startsWith("studio/")).sort(),
    read: (page) => readFileSync(join(folder, page), "utf8"),
    address: (page) => `http://127.0.0.1:${server.port}/${page}`,
    async withTab(options, use) {
      const context = await browser.newContext(options);
      context.setDefaultTimeout(pagePatience);
      try {
        return await use(await context.newPage());
      } finally {
        await context.close();
      }
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      server.close();
    },
  };
}
