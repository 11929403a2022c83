/** Types of assembly-records.mjs, for tests. */
export function assemblyRecords(exported: Readonly<Record<string, unknown>>, source: string): string;
