// @ts-check
/**
 * Measures what packages add to a page, and checks it against budgets. The size of an entry point is that of `export *`, bundled with its
 * dependencies except other packages of this workspace, minified by esbuild for ES2022 and compressed by gzip -9. As no package has side
 * effects, a page's bundle has only what it uses; that is checked with one small function of each package.
 */
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

/**
 * The largest compressed size of an entry point in bytes. The first three are promises; the others are the current size and a little more.
 */
const budgets = {
  "@dechirp/core": 11_450,
  // The places of exchanges in workgroup memory and the stages of long lengths take 0.9 kB, reading the kernels of plans 0.3 kB.
  // With the choice of an adapter by its facts, which is loaded when it is asked for. Half spectra in several passes, and mirror images that invocations
  // hold together, take 1.5 kB; two workgroups on a core, by windows and free words, take 1.2 kB. Planning by measurement and the checks of wisdom take
  // 3.8 kB, and are loaded when they are asked for. Short real rows take 0.4 kB.
  "@dechirp/fft-gpu": 46_400,
  "@dechirp/fft-cpu": 80_000,
  "@dechirp/core/backend": 17_300,
  "@dechirp/core/compare": 10_600,
  "@dechirp/core/expression": 9_900,
  // Planning loads it when an op has an expression. The emitter of WebAssembly is most of it.
  "@dechirp/core/expression/code": 27_400,
  // What io and processor, or io and the command, both need, such as waiting only until a signal fires, is in it once.
  "@dechirp/core/internal": 3_300,
  // The lowering of reductions to reference kernels, which planning loads, is most of it.
  "@dechirp/core/reduce": 8_100,
  // Without what it shares with expressions, the functions that write windows and their checks.
  "@dechirp/core/stencil": 8_100,
  // It checks expressions as planning does, with the same code, which a page that plans them has already.
  "@dechirp/core/json": 34_000,
  "@dechirp/core/tables": 3_400,
  // Files on servers by ranges, with retries, take 3 kB; recordings and arrays that are read in parts another 3 kB; images that are written
  // in parts 2 kB.
  "@dechirp/io": 36_400,
  // The parser of XML takes 7 kB, writing 5 kB, what files say of their collection 0.3 kB.
  "@dechirp/io/cphd": 24_000,
  // With the parsers, which are loaded when they are needed. That of CPHD files takes 15 kB.
  "@dechirp/io/formats": 53_000,
  // What all sinks share is 5 kB of it, reading headers nearly 2 kB.
  "@dechirp/io/geotiff": 12_700,
  // With the parsers of all formats, which are loaded when they are needed. Without them it is 22 kB.
  "@dechirp/io/info": 77_600,
  // Reading with a parser of XML takes half of it, geometry and writing the rest.
  "@dechirp/io/sicd": 31_700,
  // Vega is most of it.
  "@dechirp/pictures": 215_000,
  // The Doppler centroid of long recordings and the regular lines of recordings with gaps take 4 kB; images in blocks 4 kB;
  // places and collections of images, and parts of maps, 1.6 kB; maps of STAP runs as panels for pictures 0.8 kB.
  "@dechirp/processor": 47_150,
  "@dechirp/realtime": 22_000,
  "@dechirp/realtime/transforms": 15_500,
  "@dechirp/realtime/reports": 24_900,
  // Windows of images and sets of them take 1 kB, places of images on earth 1.4 kB.
  "@dechirp/radar": 6_800,
  "@dechirp/radar/geodesy": 3_100,
  "@dechirp/radar/images": 3_000,
  // With the kept tables of Kaiser windows and polynomials.
  "@dechirp/radar/interpolation": 6_400,
  // Doppler estimates over a recording and their polynomial take 5 kB; images in blocks, and measures of images that come in parts, 6 kB;
  // phase histories whose pulses differ in their frequencies 1.5 kB; parts of range profiles and runs of pulses 1.4 kB.
  "@dechirp/sar": 84_900,
  "@dechirp/sar/geocoding": 9_200,
  "@dechirp/stap": 38_000,
  "@dechirp/conformance": 66_000,
};

/** What every page that opens a device and runs a program loads from core, with any backend. */
const working = `export { evaluate, open } from "@dechirp/core"; export { createDevice } from "@dechirp/core/backend";`;
const workingBudget = 16_250;

