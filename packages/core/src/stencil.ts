/**
 * The entry point `@dechirp/core/stencil`: filters over windows. `stencil` makes an op from a formula of neighbours and of sums over
 * windows, which `near` and `box` stand for. The functions of `@dechirp/core/expression` write the rest of the formula.
 */

export { type BoxOptions, box, near, type Span, type StencilOptions, type StencilWith, stencil } from "./expression/stencil-build.ts";
