/** CPHD files. */
import { begins, type InfoRow } from "./thing.ts";

/** CPHD 1.0.1 and 1.1.0. */
export const cphd: InfoRow = {
  name: "cphd",
  matches: (thing) => begins(thing, "CPHD/1."),
  describe: async (thing) => (await import("./cphd-facts.ts")).describeCphd(thing),
};
