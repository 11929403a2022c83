/** Formats that are known by their first bytes or names, but not read. */
import { foreignFormat } from "../foreign.ts";
import { begins, type Description, type InfoRow, type Thing } from "./thing.ts";

interface Unread {
  readonly name: string;
  readonly title: string;
  readonly version?: (thing: Thing) => string | undefined;
  readonly matches: (thing: Thing) => boolean;
  readonly note: string;
}

/** The text of a header up to the end of its first line. */
const firstLine = ({ head }: Thing): string => String.fromCharCode(...head.subarray(0, 64)).split("\n", 1)[0];
const versionOf = (thing: Thing): string | undefined => /^[A-Z]+\/([\w.]{1,20})/.exec(firstLine(thing))?.[1];
const has = (names: readonly string[] | undefined, pattern: RegExp): boolean => names?.some((name) => pattern.test(name)) ?? false;

/** Radar formats of others. */
const unread: readonly Unread[] = [
  {
    name: "cphd",
    title: "CPHD file",
    version: versionOf,
    matches: (thing) => begins(thing, "CPHD/"),
    note: "of CPHD, only versions 1.0.1 and 1.1.0 are read; this one has another layout",
  },
  {
    name: "crsd",
    title: "CRSD file",
    version: versionOf,
    matches: (thing) => begins(thing, "CRSD/") || begins(thing, "CRSDsar/"),
    note: "CRSD is not read: its echoes are not compressed in range",
  },
  {
    name: "safe",
    title: "Sentinel-1 SAFE folder",
    matches: ({ names }) => has(names, /^manifest\.safe$/i),
    note: "SAFE folders of Sentinel-1 are not read",
  },
];

/** Formats of radar data that are not read. */
export const unreadRadar: InfoRow = {
  name: "unread-radar",
  matches: (thing) => unread.some(({ matches }) => matches(thing)),
  async describe(thing) {
    const found = unread.find(({ matches }) => matches(thing));
    if (!found) return undefined;
    const version = found.version?.(thing);
    return {
      format: { name: found.name, title: found.title, ...(version !== undefined && { version }) },
      isRead: false,
      kind: "data",
      notes: [found.note],
    };
  },
};

/** Other formats that are known by their first bytes. */
export const foreign: InfoRow = {
  name: "foreign",
  matches: ({ names }) => names === undefined,
  async describe(thing): Promise<Description | undefined> {
    const found = foreignFormat(thing.head);
    if (!found) return undefined;
    const title = found.name.replace(/^an? /, "");
    const isHdf5 = /HDF5/.test(title);
    return {
      format: { name: isHdf5 ? "hdf5" : "foreign", title },
      isRead: false,
      kind: "data",
      notes: [
        isHdf5 ? "HDF5 files, such as NISAR's products and MATLAB 7.3 files are, are not read" : "files of this format are not read",
        ...(found.advice ? [`advice: ${found.advice}`] : []),
      ],
    };
  },
};
