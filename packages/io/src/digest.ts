/**
 * A digest of parameters, by which a run that goes on knows that it continues the same run: SHA-256 of JSON in one canonical form. Also
 * the differences of two JSON values, for messages.
 */
import { inputError, RadarError } from "@dechirp/core";

/** The deepest nesting of a value. */
const mostLevels = 200;

/**
 * JSON in one form for equal values: names of objects sorted by UTF-16 code units, no spaces, numbers as JavaScript writes them (RFC 8785).
 * Members that are undefined are left out. Throws `input`, which names the place, for what JSON can't say: numbers that are not finite,
 * functions, typed arrays and other objects of classes, cycles. `field` is the name of the value.
 */
export function canonicalJson(value: unknown, field = "parameters"): string {
  return text(value, field, 0);
}

function text(value: unknown, path: string, level: number): string {
  if (level > mostLevels) throw inputError(path.slice(0, 100), `a value of at most ${mostLevels} levels`, "deeper");
  if (value === null || typeof value === "boolean" || typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number" && Number.isFinite(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((one, i) => text(one, `${path}[${i}]`, level + 1)).join(",")}]`;
  if (!isPlain(value)) throw inputError(path, "JSON: null, a boolean, a finite number, a text, a list or a plain object", value);
  const members = Object.keys(value)
    .sort()
    .filter((name) => value[name] !== undefined)
    .map((name) => `${JSON.stringify(name)}:${text(value[name], `${path}.${name}`, level + 1)}`);
  return `{${members.join(",")}}`;
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const parent: unknown = Object.getPrototypeOf(value);
  // Objects of another realm (such as an iframe) have another Object.prototype.
  return parent === null || Object.getPrototypeOf(parent) === null;
}

/**
 * SHA-256 of `canonicalJson(parameters)`, as 64 hexadecimal digits. Equal parameters have equal digests, whatever the order of their
 * members. Rejects with `input` as `canonicalJson` throws, and with `unsupported` on pages that are not in a secure context (https or
 * localhost), which have no WebCrypto.
 */
export async function parametersDigest(parameters: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalJson(parameters));
  const subtle = (globalThis.crypto as Crypto | undefined)?.subtle;
  if (!subtle) throw new RadarError("unsupported", "a digest needs WebCrypto, which pages have on https and localhost only");
  const hash = new Uint8Array(await subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Up to `most` places where two values of JSON differ, each as `path: was, now`. */
export function jsonDifferences(was: unknown, now: unknown, most: number, path = ""): readonly string[] {
  if (most <= 0) return [];
  if (isPlain(was) && isPlain(now)) {
    const found: string[] = [];
    for (const name of [...new Set([...Object.keys(was), ...Object.keys(now)])].sort())
      found.push(...jsonDifferences(was[name], now[name], most - found.length, path === "" ? name : `${path}.${name}`));
    return found;
  }
  if (Array.isArray(was) && Array.isArray(now) && was.length === now.length) {
    const found: string[] = [];
    for (let i = 0; i < was.length && found.length < most; i++)
      found.push(...jsonDifferences(was[i], now[i], most - found.length, `${path}[${i}]`));
    return found;
  }
  const shown = (value: unknown): string => {
    const json = JSON.stringify(value) ?? "nothing";
    return json.length > 60 ? `${json.slice(0, 57)}...` : json;
  };
  return shown(was) === shown(now) && JSON.stringify(was) === JSON.stringify(now) ? [] : [`${path}: ${shown(was)}, now ${shown(now)}`];
}
