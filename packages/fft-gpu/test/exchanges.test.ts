/**
 * Tests where exchanges put elements in workgroup memory, without a GPU: the generated addresses and conditions are evaluated for every invocation and every
 * window. Each element must be written once, to a word of its own within the memory, and be read from there.
 */
import { describe, expect, it } from "vitest";
import { windowElements } from "../src/crowd.ts";
import { type LineShape, lineShape, type ShapeOptions, workgroupBytes } from "../src/shape.ts";
import { Addresses, type Place, type Position } from "../src/wgsl/addresses.ts";
import { type Held, placesOf, Stages } from "../src/wgsl/stages.ts";
import { Text } from "../src/wgsl/text.ts";

const limits = { workgroupBytes: 49_152, invocations: 1024 };

/** WGSL on unsigned integers as JavaScript on numbers of any size, whose division is integer, too. */
const asScript = (wgsl: string): string => wgsl.replaceAll(/\b(\d+)u\b/g, "$1n");

/** A function of an invocation's `t` and `c` that returns the values of the expressions. `text` has the names that they use. */
function evaluator(text: Text, expressions: readonly string[]): (t: bigint, c: bigint) => readonly (bigint | boolean)[] {
  const named = new Map<string, string>();
  for (const [, name, value] of text.toString().matchAll(/^let (\w+) = (.*);$/gm)) named.set(name!, value!);
  const needed = new Set<string>();
  const need = (expression: string): void => {
    for (const [name] of expression.matchAll(/\b[a-z]\w*\b/g)) {
      const value = named.get(name);
      if (value === undefined || needed.has(name)) continue;
      need(value);
      needed.add(name);
    }
  };
  for (const one of expressions) need(one);
  const names = [...needed].map((name) => `const ${name} = ${asScript(named.get(name)!)};`).join("\n");
  return new Function("t", "c", `${names}\nreturn [${expressions.map(asScript).join(", ")}];`) as ReturnType<typeof evaluator>;
}

/** Checks the exchanges of a shape, and returns the largest address. */
function check(shape: LineShape, mapping: "line" | "tile"): number {
  const { n, radices, threads, windows } = shape;
  const side = shape.lines / shape.together;
  const at: Position = { t: "t", c: "c", mapping };
  const text = new Text();
  const stages = new Stages(text, shape);
  const addresses = new Addresses(text, shape);
  const valued = (places: readonly Place[]): Held[] => places.map((place) => ({ ...place, value: "v" }));
  let held = valued(placesOf(text, shape, radices[0]!, at.t));
  let span = 1;
  let largest = 0;
  radices.forEach((r, s) => {
    if (s > 0) {
      const places = placesOf(text, shape, r, at.t);
      addresses.begin({ span: span / radices[s - 1]!, radix: radices[s - 1]!, next: r }, at, at);
      for (let w = 0; w < windows; w++) {
        const reach = (place: Place) => {
          const within = addresses.within(place, w);
          return [within === false ? "false" : (within ?? "true"), within === false ? "0u" : addresses.of(place, at, w), place.index];
        };
        const [writes, reads] = [held, places].map((list) => evaluator(text, list.flatMap(reach)));
        const memory = new Map<bigint, bigint>();
        const all = (each: (t: bigint, c: bigint) => void): void => {
          for (let c = 0n; c < side; c++) for (let t = 0n; t < threads; t++) each(t, c);
        };
        const element = (index: bigint, c: bigint): bigint => c * BigInt(n) + index;
        all((t, c) => {
          const found = writes!(t, c);
          for (let i = 0; i < found.length; i += 3) {
            if (!found[i]) continue;
            const [address, index] = [found[i + 1] as bigint, found[i + 2] as bigint];
            if (memory.has(address)) throw new Error(`two elements at ${address}: ${memory.get(address)} and ${index}`);
            memory.set(address, element(index, c));
            largest = Math.max(largest, Number(address));
          }
        });
        let wrong: string | undefined;
        let count = 0;
        all((t, c) => {
          const found = reads!(t, c);
          for (let i = 0; i < found.length; i += 3) {
            if (!found[i]) continue;
            count++;
            const [address, index] = [found[i + 1] as bigint, found[i + 2] as bigint];
            if (memory.get(address) !== element(index, c)) wrong ??= `${index} is not at ${address}`;
          }
        });
        expect(wrong, JSON.stringify(shape)).toBeUndefined();
        // Both sides of an exchange have the same windows of all lines, which have whole groups of operands.
        const size = Math.min(n, (w + 1) * windowElements(n, windows, r)) - Math.min(n, w * windowElements(n, windows, r));
        expect([memory.size, count]).toEqual([size * side, size * side]);
      }
      held = valued(places);
    }
    held = stages.stage(held, { r, span, sign: -1, offset: 0 });
    span *= r;
  });
  expect(largest).toBeLessThan(Math.max(workgroupBytes({ ...shape, exchange: "split" }) / 4, addresses.words));
  return largest;
}

const line = (n: number, options: Partial<ShapeOptions> = {}): LineShape =>
  lineShape(n, limits, { mapping: "line", count: 1000, wide: n > 4096, crowded: true, ...options })!;

describe("exchanges", () => {
  it.each([64, 128, 243, 360, 1000, 1024, 1536, 4095, 4096, 4374, 5000])("of rows of %d points", (n) => {
    check(line(n), "line");
    check(line(n, { crowded: false }), "line");
    check(line(n, { crowded: "filter" }), "line");
  });

  it.each([
    [6144, 2],
    [6561, 2],
    [7680, 2],
    [8000, 2],
    [8192, 2],
    [9000, 2],
    [9216, 2],
    [12_288, 1],
    [12_500, 2],
    [15_000, 2],
    [16_384, 2],
    [18_225, 2],
    [20_000, 2],
    [20_480, 2],
  ])("of rows of %d points, in %d windows", (n, windows) => {
    const shape = line(n);
    expect(shape.windows).toBe(windows);
    check(shape, "line");
    check({ ...shape, room: workgroupBytes(shape) / 4 }, "line");
  });

  it.each([16, 100, 256, 512, 1000, 1024, 2048])("of columns of %d points", (n) => {
    const tile = { mapping: "tile", count: 4096, crowded: true, wide: n >= 1024 } as const;
    check(lineShape(n, limits, tile)!, "tile");
    check(lineShape(n, limits, { ...tile, together: 2, tile: 4, wide: false })!, "tile");
  });

  it("of a filter back, whose stages are in reverse order", () => {
    for (const n of [4096, 6048, 6561, 7000, 8000, 8192, 9375]) {
      const shape = line(n, { crowded: "filter" });
      check({ ...shape, radices: [...shape.radices].reverse() }, "line");
    }
  });
});
