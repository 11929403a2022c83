/**
 * What is measured: a kernel that repeats something `rounds` times, how much that is, and what the kernel must have computed. All values
 * are integers, so that results are exact on every device, and all results depend on every repetition, so that no compiler can leave one
 * out.
 */
import {
  type Kernel,
  kernel,
  layout,
  type Ports,
  type TypedArrayOf,
  type Uniforms,
  type UniformTypes,
  type WgslLimits,
} from "@dechirp/core";

/** A measurement. */
export interface Probe {
  /** For messages. */
  readonly name: string;
  readonly op: Kernel;
  /** The contents of the ports that are read. */
  readonly inputs: Readonly<Record<string, TypedArrayOf>>;
  readonly uniforms?: Uniforms;
  /** How much one run does: bytes or operations. */
  amount(rounds: number): number;
  /** Whether these outputs are those of a run with this many rounds. */
  check(outputs: Readonly<Record<string, Uint32Array>>, rounds: number): boolean;
}

/** Options of `probe`. */
export interface ProbeOptions {
  readonly name: string;
  /** Invocations of a workgroup, and number of workgroups. */
  readonly threads: number;
  readonly groups: number;
  /** Ports besides `out`, which has a number for every invocation. All are u32. */
  readonly inputs?: Readonly<Record<string, Uint32Array>>;
  /** Other outputs with a number for every invocation. */
  readonly outputs?: readonly string[];
  /** Uniforms besides `rounds`. */
  readonly uniforms?: Uniforms;
  readonly uniformTypes?: UniformTypes;
  /** Bytes of workgroup memory. Default: none. */
  readonly workgroupBytes?: number;
  /** Whether subgroup functions are used. Default: false. */
  readonly subgroups?: boolean;
  /** Parameters of the entry point besides `tid` and `group`. */
  readonly builtins?: readonly string[];
  readonly declarations?: string;
  /** The statements before, in and after the loop. `result` is what an invocation writes. */
  readonly before: string;
  readonly body: string;
  readonly after?: string;
  readonly result: string;
  amount(rounds: number): number;
  /** The number that invocation `tid` of `group` must write. */
  expected?(tid: number, group: number, rounds: number): number;
  check?: Probe["check"];
}

/** Why a device can't run a probe. Undefined if it can. */
export function unfit(options: Pick<ProbeOptions, "threads" | "workgroupBytes" | "subgroups">, limits: WgslLimits): string | undefined {
  if (options.subgroups && !limits.subgroups) return "the device lacks the feature subgroups";
  if (options.threads > limits.invocations) return `the device has at most ${limits.invocations} invocations of a workgroup`;
  if ((options.workgroupBytes ?? 0) > limits.workgroupBytes) return `the device has ${limits.workgroupBytes} bytes of workgroup memory`;
  return undefined;
}

/** Makes a probe. */
export function probe(options: ProbeOptions): Probe {
  const { name, threads, groups, inputs = {}, outputs = [], declarations = "", before, body, after = "", result } = options;
  const { expected = () => 0 } = options;
  const count = threads * groups;
  const code = `${declarations}
@compute @workgroup_size(${threads})
fn main(${["@builtin(local_invocation_index) tid: u32", "@builtin(workgroup_id) group: vec3u", ...(options.builtins ?? [])].join(", ")}) {
${before}
for (var r = 0u; r < uniforms.rounds; r++) {
${body}
}
${after}
store_out(group.x * ${threads}u + tid, ${result});
}`;
  const ports: Ports = {
    ...Object.fromEntries(
      Object.entries(inputs).map(([port, data]) => [port, { access: "read", layout: layout("u32", [data.length]) }] as const),
    ),
    ...Object.fromEntries(["out", ...outputs].map((port) => [port, { access: "write", layout: layout("u32", [count]) }] as const)),
  };
  return {
    name,
    op: kernel({
      name,
      ports,
      uniforms: { rounds: "u32", ...options.uniformTypes },
      items: count,
      wgsl: (_, limits) => (unfit(options, limits) ? undefined : { code, dispatches: [{ entry: "main", groups: [groups, 1, 1] }] }),
      reference({ out }, { rounds }, start, end) {
        for (let i = start; i < end; i++) out.set(i, expected(i % threads, Math.floor(i / threads), rounds));
      },
    }),
    inputs,
    ...(options.uniforms && { uniforms: options.uniforms }),
    amount: options.amount,
    check:
      options.check ??
      (({ out }, rounds) => out.every((value, i) => value === expected(i % threads, Math.floor(i / threads), rounds) >>> 0)),
  };
}

/** `count` integers that look random, none of them zero. Knuth's multiplicative hash. */
export const numbers = (count: number): Uint32Array =>
  Uint32Array.from({ length: count }, (_, i) => (Math.imul(i + 1, 2654435761) >>> 8) | 1);

/** The text of `count` lines. */
export const lines = (count: number, text: (i: number) => string): string => Array.from({ length: count }, (_, i) => text(i)).join("\n");
