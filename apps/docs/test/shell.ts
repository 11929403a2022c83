/**
 * Runs shell examples in an empty folder with the built `dechirp` on the PATH. `npx dechirp` and `npm run -s dechirp --` call the same command.
 * Other npm scripts are not run, but must exist. Commands in `*.long.sh` are not run either; their options must be in the command's help, or
 * in the list of options of the GPU bench. Nothing is installed or downloaded.
 */
import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { built } from "../../../scripts/built.mjs";
import { root } from "./markdown.ts";

const command = join(root, "packages", "cli", "dist", "main.node.js");

/** Replaces `dechirp` for commands that take too long. Checks that their options are in the help, and that experiments are in the list. */
const longDechirp = `dechirp() { "${process.execPath}" "${command}" "$@"; }
help=$(dechirp "$1" --help)
[ "$1" != bench ] || help="$help $(dechirp bench)"
[ "$1" != job ] || help="$help $(dechirp job "$2" --help)"
for word; do
  case "$1 $word" in
    *" --"* | bench" "*-paper) case $help in *"\${word%%=*}"*) ;; *) echo "dechirp $1 has no $word" >&2; exit 1 ;; esac ;;
  esac
done`;

/** Scripts of the GPU bench, which run on other machines: checks that they exist and know the options. Nothing is copied to other machines. */
const elsewhere: Readonly<Record<string, string>> = {
  bash: `folder="${root}packages/bench"
[ -e "$folder/gpu/$(basename "$1")" ] || { echo "there is no $1" >&2; exit 1; }
shift
for word; do
  case $word in --*) grep -q -e " $word " "$folder/src/gpu/main.ts" || { echo "the bench has no $word" >&2; exit 1; } ;; esac
done`,
  rsync: `[ $# -ge 2 ]`,
};

const programs: Readonly<Record<string, string>> = {
  dechirp: `exec "${process.execPath}" "${command}" "$@"`,
  npx: `[ "$1" = dechirp ] || { echo "npx $*: examples run dechirp only" >&2; exit 1; }
shift
exec dechirp "$@"`,
  npm: `case "$*" in
  start) script=start ;;
  "run -s dechirp -- "*) shift 4; exec dechirp "$@" ;;
  test | "test -- "*) script=test ;;
  "run "*) [ "$2" = -s ] && shift; script=$2 ;;
  *) echo "npm $*: commands that install belong in install*.sh" >&2; exit 1 ;;
esac
exec "${process.execPath}" -e 'process.exit(process.argv[2] in require(process.argv[1]).scripts ? 0 : 1)' "${root}package.json" "$script"`,
};

/** Runs the example and returns what it printed. Fails if it ends with an error, or not within `seconds`. */
export async function runShell(example: string, seconds: number): Promise<string> {
  await built();
  const folder = await mkdtemp(join(tmpdir(), "dechirp-docs-"));
  try {
    const [bin, work] = [join(folder, "bin"), join(folder, "work")];
    await Promise.all([mkdir(bin), mkdir(work)]);
    const taken = example.endsWith(".long.sh") ? { ...programs, ...elsewhere, dechirp: longDechirp } : programs;
    for (const [name, text] of Object.entries(taken)) await writeFile(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    for (const name of await readdir(dirname(example)))
      if (!/\.(ts|mjs|sh|out\.txt)$/.test(name)) await cp(join(dirname(example), name), join(work, name), { recursive: true });
    return await run(example, work, { ...process.env, PATH: `${bin}${delimiter}${process.env["PATH"]}` }, seconds);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function run(example: string, cwd: string, env: NodeJS.ProcessEnv, seconds: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn("sh", ["-e", example], { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    // Kills the process group, which includes the children of the shell.
    const timer = setTimeout(() => process.kill(-(child.pid as number), "SIGKILL"), seconds * 1000);
    const said = { stdout: "", stderr: "" };
    for (const stream of ["stdout", "stderr"] as const) child[stream].setEncoding("utf8").on("data", (text) => (said[stream] += text));
    child.on("error", reject);
    child.on("close", (status, signal) => {
      clearTimeout(timer);
      if (status === 0) resolve(said.stdout);
      else reject(new Error(`${basename(example)} ended with ${signal ?? status}:\n${said.stderr}${said.stdout}`));
    });
  });
}
