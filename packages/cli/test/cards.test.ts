/** The list of graphics cards, made of pretended files, and what a card's name stands for. */
import { chmod, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cardOf, isCardName, ownCard } from "../src/cards/card.ts";
import { listCards } from "../src/cards/list.ts";
import { restartFor } from "../src/cards/restart.ts";
import { dechirp, temporaryFolder } from "./command.ts";
import { addNvidia, addRenderNode } from "./pretended-cards.ts";

describe("the list of cards", () => {
  it("is empty on a machine without any", async () => {
    expect(listCards(await temporaryFolder())).toEqual([]);
  });

  it("has NVIDIA's cards in the order of their PCI addresses, with model, UUID and device file", async () => {
    const root = await temporaryFolder();
    await addNvidia(root, "0000:5d:00.0", 0);
    await addNvidia(root, "0000:19:00.0", 10, "NVIDIA H100 80GB HBM3");
    for (const name of ["nvidiactl", "nvidia-uvm", "nvidia-caps", "nvidiab1"]) await writeFile(join(root, "dev", name), "");
    expect(listCards(root)).toEqual([
      {
        name: "gpu:0",
        model: "NVIDIA H100 80GB HBM3",
        vendor: "nvidia",
        pci: "0000:19:00.0",
        uuid: "GPU-100000000-1111-2222-3333-444444444444",
        minor: 10,
        file: join(root, "dev/nvidia10"),
        isUsable: true,
      },
      expect.objectContaining({ name: "gpu:1", model: "NVIDIA H200", pci: "0000:5d:00.0", minor: 0, isUsable: true }),
    ]);
  });

  it("has what little is known where the driver says nothing, and nothing of cards without a device file", async () => {
    const root = await temporaryFolder();
    await addNvidia(root, "0000:19:00.0", 0, "NVIDIA H200", "GPU-????????-????-????-????-????????????");
    await addNvidia(root, "0000:20:00.0", 1);
    await rm(join(root, "dev/nvidia1"));
    await writeFile(join(root, "dev/nvidia2"), "");
    await mkdir(join(root, "proc/driver/nvidia/gpus/0000:21:00.0"));
    await writeFile(join(root, "proc/driver/nvidia/gpus/0000:21:00.0/information"), "nothing");
    const cards = listCards(root);
    expect(cards.map(({ name, model, pci, uuid, minor }) => [name, model, pci, uuid, minor])).toEqual([
      ["gpu:0", "NVIDIA H200", "0000:19:00.0", undefined, 0],
      ["gpu:1", "NVIDIA GPU", undefined, undefined, 2],
    ]);
  });

  it("has other cards by their render nodes, and each card once", async () => {
    const root = await temporaryFolder();
    await addNvidia(root, "0000:19:00.0", 0);
    await addRenderNode(root, 128, "0000:19:00.0", ["0x10de", "0x2335"], "nvidia");
    await addRenderNode(root, 129, "0000:03:00.0");
    await addRenderNode(root, 130, "0000:00:02.0", ["0x8086", "0x9a49"], "i915");
    await addRenderNode(root, 131, "0000:04:00.0", ["0x1af4", "0x1050"], "virtio-pci");
    await addRenderNode(root, 132);
    expect(listCards(root).map(({ name, model, vendor, file }) => [name, model, vendor, file.slice(root.length)])).toEqual([
      ["gpu:0", "Intel 8086:9a49", "intel", "/dev/dri/renderD130"],
      ["gpu:1", "AMD 1002:740f", "amd", "/dev/dri/renderD129"],
      ["gpu:2", "GPU 1af4:1050", undefined, "/dev/dri/renderD131"],
      ["gpu:3", "NVIDIA H200", "nvidia", "/dev/nvidia0"],
    ]);
  });

  it("numbers hidden cards, but not those that may not be opened", async () => {
    const root = await temporaryFolder();
    for (const minor of [0, 1, 2]) await addNvidia(root, `0000:1${minor}:00.0`, minor);
    const [hidden, refused] = [join(root, "dev/nvidia0"), join(root, "dev/nvidia1")];
    await rm(hidden);
    await symlink("/dev/null", hidden);
    await rm(refused);
    // A folder can't be opened for writing, by nobody.
    await mkdir(refused);
    await chmod(refused, 0o755);
    expect(listCards(root).map(({ name, isUsable, why }) => [name, isUsable, why])).toEqual([
      ["gpu:0", false, "it is hidden from this process"],
      [undefined, false, `${refused} can't be opened: EISDIR`],
      ["gpu:1", true, undefined],
    ]);
  });
});

