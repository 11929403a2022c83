/**
 * `evaluate` runs a program from host arrays to host arrays. `bindInputs` is its first half: it compiles, allocates and uploads.
 * compare.ts uses that too.
 */

import { fieldsOfPlans } from "./bindings.ts";
import type { Buffer, Device, PlanOptions } from "./device.ts";
import { RadarError } from "./errors.ts";
import { checkDevice, checkFields, checkNames, type FieldsOf } from "./fields.ts";
import { fill } from "./fill.ts";
import type { TypedArrayOf } from "./layout.ts";
import {
  type Arrays,
  type CompiledProgram,
  compile,
  fieldsOfRunsOfPrograms,
  type Program,
  type ProgramRunOptions,
  valueLayouts,
} from "./program.ts";

/** A compiled program with buffers for its inputs and outputs. The inputs are uploaded. */
export interface Bound extends Disposable {
  readonly compiled: CompiledProgram;
  readonly buffers: Readonly<Record<string, Buffer>>;
}

/** Options for planning the program. Inputs and outputs have separate buffers here, so nothing needs `inPlace`. */
export const planOptions = (fuse: boolean, signal: AbortSignal | undefined, variant?: string): PlanOptions => ({
  fuse,
  ...(variant !== undefined && { variant }),
  ...(signal && { signal }),
});

/**
 * Compiles a program, allocates its inputs and outputs and uploads `inputs`. Rejects with `layout` if an input is missing, unknown or of
 * the wrong length, and with what `compile` rejects with. Nothing stays allocated then.
 */
export async function bindInputs(program: Program, device: Device, inputs: Arrays, options: PlanOptions): Promise<Bound> {
  checkDevice(device);
  valueLayouts(program);
  checkNames(inputs, program.inputs, "input", "inputs");
  const compiled = await compile(program, device, options);
  const buffers: Record<string, Buffer> = {};
  const dispose = (): void => {
    for (const buffer of Object.values(buffers)) buffer[Symbol.dispose]();
    compiled[Symbol.dispose]();
  };
  try {
    for (const [name, layout] of Object.entries(compiled.layouts)) buffers[name] = device.alloc(layout, name);
    for (const name of Object.keys(program.inputs)) {
      if (!inputs[name]) throw new RadarError("layout", `input ${name} is missing`, { field: name });
      fill(buffers[name], inputs[name]);
    }
  } catch (error) {
    dispose();
    throw error;
  }
  return { compiled, buffers, [Symbol.dispose]: dispose };
}

/** The fields of the options of `evaluate`, for checks. */
export const fieldsOfEvaluations: FieldsOf<ProgramRunOptions & PlanOptions> = { ...fieldsOfPlans, ...fieldsOfRunsOfPrograms };

/**
 * Runs a program from host arrays to host arrays: it compiles, allocates, uploads, runs, reads and frees. Takes the inputs by name and
 * resolves with the outputs by name. Do not change the inputs before the promise settles: they are read after planning. To run a program
 * often, `compile` it once.
 *
 * Rejects with `layout` if an input is missing, unknown or of the wrong length, and with what `compile` and runs reject with.
 */
export async function evaluate<Outputs extends Arrays, Inputs extends Arrays>(
  program: Program<Outputs, Inputs>,
  device: Device,
  inputs: Inputs,
  options: ProgramRunOptions & PlanOptions = {},
): Promise<Outputs> {
  checkFields(options, fieldsOfEvaluations, "options of evaluate", "layout");
  const { fuse = true, inPlace: _, variant, ...run } = options;
  const bound = await bindInputs(program, device, inputs, planOptions(fuse, run.signal, variant));
  try {
    await bound.compiled.run(bound.buffers, run).done;
    const outputs: Record<string, TypedArrayOf> = {};
    for (const name of program.outputs) outputs[name] = await bound.buffers[name].read();
    return outputs as Outputs;
  } finally {
    bound[Symbol.dispose]();
  }
}
