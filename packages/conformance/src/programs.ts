/**
 * Programs: random ones against the host, temporaries that are shared by liveness, runs again and again, progress, aborts,
 * comparison of devices and profiles.
 */
import {
  type CompiledProgram,
  compile,
  type Device,
  evaluate,
  type Fft,
  layout,
  type Op,
  type Program,
  type ProgramRunOptions,
  type Step,
  type TypedArrayOf,
} from "@dechirp/core";
import { compare, profileProgram } from "@dechirp/core/compare";
import { close, equal, identical, isTrue, rejects, settles, throws } from "./assert.ts";
import { product, transformed } from "./definition.ts";
import { check, suite } from "./kit.ts";
import { random, randomArray, type TestRandom } from "./random.ts";
import { c64, upload } from "./run.ts";
import { accumulate, detect, twice } from "./samples.ts";
import { correct } from "./tolerance.ts";

const [rows, columns] = [6, 20];
const shape = c64(rows, columns);

type Numbers = Float64Array;

interface Move {
  readonly op: Op;
  /** Further ports. */
  readonly bind: Readonly<Record<string, string>>;
  on(x: Numbers): Numbers;
}

/** Steps that keep the layout, by what the host makes of them. Each about keeps the energy, so that errors stay comparable. */
function moves(h: Float32Array): readonly Move[] {
  const transforms = [0, 1].flatMap((axis) =>
    [false, true].map((inverse): Move => {
      const op: Fft = { op: "fft", layout: shape, axis, inverse };
      return { op, bind: {}, on: (x) => transformed(op, x) };
    }),
  );
  const spread = Float64Array.from({ length: 2 * rows * columns }, (_, i) => h[i % (2 * columns)]);
  return [
    ...transforms,
    { op: { op: "multiply", layout: shape, axis: 1, h: "line" }, bind: { h: "h" }, on: (x) => product(x, spread) },
    { op: { op: "convert", layout: shape, to: "c64", scale: -0.5 }, bind: {}, on: (x) => x.map((v) => -0.5 * v) },
    {
      op: { op: "spectral-filter", layout: shape, axis: 1, h: "line" },
      bind: { h: "h" },
      on: (x) => transformed({ op: "spectral-filter", layout: shape, axis: 1, h: "line" }, x, h),
    },
  ];
}

interface Sample {
  readonly program: Program;
  readonly inputs: Record<string, TypedArrayOf>;
  readonly expected: Record<string, Numbers>;
}

/** A random straight-line program: each step reads any value there is; some values are outputs, some are never read. */
function randomProgram(source: TestRandom, length: number): Sample {
  const h = Float32Array.from({ length: 2 * columns }, () => 1);
  for (let k = 0; k < columns; k++) {
    const angle = 2 * Math.PI * source.next();
    h[2 * k] = Math.cos(angle);
    h[2 * k + 1] = Math.sin(angle);
  }
  const inputs = { a: randomArray(shape, source), b: randomArray(shape, source) };
  const values: Record<string, Numbers> = { a: Float64Array.from(inputs.a), b: Float64Array.from(inputs.b) };
  const steps: Step[] = [];
  for (let i = 0; i < length; i++) {
    const move = source.pick(moves(h));
    const names = Object.keys(values);
    const recent = names.slice(-3);
    const from = source.next() < 0.7 ? source.pick(recent) : source.pick(names);
    values[`v${i}`] = move.on(values[from]);
    steps.push({ name: `step ${i}`, op: move.op, bind: { ...move.bind, in: from, out: `v${i}` } });
  }
  const outputs = [...new Set([`v${length - 1}`, `v${source.integer(0, length - 1)}`, `v${source.integer(0, length - 1)}`])];
  const program: Program = {
    name: "random",
    inputs: { a: shape, b: shape },
    constants: { h: { layout: c64(columns), data: h } },
    steps,
    outputs,
  };
  return { program, inputs, expected: Object.fromEntries(outputs.map((name) => [name, values[name]])) };
}

