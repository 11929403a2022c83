/** Runs the kit, first part: transforms against their definition. The kit is divided so that the runner runs the parts in parallel. */
import { laws, reference } from "@dechirp/conformance";
import { kit } from "./adapter.ts";

reference(kit());
laws(kit());
