/** The kit, first part: transforms against their definition. In parts so that the runner has them done side by side. */
import { laws, reference } from "@dechirp/conformance";
import { kit } from "./adapter.ts";

reference(kit());
laws(kit());
