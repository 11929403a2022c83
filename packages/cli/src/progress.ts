/** A progress bar on stderr, and only where that is a terminal; nothing anywhere else. */
import type { Io } from "./io.ts";

export interface Progress extends Disposable {
  /** `share` of the whole, 0 to 1. */
  update(what: string, share: number): void;
}

const silent: Progress = { update() {}, [Symbol.dispose]() {} };

export async function createProgress(io: Io, title: string): Promise<Progress> {
  if (!io.stderr.isTTY) return silent;
  const { default: cliProgress } = await import("cli-progress");
  const bar = new cliProgress.SingleBar({
    format: "{title} [{bar}] {percentage}% {what}",
    stream: io.stderr as NodeJS.WritableStream,
    barCompleteChar: "=",
    barIncompleteChar: " ",
    barsize: 30,
    clearOnComplete: true,
    hideCursor: true,
    gracefulExit: false,
    emptyOnZero: true,
  });
  let stopped = false;
  bar.start(1000, 0, { title, what: "" });
  return {
    update(what, share) {
      if (!stopped) bar.update(Math.round(1000 * Math.min(1, Math.max(0, share))), { what });
    },
    [Symbol.dispose]() {
      if (stopped) return;
      stopped = true;
      bar.stop();
    },
  };
}
