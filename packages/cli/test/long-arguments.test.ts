/** Arguments of a hundred thousand characters, the longest that a system passes: every option answers at once, with status 2 or 3. */
import { expect, it } from "vitest";
import { createProgram } from "../src/program.ts";
import { dechirp, temporaryFolder } from "./command.ts";

const length = 131_000;
const hostile: readonly (readonly [what: string, text: string])[] = [
  ["digits", `${"1".repeat(length)}x`],
  ["digits and points", `${"1.".repeat(length / 2)}e`],
  ["lists", "1,".repeat(length / 2)],
  ["spaces", `${" ".repeat(length)}1${" ".repeat(length)}x`],
  ["a window", `kaiser:${"0".repeat(length)}!`],
  ["side lobes", `chebyshev:${"9".repeat(length)}e-`],
];

const program = createProgram(
  { stdout: { write: () => {} }, stderr: { write: () => {} }, signal: new AbortController().signal, env: {} },
  () => {},
  { titlesOf: () => "", windowSyntax: () => "" },
);
/** Every command with its required arguments and each of its options that takes a value. */
const cases = program.commands
  .flatMap((command) => (command.commands.length > 0 ? command.commands : [command]))
  .flatMap((command) => {
    const group = command.parent === program ? [] : [command.parent?.name() ?? ""];
    const needed = command.registeredArguments.map(() => "nowhere");
    const names = command.options.filter(({ required }) => required).map(({ long }) => long ?? "");
    const argv = [...group, command.name(), ...needed];
    return names.filter((name) => name !== "--out").map((option) => ({ argv, option, out: names.includes("--out") }));
  });

it("there are options to try", () => expect(cases.length).toBeGreaterThan(40));

// Each takes a few milliseconds; a quadratic one took 80 seconds.
it.each(cases)("$argv $option", { timeout: 60_000 }, async ({ argv, option, out }) => {
  const folder = await temporaryFolder();
  for (const [what, text] of hostile) {
    const start = process.cpuUsage();
    const { code, stderr } = await dechirp([...argv, ...(out ? ["--out", `${folder}/out`] : []), `${option}=${text}`]);
    const { user, system } = process.cpuUsage(start);
    expect([2, 3], `${what}: ${stderr.slice(0, 300)}`).toContain(code);
    expect(stderr.length).toBeLessThan(10_000);
    expect((user + system) / 1000).toBeLessThan(2000);
  }
});

it.each(["focus", "backproject", "stap", "quality", "schedule analyse", "schedule simulate", "schedule run"])(
  "%s with an input of a long name",
  async (command) => {
    const folder = await temporaryFolder();
    const more = command.startsWith("schedule") || command === "quality" ? [] : ["--out", `${folder}/out`];
    for (const [, text] of hostile) expect([2, 3]).toContain((await dechirp([...command.split(" "), text, ...more])).code);
  },
);
