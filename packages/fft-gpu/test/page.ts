/**
 * What runs in a browser's page (browser.test.ts): suites of the conformance kit, one check after the other, on the backends
 * as a page gets them. Knows nothing of a test runner.
 */
import * as kit from "@dechirp/conformance";
import { type Backend, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "../src/index.ts";

export interface PageRequest {
  readonly backend: "gpu" | "cpu";
  /** Names of the kit's suites. */
  readonly suites: readonly string[];
  /** Names of checks that are left out. */
  readonly without?: readonly string[];
}

export interface PageResult {
  readonly name: string;
  readonly milliseconds: number;
  readonly error?: string;
}

const backends: Readonly<Record<PageRequest["backend"], () => Backend>> = { gpu: () => gpu(), cpu: () => cpu({ units: 2 }) };

async function runKit({ backend, suites, without = [] }: PageRequest): Promise<readonly PageResult[]> {
  const tests: { readonly name: string; readonly body: () => void | Promise<void> }[] = [];
  let group = "";
  for (const name of suites) {
    const suite = (kit as unknown as Record<string, kit.Suite | undefined>)[name];
    if (!suite) throw new Error(`there is no suite ${name}`);
    suite({
      describe(title, body) {
        group = title;
        body();
      },
      test(title, body) {
        tests.push({ name: `${group}/${title}`, body });
      },
      open: () => open(backends[backend]()),
      sizes: "subset",
    });
  }
  const results: PageResult[] = [];
  for (const { name, body } of tests) {
    if (without.includes(name)) continue;
    const start = performance.now();
    const error = await Promise.resolve()
      .then(body)
      .then(
        () => undefined,
        (reason: unknown) => String((reason as Error)?.stack ?? reason),
      );
    results.push({ name, milliseconds: performance.now() - start, ...(error !== undefined && { error }) });
  }
  return results;
}

/** What the devices say that they are. */
async function describeDevice(backend: PageRequest["backend"]): Promise<{ readonly description: string; readonly units: number }> {
  using device = await open(backends[backend]());
  return { description: device.info.description, units: device.units };
}

Object.assign(globalThis, { runKit, describeDevice });
