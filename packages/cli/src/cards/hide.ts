/**
 * Starts processes from which device files are hidden: in a mount namespace of their own, in which the null device is mounted over the files.
 * Nothing outside the process changes, and nothing is left when it has ended. As root this needs `unshare -m`, else a user namespace. The
 * process that is started is the one that runs the command in the end, so signals, status, streams and channels are its own.
 */
import { type ChildProcess, type StdioOptions, spawn, spawnSync } from "node:child_process";
import { RadarError } from "@dechirp/core";

/**
 * Covers files, then becomes the command. Arguments: the number of files, the files, the command. All are passed as arguments and never as
 * text of the script. Nothing is started if a file is not covered in the end. Where `setpriv` can do it, the command is told to end if the
 * process that started it ends without a chance to say so.
 */
const script = `count=$1; shift
while [ "$count" -gt 0 ]; do
  mount --bind /dev/null "$1" || exit 1
  [ "$(stat -Lc %t:%T "$1")" = 1:3 ] || { echo "$1 is not covered" >&2; exit 1; }
  shift; count=$((count - 1))
done
if setpriv --pdeathsig TERM true 2>/dev/null; then exec setpriv --pdeathsig TERM "$@"; fi
exec "$@"`;

/** Flags of `unshare`, in the order in which they are tried. */
const ways = (): readonly string[] => (process.getuid?.() === 0 ? ["-m", "-Urm"] : ["-Urm"]);

const argumentsOf = (way: string, files: readonly string[], command: readonly string[]): readonly string[] => [
  way,
  "sh",
  "-c",
  script,
  "sh",
  String(files.length),
  ...files,
  ...command,
];

/** What to do where files can't be hidden. */
const advice =
  "start dechirp where it sees one card only: in a container with one device (docker run --gpus device=1), under Slurm with ConstrainDevices=yes, or with the device plugin of Kubernetes";

/** Begins a command so that it has the variables, too, that shells drop because of their names, such as exported functions of bash. */
function kept(env: NodeJS.ProcessEnv): readonly string[] {
  const dropped = Object.entries(env).filter(([name, value]) => value !== undefined && !/^[A-Za-z_]\w*$/.test(name));
  return dropped.length > 0 ? ["env", "--", ...dropped.map(([name, value]) => `${name}=${value}`)] : [];
}

/** How files can be hidden from a process on this machine. */
export interface Hiding {
  /** Starts a command without the files. */
  start(command: readonly string[], stdio: StdioOptions, env: NodeJS.ProcessEnv): ChildProcess;
}

/**
 * Tries out how to hide files. Throws `no-backend` if it is not permitted, with what was tried and what else would do; `why` begins the
 * message.
 */
export function hidingOf(files: readonly string[], why: string): Hiding {
  const tried: string[] = [];
  for (const way of process.platform === "linux" ? ways() : []) {
    const { status, error, stderr } = spawnSync("unshare", argumentsOf(way, files, ["true"]), {
      stdio: ["ignore", "ignore", "pipe"],
      encoding: "utf8",
    });
    if (status === 0)
      return { start: (command, stdio, env) => spawn("unshare", argumentsOf(way, files, [...kept(env), ...command]), { stdio, env }) };
    const said = error ? ((error as NodeJS.ErrnoException).code ?? error.message) : stderr.trim().split("\n")[0] || `status ${status}`;
    tried.push(`unshare ${way}: ${said}`);
  }
  const how = tried.length > 0 ? tried.join("; ") : "this system has no mount namespaces";
  throw new RadarError("no-backend", `${why}, and they can't be hidden from a process here (${how}); ${advice}`, { tried });
}

/** Hides nothing: where a process sees one card anyway. */
export const noHiding: Hiding = {
  start: ([command, ...args], stdio, env) => spawn(command, args, { stdio, env }),
};
