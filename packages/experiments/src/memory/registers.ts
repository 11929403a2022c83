/** Probes of registers: subgroup shuffles, and arithmetic on a number of values that each invocation holds. */
import { lines, numbers, type Probe, probe } from "./probe.ts";

/** Values of two words that an invocation shuffles in each round. */
const shuffled = 4;
/** The lanes' distances, which exist in subgroups of all sizes. */
const distances = [1, 2, 3, 1] as const;
/** The largest size of a subgroup. */
const largestSubgroup = 128;

/**
 * Shuffles of two words. Values depend on the lane only. Every invocation also writes its lane and the size of its subgroup, from which its
 * result follows.
 */
export function shuffleProbe(name: string, { threads, groups }: { readonly threads: number; readonly groups: number }): Probe {
  const data = numbers(shuffled * largestSubgroup);
  return probe({
    name,
    threads,
    groups,
    subgroups: true,
    inputs: { data },
    outputs: ["lanes"],
    builtins: ["@builtin(subgroup_invocation_id) lane: u32", "@builtin(subgroup_size) size: u32"],
    before: `store_lanes(group.x * ${threads}u + tid, lane + (size << 16u));
${lines(shuffled, (i) => `var v${i} = vec2u(load_data(lane + ${i * largestSubgroup}u), lane);`)}`,
    body: lines(shuffled, (i) => `v${i} = subgroupShuffleXor(v${i}, ${distances[i]}u) + vec2u(lane, ${i}u);`),
    result: Array.from({ length: shuffled }, (_, i) => `v${i}.x + ${i + 1}u * v${i}.y`).join(" + "),
    amount: (rounds) => threads * groups * rounds * shuffled * 8,
    check({ out, lanes }, rounds) {
      const expected = new Map<number, Uint32Array>();
      const of = (size: number): Uint32Array => {
        const known = expected.get(size) ?? shuffledSums(data, size, rounds);
        expected.set(size, known);
        return known;
      };
      return out.every((value, i) => {
        const [lane, size] = [lanes[i] & 0xffff, lanes[i] >>> 16];
        return size >= 4 && size <= largestSubgroup && lane < size && value === of(size)[lane];
      });
    },
  });
}

/** What lanes of a subgroup write after a number of rounds. After two rounds, a value is back and both lanes have been added once. */
function shuffledSums(data: Uint32Array, size: number, rounds: number): Uint32Array {
  return Uint32Array.from({ length: size }, (_, lane) => {
    let sum = 0;
    distances.forEach((distance, i) => {
      const other = lane ^ distance;
      const from = rounds % 2 === 0 ? lane : other;
      const pairs = Math.floor(rounds / 2);
      // In the last of an odd number of rounds, the value comes from the other lane.
      const x = data[from + i * largestSubgroup] + Math.imul(pairs, lane + other) + (rounds % 2 === 0 ? 0 : lane);
      sum += x + Math.imul(i + 1, from + Math.imul(rounds, i));
    });
    return sum;
  });
}

/** Operations of each round, or a few more. */
const operations = 64;

/** Arithmetic: each invocation holds `values` numbers and replaces each by its product with a uniform plus another, −x + 3, in one operation. */
export function arithmeticProbe(
  name: string,
  { threads, groups, values }: { readonly threads: number; readonly groups: number; readonly values: number },
): Probe {
  const repeats = Math.max(1, operations / values);
  return probe({
    name,
    threads,
    groups,
    uniforms: { factor: -1, term: 3 },
    uniformTypes: { factor: "f32", term: "f32" },
    before: lines(values, (i) => `var v${i} = f32(tid + group.x + ${i}u);`),
    body: lines(repeats, () => lines(values, (i) => `v${i} = fma(v${i}, uniforms.factor, uniforms.term);`)),
    after: `var sum = 0.0;\n${lines(values, (i) => `sum += f32(${(i % 7) + 1}) * v${i};`)}`,
    result: "bitcast<u32>(i32(sum))",
    amount: (rounds) => threads * groups * rounds * repeats * values,
    expected(tid, group, rounds) {
      const odd = (rounds * repeats) % 2 === 1;
      let sum = 0;
      for (let i = 0; i < values; i++) sum += ((i % 7) + 1) * (odd ? 3 - (tid + group + i) : tid + group + i);
      return sum;
    },
  });
}
