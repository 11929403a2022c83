/**
 * Programs from host arrays to host arrays: what allocates, uploads and lets go around a compiled program. `evaluate` is the
 * whole way; `bindInputs` is its beginning, which comparing and profiling (compare.ts) go on from.
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

/** A compiled program with its inputs uploaded and room for its outputs. */
export interface Bound extends Disposable {
  readonly compiled: CompiledProgram;
  readonly buffers: Readonly<Record<string, Buffer>>;
}

/** Inputs and outputs are buffers of their own here, so that nothing is planned in place. */
export const planOptions = (fuse: boolean, signal: AbortSignal | undefined): PlanOptions => (signal ? { fuse, signal } : { fuse });

/** Throws `layout` for an input that is missing, unknown or of the wrong length, and what `compile` throws; nothing stays allocated then. */
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

export const fieldsOfEvaluations: FieldsOf<ProgramRunOptions & PlanOptions> = { ...fieldsOfPlans, ...fieldsOfRunsOfPrograms };

/**
 * Runs a program from host arrays to host arrays: allocates, uploads, compiles, runs, reads and disposes.
 * `inputs` by name; resolves with the outputs by name. Throws what `compile` and runs throw, and `layout` for inputs that are missing, unknown
 * or of the wrong length.
 */
export async function evaluate<Outputs extends Arrays, Inputs extends Arrays>(
  program: Program<Outputs, Inputs>,
  device: Device,
  inputs: Inputs,
  options: ProgramRunOptions & PlanOptions = {},
): Promise<Outputs> {
  checkFields(options, fieldsOfEvaluations, "options of evaluate", "layout");
  const { fuse = true, inPlace: _, ...run } = options;
  const bound = await bindInputs(program, device, inputs, planOptions(fuse, run.signal));
  try {
    await bound.compiled.run(bound.buffers, run).done;
    const outputs: Record<string, TypedArrayOf> = {};
    for (const name of program.outputs) outputs[name] = await bound.buffers[name].read();
    return outputs as Outputs;
  } finally {
    bound[Symbol.dispose]();
  }
}
