import { evaluate, layout, open, program } from "@dechirp/core";
import { divide, plus, times, toReal } from "@dechirp/core/expression";
import { cpu } from "@dechirp/fft-cpu";
import { gatherMap, positionExpression, positionTable } from "@dechirp/radar/interpolation";

const line = layout("f32", [8]);
const out = layout("f32", [5]);
const shared = { layout: out, samples: line, axis: 0, interpolator: "linear" } as const;

// Every 1.5th sample from 0.5 on.
const affine = gatherMap({ ...shared, positions: { kind: "affine", offset: 0.5, step: 1.5 } });
// A table: one position for each result.
const listed = gatherMap({ ...shared, positions: { kind: "table" } });
const positions = positionTable([3, 2.5, 2.25, 0, 6.75], out.shape, 0);
// A formula of the index and of a uniform.
const squares = positionExpression({ uniforms: { start: "f32" } }, ({ at, start }) =>
  plus(start, divide(times(toReal(at[0]), toReal(at[0])), 4)),
);
const computed = gatherMap({ ...shared, positions: squares });

const all = program({
  name: "positions",
  inputs: { samples: line },
  constants: { positions: { layout: layout("u32", [5]), data: positions } },
  steps: [
    { name: "affine", op: affine, bind: { samples: "samples", out: "a" } },
    { name: "table", op: listed, bind: { samples: "samples", positions: "positions", out: "b" } },
    { name: "expression", op: computed, bind: { samples: "samples", out: "c" } },
  ],
  outputs: ["a", "b", "c"],
});
using device = await open(cpu());
const samples = Float32Array.from({ length: 8 }, (_, i) => 10 * i);
const { a, b, c } = await evaluate(all, device, { samples }, { uniforms: { start: 1 } });
console.log([...a].join(" "), "|", [...b].join(" "), "|", [...c].join(" "));
