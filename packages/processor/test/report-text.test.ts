/** What a report.json says of itself is shown in a message, but not a megabyte of it. */
import { expect, it } from "vitest";
import { parseReport } from "../src/index.ts";

it.each([JSON.stringify("a".repeat(2 ** 20)), JSON.stringify({ format: "b".repeat(2 ** 20) })])(
  "a long text is shown in part",
  async (json) => {
    const error: Error = await parseReport(json, "report.json").then(
      () => expect.unreachable(),
      (thrown) => thrown,
    );
    expect(error.message).toMatch(/^report\.json: .* must be .*, not "[ab]{50,}\.\.\."$/);
    expect(error.message.length).toBeLessThan(300);
  },
);