/** Two transforms and a detection: x → spectrum → filtered → power. */
function chain(): { program: Program; inputs: Record<string, TypedArrayOf> } {
  const source = random(31);
  const program: Program = {
    name: "chain",
    inputs: { x: shape, h: c64(columns) },
    steps: [
      { name: "spectrum", op: { op: "fft", layout: shape, axis: 0, inverse: false }, bind: { in: "x", out: "spectrum" } },
      { name: "filter", op: { op: "multiply", layout: shape, axis: 1, h: "line" }, bind: { in: "spectrum", h: "h", out: "filtered" } },
      { name: "power", op: { op: "fft", layout: shape, axis: 1, inverse: true, store: detect() }, bind: { in: "filtered", out: "power" } },
    ],
    outputs: ["power"],
  };
  return { program, inputs: { x: randomArray(shape, source), h: randomArray(c64(columns), source) } };
}
const uniforms = { level: 2 };

/** `device` with element `at` of what every run of `op.op` writes to `out` set to 1000: a backend that is wrong in one place. */
function faulty(device: Device, wrong: Op["op"], at: number): Device {
  return {
    ...device,
    async plan(op, options) {
      const plan = await device.plan(op, options);
      if (op.op !== wrong) return plan;
      return {
        ...plan,
        run(bindings, runOptions) {
          const run = plan.run(bindings, runOptions);
          (bindings["out"] as ReturnType<typeof upload>).write(Float32Array.of(1000, 1000) as never, at);
          return run;
        },
      };
    },
  };
}

async function runOnce(
  program: CompiledProgram,
  device: Device,
  inputs: Record<string, TypedArrayOf>,
  name: string,
  options: ProgramRunOptions = {},
): Promise<TypedArrayOf> {
  const bound = Object.fromEntries(
    Object.entries(program.layouts).map(([key, l]) => [key, inputs[key] ? upload(device, l, inputs[key], key) : device.alloc(l, key)]),
  );
  try {
    program.run(bound, options);
    return await bound[name].read();
  } finally {
    for (const buffer of Object.values(bound)) buffer[Symbol.dispose]();
  }
}

