/** The README's example is a program that runs and says what theory expects. */
import { readFileSync } from "node:fs";
import { scenePresets, windowTheory } from "@dechirp/sar";
import { expect, test, vi } from "vitest";

const example = readFileSync(new URL("./readme-example.ts", import.meta.url), "utf8");

test("stands in the README word for word", () => {
  const readme = readFileSync(new URL("../../../README.md", import.meta.url), "utf8");
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``);
});

test("measures a target as theory says", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  await import("./readme-example.ts");
  const said = String(log.mock.calls[0]);
  log.mockRestore();
  const [, irw, pslr] = /^range IRW ([\d.]+) pixels, PSLR (-[\d.]+) dB$/.exec(said) ?? [];
  const theory = windowTheory({ kind: "kaiser", beta: 2.5 });
  const { samplingRateHz, chirpRateHzPerSecond, pulseSeconds } = scenePresets.quality.radar;
  // The example's default is eight taps: 3 % of width.
  expect(Math.abs(Number(irw) / ((theory.irwCells * samplingRateHz) / (chirpRateHzPerSecond * pulseSeconds)) - 1)).toBeLessThan(0.03);
  expect(Math.abs(Number(pslr) - theory.pslrDb)).toBeLessThan(0.5);
});
