/**
 * Times the WASM kernels alone, single thread and in place, for tuning them: lines of some sizes, stages against each other,
 * columns against rows, fused against separate filters, small numbers against normal ones. Comparisons with other
 * libraries are in packages/bench.
 *   node scripts/bench-wasm.mjs [--sizes 256,4096] [--rounds 11] [--relaxed] [--filter | --columns | --denormal | --tune 4096 [--stages 8.4.4;4.8.4]]
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const { values: options } = parseArgs({
  options: {
    sizes: { type: "string", default: "256,512,1024,2048,4096,8192,16384,65536,262144,1000,1536,4095,1009" },
    rounds: { type: "string", default: "11" },
    relaxed: { type: "boolean", default: false },
    filter: { type: "boolean", default: false },
    columns: { type: "boolean", default: false },
    denormal: { type: "boolean", default: false },
    tune: { type: "string", default: "" },
    stages: { type: "string", default: "" },
  },
});
const rounds = Number(options.rounds);
/** Tuning takes the least of many short windows, comparing the medians of longer ones. */
const windowMilliseconds = options.tune ? 1.5 : 8;
const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const temporary = mkdtempSync(join(tmpdir(), "bench-wasm-"));
process.on("exit", () => rmSync(temporary, { recursive: true, force: true }));
const print = (line) => process.stdout.write(`${line}\n`);

const tsc = join(dirname(createRequire(join(root, "../../package.json")).resolve("typescript/package.json")), "bin/tsc");
writeFileSync(
  join(temporary, "tsconfig.json"),
  JSON.stringify({
    extends: join(root, "../../tsconfig.base.json"),
    compilerOptions: {
      rootDir: join(root, "src/wasm"),
      outDir: join(temporary, "out"),
      composite: false,
      incremental: false,
      declaration: false,
      declarationMap: false,
      sourceMap: false,
    },
    include: [join(root, "src/wasm/*.ts")],
  }),
);
execFileSync(process.execPath, [tsc, "-p", temporary], { stdio: "inherit" });
writeFileSync(join(temporary, "out/package.json"), '{ "type": "module" }');
const { createKernels, loadKernels, planLines } = await import(pathToFileURL(join(temporary, "out/kernels.js")).href);

const module = await loadKernels({ relaxed: options.relaxed });
const memory = new WebAssembly.Memory({ initial: 6000, maximum: 65536 });
const kernels = createKernels(module, memory);
let top = 4096;
const allocate = (bytes) => {
  const address = Math.ceil(top / 64) * 64;
  top = address + bytes;
  if (top > memory.buffer.byteLength) memory.grow(Math.ceil((top - memory.buffer.byteLength) / 65536) + 1);
  return address;
};
const plan = (op) => {
  const planned = planLines(op, memory, { allocate, free() {} });
  for (const _ of planned.tables());
  return planned;
};
const noise = (count) => Float32Array.from({ length: count }, () => Math.random() - 0.5);

function ours(n, lines, op = { kind: "fft", n }) {
  const p = plan(op);
  const work = allocate(p.rowsWorkBytes);
  const place = { address: allocate(8 * n * lines), pitch: 8 * n };
  const x = noise(2 * n * lines);
  return {
    name: `ours ${p.text}`,
    reset: () => new Float32Array(memory.buffer, place.address, x.length).set(x),
    run: () => kernels.rows(p.address, place, place, lines, work),
  };
}

