/** Runs the kit, second part: real transforms, filters, computed filters, corner turns, the ends of the range of exponents. */
import { computedFilters, cornerTurns, extremes, filters, realTransforms } from "@dechirp/conformance";
import { kit } from "./adapter.ts";

realTransforms(kit());
filters(kit());
computedFilters(kit());
cornerTurns(kit());
extremes(kit());
