/**
 * Wrong arguments for public functions, one at a time: each argument, and each field of arguments that are objects, is replaced in turn
 * by a value of every other type. What is thrown must be a `RadarError` that names the field, and nothing may hang. A subject is a
 * function with valid arguments. What it does with wrong arguments that it accepts is not checked.
 */
import { isRadarError } from "@dechirp/core";
import { describe as textOf } from "@dechirp/core/internal";

export interface Subject {
  readonly name: string;
  /** Names of the parameters, as in the signature. */
  readonly parameters: readonly string[];
  /** Calls the function. `args` are those of `sound`, except for one value. Resolves when it is done, after disposing of what it made. */
  call(...args: unknown[]): unknown;
  /** Valid arguments, made anew for every call. */
  sound(): readonly unknown[];
  /** Optional fields that the valid arguments lack, by parameter. */
  readonly more?: Readonly<Record<string, readonly string[]>>;
}

/** Values of every type. */
export const wrongValues = (): readonly unknown[] => {
  const detached = new Float32Array(8);
  structuredClone(detached, { transfer: [detached.buffer] });
  return [null, undefined, Number.NaN, -1, "x", {}, [], Symbol("wrong"), () => undefined, detached, detached.buffer, 2n, true];
};

/** How long a call may take, on a busy machine. */
const patienceMilliseconds = 20_000;

/** A position in the arguments: a parameter, or a field in it. */
type Path = readonly (string | number)[];

/** Lists everything that is wrong with the refusals of `subject`. */
export async function faultsOf(subject: Subject): Promise<readonly string[]> {
  const faults: string[] = [];
  const sound = await outcomeOf(() => subject.call(...subject.sound()));
  if (sound.kind !== "done") faults.push(`${subject.name} refuses sound arguments: ${told(sound)}`);
  for (const path of pathsOf(subject)) {
    for (const [i, value] of wrongValues().entries()) {
      const outcome = await outcomeOf(() => subject.call(...replaced(subject.sound(), path, value)));
      if (outcome.kind === "done") continue;
      const place = `${subject.name}: ${[subject.parameters[Number(path[0])], ...path.slice(1)].join(".")} = ${textOf(wrongValues()[i])}`;
      if (outcome.kind === "late") faults.push(`${place} hangs`);
      else if (!isRadarError(outcome.error)) faults.push(`${place} throws ${told(outcome)}`);
      else if (!names(outcome.error.message, subject, path)) faults.push(`${place} is not named: ${outcome.error.message}`);
    }
  }
  return faults;
}

/**
 * Whether a message names what is at `path`: the field itself, what contains it or what it contained, or a field beside it that
 * contradicts it.
 */
function names(message: string, subject: Subject, path: Path): boolean {
  const words: (string | number | undefined)[] = [subject.name, subject.parameters[Number(path[0])], ...path.slice(1)];
  let value: unknown = subject.sound();
  for (const [i, part] of path.entries()) {
    value = (value as Readonly<Record<string | number, unknown>>)[part];
    if (i >= path.length - 2) words.push(...keysOf(value));
  }
  const lower = message.toLowerCase();
  return words.some((word) => typeof word === "string" && Number.isNaN(Number(word)) && lower.includes(word.toLowerCase()));
}

/** Names of fields, at any depth. */
const keysOf = (value: unknown): readonly string[] =>
  isPlain(value) ? Object.entries(value).flatMap(([name, field]) => [name, ...keysOf(field)]) : [];

interface Outcome {
  readonly kind: "done" | "late" | "thrown";
  readonly error?: unknown;
}

async function outcomeOf(call: () => unknown): Promise<Outcome> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Outcome>((resolve) => {
    timer = setTimeout(() => resolve({ kind: "late" }), patienceMilliseconds);
  });
  try {
    const done = (async (): Promise<Outcome> => {
      await call();
      return { kind: "done" };
    })();
    return await Promise.race([done, late]);
  } catch (error) {
    return { kind: "thrown", error };
  } finally {
    clearTimeout(timer);
  }
}

const told = (outcome: Outcome): string =>
  outcome.kind !== "thrown"
    ? outcome.kind
    : outcome.error instanceof Error
      ? `${outcome.error.stack?.split("\n").slice(0, 3).join(" ")}`
      : textOf(outcome.error);

/** Fields of plain objects, to a depth of three; for lists only the first item. */
function pathsOf({ sound, more = {}, parameters }: Subject): readonly Path[] {
  const paths: Path[] = [];
  const walk = (value: unknown, path: Path): void => {
    paths.push(path);
    if (path.length > 4) return;
    if (Array.isArray(value) && value.length > 0 && value.length < 8) walk(value[0], [...path, 0]);
    if (!isPlain(value)) return;
    for (const [name, field] of Object.entries(value)) walk(field, [...path, name]);
  };
  for (const [i, value] of sound().entries()) {
    walk(value, [i]);
    for (const name of more[parameters[i]] ?? []) paths.push([i, name]);
  }
  return paths;
}

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype && !(Symbol.dispose in value);

function replaced(root: readonly unknown[], [first, ...rest]: Path, value: unknown): unknown[] {
  const put = (target: unknown, path: Path): unknown => {
    if (path.length === 0) return value;
    const [name, ...inner] = path;
    const copy: Record<string | number, unknown> = Array.isArray(target) ? ([...target] as never) : { ...(target as object) };
    copy[name] = put(copy[name], inner);
    return copy;
  };
  return root.map((argument, i) => (i === first ? put(argument, rest) : argument));
}
