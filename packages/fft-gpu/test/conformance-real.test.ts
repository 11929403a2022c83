/** The kit, second part: real transforms, filters, turned results, the ends of the range of exponents. */
import { cornerTurns, extremes, filters, realTransforms } from "@dechirp/conformance";
import { kit } from "./adapter.ts";

realTransforms(kit());
filters(kit());
cornerTurns(kit());
extremes(kit());