/** What the functions that write expressions add to a page that has core: a promise. */
const expressions = `export * from "@dechirp/core"; export * as written from "@dechirp/core/expression";`;
const expressionBudget = 8_200;

/** A small function of each package that has one, and the largest compressed size in bytes of a bundle that imports only that function. */
const alone = {
  "@dechirp/core": ["layout", 1200],
  "@dechirp/fft-gpu": ["preferredDevice", 1100],
  "@dechirp/io": ["writeNpy", 1800],
  "@dechirp/processor": ["settingOf", 900],
  "@dechirp/realtime": ["responseBound", 2500],
  "@dechirp/radar": ["chirpSamples", 200],
  "@dechirp/sar": ["migrationFactor", 500],
  "@dechirp/stap": ["brennanRank", 900],
  "@dechirp/conformance": ["dft", 700],
};

/**
 * Bundles and minifies a module, including only imports that match `inside`. What planning loads when an op needs it is not part of it: the
 * code of expressions, which is an entry point of its own, the code of stencils, backends' plans of reductions; nor what only Node loads, and
 * what only devices with variants load.
 * @param {string} folder the folder in which the packages are installed @param {string} contents @param {RegExp} inside
 */
async function bundle(folder, contents, inside) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: "es2022",
    // Packages that are loaded when they are needed.
    external: ["webgpu", "fast-check"],
    logLevel: "error",
    plugins: [
      {
        name: "others are external",
        setup(builder) {
          builder.onResolve(
            { filter: /(expression\/forms|\/stencil|reduce-body|variant-body|variant-checks|\/dawn)\.js$/ },
            ({ path, kind }) => (kind === "dynamic-import" ? { path, external: true } : undefined),
          );
          builder.onResolve({ filter: /^(@dechirp\/|dechirp)/ }, ({ path }) => (inside.test(path) ? undefined : { path, external: true }));
        },
      },
    ],
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}

/**
 * Measures the packages that are installed in `folder`, and names those that exceed their budgets.
 * @param {string} folder @returns {Promise<{ table: string, exceeded: string[] }>}
 */
export async function measureSizes(folder) {
  const row = (/** @type {string} */ first, /** @type {unknown[]} */ ...numbers) =>
    `${String(first).padEnd(24)}${numbers.map((number) => String(number).padStart(10)).join("")}`;
  const lines = [row("bytes", "minified", "gzip -9", "budget")];
  /** @type {string[]} */
  const failed = [];
  const measure = async (
    /** @type {string} */ name,
    /** @type {string} */ contents,
    /** @type {RegExp} */ inside,
    /** @type {number} */ budget,
  ) => {
    const content = await bundle(folder, contents, inside);
    const packed = gzipSync(content, { level: 9 }).length;
    lines.push(row(name, content.length, packed, budget));
    if (packed > budget) failed.push(`${name} has ${packed} bytes; at most ${budget} are allowed (scripts/package-sizes.mjs)`);
  };
  for (const [name, budget] of Object.entries(budgets)) await measure(name, `export * from "${name}";`, new RegExp(`^${name}$`), budget);
  await measure("core at work", working, /^@dechirp\/core/, workingBudget);
  const both = gzipSync(await bundle(folder, expressions, /^@dechirp\/core/), { level: 9 }).length;
  const core = gzipSync(await bundle(folder, `export * from "@dechirp/core";`, /^@dechirp\/core/), { level: 9 }).length;
  lines.push(row("expressions beside core", "", both - core, expressionBudget));
  if (both - core > expressionBudget) failed.push(`expressions add ${both - core} bytes to core; at most ${expressionBudget} are allowed`);
  for (const [name, [one, most]] of Object.entries(alone)) {
    await measure(`${one} alone`, `export { ${one} } from "${name}";`, /^@dechirp\//, Number(most));
  }
  // Importing a package without using anything must add nothing to a bundle.
  for (const name of Object.keys(budgets)) {
    const { length } = await bundle(folder, `import "${name}";`, /^@dechirp\//);
    if (length > 0) failed.push(`import "${name}" leaves ${length} bytes in a bundle`);
  }
  return { table: `${lines.join("\n")}\n`, exceeded: failed };
}
