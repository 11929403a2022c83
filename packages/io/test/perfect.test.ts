/** Input of the PERFECT suite's STAP application, from bytes and from folders, and refusals. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRadarError } from "@dechirp/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parsePerfect, perfectSizes } from "../src/index.ts";
import { readArray } from "../src/node.ts";

/** Little-endian float32, by definition. */
function floats(count: number, value: (i: number) => number): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * count));
  for (let i = 0; i < count; i++) view.setFloat32(4 * i, value(i), true);
  return new Uint8Array(view.buffer);
}

const input = floats(2 * 4 * 128 * 512, (i) => i / 4);
const steering = floats(2 * 16 * 12, (i) => -i);

async function refuse(read: () => unknown, pattern: RegExp): Promise<void> {
  try {
    await read();
  } catch (error) {
    expect(isRadarError(error, "input")).toBe(true);
    expect((error as Error).message).toMatch(pattern);
    return;
  }
  expect.unreachable();
}

describe("parsePerfect", () => {
  it("reads samples and steering vectors, also from a misaligned view", async () => {
    const shifted = new Uint8Array(input.length + 1);
    shifted.set(input, 1);
    const { set, sizes, samples, steering: v } = await parsePerfect(shifted.subarray(1), steering, { set: "small" });
    expect([set, sizes]).toEqual(["small", perfectSizes.small]);
    // x[channel 1][pulse 2][range 3]
    expect(samples[2 * ((1 * 128 + 2) * 512 + 3) + 1]).toBe((2 * ((1 * 128 + 2) * 512 + 3) + 1) / 4);
    expect(v[2 * (3 * 12 + 5)]).toBe(-2 * (3 * 12 + 5));
  });

  it("refuses other sizes, sets and numbers, naming the file", async () => {
    await refuse(
      () => parsePerfect(input.subarray(1), steering, { set: "small" }),
      /^small_app_input\.bin: at byte \d+: expected 2097152 bytes/,
    );
    await refuse(() => parsePerfect(input, input, { set: "small", steeringFile: "v.bin" }), /^v\.bin: at byte 1536: expected 1536 bytes/);
    await refuse(() => parsePerfect(input, steering, { set: "large" }), /large_app_input\.bin/);
    await refuse(() => parsePerfect(input, steering, { set: "huge" as never }), /^set must be one of small, medium, large/);
    await refuse(
      () =>
        parsePerfect(
          input,
          floats(384, (i) => (i === 7 ? Number.NaN : 0)),
          { set: "small" },
        ),
      /at byte 28: expected a finite number/,
    );
  });
});

describe("readArray", () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "perfect-"));
    await writeFile(join(dir, "small_app_input.bin"), input);
  });
  afterAll(() => rm(dir, { recursive: true }));

  it("finds the set's files in a folder, and says which is missing", async () => {
    await expect(readArray(dir)).rejects.toThrow(/small_app_steering_vectors\.bin/);
    await writeFile(join(dir, "small_app_steering_vectors.bin"), steering);
    expect((await readArray(dir)).cube.data.length).toBe(2 * 4 * 128 * 512);
    await expect(readArray(dir, { set: "medium" })).rejects.toThrow(/must be a folder with medium_app_input\.bin/);
  });
});
