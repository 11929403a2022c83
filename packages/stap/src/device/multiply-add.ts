/**
 * WGSL for sums of complex products, as the kernels here write them out: exactly four fused multiply-adds for each product. A
 * product that is computed first and added afterwards need not become that.
 */

/** `to` += a·b*. `to`, a and b are names. */
export const addConjugateProduct = (to: string, a: string, b: string): string =>
  `${to} = fma(vec2f(${b}.y, -${b}.y), ${a}.yx, fma(${b}.xx, ${a}, ${to}));`;

/** `to` −= a·b*. */
export const subtractConjugateProduct = (to: string, a: string, b: string): string =>
  `${to} = fma(vec2f(-${b}.y, ${b}.y), ${a}.yx, fma(-${b}.xx, ${a}, ${to}));`;

/** `to` −= a·b. */
export const subtractProduct = (to: string, a: string, b: string): string =>
  `${to} = fma(vec2f(${a}.y, -${a}.y), ${b}.yx, fma(-${a}.xx, ${b}, ${to}));`;
