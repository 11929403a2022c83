/** Physical constants, and what follows from a carrier frequency alone. */

/** Speed of light in vacuum, in metres per second (exact by the definition of the metre). */
export const speedOfLight = 299_792_458;

/** Wavelength of a carrier in metres: λ = c/f₀. */
export const wavelengthMeters = ({ carrierHz }: { readonly carrierHz: number }): number => speedOfLight / carrierHz;
