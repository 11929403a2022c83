/**
 * Measurements on a GPU, in one process with no test runner and no package manager: bundled to one file and carried to a
 * machine that has nothing but a driver (prepare.mjs). Method: clocks warm, thirty or more runs in a submission between two
 * GPU timestamps, random data, medians of samples that alternate with a copy of as many bytes, and the output of the timed
 * run checked against float64. Prints a table, and JSON lines to the file named by OUT_JSON.
 */
import { appendFileSync } from "node:fs";
import { type Buffer, type Device, type Kernel, layout, type Op, open, type Plan } from "@dechirp/core";
import { type GpuOptions, gpu, timeOnDevice } from "@dechirp/fft-gpu";
import { cases, type GpuCase } from "./cases.ts";
import { relativeError } from "./check.ts";
import { transfers } from "./transfers.ts";

const runsPerSample = Number(process.env["RUNS"] ?? 30);
const samples = Number(process.env["SAMPLES"] ?? 7);
const elements = Number(process.env["ELEMENTS"] ?? 2 ** 24);
const only = process.env["ONLY"] ? new RegExp(process.env["ONLY"]) : undefined;

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1];

/** Copies four elements an invocation, a workgroup's width apart. */
const copyKernel = (count: number): Kernel => ({
  op: "kernel",
  name: "copy",
  ports: { in: { access: "read", layout: layout("c64", [count]) }, out: { access: "write", layout: layout("c64", [count]) } },
  items: count,
  wgsl: () => ({
    code: `@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) id: vec3u) {
  let first = (id.y * 4096u + id.x) * 1024u + tid;
  for (var i = 0u; i < 4u; i++) { store_out(first + 256u * i, load_in(first + 256u * i)); }
}`,
    dispatches: [{ entry: "main", groups: [Math.min(4096, count / 1024), Math.max(1, count / 1024 / 4096), 1] }],
  }),
  reference({ in: x, out }, _uniforms, start, end) {
    for (let i = start; i < end; i++) out.set(i, x.re(i), x.im(i));
  },
});

const flags = ["disable-dawn-features=timestamp_quantization"];
const devices = new Map<string, Promise<Bench>>();

interface Bench {
  readonly device: Device;
  readonly copy: Plan;
  readonly source: Buffer;
  readonly target: Buffer;
  readonly data: Float32Array;
}

const data = new Float32Array(2 * elements);
for (let i = 0, state = 12345; i < data.length; i++) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  data[i] = state / 2 ** 32 - 0.5;
}

function benchOf(planning: GpuOptions["planning"]): Promise<Bench> {
  const key = JSON.stringify(planning ?? {});
  let bench = devices.get(key);
  if (!bench) {
    bench = (async () => {
      const device = await open(gpu({ dawnFlags: flags, ...(planning && { planning }) }));
      const shape = layout("c64", [elements]);
      const source = device.alloc(shape);
      const target = device.alloc(shape);
      source.write(data);
      return { device, source, target, data, copy: await device.plan(copyKernel(elements)) };
    })();
    devices.set(key, bench);
  }
  return bench;
}

async function timed(bench: Bench, run: () => void, runs = runsPerSample): Promise<number> {
  const ms = await timeOnDevice(bench.device, () => {
    for (let i = 0; i < runs; i++) run();
  });
  if (ms === undefined) throw new Error("this device has no clock");
  return ms / runs;
}

async function warm(bench: Bench): Promise<void> {
  const begin = performance.now();
  while (performance.now() - begin < 200) await timed(bench, () => bench.copy.run({ in: bench.source, out: bench.target }));
}

async function measure(c: GpuCase): Promise<void> {
  const bench = await benchOf(c.planning);
  const { device } = bench;
  const op: Op = c.op(elements);
  const begin = performance.now();
  const plan = await device.plan(op);
  const planMs = performance.now() - begin;
  const again = performance.now();
  (await device.plan(op))[Symbol.dispose]();
  const againMs = performance.now() - again;
  const { bindings, free } = c.bind(device, bench, elements);
  const copy = (): unknown => bench.copy.run({ in: bench.source, out: bench.target });
  const run = (): unknown => plan.run(bindings);
  await warm(bench);
  await timed(bench, run, 3);
  const [times, copies]: [number[], number[]] = [[], []];
  for (let s = 0; s < samples; s++) {
    copies.push(await timed(bench, copy));
    times.push(await timed(bench, run));
  }
  const [ms, copyMs] = [median(times), median(copies)];
  const error = await relativeError(op, bindings, data);
  const row = {
    name: c.name,
    text: plan.text.slice(0, 220),
    ms,
    gbps: plan.cost.bytes / plan.cost.passes / ms / 1e6,
    copyMs,
    share: copyMs / ms,
    error,
    planMs,
    againMs,
  };
  const cells = [
    c.name.padEnd(46),
    ms.toFixed(4),
    copyMs.toFixed(4),
    `${(100 * row.share).toFixed(1)}%`,
    error.toExponential(1),
    planMs.toFixed(0),
    againMs.toFixed(2),
  ];
  process.stdout.write(`${cells.join("  ")}\n`);
  if (process.env["OUT_JSON"]) appendFileSync(process.env["OUT_JSON"], `${JSON.stringify(row)}\n`);
  plan[Symbol.dispose]();
  free();
}

const first = await benchOf(undefined);
process.stdout.write(
  `${first.device.info.description}\n${["case".padEnd(46), "ms", "copy", "share", "error", "plan", "again"].join("  ")}\n`,
);
for (const c of cases) {
  if (only && !only.test(c.name)) continue;
  try {
    await measure(c);
  } catch (error) {
    process.stdout.write(`${c.name}: ${(error as Error).message.slice(0, 300)}\n`);
  }
}
if (!process.env["NO_TRANSFERS"]) await transfers(first.device, data, (line) => process.stdout.write(`${line}\n`));
for (const bench of devices.values()) (await bench).device[Symbol.dispose]();
