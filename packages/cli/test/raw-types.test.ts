/** Arrays of other types in every command that reads .npy files, and messages about files of other formats. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type NpyArray, readNpy, writeNpy } from "@dechirp/io";
import { writeSceneFolder } from "@dechirp/io/node";
import { expect, it } from "vitest";
import { dechirp, simulatedScene, smallPreset, temporaryFolder } from "./command.ts";
import { channels, cubeNpy, pulses, radar, ranges, scan, stapCube } from "./stap-cube.ts";
import { spatial, stap } from "./stap-run.ts";

const asPairs = ({ layout, data }: NpyArray): Uint8Array => writeNpy({ dtype: "f32", shape: [...layout.shape, 2] }, data as Float32Array);
const asWide = ({ layout, data }: NpyArray): Uint8Array => writeNpy({ dtype: "c128", shape: layout.shape }, Float64Array.from(data));
const asWidePairs = ({ layout, data }: NpyArray): Uint8Array =>
  writeNpy({ dtype: "f64", shape: [...layout.shape, 2] }, Float64Array.from(data));

it("focus makes the same image, to the bit, from complex64, pairs of floats and complex128", async () => {
  const folder = await temporaryFolder();
  const [scene, out] = [join(folder, "scene"), join(folder, "out")];
  await writeSceneFolder(scene, await simulatedScene("small", smallPreset(true)));
  const raw = join(scene, "raw.npy");
  const complex = await readNpy(await readFile(raw), { file: raw });
  const focus = async (): Promise<Buffer> => {
    expect(await dechirp(["focus", scene, "--out", out])).toMatchObject({ code: 0 });
    return readFile(join(out, "image.npy"));
  };
  const expected = await focus();
  for (const write of [asPairs, asWide, asWidePairs]) {
    await writeFile(raw, write(complex));
    expect((await focus()).equals(expected)).toBe(true);
    const { notes } = JSON.parse(await readFile(join(out, "report.json"), "utf8"));
    expect(notes.some((note: string) => note.includes("rounded to 32 bits"))).toBe(write !== asPairs);
  }
  // Real numbers are not echoes.
  await writeFile(raw, writeNpy({ dtype: "f32", shape: complex.layout.shape }, new Float32Array(complex.data.length / 2)));
  const { code, stderr } = await dechirp(["focus", scene, "--out", out]);
  expect(code).toBe(3);
  expect(stderr).toMatch(/raw\.npy: the array must be complex64 or complex128 .*, not f32\[/);
});

it("quality measures the same for an image that was saved in another complex type", async () => {
  const folder = await temporaryFolder();
  const [scene, out] = [join(folder, "scene"), join(folder, "out")];
  await writeSceneFolder(scene, await simulatedScene("small", smallPreset(false)));
  expect(await dechirp(["focus", scene, "--out", out])).toMatchObject({ code: 0 });
  const file = join(out, "image.npy");
  const image = await readNpy(await readFile(file), { file });
  const measure = async () => JSON.parse((await dechirp(["quality", out, "--json"])).stdout);
  const expected = await measure();
  expect(expected.targets.length).toBeGreaterThan(0);
  for (const write of [asPairs, asWide, asWidePairs]) {
    await writeFile(file, write(image));
    const { targets, entropy } = await measure();
    expect(entropy).toBeCloseTo(expected.entropy, 6);
    for (const [i, { measured }] of targets.entries()) {
      expect(measured.azimuth.irwPixels).toBeCloseTo(expected.targets[i].measured.azimuth.irwPixels, 5);
      expect(measured.phaseErrorDegrees).toBeCloseTo(expected.targets[i].measured.phaseErrorDegrees, 3);
    }
  }
  await writeFile(file, writeNpy({ dtype: "f32", shape: image.layout.shape }, new Float32Array(image.data.length / 2)));
  const { code, stderr } = await dechirp(["quality", out]);
  expect(code).toBe(3);
  expect(stderr).toMatch(/image\.npy: must be complex64 or complex128 \[\d+, \d+\], as .*report\.json states, not f32\[/);
});

it("stap accepts cubes and steering vectors of pairs of floats", async () => {
  const folder = await temporaryFolder();
  const cube = await readNpy(cubeNpy(stapCube()), { file: "cube.npy" });
  expect(cube.layout.shape).toEqual([channels, pulses, ranges]);
  const asIs = ({ layout, data }: NpyArray): Uint8Array => writeNpy(layout, data);
  for (const [write, complex] of [
    [asPairs, asIs],
    [asWidePairs, asWide],
  ]) {
    const [pairs, expected] = [
      await stap("cube.npy", write(cube), ...radar, ...scan),
      await stap("cube.npy", complex(cube), ...radar, ...scan),
    ];
    expect(pairs.output).toEqual(expected.output);
  }
  const file = join(folder, "steering.npy");
  const vectors: NpyArray = {
    layout: { dtype: "c128", shape: [spatial.length, channels] },
    data: Float64Array.from(spatial.flatMap((a) => [...a])),
  };
  const outputs: Float32Array[] = [];
  for (const write of [asWide, asWidePairs]) {
    await writeFile(file, write(vectors));
    outputs.push((await stap("cube.npy", cubeNpy(stapCube()), "--prf", "300", "--steering", file)).output);
  }
  expect(outputs[1]).toEqual(outputs[0]);
});

it("backproject distinguishes an HDF5 file from a MATLAB file, and says what to do with either", async () => {
  const folder = await temporaryFolder();
  const hdf5 = Buffer.concat([Buffer.from("\x89HDF\r\n\x1a\n", "latin1"), new Uint8Array(2000)]);
  const said = async (name: string, bytes: Uint8Array): Promise<string> => {
    const file = join(folder, name);
    await writeFile(file, bytes);
    const { code, stderr } = await dechirp(["backproject", file, "--out", join(folder, "out")]);
    expect(code).toBe(3);
    return stderr;
  };
  const plain = await said("nisar.h5", hdf5);
  expect(plain).toMatch(/nisar\.h5: must be a MAT-file of version 4 or 5, but is an HDF5 file that MATLAB did not write: save its arrays/);
  expect(plain).not.toContain("-v7");
  const header = Buffer.alloc(512);
  header.write("MATLAB 7.3 MAT-file, Platform: GLNXA64".padEnd(124, " "), "latin1");
  header.writeUInt16LE(0x0200, 124);
  header.write("IM", 126, "latin1");
  expect(await said("v73.mat", Buffer.concat([header, hdf5]))).toMatch(/is a MATLAB 7\.3 file, .*: load it in MATLAB and save it with -v7/);
  expect(await said("umbra.cphd", Buffer.from("CPHD/1.0.1\nXML_BLOCK_SIZE := 3\n"))).toContain(
    "umbra.cphd: at byte 0: expected a header that ends",
  );
});
