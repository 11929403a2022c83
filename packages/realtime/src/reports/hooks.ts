/** What the functions that make reports have in common: whom they tell, and what they heed. */
import { asRadarError, checkFields, type FieldsOf, immediate } from "@dechirp/core";
import type { ReportHooks } from "./report.ts";

export const fieldsOfHooks: FieldsOf<ReportHooks> = { signal: "object", onProgress: "function", part: "function" };

/** The hooks with what stands in for those that are left out. `what` says whose they are. Throws `input` for hooks that are none. */
export function checkHooks(hooks: ReportHooks, what: string): Required<Omit<ReportHooks, "signal">> & Pick<ReportHooks, "signal"> {
  checkFields(hooks, fieldsOfHooks, what);
  return { ...hooks, onProgress: progressOf(hooks), part: hooks.part ?? partly };
}

/** Calls `onProgress`, where there is one. Throws `failed` where that throws, or returns a promise. */
export const progressOf =
  ({ onProgress }: ReportHooks) =>
  (what: string, share: number): void => {
    if (!onProgress) return;
    try {
      immediate(onProgress(what, share), "onProgress");
    } catch (error) {
      throw asRadarError(error, "onProgress");
    }
  };

/** Does a part of the work where nobody takes its time. */
export const partly = async <T>(_name: string, work: () => T | Promise<T>): Promise<T> => work();