describe("a card", () => {
  it("has rivals: the usable cards that WebGPU can't tell from it", async () => {
    const root = await temporaryFolder();
    for (const minor of [0, 1]) await addNvidia(root, `0000:1${minor}:00.0`, minor);
    await addRenderNode(root, 128, "0000:20:00.0");
    await addRenderNode(root, 129, "0000:21:00.0", ["0x1af4", "0x1050"]);
    const cards = listCards(root);
    const rivals = (name: string) => cardOf(name, cards).rivals.map((card) => card.name);
    expect(["gpu:0", "gpu:1", "gpu:2", "gpu:3"].map(rivals)).toEqual([
      ["gpu:1", "gpu:3"],
      ["gpu:0", "gpu:3"],
      ["gpu:3"],
      ["gpu:0", "gpu:1", "gpu:2"],
    ]);
    expect(() => ownCard("gpu:0", cards)).toThrow(/this process sees NVIDIA H200, 0000:11:00\.0; GPU 1af4:1050, 0000:21:00\.0, too/);
    await rm(join(root, "dev/nvidia1"));
    await rm(join(root, "dev/dri/renderD129"));
    expect(ownCard("gpu:0", listCards(root))).toMatchObject({ pci: "0000:10:00.0" });
  });

  it("that does not exist, or is hidden, is one error that lists what there is", async () => {
    const root = await temporaryFolder();
    expect(() => cardOf("gpu:0", listCards(root))).toThrow(/--device must be gpu: no cards are listed on this machine, not "gpu:0"/);
    for (const minor of [0, 1]) await addNvidia(root, `0000:1${minor}:00.0`, minor);
    await rm(join(root, "dev/nvidia0"));
    await symlink("/dev/null", join(root, "dev/nvidia0"));
    expect(() => cardOf("gpu:7", listCards(root))).toThrow(
      /must be one of the cards gpu:0 \(NVIDIA H200, 0000:10:00\.0: it is hidden from this process\), gpu:1 \(NVIDIA H200, 0000:11:00\.0\), not "gpu:7"/,
    );
    expect(() => cardOf("gpu:0", listCards(root))).toThrow(/--device gpu:0: NVIDIA H200, 0000:10:00\.0: it is hidden/);
    expect(["gpu:0", "gpu:12", "gpu", "gpu:", "gpu:-1", "gpu:1,gpu:2", "cpu:0"].map(isCardName)).toEqual([
      true,
      true,
      ...Array(5).fill(false),
    ]);
  });

  it("is not known to machines without cards, whatever command names it", async () => {
    if (listCards().length > 0) return;
    for (const args of [
      ["demo", "--device", "gpu:0"],
      ["schedule", "run", "tasks.json", "--device", "gpu:3"],
      ["bench", "memory", "--device", "gpu:1"],
    ])
      expect(await dechirp(args), args.join(" ")).toEqual({
        code: 2,
        stdout: "",
        stderr: expect.stringMatching(/^dechirp: --device must be gpu: no cards are listed on this machine, not "gpu:\d"\n$/),
      });
    // Other names never look for cards.
    await expect(restartFor("gpu", {} as never)).resolves.toBeUndefined();
    await expect(restartFor(undefined, {} as never)).resolves.toBeUndefined();
  });
});
