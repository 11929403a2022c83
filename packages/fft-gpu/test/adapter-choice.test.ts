/** Choosing an adapter: by facts, by a function, and what is said if none suits. Pretended adapters, and the software adapters of this machine. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { open } from "@dechirp/core";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { built } from "../../../scripts/built.mjs";
import { unpackCarried } from "../scripts/adapter.mjs";
import { type AdapterFacts, type GpuOptions, gpu } from "../src/index.ts";

afterEach(() => {
  vi.doUnmock("webgpu");
  vi.resetModules();
});

const card = { vendor: "nvidia", architecture: "hopper", device: "h200", description: "NVIDIA: 580.82.07" };
const small = { vendor: "intel", architecture: "xe", device: "graphics", description: "Intel: Mesa 25" };
const software = {
  vendor: "mesa",
  architecture: "software",
  device: "llvmpipe",
  description: "llvmpipe: Mesa 25",
  isFallbackAdapter: true,
};

/** Pretends that Dawn has adapters by name. Returns the backend, and the facts of every adapter that was asked for a device. */
async function pretend(adapters: Readonly<Record<string, object>>) {
  const asked: string[] = [];
  const create = vi.fn((flags: readonly string[]) => {
    const name = flags.find((flag) => flag.startsWith("adapter="))?.slice("adapter=".length);
    return {
      requestAdapter: async ({ powerPreference, forceFallbackAdapter }: GPURequestAdapterOptions = {}) => {
        const known = Object.keys(adapters);
        const list = known.map((one) => `\n * backend: 'vulkan', name: '${one}'`).join("");
        if (name !== undefined && !known.includes(name)) throw new Error(`no suitable backends found\nAvailable adapters:${list}`);
        const info = forceFallbackAdapter
          ? Object.values(adapters).find((one) => (one as GPUAdapterInfo).isFallbackAdapter)
          : adapters[name ?? (powerPreference === "low-power" ? known[known.length - 1] : known[0])];
        if (!info) return null;
        const requestDevice = () => {
          asked.push((info as GPUAdapterInfo).device);
          return Promise.reject(new Error("pretended"));
        };
        return { info, features: new Set(), limits: {}, requestDevice };
      },
    };
  });
  vi.resetModules();
  vi.doMock("webgpu", () => ({ create }));
  const { gpu: fresh } = await import("../src/index.ts");
  const opens = async (options: GpuOptions): Promise<string | Error> => {
    asked.length = 0;
    const error = await fresh(options)
      .open()
      .then(
        () => new Error("opened"),
        (thrown: unknown) => thrown as Error,
      );
    return asked[0] ?? error;
  };
  return { opens, create };
}

