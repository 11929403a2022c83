/**
 * Settings of a task: a table of named values, each with its default and its form in the address of the page. Addresses have only what differs
 * from the defaults, so that they stay short, and equal settings have equal addresses.
 */
import { inputError, isRadarError, messageOf } from "@dechirp/core";

/** One setting: its default, and how it is read from an address and written to it. */
export interface Setting<T> {
  readonly default: T;
  /** Throws `input`, which names the setting, if the text has no valid value. */
  readonly parse: (text: string, name: string) => T;
  readonly format: (value: T) => string;
}

// biome-ignore lint/suspicious/noExplicitAny: a table has settings of several types.
export type Settings = Readonly<Record<string, Setting<any>>>;

/** The values of a table of settings. */
export type SettingValues<S extends Settings> = { readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never };

/** One of a few words. */
export function choice<const T extends string>(words: readonly T[], standard: NoInfer<T>): Setting<T> {
  return {
    default: standard,
    parse(text, name) {
      const word = words.find((one) => one === text);
      if (word === undefined) throw inputError(name, words.join(" or "), text);
      return word;
    },
    format: (value) => value,
  };
}

/** The number of a text, NaN if it is none. An empty text is none, although `Number` reads it as 0. */
const numberIn = (text: string): number => (text.trim() === "" ? Number.NaN : Number(text));

/** A number from `low` to `high`. */
export function decimal(low: number, high: number, standard: number): Setting<number> {
  return {
    default: standard,
    parse(text, name) {
      const value = numberIn(text);
      if (!(value >= low && value <= high)) throw inputError(name, `a number from ${low} to ${high}`, text);
      return value;
    },
    format: String,
  };
}

/** An integer from `low` to `high`. */
export function integer(low: number, high: number, standard: number): Setting<number> {
  return {
    default: standard,
    parse(text, name) {
      const value = numberIn(text);
      if (!(Number.isInteger(value) && value >= low && value <= high)) throw inputError(name, `an integer from ${low} to ${high}`, text);
      return value;
    },
    format: String,
  };
}

/** Yes or no. */
export const flag = (standard: boolean): Setting<boolean> => ({
  default: standard,
  parse(text, name) {
    if (text !== "yes" && text !== "no") throw inputError(name, "yes or no", text);
    return text === "yes";
  },
  format: (value) => (value ? "yes" : "no"),
});

/** A value, or `auto`: the program decides. */
export const orAuto = <T>({ parse, format }: Setting<T>): Setting<T | "auto"> => ({
  default: "auto",
  parse: (text, name) => (text === "auto" ? "auto" : parse(text, name)),
  format: (value) => (value === "auto" ? "auto" : format(value)),
});

/** Any text of at most `longest` characters. */
export const words = (standard: string, longest = 2000): Setting<string> => ({
  default: standard,
  parse(text, name) {
    if (text.length > longest) throw inputError(name, `at most ${longest} characters`, text.length);
    return text;
  },
  format: (value) => value,
});

/** A setting that may be left open: `undefined`, which addresses leave out. */
export const optional = <T>({ parse, format }: Setting<T>): Setting<T | undefined> => ({
  default: undefined,
  parse: (text, name) => (text === "" ? undefined : parse(text, name)),
  format: (value) => (value === undefined ? "" : format(value)),
});

/** The defaults of a table. */
export const defaultsOf = <S extends Settings>(settings: S): SettingValues<S> =>
  Object.fromEntries(Object.entries(settings).map(([name, { default: standard }]) => [name, standard])) as SettingValues<S>;

/** Settings as they were read from an address. `problems` says of each that had no valid value what is used instead. */
export interface ReadSettings<S extends Settings> {
  readonly values: SettingValues<S>;
  readonly problems: readonly string[];
}

const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

/** Says that the address has a value which is not possible, which values are, and what is used instead: `used` may be a sentence. */
export function notPossible(name: string, value: string | number, expected: string, used: string | number): string {
  const instead = used === "" ? "It is left open." : /\.$/.test(String(used)) ? used : `${used} is used instead.`;
  return `${name}=${shortened(String(value))} is not possible: it must be ${expected}. ${instead}`;
}

/** Reads the settings of a query. Names that are not settings are problems, too. */
export function readSettings<S extends Settings>(settings: S, query: URLSearchParams): ReadSettings<S> {
  const values: Record<string, unknown> = { ...defaultsOf(settings) };
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const [name, text] of query) {
    if (seen.has(name)) problems.push(`The address has ${shortened(name)} more than once: the last one counts.`);
    seen.add(name);
    const setting = Object.hasOwn(settings, name) ? settings[name] : undefined;
    if (!setting) {
      problems.push(`${name}=${shortened(text)} is not used: this task has no setting ${shortened(name)}.`);
      continue;
    }
    try {
      values[name] = setting.parse(text, name);
    } catch (error) {
      const expected = isRadarError(error, "input") ? error.fields["expected"] : undefined;
      const standard = setting.format(setting.default);
      problems.push(notPossible(name, text, typeof expected === "string" ? expected : messageOf(error), standard));
    }
  }
  return { values: values as SettingValues<S>, problems };
}

/** Writes what differs from the defaults, in the order of the table. */
export function writeSettings<S extends Settings>(settings: S, values: SettingValues<S>): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, { default: standard, format }] of Object.entries(settings)) {
    const text = format(values[name as keyof S]);
    if (text !== format(standard)) query.set(name, text);
  }
  return query;
}
