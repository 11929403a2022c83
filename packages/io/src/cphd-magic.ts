/** How a CPHD file of any version begins. Apart from the parser, so that detection does not load it. */

/** Whether the first bytes of a file are those of a CPHD file of any version. */
export const isCphd = (head: Uint8Array): boolean => String.fromCharCode(...head.subarray(0, 5)) === "CPHD/";
