/**
 * Text of the user's in generated WGSL: the functions that hooks return, the code of kernels. It stands between comments that say where it
 * comes from, so that what a compiler says of the generated code can be told by the lines of the user's own text.
 */
import { asRadarError, type Load, type Store } from "@dechirp/core";
import { layoutError } from "@dechirp/core/backend";

const begins = "//<dechirp ";
const ends = "//>dechirp";

/** What a user's function at `field` returns. Throws `compile`, with its cause, where it throws. */
export function called<T>(field: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw asRadarError(error, field, "compile", { field });
  }
}

/** `text`, which is the user's, as generated code has it. Text of which a part is marked stays as it is. */
export const marked = (field: string, text: string): string => (text.includes(begins) ? text : `${begins}${field}\n${text}\n${ends}`);

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

/** Ends of lines, as WGSL has them (section 3.3, "Blankspace and Line Breaks"). */
const lineBreak = /\r\n|[\n\v\f\r\x85\u2028\u2029]/;

/**
 * The place of a message about `code` in the user's own text. Where a text leaves a brace or a comment open, compilers find that out in what
 * comes after it: such a message belongs to the text's last line. Both numbers count from 1, as a compiler's do.
 */
export function placeOf(code: string, line: number, column: number): Place {
  const texts = markedTexts(code);
  const own = texts.find(({ first, last }) => first <= line && line <= last);
  const open = texts.find((text) => text.last < line && text !== own && !isClosed(text.lines));
  // What is wrong with a function as a whole is told where its head or its last brace is.
  const around = texts.find(({ first, last }) => line === first - 2 || line === last + 2);
  const text = open ?? own ?? around;
  if (!text) return { line, column };
  const { field, first, lines } = text;
  if (text === own) return { field, line: line - first + 1, column };
  if (text !== open && line < first) return { field, line: 1, column: 1 };
  return { field, line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}

function markedTexts(code: string): readonly Marked[] {
  const lines = code.split(lineBreak);
  const texts: Marked[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (!lines[at].startsWith(begins)) continue;
    const end = lines.indexOf(ends, at);
    texts.push({ field: lines[at].slice(begins.length), first: at + 2, last: end, lines: lines.slice(at + 1, end) });
    at = end;
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
