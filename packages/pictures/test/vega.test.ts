/** Tests that Node loads Vega from its bundle, which is the same Vega. */
import { expressionInterpreter } from "vega-interpreter";
import { expect, test } from "vitest";
import { bundledVega } from "../src/node-vega.ts";

const spec = {
  width: 300,
  height: 200,
  scales: [{ name: "x", type: "linear", domain: [0, 7.3], range: "width" }],
  axes: [{ scale: "x", orient: "bottom", title: "Range (m)" }],
  marks: [{ type: "symbol", encode: { enter: { x: { scale: "x", value: 3.1 }, y: { signal: "height / 3" } } } }],
} as const;

const svgOf = ({ View, parse }: Pick<typeof import("vega"), "View" | "parse">): Promise<string> =>
  new View(parse(structuredClone(spec) as never, undefined, { ast: true }), { renderer: "none", expr: expressionInterpreter }).toSVG();

test("Node has Vega's bundle, which draws what its modules draw", async () => {
  const bundle = bundledVega(new URL("../src/node-vega.ts", import.meta.url).href);
  if (!bundle) throw new Error("Vega's package has no bundle beside the module that it exports");
  expect(bundle).toMatchObject({ version: (await import("vega")).version });
  expect(await svgOf(bundle)).toBe(await svgOf(await import("vega")));
});
