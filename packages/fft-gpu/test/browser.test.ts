/**
 * Tests the backends in pages of headless Chromium: the GPU backend through navigator.gpu, on the browser's own SwiftShader, and the CPU
 * backend with workers made from a Blob and from a file, in pages with and without shared memory, and under a strict content security
 * policy. They run subsets of the conformance kit; as SwiftShader
 * takes seconds to compile a kernel, checks with many kernels run in Node only. Fails if Chromium does not start. DECHIRP_CHROMIUM names
 * an installed browser, if the one from npm, which is for Linux on x86-64, does not work.
 */
import { fileURLToPath } from "node:url";
import { suites as allSuites } from "@dechirp/conformance";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundle, isolation, launchBrowser, newPage, serve } from "../scripts/browser.mjs";
import type { PageAnswer, PageRequest } from "./page.ts";

/** A policy that allows nothing but the site's own files, and WebAssembly. */
const strict = {
  ...isolation,
  "Content-Security-Policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; img-src data:",
};

/** Headers of the pages. */
const pages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  isolated: isolation,
  plain: {},
  strict,
  "no-workers": { ...isolation, "Content-Security-Policy": "worker-src 'none'" },
  "no-wasm": { ...isolation, "Content-Security-Policy": "script-src 'self'; worker-src 'self' blob:" },
};

const compiles = "compiles for more than five seconds on SwiftShader";
/** The suites for the GPU, which take a minute, and the checks that are skipped because they compile many lengths. */
const onGpu = {
  suites: ["arrays", "kernels", "hooks", "order", "lifetime", "errors"],
  skips: { "hooks/load: 8- and 16-bit I/Q times a gain per line, padded and kept in part": compiles },
};

interface Started {
  readonly browser: Browser;
  readonly port: number;
}

/** Every test waits for the browser. If it does not start, the tests fail instead of being skipped. */
let started: Promise<Started>;
/** Functions that end what has been started. */
const enders: (() => unknown)[] = [];

async function start(): Promise<Started> {
  const script = await bundle(fileURLToPath(new URL("./page.ts", import.meta.url)));
  const worker = await bundle(fileURLToPath(import.meta.resolve("@dechirp/fft-cpu/worker")));
  const files: Readonly<Record<string, string>> = { "page.js": script, "worker.js": worker, "silent.js": "" };
  const server = await serve((path) => {
    const [, name, file] = path.split("/");
    const headers = pages[name];
    if (!headers) return undefined;
    // The policy of a worker is in the headers of its own file.
    if (file) return file in files ? { type: "text/javascript", content: files[file], headers: { ...isolation, ...headers } } : undefined;
    const content = `<!doctype html><link rel="icon" href="data:,"><script type="module" src="/${name}/page.js"></script>`;
    return { type: "text/html", content, headers };
  });
  enders.push(server.close);
  const browser = await launchBrowser();
  enders.push(() => browser.close());
  return { browser, port: server.port };
}

beforeAll(async () => {
  started = start();
  await started.catch(() => {});
});

afterAll(async () => {
  await Promise.all(enders.map((end) => end()));
});

/** Opens a page, and fails if the page had an uncaught error. `before` runs before the page's script. */
async function onPage<T>(path: string, visit: (page: Page) => Promise<T>, { host = "127.0.0.1", before = "" } = {}): Promise<T> {
  const { browser, port } = await started;
  const page = await newPage(browser);
  try {
    const uncaught: string[] = [];
    page.on("pageerror", (error) => uncaught.push(error.stack ?? String(error)));
    page.on("crash", () => uncaught.push("the page crashed"));
    await page.addInitScript(before);
    await page.goto(`http://${host}:${port}/${path}`);
    const result = await visit(page);
    expect(uncaught).toEqual([]);
    return result;
  } finally {
    await page.close();
  }
}

const ask = (page: Page, request: PageRequest, who: "ask" | "askWorker" = "ask"): Promise<PageAnswer> =>
  page.evaluate(`${who}(${JSON.stringify(request)})`) as Promise<PageAnswer>;

/** Runs the suites of a request. Every check that is not skipped must have run and passed. */
const passes = async (page: Page, request: PageRequest, who?: "ask" | "askWorker"): Promise<PageAnswer["device"]> =>
  (await answers(page, request, who)).device;

/** The same, with all of the answer. */
async function answers(page: Page, request: PageRequest, who?: "ask" | "askWorker"): Promise<PageAnswer> {
  const answer = await ask(page, request, who);
  const { results } = answer;
  expect(results.filter(({ error }) => error !== undefined)).toEqual([]);
  const { suites = [], skips = {} } = request;
  const wanted = allSuites.filter(({ checks }) => suites.includes(checks[0].split("/")[0])).flatMap(({ checks }) => checks);
  const ran = results.map(({ name }) => name);
  expect(ran.filter((name) => !name.includes("/account: ")).sort()).toEqual(wanted.filter((name) => !(name in skips)).sort());
  expect(ran.filter((name) => name.includes("/account: "))).toHaveLength(suites.length);
  return answer;
}

