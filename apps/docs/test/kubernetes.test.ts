/**
 * The examples for Kubernetes. Their YAML has the types of its API, also without fields that it does not know; what the API server checks
 * beyond types, it would accept; and the script gives it to a `kubectl` that notes what it is asked.
 */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Job } from "kubernetes-types/batch/v1.js";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { examples, read, root } from "./markdown.ts";

const folder = join(examples, "how-to", "many-machines");
const names = ["kubernetes-tasks", "kubernetes-tasks-gpu", "kubernetes-assemble"] as const;
type Name = (typeof names)[number];
const textOf = (name: Name): string => read(join(folder, `${name}.yaml`));
const jobs = Object.fromEntries(names.map((name) => [name, parse(textOf(name)) as Job])) as Record<Name, Job>;

/** Compiles values as constants of type Job. Returns the errors of each. */
function typeErrors(values: readonly unknown[]): readonly (readonly string[])[] {
  const file = join(root, "apps", "docs", "test", "kubernetes-values.ts");
  const lines = values.map((value, index) => `export const job${index}: Job & Required<Pick<Job, "spec">> = ${JSON.stringify(value)};`);
  const source = ['import type { Job } from "kubernetes-types/batch/v1.js";', ...lines].join("\n");
  const options: ts.CompilerOptions = { strict: true, noEmit: true, types: [], module: ts.ModuleKind.NodeNext };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (path) => path === file || fileExists(path);
  host.getSourceFile = (path, ...rest) => (path === file ? ts.createSourceFile(path, source, rest[0]) : getSourceFile(path, ...rest));
  const program = ts.createProgram([file], options, host);
  const errors: string[][] = values.map(() => []);
  for (const { file: where, start = 0, messageText } of ts.getPreEmitDiagnostics(program)) {
    const line = where?.getLineAndCharacterOfPosition(start).line;
    const message = ts.flattenDiagnosticMessageText(messageText, " ").replaceAll('"', "");
    if (where?.fileName !== file || line === undefined || line === 0) throw new Error(message);
    errors[line - 1].push(message);
  }
  return errors;
}

describe("examples for Kubernetes", () => {
  it("have the types of the API", () => {
    const tasks = textOf("kubernetes-tasks");
    // What must be found in a file that is wrong.
    const wrong: readonly (readonly [from: string | RegExp, to: string, message: RegExp])[] = [
      ["backoffLimitPerIndex", "backOffLimitPerIndex", /'backOffLimitPerIndex' does not exist/],
      ["parallelism: 16", 'parallelism: "16"', /'string' is not assignable to type 'number'/],
      ["apiVersion: batch/v1", "apiVersion: batch/v2", /batch\/v2/],
      ["kind: Job", "kind: CronJob", /CronJob/],
      ["name: dechirp\n", "title: dechirp\n", /'title' does not exist/],
      ["onExitCodes", "onExitCode", /'onExitCode' does not exist/],
      ["secretRef", "secret", /'secret' does not exist/],
      ["values: [2, 3]", 'values: ["2", 3]', /'string' is not assignable to type 'number'/],
      [/ {2}template:.*/s, "", /'template' is missing/],
    ];
    for (const [from] of wrong) expect(tasks).toMatch(from);
    const errors = typeErrors([...Object.values(jobs), ...wrong.map(([from, to]) => parse(tasks.replace(from, to)))]);
    for (const [index, name] of names.entries()) expect(errors[index], name).toEqual([]);
    for (const [index, [from, , message]] of wrong.entries())
      expect(errors[names.length + index].join("\n"), String(from)).toMatch(message);
  });

  it.each(names)("%s.yaml is what the API server accepts", (name) => {
    const { metadata, spec } = jobs[name];
    // Names are labels of DNS.
    expect(metadata?.name).toMatch(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);
    const pod = spec?.template.spec;
    const containers = pod?.containers ?? [];
    // A policy for failures wants pods that are not restarted.
    expect([pod?.restartPolicy, containers.length]).toEqual(["Never", 1]);
    const isIndexed = spec?.completionMode === "Indexed";
    expect(isIndexed).toBe(name !== "kubernetes-assemble");
    if (isIndexed) expect(spec.completions).toBeGreaterThan(0);
    else expect(spec?.backoffLimitPerIndex).toBeUndefined();
    const rules = spec?.podFailurePolicy?.rules ?? [];
    expect(rules.length).toBe(2);
    for (const { action, onExitCodes, onPodConditions } of rules) {
      expect(["FailJob", "Ignore", "Count", ...(spec?.backoffLimitPerIndex === undefined ? [] : ["FailIndex"])]).toContain(action);
      expect((onExitCodes === undefined) !== (onPodConditions === undefined)).toBe(true);
      for (const { type, status } of onPodConditions ?? []) expect([type, status]).toEqual(["DisruptionTarget", "True"]);
      if (!onExitCodes) continue;
      expect(["In", "NotIn"]).toContain(onExitCodes.operator);
      expect(containers.map((container) => container.name)).toContain(onExitCodes.containerName);
      // In ascending order, each once, and success is no failure.
      expect(onExitCodes.values).toEqual([...new Set(onExitCodes.values)].sort((a, b) => a - b));
      expect(onExitCodes.values).not.toContain(0);
    }
    for (const { resources } of containers)
      for (const quantity of Object.values({ ...resources?.requests, ...resources?.limits }))
        expect(String(quantity)).toMatch(/^\d+(\.\d+)?(m|[kMGTPE]i?|Ki)?$/);
  });

  it("don't try again what ends with the same error", async () => {
    const { exitCodes } = (await import("../../../packages/cli/src/status.ts")) as { exitCodes: Readonly<Record<string, number>> };
    for (const name of names) {
      const codes = jobs[name].spec?.podFailurePolicy?.rules.find(({ onExitCodes }) => onExitCodes)?.onExitCodes?.values;
      expect(codes, name).toEqual([exitCodes["argument"], exitCodes["file"]]);
    }
  });

  it("for processors and for GPUs differ in the card alone", () => {
    const [one, other] = [jobs["kubernetes-tasks"], jobs["kubernetes-tasks-gpu"]].map((job) => structuredClone(job));
    const [cpu, gpu] = [one, other].map(({ spec }) => spec?.template.spec?.containers[0]);
    const limits = gpu?.resources?.limits ?? {};
    expect(limits["nvidia.com/gpu"]).toBe("1");
    delete limits["nvidia.com/gpu"];
    expect(gpu?.env?.map((variable) => variable.name)).toEqual(["NVIDIA_DRIVER_CAPABILITIES"]);
    delete gpu?.env;
    expect(cpu?.command?.slice(-2)).toEqual(["--units", "1"]);
    cpu?.command?.splice(-2);
    expect([one.spec?.parallelism, other.spec?.parallelism]).toEqual([16, 8]);
    if (other.spec) other.spec.parallelism = 16;
    expect(other).toEqual(one);
  });
});

