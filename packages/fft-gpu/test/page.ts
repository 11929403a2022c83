/**
 * Runs in a browser's page (browser.test.ts), or in a worker that the page starts: suites of the conformance kit, check by check, on the
 * backends as a page gets them. It does not use a test runner.
 */
import * as kit from "@dechirp/conformance";
import { type Backend, type Device, type DeviceInfo, layout, open } from "@dechirp/core";
import { map } from "@dechirp/core/expression";
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
  /** The file from which the CPU backend starts its workers. Default: it starts them from text. */
  readonly workerFile?: string;
  /** Whether to compute an expression, too. */
  readonly expression?: boolean;
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
  /** The text of the expression's plan, and how many numbers it computed wrongly. */
  readonly expression?: { readonly text: string; readonly wrong: number };
}

const cpuOf = ({ workerFile }: PageRequest): Backend =>
  cpu({ workers: 2, ...(workerFile !== undefined && { startWorker: () => new Worker(workerFile, { type: "module" }) }) });

const backends: Readonly<Record<PageBackend, (request: PageRequest) => readonly [Backend, ...Backend[]]>> = {
  gpu: () => [gpu()],
  cpu: (request) => [cpuOf(request)],
  any: (request) => [gpu(), cpuOf(request)],
};

/** The longest time of a check, also on a software adapter. */
const longest = 90_000;

/** Returns the device's description and the result of each check. Ends after a check that does not end. */
async function ask(request: PageRequest): Promise<PageAnswer> {
  const { backend, suites = [], skips = {} } = request;
  const opened = () => open(...backends[backend](request));
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
  return { device: { ...info, id, units }, results, ...(request.expression && { expression: await mapOn(device) }) };
}

/** Computes a map, as large as the CPU's pool shares among its workers. */
async function mapOn(device: Device): Promise<{ text: string; wrong: number }> {
  const shape = [64, 4096];
  const reals = layout("f32", shape);
  using plan = await device.plan(map({ shape, sources: { x: reals }, outputs: { y: "f32" } }, "y = 2.5 * x + toReal(i0)"));
  using x = device.alloc(reals);
  using y = device.alloc(reals);
  const numbers = Float32Array.from({ length: 64 * 4096 }, (_, i) => i % 251);
  x.write(numbers);
  await plan.run({ x, y }).done;
  const found = await y.read();
  return { text: plan.text, wrong: numbers.filter((value, i) => found[i] !== 2.5 * value + Math.floor(i / 4096)).length };
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
  const worker = new Worker(import.meta.url, { type: "module" });
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
