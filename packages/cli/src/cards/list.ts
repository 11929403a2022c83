/**
 * The graphics cards of this machine, as Linux lists them. WebGPU shows equal cards as one adapter, so cards are told apart by their device
 * files: NVIDIA's driver has `/dev/nvidiaN` and `/proc/driver/nvidia/gpus`, others have render nodes, `/dev/dri/renderDN` and
 * `/sys/class/drm`. A card belongs to this process if its file can be opened. A file over which the null device is mounted is covered: the
 * card keeps its number, but no driver finds it.
 */
import { closeSync, constants, openSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, join } from "node:path";

/** A card. */
export interface Card {
  /** `gpu:K`. Absent if the card's file can't be opened: numbers count the cards that this process or another one may use. */
  readonly name?: string;
  readonly model: string;
  /** The vendor as WebGPU names it, if it is known. */
  readonly vendor?: string;
  /** PCI address, such as `0000:3b:00.0`. */
  readonly pci?: string;
  readonly uuid?: string;
  /** The number in the name of NVIDIA's device file. */
  readonly minor?: number;
  /** The device file that a driver opens. */
  readonly file: string;
  /** Whether a driver in this process finds the card. */
  readonly isUsable: boolean;
  /** Why it is not usable. */
  readonly why?: string;
}

/** Vendors by their PCI numbers, as WebGPU names them. */
const vendors: Readonly<Record<string, string>> = { "0x10de": "nvidia", "0x1002": "amd", "0x8086": "intel" };

/** The words of vendors in models. */
const vendorTitles: Readonly<Record<string, string>> = { nvidia: "NVIDIA", amd: "AMD", intel: "Intel" };

/**
 * Lists the cards in the order of their PCI addresses. `root` is the folder that has `dev`, `proc` and `sys`. Empty where there are none, and
 * on systems other than Linux.
 */
export function listCards(root = "/"): readonly Card[] {
  const nvidia = nvidiaCards(root);
  const known = new Set(nvidia.map(({ pci }) => pci));
  // With NVIDIA's driver a card has a render node, too.
  const others = renderCards(root).filter(({ pci, driver }) => !(known.has(pci) || (driver === "nvidia" && nvidia.length > 0)));
  const found = [...nvidia, ...others].sort(byPlace);
  let count = 0;
  return found.map(({ driver: _, ...card }) => {
    const state = stateOf(card.file);
    return { ...(state.counts && { name: `gpu:${count++}` }), ...card, isUsable: state.isUsable, ...(state.why && { why: state.why }) };
  });
}

type Found = Omit<Card, "name" | "isUsable" | "why"> & { readonly driver?: string };

const byPlace = (a: Found, b: Found): number => {
  if (a.pci !== b.pci) return (a.pci ?? "~") < (b.pci ?? "~") ? -1 : 1;
  return (a.minor ?? 0) - (b.minor ?? 0);
};

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

const textOf = (file: string): string | undefined => {
  try {
    return readFileSync(file, "utf8").trim() || undefined;
  } catch {
    return undefined;
  }
};

/** The name of what a link leads to. */
const targetOf = (link: string): string | undefined => {
  try {
    return basename(realpathSync(link));
  } catch {
    return undefined;
  }
};

/** Cards with NVIDIA's driver that have a device file. */
function nvidiaCards(root: string): readonly Found[] {
  const gpus = join(root, "proc/driver/nvidia/gpus");
  const facts = new Map<number, Readonly<Record<string, string>>>();
  for (const address of namesIn(gpus)) {
    const lines = (textOf(join(gpus, address, "information")) ?? "").split("\n");
    const told = Object.fromEntries(lines.map((line) => [line.split(":", 1)[0].trim(), line.slice(line.indexOf(":") + 1).trim()]));
    const minor = Number(told["Device Minor"] || Number.NaN);
    if (Number.isInteger(minor)) facts.set(minor, { "Bus Location": address, ...told });
  }
  const files = namesIn(join(root, "dev")).flatMap((name) => /^nvidia(\d+)$/.exec(name)?.[1] ?? []);
  return files.map((digits) => {
    const minor = Number(digits);
    const { Model: model, "Bus Location": pci, "GPU UUID": uuid } = facts.get(minor) ?? {};
    return {
      model: model || "NVIDIA GPU",
      vendor: "nvidia",
      ...(pci && { pci: pci.toLowerCase() }),
      // It has question marks until the driver has opened the card.
      ...(uuid && !uuid.includes("?") && { uuid }),
      minor,
      file: join(root, "dev", `nvidia${minor}`),
    };
  });
}

/** Cards with render nodes. Those without a PCI vendor, such as parts of a phone's chip or virtual ones, are left out. */
function renderCards(root: string): readonly Found[] {
  const drm = join(root, "sys/class/drm");
  return namesIn(drm).flatMap((name) => {
    if (!/^renderD\d+$/.test(name)) return [];
    const at = join(drm, name, "device");
    const [vendorId, deviceId] = [textOf(join(at, "vendor")), textOf(join(at, "device"))];
    if (vendorId === undefined || deviceId === undefined) return [];
    const vendor = vendors[vendorId];
    const pci = /^PCI_SLOT_NAME=(.+)$/m.exec(textOf(join(at, "uevent")) ?? "")?.[1];
    const driver = targetOf(join(at, "driver"));
    const ids = `${vendorId.replace("0x", "")}:${deviceId.replace("0x", "")}`;
    const model = textOf(join(at, "product_name")) ?? `${vendor ? vendorTitles[vendor] : "GPU"} ${ids}`;
    return [
      {
        model,
        ...(vendor && { vendor }),
        ...(pci && { pci: pci.toLowerCase() }),
        file: join(root, "dev/dri", name),
        ...(driver && { driver }),
      },
    ];
  });
}

/** Whether a driver could open a device file, and whether the card counts. */
function stateOf(file: string): { readonly isUsable: boolean; readonly counts: boolean; readonly why?: string } {
  try {
    closeSync(openSync(file, constants.O_RDWR | constants.O_NONBLOCK));
  } catch (error) {
    return {
      isUsable: false,
      counts: false,
      why: `${file} can't be opened: ${(error as NodeJS.ErrnoException).code ?? "no reason given"}`,
    };
  }
  if (isNullDevice(file)) return { isUsable: false, counts: true, why: "it is hidden from this process" };
  return { isUsable: true, counts: true };
}

/** Whether a path leads to the null device, as that of a covered file does. */
function isNullDevice(file: string): boolean {
  const [given, nothing] = [statSync(file), statSync("/dev/null")];
  return given.isCharacterDevice() && given.rdev === nothing.rdev;
}
