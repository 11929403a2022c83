/** Tests the rule of thumb for choosing a device: its limits, and that it agrees with the recorded measurements. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { preferredDevice, type WorkSize } from "../src/index.ts";

const [KiB, MiB] = [2 ** 10, 2 ** 20];

describe("the preferred device", () => {
  it.each<[WorkSize, "cpu" | "gpu"]>([
    [{ bytes: 0 }, "cpu"],
    [{ bytes: 512 * KiB - 1 }, "cpu"],
    [{ bytes: 512 * KiB }, "gpu"],
    [{ bytes: 2 ** 40 }, "gpu"],
    [{ bytes: 128 * KiB - 1, data: "device" }, "cpu"],
    [{ bytes: 128 * KiB, data: "device" }, "gpu"],
    [{ bytes: 2 ** 40, data: "device" }, "gpu"],
    [{ bytes: 512 * MiB - 1, plans: "fresh" }, "cpu"],
    [{ bytes: 512 * MiB, plans: "fresh" }, "gpu"],
    [{ bytes: 512 * MiB - 1, data: "device", plans: "fresh" }, "cpu"],
  ])("for %j is the %s", (work, device) => {
    expect(preferredDevice(work)).toBe(device);
  });

  it.each([-1, Number.NaN, undefined])("needs a number of bytes, not %s", (bytes) => {
    expect(() => preferredDevice({ bytes: bytes as number })).toThrow("bytes must be a number of bytes");
  });

  it("is the faster one of every measured pair whose quartiles do not overlap", () => {
    const folder = new URL("../../bench/results/", import.meta.url);
    const newest = readdirSync(folder)
      .filter((name) => name.endsWith("-gpu-h200.json"))
      .sort()
      .at(-1) as string;
    interface Row {
      readonly case: string;
      readonly contender: string;
      readonly quartiles: readonly [number, number];
    }
    const rows: readonly Row[] = JSON.parse(readFileSync(new URL(newest, folder), "utf8")).rows;
    const apart = rows.flatMap((row) => {
      const [, lines, n] = /^write, fft c64 (\d+)×(\d+), read$/.exec(row.case) ?? [];
      const peer = rows.find((other) => other.case === row.case && other.contender.startsWith("dechirp cpu"));
      if (n === undefined || !peer || !row.contender.startsWith("dechirp gpu")) return [];
      const faster = row.quartiles[1] < peer.quartiles[0] ? "gpu" : peer.quartiles[1] < row.quartiles[0] ? "cpu" : undefined;
      return faster ? [{ name: row.case, bytes: 8 * Number(lines) * Number(n), faster }] : [];
    });
    expect(new Set(apart.map(({ faster }) => faster)).size).toBe(2);
    for (const { name, bytes, faster } of apart) expect(preferredDevice({ bytes }), name).toBe(faster);
  });
});
