/** Compares the output of an example with its `.out.txt` file. */
import { existsSync } from "node:fs";
import { expect } from "vitest";
import { read } from "./markdown.ts";

/** `…` in the expected text stands for any characters of a line. */
const patternOf = (expected: string): RegExp =>
  new RegExp(
    `^${expected
      .split("…")
      .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
      .join("[^\\n]*")}$`,
  );

export const outputFile = (example: string): string => example.replace(/\.\w+$/, ".out.txt");

/** Fails unless `said` equals `file.out.txt` next to the example. Without that file, any output is accepted. */
export function expectOutput(example: string, said: string): void {
  const file = outputFile(example);
  if (!existsSync(file)) return;
  const expected = read(file).trimEnd();
  if (!patternOf(expected).test(said.trimEnd())) expect(said.trimEnd()).toBe(expected); // fails and shows the difference
}
