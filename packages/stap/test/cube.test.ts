/** Axes of a cube and steering vectors: orders, indices, phases, and what is refused. */
import { describe, expect, it } from "vitest";
import { checkCube } from "../src/cube.ts";
import { arraySteering, type Cube, cubeOrders, kronecker, permuteAxes, reorderCube, ulaCycles, uniformSteering } from "../src/index.ts";
import { at, epsilon, flat, inner, mul, noise, refuse, relativeError, times, turn } from "./helpers.ts";

const [channels, pulses, ranges] = [3, 4, 5];
/** x(m, t, r) = 100m + 10t + r, and its negative as imaginary part. */
const value = (m: number, t: number, r: number): number => 100 * m + 10 * t + r;

function cube(order: Cube["order"]): Cube {
  const extent = { channel: channels, pulse: pulses, range: ranges };
  const data: number[] = [];
  for (let i = 0; i < extent[order[0]]; i++)
    for (let j = 0; j < extent[order[1]]; j++)
      for (let k = 0; k < extent[order[2]]; k++) {
        const index = { channel: 0, pulse: 0, range: 0 };
        index[order[0]] = i;
        index[order[1]] = j;
        index[order[2]] = k;
        const x = value(index.channel, index.pulse, index.range);
        data.push(x, -x);
      }
  return { data: Float32Array.from(data), channels, pulses, ranges, order };
}

describe("a cube", () => {
  it("is the same in every order, and keeps its element type", () => {
    const orders = Object.values(cubeOrders);
    for (const from of orders) {
      for (const to of orders) expect(reorderCube(cube(from), to)).toEqual(cube(to));
    }
    expect(reorderCube(cube(cubeOrders.rangeChannelPulse), cubeOrders.paper).data).toBeInstanceOf(Float32Array);
  });

  it("has the paper's indices: x at (m·N + n)·L + b, X by [0, 2, 1] at (m·L + b)·N + n", () => {
    const { data } = reorderCube(cube(cubeOrders.columnMajorRangeChannelPulse), cubeOrders.paper);
    const swapped = permuteAxes(data, [channels, pulses, ranges], [0, 2, 1], 2);
    for (let m = 0; m < channels; m++)
      for (let n = 0; n < pulses; n++)
        for (let b = 0; b < ranges; b++) {
          expect(data[2 * ((m * pulses + n) * ranges + b)]).toBe(value(m, n, b));
          expect(swapped[2 * ((m * ranges + b) * pulses + n) + 1]).toBe(-value(m, n, b));
        }
  });

  it("is refused by the name of the wrong field", () => {
    const good = cube(cubeOrders.paper);
    refuse(() => checkCube({ ...good, channels: 2 }), /^cube\.data\.length must be 80/, "cube.data.length");
    refuse(() => checkCube({ ...good, pulses: 0 }), /^cube\.pulses must be an integer/, "cube.pulses");
    refuse(() => checkCube({ ...good, ranges: 1e300 }), /^cube\.ranges/);
    refuse(() => checkCube({ ...good, order: ["channel", "channel", "range"] }), /^cube\.order must be/, "cube.order");
    refuse(() => checkCube({ ...good, data: [1, 2] as never }), /^cube\.data must be a Float32Array/);
    refuse(() => checkCube(undefined as never), /^cube must be a cube/);
    refuse(() => permuteAxes(good.data, [3, 4, 5], [0, 0, 1], 2), /^permutation/);
    refuse(() => permuteAxes(good.data, [3, 4], [0, 1, 2], 2), /^shape/);
  });
});

describe("steering vectors", () => {
  it("are plane waves, exact to ε·length even where the phase has wrapped often", () => {
    const cycles = 12345.3;
    const expected = flat(times(64, (m) => turn((0.3 * m) % 1)));
    // 12345.3 itself is known to 2⁻⁴⁰ cycles, 64 elements on.
    expect(relativeError(uniformSteering(64, cycles), expected)).toBeLessThan(2 * Math.PI * 64 * 12345.3 * epsilon);
  });

  it("of a line and of elements anywhere agree where the elements are on the line", () => {
    const lambda = 0.69;
    const positions = Float64Array.from(times(9, (m) => [0, 0.33 * m, 0]).flat());
    for (const [az, el] of [
      [0.3, 0],
      [-1.1, 0.07],
      [2.9, -0.5],
    ]) {
      expect(relativeError(arraySteering(positions, lambda, az, el), uniformSteering(9, ulaCycles(0.33 / lambda, az, el)))).toBeLessThan(
        100 * epsilon,
      );
    }
    // An element ahead of the others sees a source at broadside earlier: half a wavelength is half a turn.
    expect(arraySteering(Float64Array.of(lambda / 2, 0, 0), lambda, 0)[0]).toBeCloseTo(-1, 14);
  });

  it("multiply spatial by temporal, channel outermost", () => {
    const [a, b] = [noise(3, 1), noise(4, 2)];
    const v = kronecker(a, b);
    for (let m = 0; m < 3; m++) for (let t = 0; t < 4; t++) expect(at(v, m * 4 + t)).toEqual(mul(at(a, m), at(b, t)));
    expect(inner(v, v)[0]).toBeCloseTo(inner(a, a)[0] * inner(b, b)[0], 12);
  });

  it("refuse values that are not arrays", () => {
    refuse(() => uniformSteering(0, 0.1), /^n must be/);
    refuse(() => uniformSteering(4, Number.NaN), /^cycles/);
    refuse(() => arraySteering(new Float64Array(4), 1, 0), /^positionsMeters/);
    refuse(() => arraySteering(new Float64Array(3), 0, 0), /^wavelengthMeters/);
    refuse(() => arraySteering(new Float64Array(3), 1, Number.NaN), /^azimuthRadians/);
  });
});
