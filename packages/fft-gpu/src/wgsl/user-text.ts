/**
 * Text of the user's in generated WGSL: the functions that hooks return, the code of kernels. A comment before it says where it comes from
 * and how many lines it has, so that what a compiler says of the generated code can be told by the lines of the user's own text. A text may
 * hold others, as a kernel's does that is written around a hook's function.
 */
import type { Load, Store } from "@dechirp/core";
import { asRadarError, layoutError } from "@dechirp/core/backend";

/** Ends of lines, as WGSL has them (section 3.3, "Blankspace and Line Breaks"). */
const lineBreak = /\r\n|[\n\v\f\r\x85\u2028\u2029]/;
const mark = /^\/\/<dechirp (\d+) (.*)$/;

/** What a user's function at `field` returns. Throws `compile`, with its cause, where it throws. */
export function called<T>(field: string, call: () => T): T {
  try {
    const value = call();
    // Of a promise nobody would hear that it rejects; that it is no text is for others to say.
    Promise.resolve(value).catch(() => {});
    return value;
  } catch (error) {
    throw asRadarError(error, field, "compile", { field });
  }
}

/** `text`, which is the user's, as generated code has it: a new line has to follow. Throws `layout` for what is no text. */
export function marked(field: string, text: string): string {
  if (typeof text !== "string") throw layoutError(field, "a text", text);
  return `//<dechirp ${text.split(lineBreak).length} ${field}\n${text}`;
}

/** The function `head` whose body a user's function at `field` returns. Throws `compile` where that throws, `layout` where it returns no text. */
export function userFunction(head: string, field: string, call: () => unknown): string {
  const body = called(field, call);
  if (typeof body !== "string" || body.trim() === "") throw layoutError(`${field}()`, "a text that is not empty", body);
  return `fn ${head} {\n${marked(field, body)}\n}`;
}

/** As core's `WgslToolkit.hook` says. */
export function hookFunction(end: "load" | "store", hook: Load | Store, rank: number): string | undefined {
  if (!hook.wgsl) return undefined;
  const value = end === "store" ? ", value: vec2f" : "";
  return userFunction(`dechirp_${end}(at: array<u32, ${rank}>${value}) -> vec2f`, `${end}.wgsl`, () => hook.wgsl?.(hook.constants ?? {}));
}

/** Where a compiler's message belongs. */
export interface Place {
  /** The function that returned the text, `load.wgsl`; nothing where the place is in generated code. */
  readonly field?: string;
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
}

interface Marked {
  readonly field: string;
  /** Numbers of its lines in the code. */
  readonly first: number;
  readonly last: number;
  readonly lines: readonly string[];
}

/**
 * The place of a message about `code` in the user's own text. Where a text leaves a brace or a comment open, compilers find that out in what
 * comes after it: such a message belongs to the text's last line. Both numbers count from 1, as a compiler's do.
 */
export function placeOf(code: string, line: number, column: number): Place {
  const texts = markedTexts(code);
  // The innermost, which is the last to begin.
  const own = texts.filter(({ first, last }) => first <= line && line <= last).at(-1);
  const unclosed = texts.filter((text) => text.last < line && text !== own && !isClosed(text.lines));
  const open = unclosed.find(({ first, last }) => !unclosed.some((inner) => inner.first > first && inner.last <= last));
  // What is wrong with a function as a whole is told where its head or its last brace is.
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
    // A comment of the user's own may look like a mark, and state lines that are not there.
    if (last > lines.length || texts.some((outer) => at < outer.last && outer.last < last)) continue;
    texts.push({ field: found[2], first, last, lines: lines.slice(at + 1, last) });
  }
  return texts;
}

/** Whether as many brackets close as open, and every comment ends. A text may close the function that it stands in and begin another. */
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
