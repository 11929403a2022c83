/**
 * Jobs and watches whose folders can't be written: one sentence that names the place, with the status of writing, before any work, and no task is
 * blamed. The folder is on a file system that is mounted read-only in a namespace of its own, or has the mode 0555.
 */
import { spawnSync } from "node:child_process";
import { chmod, copyFile, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dechirp } from "./command.ts";
import { main } from "./executable.ts";

/** Runs a command in a namespace in which a folder is mounted read-only. */
const readOnly = (folder: string, args: readonly string[]) =>
  spawnSync("unshare", ["-Urm", "sh", "-c", script, "sh", folder, process.execPath, main, ...args], { encoding: "utf8" });
const script = `place=$1; shift; mount --bind "$place" "$place" && mount -o remount,bind,ro "$place" || exit 99; exec "$@"`;
/** Runs a command without the rights of root, so that the bits of a folder count. */
const withoutRights = (args: readonly string[]) => {
  const command = [process.execPath, main, ...args];
  const [file, ...rest] = process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-all", "--inh-caps=-all", ...command] : command;
  return spawnSync(file, rest, { encoding: "utf8" });
};

// The reasons for skipping: user namespaces are not permitted; root's rights can't be taken away; Windows has no such bits.
const mountable = process.platform === "linux" && spawnSync("unshare", ["-Urm", "mount", "--bind", tmpdir(), tmpdir()]).status === 0;
const bitsCount =
  process.platform !== "win32" &&
  (process.getuid?.() !== 0 || spawnSync("setpriv", ["--bounding-set=-all", "--inh-caps=-all", "true"]).status === 0);

let [dir, store, incoming] = ["", "", ""];
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "dechirp-read-only-"));
  await dechirp(["simulate", "--preset", "spotlight", "--out", dir]);
  [store, incoming] = [join(dir, "job"), join(dir, "incoming")];
  await mkdir(incoming);
  await copyFile(join(dir, "spotlight.cphd"), join(incoming, "one.cphd"));
  const plan = ["job", "plan", join(dir, "spotlight.cphd"), "--out", store, "--grid=-40,-40,0.4,0.4,200,190", "--tile", "128"];
  expect((await dechirp(plan)).code).toBe(0);
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** Commands that write into the store or the watched folder, and the place that they name. */
const commands = (): readonly (readonly [args: readonly string[], place: string])[] => [
  [
    ["job", "plan", join(dir, "spotlight.cphd"), "--out", join(store, "other"), "--grid=-40,-40,0.4,0.4,200,190"],
    `--out ${store}/other: ${store}`,
  ],
  [["job", "run", store], `STORE ${store}: ${store}`],
  [["job", "task", store, "--index", "0"], `STORE ${store}: ${store}`],
  [["job", "cancel", store], `${store}/cancelled`],
  [["watch", incoming, "--once", "--then", "info {path}"], `${incoming}/.dechirp-watch/lock.json`],
  [["watch", join(dir, "incoming"), "--state", join(store, "state"), "--once", "--then", "info {path}"], `${store}/state/lock.json`],
];

describe("a folder that can't be written", () => {
  it.skipIf(!mountable)("is named if its file system is read-only", async () => {
    for (const [args, place] of commands()) {
      const { status, stdout, stderr } = readOnly(args.includes(store) || args.includes(join(store, "other")) ? store : dir, args);
      expect([status, stdout], args.join(" ")).toEqual([5, ""]);
      expect(stderr, args.join(" ")).toMatch(new RegExp(`^dechirp: ${place}: can't write (it|there): the file system is read-only\n$`));
    }
    expect(await readdir(store)).toEqual(["image.zarr", "job.json"]);
  });

  it.skipIf(!bitsCount)("is named if its bits forbid it", async () => {
    await Promise.all([store, incoming].map((folder) => chmod(folder, 0o555)));
    for (const [args, place] of commands()) {
      const { status, stdout, stderr } = withoutRights(args);
      expect([status, stdout], args.join(" ")).toEqual([5, ""]);
      expect(stderr, args.join(" ")).toMatch(new RegExp(`^dechirp: ${place}: can't write (it|there): permission denied\n$`));
    }
    expect(await readdir(store)).toEqual(["image.zarr", "job.json"]);
  });
});
