// Signs, scale and axes of transforms, with numbers that you can check by hand.
import { evaluate, fft, layout, open, program, spectralFilter, transform } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

const show = (name: string, values: Float32Array): void => console.log(name, Array.from(values, (x) => Number(x.toFixed(3)) + 0).join(" "));
const realParts = (values: Float32Array): Float32Array => values.filter((_, i) => i % 2 === 0);

using device = await open(cpu());
const n = 8;

// #region tone
// The tone exp(+j2π·3i/8). Its forward transform is 8 in bin 3 and 0 elsewhere: forward is not scaled. The inverse divides by n.
const tone = new Float32Array(2 * n);
for (let i = 0; i < n; i++) tone.set([Math.cos((2 * Math.PI * 3 * i) / n), Math.sin((2 * Math.PI * 3 * i) / n)], 2 * i);
const spectrum = await transform(device, tone, { shape: [n] });
const back = await transform(device, spectrum, { shape: [n], inverse: true });
show("bins 2 and 3     ", spectrum.subarray(4, 8));
show("tone             ", tone.subarray(0, 4));
show("forward, inverse ", back.subarray(0, 4));
// #endregion tone

// #region real
// A real line has ⌊n/2⌋ + 1 = 5 frequencies of its own. Half of the amplitude of cos(2πi/8) is in bin 1, the other half in bin 7.
const cosine = Float32Array.from({ length: n }, (_, i) => Math.cos((2 * Math.PI * i) / n));
const half = await transform(device, cosine, { shape: [n] }); // 8 numbers for 8 elements: a real array
const cosineAgain = await transform(device, half, { shape: [n], inverse: true, real: true });
show("half spectrum    ", half);
show("real inverse     ", cosineAgain.subarray(0, 3));
// #endregion real

// #region shift
// h = exp(−j2πk·2/n) delays a line by two samples. The delay is cyclic, unless the line is padded with zeros first.
const ramp = Float32Array.from({ length: 2 * n }, (_, i) => (i % 2 === 0 ? i / 2 + 1 : 0)); // 1, 2, … 8
const delayFilter = (length: number): Float32Array =>
  Float32Array.from({ length: 2 * length }, (_, i) => {
    const angle = (-2 * Math.PI * 2 * Math.floor(i / 2)) / length;
    return i % 2 === 0 ? Math.cos(angle) : Math.sin(angle);
  });
const line = layout("c64", [n]);
const delays = program({
  name: "delays",
  inputs: { line, h8: layout("c64", [8]), h16: layout("c64", [16]) },
  steps: [
    { name: "cyclic", op: spectralFilter(line, { axis: 0 }), bind: { in: "line", h: "h8", out: "cyclic" } },
    { name: "padded", op: spectralFilter(line, { axis: 0, n: 16, keep: [0, 10] }), bind: { in: "line", h: "h16", out: "padded" } },
  ],
  outputs: ["cyclic", "padded"],
});
const delayed = await evaluate(delays, device, { line: ramp, h8: delayFilter(8), h16: delayFilter(16) });
show("cyclic delay     ", realParts(delayed.cyclic));
show("padded delay     ", realParts(delayed.padded));
// #endregion shift

// #region corner-turn
// A transform along axis 0 of a 2 × 4 matrix: sums and differences of its rows. With a corner turn, the result is 4 × 2.
const matrix = layout("c64", [2, 4]);
const columns = program({
  name: "columns",
  inputs: { matrix },
  steps: [
    { name: "2 × 4", op: fft(matrix, { axis: 0 }), bind: { in: "matrix", out: "straight" } },
    { name: "4 × 2", op: fft(matrix, { axis: 0, cornerTurn: true }), bind: { in: "matrix", out: "turned" } },
  ],
  outputs: ["straight", "turned"],
});
const { straight, turned } = await evaluate(columns, device, { matrix: ramp });
show("sums, differences", realParts(straight));
show("corner turn      ", realParts(turned));
// #endregion corner-turn
