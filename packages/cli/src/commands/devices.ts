/** `dechirp devices`: lists which devices open on this machine, what they can do, and the graphics cards. */
import { type DeviceInfo, type DeviceLimits, isRadarError, throwIfAborted } from "@dechirp/core";
import { type Card, listCards } from "../cards/list.ts";
import { devices, openDevice } from "../devices.ts";
import { type Io, print } from "../io.ts";

/** The options as commander passes them. */
export interface DevicesArguments {
  readonly json?: boolean;
}

type Found = { readonly name: string; readonly title: string } & (
  | ({ readonly opens: true; readonly id: string; readonly units: number; readonly limits: DeviceLimits } & DeviceInfo)
  | { readonly opens: false; readonly why: string }
);

/** Runs `dechirp devices`. */
export async function devicesCommand(options: DevicesArguments, io: Io): Promise<void> {
  const found: Found[] = [];
  for (const [name, { title }] of Object.entries(devices)) {
    throwIfAborted(io.signal, "looking for devices");
    try {
      using device = await openDevice(name);
      const { id, info, limits, units } = device;
      found.push({ name, title, opens: true, id, ...info, units, limits });
    } catch (error) {
      if (!isRadarError(error)) throw error;
      found.push({ name, title, opens: false, why: error.message });
    }
  }
  const cards = listCards();
  print(io, options.json, { devices: found, cards }, () =>
    [
      ...found.map((device) => {
        if (!device.opens) return `${device.name}: ${device.title}\n  does not open: ${device.why}`;
        const { maxBufferBytes, maxTransformLength, dtypes } = device.limits;
        return [
          `${device.name}: ${device.title}`,
          `  ${device.description}; units: ${device.units}`,
          `  largest array ${(maxBufferBytes / 2 ** 30).toFixed(2)} GiB, longest transform ${maxTransformLength}`,
          `  types: ${dtypes.join(", ")}`,
          ...device.notes.map((note) => `  note: ${note}`),
        ].join("\n");
      }),
      ...cards.map(cardLines),
    ].join("\n"),
  );
}

/** Name, model and place of a card, and whether it can be used. */
const cardLines = ({ name, model, pci, uuid, file, isUsable, why }: Card): string =>
  [
    `${name ?? "a card that is not available"}: ${model}`,
    `  ${[pci && `PCI ${pci}`, uuid, file].filter((word) => word !== undefined).join(", ")}`,
    ...(isUsable ? [] : [`  not usable: ${why}`]),
  ].join("\n");
