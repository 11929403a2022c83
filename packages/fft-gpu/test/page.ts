/**
 * What runs in a browser's page (browser.test.ts), or in a worker that the page starts: suites of the conformance kit, one
 * check after the other, on the backends as a page gets them. Knows nothing of a test runner.
 */
import * as kit from "@dechirp/conformance";
import { type Backend, type DeviceInfo, layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "../src/index.ts";

/** `any`: the first of both that opens. */
export type PageBackend = "gpu" | "cpu" | "any";

export interface PageRequest {
  readonly backend: PageBackend;
  /** Names of the kit's suites; none where left out. */
  readonly suites?: readonly string[];
  /** The kit's own: reasons by check. */
  readonly skips?: Readonly<Record<string, string>>;
}

export interface PageResult {
  /** `suite/check`. */
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

/** No check takes as long, on an adapter made of software either. */
const longest = 90_000;

/** What the device says that it is, and what became of each check. A check that does not end is the last. */
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

/** The same, asked of this script in a worker. */
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

/** Numbers that come back wrong when views of the CPU's arrays, of shared memory or not, are written to the GPU's: 0 where all is well. */
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
