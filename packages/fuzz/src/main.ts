/**
 * `npm run fuzz`: runs hostile inputs through every reader and command, in watched processes.
 *   --inputs N    cases of all targets together (10000)    --target NAME   only targets whose name begins with NAME
 *   --seed N      another seed gives other cases (1)       --case N        only this case, with --target; prints the result
 *   --jobs N      processes (2)                            --keep DIR      writes the files of --case into DIR
 *   --messages    lists the refusals, without digits
 * Exits with status 1 if there is a fault. Each fault is listed with target, seed and number, which repeat it.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import type { Work } from "./child.ts";
import { diceOf } from "./dice.ts";
import { runAll } from "./supervisor.ts";
import type { Target } from "./target.ts";
import { allTargets } from "./targets.ts";

const { values } = parseArgs({
  options: {
    inputs: { type: "string", default: "10000" },
    seed: { type: "string", default: "1" },
    jobs: { type: "string", default: "2" },
    target: { type: "string", default: "" },
    case: { type: "string" },
    keep: { type: "string" },
    messages: { type: "boolean", default: false },
  },
});

function integer(name: "inputs" | "seed" | "jobs" | "case", text: string, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value <= most) return value;
  console.error(`fuzz: --${name} must be an integer from 0 to ${most}, not ${JSON.stringify(text)}`);
  process.exit(2);
}

/** Inputs between two progress lines on stderr. */
const progressStep = 10_000;

const seed = integer("seed", values.seed, 2 ** 32 - 1);
const known = await allTargets();
const named = known.filter(({ name }) => name === values.target);
const targets = named.length > 0 ? named : known.filter(({ name }) => name.startsWith(values.target));
if (targets.length === 0) {
  console.error(`fuzz: no target's name begins with ${JSON.stringify(values.target)}`);
  process.exit(2);
}
if (values.case === undefined) await runTargets(integer("inputs", values.inputs, 1e9), Math.max(1, integer("jobs", values.jobs, 256)));
else await repeat(targets[0], integer("case", values.case, 1e9));
process.exit();

/** Repeats one case in this process, where a debugger can be attached. */
async function repeat(target: Target, number: number): Promise<void> {
  const one = await target.make(diceOf(seed, target.name, number));
  console.log(`${target.name} --seed ${seed} --case ${number}: ${one.argv?.map((text) => JSON.stringify(text)).join(" ") ?? ""}`);
  for (const [name, bytes] of Object.entries(one.files)) {
    console.log(`  ${name}: ${bytes.length} bytes`);
    if (values.keep === undefined) continue;
    const file = join(values.keep, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
  const verdict = await one.run();
  console.log(verdict);
  if (verdict.kind === "fault") process.exitCode = 1;
}

interface Row {
  accepted: number;
  readonly refused: Map<string, number>;
  faults: number;
  mostShare: number;
  mostSeconds: number;
}

async function runTargets(inputs: number, jobs: number): Promise<void> {
  const weights = targets.reduce((sum, { weight }) => sum + weight, 0);
  const works = targets.map(
    ({ name, weight }): Work => ({ seed, target: name, from: 0, to: Math.max(1, Math.round((inputs * weight) / weights)) }),
  );
  const rows = new Map<string, Row>();
  const messages = new Map<string, number>();
  for (const { target } of works) rows.set(target, { accepted: 0, refused: new Map(), faults: 0, mostShare: 0, mostSeconds: 0 });
  const start = performance.now();
  const all = works.reduce((sum, { to }) => sum + to, 0);
  let done = 0;
  let mostResident = 0;
  await runAll(works, jobs, (name, { number, verdict, share, seconds, residentBytes }) => {
    const row = rows.get(name) as Row;
    done++;
    mostResident = Math.max(mostResident, residentBytes);
    if (done % progressStep === 0 && all > progressStep) console.error(`fuzz: ${done} of ${all} inputs`);
    row.mostShare = Math.max(row.mostShare, share);
    row.mostSeconds = Math.max(row.mostSeconds, seconds);
    if (verdict.kind === "accepted") row.accepted++;
    else if (verdict.kind === "fault") {
      row.faults++;
      console.log(`FAULT ${name}: npm run fuzz -- --seed ${seed} --target ${name} --case ${number}\n  ${verdict.what}`);
    } else {
      row.refused.set(verdict.how, (row.refused.get(verdict.how) ?? 0) + 1);
      if (!values.messages) return;
      const shape = `${name}: ${verdict.how}: ${verdict.message.replace(/-?\d[\d.e+-]*/g, "#").slice(0, 240)}`;
      messages.set(shape, (messages.get(shape) ?? 0) + 1);
    }
  });
  for (const [message, count] of [...messages].sort()) console.log(`${count} ${message}`);
  print(rows);
  const faults = [...rows.values()].reduce((sum, row) => sum + row.faults, 0);
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  const memory = `${(mostResident / 2 ** 20).toFixed(0)} MiB at most`;
  console.log(`${done} inputs of ${rows.size} targets, seed ${seed}, in ${seconds} s and ${memory}: ${faults} faults`);
  if (faults > 0) process.exitCode = 1;
}

/** Prints for each target how many inputs were accepted and refused, the largest share of the buffer allowance, and the longest case. */
function print(rows: ReadonlyMap<string, Row>): void {
  const table = [["target", "accepted", "refused", "faults", "buffers", "seconds"]];
  for (const [name, { accepted, refused, faults, mostShare, mostSeconds }] of rows) {
    const how = [...refused].sort().map(([code, count]) => `${count} (${code})`);
    table.push([name, `${accepted}`, how.join(" ") || "0", `${faults}`, `${(100 * mostShare).toFixed(0)} %`, mostSeconds.toFixed(2)]);
  }
  const widths = table[0].map((_, i) => Math.max(...table.map((row) => row[i].length)));
  for (const row of table)
    console.log(
      row
        .map((text, i) => text.padEnd(widths[i]))
        .join("  ")
        .trimEnd(),
    );
}
