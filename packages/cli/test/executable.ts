/** Runs the built executable in a process of its own. `npm test` and `npm run build` build it. */
import { type ChildProcess, spawn } from "node:child_process";
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
