/** Tests that the README's picture is what the demo and `picture.mjs` produce now. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { built } from "../built.mjs";
import { root } from "../setup.mjs";

const { decode } = createRequire(join(root, "packages", "io", "package.json"))("fast-png") as {
  decode(bytes: Uint8Array): { width: number; height: number; data: Uint8Array };
};

beforeAll(built, 600_000);

function run(...args: string[]): void {
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(status).toBe(0);
}

it("equals the demo's", () => {
  const folder = mkdtempSync(join(tmpdir(), "dechirp-picture-"));
  try {
    run(join(root, "packages", "cli", "dist", "main.js"), "demo", "--out", join(folder, "out"));
    run(join(root, "scripts", "picture.mjs"), join(folder, "out"), join(folder, "picture.png"));
    const [made, kept] = [join(folder, "picture.png"), join(root, "docs", "images", "quicklook.png")].map((path) =>
      decode(readFileSync(path)),
    );
    expect([kept?.width, kept?.height]).toEqual([made?.width, made?.height]);
    // The last bits depend on the machine, which may change a grey level between two values.
    const furthest = kept?.data.reduce((most, level, i) => Math.max(most, Math.abs(level - (made?.data[i] ?? 255))), 0);
    expect(furthest).toBeLessThanOrEqual(1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
