/**
 * Windows (tapers): checks, texts and values, all read from the table in window-table.ts. Windows with a continuous formula are even,
 * 1 in the middle and 0 outside [−½, ½]. How a processor lays a window over a pulse or a Doppler band is not here.
 */
import { inputError } from "@dechirp/core";
import { checkFields, type FieldsOf } from "@dechirp/core/internal";
import type { WindowShape } from "./window-shapes.ts";
import { type Window, type WindowKind, type WindowParameter, type WindowRow, windowTable } from "./window-table.ts";

/** Names of all windows, in the order of the table. */
export const windowKinds: readonly WindowKind[] = /* @__PURE__ */ Object.keys(windowTable) as WindowKind[];

const maxSamples = 2 ** 26;

const rowOf = (kind: WindowKind): WindowRow => windowTable[kind];

const isKind = (kind: unknown): kind is WindowKind => typeof kind === "string" && Object.hasOwn(windowTable, kind);

/** Which windows a function takes. */
export interface WindowChoice {
  /** Only windows with a continuous formula, which `windowFunction` takes. Default: all. */
  readonly continuous?: boolean;
}

/** Whether a window has a continuous formula, so that `windowFunction` takes it. Otherwise only `windowSamples` does. */
export const isContinuous = (kind: WindowKind): boolean => rowOf(kind).shape !== undefined;

const choiceFields: FieldsOf<WindowChoice> = { continuous: "boolean" };

function chosenKinds(choice: WindowChoice): readonly WindowKind[] {
  checkFields(choice, choiceFields, "options of windows", "input");
  return windowKinds.filter((kind) => !choice.continuous || isContinuous(kind));
}

/** The window of a kind with the default of every parameter. Throws `input` if there is no such kind. */
export function windowOfKind(kind: WindowKind): Window {
  if (!isKind(kind)) throw inputError("kind", `one of ${windowKinds.join(", ")}`, kind);
  return {
    kind,
    ...Object.fromEntries(rowOf(kind).parameters.map((parameter) => [parameter.name, parameter.default])),
  } as unknown as Window;
}

/**
 * Throws `input` unless `window` is a window of the table that `options` allows and its parameters are in range. `field` is the name of
 * the window in the error; default: `window`.
 */
export function checkWindow(window: Window, field = "window", options: WindowChoice = {}): void {
  const kind = (window as { readonly kind?: unknown } | null | undefined)?.kind;
  const kinds = chosenKinds(options);
  if (!(isKind(kind) && kinds.includes(kind))) {
    const why = isKind(kind) ? `: ${kind} is defined for a number of samples only` : "";
    throw inputError(field, `one of ${kinds.join(", ")}${why}`, kind);
  }
  for (const parameter of rowOf(kind).parameters) checkParameter(window, parameter, field);
}

function checkParameter(window: Window, { name, min, max, integer }: WindowParameter, field: string): void {
  const value: unknown = (window as unknown as Readonly<Record<string, unknown>>)[name];
  const sound = typeof value === "number" && value >= min && value <= max && (!integer || Number.isInteger(value));
  if (!sound) throw inputError(`${field}.${name}`, `${integer ? "an integer" : "a number"} from ${min} to ${max}`, value);
}

const parametersOf = (window: Window): number[] =>
  rowOf(window.kind).parameters.map(({ name }) => (window as unknown as Readonly<Record<string, number>>)[name]);

/** The continuous formula of a window. Throws `input` if the window is not valid or has none. */
export function windowShape(window: Window): WindowShape {
  checkWindow(window, "window", { continuous: true });
  return (rowOf(window.kind).shape as NonNullable<WindowRow["shape"]>)(...parametersOf(window));
}

/**
 * The window as a function of x: w(x) for −½ ≤ x ≤ ½, and 0 for other x. Coefficients are computed once, here.
 * Throws `input` if the window is not valid or has no continuous formula.
 */
export function windowFunction(window: Window): (x: number) => number {
  const { at } = windowShape(window);
  return (x) => (Math.abs(x) <= 0.5 ? at(x) : 0);
}

/**
 * `n` samples of a window: w at the middles of n equal parts of [−½, ½]. They are symmetric, and no sample is 0 because the window ends
 * at 0. Windows that are defined for a number of samples (`chebyshev`) have their largest sample at 1. Throws `input` if the window is
 * not valid, or if `n` is not an integer from 1 to 2²⁶ (2¹² for `chebyshev`).
 */
export function windowSamples(window: Window, n: number): Float64Array {
  checkWindow(window);
  const { samples, maxSamples: most = maxSamples } = rowOf(window.kind);
  if (!Number.isInteger(n) || n < 1 || n > most) throw inputError("n", `an integer from 1 to ${most}`, n);
  if (samples) return samples(n, ...parametersOf(window));
  const w = windowFunction(window);
  return Float64Array.from({ length: n }, (_, i) => w((i + 0.5) / n - 0.5));
}

const numberText = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** A row as texts have it: `rect`, `kaiser:BETA`. */
const syntaxOf = (kind: WindowKind): string => {
  const labels = rowOf(kind).parameters.map(({ label }) => label);
  return labels.length > 0 ? `${kind}:${labels.join(",")}` : kind;
};

/** The windows that `parseWindow` reads, for help and messages: `rect, hamming, hann, kaiser:BETA, … or chebyshev:DB`. */
export function windowSyntax(options: WindowChoice = {}): string {
  const all = chosenKinds(options).map(syntaxOf);
  return `${all.slice(0, -1).join(", ")} or ${all[all.length - 1]}`;
}

/**
 * Reads a window from a text such as `hamming`, `kaiser:2.5` or `taylor:4,-30`. A name without parameters takes the defaults of the table:
 * `kaiser` is `kaiser:2.5`. A side-lobe level may be given without its minus sign. Throws `input`, naming `window`,
 * if the text is no window that `options` allows.
 */
export function parseWindow(text: string, options: WindowChoice = {}): Window {
  const trimmed = typeof text === "string" && text.length <= 100 ? text.trim() : "";
  const colon = trimmed.indexOf(":");
  const kind = colon < 0 ? trimmed : trimmed.slice(0, colon);
  const known = isKind(kind) && chosenKinds(options).includes(kind);
  if (known && colon < 0) return windowOfKind(kind);
  const values = trimmed.slice(colon + 1).split(",");
  const parameters = known ? rowOf(kind).parameters : [];
  if (!known || parameters.length !== values.length || !values.every((value) => numberText.test(value)))
    throw inputError("window", `${windowSyntax(options)} (such as kaiser:2.5 or taylor:4,-30)`, text);
  const entries = parameters.map(({ name, level }, i) => [name, level ? -Math.abs(Number(values[i])) : Number(values[i])] as const);
  const window = { kind, ...Object.fromEntries(entries) } as unknown as Window;
  checkWindow(window);
  return window;
}

/** The text of a window, which `parseWindow` reads back. Throws `input` if the window is not valid. */
export function formatWindow(window: Window): string {
  checkWindow(window);
  const values = parametersOf(window);
  return values.length > 0 ? `${window.kind}:${values.join(",")}` : window.kind;
}
