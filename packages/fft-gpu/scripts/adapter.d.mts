/** Types of adapter.mjs, for tests. */
export type Kind = "system" | "lavapipe" | "swiftshader";
export function unpackCarried(name: string, archives: readonly string[]): Promise<string>;
export function useAdapter(): Promise<void>;
