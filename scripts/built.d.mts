/** Types of built.mjs, for tests. */
export function built(): Promise<void>;
