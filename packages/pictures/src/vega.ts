/** Loads Vega, with the first picture, because programs without pictures need not pay for it. */
import { bundledVega, type Vega } from "./node-vega.ts";

let loading: Promise<Vega> | undefined;

/** The parts of Vega that pictures need. What hinders one picture, such as too many open files, need not hinder the next. */
export function loadVega(): Promise<Vega> {
  loading ??= load().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

const load = async (): Promise<Vega> => bundledVega() ?? (await import("vega"));
