/** Whether fault tests run all faults, however long that takes, or only what takes seconds. Set `DECHIRP_FAULTS=full` for all. */

export const full = process.env["DECHIRP_FAULTS"] === "full";

/** Prints a line if all faults were requested. */
export const tellWhenFull = (line: string): void => void (full && process.stdout.write(`${line}\n`));