describe("the GPU backend in a page", () => {
  it("passes a subset of the kit on the browser's SwiftShader", () =>
    onPage("isolated", async (page) => {
      const device = await passes(page, { backend: "gpu", ...onGpu });
      expect(device).toMatchObject({ id: "gpu", software: true, description: expect.stringMatching(/^WebGPU: .*swiftshader/i) });
    }));

  it("works in a worker of the page", () =>
    onPage("isolated", async (page) => {
      const device = await passes(page, { backend: "gpu", suites: ["kernels", "errors"] }, "askWorker");
      expect(device.description).toMatch(/swiftshader/i);
    }));

  it.each(["isolated", "plain"])("accepts views of the CPU's arrays, on a page that is %s", (path) =>
    onPage(path, async (page) => {
      expect(await page.evaluate("wrongAcross()")).toBe(0);
    }),
  );

  it("reports that it needs a secure context, and the next backend opens", () =>
    onPage(
      "isolated",
      async (page) => {
        expect(await page.evaluate("isSecureContext")).toBe(false);
        await expect(ask(page, { backend: "gpu" })).rejects.toThrow(/no WebGPU, or this page is not a secure context/);
        expect((await ask(page, { backend: "any" })).device.id).toBe("cpu");
      },
      { host: "insecure.test" },
    ));
});

describe("the CPU backend in a page", () => {
  const request = { backend: "cpu", suites: ["reference", "arrays", "hooks", "order", "lifetime"] } as const;
  const short = { backend: "cpu", suites: ["arrays", "order", "lifetime"] } as const;

  it("passes the kit on workers that share memory", () =>
    onPage("isolated", async (page) => {
      expect(await passes(page, request)).toMatchObject({ units: 2, notes: [], description: expect.stringMatching(/^WASM.* 2 workers/) });
    }));

  it("works in a worker of the page", () =>
    onPage("isolated", async (page) => {
      expect(await passes(page, short, "askWorker")).toMatchObject({ units: 2, notes: [] });
    }));

  it("works without Atomics.waitAsync", () =>
    onPage(
      "isolated",
      async (page) => {
        expect(await page.evaluate("typeof Atomics.waitAsync")).toBe("undefined");
        expect(await passes(page, short)).toMatchObject({ units: 2, notes: [] });
      },
      { before: "delete Atomics.waitAsync;" },
    ));

  it("works on the page's own thread if memory can't be shared", () =>
    onPage("plain", async (page) => {
      expect(await page.evaluate("crossOriginIsolated")).toBe(false);
      const notes = ["single-threaded: this host does not let workers share memory"];
      expect(await passes(page, request)).toMatchObject({ units: 1, notes, description: expect.stringMatching(/^WASM.* one thread/) });
    }));

  it("works on the page's own thread if the policy forbids workers from text", () =>
    onPage("no-workers", async (page) => {
      const notes = ["single-threaded: this host does not let workers start"];
      expect(await passes(page, short)).toMatchObject({ units: 1, notes, description: expect.stringMatching(/^WASM.* one thread/) });
    }));

  it("works in JavaScript if the page's policy forbids WASM", () =>
    onPage("no-wasm", async (page) => {
      const notes = ["this host has no WASM SIMD or forbids it: everything runs in JavaScript"];
      expect(await passes(page, short)).toMatchObject({ units: 1, notes, description: expect.stringMatching(/^JavaScript, one thread/) });
    }));
});

describe("a page with a strict content security policy", () => {
  const file = { backend: "cpu", workerFile: "/strict/worker.js", expression: true } as const;
  /** Ends the wait for a worker that does not answer after a tenth of a second instead of 20 seconds. */
  const soon = "const { setTimeout: set } = globalThis; globalThis.setTimeout = (f, ms) => set(f, ms === 20_000 ? 100 : ms);";

  it("has all workers of the CPU backend, which start from a file", () =>
    onPage("strict", async (page) => {
      const suites = ["reference", "arrays", "hooks", "order", "lifetime"];
      const { device, expression } = await answers(page, { ...file, suites });
      expect(device).toMatchObject({ units: 2, notes: [], description: expect.stringMatching(/^WASM.* 2 workers/) });
      expect(expression).toEqual({ text: expect.stringContaining("kernel/wasm expression"), wrong: 0 });
    }));

  it("has them in a worker of the page, too", () =>
    onPage("strict", async (page) => {
      const { device, expression } = await answers(page, { ...file, suites: ["arrays", "hooks", "order", "lifetime"] }, "askWorker");
      expect(device).toMatchObject({ units: 2, notes: [] });
      expect(expression).toEqual({ text: expect.stringContaining("kernel/wasm expression"), wrong: 0 });
    }));

  it.each(["ask", "askWorker"] as const)("has the GPU backend (%s)", (who) =>
    onPage("strict", async (page) => {
      const { device, expression } = await answers(page, { backend: "gpu", suites: ["kernels"], expression: true }, who);
      expect(device).toMatchObject({ id: "gpu", software: true });
      expect(expression?.wrong).toBe(0);
    }),
  );

  it.each([
    ["is missing", "/strict/nothing.js", "the file of a worker can't be loaded", ""],
    ["is of another site", "http://insecure.test/strict/worker.js", /startWorker: .*insecure\.test/, ""],
    ["is another script", "/strict/silent.js", "the file of a worker does not answer; it must be that of @dechirp/fft-cpu/worker", soon],
  ])("works on one thread if the file %s, and says so", (_, workerFile, reason, before) =>
    onPage(
      "strict",
      async (page) => {
        const { device, expression } = await ask(page, { ...file, workerFile });
        expect(device).toMatchObject({
          units: 1,
          notes: [typeof reason === "string" ? `single-threaded: startWorker: ${reason}` : expect.stringMatching(reason)],
        });
        expect(expression?.wrong).toBe(0);
      },
      { before },
    ),
  );

  it("works on one thread if workers would start from text, and says so", () =>
    onPage("strict", async (page) => {
      const { device } = await ask(page, { backend: "cpu" });
      expect(device).toMatchObject({ units: 1, notes: ["single-threaded: this host does not let workers start"] });
    }));
});
