/** Layouts of the arrays that pass between the stages on devices, except tables, and the ports that stages share. */
import type { Layout, Port } from "@dechirp/core";
import type { EfaGeometry } from "../efa/options.ts";
import type { EfaTables } from "./tables.ts";

/** X c64 [channel][bin][range]. */
export const dopplerLayout = ({ channels, dopplerBins, ranges }: EfaGeometry): Layout<"c64"> => ({
  dtype: "c64",
  shape: [channels, dopplerBins, ranges],
});

/** Means of products [bin][set][product], c64 or, if the precision is f64, c128. */
export const meansLayout = ({ dopplerBins, precision }: EfaGeometry, { products, sets }: EfaTables): Layout<"c64" | "c128"> => ({
  dtype: precision === "f64" ? "c128" : "c64",
  shape: [dopplerBins, sets.count, products.rows],
});

/** v c64 [P][n]. */
export const steeringLayout = ({ steeringVectors, order }: EfaGeometry): Layout<"c64"> => ({
  dtype: "c64",
  shape: [steeringVectors, order],
});

/** w c64 [bin][group][P][n]. */
export const weightsLayout = ({ dopplerBins, sets, steeringVectors, order }: EfaGeometry): Layout<"c64"> => ({
  dtype: "c64",
  shape: [dopplerBins, sets.groups, steeringVectors, order],
});

/** wᴴv f32 [bin][group][P]. */
export const gainsLayout = ({ dopplerBins, sets, steeringVectors }: EfaGeometry): Layout<"f32"> => ({
  dtype: "f32",
  shape: [dopplerBins, sets.groups, steeringVectors],
});

/** u32 [bin][group]. */
export const statusLayout = ({ dopplerBins, sets }: EfaGeometry): Layout<"u32"> => ({ dtype: "u32", shape: [dopplerBins, sets.groups] });

/** y: f32, or c64 if complex, [steering][bin][range], or [bin][range] if only the largest is kept. */
export const outputLayout = ({ output, maxOverSteering, steeringVectors, dopplerBins, ranges }: EfaGeometry): Layout => ({
  dtype: output === "complex" ? "c64" : "f32",
  shape: [...(maxOverSteering ? [] : [steeringVectors]), dopplerBins, ranges],
});

/** The ports from which covariances are solved. */
export const covariancePorts = (geometry: EfaGeometry, tables: EfaTables): Record<string, Port> => ({
  means: { access: "read", layout: meansLayout(geometry, tables) },
  elements: { access: "read", layout: { dtype: "u32", shape: [tables.elements.rows, tables.elements.width] } },
  members: { access: "read", layout: { dtype: "f32", shape: [tables.sets.members.rows, tables.sets.members.width] } },
  steering: { access: "read", layout: steeringLayout(geometry) },
});

/** y, and, if only the largest is kept, the index of the strongest steering vector, u32 [bin][range]. */
export const outputPorts = (geometry: EfaGeometry): Record<string, Port> => ({
  y: { access: "write", layout: outputLayout(geometry) },
  ...(geometry.maxOverSteering && {
    strongest: { access: "write", layout: { dtype: "u32", shape: [geometry.dopplerBins, geometry.ranges] } },
  }),
});