describe("kubernetes.bash", () => {
  let work: string;
  beforeAll(async () => {
    work = await mkdtemp(join(tmpdir(), "dechirp-kubernetes-"));
    const programs = {
      // Says how many tasks there are, as the command does (packages/cli/src/jobs/text.ts).
      dechirp: 'echo "job 0123456789ab in $3: 3 of 23 tasks done, 20 missing"',
      kubectl: `case "$1 $4" in
  "create "*) [ "$ENDED_WITH" != refused ] || { echo "error: forbidden" >&2; exit 1; }; cat >>"$WORK/created"; echo --- >>"$WORK/created" ;;
  "get -o") echo "$ENDED_WITH" ;;
esac`,
    };
    for (const [name, text] of Object.entries(programs)) await writeFile(join(work, name), `#!/bin/bash\n${text}\n`, { mode: 0o755 });
  });
  afterAll(() => rm(work, { recursive: true, force: true }));

  async function run(ended: string, ...args: readonly string[]) {
    await rm(join(work, "created"), { force: true });
    const PATH = [work, process.env["PATH"]].join(delimiter);
    const env = { ...process.env, PATH, WORK: work, ENDED_WITH: ended, SECONDS_BETWEEN_LOOKS: "0" };
    const child = spawn("bash", [join(folder, "kubernetes.bash"), ...args], { env, stdio: ["ignore", "pipe", "ignore"] });
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    const code = await new Promise((resolve) => child.on("close", resolve));
    const created = (await readFile(join(work, "created"), "utf8").catch(() => "")).split("---\n").slice(0, -1);
    return { code, stdout, created: created.map((text) => parse(text) as Job) };
  }

  it("makes the tasks, then the products", async () => {
    const { code, stdout, created } = await run("SuccessCriteriaMet Complete", "s3://mine/one");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^dechirp-tasks: Complete\njob .*: 3 of 23 tasks done.*\ndechirp-assemble: Complete\n$/);
    expect(created.map(({ metadata }) => metadata?.name)).toEqual(["dechirp-tasks", "dechirp-assemble"]);
    const [tasks, assemble] = created.map(({ spec }) => ({ ...spec, command: spec?.template.spec?.containers[0].command }));
    expect([tasks.completions, tasks.command]).toEqual([23, ["dechirp", "job", "task", "s3://mine/one", "--units", "1"]]);
    expect(assemble.command?.slice(0, 4)).toEqual(["dechirp", "job", "assemble", "s3://mine/one"]);
  });

  it("takes the file for GPUs, and ends with an error if tasks have failed", async () => {
    const { code, stdout, created } = await run("FailureTarget Failed", "s3://mine/one", "kubernetes-tasks-gpu.yaml");
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/^dechirp-tasks: Failed\n.*3 of 23 tasks done.*\ndechirp-assemble: Failed\n$/),
    ]);
    expect(created.length).toBe(2);
    expect(created[0].spec?.template.spec?.containers[0].resources?.limits).toHaveProperty(["nvidia.com/gpu"], "1");
  });

  it("ends if a Job is refused", async () => {
    expect(await run("refused", "s3://mine/one")).toMatchObject({ code: 1, stdout: "", created: [] });
  });
});
