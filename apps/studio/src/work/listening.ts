/**
 * Listeners of the page that a worker calls. Comlink sends the calls of a listener and the result of the work through different ports, between
 * which no order is promised, so a report could come after the end of the work that it is about.
 */
import { type ProxyMarked, type Remote, releaseProxy } from "comlink";

/** A function of the page, as a worker gets it: Comlink makes it asynchronous. */
export type Listener<Told extends readonly unknown[]> = (...told: Told) => void;

/** Hears how far work is: what is done, and the share of it from 0 to 1. */
export type OnAdvance = Listener<[what: string, share: number]>;

/**
 * Runs `work`, which may call `tell`. Settles as `work` does, once the page has heard all that it was told, and gives the listener's port back.
 */
export async function listening<Told extends readonly unknown[], Result>(
  listener: Listener<Told>,
  work: (tell: Listener<Told>) => Promise<Result>,
): Promise<Result> {
  const remote = listener as unknown as Remote<Listener<Told> & ProxyMarked>;
  let heard: Promise<unknown> = Promise.resolve();
  try {
    return await work((...told) => {
      const call = (remote as unknown as (...told: Told) => Promise<void>)(...told);
      // One port keeps the order, so the last report is heard last. A listener that throws is the page's error, which it logs itself.
      heard = call.catch(() => {});
    });
  } finally {
    await heard;
    remote[releaseProxy]();
  }
}