describe("gpu({ adapter })", () => {
  const all = { "NVIDIA H200": card, "llvmpipe (LLVM)": software, "Intel Xe": small };

  it("opens the first adapter that has the facts", async () => {
    const { opens } = await pretend(all);
    expect(await opens({})).toBe("h200");
    expect(await opens({ adapter: {} })).toBe("h200");
    expect(await opens({ adapter: { vendor: "Intel" } })).toBe("graphics");
    expect(await opens({ adapter: { architecture: "software" } })).toBe("llvmpipe");
    expect(await opens({ adapter: { description: "mesa 25" } })).toBe("graphics");
    expect(await opens({ adapter: { description: "580.82" } })).toBe("h200");
    expect(await opens({ adapter: { software: true } })).toBe("llvmpipe");
    expect(await opens({ adapter: { software: false }, powerPreference: "low-power" })).toBe("graphics");
    expect(await opens({ adapter: { powerPreference: "low-power" } })).toBe("graphics");
    for (const [index, name] of ["h200", "graphics", "llvmpipe"].entries()) expect(await opens({ adapter: { index } })).toBe(name);
  });

  it("calls a function with the facts of each adapter in order", async () => {
    const { opens } = await pretend(all);
    const heard: AdapterFacts[] = [];
    expect(await opens({ adapter: (facts) => heard.push(facts) === 3 })).toBe("llvmpipe");
    expect(heard.map(({ vendor, index, offeredFor, software }) => [vendor, index, offeredFor.join(), software])).toEqual([
      ["nvidia", 0, "high-performance", false],
      ["intel", 1, "low-power", false],
      ["mesa", 2, "", true],
    ]);
  });

  it("has equal cards once, and the answer to two preferences once", async () => {
    const { opens } = await pretend({ "NVIDIA H200": card, "NVIDIA H200 ": card });
    const heard: AdapterFacts[] = [];
    await opens({ adapter: (facts) => heard.push(facts) === 9 });
    expect(heard).toEqual([{ ...card, software: false, index: 0, offeredFor: ["high-performance", "low-power"] }]);
  });

  it("lists what is there if none suits", async () => {
    const { opens } = await pretend(all);
    const error = await opens({ adapter: { vendor: "amd", index: 3 } });
    expect((error as Error).message).toBe(
      'adapter: no adapter is {"vendor":"amd","index":3}; there is 0: NVIDIA: 580.82.07, nvidia, hopper; 1: Intel: Mesa 25, intel, xe; 2: llvmpipe: Mesa 25, mesa, software, in software',
    );
    expect(error).toMatchObject({
      code: "no-backend",
      fields: { option: "adapter", found: [{ vendor: "nvidia" }, { vendor: "intel" }, { vendor: "mesa" }] },
    });
    expect(await opens({ adapter: () => false })).toMatchObject({ message: expect.stringMatching(/^adapter: no adapter suits the given/) });
    const none = await (await pretend({})).opens({ adapter: { software: true } });
    expect(none).toMatchObject({ code: "no-backend", message: expect.stringMatching(/there is none at all$/) });
  });

  it("starts only Dawn without names if a flag names the adapter", async () => {
    const { opens, create } = await pretend(all);
    expect(await opens({ adapter: { index: 0 }, dawnFlags: ["adapter=Intel Xe"] })).toBe("graphics");
    expect(create.mock.calls).toEqual([[["adapter=Intel Xe"]]]);
  });

  it("passes on what the function throws, and refuses an answer that is no boolean, and fields that are none", async () => {
    const { opens } = await pretend(all);
    const thrown = new Error("mine");
    const throws = () => {
      throw thrown;
    };
    expect(await opens({ adapter: throws })).toMatchObject({ cause: thrown });
    for (const adapter of [() => "yes", async () => true] as unknown as NonNullable<GpuOptions["adapter"]>[])
      expect(await opens({ adapter })).toMatchObject({ message: expect.stringContaining("adapter") });
    const wrong: readonly [object, string][] = [
      [{ index: -1 }, "adapter.index"],
      [{ index: 0.5 }, "adapter.index"],
      [{ vendor: 1 }, "adapter.vendor"],
      [{ software: "no" }, "adapter.software"],
      [{ powerPreference: "most" }, "adapter.powerPreference"],
      [{ name: "H200" }, "adapter.name"],
    ];
    for (const [adapter, field] of wrong) expect(await opens({ adapter })).toMatchObject({ code: "input", fields: { field } });
  });
});

describe("the adapters of this machine", () => {
  it("are found by their facts", async () => {
    let first: AdapterFacts | undefined;
    const take = (facts: AdapterFacts): boolean => {
      first ??= facts;
      return true;
    };
    using device = await open(gpu({ adapter: take }));
    const { vendor, architecture, software } = first as AdapterFacts;
    expect(device.info.software).toBe(software);
    using again = await open(gpu({ adapter: { vendor, architecture, software, index: 0 } }));
    expect(again.info).toEqual(device.info);
    await expect(open(gpu({ adapter: { vendor: "nobody" } }))).rejects.toMatchObject({
      code: "no-backend",
      message: expect.stringContaining(vendor),
    });
  });

  describe("with two drivers", () => {
    beforeAll(built);

    it.skipIf(process.env["DECHIRP_ADAPTER_KIND"] !== "lavapipe")("can each be opened by name, and compute", async () => {
      const swiftshader = await unpackCarried("swiftshader", ["swiftshader.tar.br"]);
      const drivers = `${process.env["VK_DRIVER_FILES"]}:${join(swiftshader, "vk_swiftshader_icd.json")}`;
      const dist = (name: string): string => JSON.stringify(fileURLToPath(new URL(`../../${name}/dist/index.node.js`, import.meta.url)));
      const source = `import { layout, open } from ${dist("core")}; import { gpu } from ${dist("fft-gpu")};
const said = [];
for (const adapter of [{ vendor: "google" }, { vendor: "mesa" }, { index: 1 }, (facts) => facts.index === 0]) {
  using device = await open(gpu({ adapter }));
  using bytes = device.alloc(layout("u8", [5]));
  bytes.write(Uint8Array.of(1, 2, 3, 4, 5));
  said.push(/llvmpipe/.test(device.info.description) ? "lavapipe" : "swiftshader", (await bytes.read()).join(""));
}
console.log(said.join(" "));`.replaceAll("using ", "const ");
      const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", source], {
        cwd: fileURLToPath(new URL("..", import.meta.url)),
        env: { ...process.env, VK_DRIVER_FILES: drivers, VK_ICD_FILENAMES: drivers },
        timeout: 5 * 60_000,
      });
      const [first, , second, , third, , fourth] = stdout.trim().split(" ");
      expect([first, second]).toEqual(["swiftshader", "lavapipe"]);
      expect(new Set([third, fourth])).toEqual(new Set(["swiftshader", "lavapipe"]));
      expect(stdout.match(/12345/g)).toHaveLength(4);
    });
  });
});
