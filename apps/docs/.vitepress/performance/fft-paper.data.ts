/** The published transforms, from the result files of `packages/bench/results/fft-paper`: one section for each file, newest first. */
import { type ContributedResult, contributedResults } from "./contributed.ts";

export declare const data: readonly ContributedResult[];

export default { load: (): Promise<readonly ContributedResult[]> => contributedResults() };
