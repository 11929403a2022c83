/**
 * Vega in Node, from the bundle that its package has for pages: one file instead of some 270 modules, in a fifth of the time (0.08 instead of 0.45 s
 * of processor time, Node 20). Node's modules are taken from `process`, because pages have this file, too.
 */

interface Builtin {
  (name: "node:fs"): typeof import("node:fs");
  (name: "node:module"): typeof import("node:module");
  (name: "node:path"): typeof import("node:path");
  (name: "node:vm"): typeof import("node:vm");
}

/** The parts of Vega that pictures need. */
export type Vega = Pick<typeof import("vega"), "View" | "parse">;

/**
 * Vega from its bundle. `base` is the URL of a module of this package. Undefined outside Node, and if Vega's package is not beside this one or has no
 * bundle. The text of this function is also part of the program of another process (node-renderer-program.ts), so it refers to nothing outside
 * itself.
 */
export function bundledVega(base: string): Vega | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?: Builtin } };
  const builtin = process?.getBuiltinModule;
  if (!builtin) return undefined;
  try {
    const main = builtin("node:module").createRequire(base).resolve("vega");
    const path = builtin("node:path").join(main, "..", "vega.min.js");
    const text = builtin("node:fs").readFileSync(path, "utf8");
    // The bundle gives its parts to `exports` where there is one.
    const parts: Partial<Vega> = {};
    builtin("node:vm").runInThisContext(`((exports, module) => {${text}\n})`, { filename: path })(parts, { exports: parts });
    return parts.View && parts.parse ? (parts as Vega) : undefined;
  } catch {
    return undefined;
  }
}
