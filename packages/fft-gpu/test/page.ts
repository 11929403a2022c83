/**
 * Runs in a browser's page (browser.test.ts), or in a worker that the page starts: suites of the conformance kit, check by check, on the
 * backends as a page gets them. It does not use a test runner.
 */
import * as kit from "@dechirp/conformance";
import { type Backend, type DeviceInfo, layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "../src/index.ts";

/** `any`: the first of both that opens. */
export type PageBackend = "gpu" | "cpu" | "any";

export interface PageRequest {
  readonly backend: PageBackend;
  /** Names of the kit's suites. Default: none. */
  readonly suites?: readonly string[];
  /** The kit's own option: reasons by check. */
  readonly skips?: Readonly<Record<string, string>>;
}

export interface PageResult {
  /** The name as `suite/check`. */
  readonly name: string;
  readonly milliseconds: number;
  readonly error?: string;
}

export interface PageAnswer {
  readonly device: DeviceInfo & { readonly id: string; readonly units: number };
  readonly results: readonly PageResult[];
}

const backends: Readonly<Record<PageBackend, () => readonly [Backend, ...Backend[]]>> = {
  gpu: () => [gpu()],
  cpu: () => [cpu({ workers: 2 })],
  any: () => [gpu(), cpu({ workers: 2 })],
};

/** The longest time of a check, also on a software adapter. */
const longest = 90_000;

/** Returns the device's description and the result of each check. Ends after a check that does not end. */
async function ask({ backend, suites = [], skips = {} }: PageRequest): Promise<PageAnswer> {
  const opened = () => open(...backends[backend]());
  const tests: { readonly name: string; readonly body: () => void | Promise<void> }[] = [];
  for (const wanted of suites) {
    const suite = kit.suites.find(({ checks }) => checks[0].startsWith(`${wanted}/`));
    if (!suite) throw new Error(`there is no suite ${wanted}`);
    suite({
      describe: (_, body) => body(),
      test: (title, body) => tests.push({ name: `${wanted}/${title}`, body }),
      open: opened,
      sizes: "subset",
      skips,
    });
  }
  using device = await opened();
  const { id, info, units } = device;
  const results: PageResult[] = [];
  for (const { name, body } of tests) {
    const start = performance.now();
    const [error, ended] = await outcome(body);
    results.push({ name, milliseconds: performance.now() - start, ...(error !== undefined && { error }) });
    if (!ended) break;
  }
  return { device: { ...info, id, units }, results };
}

async function outcome(body: () => void | Promise<void>): Promise<readonly [error: string | undefined, ended: boolean]> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<readonly [string, boolean]>((resolve) => {
    timer = setTimeout(() => resolve([`has not ended within ${longest} ms`, false]), longest);
  });
  const done = Promise.resolve()
    .then(body)
    .then(
      () => [undefined, true] as const,
      (reason: unknown) => [String((reason as Error)?.stack ?? reason), true] as const,
    );
  try {
    return await Promise.race([done, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The same in a worker that runs this script. */
function askWorker(request: PageRequest): Promise<PageAnswer> {
  const worker = new Worker("/page.js", { type: "module" });
  const answer = new Promise<PageAnswer>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<PageAnswer | string>) =>
      typeof data === "string" ? reject(new Error(data)) : resolve(data);
    worker.onerror = ({ message }) => reject(new Error(`the worker failed: ${message}`));
    worker.postMessage(request);
  });
  return answer.finally(() => worker.terminate());
}

/** Copies views of the CPU's arrays, shared or not, to arrays of the GPU. Returns how many numbers come back wrong. */
async function wrongAcross(): Promise<number> {
  using from = await open(cpu({ workers: 2 }));
  using to = await open(gpu());
  let wrong = 0;
  for (const length of [10, 100_000]) {
    const shape = layout("f32", [length]);
    using a = from.alloc(shape);
    using b = to.alloc(shape);
    a.write(Float32Array.from({ length }, (_, i) => i + 1));
    if (!a.view) throw new Error("the CPU's arrays have no views");
    b.write(a.view());
    wrong += (await b.read()).reduce((sum, value, i) => sum + (value === i + 1 ? 0 : 1), 0);
  }
  return wrong;
}

if ("DedicatedWorkerGlobalScope" in globalThis)
  addEventListener("message", ({ data }: MessageEvent<PageRequest>) =>
    ask(data).then(
      (answer) => postMessage(answer),
      (error: unknown) => postMessage(String(error)),
    ),
  );
else Object.assign(globalThis, { ask, askWorker, wrongAcross });
