/**
 * The published fused kernel. A workgroup holds a line, transforms it, multiplies it by the filter and transforms it back, and only then
 * writes it. For lines that are already spectra it does the last two steps. The inverse transform is one with conjugate twiddle factors,
 * or conj(FFT(conj(x)))/n, which needs the code and the on-chip memory of one transform only (section II-C). As in the paper it works on
 * rows only; columns are transposed before and after. The device's own fused transforms are not used here.
 */
import type { ComplexDType, Kernel, Layout, WgslFft } from "@dechirp/core";
import { wgslFloat } from "@dechirp/core/internal";
import { designSpectrum } from "@dechirp/sar";

/** How the inverse transform is computed: with conjugate twiddle factors, or by conjugating before and after a forward transform. */
export type InverseForm = "twiddles" | "conjugate";

/** Options of `lineKernel`. */
export interface LineKernelOptions {
  /** The layout of the input, [lines][n]. */
  readonly layout: Layout<ComplexDType>;
  /** Whether lines are transformed before the multiplication. */
  readonly forward: boolean;
  /** How the inverse transform is computed. */
  readonly inverse: InverseForm;
  /** The number of elements of each line that are written, from its beginning. */
  readonly keep: number;
}

/** The largest number of workgroups along an axis of a dispatch. */
const mostGroups = 65_535;

/** Creates the kernel. Ports: in [lines][n], h [n], out [lines][keep]. It has no WGSL if a workgroup of the device can't hold a line. */
export function lineKernel({ layout, forward, inverse, keep }: LineKernelOptions): Kernel {
  const [lines, n] = layout.shape;
  const transforms = forward ? 2 : 1;
  return {
    op: "kernel",
    name: `${forward ? "FFT·" : ""}H·${inverse === "twiddles" ? "IFFT" : "conj·FFT·conj"}`,
    flops: lines * (transforms * 5 * n * Math.log2(n) + 6 * n),
    ports: {
      in: { access: "read", layout },
      h: { access: "read", layout: { dtype: layout.dtype, shape: [n] } },
      out: { access: "write", layout: { dtype: layout.dtype, shape: [lines, keep] } },
    },
    items: lines,
    wgsl(_constants, limits, toolkit) {
      const there = forward || inverse === "conjugate" ? toolkit.fft({ name: "there", n, inverse: false }) : undefined;
      const back = inverse === "twiddles" ? toolkit.fft({ name: "back", n, inverse: true }) : undefined;
      const used = [there, back].filter((fft) => fft !== undefined);
      const wanted = (forward || inverse === "conjugate" ? 1 : 0) + (inverse === "twiddles" ? 1 : 0);
      // Each transform exchanges real parts and then imaginary parts through n floats of its own.
      if (used.length < wanted || wanted * 4 * n > limits.workgroupBytes || lines > mostGroups) return undefined;
      return { code: text(used, { n, keep, forward, inverse }), dispatches: [{ entry: "main", groups: [lines, 1, 1] }] };
    },
    reference({ in: x, h, out }, _uniforms, start, end) {
      const line = new Float64Array(2 * n);
      for (let l = start; l < end; l++) {
        for (let i = 0; i < n; i++) line.set([x.re(l * n + i), x.im(l * n + i)], 2 * i);
        const spectrum = forward ? designSpectrum(line, n) : line.slice();
        for (let k = 0; k < n; k++) {
          const [a, b, c, d] = [spectrum[2 * k], spectrum[2 * k + 1], h.re(k), h.im(k)];
          // The reference conjugates before and after for both forms, as they are equal in float64.
          spectrum[2 * k] = a * c - b * d;
          spectrum[2 * k + 1] = -(a * d + b * c);
        }
        const result = designSpectrum(spectrum, n);
        for (let i = 0; i < keep; i++) out.set(l * keep + i, result[2 * i] / n, -result[2 * i + 1] / n);
      }
    },
  };
}

function text(used: readonly WgslFft[], { n, keep, forward, inverse }: Omit<LineKernelOptions, "layout"> & { readonly n: number }): string {
  const { threads, values } = used[0];
  const each = (body: (i: number, k: string) => string): string =>
    Array.from({ length: values }, (_, i) => body(i, `t + ${i * threads}u`)).join("\n");
  const conjugated = inverse === "conjugate";
  const last = conjugated ? (v: string) => `${wgslFloat(1 / n)} * vec2f(${v}.x, -${v}.y)` : (v: string) => v;
  return `${used.map((fft) => fft.code).join("\n")}
@compute @workgroup_size(${threads})
fn main(@builtin(local_invocation_index) t: u32, @builtin(workgroup_id) group: vec3u) {
  var v: array<vec2f, ${values}>;
  let line = group.x * ${n}u;
${each((i, k) => `  v[${i}] = load_in(line + ${k});`)}
${forward ? "  there(&v, t);" : ""}
${each((i, k) => `  v[${i}] = cmul(v[${i}], load_h(${k}));${conjugated ? ` v[${i}].y = -v[${i}].y;` : ""}`)}
  ${conjugated ? "there" : "back"}(&v, t);
  let first = group.x * ${keep}u;
${each((i, k) => `  ${(i + 1) * threads > keep ? `if (${k} < ${keep}u) ` : ""}{ store_out(first + ${k}, ${last(`v[${i}]`)}); }`)}
}`;
}
