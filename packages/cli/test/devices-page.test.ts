/** The programs of the page on devices: they stand there word for word, there are no others, and they run. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

/** Runs a program of the page; what it printed, a line a call. */
async function said(name: string): Promise<string[]> {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  await import(`./devices-page/${name}.ts`);
  const lines = log.mock.calls.map((words) => words.join(" "));
  log.mockRestore();
  return lines;
}

test("stand there word for word", () => {
  const page = read("../../../apps/docs/devices.md");
  const blocks = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text]) => text);
  expect(blocks.sort()).toEqual(
    readdirSync(new URL("./devices-page", import.meta.url))
      .map((name) => read(`./devices-page/${name}`))
      .sort(),
  );
});

test("two devices agree", async () => {
  const [opened, result] = await said("swap");
  expect(opened).toMatch(/^(cpu WASM SIMD|gpu WebGPU: )/);
  expect(result).toBe("128000 they agree");
});

test("the faster device is opened, or the processor", async () => {
  expect(await said("choose")).toEqual([expect.stringMatching(/^(cpu \(fft\/wasm|gpu \(fft\/gpu).*n=1024/)]);
});

test("a GPU opens with default limits, or it says why not", async () => {
  expect(await said("options")).toEqual([expect.stringMatching(/^\d+ 0$|^no backend could be opened \(gpu: \S/)]);
});
