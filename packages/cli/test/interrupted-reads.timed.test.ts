/**
 * Ctrl-C while the executable reads and converts large files: status 130, one line, nothing written. io's interruptions.timed.test.ts
 * measures how long the event loop is blocked. The limit here only distinguishes a reader that obeys the signal from one that is killed
 * after the grace period, on two busy cores.
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { createRandom } from "@dechirp/core";
import { npyHeader } from "@dechirp/io";
import { expect, it } from "vitest";
import { temporaryFolder } from "./command.ts";
import { start } from "./executable.ts";

const side = 4096;
const scene = {
  format: "dechirp-scene",
  version: 1,
  name: "large",
  radar: {
    carrierHz: 5.3e9,
    samplingRateHz: 20e6,
    prfHz: 300,
    chirpRateHzPerSecond: 1e13,
    pulseSeconds: 1.6e-6,
    velocityMetersPerSecond: 150,
    nearRangeMeters: 5000,
    dopplerCentroidHz: 20,
  },
  raw: "raw.npy",
  targets: [],
};

/** A .npy file with `bytes` bytes of non-zero data, whose header is changed. */
function npy(dtype: "c64" | "c128", shape: readonly number[], change: (header: string) => string): Uint8Array {
  const header = Buffer.from(npyHeader({ dtype, shape })).toString("latin1");
  const changed = change(header);
  const data = Buffer.alloc(
    shape.reduce((product, extent) => product * extent, dtype === "c64" ? 8 : 16),
    Buffer.from([1, 2, 3, 4]),
  );
  return Buffer.concat([Buffer.from(changed.slice(0, header.length), "latin1"), data]);
}

/** A version 5 file with one compressed complex cube. */
function mat(shape: readonly number[]): Uint8Array {
  const elements = shape.reduce((product, extent) => product * extent, 1);
  const words = (...values: number[]): Buffer => Buffer.from(Uint32Array.from(values).buffer);
  const random = createRandom(1);
  const part = (): Buffer => {
    const numbers = Float64Array.from({ length: elements }, () => random.gaussian());
    return Buffer.concat([words(9, 8 * elements), Buffer.from(numbers.buffer)]);
  };
  const head = [words(6, 8, 6 | 0x800, 0), words(5, 12, ...shape, 0), words(0x10001, 0x78)];
  const body = Buffer.concat([...head, part(), part()]);
  const packed = deflateSync(Buffer.concat([words(14, body.length), body]), { level: 1 });
  const header = Buffer.alloc(128, 32);
  header.write("MATLAB 5.0 MAT-file");
  header.set([0, 1, 0x49, 0x4d], 124);
  return Buffer.concat([header, words(15, packed.length), packed]);
}

/**
 * Waits until the process has read this many bytes in addition to its own modules; if the system does not count them, waits for a
 * while.
 */
async function readingOf(pid: number, bytes: number): Promise<void> {
  const moduleBytes = 2 ** 20;
  for (let waited = 0; waited < 20_000; waited += 10) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    const counted = await readFile(`/proc/${pid}/io`, "utf8").catch(() => undefined);
    if (counted === undefined && waited < 2000) continue;
    if (counted === undefined || Number(/^rchar: (\d+)$/m.exec(counted)?.[1]) >= moduleBytes + 0.9 * bytes) return;
  }
  throw new Error("nothing is read");
}

const big = (header: string): string => header.replace("'<", "'>");
const fortran = (header: string): string => header.replace("False, ", "True,  ");
const stap = ["--spacing", "0.5", "--azimuth=-40:40:40"];

it.skipIf(process.platform === "win32").each([
  ["a big-endian .npy file", "focus", npy("c64", [side, side], big)],
  ["a .npy file in Fortran order", "focus", npy("c64", [side, side], fortran)],
  ["a complex128 .npy file, big-endian and in Fortran order", "focus", npy("c128", [side, side / 2], (header) => big(fortran(header)))],
  ["a cube with its axes in another order", "stap", npy("c64", [4096, 256, 16], (header) => header)],
  ["a compressed MAT-file", "stap", mat([16, 64, 2048])],
] as const)("ends soon, with status 130 and nothing written, while it reads %s", { timeout: 60_000 }, async (_, command, bytes) => {
  const folder = await temporaryFolder();
  const input = join(folder, "input");
  await mkdir(input);
  if (command === "focus") await writeFile(join(input, "scene.json"), JSON.stringify(scene));
  const name = bytes[0] === 0x93 ? "raw.npy" : "cube.mat";
  await writeFile(join(input, name), bytes);
  const axes = name === "raw.npy" ? ["--axes", "range,pulse,channel"] : [];
  const args = command === "focus" ? ["focus", input] : ["stap", join(input, name), ...stap, ...axes];
  // During reading, and when all is read and converted.
  for (const share of [0.01, 0.5, 1]) {
    const { child, ended } = start([...args, "--out", join(folder, "out")]);
    await readingOf(child.pid as number, share * bytes.length);
    const before = performance.now();
    child.kill("SIGINT");
    expect(await ended).toEqual({ code: 130, stdout: "", stderr: "dechirp: interrupted by SIGINT\n" });
    expect(performance.now() - before).toBeLessThan(2500);
    expect(await readdir(folder)).toEqual(["input"]);
  }
});
