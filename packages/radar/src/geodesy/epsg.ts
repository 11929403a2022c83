/** Which EPSG codes are known. Apart from the projections, so that pages that only check a code do not load them. */

/** Whether an EPSG code is that of a UTM zone on WGS 84: 32601 to 32660 in the north, 32701 to 32760 in the south. */
export const isUtmEpsg = (epsg: number): boolean =>
  Number.isInteger(epsg) && ((epsg >= 32601 && epsg <= 32660) || (epsg >= 32701 && epsg <= 32760));
