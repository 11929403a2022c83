/**
 * WGSL for sums of complex products, as kernels here write them out: four fused multiply-adds a product and nothing else, which a
 * product that is added afterwards need not become.
 */

/** `to` += a·b*, both names. */
export const addConjugateProduct = (to: string, a: string, b: string): string =>
  `${to} = fma(vec2f(${b}.y, -${b}.y), ${a}.yx, fma(${b}.xx, ${a}, ${to}));`;

/** `to` −= a·b*. */
export const subtractConjugateProduct = (to: string, a: string, b: string): string =>
  `${to} = fma(vec2f(-${b}.y, ${b}.y), ${a}.yx, fma(-${b}.xx, ${a}, ${to}));`;

/** `to` −= a·b. */
export const subtractProduct = (to: string, a: string, b: string): string =>
  `${to} = fma(vec2f(${a}.y, -${a}.y), ${b}.yx, fma(-${a}.xx, ${b}, ${to}));`;
