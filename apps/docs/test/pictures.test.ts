/**
 * The tutorial's pictures are those that its examples make: `PICTURES=write npx vitest run test/pictures.test.ts` in this folder makes
 * them anew. On another machine a grey level may round the other way, no more.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
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

/** Sides of a PNG file, and its lines: each a byte that names its filter, then grey levels. */
function decoded(file: Buffer): { readonly sides: Buffer; readonly levels: Buffer } {
  const data: Buffer[] = [];
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at))
    if (file.toString("latin1", at + 4, at + 8) === "IDAT") data.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)));
  return { sides: file.subarray(16, 24), levels: inflateSync(Buffer.concat(data)) };
}

it.each(["raw", "compressed", "doppler", "image"])("%s", (name) => {
  const made = readFileSync(join(folder, "out", `${name}.png`));
  if (process.env["PICTURES"] === "write") writeFileSync(committed(name), made);
  const shown = readFileSync(committed(name));
  expect(shown.length).toBeLessThanOrEqual(200_000);
  const [a, b] = [decoded(made), decoded(shown)];
  expect(a.sides).toEqual(b.sides);
  expect(a.levels.length).toBe(b.levels.length);
  const apart = a.levels.map((level, i) => Math.abs(level - b.levels[i])).filter((levels) => levels > 0);
  expect(apart.filter((levels) => levels > 1)).toHaveLength(0);
  expect(apart.length).toBeLessThan(a.levels.length / 1000);
});
