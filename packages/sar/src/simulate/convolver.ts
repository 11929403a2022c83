/** Runs the transforms of the clutter model on a device. */
import { compile, type Device, type Layout, type Program } from "@dechirp/core";
import type { Convolve } from "./background.ts";

/**
 * A `Convolve` that runs on `device`: a spectral-filter that is planned at the first call and kept until it is disposed. Throws what
 * the device throws; `unsupported` if the device has no c128.
 */
export function createConvolver(device: Device): Disposable & { readonly convolve: Convolve } {
  const owned: Disposable[] = [];
  let planned: Promise<Convolve> | undefined;
  const plan = async (rowCount: number, n2: number, h: Float64Array): Promise<Convolve> => {
    const layout: Layout<"c128"> = { dtype: "c128", shape: [rowCount, n2] };
    const filter: Layout<"c128"> = { dtype: "c128", shape: [n2] };
    const program: Program = {
      name: "clutter",
      inputs: { rows: layout },
      constants: { h: { layout: filter, data: h } },
      steps: [
        {
          name: "convolve",
          op: { op: "spectral-filter", layout, axis: 1, n: n2, h: "line" },
          bind: { in: "rows", h: "h", out: "profiles" },
        },
      ],
      outputs: ["profiles"],
    };
    const compiled = await compile(program, device);
    const rows = device.alloc(layout, "rows");
    const profiles = device.alloc(layout, "profiles");
    owned.push(compiled, rows, profiles);
    return async (data) => {
      rows.write(data);
      await compiled.run({ rows, profiles }).done;
      return profiles.read();
    };
  };
  return {
    async convolve(rows, rowCount, n2, h) {
      planned ??= plan(rowCount, n2, h);
      return (await planned)(rows, rowCount, n2, h);
    },
    [Symbol.dispose]() {
      for (const item of owned.reverse()) item[Symbol.dispose]();
    },
  };
}
