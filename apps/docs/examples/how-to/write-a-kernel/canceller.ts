/**
 * The two-pulse canceller with clutter lock: echoes that keep their phase from pulse to pulse, but for the Doppler shift of
 * clutter seen from a moving platform, cancel; moving targets stay. M. I. Skolnik (ed.), Radar Handbook, "MTI radar":
 * y[p][r] = x[p + 1][r]·exp(−j2π·cyclesPerPulse) − x[p][r].
 */
import { type Kernel, layout, RadarError } from "@dechirp/core";

/** Reads x [pulses][ranges], writes y [pulses − 1][ranges]; uniform `cyclesPerPulse`: the clutter's Doppler frequency over the PRF. */
export function canceller(pulses: number, ranges: number): Kernel {
  if (!(pulses >= 2)) throw new RadarError("input", `pulses must be at least 2, not ${pulses}`, { field: "pulses", actual: pulses });
  const items = (pulses - 1) * ranges;
  return {
    op: "kernel",
    name: `canceller ${pulses}×${ranges}`,
    flops: 8 * items, // a complex product and a difference
    uniforms: { cyclesPerPulse: "f32" },
    ports: {
      x: { access: "read", layout: layout("c64", [pulses, ranges]) },
      y: { access: "write", layout: layout("c64", [pulses - 1, ranges]) },
    },
    items, // independent of each other: any part of them, in any order
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
  };
}
