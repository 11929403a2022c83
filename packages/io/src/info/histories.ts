/** Gotcha files. A file is about half a megabyte and is read; of a folder, only the first one. */
import { matHeadsOf, type Place } from "../place.ts";
import { detectFormat, readRecordingFrom } from "../recording.ts";
import { begins, type InfoRow, quoted, type Thing } from "./thing.ts";

const gotchaName = /^data_3dsar_pass\d{1,6}_az\d{1,6}_[HV]{2}\.mat$/i;

/** Whether a MAT-file has the struct of a Gotcha file. */
export async function isGotcha({ place, reading }: Thing): Promise<boolean> {
  const { name } = await detectFormat(place, { kind: "phase-history", ...reading });
  if (name !== "gotcha") return false;
  return (await matHeadsOf(place, { ...reading, maxBytes: Number.POSITIVE_INFINITY })).some(
    (head) => head.name === "data" && head.kind === "struct",
  );
}

/** A file of a folder, as a place of its own. */
const fileIn = ({ names: _, ...folder }: Place, name: string): Place => ({ ...folder, path: folder.pathOf(name), name });

/** Folders of Gotcha files, and single ones. */
export const gotcha: InfoRow = {
  name: "gotcha",
  matches: (thing) => thing.names?.some((name) => gotchaName.test(name)) ?? begins(thing, "MATLAB 5.0 MAT-file"),
  async describe(thing) {
    const { place, path, names, reading } = thing;
    if (!names && !(await isGotcha(thing))) return undefined;
    const files = names?.filter((name) => gotchaName.test(name)) ?? [];
    const { recording: history } = await readRecordingFrom(names ? fileIn(place, files[0]) : place, {
      kind: "phase-history",
      format: "gotcha",
      ...reading,
    });
    await history.close();
    const [pulses, count] = history.shape;
    const { firstHz, stepHz } = history.frequency;
    const { positions } = history;
    const [x, y, z] = positions.subarray(3 * (pulses >> 1), 3 * (pulses >> 1) + 3);
    const several = files.length > 1;
    return {
      format: { name: "gotcha", title: several ? "folder of Gotcha files" : "Gotcha file" },
      isRead: true,
      kind: "phase-history",
      name: history.name,
      shape: [pulses, count],
      axes: ["pulse", "frequency"],
      sampleType: "c64",
      radar: {
        collector: "Gotcha",
        carrierHz: firstHz + ((count - 1) / 2) * stepHz,
        bandHz: [firstHz - stepHz / 2, firstHz + (count - 0.5) * stepHz],
        pulses,
        ...(history.polarisation !== undefined && { polarisation: history.polarisation }),
      },
      details: {
        ...(names ? { files: files.length } : {}),
        ...(history.pass !== undefined && { pass: history.pass }),
        autofocus: history.autofocus !== undefined,
        rangeToOriginMeters: Math.hypot(x, y, z),
        elevationDegrees: (Math.atan2(z, Math.hypot(x, y)) * 180) / Math.PI,
        azimuthDegrees: (Math.atan2(y, x) * 180) / Math.PI,
      },
      commands: [
        `dechirp backproject ${quoted(path)} --out image`,
        `dechirp convert ${quoted(path)} history.cphd --origin LAT,LON,HEIGHT --prf HZ --start UTC`,
      ],
      notes: [
        "positions are in a local frame; the files do not state where it is on earth",
        ...(several ? [`size, frequencies and directions are those of the first file, ${files[0]}`] : []),
        ...history.notes,
      ],
    };
  },
};
