/** Makes the JSON of large values in pieces, so that the event loop can run in between. The text is that of `JSON.stringify`. */

/** Items of a list of plain values that form one piece. */
const pieceItems = 256;

/** The pieces of `JSON.stringify(value, null, 2)` for plain data. */
export function* jsonPieces(value: unknown, indent = ""): Generator<string> {
  if (typeof value !== "object" || value === null) {
    yield JSON.stringify(value) ?? "null";
    return;
  }
  const inner = `${indent}  `;
  const list = Array.isArray(value);
  const entries = list ? [] : Object.entries(value).filter(([, item]) => item !== undefined);
  if ((list ? value.length : entries.length) === 0) {
    yield list ? "[]" : "{}";
    return;
  }
  if (list && value.every((item) => typeof item !== "object" || item === null)) {
    for (let start = 0; start < value.length; start += pieceItems) {
      const lines = value.slice(start, start + pieceItems).map((item) => `${inner}${JSON.stringify(item) ?? "null"}`);
      yield `${start === 0 ? "[" : ","}\n${lines.join(",\n")}`;
    }
    yield `\n${indent}]`;
    return;
  }
  let before = list ? "[\n" : "{\n";
  for (const [key, item] of list ? value.map((one: unknown) => [undefined, one] as const) : entries) {
    yield `${before}${inner}${key === undefined ? "" : `${JSON.stringify(key)}: `}`;
    yield* jsonPieces(item, inner);
    before = ",\n";
  }
  yield `\n${indent}${list ? "]" : "}"}`;
}

/** Encodes texts as UTF-8, joined to chunks of at least `characters` characters. */
export function* encoded(texts: Iterable<string>, characters = 2 ** 18): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  let text = "";
  for (const more of texts) {
    text += more;
    if (text.length < characters) continue;
    yield encoder.encode(text);
    text = "";
  }
  if (text !== "") yield encoder.encode(text);
}
