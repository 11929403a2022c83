/** Two image formations at once on parts of one device: each gives the picture that it gives alone, bit by bit. */
import { type Buffer, type CompiledProgram, compile, createRandom, type Device, open, scalarCount } from "@dechirp/core";
import { type CpuOptions, cpu } from "@dechirp/fft-cpu";
import { expect, test } from "vitest";
import { rangeDoppler, scenePresets } from "../src/index.ts";

const { radar, processedBandwidthHz } = scenePresets.default;

interface Formation {
  readonly compiled: CompiledProgram;
  readonly bindings: Readonly<Record<string, Buffer>>;
}

/** A formation from noise, with arrays of its own. */
async function formation(device: Device, lines: number, taps: number): Promise<Formation> {
  const rcmc = { kind: "sinc", taps, window: "kaiser" } as const;
  const compiled = await compile(rangeDoppler({ radar, lines, samples: 512, processedBandwidthHz, rcmc }), device);
  const bindings = Object.fromEntries(Object.entries(compiled.layouts).map(([name, layout]) => [name, device.alloc(layout)]));
  const random = createRandom(lines);
  const { raw } = bindings;
  raw.write(Float32Array.from({ length: scalarCount(raw.layout) }, () => random.gaussian()));
  return { compiled, bindings };
}

test.each([
  ["two workers", { workers: 2 }, [[0], [1]]],
  [
    "workers that they share",
    { workers: 3 },
    [
      [0, 1],
      [1, 2],
    ],
  ],
  ["workers of plain SIMD", { workers: 2, kernels: "plain" }, [[1], [0]]],
  ["one thread", { workers: 1 }, [[0], [0]]],
] as const satisfies readonly (readonly [string, CpuOptions, unknown])[])("on %s", async (_, options, units) => {
  using device = await open(cpu(options));
  const formations = [await formation(device, 256, 8), await formation(device, 192, 16)];
  const run = ({ compiled, bindings }: Formation, chosen?: readonly number[]): Promise<void> =>
    compiled.run(bindings, chosen && { units: chosen }).done;
  const images = (): Promise<ArrayLike<number>[]> => Promise.all(formations.map(({ bindings }) => bindings["image"].read()));
  for (const one of formations) await run(one);
  const alone = await images();
  for (const image of alone) expect(Array.from(image).every((value) => value === 0)).toBe(false);
  for (let round = 0; round < 2; round++) {
    for (const { bindings } of formations) bindings["image"].write(new Float32Array(scalarCount(bindings["image"].layout)));
    await Promise.all(formations.map((one, i) => run(one, units[i])));
    expect(await images()).toEqual(alone);
  }
});
