/**
 * The backends in a page of headless Chromium: the GPU's through navigator.gpu, on the SwiftShader that the browser carries,
 * and the CPU's with workers made from a Blob, with and without the headers that allow shared memory. A subset of the
 * conformance kit, since SwiftShader takes seconds to compile a kernel.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unpackCarried } from "../scripts/adapter.mjs";
import type { PageRequest, PageResult } from "./page.ts";

const minutes = 60_000;

let server: Server;
let browser: Browser;

/** A page at /isolated, which may share memory, or at /plain, which may not. */
async function openPage(path: "isolated" | "plain"): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(5 * minutes);
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${path}`);
  await page.waitForFunction("globalThis.runKit !== undefined");
  return page;
}

const run = (page: Page, request: PageRequest): Promise<readonly PageResult[]> =>
  page.evaluate(`runKit(${JSON.stringify(request)})`) as Promise<readonly PageResult[]>;

const describeDevice = (page: Page, backend: PageRequest["backend"]): Promise<{ description: string; units: number }> =>
  page.evaluate(`describeDevice(${JSON.stringify(backend)})`) as Promise<{ description: string; units: number }>;

/** Fails with every check that failed. */
function expectPassed(results: readonly PageResult[], atLeast: number): void {
  expect(results.filter(({ error }) => error !== undefined)).toEqual([]);
  expect(results.length).toBeGreaterThanOrEqual(atLeast);
}

beforeAll(async () => {
  const bundled = await build({
    entryPoints: [fileURLToPath(new URL("./page.ts", import.meta.url))],
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: "es2022",
    conditions: ["@dechirp/source"],
    external: ["webgpu", "node:*"],
    logLevel: "error",
  });
  const script = bundled.outputFiles[0].text;
  server = createServer((request, response) => {
    if (request.url !== "/plain") {
      response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
      response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
    }
    const isScript = request.url === "/page.js";
    response.setHeader("Content-Type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? script : '<!doctype html><meta charset="utf-8"><script type="module" src="/page.js"></script>');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const folder = await unpackCarried("chromium", ["chromium.br", "swiftshader.tar.br", "al2023.tar.br"]);
  browser = await chromium.launch({
    executablePath: `${folder}/chromium`,
    args: ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--no-sandbox"],
    env: { ...process.env, LD_LIBRARY_PATH: `${folder}/lib` } as Record<string, string>,
    timeout: minutes,
  });
}, 2 * minutes);

afterAll(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
});

describe("in a page of headless Chromium", () => {
  it("the GPU backend passes a subset of the kit", { timeout: 10 * minutes }, async () => {
    const page = await openPage("isolated");
    expect((await describeDevice(page, "gpu")).description).toMatch(/^WebGPU: .*swiftshader/i);
    const results = await run(page, { backend: "gpu", suites: ["arrays", "kernels", "hooks", "filters", "order"] });
    expectPassed(results, 30);
  });

  it("the CPU backend passes the kit on workers that share memory", { timeout: 10 * minutes }, async () => {
    const page = await openPage("isolated");
    expect((await describeDevice(page, "cpu")).units).toBe(2);
    const results = await run(page, { backend: "cpu", suites: ["reference", "arrays", "order", "lifetime"] });
    expectPassed(results, 30);
  });

  it("and on the page's own thread where memory can't be shared", { timeout: 10 * minutes }, async () => {
    const page = await openPage("plain");
    expect(await page.evaluate("globalThis.crossOriginIsolated")).toBe(false);
    expect((await describeDevice(page, "cpu")).units).toBe(1);
    const results = await run(page, { backend: "cpu", suites: ["reference", "order"] });
    expectPassed(results, 10);
  });
});
