// @ts-check
/** The page of the command line: the help of every command, as the built command prints it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { run } from "dechirp";

/** What `dechirp ...args` prints. @param {string[]} args */
async function said(...args) {
  let text = "";
  const write = (/** @type {string} */ part) => {
    text += part;
  };
  const code = await run(args, { stdout: { write }, stderr: { write }, signal: new AbortController().signal, env: {} });
  if (code !== 0) throw new Error(`dechirp ${args.join(" ")} ended with ${code}: ${text}`);
  return text.trimEnd();
}

/** Names in the help's list of commands, which ends with an empty line. @param {string} help */
function commandsOf(help) {
  const [list] = (help.split(/^Commands:$/m)[1] ?? "").split("\n\n");
  return [...list.matchAll(/^ {2}([a-z]\w*)/gm)].map(([, name]) => name).filter((name) => name !== "help");
}

/** @param {string[]} path @returns {Promise<string>} */
async function section(path) {
  const help = await said(...path, "--help");
  const own = `${"#".repeat(path.length + 1)} dechirp ${path.join(" ")}\n\n\`\`\`text\n${help}\n\`\`\`\n`;
  const parts = await Promise.all(commandsOf(help).map((name) => section([...path, name])));
  return [own, ...parts].join("\n");
}

export async function writeCommandLine() {
  const folder = fileURLToPath(new URL("../api", import.meta.url));
  mkdirSync(folder, { recursive: true });
  const intro =
    "Every command with its options, as `--help` prints them. Options that are left out are explained in the package's README.\n";
  const text = (await section([])).replace("# dechirp \n", `# Command line\n\n${intro}`);
  writeFileSync(`${folder}/command-line.md`, text);
}
