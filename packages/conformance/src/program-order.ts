/**
 * Checks of compiled programs in program order. A run queues all its stages at once, whatever its options. Work that is queued later
 * comes after its last stage. Two runs do not disturb each other's temporaries. An aborted run spoils only its own outputs.
 */
import {
  type CompiledProgram,
  compile,
  isRadarError,
  type Layout,
  type Program,
  type ProgramRunOptions,
  type TypedArrayOf,
} from "@dechirp/core";
import { close, equal, identical, isTrue, rejects, settles, throws } from "./assert.ts";
import { check, isEmpty, suite } from "./kit.ts";
import { random, randomArray } from "./random.ts";
import { c64, upload } from "./run.ts";
import { accumulate, twice } from "./samples.ts";
import type { Sizes } from "./sizes.ts";
import { correct } from "./tolerance.ts";

/** A program that transforms there and back along both axes and doubles on the way: y = 2·x. It has four temporaries in two buffers. */
interface Work {
  readonly program: Program;
  readonly shape: Layout<"c64">;
  readonly tolerance: number;
}

function workOf([rows, columns]: readonly [rows: number, columns: number]): Work {
  const shape = c64(rows, columns);
  const program: Program = {
    name: "there and back",
    inputs: { x: shape },
    steps: [
      { name: "across", op: { op: "fft", layout: shape, axis: 1, inverse: false }, bind: { in: "x", out: "a" } },
      { name: "down", op: { op: "fft", layout: shape, axis: 0, inverse: false }, bind: { in: "a", out: "b" } },
      { name: "double", op: twice(shape), bind: { in: "b", out: "c" } },
      { name: "up", op: { op: "fft", layout: shape, axis: 0, inverse: true }, bind: { in: "c", out: "d" } },
      { name: "back", op: { op: "fft", layout: shape, axis: 1, inverse: true }, bind: { in: "d", out: "y" } },
    ],
    outputs: ["y"],
  };
  return { program, shape, tolerance: correct(rows * columns, "c64", 4) };
}

/** Large enough that queued runs take a while. The subset is for devices that need a second for the large one. */
const works: Readonly<Record<Sizes, Work>> = { full: workOf([64, 1024]), subset: workOf([64, 256]) };
const [rows, columns] = [64, 1024];

const doubled = (x: TypedArrayOf): Float64Array => new Float64Array(x).map((value) => 2 * value);

/** All options of a run that could make a difference. The signals here never fire. */
const ways: readonly (readonly [name: string, options: () => ProgramRunOptions])[] = [
  ["without options", () => ({})],
  ["with a signal", () => ({ signal: new AbortController().signal })],
  ["with progress", () => ({ onProgress: () => {} })],
  ["with both", () => ({ signal: new AbortController().signal, onProgress: () => {} })],
];

