/**
 * The kit's own assertions; with them it depends on no test runner. A failure is a plain `Error` whose message says what was expected and
 * what came.
 */
import { isRadarError, messageOf, type RadarErrorCode, type TypedArrayOf } from "@dechirp/core";

/** Fails the check with a message. */
export function fail(message: string): never {
  throw new Error(message);
}

/** Fails unless `condition` is true. */
export function isTrue(condition: boolean, message: string): void {
  if (!condition) fail(message);
}

/** Fails unless two values have the same JSON. */
export function equal(actual: unknown, expected: unknown, what: string): void {
  const [a, e] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== e) fail(`${what}: expected ${e}, got ${a}`);
}

/** The numbers in one type of array, so that engines compile one loop for all types. */
const doubles = (x: ArrayLike<number>): Float64Array => (x instanceof Float64Array ? x : new Float64Array(x));

/** Fails unless all numbers are equal. NaN equals NaN, and −0 equals 0. */
export function identical(actual: TypedArrayOf, expected: ArrayLike<number>, what: string): void {
  if (actual.length !== expected.length) fail(`${what}: expected ${expected.length} numbers, got ${actual.length}`);
  const [a, e] = [doubles(actual), doubles(expected)];
  for (let i = 0; i < a.length; i++) {
    if (a[i] === e[i] || (Number.isNaN(a[i]) && Number.isNaN(e[i]))) continue;
    fail(`${what}: number ${i} must be ${e[i]}, got ${a[i]}`);
  }
}

/**
 * ‖actual − expected‖ / ‖expected‖. 0 if they are equal; Infinity if a number is not finite, or if `expected` is zero and `actual` is
 * not.
 */
export function relativeL2(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  if (actual.length !== expected.length) fail(`expected ${expected.length} numbers, got ${actual.length}`);
  const [a, e] = [doubles(actual), doubles(expected)];
  let error = 0;
  let energy = 0;
  for (let i = 0; i < e.length; i++) {
    error += (a[i] - e[i]) ** 2;
    energy += e[i] ** 2;
  }
  if (error === 0) return 0;
  const ratio = Math.sqrt(error / energy);
  return Number.isFinite(ratio) ? ratio : Infinity;
}

/** Fails unless the relative L2 error is at most `tolerance`. */
export function close(actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number, what: string): void {
  const error = relativeL2(actual, expected);
  if (!(error <= tolerance)) fail(`${what}: relative L2 error ${error.toExponential(2)}, allowed ${tolerance.toExponential(2)}`);
}

/** Fails unless `promise` rejects with a `RadarError` of code `code` (any code if undefined) within some seconds. */
export async function rejects(promise: Promise<unknown>, code: RadarErrorCode | undefined, what: string): Promise<void> {
  const error = await settles(promise, what).then(
    () => fail(`${what}: expected a rejection with ${code ?? "a RadarError"}, but it resolved`),
    (reason: unknown) => reason,
  );
  expectCode(error, code, what);
}

/** Fails unless `action` throws a `RadarError` of code `code` whose message contains `text`. */
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

/** Awaits `promise`, and fails if it has not settled within some seconds. */
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

/** Marks a promise as handled that is awaited only later. If it rejects before, the host must not report an unhandled rejection. */
export function later<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
