/** The version of this package. */
import { readFileSync } from "node:fs";

/** Reads the version from the package's manifest. */
export const version = (): string => JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
