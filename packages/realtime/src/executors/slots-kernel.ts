/**
 * The kernel that transforms lines of several tasks in one dispatch. The workgroups are divided into ranges, and each range strides over
 * the lines of one task, in place. Uniforms give the ranges at every run, so nothing is compiled again. A workgroup belongs to one task
 * for the whole dispatch, so ranges of different tasks share no barrier and no memory.
 */
import type { Access, ArrayView, Kernel, Layout, Uniforms, WgslFft, WgslToolkit } from "@dechirp/core";

/** The transform of a port: its lines are along the last axis. */
export interface SlotPort {
  readonly layout: Layout<"c64">;
  readonly inverse: boolean;
}

/** Workgroups `first` … `first` + `count` − 1 of a dispatch. */
export interface SlotRange {
  readonly first: number;
  readonly count: number;
}

/** The name of the kernel's port `i`. */
export const portName = (i: number): string => `task${i}`;

/** The uniforms of a run. Ports without a range do nothing. */
export function slotUniforms(ports: number, rangeOf: (port: number) => SlotRange | undefined): Uniforms {
  const uniforms: Record<string, number> = {};
  for (let i = 0; i < ports; i++) {
    const { first, count } = rangeOf(i) ?? { first: 0, count: 0 };
    uniforms[`first${i}`] = first;
    uniforms[`count${i}`] = count;
  }
  return uniforms;
}

const lengthOf = ({ layout }: SlotPort): number => layout.shape.at(-1) as number;
const linesOf = ({ layout }: SlotPort): number => layout.shape.slice(0, -1).reduce((a, b) => a * b, 1);

/**
 * Creates the kernel. Its ports task0, task1 … are updated in place; its items are the slots. Ports with equal transforms should be
 * neighbours, as they share code. The `wgsl` function calls `refused` for each port whose lines do not fit into a workgroup of the device;
 * the kernel then has no WGSL.
 */
export function slotsKernel(ports: readonly SlotPort[], slots: number, refused: (port: number) => void): Kernel {
  return {
    op: "kernel",
    name: `slots=${slots} n=${ports.map(lengthOf).join(",")}`,
    flops: ports.reduce((sum, port) => sum + 5 * linesOf(port) * lengthOf(port) * Math.log2(Math.max(2, lengthOf(port))), 0),
    uniforms: Object.fromEntries(Object.keys(slotUniforms(ports.length, () => undefined)).map((name) => [name, "u32"])),
    ports: Object.fromEntries(ports.map(({ layout }, i) => [portName(i), { access: "update" as Access, layout }])),
    items: slots,
    wgsl(_constants, { workgroupBytes }, toolkit) {
      const code = kernelText(ports, workgroupBytes, toolkit, refused);
      return code === undefined ? undefined : { code, dispatches: [{ entry: "main", groups: [slots, 1, 1] }] };
    },
    reference(arrays, uniforms, start, end) {
      for (let slot = start; slot < end; slot++) {
        ports.forEach((port, i) => {
          const place = slot - uniforms[`first${i}`];
          const count = uniforms[`count${i}`];
          if (place < 0 || place >= count) return;
          for (let line = place; line < linesOf(port); line += count) transformLine(arrays[portName(i)], line, port);
        });
      }
    },
  };
}

/** Workgroup size if each transform takes a single invocation. Each invocation then has lines of its own. */
const lanes = 64;

