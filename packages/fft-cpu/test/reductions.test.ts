/** Reductions in WASM: results do not depend on the number of workers, and which ops the rule takes. */

import { random, randomArray } from "@dechirp/conformance";
import { layout, open, type Reduce, resultLayout } from "@dechirp/core";
import { histogram, reduce } from "@dechirp/core/reduce";
import { expect, it } from "vitest";
import { cpu } from "../src/index.ts";

async function results(workers: number, kernels: "wasm" | "js" = "wasm"): Promise<readonly string[]> {
  using device = await open(cpu({ workers, kernels }));
  const all: string[] = [];
  for (const [dtype, shape] of [
    ["f32", [301, 1203]],
    ["c64", [1001, 257]],
    ["i16", [900, 700]],
  ] as const) {
    const shaped = layout(dtype, shape);
    using input = device.alloc(shaped);
    input.write(randomArray(shaped, random(7)) as never);
    for (const axes of [[0], [1], [0, 1]]) {
      for (const what of dtype === "c64" ? (["sum", "product"] as const) : (["sum", "sum of squares", "argmax"] as const)) {
        const op: Reduce = reduce(shaped, { what, axes });
        using plan = await device.plan(op);
        expect(plan.text).toContain(kernels === "wasm" ? "reduce/wasm" : "lowered");
        using out = device.alloc(resultLayout(op));
        plan.run({ in: input, ...(what === "product" && { by: input }), out });
        all.push(Buffer.from((await out.read()).buffer).toString("hex"));
      }
    }
  }
  return all;
}

it("gives the same bits with any number of workers", async () => {
  const one = await results(1);
  for (const workers of [2, 3]) expect(await results(workers)).toEqual(one);
});

it("leaves double and half precision to core", async () => {
  using device = await open(cpu({ workers: 1 }));
  for (const dtype of ["f64", "c128", "cf16"] as const) {
    using plan = await device.plan(reduce(layout(dtype, [8, 8]), { what: "sum" }));
    expect(plan.text).toContain("reduce/lowered");
  }
  using plan = await device.plan(histogram(layout("u8", [100]), { bins: 256, low: 0, high: 256 }));
  expect(plan.text).toBe("(histogram/wasm 256 bins)");
});
