/** Runs the kit, second part: real transforms, filters, corner turns, the ends of the range of exponents. */
import { cornerTurns, extremes, filters, realTransforms } from "@dechirp/conformance";
import { kit } from "./adapter.ts";

realTransforms(kit());
filters(kit());
cornerTurns(kit());
extremes(kit());
