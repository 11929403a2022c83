/** What `dechirp convert` refuses: pairs that are not possible, wrong arguments; and what an interruption leaves. */
import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeNpy } from "@dechirp/io";
import { writeSceneFolder } from "@dechirp/io/node";
import { describe, expect, it } from "vitest";
import { firesWhen } from "../../io/test/firing-signal.ts";
import { kindTitles, type SourceKind, type TargetName, targets } from "../src/convert/formats.ts";
import { dechirp, temporaryFolder } from "./command.ts";
import { smallHistory, smallScene } from "./file-samples.ts";
import { gotchaBytes } from "./gotcha-file.ts";

/** An input of each kind. */
const inputs: Readonly<Record<SourceKind, (folder: string) => Promise<string>>> = {
  "phase-history": async (folder) => {
    await writeFile(join(folder, "in.mat"), gotchaBytes(smallHistory));
    return join(folder, "in.mat");
  },
  stripmap: async (folder) => {
    await writeSceneFolder(join(folder, "in"), smallScene);
    return join(folder, "in");
  },
  array: async (folder) => {
    await writeFile(join(folder, "in.npy"), writeNpy({ dtype: "c64", shape: [1, 2, 3] }, new Float32Array(12)));
    return join(folder, "in.npy");
  },
  image: async (folder) => {
    await writeFile(join(folder, "in.npy"), writeNpy({ dtype: "c64", shape: [2, 3] }, new Float32Array(12)));
    return join(folder, "in.npy");
  },
};

describe("the table of pairs", () => {
  const kinds = Object.keys(kindTitles) as SourceKind[];
  const names = Object.keys(targets) as TargetName[];
  const impossible = kinds.flatMap((kind) =>
    names.filter((name) => !targets[name].from.includes(kind)).map((name) => [kind, name] as const),
  );

  it.each(impossible)("refuses %s to %s, and says what is possible", async (kind, name) => {
    const folder = await temporaryFolder();
    const input = await inputs[kind](folder);
    const before = await readdir(folder);
    const { code, stdout, stderr } = await dechirp(["convert", input, join(folder, "out"), "--to", name]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`${kindTitles[kind]} can't become ${targets[name].title}; it can become `);
    expect(await readdir(folder)).toEqual(before);
  });

  it("has a way for every kind", () => {
    for (const kind of kinds) expect(names.some((name) => targets[name].from.includes(kind))).toBe(true);
    expect(impossible.length).toBe(kinds.length * names.length - 8);
  });
});

describe("wrong arguments", () => {
  it("are refused before anything is written", async () => {
    const folder = await temporaryFolder();
    const input = await inputs.image(folder);
    const out = (name: string): string => join(folder, name);
    await writeFile(out("text.txt"), "no image");
    const cases: readonly (readonly [args: readonly string[], code: number, message: RegExp])[] = [
      [[input], 2, /OUT is missing/],
      [[input, out("a.jpg")], 2, /OUT must end in one of .cphd, .npy, .zarr, .nitf, .ntf, .sicd, .tif, .tiff, .png/],
      [[input, out("a.tif"), "--to", "jpg"], 2, /--to must be one of cphd, scene, npy, zarr, sicd, cog, png, not "jpg"/],
      [[input, input], 2, /OUT .*in.npy is the input .*in.npy, which the result would replace/],
      [["", out("a.tif")], 2, /IN must be a file or a folder/],
      [[input, ""], 2, /OUT must be the name/],
      [[input, "-"], 2, /OUT must be the name/],
      [[out("absent"), out("a.tif")], 3, /absent: there is no such file or folder/],
      [[out("text.txt"), out("a.tif")], 3, /in a format that dechirp knows/],
      [[input, input, out("a.tif")], 2, /several inputs must be Gotcha files/],
      [[input, out("a.tif"), "--pixels", "red"], 2, /--pixels must be one of amplitude, decibel, gray, complex/],
      [[input, out("a.tif"), "--epsg", "1.5"], 2, /--epsg must be 4326, or the code of a UTM zone/],
      [[input, out("a.tif"), "--control-points", "--epsg", "4326"], 2, /--epsg can't be given with --control-points/],
      [[input, out("a.tif"), "--bare"], 2, /--bare is for a PNG picture, not for a cloud-optimised GeoTIFF/],
      [[input, out("a.npy"), "--pixels", "gray"], 2, /--pixels is for a cloud-optimised GeoTIFF, not for a .npy file/],
      [[input, out("a.npy"), "--channel", "X"], 2, /--channel is for a phase history, not for an image/],
      [[input, out("a.npy"), "--no-autofocus"], 2, /--no-autofocus is for a CPHD file, not for a .npy file/],
      [[input, out("a.png"), "--dynamic-range", "-1"], 2, /--dynamic-range must be /],
      [[input, join(out("text.txt"), "a.npy")], 2, /is a file, not a folder/],
    ];
    for (const [args, code, message] of cases) {
      const ended = await dechirp(["convert", ...args]);
      expect({ args, code: ended.code, stdout: ended.stdout }).toEqual({ args, code, stdout: "" });
      expect(ended.stderr).toMatch(message);
    }
    expect((await readdir(folder)).sort()).toEqual(["in.npy", "text.txt"]);
  });

  it("include a folder in the place of the file", async () => {
    const folder = await temporaryFolder();
    const input = await inputs.image(folder);
    await mkdir(join(folder, "a.npy"));
    const { code } = await dechirp(["convert", input, join(folder, "a.npy")]);
    expect(code).toBe(5);
    expect((await stat(join(folder, "a.npy"))).isDirectory()).toBe(true);
  });
});

describe("an interruption", () => {
  it.each(["out.npy", "out.zarr", "out.tif", "out.png"])("leaves nothing of %s", async (name) => {
    const folder = await temporaryFolder();
    const input = join(folder, "in.npy");
    const [rows, columns] = [1500, 1500];
    await writeFile(input, writeNpy({ dtype: "c64", shape: [rows, columns] }, new Float32Array(2 * rows * columns).fill(1)));
    const convert = (to: string, isTime: (looks: number) => boolean) =>
      dechirp(["convert", input, to], { signal: firesWhen(isTime, "SIGINT") });
    let all = 0;
    const counted = await convert(join(await temporaryFolder(), name), (looks) => {
      all = looks;
      return false;
    });
    expect(counted.code).toBe(0);
    expect(all).toBeGreaterThan(20);
    const { code, stderr } = await convert(join(folder, name), (looks) => looks >= all / 2);
    expect({ code, stderr }).toEqual({ code: 130, stderr: "dechirp: interrupted by SIGINT\n" });
    expect(await readdir(folder)).toEqual(["in.npy"]);
  });
});
