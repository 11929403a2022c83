/** Sizes of memory on the command line: what is read, what is refused, and what is printed. */
import { memorySizeText } from "@dechirp/core/internal";
import { describe, expect, it } from "vitest";
import { CommandError } from "../src/errors.ts";
import { parseMemorySize } from "../src/memory-size.ts";

describe("sizes of memory", () => {
  it("are read in powers of 1000 and of 1024", () => {
    const sizes: Readonly<Record<string, number>> = {
      "1B": 1,
      "2GiB": 2 * 1024 ** 3,
      "1.5GB": 1_500_000_000,
      "800MiB": 800 * 1024 ** 2,
      "800 MiB": 800 * 1024 ** 2,
      " 64kib ": 64 * 1024,
      "64KB": 64_000,
      ".5tib": 2 ** 39,
      "1.TB": 1e12,
      "0.7KiB": 716,
    };
    for (const [text, bytes] of Object.entries(sizes)) expect(parseMemorySize("--memory", text), text).toBe(bytes);
  });

  it("are refused, with the option and the text, if they are anything else", () => {
    const wrong = ["", "2", "GiB", "2 GiBs", "-1GiB", "+1GiB", "1e3MiB", "0GiB", "0.1B", "1,5GB", "2iB", "1  MiB", "NaNB", "9999999TiB"];
    for (const text of [...wrong, `${"9".repeat(100_000)}x`]) {
      let error: unknown;
      try {
        parseMemorySize("--memory", text);
      } catch (thrown) {
        error = thrown;
      }
      expect(error, text.slice(0, 20)).toBeInstanceOf(CommandError);
      expect(error).toMatchObject({ kind: "argument", fields: { option: "--memory", actual: text } });
    }
  });

  it("are printed with three digits", () => {
    const texts = [0, 1, 1023, 1024, 1536 * 1024 ** 2, 123_456_789, 2 ** 40, 5e16].map(memorySizeText);
    expect(texts).toEqual(["0 B", "1 B", "1023 B", "1.00 KiB", "1.50 GiB", "118 MiB", "1.00 TiB", "45475 TiB"]);
  });
});
