/** stap as a user calls it, on drawn cubes: files, reports, numbers. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readNpy } from "@dechirp/io";
import { amfThreshold, type CubeOrder, snrDb } from "@dechirp/stap";
import { describe, expect, it } from "vitest";
import { dechirp } from "./command.ts";
import { cubeNpy, stapFiles as files, orders, prfHz, pulses, radar, ranges, scan, stapCube, target, usualReport } from "./stap-cube.ts";
import { azimuths, reference, stap } from "./stap-run.ts";

describe("stap", () => {
  it("matches the float64 algorithm to 80 dB, [steering][range][Doppler]", async () => {
    const { report, output, out } = await stap("cube.npy", cubeNpy(stapCube()), ...radar, ...scan);
    expect(snrDb(reference({}), output)).toBeGreaterThan(80);
    expect((await readdir(out)).sort()).toEqual(files);
    expect(report).toMatchObject({ ...usualReport, name: "cube.npy" });
    expect(report.axes).toEqual({
      azimuthDegrees: azimuths,
      dopplerCycles: Array.from({ length: 16 }, (_, bin) => (bin < 8 ? bin : bin - 16) / 16),
      dopplerHz: Array.from({ length: 16 }, (_, bin) => ((bin < 8 ? bin : bin - 16) / 16) * prfHz),
    });
    expect(report.timings.map(({ name }) => name)).toEqual([
      ...["load", "read", "prepare", "process", "detect", "beamformer", "response", "condition", "interference", "pictures", "write"],
    ]);
    expect(report.stages.map(({ name }) => name)[0]).toBe("doppler");
  });

  it("writes detections as a table, with the exact threshold", async () => {
    const { report, output, out } = await stap("cube.npy", cubeNpy(stapCube()), ...radar, ...scan, "--ranges", "1000,75", "--pfa", "1e-4");
    const [titles, ...rows] = (await readFile(join(out, "detections.csv"), "utf8")).trimEnd().split("\n");
    expect(titles).toBe(
      "range_bin,range_km,doppler_bin,doppler_cycles_per_pulse,doppler_hz,steering,azimuth_deg,amf_db,threshold_db,above_next_db",
    );
    expect(rows.length).toBe(report.detections.count);
    const cells = rows[0].split(",").map(Number);
    expect(cells.slice(0, 7)).toEqual([target.range, (1000 + 75 * target.range) / 1000, 4, 0.25, target.dopplerHz, 7, 10]);
    // By definition: the cell itself, theory for its block's 64 cells, and the rest of its line.
    const line = Array.from({ length: ranges }, (_, range) => output[(7 * ranges + range) * pulses + 4]);
    const next = Math.max(...line.filter((_, range) => Math.abs(range - target.range) > 3));
    expect(cells[7]).toBeCloseTo(10 * Math.log10(line[target.range]), 6);
    expect(cells[8]).toBeCloseTo(10 * Math.log10(amfThreshold(1e-4, 12, 64)), 6);
    expect(cells[9]).toBeCloseTo(10 * Math.log10(line[target.range] / next), 6);
    expect(report.detections.listed[0]).toMatchObject({ range: target.range, steering: 7 });
    const places = rows.map((row) => row.split(",").map(Number));
    // Sorted, above the threshold, and each target once.
    for (const [i, [range, , bin, , , , , amf, threshold]] of places.entries()) {
      expect(amf).toBeGreaterThan(threshold);
      for (const [other, , otherBin, , , , , stronger] of places.slice(0, i)) {
        expect(stronger).toBeGreaterThanOrEqual(amf);
        const apart = Math.abs(bin - otherBin);
        expect(Math.abs(range - other) > 3 || Math.min(apart, pulses - apart) > 2).toBe(true);
      }
    }
  });

  it("writes the response in angle and Doppler, and pictures", async () => {
    const { report, out } = await stap("cube.npy", cubeNpy(stapCube("strong")), ...radar, ...scan);
    const { layout, data } = await readNpy(await readFile(join(out, "angle-doppler.npy")), { file: "angle-doppler.npy" });
    expect(layout).toEqual({ dtype: "f32", shape: report.angleDoppler.shape });
    // One in the look direction.
    const { angle, doppler } = report.angleDoppler;
    const [row, column] = [(target.azimuthDegrees - angle.start) / angle.step, (target.dopplerHz - doppler.start) / doppler.step];
    expect(data[row * doppler.count + Math.round(column)]).toBeCloseTo(1, 5);
    for (const name of ["range-doppler.png", "angle-doppler.png"]) {
      const png = await readFile(join(out, name));
      expect(png.subarray(1, 4).toString()).toBe("PNG");
    }
  });

  it.each(orders.map((order) => [order.join(",")]))("accepts .npy arrays %s", async (axes) => {
    const order = axes.split(",") as unknown as CubeOrder;
    const { output, report } = await stap("cube.npy", cubeNpy(stapCube(), order), ...radar, ...scan, "--axes", axes);
    expect(snrDb(reference({}), output)).toBeGreaterThan(80);
    expect(report.target).toMatchObject({ range: target.range, dopplerHz: target.dopplerHz });
  });

  it("obeys its options", async () => {
    const args =
      "--doppler-bins 32 --tdof 5 --training sliding --cells 60 --guard 3 --loading 1e-3 --solver gauss-jordan --window chebyshev:40 --centred";
    const { output, report } = await stap("cube.npy", cubeNpy(stapCube()), ...radar, ...scan, ...args.split(" "));
    const expected = reference({
      dopplerBins: 32,
      temporalTaps: 5,
      training: { kind: "sliding", cells: 60, guardCells: 3 },
      loading: 1e-3,
      solver: "gauss-jordan",
      window: { kind: "chebyshev", sidelobeDb: -40 },
      centred: true,
    });
    expect(snrDb(expected, output)).toBeGreaterThan(80);
    expect(report.target).toMatchObject({ range: target.range, dopplerHz: target.dopplerHz });
    const own = "--training own --block 40 --output complex --cfar os --cfar-cells 24 --cfar-guard 2 --target 90,-56.25,-19";
    const other = await stap("cube.npy", cubeNpy(stapCube()), ...radar, ...scan, ...own.split(" "));
    const complex = reference({ training: { kind: "own" }, blockRanges: 40, output: "complex" });
    expect(snrDb(complex, other.output)).toBeGreaterThan(80);
    expect(other.report.threshold).toEqual({ kind: "os", falseAlarm: 1e-6, cells: 24 });
    expect(other.report.target).toMatchObject({ source: "option", range: 90, dopplerHz: -56.25, azimuthDegrees: -20 });
    const paper = await stap("cube.npy", cubeNpy(stapCube()), ...radar, ...scan, "--preset", "paper", "--max-over-steering");
    expect(paper.report.parameters).toMatchObject({
      preset: { value: "paper", source: "option" },
      dopplerBins: { value: 32, source: "preset" },
    });
    expect(paper.report.output.shape).toEqual([ranges, 32]);
  });

  it("prints a summary", async () => {
    const { folder } = await stap("cube.npy", cubeNpy(stapCube()), ...radar, ...scan);
    const args = ["stap", join(folder, "cube.npy"), ...radar, ...scan, "--device", "auto", "--out", join(folder, "out")];
    const { stdout } = await dechirp(args);
    expect(stdout).toMatch(
      /^cube\.npy: 4 channels × 16 pulses × 120 ranges → amf 13 × 120 × 16 on cpu\n {2}device {14}cpu \(.* too few for a GPU/,
    );
    expect(stdout).toMatch(/ {2}range bin {2}Doppler \[Hz\] {2}azimuth \[°\] {2}AMF \[dB\]/);
    expect(stdout).toMatch(/ {2}strongest {11}range bin 47, 75\.00 Hz, 10°: AMF [\d.]+ dB/);
    expect(stdout).toContain("output.npy, range-doppler.png, angle-doppler.png, angle-doppler.npy, detections.csv, report.json\n");
    const plain = await dechirp([...args.filter((arg) => arg !== "--prf" && arg !== "300"), "--pfa", "1e-12", "--cfar", "os"]);
    expect(plain.stdout).toMatch(/nothing is above the threshold|cycles\/pulse/);
    expect(plain.stdout).toMatch(/ cycles per pulse, 10°/);
  });

  it("leaves other files of a folder alone, and replaces its own", async () => {
    const { folder, out } = await stap("cube.npy", cubeNpy(stapCube()), ...radar, ...scan);
    await writeFile(join(out, "notes.txt"), "mine");
    await writeFile(join(out, "output.npy"), "old");
    expect((await dechirp(["stap", join(folder, "cube.npy"), ...radar, ...scan, "--out", out])).code).toBe(0);
    expect((await readdir(out)).sort()).toEqual([...files, "notes.txt"].sort());
    expect((await readFile(join(out, "output.npy"))).length).toBe(128 + 4 * 13 * ranges * pulses);
  });
});
