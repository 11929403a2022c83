/**
 * Distributes cases to child processes and watches them. A process that stays silent too long is killed, one that dies is counted, and
 * in both cases the next process continues after the case that caused it. Knows only the names and numbers of targets.
 */
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Done, Work } from "./child.ts";

/** How long a process may stay silent. A command gets its signal after two seconds, and the machine may be busy. */
const silenceMilliseconds = 120_000;
/** Limit on the JavaScript heap: far above what any input of the corpus needs, and small for the machine. */
const heapMegabytes = 512;
/** Cases that a process is given at a time. */
const batch = 250;
/** A process is replaced after this many cases. Leaks show earlier. */
const lifetime = 4000;

const childFile = fileURLToPath(new URL("./child.js", import.meta.url));

interface Running {
  work: Work;
  next: number;
  cases: number;
  timer?: NodeJS.Timeout;
}

/** Runs `works` in `jobs` processes. Calls `report` for every case. Resolves when all are done. */
export function runAll(works: readonly Work[], jobs: number, report: (target: string, done: Done) => void): Promise<void> {
  const queue = works.flatMap(({ from, to, ...rest }) =>
    Array.from({ length: Math.ceil((to - from) / batch) }, (_, i): Work => {
      const start = from + i * batch;
      return { ...rest, from: start, to: Math.min(to, start + batch) };
    }),
  );
  return new Promise((resolve, reject) => {
    let running = 0;
    const more = (): void => {
      while (running < jobs && queue.length > 0) {
        running++;
        start();
      }
      if (running === 0) resolve();
    };
    const start = (): void => {
      const child = fork(childFile, [], {
        execArgv: [`--max-old-space-size=${heapMegabytes}`],
        stdio: ["ignore", "ignore", "pipe", "ipc"],
      });
      let state: Running | undefined;
      let ready = false;
      let hung = false;
      let stderr = "";
      child.stderr?.setEncoding("utf8").on("data", (text: string) => {
        stderr = (stderr + text).slice(-4000);
      });
      const arm = (one: Running): void => {
        clearTimeout(one.timer);
        one.timer = setTimeout(() => {
          hung = true;
          child.kill("SIGKILL");
        }, silenceMilliseconds);
      };
      const give = (): void => {
        const work = queue.shift();
        if (work === undefined || (state !== undefined && state.cases >= lifetime)) {
          if (work) queue.unshift(work);
          clearTimeout(state?.timer);
          state = undefined;
          child.disconnect();
          return;
        }
        state = { work, next: work.from, cases: state?.cases ?? 0, ...(state?.timer ? { timer: state.timer } : {}) };
        arm(state);
        child.send(work);
      };
      child.on("message", (message: "ready" | "idle" | Done) => {
        if (message === "ready") ready = true;
        if (typeof message === "string") return give();
        if (state === undefined) return;
        report(state.work.target, message);
        state.next = message.number + 1;
        state.cases++;
        arm(state);
      });
      child.on("exit", (code, signal) => {
        running--;
        clearTimeout(state?.timer);
        if (!ready) return reject(new Error(`a process did not start: ${stderr}`));
        if (state !== undefined && state.next < state.work.to) {
          const what = hung ? `hung: silent for ${silenceMilliseconds / 1000} s` : `died: status ${code}, signal ${signal}: ${stderr}`;
          report(state.work.target, { number: state.next, verdict: { kind: "fault", what }, share: 0, seconds: 0, residentBytes: 0 });
          if (state.next + 1 < state.work.to) queue.unshift({ ...state.work, from: state.next + 1 });
        }
        more();
      });
    };
    more();
  });
}
