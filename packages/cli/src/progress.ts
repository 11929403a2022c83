/**
 * A progress bar on stderr, shown only if stderr is a terminal. It changes only its own line of the terminal. It does not hide the
 * cursor, save its position or turn off line wrapping, because a process that is killed or stopped (Ctrl-Z) could not restore these.
 * This is why no library draws the bar.
 */
import { oneLine } from "@dechirp/core/internal";
import type { Io } from "./io.ts";
import { isScreen } from "./status.ts";

/** A progress bar. Disposing of it removes it from the terminal. */
export interface Progress extends Disposable {
  /** Shows the current step and the share of the whole that is done, 0 to 1. */
  update(what: string, share: number): void;
  /** Removes the bar until the next update, so that a line of text can be printed. */
  clear(): void;
}

const silent: Progress = { update() {}, clear() {}, [Symbol.dispose]() {} };

/** Bars that are shown now. */
const shown = new Set<Progress>();

/** Removes all bars, before other text is printed and the process ends. */
export function clearProgress(): void {
  for (const bar of shown) bar[Symbol.dispose]();
}

const intervalMilliseconds = 50;
const usualColumns = 80;
/** Length of the bar. It is shortened as far as the fewest if the text fits then. */
const [mostCells, fewestCells] = [30, 8];
/** Characters from here on may be two columns wide. */
const firstWide = 0x1100;

/** Creates a progress bar, or one that does nothing if stderr is not a terminal. */
export function createProgress(io: Io, title: string): Progress {
  if (!isScreen(io.stderr, io.env)) return silent;
  const stream = io.stderr as NodeJS.WriteStream;
  let [name, done] = ["", 0];
  let last = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const draw = (): void => {
    timer = undefined;
    last = performance.now();
    const columns = (stream.columns || usualColumns) - 1;
    const [before, after] = [`${title} [`, `] ${Math.round(100 * done)}% ${name}`];
    const left = columns - widthOf(before + after);
    const cells = left < fewestCells ? mostCells : Math.min(mostCells, left);
    const full = Math.round(cells * done);
    stream.write(`\r${fitting(`${before}${"=".repeat(full)}${" ".repeat(cells - full)}${after}`, columns)}\x1b[K`);
  };
  const progress: Progress = {
    update(what, share) {
      if (!shown.has(progress)) return;
      [name, done] = [oneLine(what), Math.min(1, Math.max(0, share))];
      const left = last + intervalMilliseconds - performance.now();
      if (left <= 0) draw();
      else timer ??= setTimeout(draw, left).unref();
    },
    clear() {
      if (!shown.has(progress)) return;
      clearTimeout(timer);
      [timer, last] = [undefined, Number.NEGATIVE_INFINITY];
      stream.write("\r\x1b[K");
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

const widthOfOne = (character: string): number => ((character.codePointAt(0) as number) < firstWide ? 1 : 2);
const widthOf = (text: string): number => Array.from(text, widthOfOne).reduce((sum, width) => sum + width, 0);

/** Cuts a text to a number of columns. A line that wraps could not be removed. */
function fitting(text: string, columns: number): string {
  let end = 0;
  let width = 0;
  for (const character of text) {
    width += widthOfOne(character);
    if (width > columns) break;
    end += character.length;
  }
  return text.slice(0, end);
}
