/** The kit, second part: real transforms and filters. */
import { filters, realTransforms } from "@dechirp/conformance";
import { kit } from "./adapter.ts";

realTransforms(kit());
filters(kit());
