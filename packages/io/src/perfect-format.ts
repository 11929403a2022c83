/**
 * The STAP input of the PERFECT suite as a row of the table. A set is two files; the place is their folder or the first file.
 * `perfect.ts` parses.
 */
import { allElements, chosenCpi, cubeOrder, onlyCpi, optionError, type RecordedArray } from "./array-recording.ts";
import { namesText, pathError } from "./file-error.ts";
import type { Format, FormatOptions } from "./format.ts";
import { type PerfectSet, parsePerfect, perfectNames, perfectSizes } from "./perfect.ts";
import { headOf, isFolder, isMat, isNpy, type Place, type ReadFilesOptions, signalOption, withFileOf } from "./place.ts";

const perfectSets = Object.keys(perfectSizes) as readonly PerfectSet[];

const inputs = (sets: readonly PerfectSet[]): string => sets.map((set) => perfectNames(set).input).join(" or ");

/** STAP input files of the PERFECT benchmark suite. */
export const perfect: Format<"array"> = {
  name: "perfect-stap",
  kind: "array",
  title: "folder of the PERFECT suite's STAP input",
  folder: inputs(perfectSets),
  file: `a file named ${inputs(perfectSets)}`,
  reads:
    "`*_app_input.bin` and `*_app_steering_vectors.bin` of the small, medium or large set, given as their folder or as the first file; `parsePerfect` from bytes",
  refuses: "files of any other size, numbers that are not finite",
  // The file sizes follow from the set.
  limits: {},
  options: ["set", "cpi"],
  async detect(place, options) {
    const there = (set: PerfectSet): boolean => (place.names ?? []).includes(perfectNames(set).input);
    // A user who names a set expects this format, so the error should be about it.
    if (isFolder(place)) return perfectSets.some(there) ? "yes" : options.set === undefined ? "no" : "maybe";
    if (namedSet(place) !== undefined) return "yes";
    if (!/\.bin$/i.test(place.path)) return "no";
    const head = await headOf(place, options);
    return isMat(head) || isNpy(head) ? "no" : "maybe";
  },
  read,
};

/** The set that the name of the file states. */
const namedSet = ({ name }: Place): PerfectSet | undefined => perfectSets.find((set) => perfectNames(set).input === name);

async function read(place: Place, options: FormatOptions & ReadFilesOptions): Promise<RecordedArray> {
  const { path: file, names } = place;
  const named = names ? undefined : namedSet(place);
  if (named !== undefined && options.set !== undefined && options.set !== named)
    throw optionError(file, "set", `left out for ${file}, of the ${named} set`, options.set);
  if (names === undefined && named === undefined)
    throw pathError(file, `named ${inputs(perfectSets)}, for bare numbers have no shape`, place.name);
  const sets = options.set === undefined ? perfectSets : [options.set];
  const set = named ?? sets.find((one) => (names ?? []).includes(perfectNames(one).input));
  if (set === undefined) throw pathError(file, `a folder with ${inputs(sets)}`, namesText(names ?? []));
  const { channels, pulses, ranges, blockRanges, temporalTaps, steeringVectors } = perfectSizes[set];
  const [inputFile, steeringFile] = [perfectNames(set).input, perfectNames(set).steering].map((name) => place.pathOf(name));
  const cpi = chosenCpi(file, onlyCpi, options.cpi);
  const hear = signalOption(options);
  const { samples, steering } = await withFileOf(place, inputFile, options, (input) =>
    // No progress here: the steering vectors are tiny compared with the cube.
    withFileOf(place, steeringFile, hear, (vectors) => parsePerfect(input, vectors, { set, file: inputFile, steeringFile, ...hear })),
  );
  const cube = { data: samples, channels, pulses, ranges, order: cubeOrder };
  return {
    name: `PERFECT STAP, ${set} set`,
    file,
    cube,
    ...allElements(cube),
    cpi,
    preset: { name: "perfect", why: "the files are the PERFECT suite's" },
    facts: {},
    blockRanges,
    steering: { file: steeringFile, vectors: steeringVectors, elements: channels * temporalTaps, data: steering },
    ...(named === undefined ? {} : { namedSet: named }),
    axesOpen: false,
    notes: [],
  };
}
