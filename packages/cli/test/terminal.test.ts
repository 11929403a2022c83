/**
 * The executable on a terminal, which `script` of util-linux provides: what Ctrl-C, pressed once or more often, and Ctrl-Z leave there.
 * When Ctrl-C is pressed the terminal itself may drop unread output, so with several presses the line about the first may be missing;
 * nothing else may be.
 */
import { spawn, spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createRandom } from "@dechirp/core";
import { describe, expect, it } from "vitest";
import type { Io } from "../src/io.ts";
import { clearProgress, createProgress } from "../src/progress.ts";
import { temporaryFolder } from "./command.ts";
import { main } from "./executable.ts";

const esc = "\x1b";
const hasTerminal = process.platform === "linux" && spawnSync("script", ["-qec", "true", "/dev/null"]).status === 0;

/** When a key is pressed: so many milliseconds after the one before, or when the text on the terminal shows something. */
type Moment = number | ((text: string) => boolean);

/** Runs a shell command line on a terminal. `keys` are pressed one after another. */
async function onTerminal(line: string, keys: readonly (readonly [when: Moment, key: string])[]): Promise<string> {
  const env = { ...process.env, TERM: "xterm", NODE: process.execPath, MAIN: main };
  const child = spawn("script", ["-qefc", `bash -c '${line}'`, "/dev/null"], { stdio: ["pipe", "pipe", "ignore"], env });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (more: string) => (text += more));
  let isClosed = false;
  const closed = new Promise<void>((resolve) => child.on("close", () => resolve()));
  closed.then(() => {
    isClosed = true;
  });
  // The terminal may have closed just before a key is pressed.
  child.stdin.on("error", (error: NodeJS.ErrnoException) => expect(error.code).toBe("EPIPE"));
  for (const [when, key] of keys) {
    const pressed = async (): Promise<void> => {
      if (typeof when === "number") return wait(when);
      while (!isClosed && !when(text)) await wait(5);
    };
    await Promise.race([closed, pressed()]);
    if (child.stdin.writable) child.stdin.write(key);
  }
  await closed;
  return text;
}

/** Simulates a terminal: what a text's lines finally show. Carriage returns go back to the start, `ESC[K` clears the rest of the line. */
function screen(text: string): readonly string[] {
  const lines = [""];
  let column = 0;
  for (const part of text.match(new RegExp(`${esc}\\[\\d*[A-Za-z]|[\\s\\S]`, "gu")) ?? []) {
    const row = lines.length - 1;
    if (part === "\n") {
      lines.push("");
      column = 0;
    } else if (part === "\r") column = 0;
    else if (part === "\x1b[K") lines[row] = lines[row].slice(0, column);
    else {
      lines[row] = lines[row].slice(0, column).padEnd(column) + part + lines[row].slice(column + part.length);
      column += part.length;
    }
  }
  return lines;
}

/** States in which a process may leave a terminal: hidden cursor, no wrapping, a saved position. */
const leftovers = new RegExp(`${esc}(\\[\\?|7|8)`);

describe.skipIf(!hasTerminal)("on a terminal", () => {
  /** Whether the progress bar of `demo` has come to so many percent. */
  const isAt = (percent: number) => (text: string) =>
    [...text.matchAll(/demo \[[= ]*\] (\d+)%/g)].some(([, shown]) => Number(shown) >= percent);

  it.each([1, 2, 3])("%i quick Ctrl-C leave one line, and the terminal as it was", async (presses) => {
    const folder = await temporaryFolder();
    const { uniform } = createRandom(presses);
    for (let turn = 0; turn < 3; turn++) {
      const share = 50 * uniform();
      const keys = Array.from({ length: presses }, (_, i) => [i === 0 ? isAt(share) : 40 * uniform(), "\x03"] as const);
      // The shell receives Ctrl-C too, and continues. What it runs after dechirp ignores late presses. It keeps the status and the
      // terminal's settings in a file, because a late press may drop output of the terminal.
      const [before, after] = [join(folder, "before"), join(folder, "after")];
      const command = `"$NODE" "$MAIN" demo --out "${join(folder, "out")}"`;
      const line = `stty -g >"${before}"; trap : INT; ${command}; status=$?; trap "" INT; (echo $status; stty -g) >"${after}"`;
      const text = await onTerminal(line, keys);
      expect(text).not.toMatch(leftovers);
      const lines = screen(text).map((one) => one.replaceAll("^C", ""));
      expect(await readFile(after, "utf8"), text).toBe(`130\n${await readFile(before, "utf8")}`);
      for (const one of lines)
        if (one.includes("dechirp") || one.includes("demo [")) expect(one, text).toBe("dechirp: interrupted by SIGINT");
      if (presses === 1) expect(lines).toContain("dechirp: interrupted by SIGINT");
    }
  });

  it("Ctrl-Z leaves the terminal as it was, and fg continues to the end", async () => {
    const folder = await temporaryFolder();
    const line = `set -m; "$NODE" "$MAIN" demo --out "${join(folder, "out")}"; echo "status $?"; fg >/dev/null; echo "status $?"`;
    const text = await onTerminal(line, [[isAt(0), "\x1a"]]);
    expect(text).not.toMatch(leftovers);
    expect(text).toMatch(/status 148[\s\S]*written: [\s\S]*status 0/);
  });
});

describe("a progress bar", () => {
  const streamOf = (columns: number) => {
    const written: string[] = [];
    const stderr = { isTTY: true, columns, write: (text: string) => written.push(text) };
    const io = (env: Io["env"]): Io => ({ stdout: stderr, stderr, signal: new AbortController().signal, env });
    return { written, io };
  };

  it("fits on its line, whatever the text, and is removed once", async () => {
    const { written, io } = streamOf(60);
    const bar = createProgress(io({}), "run");
    bar.update(`making ${"名".repeat(40)}\n\x1b[2J`, 0.5);
    await new Promise((resolve) => setTimeout(resolve, 120));
    clearProgress();
    bar[Symbol.dispose]();
    bar.update("after", 1);
    expect(written.at(-1)).toBe("\r\x1b[K");
    expect(written.filter((text) => text === "\r\x1b[K")).toHaveLength(1);
    const drawn = written.slice(0, -1);
    expect(drawn).toHaveLength(2);
    for (const text of drawn) {
      const [, line] = new RegExp(`^\\r([^\\r\\n${esc}]*)${esc}\\[K$`).exec(text) as RegExpExecArray;
      const width = [...line].reduce((sum, character) => sum + (character === "名" ? 2 : 1), 0);
      expect(width).toBeLessThan(60);
    }
    expect(drawn[1]).toContain("run [===============               ] 50% making 名");
  });

  it("is shorter if the text fits then", async () => {
    const { written, io } = streamOf(80);
    const bar = createProgress(io({}), "focus");
    const text = "block 120 of 300, 14.2 Msamples/s, 2 h 10 min left";
    bar.update(text, 0.5);
    await new Promise((resolve) => setTimeout(resolve, 120));
    bar[Symbol.dispose]();
    expect(written[1]).toBe(`\rfocus [${"=".repeat(8)}${" ".repeat(8)}] 50% ${text}${esc}[K`);
    expect(written[1].length - `\r${esc}[K`.length).toBe(79);
  });

  it("is not shown if stderr is not a terminal, or one without control sequences", () => {
    const { written, io } = streamOf(80);
    createProgress(io({ TERM: "dumb" }), "run").update("work", 0.5);
    createProgress({ ...io({}), stderr: { write: (text) => written.push(text) } }, "run").update("work", 0.5);
    expect(written).toEqual([]);
  });
});
