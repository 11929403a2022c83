/**
 * Checks that the tutorial's pictures are those that its examples make. `PICTURES=write npx vitest run test/pictures.test.ts` in the folder of the site makes
 * new ones. Text uses a bundled font and a rasteriser in WebAssembly, so it is the same everywhere. On another machine, levels of
 * pixels may be rounded differently.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decode } from "fast-png";
import { afterAll, beforeAll, expect, it } from "vitest";
import { site } from "./markdown.ts";

const before = process.cwd();
const folder = mkdtempSync(join(tmpdir(), "dechirp-pictures-"));
const committed = (name: string): string => join(site, "public", "images", `tutorial-${name}.png`);

beforeAll(async () => {
  process.chdir(folder);
  for (const step of ["raw", "compress", "image"]) await import(`../examples/tutorial/${step}.ts`);
});
afterAll(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true, force: true });
});

/** Largest difference between the channels of neighbouring levels: one for greys, three for the colours of heat maps (viridis). */
const steps = { raw: 1, compressed: 1, doppler: 3, image: 1 } as const;

it.each(["raw", "compressed", "doppler", "image"] as const)("%s", (name) => {
  const made = readFileSync(join(folder, "out", `${name}.png`));
  if (process.env["PICTURES"] === "write") writeFileSync(committed(name), made);
  const shown = readFileSync(committed(name));
  expect(shown.length).toBeLessThanOrEqual(200_000);
  const [a, b] = [decode(made), decode(shown)];
  expect([a.width, a.height, a.channels, a.depth]).toEqual([b.width, b.height, 4, 8]);
  const apart = a.data.map((level, i) => Math.abs(level - b.data[i])).filter((levels) => levels > 0);
  expect(apart.filter((levels) => levels > steps[name])).toHaveLength(0);
  expect(apart.length).toBeLessThan(a.data.length / 1000);
});
