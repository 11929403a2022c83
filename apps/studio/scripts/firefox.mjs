// @ts-check
/**
 * Downloads Firefox (ESR) and the libraries that this machine lacks into the cache, without installing anything; about 90 MB. For Debian on
 * x86-64. Tests find it there. Elsewhere DECHIRP_FIREFOX names an installed one, or it is on the PATH.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cache } from "../../../packages/fft-gpu/scripts/adapter.mjs";
import { ownApt, run } from "../../../packages/fft-gpu/scripts/lavapipe.mjs";

const folder = join(cache, "firefox");

/**
 * The program, and the folder of its libraries if it was downloaded. Undefined if there is none.
 * @returns {{ program: string, root?: string } | undefined}
 */
export function findFirefox() {
  const named = process.env["DECHIRP_FIREFOX"];
  if (named) return { program: named };
  const program = join(folder, "usr", "lib", "firefox-esr", "firefox-esr");
  if (existsSync(program)) return { program, root: folder };
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const [found] = ["firefox", "firefox-esr"].flatMap((name) => folders.map((one) => join(one, name))).filter((path) => existsSync(path));
  return found === undefined ? undefined : { program: found };
}

/** The environment in which a downloaded Firefox finds its libraries. @param {string | undefined} root @param {string} home */
export const environmentOf = (root, home) => ({
  PATH: process.env["PATH"] ?? "",
  HOME: home,
  ...(root !== undefined && {
    LD_LIBRARY_PATH: join(root, "usr", "lib", "x86_64-linux-gnu"),
    XDG_DATA_DIRS: `${join(root, "usr", "share")}:/usr/share`,
  }),
});

function download() {
  const codename = /^VERSION_CODENAME=(\w+)/m.exec(readFileSync("/etc/os-release", "utf8"))?.[1] ?? "";
  mkdirSync(cache, { recursive: true });
  const partial = mkdtempSync(join(cache, "partial-"));
  try {
    const apt = ownApt(partial, codename);
    apt.update();
    apt.download(apt.missing(["firefox-esr"]));
    for (const file of readdirSync(partial).filter((name) => name.endsWith(".deb")))
      run("dpkg", ["-x", join(partial, file), join(partial, "root")]);
    rmSync(folder, { recursive: true, force: true });
    renameSync(join(partial, "root"), folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!findFirefox()) download();
  process.stdout.write(`${findFirefox()?.program}\n`);
}
