/** The kit, second part: real transforms, filters, turned results. */
import { filters, realTransforms, turns } from "@dechirp/conformance";
import { kit } from "./adapter.ts";

realTransforms(kit());
filters(kit());
turns(kit());