/** Checks that queued programs keep their order. */
export const programOrder = suite("program-order", [
  check("a read right after a run has its result", async ({ device, sizes }) => {
    const { program, shape, tolerance } = works[sizes];
    using compiled = await compile(program, device);
    const x = randomArray(shape, random(1));
    for (const [name, options] of ways) {
      using input = upload(device, shape, x);
      using output = device.alloc(shape);
      compiled.run({ x: input, y: output }, options());
      close(await output.read(), doubled(x), tolerance, name);
    }
  }),
  check("a borrowed span has the result of the run before, and errors of who borrows reach the caller", async ({ device, sizes }) => {
    const { program, shape, tolerance } = works[sizes];
    const [rows, columns] = shape.shape;
    using compiled = await compile(program, device);
    const x = randomArray(shape, random(11));
    using input = upload(device, shape, x);
    using output = device.alloc(shape);
    compiled.run({ x: input, y: output });
    for (const [start, count] of [
      [0, rows * columns],
      [3, 1],
      [columns + 1, 7 * columns - 5],
      [rows * columns - 2, 2],
      [5, 0],
    ]) {
      let copy: TypedArrayOf | undefined;
      await output.borrow({ start, count }, async (data) => {
        copy = data.slice();
        await new Promise((resolve) => setTimeout(resolve, 2));
        identical(data, copy, `elements ${start}+${count}, a while later`);
      });
      const wanted = doubled(x).subarray(2 * start, 2 * (start + count));
      if (count > 0) close(copy as TypedArrayOf, wanted, tolerance, `elements ${start}+${count}`);
      equal(copy?.length, wanted.length, "numbers");
    }
    const mine = new RangeError("mine");
    const thrown = await output
      .borrow({ start: 0, count: 4 }, () => {
        throw mine;
      })
      .catch((error: unknown) => error);
    isTrue(thrown === mine, "the error is the caller's own");
    await rejects(
      output.borrow({ start: -1, count: 4 }, () => {}),
      "layout",
      "a span outside",
    );
    await rejects(output.borrow({ start: 0, count: 4 }, undefined as never), "layout", "no function");
    close(await output.read(), doubled(x), tolerance, "the array after that");
  }),
  check("runs that are queued together do not touch each other's temporaries", async ({ device, sizes }) => {
    const { program, shape, tolerance } = works[sizes];
    using compiled = await compile(program, device);
    const source = random(2);
    for (const [name, options] of ways) {
      const xs = [0, 1, 2].map(() => randomArray(shape, source));
      const inputs = xs.map((x) => upload(device, shape, x));
      const outputs = xs.map(() => device.alloc(shape));
      const runs = xs.map((_, i) => compiled.run({ x: inputs[i], y: outputs[i] }, i % 2 === 0 ? options() : {}));
      for (const [i, x] of xs.entries()) close(await outputs[i].read(), doubled(x), tolerance, `run ${i} ${name}`);
      for (const { done } of runs) await settles(done, `a run ${name}`);
      for (const buffer of [...inputs, ...outputs]) buffer[Symbol.dispose]();
    }
  }),
  check("later work runs after the last stage", async ({ device, sizes }) => {
    const { program, shape, tolerance } = works[sizes];
    using compiled = await compile(program, device);
    using plan = await device.plan(twice(shape));
    const x = randomArray(shape, random(3));
    for (const [name, options] of ways) {
      using input = upload(device, shape, x);
      using output = device.alloc(shape);
      using further = device.alloc(shape);
      compiled.run({ x: input, y: output }, options());
      input.write(x.slice().fill(0));
      plan.run({ in: output, out: further });
      const before = output.read();
      output.write(x.slice().fill(7));
      close(await before, doubled(x), tolerance, `the output ${name}, read before it was overwritten`);
      identical(await output.read(), x.slice().fill(7), `the output ${name}, overwritten`);
      close(
        await further.read(),
        doubled(x).map((value) => 2 * value),
        tolerance,
        `what a plan made of the output ${name}`,
      );
    }
  }),
  check("programs and buffers may be disposed of as soon as a run is queued", async ({ open, sizes }) => {
    const { program, shape, tolerance } = works[sizes];
    for (const [name, options] of ways) {
      using device = await open();
      const compiled = await compile(program, device);
      const x = randomArray(shape, random(4));
      const input = upload(device, shape, x);
      const output = device.alloc(shape);
      const { done } = compiled.run({ x: input, y: output }, options());
      const result = output.read();
      for (const item of [compiled, input, output]) item[Symbol.dispose]();
      close(await result, doubled(x), tolerance, name);
      await settles(done, name);
      await settles(device.ready(), "ready()");
      isEmpty(device, `what a run ${name} left`);
    }
  }),
  check("an aborted run spoils only its own outputs", async ({ device, sizes }) => {
    const { program, shape, tolerance } = works[sizes];
    using compiled = await compile(program, device);
    const source = random(5);
    for (const when of ["before", "queued", "begun"] as const) {
      for (const [name, options] of ways.slice(0, 3)) {
        const xs = [0, 1, 2].map(() => randomArray(shape, source));
        const inputs = xs.map((x) => upload(device, shape, x));
        const outputs = xs.map(() => device.alloc(shape));
        const controller = new AbortController();
        if (when === "before") controller.abort();
        const all = [options(), { ...options(), signal: controller.signal }, options()];
        const runs = xs.map((_, i) => compiled.run({ x: inputs[i], y: outputs[i] }, all[i]));
        if (when === "queued") controller.abort();
        await settles(runs[0].done, "the run before it");
        if (when === "begun") controller.abort();
        const what = `${name}, aborted ${when}`;
        // This run may also have finished, once the run before it has.
        if (when === "begun")
          await runs[1].done.catch((error: unknown) => isTrue(isRadarError(error, "aborted"), `the run ${what}: ${error}`));
        else await rejects(runs[1].done, "aborted", `the run ${what}`);
        await settles(runs[2].done, `the run after one ${what}`);
        for (const i of [0, 2]) close(await outputs[i].read(), doubled(xs[i]), tolerance, `run ${i} beside one ${what}`);
        // Outputs of finished runs can be read; outputs of others can't.
        const second = await outputs[1].read().then(
          (y) => y,
          (error: { code?: string }) => error.code,
        );
        if (typeof second === "object") close(second, doubled(xs[1]), tolerance, `the output of the run ${what}`);
        else equal(second, "aborted", `a read of what the run ${what} should have written`);
        if (when === "before") equal(second, "aborted", "a read of what nobody began to write");
        for (const buffer of [...inputs, ...outputs]) buffer[Symbol.dispose]();
      }
    }
  }),
  check("progress of queued runs comes in order, each to its own listener", async ({ device, sizes }) => {
    const { program, shape, tolerance } = works[sizes];
    using compiled = await compile(program, device);
    const x = randomArray(shape, random(6));
    using input = upload(device, shape, x);
    using first = device.alloc(shape);
    using second = device.alloc(shape);
    const seen: string[][] = [[], []];
    const follow = (i: number): ProgramRunOptions => ({
      onProgress: ({ stage, finished, stages }) => void seen[i].push(`${stage} ${finished}/${stages}`),
    });
    const runs = [first, second].map((y, i) => compiled.run({ x: input, y }, follow(i)));
    for (const { done } of runs) await settles(done, "a run");
    const expected = ["across 0/5", "down 1/5", "double 2/5", "up 3/5", "back 4/5", "done 5/5"];
    equal(seen, [expected, expected], "progress");
    const refusing = compiled.run(
      { x: input, y: first },
      {
        onProgress: ({ finished }) => {
          if (finished === 2) throw new Error("no more");
        },
      },
    );
    const error = await settles(
      refusing.done.catch((thrown: unknown) => thrown),
      "a run whose listener throws",
    );
    isTrue(
      isRadarError(error, "failed") && (error.cause as Partial<Error> | undefined)?.message === "no more",
      `what a listener throws is why the run fails: ${error}`,
    );
    close(await first.read(), doubled(x), tolerance, "the output all the same");
  }),
  check("a step with an update port keeps its place", async ({ device }) => {
    const line = c64(columns);
    const image = c64(rows, columns);
    const sum: Program = {
      name: "sum",
      inputs: { line, image },
      steps: [
        { name: "double", op: twice(line), bind: { in: "line", out: "doubled" } },
        { name: "add", op: accumulate(rows, columns, rows), bind: { line: "doubled", image: "image" } },
      ],
      outputs: ["image"],
    };
    using compiled = await compile(sum, device);
    for (const [name, options] of ways) {
      using total = device.alloc(image);
      using one = device.alloc(line);
      for (let i = 1; i <= 4; i++) {
        one.write(new Float32Array(2 * columns).fill(i));
        compiled.run({ line: one, image: total }, { ...options(), uniforms: { first: 0 } });
      }
      identical(await total.read(), new Float32Array(2 * rows * columns).fill(20), name);
    }
  }),
  check("a run with wrong arguments is rejected at once and queues nothing", async ({ device }) => {
    const line = c64(columns);
    using compiled: CompiledProgram = await compile(
      {
        name: "two outputs",
        inputs: { x: line },
        steps: [
          { name: "one", op: twice(line), bind: { in: "x", out: "y" } },
          { name: "two", op: twice(line), bind: { in: "x", out: "z" } },
        ],
        outputs: ["y", "z"],
      },
      device,
    );
    using x = upload(device, line, new Float32Array(2 * columns).fill(1));
    using y = upload(device, line, new Float32Array(2 * columns).fill(5));
    using z = device.alloc(line);
    using other = device.alloc(c64(columns + 1));
    for (const [name, options] of ways) {
      throws(() => compiled.run({ x, y }, options()), "layout", `a missing output ${name}`, "z");
      throws(() => compiled.run({ x, y, z: other }, options()), "layout", `an output that does not fit ${name}`);
      throws(() => compiled.run({ x, y, z, w: other }, options()), "layout", `a buffer of no use ${name}`, "w");
      throws(() => compiled.run({ x, y, z }, { ...options(), uniforms: { level: 1 } }), "layout", `a uniform of no use ${name}`, "level");
    }
    await settles(device.ready(), "ready()");
    identical(await y.read(), new Float32Array(2 * columns).fill(5), "the first output");
  }),
]);
