// @ts-check
/**
 * Makes the page of the command line: the help of every command, as the built command prints it, each followed by the README's section
 * about its options; then the README's sections on files and exit status.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
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

/** Names in the help's list of commands, which ends at an empty line. @param {string} help */
function commandsOf(help) {
  const [list] = (help.split(/^Commands:$/m)[1] ?? "").split("\n\n");
  return [...list.matchAll(/^ {2}([a-z]\w*)/gm)].map(([, name]) => name).filter((name) => name !== "help");
}

/** Sections of the package's README by their headings. */
const told = new Map(
  readFileSync(new URL("../../../packages/cli/README.md", import.meta.url), "utf8")
    .split(/^#{2,3} /m)
    .map((text) => /** @type {[string, string]} */ ([text.slice(0, text.indexOf("\n")), text.slice(text.indexOf("\n")).trim()])),
);

/** A section of the README. Throws if it does not exist. @param {string} heading */
function readme(heading) {
  const text = told.get(heading);
  if (text === undefined) throw new Error(`packages/cli/README.md has no section "${heading}"`);
  return text;
}

/** @param {string[]} path @returns {Promise<string>} */
async function section(path) {
  const help = await said(...path, "--help");
  const own = `${"#".repeat(path.length + 1)} dechirp ${path.join(" ")}\n\n\`\`\`text\n${help}\n\`\`\`\n\n${told.get(path.join(" ")) ?? ""}\n`;
  const parts = await Promise.all(commandsOf(help).map((name) => section([...path, name])));
  return [own, ...parts].join("\n");
}

export async function writeCommandLine() {
  const folder = fileURLToPath(new URL("../api", import.meta.url));
  mkdirSync(folder, { recursive: true });
  const names = commandsOf(await said("--help"));
  const list = names.map((name) => `[${name}](#dechirp-${name})`).join(", ");
  const intro =
    "Every command with its options, as `--help` prints them, and their defaults. [What is written](#what-is-written) and " +
    `[the exit status](#exit-status) are the same for all.\n\nCommands: ${list}.\n`;
  const rest = ["Windows", "What is written", "Exit status"].map((heading) => `## ${heading}\n\n${readme(heading)}\n`);
  const text = [(await section([])).replace("# dechirp \n", () => `# Command line\n\n${intro}`), ...rest].join("\n");
  writeFileSync(`${folder}/command-line.md`, `---\npageClass: wide\naside: false\n---\n\n${text}`);
}
