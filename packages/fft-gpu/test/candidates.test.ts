/** Tests that what planning by measurement tries differs from a plan in one respect only. Without a GPU. */
import { layout, type TransformOp } from "@dechirp/core";
import { describe, expect, it } from "vitest";
import { othersOf, respects } from "../src/candidates.ts";
import { measuredRows } from "../src/stage-choice.ts";
import type { PassLimits } from "../src/transform.ts";
import { transformBody } from "../src/transform-body.ts";

const limits: PassLimits = { workgroupBytes: 49_152, invocations: 1024 };

const ops = [
  ...Object.keys(measuredRows.lines).map(
    (n): TransformOp => ({ op: "fft", layout: layout("c64", [1000, Number(n)]), axis: 1, inverse: false }),
  ),
  ...Object.keys(measuredRows.written).map((n): TransformOp => {
    return { op: "real-fft", layout: layout("f32", [1000, 2 * Number(n)]), axis: 1, inverse: false };
  }),
  ...Object.keys(measuredRows.read).map((n): TransformOp => {
    return { op: "real-fft", layout: layout("c64", [1000, Number(n) + 1]), axis: 1, n: 2 * Number(n), inverse: true };
  }),
  ...[96, 256, 500, 1000, 1536, 2400].map((n): TransformOp => ({ op: "fft", layout: layout("c64", [n, 20_000]), axis: 0, inverse: false })),
];

describe("candidates of planning by measurement", () => {
  it.each(ops.map((op) => [op.op, op.layout.shape.join("×"), op] as const))("%s of %s", (_, __, op) => {
    const { choice } = transformBody(op, limits)!;
    const [shape] = choice!.shapes;
    const { n, radices, threads, lines, exchange, staged } = shape!;
    const kept = { lines, exchange, staged: staged !== undefined };
    // The plan's own stages are the plan.
    const own = { ...othersOf(shape!, choice!.mapping), radices: { [n]: radices }, threads: { [n]: threads } };
    const again = transformBody(op, { ...limits, prefer: own })!.choice!.shapes[0]!;
    expect({ ...again, staged: again.staged !== undefined }).toMatchObject({ radices, threads, ...kept });
    // Others keep what is staged, and have the lines of a tile, or fewer if their invocations are too many.
    const others = respects.at(2)!(choice!, limits).map((more) => transformBody(op, { ...limits, ...more })?.choice?.shapes[0]);
    expect(others.length).toBeGreaterThan(0);
    for (const other of others) {
      if (kept.staged) expect(other!.staged).toBe(staged);
      if (choice!.mapping === "tile") expect(other!.lines).toBeLessThanOrEqual(Math.max(lines, 128));
    }
  });
});
