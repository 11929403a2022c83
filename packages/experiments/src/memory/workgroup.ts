/**
 * Probes of workgroup memory: reads by pattern, writes, exchanges with barriers. All patterns of reads are one kernel, which gets the first
 * address of every invocation from an array, so they differ in nothing but addresses.
 */
import { lines, numbers, type Probe, probe } from "./probe.ts";

/** The number of banks, of four bytes each, that patterns are made for. GPUs of all vendors have 32 or a divisor of it. */
export const banks = 32;
/** Reads in each round. */
const reads = 8;
/** Distance of consecutive reads of an invocation, in elements. It is odd, so it reaches all addresses, and every lane moves by it. */
const advance = 33;

/** How many invocations and which memory the probes of a device use. */
export interface WorkgroupSize {
  readonly threads: number;
  readonly groups: number;
  /** Words of workgroup memory, a power of two. */
  readonly words: number;
}

/** Invocation t begins at element t·stride. Rows that wrap around begin one element later, so no two invocations begin at one element. */
export const stridedAddresses = (threads: number, elements: number, stride: number): Uint32Array =>
  Uint32Array.from({ length: threads }, (_, t) => (t * stride + Math.floor((t * stride) / elements)) % elements);

/** `ways` consecutive invocations begin in one bank, at different addresses of it; the next ones in the next bank. */
export const bankAddresses = (threads: number, elements: number, ways: number): Uint32Array =>
  Uint32Array.from({ length: threads }, (_, t) => {
    const lane = t % banks;
    const row = Math.floor(t / banks) * ways + (lane % ways);
    return (Math.floor(lane / ways) + banks * row) % elements;
  });

/**
 * The largest number of different words of one bank that a group of 32 lanes reads at once, for the first lanes. 1 if there is no
 * conflict. Elements have `wordsOf` words; of an element of two words, half of the lanes read at a time.
 */
export function conflictWays(addresses: Uint32Array, wordsOf = 1): number {
  const perBank = new Map<number, Set<number>>();
  for (const address of addresses.subarray(0, banks / wordsOf))
    for (let w = 0; w < wordsOf; w++) {
      const word = address * wordsOf + w;
      perBank.set(word % banks, (perBank.get(word % banks) ?? new Set()).add(word));
    }
  return Math.max(...[...perBank.values()].map((words) => words.size));
}

/** Reads of elements of one word or two, from these first addresses on. */
export function readProbe(name: string, { threads, groups, words }: WorkgroupSize, addresses: Uint32Array, wordsOf: 1 | 2 = 1): Probe {
  const elements = words / wordsOf;
  const type = wordsOf === 1 ? "f32" : "vec2f";
  const mask = elements - 1;
  // Small enough that sums of floats are exact. Floats leave the units for integers to the addresses.
  const data = numbers(words).map((value) => (value % 8) | 1);
  const value = (i: number): number => (wordsOf === 1 ? data[i] : data[2 * i] + data[2 * i + 1]);
  // The sum of all reads of an invocation, by position in the cycle of all addresses.
  const place = new Uint32Array(elements);
  const sums = new Uint32Array(elements + 1);
  for (let k = 0, at = 0; k < elements; k++, at = (at + advance) & mask) {
    place[at] = k;
    sums[k + 1] = sums[k] + value(at);
  }
  const total = sums[elements];
  return probe({
    name,
    threads,
    groups,
    workgroupBytes: 4 * words,
    inputs: { data, addresses },
    declarations: `var<workgroup> memory: array<${type}, ${elements}>;`,
    before: `for (var i = tid; i < ${elements}u; i += ${threads}u) {
  memory[i] = ${wordsOf === 1 ? "f32(load_data(i))" : "vec2f(f32(load_data(2u * i)), f32(load_data(2u * i + 1u)))"};
}
workgroupBarrier();
var at = load_addresses(tid);
${lines(4, (i) => `var sum${i} = ${type}();`)}`,
    body: `${lines(reads, (i) => `sum${i % 4} += memory[(at + ${i * advance}u) & ${mask}u];`)}
at = (at + ${reads * advance}u) & ${mask}u;`,
    after: "let sum = (sum0 + sum1) + (sum2 + sum3);",
    result: wordsOf === 1 ? "group.x + u32(sum)" : "group.x + u32(sum.x) + u32(sum.y)",
    amount: (rounds) => threads * groups * rounds * reads * 4 * wordsOf,
    expected(tid, group, rounds) {
      const start = place[addresses[tid]];
      const count = rounds * reads;
      const end = start + (count % elements);
      const part = end <= elements ? sums[end] - sums[start] : total - sums[start] + sums[end - elements];
      return (group + Math.imul(Math.floor(count / elements), total) + part) | 0;
    },
  });
}

