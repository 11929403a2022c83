/**
 * A progress bar on stderr, and only where that is a terminal; nothing anywhere else. It changes nothing of the terminal but the line it is
 * on: it neither hides the cursor, nor saves its place, nor turns the wrapping of lines off, because a process that is killed or stopped
 * (Ctrl-Z) could not put these right. That is why no library draws it.
 */
import { oneLine } from "@dechirp/core/internal";
import type { Io } from "./io.ts";
import { isScreen } from "./status.ts";

export interface Progress extends Disposable {
  /** `share` of the whole, 0 to 1. */
  update(what: string, share: number): void;
}

const silent: Progress = { update() {}, [Symbol.dispose]() {} };

/** Bars that are on a terminal now. */
const shown = new Set<Progress>();

/** Takes bars off their terminals: for who has to say something else there, and end. */
export function clearProgress(): void {
  for (const bar of shown) bar[Symbol.dispose]();
}

const intervalMilliseconds = 50;
const usualColumns = 80;
const cells = 30;
/** From here on a character may take two columns. */
const firstWide = 0x1100;

export function createProgress(io: Io, title: string): Progress {
  if (!isScreen(io.stderr, io.env)) return silent;
  const stream = io.stderr as NodeJS.WriteStream;
  let [name, done] = ["", 0];
  let last = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const draw = (): void => {
    timer = undefined;
    last = performance.now();
    const full = Math.round(cells * done);
    const text = `${title} [${"=".repeat(full)}${" ".repeat(cells - full)}] ${Math.round(100 * done)}% ${name}`;
    stream.write(`\r${fitting(text, (stream.columns || usualColumns) - 1)}\x1b[K`);
  };
  const progress: Progress = {
    update(what, share) {
      if (!shown.has(progress)) return;
      [name, done] = [oneLine(what), Math.min(1, Math.max(0, share))];
      const left = last + intervalMilliseconds - performance.now();
      if (left <= 0) draw();
      else timer ??= setTimeout(draw, left).unref();
    },
    [Symbol.dispose]() {
      if (!shown.delete(progress)) return;
      clearTimeout(timer);
      stream.write("\r\x1b[K");
    },
  };
  shown.add(progress);
  draw();
  return progress;
}

/** As much of a text as so many columns hold: a line that wraps could not be taken off. */
function fitting(text: string, columns: number): string {
  let end = 0;
  let width = 0;
  for (const character of text) {
    width += (character.codePointAt(0) as number) < firstWide ? 1 : 2;
    if (width > columns) break;
    end += character.length;
  }
  return text.slice(0, end);
}
