/** Stencils as kernels with code for every device. Planning loads this file only for stencils. */
import type { WasmFunction } from "../hooks.ts";
import { elementCount } from "../layout.ts";
import type { Kernel } from "../ops/kernel.ts";
import { type Stencil, stencilRow } from "../ops/stencil.ts";
import { blocksOf, planBlock, stencilReference } from "./stencil-blocks.ts";
import { checkStencil } from "./stencil-check.ts";
import { wasmOfStencil } from "./stencil-wasm.ts";
import { wgslOfStencil } from "./stencil-wgsl.ts";

/** Work memory of a unit that a stencil may take. Only windows that are far apart, or very many, take more; then the reference runs. */
const mostWorkBytes = 2 ** 26;

/** The kernel of a stencil. Throws `layout` that names the field or the node, or `limit`, if it is not valid. */
export function kernelOfStencil(op: Stencil): Kernel {
  const checked = checkStencil(op);
  const plan = planBlock(checked);
  const blocks = blocksOf(checked, plan);
  let wasm: { readonly made: WasmFunction | undefined } | undefined;
  return {
    op: "kernel",
    name: op.name,
    flops:
      (op.centres.nodes.length + 8 * plan.passes.length + op.expression.nodes.length) * elementCount({ dtype: "f32", shape: op.shape }),
    ...(op.uniforms && { uniforms: op.uniforms }),
    ports: stencilRow.ports(op),
    items: blocks.items,
    get wasm() {
      wasm ??= { made: wasmFunction() };
      return wasm.made;
    },
    wgsl: (_constants, limits) => wgslOfStencil(checked, limits),
    reference: stencilReference(checked, blocks),
  } as Kernel;

  function wasmFunction(): WasmFunction | undefined {
    const found = wasmOfStencil(checked, plan, blocks);
    if (!found || found.workBytes > mostWorkBytes) return undefined;
    return { plain: found.module(false), shared: found.module(true), entry: "main", precision: "f32", workBytes: found.workBytes };
  }
}
