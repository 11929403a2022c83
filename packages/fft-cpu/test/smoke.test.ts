import { evaluate, layout, lower, open, type Op } from "@dechirp/core";
import { expect, test } from "vitest";
import { cpu } from "../src/index.ts";

test("fft of an impulse, lowered filter equals fused", async () => {
  using device = await open(cpu());
  const x = Float32Array.from({ length: 2 * 3 * 20 }, () => Math.random() - 0.5);
  const h = Float32Array.from({ length: 2 * 32 }, () => Math.random() - 0.5);
  for (const axis of [1]) {
    const op: Op = { op: "spectral-filter", layout: layout("c64", [3, 20]), axis, n: 32, h: "line", keep: [3, 10] };
    const out: Float32Array[] = [];
    for (const fuse of [true, false]) {
      const program = { name: "p", inputs: { in: op.layout, h: layout("c64", [32]) }, steps: [{ name: "s", op, bind: { in: "in", h: "h", out: "out" } }], outputs: ["out"] };
      const r = await evaluate(program, device, { in: x, h }, { fuse });
      out.push(r["out"] as Float32Array);
    }
    for (let i = 0; i < out[0].length; i++) expect(Math.abs(out[0][i] - out[1][i])).toBeLessThan(1e-5);
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0, bytes: 0 });
    expect(lower(op)?.steps.map((s) => s.name)).toEqual(["transform", "filter", "inverse"]);
  }
  const plan = await device.plan({ op: "spectral-filter", layout: layout("c64", [3, 20]), axis: 1, n: 32, h: "line" }, { fuse: false });
  console.log(plan.text, plan.cost);
});
