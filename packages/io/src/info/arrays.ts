/** .npy files of any type and shape, and the PERFECT suite's STAP input, whose sizes follow from the names of its files. */
import { isRadarError } from "@dechirp/core";
import { begins, type Description, type InfoRow, nameOf, quoted, type Thing, withFile } from "./thing.ts";

/** .npy files. */
export const npy: InfoRow = {
  name: "npy",
  matches: (thing) => begins(thing, "\x93NUMPY"),
  describe: (thing) =>
    withFile(thing, async (access): Promise<Description> => {
      const { openNpy } = await import("../npy-rows.ts");
      const { layout } = await openNpy(access, { file: thing.path, complexPairs: true, ...thing.reading });
      const { dtype, shape } = layout;
      const file = quoted(thing.path);
      const isComplex = dtype.startsWith("c");
      const common = { format: { name: "npy", title: ".npy file" }, isRead: true, shape, sampleType: dtype } as const;
      if (isComplex && shape.length === 2)
        return {
          ...common,
          kind: "image",
          axes: ["row", "column"],
          commands: [`dechirp convert ${file} image.tif`, `dechirp convert ${file} picture.png`],
          notes: ["a .npy file states nothing of the radar and of the place"],
        };
      if (isComplex && (shape.length === 3 || shape.length === 4))
        return {
          ...common,
          kind: "array",
          commands: [`dechirp stap ${file} --spacing 0.5 --out stap`],
          notes: [
            "a .npy file states nothing of the radar and of its axes; stap expects channel, pulse, range unless --axes says otherwise",
          ],
        };
      return { ...common, kind: "data" };
    }),
};

const inputName = /^(small|medium|large)_app_input\.bin$/;

const namesOf = (thing: Thing): readonly string[] => thing.names ?? [nameOf(thing)];

/** The PERFECT suite's STAP input: a folder or its first file. */
export const perfect: InfoRow = {
  name: "perfect-stap",
  matches: (thing) => namesOf(thing).some((name) => inputName.test(name)),
  async describe(thing) {
    const { perfectSizes } = await import("../perfect.ts");
    const sets = namesOf(thing).flatMap((name) => inputName.exec(name)?.[1] ?? []);
    const set = (["small", "medium", "large"] as const).find((one) => sets.includes(one));
    if (!set) return undefined;
    const { channels, pulses, ranges } = perfectSizes[set];
    const file = quoted(thing.path);
    return {
      format: { name: "perfect-stap", title: "STAP input of the PERFECT suite" },
      isRead: true,
      kind: "array",
      name: `PERFECT STAP, ${set} set`,
      shape: [channels, pulses, ranges],
      axes: ["channel", "pulse", "range"],
      sampleType: "c64",
      radar: { pulses },
      details: { set, ...(thing.names && { sets: sets.join(", ") }) },
      commands: [`dechirp stap ${file} --out stap`, `dechirp convert ${file} cube.npy`],
      notes: ["the size is that of the set that the file's name states"],
    };
  },
};

/** Resolves as `work` does, or with undefined if it rejects with `input`. */
export async function unlessRefused<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isRadarError(error, "input")) return undefined;
    throw error;
  }
}
