/** The root of unity of a long length, from two short tables. */
import type { LongTwiddle } from "../tables.ts";
import type { Text } from "./text.ts";

/** Generates exp(−j2πe/n) for an exponent e < n, a u32 expression that is used twice. It takes two look-ups and a product. */
export function longRoot(text: Text, { low, high, bits }: LongTwiddle, e: string): string {
  const turn = text.let(`load_dechirp_table((${e} >> ${bits}u) + ${high}u)`, "w");
  return text.let(`${turn} + cmul(${turn}, load_dechirp_table((${e} & ${2 ** bits - 1}u) + ${low}u))`, "w");
}
