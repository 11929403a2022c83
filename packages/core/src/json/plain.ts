/**
 * From text or objects that a stranger may have made to plain objects, lists, texts, numbers and truth values of a limited amount. Nothing
 * here knows programs.
 */
import { inputError, messageOf, RadarError } from "../errors.ts";
import { limits } from "./document.ts";

/** A `limit` error about the size of a document. */
export const tooLarge = (field: string, what: string, limit: number): RadarError =>
  new RadarError("limit", `${field} must have ${what}, but has more`, { field, expected: what, limit });

/** What a scan of JSON text has found. */
interface Scan {
  /** Number of fields of all objects. If there are fewer once the text is parsed, some were repeated. */
  readonly fields: number;
}

/** Counts what the text holds before it is parsed. Throws `limit`. Text that is not JSON passes; the parser refuses it. */
function scan(text: string): Scan {
  let [depth, items, fields] = [0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) at = endOfString(text, at);
    else if (code === 44 || code === 91 || code === 123) {
      if (code !== 44 && ++depth > limits.depth) throw tooLarge("program", depthText, limits.depth);
      if (++items > limits.items) throw tooLarge("program", itemsText, limits.items);
    } else if (code === 93 || code === 125) depth--;
    else if (code === 58) fields++;
  }
  return { fields };
}

const depthText = `at most ${limits.depth} objects and lists in one another`;
const itemsText = `at most ${limits.items} values`;

/** The place of the quote that ends the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === 92) before--;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}

/** The value of a JSON text as `plainCopy` makes it. Throws `input` and `limit`. */
export function parsePlain(text: string): unknown {
  const { fields } = scan(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new RadarError("input", `program must be JSON: ${messageOf(error).slice(0, 200)}`, { field: "program", expected: "JSON" }, error);
  }
  const copy = createCopier();
  const plain = copy.of(value, "program", 0);
  if (copy.fields() < fields)
    throw new RadarError("input", "program must be JSON whose objects have no field twice", {
      field: "program",
      expected: "distinct fields",
    });
  return plain;
}

/**
 * A copy of `value` that nobody else can change, of objects, lists, texts, numbers, truth values and nulls. Every getter is called once. Throws
 * `input`, naming the field, if there is something else in it, and `limit` if there is too much, also if it contains itself.
 */
export const plainCopy = (value: unknown): unknown => createCopier().of(value, "program", 0);

function createCopier() {
  let [items, texts, fields] = [0, 0, 0];
  const countText = (text: string, path: string): string => {
    // The bytes of arrays are checked against their shape.
    if (/^arrays\[\d+\]\.base64$/.test(path)) return text;
    texts += text.length;
    if (text.length > limits.text) throw tooLarge(path, `at most ${limits.text} characters`, limits.text);
    if (texts > limits.texts) throw tooLarge("program", `at most ${limits.texts} characters`, limits.texts);
    return text;
  };
  const of = (value: unknown, path: string, depth: number): unknown => {
    if (++items > limits.items) throw tooLarge("program", itemsText, limits.items);
    if (typeof value === "string") return countText(value, path);
    if (value === null || typeof value === "number" || typeof value === "boolean") return value;
    if (typeof value !== "object" || ArrayBuffer.isView(value)) throw inputError(path, "a value that JSON has", value);
    if (depth >= limits.depth) throw tooLarge("program", depthText, limits.depth);
    const inner = (name: string): string => (path === "program" ? name : `${path}.${name}`);
    try {
      if (Array.isArray(value)) {
        if (value.length > limits.items) throw tooLarge(path, itemsText, limits.items);
        const { length } = value;
        return Array.from({ length }, (_, i) => of(value[i], `${path}[${i}]`, depth + 1));
      }
      const copied: Record<string, unknown> = {};
      for (const name of Object.keys(value)) {
        fields++;
        countText(name, "program");
        if (name === "__proto__") throw inputError(inner(name), "a field with another name", name);
        const field = (value as Record<string, unknown>)[name];
        if (field !== undefined) copied[name] = of(field, inner(name), depth + 1);
      }
      return copied;
    } catch (error) {
      if (error instanceof RadarError) throw error;
      throw inputError(path, "readable", value, error); // a getter or a proxy that throws
    }
  };
  return { of, fields: () => fields };
}
