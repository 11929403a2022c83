/** Runs the built executable in a process of its own: when it hears signals, and kills at random moments. `npm test` and `npm run build` build it. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { beforeAll } from "vitest";
import { built } from "../../../scripts/built.mjs";

beforeAll(built);

export const main = fileURLToPath(new URL("../dist/main.node.js", import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

export const start = (args: readonly string[], stdin: "ignore" | "pipe" = "ignore"): Started =>
  spawned(process.execPath, [main, ...args], stdin);

/** Runs a command line in a shell in which `dechirp` is a function. */
export const startShell = (line: string): Started =>
  spawned("bash", ["-c", `dechirp() { "$NODE" "$MAIN" "$@"; }; ${line}`], "ignore", { ...process.env, NODE: process.execPath, MAIN: main });

/** Runs a program. */
export function spawned(command: string, args: readonly string[], stdin: "ignore" | "pipe", env = process.env, cwd?: string): Started {
  const child = spawn(command, args, { stdio: [stdin, "pipe", "pipe"], env, ...(cwd !== undefined && { cwd }) });
  const text = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) child[name]?.setEncoding("utf8").on("data", (chunk: string) => (text[name] += chunk));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject).on("close", (code) => resolve({ code, ...text }));
  });
  return { child, ended };
}

/** Reads a file of a process under /proc. Empty if the process has ended. */
function readProcess(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}

/** The innermost process that a process has started, or itself. */
function innermost(pid: number): number {
  const child = Number.parseInt(readProcess(pid, `task/${pid}/children`), 10);
  return child > 0 ? innermost(child) : pid;
}

/** Whether a process has a handler for SIGHUP. Node itself has handlers for SIGINT and SIGTERM, the executable for all three. */
const hasHandlers = (pid: number): boolean => /^SigCgt:\s*[\da-f]*[13579bdf]$/m.test(readProcess(pid, "status"));

/**
 * Resolves when the executable has handlers for signals: in the process that was started or, with `inner`, in the one that it has started for
 * the work. Linux tells; elsewhere it waits for several times as long as `dechirp --version` takes.
 */
export async function hearsSignals({ child, ended }: Started, { inner = false } = {}): Promise<void> {
  if (!existsSync("/proc/self/status")) {
    const begun = performance.now();
    await start(["--version"]).ended;
    return void (await wait(Math.max(800, 3 * (performance.now() - begun))));
  }
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  ended.then(over, over);
  const pid = child.pid as number;
  // Twice in a row, because handlers are set one after another, and a new process has those of its parent for a moment.
  for (let times = 0; times < 2 && !isOver; await wait(50)) {
    const one = inner ? innermost(pid) : pid;
    times = hasHandlers(one) && (one !== pid || !inner) ? times + 1 : 0;
  }
}

/**
 * Starts a command again and again and kills it, each time after `milliseconds`, until `kills` were killed. Some end before that, so it starts
 * three times as many at most. Returns how many were killed.
 */
export async function killed(args: readonly string[], kills: number, milliseconds: () => number): Promise<number> {
  let count = 0;
  for (let i = 0; i < 3 * kills && count < kills; i++) {
    const { child, ended } = start(args);
    const timer = setTimeout(() => child.kill("SIGKILL"), milliseconds());
    if ((await ended).code === null) count += 1;
    clearTimeout(timer);
  }
  return count;
}
