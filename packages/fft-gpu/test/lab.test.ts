/** Runs the kit's checks of variants on the laboratory's kernels, and tests how variants are asked for and refused. */
import { variantSuite } from "@dechirp/conformance";
import { type Device, fft, layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gpu } from "../src/index.ts";
import { type Variant, variants } from "../src/lab.ts";
import { kit, leavesOut, leftOut } from "./adapter.ts";

let device: Device;
beforeAll(async () => {
  device = await open(gpu({ variants }));
}, 60_000);
afterAll(() => device[Symbol.dispose]());

const powers = Array.from({ length: 7 }, (_, i) => 2 ** (8 + i));
const promises = Object.fromEntries(
  Object.entries(variants as Record<string, Variant>).map(([name, { error }]) => [
    name,
    { error, takes: (n: number) => powers.includes(n) },
  ]),
);

describe.skipIf(leavesOut)(leavesOut ? leftOut : "variants", () => {
  variantSuite(promises)({ ...kit(), open: () => open(gpu({ variants })) });
});

describe("plans", () => {
  const op = fft(layout("c64", [4, 512]), { axis: 1 });

  it("are the planner's without a variant, and the variant's with one", async () => {
    using bare = await device.plan(op);
    using other = await device.plan(op, { variant: "radix-4" });
    expect([bare.text.includes("radix=8·8·8"), other.text.includes("radix=2·4·4·4·4")]).toEqual([true, true]);
  });

  it("are refused by devices that do not know the variant", async () => {
    const failure = { code: "unsupported", fields: { field: "variant", variant: "radix-5" } };
    await expect(device.plan(op, { variant: "radix-5" })).rejects.toMatchObject(failure);
    for (const opened of [await open(gpu()), await open(cpu())]) {
      await expect(opened.plan(op, { variant: "radix-4" })).rejects.toMatchObject({ code: "unsupported" });
      opened[Symbol.dispose]();
    }
  });
});
