/** A signal for tests of aborts that must come in the middle of work, however fast the machine is. */

/**
 * A signal that fires at the first look at it at which `isTime` holds, which is given the number of looks. Work looks where it can stop, so
 * it can't end between.
 */
export function firesWhen(isTime: (looks: number) => boolean, reason?: unknown): AbortSignal {
  const controller = new AbortController();
  const { signal } = controller;
  let [looks, fired] = [0, false];
  Object.defineProperty(signal, "aborted", {
    get() {
      if (!fired && isTime(++looks)) {
        fired = true;
        controller.abort(reason);
      }
      return fired;
    },
  });
  return signal;
}
