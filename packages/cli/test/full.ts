/** Whether tests of faults take all that there are, however long that is, or what seconds allow; `DECHIRP_FAULTS=full` asks for all. */

export const full = process.env["DECHIRP_FAULTS"] === "full";

/** A line for people who asked for all. */
export const tellWhenFull = (line: string): void => void (full && process.stdout.write(`${line}\n`));
