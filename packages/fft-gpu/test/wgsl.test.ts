/**
 * Keeps the output of the generators as text, so that changes of it are noticed. The conformance kit tests that it computes the right
 * results.
 */
import { layout, type TransformOp } from "@dechirp/core";
import { describe, expect, it } from "vitest";
import { TableBuilder } from "../src/tables.ts";
import { transformBody } from "../src/transform-body.ts";
import { toolkitFft } from "../src/wgsl/toolkit.ts";
import { turnDispatch } from "../src/wgsl/transpose.ts";

const limits = { workgroupBytes: 16_384, invocations: 256 };
const c64 = (...shape: number[]) => layout("c64", shape);

const ops: Readonly<Record<string, TransformOp>> = {
  "rows of 6": { op: "fft", layout: c64(4, 6), axis: 1, inverse: false },
  "rows of 16, inverse, three of them": { op: "fft", layout: c64(3, 16), axis: 1, inverse: true },
  "columns of 4": { op: "fft", layout: c64(4, 8), axis: 0, inverse: false },
  "padded from 5 to 8, 3 of them kept": { op: "fft", layout: c64(8, 5), axis: 1, n: 8, inverse: false, keep: [1, 3] },
  "a filter of 4": { op: "spectral-filter", layout: c64(8, 4), axis: 1, h: "line" },
  "real rows of 8": { op: "real-fft", layout: layout("f32", [4, 8]), axis: 1, inverse: false },
  "half spectra to rows of 8": { op: "real-fft", layout: c64(4, 5), axis: 1, inverse: true },
};

describe("kernels of lines", () => {
  it.each(Object.entries(ops))("%s", (_, op) => {
    const body = transformBody(op, limits);
    expect(body?.dispatches.map(({ code, groups }) => `${groups.join(" × ")}\n${code}`).join("\n\n")).toMatchSnapshot();
  });

  it("a line of 16 in two passes", () => {
    const body = transformBody({ op: "fft", layout: c64(1, 16), axis: 1, inverse: false }, { ...limits, longestPass: 8 });
    expect(body?.text).toMatch(/^\(fft\/gpu n=16 2-pass/);
    expect(body?.dispatches.map(({ code }) => code).join("\n\n")).toMatchSnapshot();
  });

  it("a line of 16 in two passes, half precision between them", () => {
    const halves = { ...limits, longestPass: 8, scratch: "f16" } as const;
    const body = transformBody({ op: "fft", layout: c64(1, 16), axis: 1, inverse: false }, halves);
    expect(body?.text).toContain("scratch=f16 SQNR=74dB");
    expect(body?.dispatches.map(({ code }) => code).join("\n\n")).toMatchSnapshot();
  });

  it("turns of matrices", () => {
    const dispatch = turnDispatch({ input: c64(40, 33), output: c64(33, 40), matrices: 1, rows: 40, columns: 33, type: "vec2f" });
    expect(dispatch.code).toMatchSnapshot();
  });

  it("a transform for kernels", () => {
    expect(toolkitFft({ name: "spectrum", n: 16 * 4, inverse: false }, limits, new TableBuilder())).toMatchSnapshot();
    expect(toolkitFft({ name: "spectrum", n: 17, inverse: false }, limits, new TableBuilder())).toBeUndefined();
  });

  it("a transform for kernels that one invocation does keeps others out of its exchanges", () => {
    const alone = toolkitFft({ name: "spectrum", n: 20, inverse: false }, limits, new TableBuilder());
    expect(alone).toMatchObject({ threads: 1, exchange: 20 });
    expect(alone?.code).toContain("let active0 = t < 1u;");
  });

  it("a transform for kernels in workgroup memory of theirs", () => {
    const own = toolkitFft({ name: "spectrum", n: 64, inverse: false }, limits, new TableBuilder());
    const lent = toolkitFft({ name: "spectrum", n: 64, inverse: false, exchange: "lent" }, limits, new TableBuilder());
    const [declared, ...rest] = own?.code.split("\n") ?? [];
    expect(declared).toBe(`var<workgroup> spectrum_exchange: array<f32, ${own?.exchange}>;`);
    expect(lent).toEqual({ ...own, code: `\n${rest.join("\n").replaceAll("spectrum_exchange", "lent")}` });
    expect(toolkitFft({ name: "short", n: 8, inverse: false, exchange: "lent" }, limits, new TableBuilder())?.exchange).toBe(0);
  });

  it("plans Bluestein's convolution for primes, and says so", () => {
    const body = transformBody({ op: "fft", layout: c64(2, 97), axis: 1, inverse: false }, limits);
    expect(body?.text).toContain("bluestein m=196");
    expect(body?.cost.passes).toBe(1);
  });
});
