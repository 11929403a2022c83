/** Messages quote texts of a report.json, but never a megabyte of them. */
import { expect, it } from "vitest";
import { parseReport } from "../src/index.ts";

it.each([JSON.stringify("a".repeat(2 ** 20)), JSON.stringify({ format: "b".repeat(2 ** 20) })])(
  "quotes a long text only in part",
  async (json) => {
    const error: Error = await parseReport(json, "report.json").then(
      () => expect.unreachable(),
      (thrown) => thrown,
    );
    expect(error.message).toMatch(/^report\.json: .* must be .*, not "[ab]{50,}\.\.\."$/);
    expect(error.message.length).toBeLessThan(300);
  },
);
