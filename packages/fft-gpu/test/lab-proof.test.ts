/** Tests that variants which compare themselves with float64 are refused if they are wrong, on a device, and compared once for a length. */
import { type Device, fft, layout, open } from "@dechirp/core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { gpu } from "../src/index.ts";
import { proofOf } from "../src/lab/proof.ts";
import { type Variant, variants } from "../src/lab.ts";

const right = variants["radix-4"];
let proofs = 0;
const counted: Variant["prove"] = (run, n) => {
  proofs += 1;
  return proofOf(right.error)(run, n);
};
/** A kernel with an error in one constant. */
const wrong: Variant = {
  ...right,
  prove: proofOf(right.error),
  plan(transform, limits) {
    const planned = right.plan(transform, limits);
    if (!("dispatches" in planned)) return planned;
    const dispatches = planned.dispatches.map((dispatch) => ({ ...dispatch, code: dispatch.code.replace("cmul(", "cmulc(") }));
    return { ...planned, dispatches };
  },
};

let device: Device;
beforeAll(async () => {
  device = await open(gpu({ variants: { right: { ...right, prove: counted }, wrong } }));
});
afterAll(() => {
  expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  device[Symbol.dispose]();
});

it("a variant whose results are right is compared once for a length", async () => {
  for (const n of [256, 256, 512]) {
    using plan = await device.plan(fft(layout("c64", [3, n]), { axis: 1 }), { variant: "right" });
    expect(plan.text).toContain("radix=");
  }
  expect(proofs).toBe(2);
});

it("a variant whose results are wrong is refused, with its error", async () => {
  await expect(device.plan(fft(layout("c64", [3, 256]), { axis: 1 }), { variant: "wrong" })).rejects.toMatchObject({
    code: "unsupported",
    message: expect.stringMatching(/a driver that compiles it rightly \(here the relative error of 256 points is \d/),
    fields: { field: "variant", variant: "wrong" },
  });
});
