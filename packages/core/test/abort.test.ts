/** Tests of `onAbort`: one listener serves all callbacks of a signal; and of `unlessAborted`. */
import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { onAbort, unlessAborted } from "../src/abort.ts";

const listeners = (signal: AbortSignal): number => getEventListeners(signal, "abort").length;

test("calls all callbacks in order through one listener and then removes it", () => {
  const abort = new AbortController();
  const called: number[] = [];
  const ends = Array.from({ length: 100 }, (_, i) => onAbort(abort.signal, () => called.push(i)));
  expect(listeners(abort.signal)).toBe(1);
  for (const [i, end] of ends.entries()) if (i % 10 !== 0) end();
  expect(listeners(abort.signal)).toBe(1);
  abort.abort();
  expect(called).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90]);
  for (const end of ends) end();
  expect(listeners(abort.signal)).toBe(0);
});

test("leaves no listener on a signal that outlives many waits", () => {
  const { signal } = new AbortController();
  for (let i = 0; i < 1000; i++) {
    const [first, second] = [onAbort(signal, () => {}), onAbort(signal, () => {})];
    first();
    first();
    expect(listeners(signal)).toBe(1);
    second();
    expect(listeners(signal)).toBe(0);
  }
});

test("does not call a callback that another callback has unregistered", () => {
  const abort = new AbortController();
  const called: string[] = [];
  const call = (): void => void called.push("twice");
  onAbort(abort.signal, () => {
    called.push("first");
    end();
  });
  const end = onAbort(abort.signal, () => called.push("ended"));
  onAbort(abort.signal, call);
  onAbort(abort.signal, call);
  abort.abort();
  expect(called).toEqual(["first", "twice", "twice"]);
});

test("accepts undefined as a signal and rejects other values", () => {
  expect(() => onAbort(undefined, () => expect.unreachable())()).not.toThrow();
  for (const signal of [{}, 5, "signal"])
    expect(() => onAbort(signal as never, () => {})).toThrow(
      expect.objectContaining({ code: "input", fields: expect.objectContaining({ field: "signal" }) }),
    );
});

test("waits for work until a signal fires, and settles as the work does before that", async () => {
  const abort = new AbortController();
  const { signal } = abort;
  expect(await unlessAborted(5, signal)).toBe(5);
  expect(await unlessAborted(Promise.resolve("text"), undefined)).toBe("text");
  const cause = new Error("no");
  await expect(unlessAborted(Promise.reject(cause), signal)).rejects.toBe(cause);
  expect(listeners(signal)).toBe(0);
  const waiting = unlessAborted(new Promise(() => {}), signal);
  expect(listeners(signal)).toBe(1);
  abort.abort();
  expect(await waiting).toBeUndefined();
  expect(listeners(signal)).toBe(0);
  // The rejection of work that nobody waits for any more is not an unhandled one.
  expect(await unlessAborted(Promise.reject(cause), signal)).toBeUndefined();
  expect(await unlessAborted(new Promise(() => {}), signal)).toBeUndefined();
});
