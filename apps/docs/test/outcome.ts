/** What an example printed, held against the file of what it should print. Knows nothing of how it was run. */
import { existsSync } from "node:fs";
import { expect } from "vitest";
import { read } from "./markdown.ts";

/** `…` in what is expected stands for any characters of a line. */
const patternOf = (expected: string): RegExp =>
  new RegExp(
    `^${expected
      .split("…")
      .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
      .join("[^\\n]*")}$`,
  );

export const outputFile = (example: string): string => example.replace(/\.\w+$/, ".out.txt");

/** Fails where `said` is not what `file.out.txt` beside the example says; without that file nothing is expected. */
export function expectOutput(example: string, said: string): void {
  const file = outputFile(example);
  if (!existsSync(file)) return;
  const expected = read(file).trimEnd();
  if (!patternOf(expected).test(said.trimEnd())) expect(said.trimEnd()).toBe(expected); // shows where they part
}
