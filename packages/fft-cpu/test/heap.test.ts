/** Tests the heap: blocks do not overlap, are returned completely and stay apart modulo 4096; errors for blocks that do not fit. */
import { describe, expect, test } from "vitest";
import { createHeap } from "../src/heap.ts";

describe("the heap", () => {
  test("returns disjoint, aligned, zeroed blocks and takes them back completely", () => {
    const heap = createHeap({ shared: false, maximumBytes: 2 ** 28 });
    let state = 1;
    const random = (): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 32;
    };
    const live = new Map<number, number>();
    for (let i = 0; i < 3000; i++) {
      if (random() < 0.55 || live.size === 0) {
        const bytes = Math.ceil(random() ** 3 * 200_000);
        const address = heap.allocate(bytes, "block");
        expect(address % 64).toBe(0);
        const words = new Uint8Array(heap.memory.buffer, address, bytes);
        expect(words.every((v) => v === 0)).toBe(true);
        for (const [other, size] of live) expect(address + bytes <= other || other + size <= address).toBe(true);
        words.fill(255);
        live.set(address, bytes);
      } else {
        const address = [...live.keys()][Math.floor(random() * live.size)];
        heap.free(address);
        live.delete(address);
      }
    }
    for (const address of live.keys()) heap.free(address);
    expect(heap.used).toBe(0);
    const before = heap.memory.buffer.byteLength;
    heap.free(heap.allocate(before - 70_000, "all of it"));
    expect(heap.memory.buffer.byteLength).toBe(before);
  });

  test("keeps big blocks of equal size apart modulo 4096", () => {
    const heap = createHeap({ shared: true, maximumBytes: 2 ** 28 });
    const places = Array.from({ length: 8 }, () => heap.allocate(2 ** 20, "array") % 4096);
    expect(new Set(places).size).toBe(8);
  });

  test("reports blocks that do not fit, and works on", () => {
    const heap = createHeap({ shared: false, maximumBytes: 2 ** 22 });
    const first = heap.allocate(2 ** 20, "first");
    expect(() => heap.allocate(2 ** 22, "too much")).toThrow(expect.objectContaining({ code: "limit" }));
    heap.free(first);
    expect(() => heap.free(first)).toThrow("nothing is allocated");
    heap.allocate(3 * 2 ** 20, "fits");
  });
});
