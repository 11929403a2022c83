/** What adapters say of themselves. */

/** The words that name an adapter: the driver's text or the name of the device, its vendor, its architecture. */
export const wordsOf = (info: GPUAdapterInfo | undefined): readonly string[] =>
  [info?.description || info?.device, info?.vendor, info?.architecture].filter((word): word is string => !!word);

/** All that an adapter says of itself. It tells cards apart, and versions of drivers; pages may not learn as much. */
export const cardOf = (info: GPUAdapterInfo | undefined): string =>
  [info?.vendor, info?.architecture, info?.device, info?.description].filter((word) => word).join(" ") || "unnamed adapter";

/** Whether an adapter computes on the processor. */
export const isSoftware = (info: GPUAdapterInfo | undefined): boolean =>
  info?.isFallbackAdapter === true || /llvmpipe|lavapipe|swiftshader/i.test(wordsOf(info).join(" "));

/** Where adapters are looked for. */
export interface Places {
  readonly instance: GPU;
  /** Starts Dawn with only the adapter of this name. Absent in pages. */
  readonly named?: (name: string) => GPU;
}
