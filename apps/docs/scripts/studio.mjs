// @ts-check
/** Puts the built studio at `studio/` of the site. Its addresses are relative, so it needs to know nothing of the site. */
import { cpSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const built = join(dirname(createRequire(import.meta.url).resolve("@dechirp/studio/package.json")), "dist");
const place = fileURLToPath(new URL("../public/studio", import.meta.url));
rmSync(place, { recursive: true, force: true });
cpSync(built, place, { recursive: true });
