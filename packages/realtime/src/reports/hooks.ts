/** The hooks that all report functions share. */
import { asRadarError, requireSynchronous } from "@dechirp/core/backend";
import type { FieldsOf } from "@dechirp/core/internal";
import type { ReportHooks } from "./report.ts";

/** Types of the hooks' fields, for `checkFields`. */
export const fieldsOfHooks: FieldsOf<ReportHooks> = { signal: "object", onProgress: "function", onPart: "function" };

/** The hooks as functions that always exist. */
export interface Told {
  onProgress(what: string, share: number): void;
  /** Does a part of the work and reports its time by `onPart`. Disposes of the result if the hook throws. */
  part<T>(name: string, work: () => T | Promise<T>): Promise<T>;
}

/** Returns functions that call the given hooks. They throw `failed` if a hook throws or returns a promise. */
export function tellHooks(hooks: ReportHooks): Told {
  const call = (name: "onProgress" | "onPart", ...told: [string, number]): void => {
    try {
      requireSynchronous(hooks[name]?.(...told), name);
    } catch (error) {
      throw asRadarError(error, name);
    }
  };
  return {
    onProgress: (what, share) => call("onProgress", what, share),
    async part(name, work) {
      const start = performance.now();
      const done = await work();
      try {
        call("onPart", name, performance.now() - start);
      } catch (error) {
        // The caller has not received the result yet, so it is disposed of here.
        (done as Partial<Disposable> | undefined)?.[Symbol.dispose]?.();
        throw error;
      }
      return done;
    },
  };
}
