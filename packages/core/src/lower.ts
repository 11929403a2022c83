/**
 * Lowering: writing an op as a program of simpler ops. A device lowers every op that no rule of its backend implements. A backend
 * therefore needs rules for the bare transform (`fft` without hooks) and for kernels only.
 */
import { portsOf } from "./op.ts";
import type { LoweredStep, OpLowering } from "./ops/row.ts";
import { type Op, opLowerings, opSamples } from "./ops/table.ts";
import type { Program, Step } from "./program.ts";

/**
 * The op as a program of simpler ops. The program's inputs and outputs have the names of the op's ports. Undefined for ops that can't be
 * lowered: the bare `fft` and kernels. Maps and reductions get their code when they are planned (expression/forms.ts).
 */
export function lower(op: Op): Program | undefined {
  const steps = (opLowerings[op.op] as unknown as OpLowering<Op>)(op);
  return steps && programOf(op, steps);
}

/** The steps of a lowering as a program. */
export function programOf(op: Op, steps: readonly LoweredStep[]): Program {
  const ports = Object.entries(portsOf(op));
  return {
    name: op.op,
    inputs: Object.fromEntries(ports.filter(([, port]) => port.access === "read").map(([name, port]) => [name, port.layout])),
    steps: steps as readonly Step[],
    outputs: ports.filter(([, port]) => port.access === "write").map(([name]) => name),
  };
}

/** Small ops of every kind, for testing a backend. Every call makes new ones. */
export const sampleOps = (): readonly Op[] => Object.values(opSamples).flatMap((samples): readonly Op[] => samples());
