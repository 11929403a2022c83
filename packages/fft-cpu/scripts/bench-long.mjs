/**
 * Times long lines on the CPU device, as two passes that units share against each line on one unit, which an op that keeps all of its
 * result by name still gets: the two in turn, in one process, on the same arrays, on one worker and on several.
 *   node scripts/bench-long.mjs [--sizes 65536,1000000] [--kinds fft,inverse-fft,real-fft,inverse-real-fft] [--lines 1] [--workers 2] [--rounds 11]
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const powers = Array.from({ length: 11 }, (_, i) => 2 ** (13 + i));
const { values: options } = parseArgs({
  options: {
    sizes: { type: "string", default: [...powers, 3 * 2 ** 18, 10 ** 6, 5 ** 9].join(",") },
    kinds: { type: "string", default: "fft,real-fft" },
    lines: { type: "string", default: "1" },
    workers: { type: "string", default: "2" },
    rounds: { type: "string", default: "11" },
  },
});
const windowMilliseconds = 20;
const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const temporary = mkdtempSync(join(tmpdir(), "bench-long-"));
process.on("exit", () => rmSync(temporary, { recursive: true, force: true }));
const print = (line) => process.stdout.write(`${line}\n`);

const require = createRequire(join(root, "fft-cpu/package.json"));
const tsc = join(dirname(createRequire(join(root, "../package.json")).resolve("typescript/package.json")), "bin/tsc");
writeFileSync(
  join(temporary, "tsconfig.json"),
  JSON.stringify({
    extends: join(root, "../tsconfig.base.json"),
    compilerOptions: {
      rootDir: root,
      outDir: join(temporary, "out"),
      composite: false,
      incremental: false,
      declaration: false,
      declarationMap: false,
      sourceMap: false,
      customConditions: ["@dechirp/source"],
      typeRoots: [join(root, "fft-cpu/node_modules/@types")],
      types: ["node"],
    },
    include: [join(root, "core/src/*.ts"), join(root, "fft-cpu/src/**/*.ts")],
  }),
);
execFileSync(process.execPath, [tsc, "-p", temporary], { stdio: "inherit" });
const packageOf = (name, main) => {
  const folder = join(temporary, "out/node_modules", name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name, type: "module", exports: "./index.js" }));
  writeFileSync(join(folder, "index.js"), main);
};
writeFileSync(join(temporary, "out/package.json"), '{ "type": "module" }');
packageOf("@dechirp/core", 'export * from "../../../core/src/index.js";\n');
packageOf("fft.js", `export { default } from ${JSON.stringify(pathToFileURL(require.resolve("fft.js")).href)};\n`);
const { layout, open } = await import(pathToFileURL(join(temporary, "out/core/src/index.js")).href);
const { cpu } = await import(pathToFileURL(join(temporary, "out/fft-cpu/src/index.js")).href);

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/** Milliseconds of a run in one window. */
async function timeWindow(run) {
  const start = performance.now();
  let end = start;
  let runs = 0;
  do {
    await run();
    runs++;
    end = performance.now();
  } while (end - start < windowMilliseconds);
  return (end - start) / runs;
}

const rounds = Number(options.rounds);
const lines = Number(options.lines);
const most = Number(options.workers);
const device = await open(cpu({ workers: most }));
print(
  `${cpus()[0].model}, Node ${process.version}, ${device.info.description}, ${lines} lines, medians of ${rounds} windows of ${windowMilliseconds} ms`,
);
for (const kind of options.kinds.split(",")) {
  for (const n of options.sizes.split(",").map(Number)) {
    const inverse = kind.startsWith("inverse");
    const isReal = kind.endsWith("real-fft");
    const bins = Math.floor(n / 2) + 1;
    const input = layout(isReal && !inverse ? "f32" : "c64", [lines, isReal && inverse ? bins : n]);
    const count = isReal && !inverse ? bins : n;
    const output = layout(isReal && inverse ? "f32" : "c64", [lines, count]);
    const op = { op: isReal ? "real-fft" : "fft", layout: input, axis: 1, inverse };
    const plans = [await device.plan({ ...op, keep: [0, count] }), await device.plan(op)];
    const [from, to] = [device.alloc(input), device.alloc(output)];
    from.write(Float32Array.from({ length: from.view().length }, () => Math.random() - 0.5));
    const cells = [];
    for (const units of [[0], [...Array(most).keys()]].slice(0, most)) {
      const times = plans.map(() => []);
      for (let round = -2; round < rounds; round++) {
        for (const [i, plan] of plans.entries()) {
          const time = await timeWindow(() => plan.run({ in: from, out: to }, { units }).done);
          if (round >= 0) times[i].push(time);
        }
      }
      const [old, now] = times.map(median);
      const ratio = median(times[1].map((time, i) => time / times[0][i]));
      cells.push(
        `${units.length} ${units.length > 1 ? "workers" : "worker"}: ${old.toFixed(3)}, ${now.toFixed(3)} ms, ${ratio.toFixed(2)}`,
      );
    }
    print(`${n}\t${cells.join("\t")}\t${plans[1].text}`);
    for (const held of [from, to, ...plans]) held[Symbol.dispose]();
  }
}
device[Symbol.dispose]();
