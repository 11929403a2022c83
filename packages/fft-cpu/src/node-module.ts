/**
 * Node's own modules, asked of the process rather than imported: a bundler for browsers would look for an imported one, even
 * for one that no browser comes to, and give up.
 */

interface Modules {
  readonly "node:os": typeof import("node:os");
  readonly "node:worker_threads": typeof import("node:worker_threads");
}

/** Undefined outside Node. */
export function nodeModule<Name extends keyof Modules>(name: Name): Modules[Name] | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };
  return process?.getBuiltinModule?.(name) as Modules[Name] | undefined;
}
