/**
 * Checks that lines do not affect each other and that plans write only their outputs. A NaN or an infinity in one line must not reach
 * another line. Inputs, and arrays next to an output, must not change by one bit.
 */
import { type Device, layout, type Op, portsOf, type TypedArrayOf, withAxis } from "@dechirp/core";
import { close, identical, isTrue } from "./assert.ts";
import { forEachLine } from "./definition.ts";
import { check, suite } from "./kit.ts";
import { random, randomArray } from "./random.ts";
import { c64, marked, runOp, upload } from "./run.ts";
import { correct } from "./tolerance.ts";

/** Puts a NaN or an infinity into each line in turn, and expects the results of the other lines not to change. */
async function expectNoLeak(
  device: Device,
  op: Extract<Op, { op: "fft" | "spectral-filter" | "filter-inverse" }>,
  poison: number,
): Promise<void> {
  const { axis, layout: shape } = op;
  const source = random(shape.shape.length);
  const x = randomArray(shape, source);
  const ports = portsOf(op);
  const h = ports["h"] ? { h: randomArray(ports["h"].layout, source) } : {};
  const clean = (await runOp(device, op, { in: x, ...h })).out;
  const n = op.n ?? shape.shape[axis];
  const result = op.keep?.[1] ?? n;
  const lines: [first: number, stride: number][] = [];
  forEachLine(shape.shape, axis, (first, stride) => lines.push([first, stride]));
  const places: [first: number, stride: number][] = [];
  forEachLine(withAxis(shape, axis, result).shape, axis, (first, stride) => places.push([first, stride]));
  const line = (data: TypedArrayOf, l: number): number[] =>
    Array.from({ length: 2 * result }, (_, i) => data[2 * (places[l][0] + (i >> 1) * places[l][1]) + (i & 1)]);
  for (const bad of new Set([0, 1, lines.length >> 1, lines.length - 1])) {
    const y = x.slice() as TypedArrayOf;
    const used = Math.min(n, shape.shape[axis]);
    for (const i of [0, used - 1]) y[2 * (lines[bad][0] + i * lines[bad][1])] = poison;
    const { out, text } = await runOp(device, op, { in: y, ...h });
    isTrue(
      line(out, bad).some((v) => !Number.isFinite(v)),
      `${text}: ${poison} in line ${bad} shows in that line`,
    );
    for (let l = 0; l < lines.length; l++) {
      // Two lines may share one complex transform. Their rounding may differ then, but not their values.
      if (l !== bad)
        close(
          line(out, l),
          line(clean, l),
          2 * correct(n, shape.dtype, 3) * Math.sqrt(n / result),
          `${text}: ${poison} in line ${bad} leaks into ${l}`,
        );
    }
  }
}

const cases = [
  { layout: c64(9, 16), axis: 1 },
  { layout: c64(16, 11), axis: 0 },
  { layout: c64(4, 15, 5), axis: 1 },
  { layout: c64(5, 20), axis: 1, n: 32 },
  { layout: c64(20, 13), axis: 0, n: 33 },
  { layout: c64(6, 37), axis: 1 },
  { layout: c64(3, 40), axis: 1, n: 48, keep: [4, 30] as const },
];

