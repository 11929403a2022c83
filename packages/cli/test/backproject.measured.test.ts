/**
 * Backprojection of the measured Gotcha phase history, if it is there (`DECHIRP_DATA`), by the command line. Results are compared with
 * a float64 image made by other software, a calibration reflector, and parked vehicles with surveyed positions.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type MatStruct, type MatValue, matField, type NumericArray, readMat, readNpy } from "@dechirp/io";
import type { BackprojectReport } from "@dechirp/processor";
import { signalToErrorDb } from "@dechirp/sar";
import { describe, expect, it } from "vitest";
import { dechirp, temporaryFolder } from "./command.ts";
import { directSum } from "./direct-sum.ts";

const checkout = resolve(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
const data = join(process.env["DECHIRP_DATA"] ?? join(checkout, "..", "shared", "data"), "gotcha");
const files = [1, 2, 3, 4].map((degree) => join(data, `data_3dsar_pass1_az00${degree}_HH.mat`));
const goldenFile = join(data, "golden_bp_f64_512x512_c64le.bin");
const absent = ![...files, goldenFile].every((file) => existsSync(file));

const [n, first, step] = [512, -50, 0.1953125];

interface Imaged {
  readonly report: BackprojectReport;
  readonly image: Float32Array;
}

async function backproject(...more: string[]): Promise<Imaged> {
  const out = join(await temporaryFolder(), "out");
  const { code, stdout, stderr } = await dechirp(["backproject", ...files, "--out", out, "--json", ...more]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const { layout, data: image } = await readNpy(readFileSync(join(out, "image.npy")), { file: "image.npy" });
  const { report } = JSON.parse(stdout).images[0] as { report: BackprojectReport };
  expect(layout).toEqual({ dtype: "c64", shape: report.image.shape });
  return { report, image: image as Float32Array };
}

/** A part of `size` × `size` pixels of the reference image's grid, from pixel (ix, iy) on, as `--grid` and from the reference image. */
const partGrid = (ix: number, iy: number, size: number): string => [first + step * ix, first + step * iy, step, step, size, size].join(",");

function partOfGolden(ix: number, iy: number, size: number): Float32Array {
  const bytes = readFileSync(goldenFile);
  const golden = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  const part = new Float32Array(2 * size * size);
  for (let row = 0; row < size; row++) {
    const from = 2 * ((iy + row) * n + ix);
    part.set(golden.subarray(from, from + 2 * size), 2 * size * row);
  }
  return part;
}

/** The sum over pulses and frequencies for every `every`-th pixel, computed only from what the files hold. */
async function sumOverStored(every: number): Promise<Float64Array> {
  const side = n / every;
  const image = new Float64Array(2 * side * side);
  for (const file of files) {
    const struct = structOf(file, (await readMat(readFileSync(file), { file })).variables.get("data"));
    const af = structOf(file, matField(struct, "af"));
    const [samples, frequenciesHz, x, y, z, r0] = ["fp", "freq", "x", "y", "z", "r0"].map((name) => numbersOf(struct, name));
    const [ranges, phases] = ["r_correct", "ph_correct"].map((name) => numbersOf(af, name));
    const turned = Float64Array.from(samples, (value, i) => {
      const phase = phases[Math.floor(i / (2 * frequenciesHz.length))];
      return i % 2 === 0
        ? value * Math.cos(phase) - samples[i + 1] * Math.sin(phase)
        : samples[i - 1] * Math.sin(phase) + value * Math.cos(phase);
    });
    const pulses = {
      positions: Float64Array.from({ length: 3 * r0.length }, (_, i) => [x, y, z][i % 3][Math.floor(i / 3)]),
      referenceRangeMeters: Float64Array.from(r0, (range, p) => range + ranges[p]),
      frequenciesHz,
      samples: turned,
    };
    directSum(pulses, { x0: first, y0: first, dx: every * step, dy: every * step, nx: side, ny: side }, image);
  }
  return image;
}

function structOf(file: string, value: MatValue | undefined): MatStruct {
  if (value?.kind !== "struct") throw new Error(`${file} lacks a struct`);
  return value;
}

function numbersOf(struct: MatStruct, name: string): NumericArray {
  const value = matField(struct, name);
  if (value?.kind !== "numeric") throw new Error(`there is no ${name}`);
  return value.data;
}

/** x, y of the vehicles that were there, from AFRL's list. */
const vehicles = {
  Malibu: [9.97, -5.22],
  Camry: [20.66, -18.71],
  "Taurus wagon": [12.43, -18.21],
  "CASE tractor": [-0.96, -17.48],
  forklift: [24.96, -6.45],
  Maxima: [31.42, -28.87],
  Sentra: [22.69, -28.3],
  "Santa Fe": [29.24, -19.18],
  Prizm: [35.44, -41.72],
} as const;

