/**
 * The two-pulse canceller with clutter lock. It subtracts the echoes of each pulse from those of the next one, after removing the phase
 * that clutter gains between two pulses because the platform moves. So clutter cancels and moving targets remain. M. I. Skolnik (ed.), Radar
 * Handbook, "MTI radar": y[p][r] = x[p + 1][r]·exp(−j2π·cyclesPerPulse) − x[p][r].
 */
import { inputError, kernel, layout } from "@dechirp/core";

/** Reads x [pulses][ranges] and writes y [pulses − 1][ranges]. Uniform `cyclesPerPulse`: the Doppler frequency of the clutter divided by the PRF. */
export function canceller(pulses: number, ranges: number) {
  if (!(Number.isInteger(pulses) && pulses >= 2)) throw inputError("pulses", "an integer of at least 2", pulses);
  const items = (pulses - 1) * ranges;
  return kernel({
    name: `canceller ${pulses}×${ranges}`,
    flops: 8 * items, // a complex product and a complex difference
    uniforms: { cyclesPerPulse: "f32" },
    ports: {
      x: { access: "read", layout: layout("c64", [pulses, ranges]) },
      y: { access: "write", layout: layout("c64", [pulses - 1, ranges]) },
    },
    items, // one for each element of y; they are independent of each other
    reference({ x, y }, { cyclesPerPulse }, start, end) {
      const angle = -2 * Math.PI * cyclesPerPulse;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      for (let i = start; i < end; i++) {
        const [re, im] = [x.re(i + ranges), x.im(i + ranges)];
        y.set(i, re * c - im * s - x.re(i), re * s + im * c - x.im(i));
      }
    },
    wgsl: (_constants, _limits, toolkit) =>
      toolkit.items(`store_y(item, cmul(load_x(item + ${ranges}u), cis(-uniforms.cyclesPerPulse)) - load_x(item));`),
  });
}
