// Signs, scale and axes of transforms, on numbers that can be worked out by hand.
import { type Device, evaluate, type Layout, layout, type Op, open, type TypedArrayOf } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

// #region run
/** Runs one operation from host arrays to a host array. */
async function run(device: Device, op: Op, inputs: Record<string, { layout: Layout; data: TypedArrayOf }>): Promise<TypedArrayOf> {
  const ports = Object.keys(inputs);
  const program = {
    name: op.op,
    inputs: Object.fromEntries(ports.map((port) => [port, inputs[port].layout])),
    steps: [{ name: op.op, op, bind: { ...Object.fromEntries(ports.map((port) => [port, port])), out: "out" } }],
    outputs: ["out"],
  };
  const { out } = await evaluate(program, device, Object.fromEntries(ports.map((port) => [port, inputs[port].data])));
  return out;
}
// #endregion run

const show = (name: string, values: TypedArrayOf): void => console.log(name, Array.from(values, (x) => Number(x.toFixed(3)) + 0).join(" "));

using device = await open(cpu());
const n = 8;
const line = layout("c64", [n]);

// #region tone
// exp(+j2π·3i/8): the forward transform has its energy in bin 3, unscaled; the inverse divides by n.
const tone = new Float32Array(2 * n);
for (let i = 0; i < n; i++) tone.set([Math.cos((2 * Math.PI * 3 * i) / n), Math.sin((2 * Math.PI * 3 * i) / n)], 2 * i);
const spectrum = await run(device, { op: "fft", layout: line, axis: 0, inverse: false }, { in: { layout: line, data: tone } });
const back = await run(device, { op: "fft", layout: line, axis: 0, inverse: true }, { in: { layout: line, data: spectrum } });
show("spectrum ", spectrum.subarray(4, 8)); // bins 2 and 3
show("there and back", back.subarray(0, 4));
show("the tone      ", tone.subarray(0, 4));
// #endregion tone

// #region real
// A real line has ⌊n/2⌋ + 1 frequencies of its own; cos(2πi/8) is half an amplitude at bin 1 and half at bin 7.
const reals = layout("f32", [n]);
const cosine = Float32Array.from({ length: n }, (_, i) => Math.cos((2 * Math.PI * i) / n));
const half = await run(device, { op: "real-fft", layout: reals, axis: 0, inverse: false }, { in: { layout: reals, data: cosine } });
show("half spectrum ", half);
// #endregion real

// #region shift
// h = exp(−j2πk·2/n) delays by two samples, cyclically; padding to 16 first keeps the end from coming round.
const ramp = Float32Array.from({ length: 2 * n }, (_, i) => (i % 2 === 0 ? i / 2 + 1 : 0));
const delay = (length: number): Float32Array =>
  Float32Array.from({ length: 2 * length }, (_, i) => {
    const angle = (-2 * Math.PI * 2 * Math.floor(i / 2)) / length;
    return i % 2 === 0 ? Math.cos(angle) : Math.sin(angle);
  });
const filter = { op: "spectral-filter", layout: line, axis: 0, h: "line" } as const;
const cyclic = await run(device, filter, { in: { layout: line, data: ramp }, h: { layout: line, data: delay(n) } });
const padded = await run(
  device,
  { ...filter, n: 16, keep: [0, 10] },
  { in: { layout: line, data: ramp }, h: { layout: layout("c64", [16]), data: delay(16) } },
);
const realParts = (values: TypedArrayOf): TypedArrayOf => values.filter((_, i) => i % 2 === 0);
show("cyclic        ", realParts(cyclic));
show("padded        ", realParts(padded));
// #endregion shift

// #region turned
// Along axis 0 of [2][4], and with the last two axes exchanged as the result is written: [4][2].
const matrix = layout("c64", [2, 4]);
const columns = { op: "fft", layout: matrix, axis: 0, inverse: false } as const;
const straight = await run(device, columns, { in: { layout: matrix, data: ramp } });
const turned = await run(device, { ...columns, cornerTurn: true }, { in: { layout: matrix, data: ramp } });
show("sums, differences", realParts(straight));
show("turned           ", realParts(turned));
// #endregion turned