/** Copies from registers: writes of two words. The k-th write of invocation t goes to element t + k·threads. */
export function writeProbe(name: string, { threads, groups, words }: WorkgroupSize): Probe {
  const elements = words / 2;
  const slots = elements / threads;
  return probe({
    name,
    threads,
    groups,
    workgroupBytes: 4 * words,
    declarations: `var<workgroup> memory: array<vec2u, ${elements}>;`,
    before: `for (var i = tid; i < ${elements}u; i += ${threads}u) { memory[i] = vec2u(0u); }
var at = tid;
var value = vec2u(tid, group.x);`,
    body: `${lines(reads, (i) => `memory[(at + ${i * threads}u) & ${elements - 1}u] = value + vec2u(${i}u, ${i}u);`)}
at = (at + ${reads * threads}u) & ${elements - 1}u;
value += vec2u(${reads}u, ${reads}u);`,
    after: `workgroupBarrier();
var sum = 0u;
for (var i = 0u; i < ${slots}u; i++) {
  let found = memory[(tid ^ 1u) + i * ${threads}u];
  sum += (found.x + 3u * found.y) * (i + 1u);
}`,
    result: "sum",
    amount: (rounds) => threads * groups * rounds * reads * 8,
    expected(tid, group, rounds) {
      let sum = 0;
      for (let slot = 0; slot < slots; slot++) {
        const last = rounds * reads - 1 - ((((rounds * reads - 1 - slot) % slots) + slots) % slots);
        if (last >= 0) sum += ((tid ^ 1) + last + 3 * (group + last)) * (slot + 1);
      }
      return sum | 0;
    },
  });
}

/** Values of two words that an invocation exchanges in each round of `exchangeProbe`. */
export const exchanged = 8;

/** Exchanges as transforms do: all values to workgroup memory, a barrier, values of another invocation from it, a barrier. */
export function exchangeProbe(name: string, { threads, groups }: WorkgroupSize): Probe {
  const each = (text: (i: number) => string): string => lines(exchanged, text);
  return probe({
    name,
    threads,
    groups,
    workgroupBytes: 8 * exchanged * threads,
    declarations: `var<workgroup> memory: array<vec2u, ${exchanged * threads}>;`,
    before: each((i) => `var v${i} = vec2u(tid + ${i}u, group.x);`),
    body: `${each((i) => `memory[tid + ${i * threads}u] = v${i};`)}
workgroupBarrier();
${each((i) => `v${i} = memory[(tid ^ 1u) + ${i * threads}u] + vec2u(1u, 2u);`)}
workgroupBarrier();`,
    result: Array.from({ length: exchanged }, (_, i) => `v${i}.x + ${i + 1}u * v${i}.y`).join(" + "),
    amount: (rounds) => threads * groups * rounds * exchanged * 16,
    expected(tid, group, rounds) {
      const from = rounds % 2 === 0 ? tid : tid ^ 1;
      let sum = 0;
      for (let i = 0; i < exchanged; i++) sum += from + i + rounds + Math.imul(i + 1, group + 2 * rounds);
      return sum | 0;
    },
  });
}

/**
 * Writes and reads of an invocation's own element, with two barriers in each round or with none. The address of the read is not known when
 * compiling, so the text of both is the same but for the barriers. Both compute the same.
 */
export const barrierProbe = (name: string, { threads, groups }: Omit<WorkgroupSize, "words">, barriers: boolean): Probe =>
  probe({
    name,
    threads,
    groups,
    workgroupBytes: 4 * threads,
    uniforms: { offset: 0 },
    uniformTypes: { offset: "u32" },
    declarations: `var<workgroup> memory: array<u32, ${threads}>;`,
    before: "var value = tid + group.x;",
    body: `memory[tid] = value;
${barriers ? "workgroupBarrier();" : ""}
value = memory[tid + uniforms.offset] + 1u;
${barriers ? "workgroupBarrier();" : ""}`,
    result: "value",
    amount: (rounds) => 2 * rounds * groups,
    expected: (tid, group, rounds) => (tid + group + rounds) | 0,
  });
