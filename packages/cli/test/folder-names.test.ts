/** Folders for several inputs: their names are different and allowed on every file system. */
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { createRandom } from "@dechirp/core";
import { writeSceneFolder } from "@dechirp/io/node";
import { describe, expect, it } from "vitest";
import { distinctNames, folderNames } from "../src/folder-names.ts";
import { dechirp, simulatedScene, smallPreset, temporaryFolder } from "./command.ts";

const isWellFormed = (text: string): boolean => !/\p{Cs}/u.test(text);

describe("folderNames", () => {
  it("uses the names of the input folders", () => {
    expect(folderNames(["a/scene 5 (HH)", "b/日本", "c/Ångström/", "./d/../e", "f\\g"])).toEqual([
      "scene 5 (HH)",
      "日本",
      "Ångström",
      "e",
      process.platform === "win32" ? "g" : "f-g",
    ]);
    expect(folderNames([".", ".."])).toEqual([basename(process.cwd()), basename(join(process.cwd(), ".."))]);
    expect(folderNames(["/"])).toEqual(["scene"]);
  });

  it("names other things without looking at the working folder", () => {
    expect(distinctNames(["..", "//", "a/b", "HH", "hh"])).toEqual(["scene", "scene-2", "a-b", "HH", "hh-2"]);
  });

  it("distinguishes equal names, also those that differ by case or normalisation", () => {
    expect(folderNames(["a/x", "b/x", "c/X", "d/x-2", "e/x"])).toEqual(["x", "x-2", "X-3", "x-2-2", "x-4"]);
    const same = ["Å", "A\u030a", "\u212b", "å"];
    expect(folderNames(same.map((name, i) => `${i}/${name}`)).map((name) => name.slice(-2))).toEqual(["Å", "-2", "-3", "-4"]);
    expect(folderNames(["a/straße", "b/STRASSE", "c/ΑΣ", "d/ας", "e/ασ"])).toEqual(["straße", "STRASSE-2", "ΑΣ", "ας-2", "ασ-3"]);
  });

  it("cuts to a number of bytes without splitting characters", () => {
    for (const character of ["a", "é", "日", "😀", "e\u0301", "👩‍👩‍👧‍👦", "🇩🇪"]) {
      const long = character.repeat(300);
      const [first, second] = folderNames([`1/${long}`, `2/${long}`, `3/${long}b`]);
      for (const name of [first, second]) {
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
        expect(isWellFormed(name)).toBe(true);
      }
      expect(first).toBe(character.repeat(Math.floor(255 / Buffer.byteLength(character))));
      expect(second).toBe(`${character.repeat(Math.floor(253 / Buffer.byteLength(character)))}-2`);
    }
    // One character of 601 bytes.
    expect(folderNames([`a${"\u0301".repeat(300)}`])).toEqual([`a${"\u0301".repeat(127)}`]);
  });

  it("replaces characters that file systems forbid", () => {
    expect(
      folderNames([
        "a/..hidden",
        "b/-rf",
        "c/name. .",
        "d/con",
        "e/NUL.txt",
        "f/console",
        'g/a<b>:"|?*c',
        "h/a\u0000\u0007\u202eb",
        "i/\ud83d",
      ]),
    ).toEqual(["hidden", "rf", "name", "_con", "_NUL.txt", "console", "a-b-c", "a-b", "scene"]);
    expect(folderNames(["a/...", "b/ ", "c/\ude00\ud83d"])).toEqual(["scene", "scene-2", "scene-3"]);
  });

  it("gives unique and allowed names for any input", () => {
    const random = createRandom(4);
    const parts = ["a", "A", "\u0301", "é", "日", "\ud83d", "\ude00", "😀", ".", " ", "-", "2", "ß", "SS", "/", "\\", ":", "con", "\u200d"];
    for (let turn = 0; turn < 200; turn++) {
      const inputs = Array.from({ length: 12 }, () =>
        Array.from({ length: 1 + Math.floor(3 * random.uniform()) }, () => {
          const part = parts[Math.floor(parts.length * random.uniform())];
          return random.uniform() < 0.1 ? part.repeat(150) : part;
        }).join(""),
      );
      const names = folderNames(inputs);
      const keys = names.map((name) => name.normalize("NFD").toLowerCase());
      expect(new Set(keys).size, JSON.stringify(inputs)).toBe(inputs.length);
      expect(new Set(names.map((name) => name.toUpperCase())).size).toBe(inputs.length);
      for (const name of names) {
        expect(name).toMatch(/^[^.\s/\\:<>"|?*-]/);
        expect(name).not.toMatch(/[.\s]$/);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
        expect(isWellFormed(name)).toBe(true);
      }
    }
  });
});

it("focus of several scenes of one name writes an image for each, named after their folders", async () => {
  const folder = await temporaryFolder();
  // The scenes have equal names, and cutting one would split a surrogate pair.
  const scene = await simulatedScene("small", { ...smallPreset(true), targets: [] }, { type: "ci16" });
  await writeSceneFolder(join(folder, "east"), { ...scene, name: `${"a".repeat(99)}😀` });
  await writeSceneFolder(join(folder, "west"), { ...scene, name: `${"a".repeat(99)}😁` });
  await mkdir(join(folder, "more"));
  await writeSceneFolder(join(folder, "more", "west"), { ...scene, name: "east" });
  const inputs = ["east", "west", join("more", "west")].map((name) => join(folder, name));
  const out = join(folder, "out");
  const { code, stderr } = await dechirp(["focus", ...inputs, "--out", out]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect((await readdir(out)).sort()).toEqual(["east", "west", "west-2"]);
  const names = ["east", "west", "west-2"].map(async (name) => JSON.parse(await readFile(join(out, name, "report.json"), "utf8")));
  expect((await Promise.all(names)).map(({ inputs: [input] }) => input)).toEqual(inputs);
  // An obstacle for the last input is found before the first one is read.
  await rename(out, join(folder, "first"));
  await mkdir(out);
  await writeFile(join(out, "west-2"), "");
  const refused = await dechirp(["focus", ...inputs, "--out", out]);
  expect(refused).toEqual({
    code: 2,
    stdout: "",
    stderr: `dechirp: --out ${join(out, "west-2")}: ${join(out, "west-2")} is a file, not a folder\n`,
  });
  expect(await readdir(out)).toEqual(["west-2"]);
});