/** Programs: compiled, run, compared, aborted. */
export const programs = suite("programs", [
  check("random programs, fused and not, against the host", async ({ device, sizes }) => {
    for (let seed = 0; seed < (sizes === "full" ? 40 : 10); seed++) {
      const source = random(1000 + seed);
      const { program, inputs, expected } = randomProgram(source, source.integer(1, 14));
      for (const fuse of [true, false]) {
        const outputs = await evaluate(program, device, inputs, { fuse });
        equal(Object.keys(outputs).sort(), Object.keys(expected).sort(), "outputs");
        for (const [name, values] of Object.entries(expected))
          close(outputs[name], values, correct(columns, "c64", 3 * program.steps.length), `program ${seed}, ${name}`);
      }
    }
  }),
  check("temporaries are shared by liveness", async ({ device }) => {
    const steps = Array.from(
      { length: 12 },
      (_, i): Step => ({
        name: `s${i}`,
        op: { op: "convert", layout: shape, to: "c64", scale: i % 2 ? 2 : 0.5 },
        bind: { in: i === 0 ? "x" : `t${i - 1}`, out: i === 11 ? "y" : `t${i}` },
      }),
    );
    const program: Program = { name: "ladder", inputs: { x: shape }, steps, outputs: ["y"] };
    const before = device.memory();
    using compiled = await compile(program, device);
    isTrue(device.memory().buffers - before.buffers <= 2, `a chain needs two temporaries, not ${device.memory().buffers - before.buffers}`);
    const x = randomArray(shape, random(1));
    for (let i = 0; i < 3; i++) identical(await runOnce(compiled, device, { x }, "y"), x, `run ${i}`);
  }),
  check("a compiled program runs again and again, queued without awaiting", async ({ device }) => {
    const { program, inputs } = chain();
    using compiled = await compile(program, device);
    const once = await runOnce(compiled, device, inputs, "power", { uniforms });
    const others = await Promise.all([0, 1, 2].map(() => runOnce(compiled, device, inputs, "power", { uniforms })));
    for (const other of others) identical(other, once, "another run");
  }),
  check("update steps and in-place steps", async ({ device }) => {
    const [height, width] = [5, columns];
    const program: Program = {
      name: "accumulate",
      inputs: { line: c64(width), image: c64(height, width) },
      steps: [
        { name: "double", op: twice(c64(width)), bind: { in: "line", out: "doubled" } },
        { name: "again", op: twice(c64(width)), bind: { in: "doubled", out: "doubled" }, inPlace: true },
        { name: "add", op: accumulate(height, width, 2), bind: { line: "doubled", image: "image" } },
      ],
      outputs: ["image"],
    };
    const source = random(3);
    const line = randomArray(c64(width), source);
    const image = randomArray(c64(height, width), source);
    const { image: out } = await evaluate(program, device, { line, image }, { uniforms: { first: 1 } });
    identical(
      out,
      image.map((v, i) => (i >= 2 * width && i < 6 * width ? Math.fround(v + 4 * line[i % (2 * width)]) : v)),
      "image",
    );
  }),
  check("in place: one buffer for in and out", async ({ device }) => {
    const x = randomArray(shape, random(5));
    const fft = (inverse: boolean): Op => ({ op: "fft", layout: shape, axis: 1, inverse });
    const forms: [name: string, steps: Step[]][] = [
      ["one step", [{ name: "a", op: fft(false), bind: { in: "in", out: "out" } }]],
      [
        "in read again after out is written",
        [
          { name: "a", op: fft(false), bind: { in: "in", out: "out" } },
          { name: "b", op: fft(true), bind: { in: "in", out: "unused" } },
        ],
      ],
      [
        "a step that can't overwrite",
        [
          { name: "a", op: fft(false), bind: { in: "in", out: "t" } },
          { name: "b", op: { op: "multiply", layout: shape, axis: 0, h: "all" }, bind: { in: "t", h: "in", out: "u" } },
          { name: "c", op: { op: "multiply", layout: shape, axis: 0, h: "all" }, bind: { in: "u", h: "in", out: "out" } },
        ],
      ],
    ];
    for (const [name, steps] of forms) {
      const program: Program = { name, inputs: { in: shape }, steps, outputs: ["out"] };
      const { out: apart } = await evaluate(program, device, { in: x });
      using compiled = await compile(program, device, { inPlace: true });
      using both = upload(device, shape, x);
      compiled.run({ in: both, out: both });
      close(await both.read(), apart, correct(columns, "c64"), name);
    }
  }),
  check("progress comes in order", async ({ device }) => {
    const { program, inputs } = chain();
    const seen: unknown[] = [];
    const { power } = await evaluate(program, device, inputs, {
      uniforms,
      onProgress: ({ stage, finished, stages }) => seen.push([stage, finished, stages]),
    });
    equal(
      seen,
      [
        ["spectrum", 0, 3],
        ["filter", 1, 3],
        ["power", 2, 3],
        ["done", 3, 3],
      ],
      "progress",
    );
    identical(power, (await evaluate(program, device, inputs, { uniforms }))["power"], "the same result");
  }),
  check("aborted between stages", async ({ device }) => {
    const { program, inputs } = chain();
    const controller = new AbortController();
    const stages: string[] = [];
    const run = evaluate(program, device, inputs, {
      uniforms,
      signal: controller.signal,
      onProgress: ({ stage }) => {
        stages.push(stage);
        if (stage === "filter") controller.abort();
      },
    });
    await rejects(run, "aborted", "the program");
    isTrue(!stages.includes("power"), `no stage begins after the abort: ${stages}`);
    await rejects(
      evaluate(program, device, inputs, { uniforms, signal: AbortSignal.abort() }),
      "aborted",
      "a program that had been aborted",
    );
  }),
  check("compare: two devices agree after every stage", async ({ device, open }) => {
    using other = await open();
    const { program, inputs } = chain();
    const { stages, first } = await compare(program, device, other, inputs, { uniforms });
    equal(first, undefined, "no stage differs");
    equal(
      stages.map((s) => [s.stage, s.value, s.agrees]),
      [
        ["spectrum", "spectrum", true],
        ["filter", "filtered", true],
        ["power", "power", true],
      ],
      "stages",
    );
    isTrue(
      stages.every((s) => s.tolerance > 0 && s.tolerance < 1e-4),
      "tolerances are those of rounding",
    );
  }),
  check("compare: the first stage that differs, and where", async ({ device }) => {
    const { program, inputs } = chain();
    for (const [row, column] of [
      [0, 0],
      [4, 13],
      [5, 19],
    ]) {
      const { first, stages } = await compare(program, faulty(device, "multiply", row * columns + column), device, inputs, { uniforms });
      equal([first?.stage, first?.value, first?.at], ["filter", "filtered", [row, column]], "the first stage that differs, and where");
      equal(
        stages.map((s) => s.agrees),
        [true, false, false],
        "stages before it agree, stages after it do not",
      );
    }
    const { first } = await compare(program, device, device, inputs, { uniforms, tolerance: 0 });
    equal(first, undefined, "a device agrees with itself to the last bit");
  }),
  check("profile: every stage has a time and a share of the roofline", async ({ device }) => {
    const { program, inputs } = chain();
    const { stages, milliseconds, copyGbPerSecond } = await profileProgram(program, device, inputs, { runs: 2, uniforms });
    equal(
      stages.map((s) => s.stage),
      program.steps.map((s) => s.name),
      "stages",
    );
    for (const s of stages)
      isTrue(
        [s.milliseconds, s.gbPerSecond, s.gflops, s.roofline].every((v) => v >= 0 && Number.isFinite(v)) && s.text !== "",
        `${s.stage} is measured: ${JSON.stringify(s)}`,
      );
    isTrue(milliseconds > 0 && copyGbPerSecond > 0, "totals are positive");
    await rejects(profileProgram(program, device, inputs, { runs: 0, uniforms }), "input", "no runs");
  }),
  check("what does not fit is refused, and leaves nothing behind", async ({ device }) => {
    const { program, inputs } = chain();
    const before = device.memory().buffers;
    await rejects(evaluate(program, device, { x: inputs["x"] }, { uniforms }), "layout", "a missing input");
    await rejects(
      evaluate(program, device, { ...inputs, x: inputs["x"].slice(2) as TypedArrayOf }, { uniforms }),
      "layout",
      "an input that is too short",
    );
    await rejects(evaluate(program, device, inputs), "layout", "missing uniforms");
    const broken: Program = {
      ...program,
      steps: [...program.steps, { name: "lost", op: twice(shape), bind: { in: "nowhere", out: "z" } }],
    };
    await rejects(compile(broken, device), "layout", "a step that reads what is not there");
    const unplannable: Program = {
      ...program,
      steps: [
        ...program.steps,
        {
          name: "huge",
          op: { op: "fft", layout: layout("c64", [2]), axis: 0, n: device.limits.maxTransformLength + 1, inverse: false },
          bind: { in: "pair", out: "z" },
        },
      ],
      inputs: { ...program.inputs, pair: c64(2) },
    };
    await rejects(compile(unplannable, device), "limit", "a step that can't be planned");
    using compiled = await compile(program, device);
    throws(() => compiled.run({}, { uniforms }), "layout", "a run without buffers");
    compiled[Symbol.dispose]();
    await settles(device.ready(), "ready()");
    equal(device.memory().buffers, before, "arrays alive");
  }),
]);
