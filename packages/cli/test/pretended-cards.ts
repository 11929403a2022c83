/** Pretends that a machine has graphics cards: a folder with `dev`, `proc` and `sys`. */
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** What NVIDIA's driver says of a card. */
export const information = (model: string, pci: string, minor: number, uuid = `GPU-${minor}${"0".repeat(7)}-1111-2222-3333-444444444444`) =>
  [
    `Model: \t\t ${model}`,
    "IRQ:   \t\t 132",
    `GPU UUID: \t ${uuid}`,
    "Video BIOS: \t 96.00.9f.00.01",
    "Bus Type: \t PCIe",
    `Bus Location: \t ${pci}`,
    `Device Minor: \t ${minor}`,
    "GPU Excluded:\t No",
    "",
  ].join("\n");

/** Adds a card with NVIDIA's driver. */
export async function addNvidia(root: string, pci: string, minor: number, model = "NVIDIA H200", uuid?: string): Promise<void> {
  const folder = join(root, "proc/driver/nvidia/gpus", pci);
  await mkdir(folder, { recursive: true });
  await mkdir(join(root, "dev"), { recursive: true });
  await writeFile(join(folder, "information"), information(model, pci, minor, uuid));
  await writeFile(join(root, "dev", `nvidia${minor}`), "");
}

/** Adds a render node. `pci` undefined: of a device that is not on the PCI bus. */
export async function addRenderNode(
  root: string,
  number: number,
  pci?: string,
  ids = ["0x1002", "0x740f"],
  driver = "amdgpu",
): Promise<void> {
  const device = join(root, "sys/devices", pci ?? `platform${number}`);
  await mkdir(device, { recursive: true });
  await mkdir(join(root, "sys/bus", driver), { recursive: true });
  await symlink(join(root, "sys/bus", driver), join(device, "driver"));
  await writeFile(join(device, "uevent"), `DRIVER=${driver}\n${pci === undefined ? "" : `PCI_SLOT_NAME=${pci}\n`}`);
  if (pci !== undefined) await writeFile(join(device, "vendor"), `${ids[0]}\n`);
  if (pci !== undefined) await writeFile(join(device, "device"), `${ids[1]}\n`);
  const node = join(root, "sys/class/drm", `renderD${number}`);
  await mkdir(node, { recursive: true });
  await symlink(device, join(node, "device"));
  await mkdir(join(root, "dev/dri"), { recursive: true });
  await writeFile(join(root, "dev/dri", `renderD${number}`), "");
}
