/** Loads Vega, with the first picture, because programs without pictures need not pay for it, and converts its specifications to SVG. */
import type { Spec } from "vega";
import { bundledVega, type Vega } from "./node-vega.ts";

/** Vega's parts for pictures, and its interpreter of expressions. */
export type Parts = readonly [vega: Vega, interpreter: typeof import("vega-interpreter")];

let loading: Promise<Parts> | undefined;

/** The parts of Vega that pictures need. What hinders one picture, such as too many open files, need not hinder the next. */
export function loadVega(): Promise<Parts> {
  loading ??= load().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

const load = async (): Promise<Parts> => Promise.all([bundledVega(import.meta.url) ?? import("vega"), import("vega-interpreter")]);

/**
 * Converts a specification to an SVG document. Expressions are interpreted, never compiled, so that pages with a content security policy
 * that forbids `eval` can draw. Rejects with what Vega reports. The text of this function is also part of the program of another process
 * (node-renderer-program.ts), so it refers to nothing outside itself.
 */
export async function svgOfSpec([{ parse, View }, { expressionInterpreter }]: Parts, spec: Spec): Promise<string> {
  const failures: unknown[] = [];
  const logger = {
    level: () => logger,
    error(...messages: readonly unknown[]) {
      failures.push(...messages);
      return logger;
    },
    warn: () => logger,
    info: () => logger,
    debug: () => logger,
  };
  const view = new View(parse(spec, undefined, { ast: true }), {
    renderer: "none",
    expr: expressionInterpreter,
    logger: logger as never,
  });
  try {
    const svg = await view.toSVG();
    if (failures.length > 0) throw failures[0];
    return svg;
  } finally {
    view.finalize();
  }
}
