/** What the bundler makes of the packages: bundled generators must write the WGSL that the sources write. */
import { fileURLToPath } from "node:url";
import * as source from "@dechirp/fft-gpu/lab";
import { build, defaultClientConditions } from "vite";
import { expect, it } from "vitest";

const entry = fileURLToPath(new URL("../../../packages/fft-gpu/src/lab.ts", import.meta.url));

/** The laboratory as a page gets it. */
async function bundled(): Promise<typeof source> {
  const made = await build({
    root: fileURLToPath(new URL("..", import.meta.url)),
    configFile: false,
    logLevel: "error",
    resolve: { conditions: ["@dechirp/source", ...defaultClientConditions] },
    build: { target: "es2022", write: false, lib: { entry, formats: ["es"] }, rolldownOptions: { output: { codeSplitting: false } } },
  });
  const [{ output }] = made as Extract<typeof made, unknown[]>;
  return import(/* @vite-ignore */ `data:text/javascript;base64,${Buffer.from(output[0].code).toString("base64")}`);
}

it("writes the same kernels as the source", async () => {
  const laboratory = await bundled();
  for (const r of [2, 3, 4, 5, 7, 8, 16, 32, 64]) {
    // Only some of them are radices.
    const wanted = textOr(() => source.butterflyText(r));
    expect(textOr(() => laboratory.butterflyText(r))).toBe(wanted);
  }
  const limits = {
    workgroupBytes: 32_768,
    invocations: 1024,
    subgroups: [32, 32],
    features: new Set(["subgroups", "shader-f16"]),
    matrices: [],
    language: new Set<string>(),
    unsafe: false,
  } as const;
  let count = 0;
  for (const n of [60, 256, 4096, 65_536])
    for (const name of [undefined, ...Object.keys(source.variants)] as (keyof typeof source.variants | undefined)[]) {
      const kernelsWith = (made: typeof source): string =>
        textOr(() => JSON.stringify(made.kernelsOf({ n, batch: 8, limits, ...(name && { variant: made.variants[name] }) })));
      const wanted = kernelsWith(source);
      expect(kernelsWith(laboratory)).toBe(wanted);
      if (wanted.includes("@compute")) count += 1;
    }
  expect(count).toBeGreaterThan(8);
});

/** What a function returns, or the message of its error. */
function textOr(make: () => string): string {
  try {
    return make();
  } catch (error) {
    return String(error);
  }
}
