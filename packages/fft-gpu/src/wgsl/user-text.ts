/**
 * Marks text of the user's in generated WGSL: the functions that hooks return, and the code of kernels. A comment before the text says
 * where it comes from and how many lines it has, so that a compiler's messages can refer to the lines of the user's own text. A marked
 * text may contain others, as the code of a kernel does that calls a hook's function.
 */
import type { Load, Store } from "@dechirp/core";
import { asRadarError, layoutError } from "@dechirp/core/backend";

/** Line breaks of WGSL (section 3.3, "Blankspace and Line Breaks"). */
const lineBreak = /\r\n|[\n\v\f\r\x85\u2028\u2029]/;
const mark = /^\/\/<dechirp (\d+) (.*)$/;

/** Calls a user's function at `field` and returns its result. Throws `compile` if it throws, with that exception as its cause. */
export function called<T>(field: string, call: () => T): T {
  try {
    const value = call();
    // Handles the rejection of a promise. The caller reports that the result is not a string.
    Promise.resolve(value).catch(() => {});
    return value;
  } catch (error) {
    throw asRadarError(error, field, "compile", { field });
  }
}

/** Returns the user's `text` with its mark. A new line must follow. Throws `layout` if it is not a string. */
export function marked(field: string, text: string): string {
  if (typeof text !== "string") throw layoutError(field, "a string", text);
  return `//<dechirp ${text.split(lineBreak).length} ${field}\n${text}`;
}

/**
 * Returns the function `head` with the body that a user's function at `field` returns. Throws `compile` if that throws, and `layout` if it
 * does not return a string.
 */
export function userFunction(head: string, field: string, call: () => unknown): string {
  const body = called(field, call);
  if (typeof body !== "string" || body.trim() === "") throw layoutError(`${field}()`, "a string that is not empty", body);
  return `fn ${head} {\n${marked(field, body)}\n}`;
}

/** Generates the function that core's `WgslToolkit.hook` describes. */
export function hookFunction(end: "load" | "h" | "store", hook: Load | Store, rank: number): string | undefined {
  if (!hook.wgsl) return undefined;
  const value = end === "store" ? ", value: vec2f" : "";
  return userFunction(`dechirp_${end}(at: array<u32, ${rank}>${value}) -> vec2f`, `${end}.wgsl`, () => hook.wgsl?.(hook.constants ?? {}));
}

/** The place of a compiler's message. */
export interface Place {
  /** The function that returned the text, such as `load.wgsl`. Undefined if the place is in generated code. */
  readonly field?: string;
  /** Line and column count from 1. */
  readonly line: number;
  readonly column: number;
}

interface Marked {
  readonly field: string;
  /** Numbers of its first and last line in the code. */
  readonly first: number;
  readonly last: number;
  readonly lines: readonly string[];
}

/**
 * Returns the place of a message about `code` in the user's own text. If a text leaves a brace or a comment open, compilers report that in
 * the text after it; such a message is assigned to the last line of the open text. Line and column count from 1, as a compiler's do.
 */
export function placeOf(code: string, line: number, column: number): Place {
  const texts = markedTexts(code);
  // The innermost text is the last to begin.
  const own = texts.filter(({ first, last }) => first <= line && line <= last).at(-1);
  const unclosed = texts.filter((text) => text.last < line && text !== own && !isClosed(text.lines));
  const open = unclosed.find(({ first, last }) => !unclosed.some((inner) => inner.first > first && inner.last <= last));
  // Compilers report errors about a function as a whole at its head or its last brace.
  const around = texts.find(({ first }) => line === first - 2) ?? texts.find(({ last }) => line === last + 1);
  const text = open ?? around ?? own;
  if (!text) return { line, column };
  const { field, first, lines } = text;
  if (text === own) return { field, line: line - first + 1, column };
  if (text !== open && line < first) return { field, line: 1, column: 1 };
  return { field, line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}

function markedTexts(code: string): readonly Marked[] {
  const lines = code.split(lineBreak);
  const texts: Marked[] = [];
  for (const [at, line] of lines.entries()) {
    const found = mark.exec(line);
    if (!found) continue;
    const [first, last] = [at + 2, at + 1 + Number(found[1])];
    // A user's own comment may look like a mark with a wrong number of lines.
    if (last > lines.length || texts.some((outer) => at < outer.last && outer.last < last)) continue;
    texts.push({ field: found[2], first, last, lines: lines.slice(at + 1, last) });
  }
  return texts;
}

/** Whether all brackets and comments are closed. A text may close the function that contains it and begin another. */
function isClosed(lines: readonly string[]): boolean {
  let comments = 0;
  let brackets = 0;
  for (const line of lines) {
    for (let i = 0; i < line.length; i++) {
      const two = line.slice(i, i + 2);
      if (two === "/*" || (two === "*/" && comments > 0)) {
        comments += two === "/*" ? 1 : -1;
        i++;
      } else if (comments === 0) {
        if (two === "//") break;
        if ("{([".includes(line[i])) brackets += 1;
        else if ("})]".includes(line[i])) brackets -= 1;
      }
    }
  }
  return comments === 0 && brackets === 0;
}
