/**
 * Times the WASM kernels, single thread and in place, against fft.js, `@echogarden/pffft-wasm` (ordered) and native FFTW3f
 * (MEASURE), window by window in turn, and prints ratios of medians. Peers that are not there are left out with a notice:
 * pffft-wasm is looked for in the folder named by --peers, FFTW needs gcc and libfftw3-dev.
 *   node scripts/bench-wasm.mjs [--sizes 256,4096] [--rounds 11] [--peers FOLDER] [--relaxed] [--filter] [--columns] [--tune 4096 [--stages 8.4.4;4.8.4]]
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import FFT from "fft.js";

const { values: options } = parseArgs({
  options: {
    sizes: { type: "string", default: "256,512,1024,2048,4096,8192,16384,65536,262144,1000,1536,4095,1009" },
    rounds: { type: "string", default: "11" },
    peers: { type: "string", default: "" },
    relaxed: { type: "boolean", default: false },
    filter: { type: "boolean", default: false },
    columns: { type: "boolean", default: false },
    denormal: { type: "boolean", default: false },
    tune: { type: "string", default: "" },
    stages: { type: "string", default: "" },
    json: { type: "boolean", default: false },
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
const plan = (op) => planLines(op, memory, { allocate, free() {} });
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

function fftJs(n, lines) {
  if (!Number.isInteger(Math.log2(n))) return undefined;
  const fft = new FFT(n);
  const x = noise(2 * n * lines);
  const y = new Float32Array(x.length);
  const inputs = Array.from({ length: lines }, (_, i) => x.subarray(2 * n * i, 2 * n * (i + 1)));
  const outputs = Array.from({ length: lines }, (_, i) => y.subarray(2 * n * i, 2 * n * (i + 1)));
  return {
    name: "fft.js",
    reset() {},
    run() {
      for (let i = 0; i < lines; i++) fft.transform(outputs[i], inputs[i]);
    },
  };
}

async function loadPffft() {
  if (!options.peers) return undefined;
  try {
    const path = createRequire(join(resolve(options.peers), "package.json")).resolve("@echogarden/pffft-wasm/simd");
    return await (await import(pathToFileURL(path).href)).default();
  } catch (error) {
    print(`pffft-wasm left out: ${error.message}`);
    return undefined;
  }
}

function pffft(m, n, lines) {
  const setup = n % 16 === 0 ? m._pffft_new_setup(n, 1) : 0;
  if (!setup) return undefined;
  const x = m._pffft_aligned_malloc(8 * n * lines);
  const work = m._pffft_aligned_malloc(8 * n);
  if (!x || !work) return undefined;
  const data = noise(2 * n * lines);
  return {
    name: "pffft-wasm ordered",
    reset: () => m.HEAPF32.set(data, x / 4),
    run() {
      for (let i = 0; i < lines; i++) m._pffft_transform_ordered(setup, x + 8 * n * i, x + 8 * n * i, work, 0);
    },
    free() {
      m._pffft_aligned_free(x);
      m._pffft_aligned_free(work);
      m._pffft_destroy_setup(setup);
    },
  };
}

const fftwText = `
#include <fftw3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1e3 + t.tv_nsec * 1e-6; }
int main(void) {
  int n, lines, lastN = 0, lastLines = 0; double window; fftwf_complex *x = 0, *y = 0; fftwf_plan p = 0;
  while (scanf("%d %d %lf", &n, &lines, &window) == 3) {
    size_t bytes = sizeof(fftwf_complex) * (size_t)n * lines;
    if (n != lastN || lines != lastLines) {
      if (p) { fftwf_destroy_plan(p); fftwf_free(x); free(y); }
      x = fftwf_malloc(bytes); y = malloc(bytes);
      p = fftwf_plan_many_dft(1, &n, lines, x, 0, 1, n, x, 0, 1, n, FFTW_FORWARD, FFTW_MEASURE);
      for (size_t i = 0; i < bytes / 4; i++) ((float *)y)[i] = rand() / (float)RAND_MAX - 0.5f;
      lastN = n; lastLines = lines;
    }
    memcpy(x, y, bytes);
    double start = now(), end = start; int runs = 0;
    do { fftwf_execute(p); runs++; end = now(); } while (end - start < window);
    printf("%.9g\\n", (end - start) * 1e6 / runs / lines); fflush(stdout);
  }
  return 0;
}`;

function startFftw() {
  try {
    writeFileSync(join(temporary, "fw.c"), fftwText);
    execFileSync("gcc", ["-O2", "-o", join(temporary, "fw"), join(temporary, "fw.c"), "-lfftw3f", "-lm"], { stdio: "pipe" });
  } catch {
    print("FFTW left out: needs gcc and libfftw3-dev");
    return undefined;
  }
  const child = spawn(join(temporary, "fw"), [], { stdio: ["pipe", "pipe", "inherit"] });
  const waiting = [];
  createInterface({ input: child.stdout }).on("line", (line) => waiting.shift()(Number(line)));
  return {
    time(n, lines, window) {
      return new Promise((done) => {
        waiting.push(done);
        child.stdin.write(`${n} ${lines} ${window}\n`);
      });
    },
    stop: () => child.stdin.end(),
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

async function compare(peers, lines, fftw, n) {
  const times = peers.map(() => []);
  const native = [];
  for (const peer of peers) for (let i = 0; i < 3; i++) timeWindow(peer, lines);
  if (fftw) await fftw.time(n, lines, windowMilliseconds);
  for (let round = 0; round < rounds; round++) {
    peers.forEach((peer, i) => {
      times[i].push(timeWindow(peer, lines));
    });
    if (fftw) native.push(await fftw.time(n, lines, windowMilliseconds));
  }
  return {
    least: times.map((t) => Math.min(...t)),
    times: times.map(median),
    ratios: times.map((t) => median(t.map((v, r) => v / times[0][r]))),
    leastNative: Math.min(...native),
    native: fftw ? median(native.map((v, r) => v / times[0][r])) : undefined,
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
  const wasm = await loadPffft();
  const fftw = startFftw();
  const rows = [];
  for (const n of sizes) {
    const start = top;
    const lines = batch(n) | 0;
    const peers = [ours(n, lines), fftJs(n, lines), wasm && pffft(wasm, n, lines)].filter(Boolean);
    const { least, leastNative, times, ratios, native } = await compare(peers, lines, fftw, n);
    const index = (name) => peers.findIndex((p) => p.name === name);
    const of = (name) => ratios[index(name)];
    const best = (name) => (least[index(name)] / least[0]).toFixed(2);
    rows.push({
      n,
      stages: peers[0].name,
      ns: times[0],
      gflops: (5 * n * Math.log2(n)) / times[0],
      fftJs: of("fft.js"),
      pffft: of("pffft-wasm ordered"),
      fftw: native,
    });
    const r = rows.at(-1);
    print(
      `${n}\t${times[0].toFixed(0)} ns\t${r.gflops.toFixed(1)} GFLOPS\tfft.js ${r.fftJs?.toFixed(2) ?? "-"}× (${best("fft.js")})\tpffft ${r.pffft?.toFixed(2) ?? "-"}× (${best("pffft-wasm ordered")})\tFFTW ${r.fftw?.toFixed(2) ?? "-"}× (${(leastNative / least[0]).toFixed(2)})\t${peers[0].name} least ${least[0].toFixed(0)}`,
    );
    for (const peer of peers) peer.free?.();
    top = start;
  }
  fftw?.stop();
  if (options.json) print(JSON.stringify(rows));
}
