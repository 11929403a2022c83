/** How work is divided among units: as many as have enough to do, in pieces that keep all of them busy. The pool notes what it is given. */
import { fft, layout } from "@dechirp/core";
import { expect, test } from "vitest";
import { createEngine } from "../src/engine.ts";
import { createHeap } from "../src/heap.ts";
import { allocateHostArray } from "../src/memory.ts";
import type { Pool, Task } from "../src/pool.ts";
import { createQueue } from "../src/queue.ts";
import { type KernelModule, loadKernels } from "../src/wasm/kernels.ts";
import { tileWidth, transformBody } from "../src/wasm-rules.ts";

const most = 16;
const all = Array.from({ length: most }, (_, i) => i);

/** What the pool gets of a transform of `lines` lines of n points: its pieces, its units and those that work. Undefined if the caller's thread does it. */
async function divided(lines: number, n: number, { units = all, axis = 1 }: { units?: readonly number[]; axis?: 0 | 1 } = {}) {
  const kernels = (await loadKernels({ relaxed: false })) as KernelModule;
  const queue = createQueue();
  const heap = createHeap({ shared: false, maximumBytes: 2 ** 30 });
  const given: { readonly task: Task; readonly units: readonly number[]; readonly woken: readonly number[] }[] = [];
  const pool: Pool = {
    units: most,
    load: async () => 0,
    run: async (task, chosen, woken) => void given.push({ task, units: chosen, woken: chosen.slice(0, woken) }),
    killForTest() {},
    close() {},
  };
  const engine = await createEngine(kernels, heap, pool, queue);
  const shape = layout("c64", axis === 1 ? [lines, n] : [n, lines]);
  const body = await transformBody(fft(shape, { axis }), engine, { pause: () => undefined });
  const [from, to] = ["in", "out"].map((label) => allocateHostArray(shape, label, heap, queue));
  await body.run({ in: from, out: to }, { uniforms: {}, units });
  const [first] = given;
  return (
    first && { pieces: Math.ceil(first.task.items / first.task.chunk), items: first.task.items, units: first.units, woken: first.woken }
  );
}

test.each([
  [16, 65_536],
  [17, 40_960],
  [100, 16_384],
  [1024, 1024],
  [4096, 256],
])("%d lines of %d points keep all units busy", async (lines, n) => {
  const found = await divided(lines, n);
  expect(found?.woken).toEqual(all);
  expect(found?.items).toBe(lines);
  expect(found?.pieces).toBeGreaterThanOrEqual(Math.min(lines, 4 * most));
});

test("lines that are transformed four at a time stay together", async () => {
  const found = await divided(40, 3 ** 9);
  expect(found).toMatchObject({ pieces: 10, units: all, woken: all.slice(0, 10) });
});

test("little work wakes few units, and less wakes none", async () => {
  expect((await divided(32, 1024))?.woken).toEqual(all.slice(0, 6));
  expect((await divided(16, 1024))?.woken).toEqual(all.slice(0, 3));
  expect(await divided(8, 1024)).toBeUndefined();
  expect(await divided(1, 1024)).toBeUndefined();
});

test("work for chosen units keeps all of them from others, however little it is", async () => {
  expect(await divided(1, 64, { units: [5, 7] })).toMatchObject({ units: [5, 7], woken: [5] });
  expect(await divided(64, 4096, { units: [5, 7] })).toMatchObject({ units: [5, 7], woken: [5, 7] });
});

test.each([
  [215, 2048],
  [100, 4096],
  [1000, 512],
  [1100, 1024],
])("%d columns of %d points keep the units busy", async (lines, n) => {
  const found = await divided(lines, n, { axis: 0 });
  const [items, woken] = [found?.items ?? 0, found?.woken.length ?? 0];
  expect(woken).toBeGreaterThanOrEqual(Math.min(most, Math.floor(lines / 16)));
  // Turns in which all units have a tile, of those in which any has one.
  expect(items / (Math.ceil(items / most) * most)).toBeGreaterThan(0.75);
});

test("tiles of columns are wide where there are enough of them, or little work", () => {
  expect(tileWidth(64, 3844, 1, 16)).toBe(64);
  // Four tiles of at most 64 columns, as equal as multiples of 8 are.
  expect(tileWidth(64, 215, 1, 1)).toBe(56);
  expect(tileWidth(64, 215, 100, 16)).toBe(56);
  expect(tileWidth(64, 215, 1, 16)).toBe(16);
  expect(tileWidth(64, 1, 5, 16)).toBe(1);
  for (const count of [1, 7, 8, 9, 61, 64, 65, 1000]) {
    const width = tileWidth(40, count, 3, 12);
    expect(width).toBeLessThanOrEqual(Math.min(40, count));
    expect(width === Math.min(40, count) || width % 8 === 0).toBe(true);
  }
});
