/**
 * Arrays are copied to a device and to other arrays in slices with pauses, because copying a gigabyte at once would block the event
 * loop for a second.
 */
import { createRandom, type DType, dtypes, open, type TypedArrayOf, typedArray } from "@dechirp/core";
import { copyInto } from "@dechirp/core/internal";
import { cpu } from "@dechirp/fft-cpu";
import { expect, it } from "vitest";
import { writeInSlices } from "../src/run-stages.ts";

const count = 3 * 2 ** 16 + 5;

it.each(["c64", "ci16", "ci8", "f32", "c128"] as const)("writes an array of %s completely, in slices", async (dtype: DType) => {
  using device = await open(cpu());
  const count = Math.floor((2.3 * 2 ** 23) / dtypes[dtype].bytes);
  using buffer = device.alloc({ dtype, shape: [count] });
  const { uniform } = createRandom(5);
  const data = typedArray(dtype, count * dtypes[dtype].components);
  for (let i = 0; i < data.length; i++) data[i] = 200 * uniform() - 100;
  const lengths: number[] = [];
  const counted = {
    ...buffer,
    layout: buffer.layout,
    write(part: TypedArrayOf, at?: number) {
      lengths.push(part.length);
      buffer.write(part, at);
    },
  };
  let pauses = 0;
  await writeInSlices(counted, data, 0, () => {
    pauses++;
    return undefined;
  });
  expect(lengths.map((length) => length * data.BYTES_PER_ELEMENT)).toEqual([2 ** 23, 2 ** 23, data.byteLength - 2 ** 24]);
  expect(pauses).toBe(lengths.length);
  expect(Buffer.compare(new Uint8Array((await buffer.read()).buffer), new Uint8Array(data.buffer))).toBe(0);
});

it("copies in slices from number `at` on, and ends if the pause throws", async () => {
  const from = Float32Array.from({ length: count }, (_, i) => i);
  const to = new Float64Array(count + 7);
  let pauses = 0;
  await copyInto(to, from, 7, () => void pauses++);
  expect(to).toEqual(Float64Array.from({ length: count + 7 }, (_, i) => Math.max(0, i - 7)));
  expect(pauses).toBe(4);
  await expect(
    copyInto(to, from, 7, () => {
      throw new Error("ended");
    }),
  ).rejects.toThrow("ended");
});
