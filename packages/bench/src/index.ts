/** The runner and the report, for tests and for `dechirp bench`. */
export * from "./report.ts";
export * from "./runner.ts";
