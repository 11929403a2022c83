/**
 * Commands that make images in parts, on a disk that becomes full: one error with the status of writing, and what is written is kept, so
 * that --resume goes on when there is space. The disk is a tmpfs, mounted in a namespace of its own, which is enlarged before the second run.
 */
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeSceneFolder } from "@dechirp/io/node";
import { circularTrack, scenePresets, simulatePhaseHistory } from "@dechirp/sar";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dechirp, simulatedScene } from "./command.ts";
import { main } from "./executable.ts";
import { writeGotcha } from "./gotcha-file.ts";

const inNamespace = (command: string, args: readonly string[] = []) =>
  spawnSync("unshare", ["-Urm", "sh", "-c", command, "sh", ...args], { encoding: "utf8" });
// The reason for skipping: a process may mount a file system of its own only where user namespaces are permitted.
const mountable = process.platform === "linux" && inNamespace(`mount -t tmpfs -o size=1m tmpfs ${tmpdir()}`).status === 0;

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "dechirp-full-"));
  // Points and noise: clutter takes long to simulate.
  const { background: _, ...points } = scenePresets.default;
  const preset = { ...points, lines: 1536, samples: 640 };
  await writeSceneFolder(join(dir, "scene"), await simulatedScene("small", preset, { type: "ci8" }));
  const history = simulatePhaseHistory({
    positions: circularTrack({ radiusMeters: 700, altitudeMeters: 700, firstRadians: 0, stepRadians: 0.001, pulses: 40 }),
    frequency: { firstHz: 9.3e9, stepHz: 6e6, count: 60 },
    targets: [{ positionMeters: [-3.2, 4.1, 0], amplitude: 2, phaseRadians: 1 }],
    noise: { snrDb: 10 },
    seed: 3,
  });
  await writeGotcha(join(dir, "a.mat"), history);
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** Runs a command on a disk of `full` bytes, then with --resume on a larger one, and tells what happened. */
const script = `
place=$1; size=$2; node=$3; main=$4; keep=$5; shift 5
mount -t tmpfs -o size=$size tmpfs "$place"
"$node" "$main" "$@" --out "$place/out" --json
echo "status $?"
ls -A "$place/out"
mount -o remount,size=256m "$place"
"$node" "$main" "$@" --out "$place/out" --resume --json
echo "status $?"
ls -A "$place/out"
cp -R "$place/out" "$keep"
`;

describe.skipIf(!mountable)("a disk that becomes full", () => {
  it.each([
    ["focus .npy", ["focus", "scene", "--memory", "9MiB"], "image.npy", [".image.npy.partial"]],
    ["focus .zarr", ["focus", "scene", "--memory", "9MiB", "--format", "zarr"], "image.zarr", ["image.zarr"]],
    [
      "backproject",
      ["backproject", "a.mat", "--grid=-9,-6,0.02,0.02,800,700", "--tile", "16", "--memory", "MIN"],
      "image.npy",
      [".image.npy.partial"],
    ],
  ] as const)("ends %s with one error, and --resume makes the image", async (name, [command, input, ...options], image, left) => {
    const from = [command, join(dir, input)];
    const least = Number(/at least (\d+) bytes/.exec((await dechirp([...from, ...options.slice(0, -1), "1KiB", "--dry-run"])).stderr)?.[1]);
    const args = [...from, ...options.map((option) => (option === "MIN" ? `${least}B` : option))];
    // Of the image; the other files are small.
    const share = 0.6;
    const calm = join(dir, `${name} calm`);
    const undisturbed = await dechirp([...args, "--out", calm, "--json"]);
    expect(undisturbed).toMatchObject({ code: 0, stderr: "" });
    const [rows, columns] = JSON.parse(undisturbed.stdout).images[0].report.image.shape;
    const bytes = 8 * rows * columns;
    const [place, keep] = [join(dir, `${name} disk`), join(dir, `${name} kept`)];
    await mkdir(place);
    const { stdout, stderr } = inNamespace(script, [place, String(Math.round(share * bytes)), process.execPath, main, keep, ...args]);
    const lines = stdout.trim().split("\n");
    const path = join(place, "out", image);
    const message = `${path}: can't write it: no space is left on the device`;
    expect(JSON.parse(lines[0])).toEqual({ error: { code: "write", exitCode: 5, message, fields: { file: path, reason: "ENOSPC" } } });
    expect(lines.slice(1, 2 + left.length)).toEqual(["status 5", ...left]);
    expect(stderr).toBe(`dechirp: ${message}\n`);
    const { report } = JSON.parse(lines[2 + left.length]).images[0];
    const { count, resumed } = command === "focus" ? report.blocks : report.work.windows;
    expect(count).toBeGreaterThan(1);
    // A chunk of the store holds rows of all blocks.
    if (image === "image.npy") expect(resumed).toBeGreaterThan(0);
    expect(lines.slice(3 + left.length)).toEqual(["status 0", image, "quicklook.png", "report.json"]);
    for (const file of ["quicklook.png", image === "image.npy" ? image : join(image, "image", "0.0.0")])
      expect((await readFile(join(keep, file))).equals(await readFile(join(calm, file))), file).toBe(true);
  });
});
