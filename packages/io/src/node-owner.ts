/**
 * Which process made a hidden folder, told by the folder's name, and whether that process is still there. A process number
 * alone does not say so: numbers are used again, and other hosts and containers have numbers of their own.
 */
import { createHash, randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** A process, as the name of a hidden folder states it. */
export interface Owner {
  readonly pid: number;
  /** When the process was started, in ticks since the system was; 0 where the system does not say. */
  readonly start: string;
  /** The host, its boot and its space of process numbers, hashed: only within one do numbers mean the same. */
  readonly place: string;
}

const text = (read: () => string): string => {
  try {
    return read();
  } catch {
    // No Linux, or no file can be opened any more.
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

/** The start of process `pid` where the system tells it; `ended` of one that has ended and is not collected yet. */
function startOf(pid: number | "self"): string | undefined {
  // The command's name, in parentheses, may hold spaces and parentheses.
  const fields =
    text(() => readFileSync(`/proc/${pid}/stat`, "latin1"))
      .split(") ")
      .at(-1)
      ?.split(" ") ?? [];
  return fields[0] === "Z" || fields[0] === "X" ? "ended" : fields[19];
}

/** A name of this process that no other gets, and that is another one at each call. */
export const ownName = (): string => `${process.pid}-${startOf("self") ?? "0"}-${placeHere()}-${randomBytes(6).toString("hex")}`;

/** The owner that `name` states where it is `before`, an owner's name (`PID-START-PLACE-RANDOM`) and `after`. */
export function ownerOf(name: string, before: string, after: string): Owner | undefined {
  if (!name.startsWith(before) || !name.endsWith(after)) return undefined;
  const found = /^(\d{1,10})-(\d{1,20})-([0-9a-f]{16})-[0-9a-f]{12}$/.exec(name.slice(before.length, name.length - after.length));
  return found ? { pid: Number(found[1]), start: found[2], place: found[3] } : undefined;
}

/** `unknown` where the process is of another host, or of another container. */
export function stateOf({ pid, start, place: from }: Owner): "alive" | "ended" | "unknown" {
  if (from !== placeHere()) return "unknown";
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Not permitted: it is another user's, and there.
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return "ended";
  }
  const now = startOf(pid);
  return now === undefined || (now !== "ended" && (start === "0" || now === start)) ? "alive" : "ended";
}
