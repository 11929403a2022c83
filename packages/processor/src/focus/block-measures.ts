/**
 * Measures an image that is made in blocks: entropy, contrast, a quicklook and point targets. The device sums up each block, so that only
 * a few numbers of it are read back. The pixels around point targets are measured on the host.
 */
import { type Buffer, compile, type Device } from "@dechirp/core";
import { nextTurn, runAbortable } from "@dechirp/core/internal";
import type { ImageWindow } from "@dechirp/radar";
import {
  createFocusAccumulator,
  createPointTargetCollector,
  createQuicklookAccumulator,
  type ExpectedTarget,
  type QuicklookOptions,
  type WindowOutputs,
  windowSumsProgram,
} from "@dechirp/sar";
import { measuring } from "./theory.ts";

/** The measures of an image, whose blocks have been added when they are asked for. */
export interface Measures {
  readonly rows: number;
  readonly columns: number;
  readonly focus: ReturnType<typeof createFocusAccumulator>;
  readonly picture: ReturnType<typeof createQuicklookAccumulator>;
  readonly targets: ReturnType<typeof createPointTargetCollector>;
}

/** Makes the measures of an image of `rows` × `columns` pixels. Throws `input`. */
export const createMeasures = (rows: number, columns: number, drawing: QuicklookOptions, targets: readonly ExpectedTarget[]): Measures => ({
  rows,
  columns,
  focus: createFocusAccumulator(rows, columns),
  picture: createQuicklookAccumulator(rows, columns, drawing),
  targets: createPointTargetCollector(rows, columns, targets),
});

/** Adds what the array of a device holds to the measures of an image. */
export interface DeviceMeasures extends Disposable {
  /** Adds a window of the image, which begins at `from` in the array. Rejects with what the device throws and with `aborted`. */
  add(window: ImageWindow, from: readonly [row: number, column: number]): Promise<void>;
}

/** Prepares the sums of windows in `array`, c64 [rows][columns]. Rejects with what the device throws and with `aborted`. */
export async function createDeviceMeasures(
  device: Device,
  array: Buffer,
  { rows, columns, focus, picture }: Measures,
  signal: AbortSignal | undefined,
): Promise<DeviceMeasures> {
  const on = signal ? { signal } : {};
  const [height, width] = array.layout.shape;
  const made = windowSumsProgram([height, width], { rows, columns, looks: picture.looks });
  const compiled = await compile(made.program, device, on);
  const buffers: Record<string, Buffer> = {};
  const dispose = (): void => {
    for (const buffer of Object.values(buffers)) buffer[Symbol.dispose]();
    compiled[Symbol.dispose]();
  };
  try {
    for (const [name, layout] of Object.entries(compiled.layouts)) if (name !== "image") buffers[name] = device.alloc(layout, name);
  } catch (error) {
    dispose();
    throw error;
  }
  return {
    async add(window, from) {
      // The first parts of the image are read from the device before it measures, so that they can be written meanwhile.
      await nextTurn(signal, measuring);
      const { tables, uniforms, sumsOf } = made.inputsOf(window, from);
      for (const [name, table] of Object.entries(tables)) buffers[name].write(table);
      const { done } = compiled.run({ ...buffers, image: array }, { ...on, uniforms });
      const read = Promise.all(made.program.outputs.map(async (name) => [name, await buffers[name].read()] as const));
      const [outputs] = await Promise.all([read, done]);
      const sums = sumsOf(Object.fromEntries(outputs) as unknown as WindowOutputs);
      await runAbortable(
        signal,
        measuring,
        (function* () {
          focus.addSums(sums);
          yield;
          picture.addSums(sums);
        })(),
      );
    },
    [Symbol.dispose]: dispose,
  };
}
