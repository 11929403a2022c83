import type { WgslKernel, WgslLimits, WgslToolkit } from "../ops/kernel.ts";
import type { StencilFacts } from "./stencil-check.ts";
export function wgslOfStencil(_checked: StencilFacts, _limits: WgslLimits, _toolkit: WgslToolkit): WgslKernel | undefined {
  return undefined;
}
