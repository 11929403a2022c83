/**
 * The kit's own assertions, so that it depends on no test runner. A failure is a plain `Error` whose message says what was
 * expected and what came; the runner shows it.
 */
import { isRadarError, messageOf, type RadarErrorCode, type TypedArrayOf } from "@dechirp/core";

export function fail(message: string): never {
  throw new Error(message);
}

export function isTrue(condition: boolean, message: string): void {
  if (!condition) fail(message);
}

/** Structural equality of plain data. */
export function equal(actual: unknown, expected: unknown, what: string): void {
  const [a, e] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== e) fail(`${what}: expected ${e}, got ${a}`);
}

/** Every number is the same, bit for bit but for the payload of a NaN; −0 is 0. */
export function identical(actual: TypedArrayOf, expected: ArrayLike<number>, what: string): void {
  if (actual.length !== expected.length) fail(`${what}: expected ${expected.length} numbers, got ${actual.length}`);
  for (let i = 0; i < actual.length; i++) {
    if (actual[i] === expected[i] || (Number.isNaN(actual[i]) && Number.isNaN(expected[i]))) continue;
    fail(`${what}: number ${i} must be ${expected[i]}, got ${actual[i]}`);
  }
}

/** ‖actual − expected‖ / ‖expected‖; Infinity where anything is not finite, or where `expected` is zero and `actual` is not. */
export function relativeL2(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  if (actual.length !== expected.length) fail(`expected ${expected.length} numbers, got ${actual.length}`);
  let error = 0;
  let energy = 0;
  for (let i = 0; i < expected.length; i++) {
    error += (actual[i] - expected[i]) ** 2;
    energy += expected[i] ** 2;
  }
  if (error === 0) return 0;
  const ratio = Math.sqrt(error / energy);
  return Number.isFinite(ratio) ? ratio : Infinity;
}

/** Relative L2 distance within `tolerance`. */
export function close(actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number, what: string): void {
  const error = relativeL2(actual, expected);
  if (!(error <= tolerance)) fail(`${what}: relative L2 error ${error.toExponential(2)}, allowed ${tolerance.toExponential(2)}`);
}

/** `promise` rejects with a `RadarError` of `code`, within some seconds. */
export async function rejects(promise: Promise<unknown>, code: RadarErrorCode | undefined, what: string): Promise<void> {
  const error = await settles(promise, what).then(
    () => fail(`${what}: expected a rejection with ${code ?? "a RadarError"}, but it resolved`),
    (reason: unknown) => reason,
  );
  expectCode(error, code, what);
}

/** `action` throws, at once, a `RadarError` of `code` whose message holds `text`. */
export function throws(action: () => unknown, code: RadarErrorCode, what: string, text = ""): void {
  let error: unknown;
  try {
    action();
  } catch (thrown) {
    error = thrown;
  }
  if (error === undefined) fail(`${what}: expected ${code} to be thrown, nothing was`);
  expectCode(error, code, what);
  const { message } = error as Error;
  isTrue(message.includes(text), `${what}: the message must name ${text}: ${message}`);
}

function expectCode(error: unknown, code: RadarErrorCode | undefined, what: string): void {
  if (!isRadarError(error)) fail(`${what}: expected ${code ?? "a RadarError"}, got ${messageOf(error)}`);
  if (code !== undefined && error.code !== code) fail(`${what}: expected ${code}, got ${error.code} (${error.message})`);
}

/** `promise`, or a failure where it has not settled within some seconds. */
export async function settles<T>(promise: Promise<T>, what: string, milliseconds = 120_000): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} has not settled within ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A promise that is looked at later, and may be rejected before: nobody is to take it for one that nobody looks at. */
export function later<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
