/** What expressions cost on the CPU: loads of a transform beside the transform without them, and a map beside `multiply`. */
import { createRandom, fft, type Layout, layout, multiply, open, scalarCount, type TypedArrayOf, typedArray } from "@dechirp/core";
import { load, map, sampleLoad, times } from "@dechirp/core/expression";
import { cpu } from "@dechirp/fft-cpu";
import { type Case, type Contender, noError, transformFlops } from "../runner.ts";

const n = 1024;
const shape = layout("c64", [n, n]);
const window = layout("f32", [n]);
const filter = layout("c64", [n]);

/** Random samples of a layout: integers over their whole range, and floats between −½ and ½. */
function samples({ dtype, shape }: Layout): TypedArrayOf {
  const { uniform, uint32 } = createRandom(5);
  const numbers = typedArray(dtype, scalarCount({ dtype, shape }));
  for (let i = 0; i < numbers.length; i++) numbers[i] = dtype === "ci16" ? uint32() : uniform() - 0.5;
  return numbers;
}

/** Contenders of one unit and `shape`: a transform with and without loads, and products by a map and by an op. */
export const expressionsCase: Case = {
  name: `expressions on c64 ${n}×${n}, one unit`,
  flops: transformFlops(n, n),
  errorKind: "",
  async setUp() {
    const device = await open(cpu({ workers: 1 }));
    const raw = layout("ci16", [n, n]);
    const layouts = { x: shape, raw, window, gain: window, h: filter };
    const inputs = Object.fromEntries(Object.entries(layouts).map(([name, of]) => [name, device.alloc(of, name)]));
    for (const [name, of] of Object.entries(layouts)) inputs[name].write(samples(of) as never);
    const out = device.alloc(shape, "out");
    const windowed = load({ name: "window", layout: shape, sources: { x: shape, window } }, ({ at, x, window }) =>
      times(x(at), window(at[1])),
    );
    const three = sampleLoad({ layout: shape, samples: raw, window: 1, gain: 0 });
    const five = map(
      { shape: shape.shape, sources: { in: shape, h: filter }, outputs: { out: "c64" } },
      "w = h[i1]; -(in * w * w * conj(w))",
    );
    const ways = [
      [fft(shape, { axis: 1 }), { in: inputs["x"] }, "without a load"],
      [fft(shape, { axis: 1, load: windowed }), { x: inputs["x"], window: inputs["window"] }, "window"],
      [
        fft(shape, { axis: 1, load: three }),
        { samples: inputs["raw"], window: inputs["window"], gain: inputs["gain"] },
        "16-bit samples, gain per line, window",
      ],
      [multiply(shape, { axis: 1 }), { in: inputs["x"], h: inputs["h"] }, "multiply"],
      [five, { in: inputs["x"], h: inputs["h"] }, "map of five operations"],
    ] as const;
    const contenders: Contender[] = [];
    for (const [op, ports, name] of ways) {
      const plan = await device.plan(op);
      contenders.push({ name: `${name} ${plan.text}`, run: () => plan.run({ ...ports, out }).done, error: noError });
    }
    return { contenders, dispose: () => device[Symbol.dispose]() };
  },
};
