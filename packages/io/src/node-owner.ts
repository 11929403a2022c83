/**
 * Encodes the process that made a hidden folder into the folder's name, and tells whether that process still runs. The process number
 * alone is not enough: the system reuses numbers, and other hosts and containers have numbers of their own.
 */
import { createHash, randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** A process, as the name of its hidden folder states it. */
export interface Owner {
  /** Process number. */
  readonly pid: number;
  /** When the process started, in clock ticks since the system did; `0` if the system does not tell. */
  readonly start: string;
  /** Hash of the host name, the boot and the PID namespace. Process numbers are comparable only if this is equal. */
  readonly place: string;
}

const text = (read: () => string): string => {
  try {
    return read();
  } catch {
    // This is not Linux, or the process has run out of file descriptors.
    return "";
  }
};

let place: string | undefined;

function placeHere(): string {
  place ??= createHash("sha256")
    .update(
      `${hostname()}\n${text(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1"))}\n${text(() => readlinkSync("/proc/self/ns/pid"))}`,
    )
    .digest("hex")
    .slice(0, 16);
  return place;
}

/**
 * Start time of process `pid`, or `undefined` if the system does not tell. `ended` for a zombie, which has ended but whose parent has
 * not collected it.
 */
function startOf(pid: number | "self"): string | undefined {
  // The command name, in parentheses, can contain spaces and parentheses.
  const fields =
    text(() => readFileSync(`/proc/${pid}/stat`, "latin1"))
      .split(") ")
      .at(-1)
      ?.split(" ") ?? [];
  return fields[0] === "Z" || fields[0] === "X" ? "ended" : fields[19];
}

/** Returns a name that belongs to this process only and that differs at every call. */
export const ownName = (): string => `${process.pid}-${startOf("self") ?? "0"}-${placeHere()}-${randomBytes(6).toString("hex")}`;

/** Parses the owner out of a name of the form `before` + `PID-START-PLACE-RANDOM` + `after`. Returns `undefined` for any other name. */
export function ownerOf(name: string, before: string, after: string): Owner | undefined {
  if (!name.startsWith(before) || !name.endsWith(after)) return undefined;
  const found = /^(\d{1,10})-(\d{1,20})-([0-9a-f]{16})-[0-9a-f]{12}$/.exec(name.slice(before.length, name.length - after.length));
  return found ? { pid: Number(found[1]), start: found[2], place: found[3] } : undefined;
}

/** Tells whether the owner's process still runs. `unknown` if it belongs to another host or container. */
export function stateOf({ pid, start, place: from }: Owner): "alive" | "ended" | "unknown" {
  if (from !== placeHere()) return "unknown";
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM means that the process exists and belongs to another user.
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return "ended";
  }
  const now = startOf(pid);
  return now === undefined || (now !== "ended" && (start === "0" || now === start)) ? "alive" : "ended";
}
