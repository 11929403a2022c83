/**
 * Node's built-in modules, taken from `process` instead of imported. A bundler for browsers would try to resolve an import, even in code
 * that no browser runs, and fail.
 */

interface Modules {
  readonly "node:os": typeof import("node:os");
  readonly "node:worker_threads": typeof import("node:worker_threads");
}

/** Returns a built-in module of Node. Undefined outside Node. */
export function nodeModule<Name extends keyof Modules>(name: Name): Modules[Name] | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };
  return process?.getBuiltinModule?.(name) as Modules[Name] | undefined;
}
