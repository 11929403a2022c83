/**
 * jax-js, the library on npm that transforms on WebGPU in Node: data on the host, write, transform, read, on the host's clock. It finds
 * WebGPU as pages do, at `navigator.gpu`, which Node does not have; so it is there while jax-js opens its device. jax-js keeps real and
 * imaginary parts in arrays of their own. They are split before the time starts.
 */
import { messageOf } from "@dechirp/core";
import { transformFlops } from "../runner.ts";
import { rowSpectra, sampledError } from "./reference.ts";
import type { GpuContender } from "./rounds.ts";

/** Arrays are freed when they are used, unless a reference is taken by `ref`. */
interface JaxArray {
  readonly ref: JaxArray;
  data(): Promise<Float32Array>;
}

interface Jax {
  init(device: string): Promise<readonly string[]>;
  defaultDevice(device: string): unknown;
  readonly numpy: {
    array(data: Float32Array, options: { readonly shape: readonly number[] }): JaxArray;
    readonly fft: { fft(line: { readonly real: JaxArray; readonly imag: JaxArray }): { readonly real: JaxArray; readonly imag: JaxArray } };
  };
}

let opened: Promise<Jax | string> | undefined;

/** Opens jax-js on WebGPU once, or returns the reason why that fails. */
async function openJax(): Promise<Jax | string> {
  const before = Object.getOwnPropertyDescriptor(globalThis, "navigator");
  try {
    const { create, globals } = await import("webgpu");
    // Names of WebGPU's constants, such as GPUBufferUsage, which jax-js reads.
    Object.assign(globalThis, globals);
    const gpu = create([]);
    Object.defineProperty(globalThis, "navigator", { value: { gpu, userAgent: "Node" }, configurable: true, writable: true });
    const jax = (await import("@jax-js/jax" as string)) as Jax;
    const devices = await jax.init("webgpu");
    if (!devices.includes("webgpu")) return "jax-js found no WebGPU";
    jax.defaultDevice("webgpu");
    // Dawn's instance must live as long as the device that jax-js has.
    return Object.assign(Object.create(jax) as Jax, { instance: gpu });
  } catch (error) {
    return `jax-js could not be opened: ${messageOf(error)}`;
  } finally {
    if (before) Object.defineProperty(globalThis, "navigator", before);
    else delete (globalThis as { navigator?: unknown }).navigator;
  }
}

/** The largest relative L2 error of a result that is right. */
const allowed = 1e-5;

/** jax-js as a contender of lines of n points, or the reason why it is not one. Its result is compared with float64 before it is timed. */
export async function jaxContender(data: Float32Array, n: number, lines: number): Promise<GpuContender | string> {
  opened ??= openJax();
  const jax = await opened;
  if (typeof jax === "string") return jax;
  const { numpy: np } = jax;
  const x = data.subarray(0, 2 * n * lines);
  const part = (which: number): Float32Array => Float32Array.from({ length: n * lines }, (_, i) => x[2 * i + which]);
  const [re, im] = [part(0), part(1)];
  let back: readonly [Float32Array, Float32Array] = [new Float32Array(0), new Float32Array(0)];
  const run = async (): Promise<void> => {
    const y = np.fft.fft({ real: np.array(re, { shape: [lines, n] }), imag: np.array(im, { shape: [lines, n] }) });
    back = await Promise.all([y.real.data(), y.imag.data()]);
  };
  const error = (): number => {
    const [real, imag] = back;
    const joined = new Float32Array(2 * n * lines).map((_, i) => (i % 2 === 0 ? real : imag)[i >> 1]);
    const samples = rowSpectra(x, n, lines);
    return sampledError(joined, samples, 2);
  };
  try {
    await run();
    const first = error();
    if (!(first <= allowed)) return `its result is wrong: relative L2 error ${first.toExponential(1)} against float64`;
  } catch (cause) {
    return `it failed: ${messageOf(cause)}`;
  }
  return {
    name: "jax-js 0.1, WebGPU, real and imaginary parts apart",
    kind: "peer",
    bytes: 2 * 8 * n * lines,
    flops: transformFlops(lines, n),
    allowed,
    async sample(runs) {
      const start = performance.now();
      for (let r = 0; r < runs; r++) await run();
      return (performance.now() - start) / runs;
    },
    error,
  };
}
