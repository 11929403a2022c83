/** stap as a user would call it, on drawn cubes: files, reports, numbers. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readNpy } from "@dechirp/io";
import { type AdaptiveOutput, amfThreshold, type CubeOrder, snrDb } from "@dechirp/stap";
import { describe, expect, it } from "vitest";
import { dechirp } from "./command.ts";
import { channels, cubeNpy, stapFiles as files, orders, prfHz, pulses, radar, ranges, scan, stapCube, target } from "./stap-cube.ts";
import { azimuths, reference, stap } from "./stap-run.ts";

describe("stap", () => {
  it("finds a target where the beamformer has clutter", async () => {
    const { report } = await stap("cube.npy", cubeNpy(stapCube("strong")), ...radar, ...scan);
    expect(report.target).toMatchObject({ source: "detection", range: target.range, dopplerHz: 75, azimuthDegrees: 10 });
    expect(report.beamformer.peak.dopplerHz).not.toBe(target.dopplerHz);
    expect(report.beamformer.linePeak.range).not.toBe(target.range);
    expect(report.beamformer.targetRank).toBeGreaterThan(1);
    expect(report.beamformer.ofRanges).toBe(ranges);
  });

  it("is the float64 algorithm to 80 dB, [steering][range][Doppler]", async () => {
    const { report, output, out } = await stap("cube.npy", cubeNpy(stapCube()), ...radar, ...scan);
    expect(snrDb(reference({}), output)).toBeGreaterThan(80);
    expect((await readdir(out)).sort()).toEqual(files);
    expect(report).toMatchObject({
      format: "dechirp-stap",
      version: 1,
      name: "cube.npy",
      device: { id: "cpu" },
      cube: { channels, pulses, ranges },
      output: { type: "f32", axes: ["steering", "range", "Doppler"], shape: [13, ranges, pulses] },
      parameters: {
        preset: { value: "none", source: "default" },
        dopplerBins: { value: pulses, source: "default" },
        temporalTaps: { value: 3, source: "default" },
        training: { value: "adjacent", source: "default" },
        blockRanges: { value: 32, source: "default" },
        loading: { value: 0, source: "default" },
        output: { value: "amf", source: "default" },
        steering: { value: "azimuths -60° to 60° by 10°", source: "option" },
        prfHz: { value: prfHz, source: "option" },
        spacing: { value: "0.5 wavelengths", source: "option" },
        falseAlarm: { value: 1e-6, source: "default" },
      },
      target: { source: "detection", range: target.range, dopplerHz: target.dopplerHz, azimuthDegrees: target.azimuthDegrees },
      threshold: { kind: "amf", cells: 56 },
      condition: { order: 12, fewestCells: 56, mostCells: 64, singular: 0, bins: pulses, matrices: 4 * pulses },
    });
    expect(report.axes).toEqual({
      azimuthDegrees: azimuths,
      dopplerCycles: Array.from({ length: 16 }, (_, bin) => (bin < 8 ? bin : bin - 16) / 16),
      dopplerHz: Array.from({ length: 16 }, (_, bin) => ((bin < 8 ? bin : bin - 16) / 16) * prfHz),
    });
    expect(report.timings.map(({ name }) => name)).toEqual([
      ...["load", "read", "prepare", "process", "detect", "beamformer", "condition", "interference", "response", "pictures", "write"],
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
    // By definition: the cell itself, theory at its block's 64 cells, and the rest of its line.
    const line = Array.from({ length: ranges }, (_, range) => output[(7 * ranges + range) * pulses + 4]);
    const next = Math.max(...line.filter((_, range) => Math.abs(range - target.range) > 3));
    expect(cells[7]).toBeCloseTo(10 * Math.log10(line[target.range]), 6);
    expect(cells[8]).toBeCloseTo(10 * Math.log10(amfThreshold(1e-4, 12, 64)), 6);
    expect(cells[9]).toBeCloseTo(10 * Math.log10(line[target.range] / next), 6);
    expect(report.detections.listed[0]).toMatchObject({ range: target.range, steering: 7 });
    const places = rows.map((row) => row.split(",").map(Number));
    // Sorted, above the threshold, and no two of them one target's.
    for (const [i, [range, , bin, , , , , amf, threshold]] of places.entries()) {
      expect(amf).toBeGreaterThan(threshold);
      for (const [other, , otherBin, , , , , stronger] of places.slice(0, i)) {
        expect(stronger).toBeGreaterThanOrEqual(amf);
        const apart = Math.abs(bin - otherBin);
        expect(Math.abs(range - other) > 3 || Math.min(apart, pulses - apart) > 2).toBe(true);
      }
    }
  });

  it("answers in angle and Doppler: one where it looks, little where clutter is", async () => {
    const { report, out } = await stap("cube.npy", cubeNpy(stapCube("strong")), ...radar, ...scan);
    const { layout, data } = await readNpy(await readFile(join(out, "angle-doppler.npy")), { file: "angle-doppler.npy" });
    const { shape, angle, doppler } = report.angleDoppler;
    expect(layout).toEqual({ dtype: "f32", shape });
    expect({ angle, doppler }).toEqual({
      angle: { start: -90, step: 1, count: 181, unit: "degrees" },
      doppler: { start: -150, step: 300 / 128, count: 129, unit: "Hz" },
    });
    const at = (degrees: number, hertz: number): number => data[(degrees + 90) * 129 + Math.round((hertz + 150) / doppler.step)];
    expect(at(target.azimuthDegrees, target.dopplerHz)).toBeCloseTo(1, 5);
    // The ridge of a slope of one: spatial cycles of clutter are its Doppler cycles, 75 Hz at 30°, where a beamformer answers with 0.2.
    expect(at(30, 75)).toBeLessThan(0.2 / 4);
    for (const name of ["range-doppler.png", "angle-doppler.png"]) {
      const png = await readFile(join(out, name));
      expect(png.subarray(1, 4).toString()).toBe("PNG");
    }
  });

  it.each(orders.map((order) => [order.join(",")]))("takes .npy arrays %s", async (axes) => {
    const order = axes.split(",") as unknown as CubeOrder;
    const { output, report } = await stap("cube.npy", cubeNpy(stapCube(), order), ...radar, ...scan, "--axes", axes);
    expect(snrDb(reference({}), output)).toBeGreaterThan(80);
    expect(report.target).toMatchObject({ range: target.range, dopplerHz: target.dopplerHz });
  });

  it.each(["mvdr", "paper-literal", "complex"] as const)("gives %s as well, and detects the same", async (kind: AdaptiveOutput) => {
    const bytes = cubeNpy(stapCube());
    const { output, report } = await stap("cube.npy", bytes, ...radar, ...scan, "--output", kind);
    expect(snrDb(reference({ output: kind }), output)).toBeGreaterThan(80);
    expect(report.output).toEqual(
      kind === "complex"
        ? { type: "c64", axes: ["steering", "Doppler", "range"], shape: [13, pulses, ranges] }
        : { type: "f32", axes: ["steering", "range", "Doppler"], shape: [13, ranges, pulses] },
    );
    const amf = await stap("cube.npy", bytes, ...radar, ...scan);
    expect(report.detections.count).toBe(amf.report.detections.count);
    expect(report.target.amfDb).toBeCloseTo(amf.report.target.amfDb, 3);
    expect(report.target.aboveNextDb).toBeCloseTo(amf.report.target.aboveNextDb as number, 3);
  });

  it.each(["amf", "mvdr", "paper-literal"] as const)("keeps the largest %s over all steering vectors", async (kind) => {
    const args = [...radar, ...scan, "--max-over-steering"];
    const bytes = cubeNpy(stapCube());
    const { output, report } = await stap("cube.npy", bytes, ...args, "--output", kind);
    const all = reference({ output: kind });
    const largest = Float64Array.from({ length: ranges * pulses }, (_, i) =>
      Math.max(...azimuths.map((__, p) => all[p * ranges * pulses + i])),
    );
    expect(snrDb(largest, output)).toBeGreaterThan(80);
    expect(report.output).toEqual({ type: "f32", axes: ["range", "Doppler"], shape: [ranges, pulses] });
    expect(report.target).toMatchObject({ range: target.range, azimuthDegrees: target.azimuthDegrees, dopplerHz: target.dopplerHz });
    // Detection takes the largest AMF, which is not where another output is largest.
    const amf = await stap("cube.npy", bytes, ...args);
    const places = ({ detections }: typeof report) =>
      detections.listed.map(({ range, dopplerBin, steering }) => `${range}, ${dopplerBin}, ${steering}`).sort();
    expect(places(report)).toEqual(places(amf.report));
    expect(report.target.aboveNextDb).toBeCloseTo(amf.report.target.aboveNextDb as number, 3);
  });

  it("does as the options say", async () => {
    const args =
      "--doppler-bins 32 --tdof 5 --training sliding --cells 60 --guard 3 --loading 1e-3 --solver gauss-jordan --window chebyshev:40 --centred";
    const { output, report } = await stap("cube.npy", cubeNpy(stapCube()), ...radar, ...scan, ...args.split(" "));
    const { chebyshevWindow } = await import("@dechirp/stap");
    const expected = reference({
      dopplerBins: 32,
      temporalTaps: 5,
      training: { kind: "sliding", cells: 60, guardCells: 3 },
      loading: 1e-3,
      solver: "gauss-jordan",
      window: chebyshevWindow(16, -40),
      centred: true,
    });
    expect(snrDb(expected, output)).toBeGreaterThan(80);
    expect(report.parameters).toMatchObject({
      cells: { value: 60, source: "option" },
      guard: { value: 3, source: "option" },
      window: { value: "chebyshev:-40", source: "option" },
      centred: { value: true, source: "option" },
      solver: { value: "gauss-jordan", source: "option" },
    });
    expect(report.axes.dopplerHz?.[16]).toBe(0);
    expect(report.target).toMatchObject({ range: target.range, dopplerHz: target.dopplerHz });
    const own = await stap("cube.npy", cubeNpy(stapCube()), ...radar, ...scan, "--training", "own", "--block", "40");
    expect(snrDb(reference({ training: { kind: "own" }, blockRanges: 40 }), own.output)).toBeGreaterThan(80);
    expect(own.report.threshold).toMatchObject({ kind: "ca", cells: 32, why: "theory holds for cells that do not train themselves" });
  });

  it("has presets, over which options go", async () => {
    const bytes = cubeNpy(stapCube());
    const paper = await stap("cube.npy", bytes, ...radar, ...scan, "--preset", "paper", "--block", "24");
    expect(paper.report.parameters).toMatchObject({
      preset: { value: "paper", source: "option" },
      dopplerBins: { value: 32, source: "preset" },
      blockRanges: { value: 24, source: "option" },
      training: { value: "adjacent", source: "preset" },
    });
    expect(snrDb(reference({ dopplerBins: 32, blockRanges: 24 }), paper.output)).toBeGreaterThan(80);
    // A preset's guard goes with its training.
    const top = await stap("cube.npy", bytes, "--preset", "mountain-top", "--chirp", "none", "--training", "adjacent", "--azimuth", "274");
    expect(top.report.parameters).toMatchObject({
      training: { value: "adjacent", source: "option" },
      guard: { value: 0, source: "default" },
      loading: { value: 1e-6, source: "preset" },
      broadsideDegrees: { value: 260, source: "preset" },
      carrierHz: { value: 435e6, source: "preset" },
      spacing: { value: "0.333 m", source: "preset" },
      chirp: { value: "none", source: "option" },
      steering: { value: "azimuth 274°", source: "option" },
    });
    const sliding = await stap("cube.npy", bytes, "--preset", "mountain-top", "--chirp", "none", "--azimuth", "274", "--guard", "2");
    expect(sliding.report.parameters).toMatchObject({ guard: { value: 2, source: "option" }, cells: { value: "all", source: "default" } });
  });

  it("compresses pulses with --chirp", async () => {
    const { chirpReplica, compressPulses } = await import("@dechirp/stap");
    const cube = stapCube();
    const done = await stap("cube.npy", cubeNpy(cube), ...radar, ...scan, "--chirp", "5e5,1e-5,1e6");
    const compressed = compressPulses(cube, chirpReplica(5e5, 1e-5, 1e6));
    const expected = await stap("cube.npy", cubeNpy({ ...compressed, data: Float32Array.from(compressed.data) }), ...radar, ...scan);
    expect(done.output).toEqual(expected.output);
    expect(done.report.notes).toContain("the last 9 ranges hold part of a pulse only");
  });

  it("looks at a cell of the user's, and has thresholds of neighbours", async () => {
    const bytes = cubeNpy(stapCube());
    const { report, output } = await stap(
      "cube.npy",
      bytes,
      ...radar,
      ...scan,
      "--target",
      "90,-56.25,-19",
      "--cfar",
      "os",
      "--cfar-cells",
      "24",
    );
    expect(report.target).toMatchObject({
      source: "option",
      range: 90,
      dopplerBin: 13,
      dopplerHz: -56.25,
      azimuthDegrees: -20,
      steering: 4,
    });
    expect(report.target.amfDb).toBeCloseTo(10 * Math.log10(output[(4 * ranges + 90) * pulses + 13]), 6);
    expect(report.threshold).toEqual({ kind: "os", falseAlarm: 1e-6, cells: 24 });
    // Without an azimuth, the strongest there.
    const any = await stap("cube.npy", bytes, ...radar, ...scan, "--target", `${target.range},75`, "--cfar", "ca", "--cfar-guard", "1");
    expect(any.report.target).toMatchObject({ source: "option", azimuthDegrees: target.azimuthDegrees });
    expect(any.report.threshold).toEqual({ kind: "ca", falseAlarm: 1e-6, cells: 32 });
    expect(any.report.detections.listed[0]).toMatchObject({ range: target.range });
  });

  it("tells people what it did", async () => {
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
    expect(plain.stdout).toMatch(/ cycles a pulse, 10°/);
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
