// @ts-check
/** `npm start [-- ARGS]`: sets up the checkout, then runs `dechirp demo --out out ARGS`, which simulates, focuses and measures a scene. */
import { runCommand } from "./command.mjs";
import { runMain } from "./setup.mjs";

await runMain(() => runCommand(["demo", "--out", "out", ...process.argv.slice(2)]));