/** Checks that lines do not affect each other, and that plans write only their outputs. */
export const isolation = suite("isolation", [
  check("NaN and infinity stay in their line", async ({ device }) => {
    for (const poison of [Number.NaN, Infinity]) {
      for (const one of cases) {
        await expectNoLeak(device, { op: "fft", inverse: false, ...one }, poison);
        await expectNoLeak(device, { op: "spectral-filter", h: "line", ...one }, poison);
        await expectNoLeak(device, { op: "filter-inverse", h: "all", ...one }, poison);
      }
    }
  }),
  check("data that a run leaves behind does not affect the next run", async ({ device }) => {
    for (const one of cases) {
      const op: Op = { op: "fft", inverse: false, ...one };
      const ports = portsOf(op);
      using plan = await device.plan(op);
      const x = randomArray(op.layout, random(1));
      using from = upload(device, op.layout, x);
      using to = device.alloc(ports["out"].layout);
      plan.run({ in: from, out: to });
      const clean = await to.read();
      from.write(x.slice().fill(Number.NaN));
      plan.run({ in: from, out: to });
      from.write(x);
      plan.run({ in: from, out: to });
      identical(await to.read(), clean, plan.text);
    }
  }),
  check("a cropped part is not read", async ({ device }) => {
    const op = { op: "fft", layout: c64(4, 30), axis: 1, n: 20, inverse: false } as const;
    const x = randomArray(op.layout, random(2));
    const y = x.map((v, i) => ((i >> 1) % 30 < 20 ? v : Number.NaN));
    identical((await runOp(device, op, { in: y })).out, (await runOp(device, op, { in: x })).out, "fft of 30 cropped to 20");
  }),
  check("only the output is written", async ({ device }) => {
    const ops: Op[] = [
      ...cases.map((one): Op => ({ op: "fft", inverse: true, ...one })),
      ...cases.map((one): Op => ({ op: "spectral-filter", h: "line", ...one })),
      { op: "real-fft", layout: layout("f32", [5, 21]), axis: 1, inverse: false },
      { op: "real-fft", layout: c64(5, 11), axis: 1, inverse: true, n: 21 },
      { op: "multiply", layout: c64(5, 11), axis: 0, h: "line" },
      { op: "transpose", layout: c64(5, 11), permutation: [1, 0] },
      { op: "convert", layout: layout("f32", [3, 7]), to: "i8" },
    ];
    for (const op of ops) {
      const ports = portsOf(op);
      const source = random(9);
      using plan = await device.plan(op);
      using stack = new DisposableList();
      const guards: [buffer: ReturnType<typeof upload>, content: TypedArrayOf][] = [];
      const bound: Record<string, ReturnType<typeof upload>> = {};
      for (const [name, port] of Object.entries(ports)) {
        // A guard array of the same layout is allocated before and after every array.
        for (const role of ["before", name, "after"]) {
          const content = role === "out" ? marked(port.layout) : randomArray(port.layout, source);
          const buffer = stack.keep(upload(device, port.layout, content, role));
          if (role === name) bound[name] = buffer;
          if (role !== "out") guards.push([buffer, content]);
        }
      }
      await plan.run(bound).done;
      for (const [buffer, content] of guards) identical(await buffer.read(), content, `${plan.text}, array ${buffer.label}`);
    }
  }),
  check("partial writes and reads use exactly their span", async ({ device }) => {
    const x = randomArray(c64(50), random(1));
    using buffer = upload(device, c64(50), x);
    const part = randomArray(c64(7), random(2));
    for (const at of [0, 1, 21, 43]) {
      buffer.write(x);
      buffer.write(part, at);
      const expected = x.slice();
      expected.set(part, 2 * at);
      identical(await buffer.read(), expected, `7 elements at ${at}`);
      identical(await buffer.read({ start: at, count: 7 }), part, `span of 7 at ${at}`);
      identical(await buffer.read({ start: at, count: 0 }), [], `empty span at ${at}`);
    }
    for (const dtype of ["i8", "u8", "i16", "ci8", "ci16"] as const) {
      if (!device.limits.dtypes.includes(dtype)) continue;
      // Spans that are not a multiple of four bytes.
      const content = randomArray(layout(dtype, [21]), random(4));
      const piece = randomArray(layout(dtype, [3]), random(5));
      using bytes = upload(device, layout(dtype, [21]), content);
      bytes.write(piece, 5);
      const expected = content.slice();
      expected.set(piece, (5 * content.length) / 21);
      identical(await bytes.read(), expected, `${dtype}, 3 elements at 5`);
      identical(await bytes.read({ start: 5, count: 3 }), piece, `${dtype}, span of 3 at 5`);
    }
  }),
  check("arrays begin as zeros", async ({ device }) => {
    for (const dtype of device.limits.dtypes) {
      using buffer = device.alloc(layout(dtype, [3, 37]));
      identical(await buffer.read(), marked(buffer.layout).fill(0), dtype);
    }
  }),
]);

/** Collects disposable things and disposes of them at the end. */
class DisposableList implements Disposable {
  readonly #items: Disposable[] = [];

  keep<T extends Disposable>(item: T): T {
    this.#items.push(item);
    return item;
  }

  [Symbol.dispose](): void {
    for (const item of this.#items.splice(0).reverse()) item[Symbol.dispose]();
  }
}
