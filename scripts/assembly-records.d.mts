/** Types of assembly-records.mjs, for tests. */
export function recordsOf(root: string, file: string): Promise<string>;
export function assemblyRecords(exported: Readonly<Record<string, unknown>>, source: string): string;
