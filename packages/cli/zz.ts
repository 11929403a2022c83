import { run } from "./src/index.ts";

process.exitCode = await run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  signal: new AbortController().signal,
  env: process.env,
});
