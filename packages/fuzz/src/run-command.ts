/** Runs a command line in this process or in a separate one, in a folder of its own, and judges the result. */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { run } from "dechirp";
import { accepted, fault, type Verdict } from "./target.ts";

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether the signal was sent. */
  readonly signalled: boolean;
}

/** A command gets its signal after this time, because valid arguments may request hours of work. */
const usualPatience = 2000;

export async function runHere(argv: readonly string[], stdin: Uint8Array | undefined, patience = usualPatience): Promise<Ended> {
  const written = { stdout: "", stderr: "" };
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort("SIGINT"), patience);
  try {
    const code = await run(argv, {
      stdout: { write: (text) => (written.stdout += text) },
      stderr: { write: (text) => (written.stderr += text) },
      ...(stdin ? { stdin: Readable.from([Buffer.from(stdin)]) } : {}),
      signal: controller.signal,
      env: {},
    });
    return { code, ...written, signalled: controller.signal.aborted };
  } finally {
    clearTimeout(timer);
  }
}

const main = join(dirname(fileURLToPath(import.meta.resolve("dechirp"))), "main.node.js");

/**
 * Runs the command in a separate process, whose arguments can't contain a zero character. It does not use spawnSync, which loses all
 * output after a timeout.
 */
export async function runApart(argv: readonly string[], stdin: Uint8Array | undefined, patience = 6 * usualPatience): Promise<Ended> {
  const child = spawn(process.execPath, [main, ...argv]);
  const written = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) child[name].setEncoding("utf8").on("data", (text: string) => (written[name] += text));
  // A command that ends without reading stdin closes it.
  child.stdin.on("error", () => {}).end(stdin ?? "");
  let signalled = false;
  const timer = setTimeout(() => {
    signalled = child.kill("SIGINT");
  }, patience);
  try {
    const code = await new Promise<number | null>((resolve, reject) => child.on("error", reject).on("close", resolve));
    return { code, ...written, signalled };
  } finally {
    clearTimeout(timer);
  }
}

const statuses = new Set<number | null>([0, 2, 3, 4, 5, 6, 130]);

/** Judges streams and exit status. `json`: whether the command line requests JSON; unknown if it also requests help. */
export function judgeEnded({ code, stdout, stderr, signalled }: Ended, json: boolean | undefined): Verdict {
  const told = stderr.slice(0, 400);
  if (!statuses.has(code)) return fault(`status ${code}: ${told}`);
  if (code === 130 && !signalled) return fault(`interrupted without a signal: ${told}`);
  if (json && !isOneJsonLine(stdout)) return fault(`stdout is not one line of JSON: ${stdout.slice(0, 300)}`);
  // Questions and warnings precede the error, if there is one.
  const error = stderr.replace(/^(?:(?:question|warning): [^\n]+\n)*/, "");
  if (code === 0 || code === 6) return error === "" ? accepted : fault(`status ${code}, but on stderr: ${told}`);
  if (json === false && stdout !== "") return fault(`status ${code}, but on stdout: ${stdout.slice(0, 300)}`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
  if (!/^dechirp: [^\n]+\n$/.test(error) || /[\u0000-\u0009\u000b-\u001f\u007f]/.test(stderr)) return fault(`not one line: ${told}`);
  if (/internal error|undefined|\[object| at .*:\d+:\d+/.test(stderr)) return fault(`words of the machine: ${told}`);
  if (error.length > 4200 || stderr.length > 8400) return fault(`${stderr.length} characters: ${told}`);
  return { kind: "refused", how: `${code}`, message: error.trimEnd() };
}

function isOneJsonLine(text: string): boolean {
  if (!/^[^\n]+\n$/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Judges the folder of a command that ended: files of `before` must be unchanged, there must be no temporary files, and no result if it
 * failed.
 */
export function judgeFolder(folder: string, before: Readonly<Record<string, Uint8Array>>, failed: boolean): string | undefined {
  const names = readdirSync(folder, { recursive: true }) as string[];
  const temporary = names.find((name) => /\.(tmp|old)$/.test(name));
  if (temporary !== undefined) return `left ${temporary}`;
  // If there are several inputs, the first ones may have complete results.
  if (failed && names.includes("out") && !names.some((name) => name.startsWith("out") && name.endsWith("report.json")))
    return "failed, but left its folder";
  for (const [name, bytes] of Object.entries(before)) {
    if (Buffer.compare(readFileSync(join(folder, name)), bytes) !== 0) return `changed its input ${name}`;
  }
  return undefined;
}
