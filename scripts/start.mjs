// @ts-check
/** `npm start [-- ARGS]`: set-up, then `dechirp demo --out out ARGS`: a scene is simulated, focused and measured. */
import { runCommand } from "./command.mjs";
import { runMain } from "./setup.mjs";

await runMain(() => runCommand(["demo", "--out", "out", ...process.argv.slice(2)]));