function kernelText(
  ports: readonly SlotPort[],
  workgroupBytes: number,
  toolkit: WgslToolkit,
  refused: (port: number) => void,
): string | undefined {
  const transforms = new Map<string, WgslFft>();
  const nameOf = (port: SlotPort): string => `${port.inverse ? "inverse" : "forward"}${lengthOf(port)}`;
  let fits = true;
  ports.forEach((port, i) => {
    const name = nameOf(port);
    const made = transforms.get(name) ?? toolkit.fft({ name, n: lengthOf(port), inverse: port.inverse, exchange: "exchange" });
    if (made && 4 * made.exchange <= workgroupBytes) transforms.set(name, made);
    else {
      refused(i);
      fits = false;
    }
  });
  if (!fits) return undefined;
  const all = [...transforms.values()];
  const threads = Math.max(...all.map((fft) => fft.threads));
  const size = threads === 1 ? lanes : threads;
  const exchange = Math.max(...all.map((fft) => fft.exchange));
  const alike = ports.map((port) => `${nameOf(port)} ${linesOf(port)}`);
  const firsts = [...ports.keys()].filter((i) => alike[i] !== alike[i - 1]);
  const functions = firsts.map((first, c) => {
    const end = firsts[c + 1] ?? ports.length;
    const fft = transforms.get(nameOf(ports[first])) as WgslFft;
    // A transform without exchanges has no barrier and takes one invocation, so every invocation takes lines of its own.
    const alone = fft.exchange === 0;
    const index = alone ? "base + i" : `base + t + i * ${fft.threads}u`;
    const each = (text: (i: number) => string): string => {
      const cases = Array.from({ length: end - first }, (_, i) => {
        const label = first + i === end - 1 ? "default" : `case ${first + i}u`;
        return `${label}: { for (var i = 0u; i < ${fft.values}u; i++) { ${text(first + i)} } }`;
      });
      return `${alone || fft.threads === size ? "" : `if (t < ${fft.threads}u) `}{ switch (port) { ${cases.join("\n")} } }`;
    };
    return `fn lines${first}(port: u32, place: u32, step: u32, t: u32) {
  for (var line = ${alone ? `place * ${size}u + t` : "place"}; line < ${linesOf(ports[first])}u; line += ${alone ? `step * ${size}u` : "step"}) {
    let base = line * ${lengthOf(ports[first])}u;
    var v: array<vec2f, ${fft.values}>;
    ${each((i) => `v[i] = load_${portName(i)}(${index});`)}
    ${nameOf(ports[first])}(&v, ${alone ? "0u" : "t"});
    ${each((i) => `store_${portName(i)}(${index}, v[i]);`)}
  }
}`;
  });
  const searches = ports.map(
    (_, i) =>
      `  if (slot - uniforms.first${i} < uniforms.count${i}) { port = ${i}u; first = uniforms.first${i}; count = uniforms.count${i}; }`,
  );
  const calls = firsts.map((first, c) => {
    const end = firsts[c + 1] ?? ports.length;
    return `  if (port >= ${first}u && port < ${end}u) { lines${first}(port, slot - first, count, t); }`;
  });
  return `${exchange > 0 ? `var<workgroup> exchange: array<f32, ${exchange}>;` : ""}
${all.map(({ code }) => code).join("\n")}
${functions.join("\n")}
@compute @workgroup_size(${size})
fn main(@builtin(local_invocation_index) t: u32, @builtin(workgroup_id) group: vec3u) {
  let slot = group.x;
  var port = ${ports.length}u;
  var first = 0u;
  var count = 0u;
${searches.join("\n")}
${calls.join("\n")}
}`;
}

/** Transforms a line in place, in float64. */
function transformLine(array: ArrayView, line: number, port: SlotPort): void {
  const n = lengthOf(port);
  const x = Float64Array.from({ length: 2 * n }, (_, i) => (i % 2 === 0 ? array.re(line * n + (i >> 1)) : array.im(line * n + (i >> 1))));
  const y = spectrum(x, port.inverse ? 1 : -1);
  const scale = port.inverse ? 1 / n : 1;
  for (let k = 0; k < n; k++) array.set(line * n + k, scale * y[2 * k], scale * y[2 * k + 1]);
}

/** Σ x[i]·exp(±j2πik/n), by the smallest prime factor p of n: p transforms of every p-th element, combined by the definition. */
function spectrum(x: Float64Array, sign: 1 | -1): Float64Array {
  const n = x.length / 2;
  let p = 2;
  while (n % p !== 0 && p * p <= n) p++;
  if (n % p !== 0) p = n;
  if (n === 1) return x;
  const m = n / p;
  const parts = Array.from({ length: p }, (_, r) =>
    spectrum(
      Float64Array.from({ length: 2 * m }, (__, i) => x[2 * ((i >> 1) * p + r) + (i & 1)]),
      sign,
    ),
  );
  const y = new Float64Array(2 * n);
  for (let k = 0; k < n; k++) {
    parts.forEach((part, r) => {
      const angle = (sign * 2 * Math.PI * ((k * r) % n)) / n;
      const [c, s, re, im] = [Math.cos(angle), Math.sin(angle), part[2 * (k % m)], part[2 * (k % m) + 1]];
      y[2 * k] += c * re - s * im;
      y[2 * k + 1] += c * im + s * re;
    });
  }
  return y;
}