describe.skipIf(absent)("Gotcha, pass 1 HH, 0° to 4°", () => {
  let made: Promise<Imaged> | undefined;
  /** The whole image, made by the first test that needs it. */
  const whole = (): Promise<Imaged> => {
    made ??= backproject("--grid", partGrid(0, 0, n));
    return made;
  };

  it("matches the reference image in its convention to 80 dB", async () => {
    const { report, image } = await backproject("--grid", partGrid(0, 0, n), "--convention", "gorham-moore");
    expect(signalToErrorDb(image, partOfGolden(0, 0, n))).toBeGreaterThan(80);
    expect(report.history).toEqual({
      pulses: 469,
      frequency: { firstHz: 9288080384, stepHz: (9910440960 - 9288080384) / 423, count: 424 },
      autofocus: "applied",
    });
    expect(report.parameters).toMatchObject({ bins: { value: 4096, source: "default" }, grid: { source: "option" } });
  });

  it("is 36 dB from the reference image with default options, as far as linear interpolation puts that image from the sum", async () => {
    const { report, image } = await whole();
    // (2π·424/4096)⁴/600 of a flat spectrum: 35.5 dB.
    const ser = signalToErrorDb(
      image.map((value) => (value * 424) / 4096),
      partOfGolden(0, 0, n),
    );
    expect(ser).toBeGreaterThan(35);
    expect(ser).toBeLessThan(37);
    expect(report.parameters).toMatchObject({
      interpolation: { value: "quadratic" },
      bins: { value: 4096 },
      scale: { value: "amplitude" },
    });
  });

  it("matches the sum over the stored frequencies to 70 dB", async () => {
    const { image } = await whole();
    const every = 32;
    const exact = await sumOverStored(every);
    const found = Float64Array.from(exact, (_, at) => {
      const pixel = at >> 1;
      return image[2 * every * (Math.floor(pixel / (n / every)) * n + (pixel % (n / every))) + (at & 1)];
    });
    expect(signalToErrorDb(found, exact)).toBeGreaterThan(70);
  });

  it("matches the reference image in fast mode to 60 dB", async () => {
    const { report, image } = await backproject("--grid", partGrid(128, 320, 96), "--mode", "fast", "--convention", "gorham-moore");
    expect(report.parameters.mode).toEqual({ value: "fast", source: "option" });
    expect(signalToErrorDb(image, partOfGolden(128, 320, 96))).toBeGreaterThan(60);
  });

  it("has the calibration reflector at (−16, 21) m, as sharp as in theory", async () => {
    const { peak } = (await whole()).report;
    expect(Math.hypot(peak.xMeters + 16, peak.yMeters - 21.03)).toBeLessThan(0.05);
    // λ/(4·sin(Δθ/2)·cos φ)·0.886 over 4°, and a sinc's first side lobe.
    expect(Math.abs((peak.y?.irwMeters as number) / 0.2855 - 1)).toBeLessThan(0.03);
    expect(Math.abs((peak.y?.pslrDb as number) + 13.24)).toBeLessThan(0.3);
    expect(Math.abs((peak.x?.irwMeters as number) / 0.311 - 1)).toBeLessThan(0.03);
  });

  it("has the vehicles where they stood, and nothing at their mirror images", async () => {
    const { image } = await whole();
    const power = Float64Array.from({ length: n * n }, (_, i) => image[2 * i] ** 2 + image[2 * i + 1] ** 2);
    const median = Float64Array.from(power).sort()[(n * n) / 2];
    /** Mean power within 2.5 m of a point (half the length of a vehicle) over the median, in dB. */
    const stands = (x: number, y: number): number => {
      let [sum, count] = [0, 0];
      for (let iy = 0; iy < n; iy++) {
        for (let ix = 0; ix < n; ix++) {
          if (Math.hypot(first + step * ix - x, first + step * iy - y) > 2.5) continue;
          sum += power[iy * n + ix];
          count++;
        }
      }
      return 10 * Math.log10(sum / count / median);
    };
    for (const [name, [x, y]] of Object.entries(vehicles)) {
      expect(stands(x, y), name).toBeGreaterThan(8.5);
      expect(stands(-x, -y), `${name}, mirrored`).toBeLessThan(8.5);
    }
  });

  it("is shifted without autofocus, and no sharper", async () => {
    const grid = partGrid(112, 304, 128);
    const { report } = await backproject("--grid", grid, "--no-autofocus");
    expect(report.history.autofocus).toBe("left out");
    // The 0.29 m by which the files correct ranges, projected on the ground, and a drift across.
    expect(Math.abs(report.peak.xMeters + 15.6)).toBeLessThan(0.1);
    expect(Math.abs(report.peak.yMeters - 21.6)).toBeLessThan(0.1);
    expect(report.peak.magnitude).toBeLessThan((await whole()).report.peak.magnitude);
  });
});
