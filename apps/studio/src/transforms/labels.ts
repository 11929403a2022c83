/** Which control sets what errors name, beside its label. */
import type { Controls } from "../ui/words.ts";

export const controls = {
  n: { label: "n, points of a line" },
  batch: { label: "Lines (batch)" },
} as const satisfies Controls;