/** Nanoseconds of one line in one window. */
function timeWindow(peer, lines) {
  peer.reset();
  const start = performance.now();
  let end = start;
  let runs = 0;
  do {
    peer.run();
    runs++;
    end = performance.now();
  } while (end - start < windowMilliseconds);
  return ((end - start) * 1e6) / runs / lines;
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

async function compare(peers, lines) {
  const times = peers.map(() => []);
  for (const peer of peers) for (let i = 0; i < 3; i++) timeWindow(peer, lines);
  for (let round = 0; round < rounds; round++) {
    peers.forEach((peer, i) => {
      times[i].push(timeWindow(peer, lines));
    });
  }
  return {
    least: times.map((t) => Math.min(...t)),
    times: times.map(median),
    ratios: times.map((t) => median(t.map((v, r) => v / times[0][r]))),
  };
}

const batch = (n) => (n <= 4096 ? 256 : Math.max(1, 2 ** 20 / n));
const sizes = options.sizes.split(",").map(Number);
print(
  `${cpus()[0].model}, Node ${process.version}, ${options.relaxed && module.relaxed ? "relaxed" : "plain"}, medians of ${rounds} windows of ${windowMilliseconds} ms`,
);

if (options.tune) {
  const n = Number(options.tune);
  const start = top;
  const lists = [];
  const search = (rest, radices) => {
    if (rest === 1) lists.push(radices);
    for (const r of [2, 3, 4, 5, 6, 7, 8, 9, 11, 13]) if (rest % r === 0 && radices.length < 8) search(rest / r, [...radices, r]);
  };
  if (options.stages) lists.push(...options.stages.split(";").map((list) => list.split(".").map(Number)));
  else search(n, []);
  const across = n % 4 !== 0;
  const usable = lists.filter(
    (l) => across || (l[0] === 4 && [2, 3, 4, 5].includes(l.at(-1)) && l.filter((r) => r === 2).length < 2 && l.length > 1),
  );
  const shortest = Math.min(...usable.map((l) => l.length));
  const chosen = usable.filter((l) => l.length <= shortest + 2 && l.length >= shortest).slice(0, 100);
  const lines = Math.max(1, Math.floor(32768 / n));
  const results = [];
  for (let at = 0; at < chosen.length; at += 12) {
    top = start;
    const group = [undefined, ...chosen.slice(at, at + 12)].map((l) =>
      ours(n, lines, {
        kind: "fft",
        n,
        ...(l
          ? { factors: across ? { mode: "across", middle: l } : { mode: "within", first: l[0], middle: l.slice(1, -1), last: l.at(-1) } }
          : {}),
      }),
    );
    const { least } = await compare(group, lines);
    group.slice(1).forEach((g, i) => {
      results.push([least[i + 1] / least[0], g.name]);
    });
  }
  results.sort((a, b) => a[0] - b[0]);
  print(`time over the planner's (${plan({ kind: "fft", n }).text})`);
  for (const [ratio, name] of results.slice(0, 12)) print(`${ratio.toFixed(3)} ${name}`);
} else if (options.filter) {
  const n = 4096;
  const lines = 256;
  const h = { address: allocate(8 * n), pitch: 0 };
  new Float32Array(memory.buffer, h.address, 2 * n).set(noise(2 * n));
  const total = 4096;
  const place = { address: allocate(8 * n * total), pitch: 8 * n };
  const x = noise(2 * n * lines);
  const [forward, fused, filtered, backward] = ["fft", "filter", "filter-inverse", "inverse-fft"].map((kind) => plan({ kind, n }));
  const work = allocate(Math.max(...[forward, fused, filtered, backward].map((p) => p.rowsWorkBytes)));
  const reset = () => {
    for (let i = 0; i < total; i += lines) new Float32Array(memory.buffer, place.address + 8 * n * i, x.length).set(x);
  };
  const inTurn = (...passes) => {
    for (const pass of passes) pass();
  };
  const spectrum = () => kernels.rows(forward.address, place, place, total, work);
  const multiply = () => kernels.multiply(n, place, place, total, h);
  const { times, ratios } = await compare(
    [
      { name: "fused", reset, run: () => kernels.rows(fused.address, place, place, total, work, h) },
      {
        name: "fft, filter-inverse",
        reset,
        run: () => inTurn(spectrum, () => kernels.rows(filtered.address, place, place, total, work, h)),
      },
      {
        name: "fft, multiply, inverse",
        reset,
        run: () => inTurn(spectrum, multiply, () => kernels.rows(backward.address, place, place, total, work)),
      },
      { name: "fft alone", reset, run: spectrum },
      { name: "multiply alone", reset, run: multiply },
    ],
    total,
  );
  print(
    `4096 lines of 4096, ms: fused ${(times[0] * total) / 1e6}, two passes ${(times[1] * total) / 1e6} (${ratios[1].toFixed(2)}), three ${(times[2] * total) / 1e6} (${ratios[2].toFixed(2)}), fft alone ${(times[3] * total) / 1e6}, multiply alone ${(times[4] * total) / 1e6}`,
  );
} else if (options.columns) {
  for (const n of sizes) {
    const start = top;
    const count = 1024;
    const p = plan({ kind: "fft", n });
    const work = allocate(p.columnsWorkBytes);
    const place = { address: allocate(8 * n * count), pitch: 8 * count };
    const rowsPlace = { address: place.address, pitch: 8 * n };
    const x = noise(2 * n * count);
    const reset = () => new Float32Array(memory.buffer, place.address, x.length).set(x);
    const { least, times } = await compare(
      [
        { reset, run: () => kernels.columns(p.address, place, place, count, work) },
        { reset, run: () => kernels.rows(p.address, rowsPlace, rowsPlace, count, work) },
      ],
      count,
    );
    print(
      `${n} × ${count}: ns a column ${times[0].toFixed(0)}, a row ${times[1].toFixed(0)}, least ${least.map((t) => t.toFixed(0)).join(", ")}: ${(least[0] / least[1]).toFixed(2)}`,
    );
    top = start;
  }
} else if (options.denormal) {
  for (const n of sizes) {
    const start = top;
    const group = [1, 1e-39, 1e-42].map((size) => {
      const o = ours(n, 64);
      const p = plan({ kind: "fft", n });
      const work = allocate(p.rowsWorkBytes);
      const a = { address: allocate(8 * n * 64), pitch: 8 * n };
      const b = { address: allocate(8 * n * 64), pitch: 8 * n };
      new Float32Array(memory.buffer, a.address, 2 * n * 64).set(noise(2 * n * 64).map((v) => v * size));
      return { ...o, reset() {}, run: () => kernels.rows(p.address, a, b, 64, work) };
    });
    const { ratios } = await compare(group, 64);
    print(`${n}: time over that of normal numbers at 1e-39 ${ratios[1].toFixed(2)}, at 1e-42 ${ratios[2].toFixed(2)}`);
    top = start;
  }
} else {
  for (const n of sizes) {
    const start = top;
    const lines = batch(n) | 0;
    const peer = ours(n, lines);
    const { least, times } = await compare([peer], lines);
    print(
      `${n}\t${times[0].toFixed(0)} ns\t${((5 * n * Math.log2(n)) / times[0]).toFixed(1)} GFLOPS\tleast ${least[0].toFixed(0)} ns\t${peer.name}`,
    );
    top = start;
  }
}
