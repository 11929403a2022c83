/** Calls of the page to a worker: reports come before the end of the work, and each call gets the flight that it asks for. */
import { releaseProxy } from "comlink";
import { describe, expect, it } from "vitest";
import { createFlights, type FlightSource } from "../src/backprojection/flights.ts";
import type { Flight } from "../src/backprojection/samples.ts";
import { type Listener, listening } from "../src/work/listening.ts";

/** A listener of a page that hears each report when `hear` is called, and what it was told. */
function slowPage() {
  const waiting: (() => void)[] = [];
  const told: number[] = [];
  let released = 0;
  const listener = Object.assign(
    (value: number) =>
      new Promise<void>((resolve, reject) =>
        waiting.push(() => {
          told.push(value);
          if (value < 0) reject(new Error("the page's listener threw"));
          else resolve();
        }),
      ),
    { [releaseProxy]: () => void released++ },
  );
  const hear = (): void => {
    for (const one of waiting.splice(0)) one();
  };
  return { listener: listener as Listener<[number]>, told, hear, released: () => released };
}

const turns = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

describe("listening", () => {
  it.each([
    ["a result", async () => 7],
    [
      "an error",
      async () => {
        throw new Error("the work failed");
      },
    ],
  ])("settles with %s only when the page has heard every report", async (_, end) => {
    const { listener, told, hear, released } = slowPage();
    let isSettled = false;
    const call = listening<[number], number>(listener, async (tell) => {
      tell(1);
      tell(-1);
      tell(2);
      return end();
    });
    const settled = call.then(String, ({ message }) => message).finally(() => (isSettled = true));
    await turns();
    expect([isSettled, released()]).toEqual([false, 0]);
    hear();
    expect(["7", "the work failed"]).toContain(await settled);
    expect([told, released()]).toEqual([[1, -1, 2], 1]);
  });
});

describe("flights of calls that run side by side", () => {
  const source = (seed: number): FlightSource => ({ kind: "url", url: `http://localhost/${seed}`, times: 1 });
  const never = new AbortController().signal;

  /** Flights that take a different time each to open and to close, and how often each was opened and closed. */
  function slowFlights() {
    const opened: string[] = [];
    const closed: string[] = [];
    const flights = createFlights(async (from, key) => {
      opened.push(key);
      await new Promise((resolve) => setTimeout(resolve, JSON.stringify(from).length % 3));
      const close = async () => {
        await turns();
        closed.push(key);
      };
      return { flight: { facts: { key } } as unknown as Flight, close };
    });
    return { flights, opened, closed };
  }

  it("gives each call the flight that it asks for, and opens one flight for calls that ask for the same", async () => {
    const { flights, opened, closed } = slowFlights();
    const order = [1, 1, 22, 1, 333, 333, 22, 1, 1];
    const got = await Promise.all(order.map((seed) => flights.of(source(seed), never)));
    const keys = got.map(({ facts }) => facts.key);
    expect(new Set(keys).size).toBe(3);
    for (const [i, seed] of order.entries()) expect(keys[i]).toContain(`localhost/${seed}`);
    expect(opened.length).toBe(6);
    await turns();
    await turns();
    expect(closed.length).toBe(5);
  });

  it("opens nothing for a call that was cancelled while it waited, and serves the next", async () => {
    const { flights, opened } = slowFlights();
    const controller = new AbortController();
    const calls = [flights.of(source(1), never), flights.of(source(2), controller.signal), flights.of(source(3), never)];
    controller.abort();
    const ends = await Promise.allSettled(calls);
    expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(opened.length).toBe(2);
  });
});
