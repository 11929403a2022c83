/** Where measured and reference data is stored, and whether it is there. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = process.env.DECHIRP_DATA ?? fileURLToPath(new URL("../../../../shared/data", import.meta.url));

export const perfectFolder = join(folder, "perfect-stap-small");
export const perfectAbsent = !existsSync(join(perfectFolder, "small_app_input.bin"));
export const mountainTopFile = join(folder, "mountain-top", "t38pre01v1_cpi_6.mat");
export const mountainTopAbsent = !existsSync(mountainTopFile);
