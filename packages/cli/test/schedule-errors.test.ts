/** Errors of schedule: arguments, files, fields, interruption. One line, the right status, nothing left behind. */
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { run } from "../src/index.ts";
import { maxTasksBytes, parseJson } from "../src/schedule/input.ts";
import { dechirp, type Outcome, temporaryFolder } from "./command.ts";

const example = { units: 19, tasks: [{ id: "fft", wcet: { "1": 9101, "4": 2501 }, count: 10 }] };

function failed({ code, stdout, stderr }: Outcome, status: number, message: RegExp): void {
  expect(stderr).toMatch(/^dechirp: [^\n]+\n$/);
  expect(stderr).toMatch(message);
  expect({ code, stdout }).toEqual({ code: status, stdout: "" });
}

async function tasksFile(text: string | Uint8Array = JSON.stringify(example)) {
  const folder = await temporaryFolder();
  const file = join(folder, "tasks.json");
  await writeFile(file, text);
  return { folder, file, out: join(folder, "out") };
}

describe("arguments (2), before the file is read", () => {
  it.each<[args: string[], message: RegExp]>([
    [[], /a command is missing: schedule analyse, schedule simulate or schedule run; /],
    [["analyze", "nowhere"], /unknown command 'analyze'.*analyse/],
    [["analyse"], /missing required argument 'tasks'/],
    [["analyse", ""], /TASKS must be a tasks\.json, or - for stdin, not ""/],
    [["analyse", "nowhere", "extra"], /too many arguments/],
    [["analyse", "nowhere", "--rho", "0.9"], /--rho must be a number from 1 to 1000000, not "0\.9"/],
    [["analyse", "nowhere", "--rho", "NaN"], /--rho must be/],
    [["analyse", "nowhere", "--rho", "--json"], /--rho needs a value, but --json follows it/],
    [["analyse", "nowhere", "--out", "package.json"], /--out package\.json: .* is a file, not a folder/],
    [["analyse", "nowhere", "--seed", "1"], /unknown option '--seed'/],
    [["simulate"], /missing required argument 'tasks'/],
    [["simulate", "nowhere", "--seed", "-1"], /--seed must be an integer from 0 to 4294967295, not "-1"/],
    [["simulate", "nowhere", "--jobs", "0"], /--jobs must be an integer from 1 to 1000000, not "0"/],
    [["simulate", "nowhere", "--jobs", "1e12"], /--jobs must be/],
    [["simulate", "nowhere", "--policy", "edf"], /--policy.*fifo, lifo, two-jobs, without-one/],
    [["simulate", "nowhere", "--release", "now"], /--release.*consecutive, sporadic/],
    [["simulate", "nowhere", "--execution", "best"], /--execution.*worst, random/],
    [["simulate", "nowhere", "--strict"], /unknown option '--strict'/],
  ])("%j", async (args, message) => {
    const { code, stdout, stderr } = await dechirp(["schedule", ...args]);
    expect(stderr).toMatch(/^dechirp: [^\n]+\n$/);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
    if (!args.includes("--json")) expect(stdout).toBe("");
  });

  it("also if they do not suit the file", async () => {
    const { file } = await tasksFile();
    failed(
      await dechirp(["schedule", "simulate", file, "--jobs", "1000000"]),
      2,
      /--jobs must be at most 200000 for 10 tasks, not 1000000/,
    );
    // Within the limit on jobs, but beyond the limit on the units that they hold.
    const wide = { units: 4096, tasks: [{ id: "a", wcet: { 1: 5000, 4096: 1 }, rho: 1e6 }] };
    const { file: wideFile } = await tasksFile(JSON.stringify(wide));
    failed(
      await dechirp(["schedule", "simulate", wideFile, "--jobs", "1000000"]),
      2,
      /--jobs must be small enough that all jobs together hold at most/,
    );
  });
});

describe("files (3)", () => {
  it("that do not exist, or are not files", async () => {
    const { folder } = await tasksFile();
    for (const command of ["analyse", "simulate"]) {
      failed(await dechirp(["schedule", command, join(folder, "absent.json")]), 3, /absent\.json: can't read it: there is no such file/);
      failed(await dechirp(["schedule", command, folder]), 3, /must be a regular file/);
      failed(await dechirp(["schedule", command, "-"]), 3, /stdin: it is not available/);
    }
  });

  it("that are too large, without reading them", async () => {
    const { file } = await tasksFile(new Uint8Array(maxTasksBytes + 1).fill(0x20));
    failed(await dechirp(["schedule", "analyse", file]), 3, /tasks\.json: must be at most 16777216 bytes long/);
  });

  it("with an error at every character, of which only the first is reported", () => {
    const text = new Uint8Array(maxTasksBytes).fill(0x2c);
    const before = process.resourceUsage().maxRSS;
    expect(() => parseJson(text, "x")).toThrow(/^x: not JSON: line 1, column 1: value expected$/);
    // In KiB: allows copies of the text, but not an object for each of its characters.
    expect(process.resourceUsage().maxRSS - before).toBeLessThan(16 * (maxTasksBytes / 1024));
  });

  it.each<[text: string | Uint8Array, message: RegExp]>([
    ["", /not JSON: line 1, column 1: value expected/],
    ["{", /not JSON: line 1, column 2: close brace expected/],
    ['{\n  "units": 19,\n  "tasks": [\n    { "id": "a", }\n  ]\n}', /not JSON: line 4, column 18: property name expected/],
    ['{\r\n"units" 19}', /not JSON: line 2, column 9: colon expected/],
    ["// tasks\n{}", /not JSON: line 1, column 1: invalid comment token/],
    ['{"units": NaN}', /not JSON: line 1, column 11: invalid symbol/],
    [new Uint8Array([0x7b, 0xff, 0x7d]), /not JSON: the text is not UTF-8/],
    ["[".repeat(200_000), /not JSON: /],
    ["[]", /tasks\.json: the task set must be an object with units and tasks/],
    ["null", /tasks\.json: the task set must be an object/],
  ])("that are not a tasks.json: %j", async (text, message) => {
    const { file, out } = await tasksFile(text);
    failed(await dechirp(["schedule", "analyse", file, "--out", out]), 3, message);
    failed(await dechirp(["schedule", "simulate", file, "--out", out]), 3, message);
    expect(existsSync(out)).toBe(false);
  });

  const [task] = example.tasks;
  it.each<[set: unknown, message: RegExp]>([
    [{}, /tasks\.json: units must be an integer from 1 to 4096; there is none/],
    [{ ...example, units: 1e9 }, /units must be an integer from 1 to 4096, not 1000000000/],
    [{ ...example, rho: 0.5 }, /rho must be/],
    [{ ...example, tasks: [] }, /tasks must be a list of 1 to 10000 tasks/],
    [{ ...example, tasks: [task, task] }, /tasks\[1\]\.id must be unique/],
    [{ ...example, tasks: [{ ...task, count: 1e9 }] }, /tasks\[0\]\.count must be/],
    [{ ...example, tasks: [{ id: "a", wcet: { 2: 5 } }] }, /tasks\[0\]\.wcet\[1\] must be given/],
    [{ ...example, tasks: [{ id: "a", wcet: { 1: 5, 4: -1 } }] }, /tasks\[0\]\.wcet\[4\] must be microseconds above 0/],
    [{ ...example, tasks: [{ ...task, sizes: [2] }] }, /tasks\[0\]\.sizes\[0\] must be/],
    [{ ...example, tasks: [{ ...task, deadline: "soon" }] }, /tasks\[0\]\.deadline must be/],
  ])("that break a rule of task sets: %j", async (set, message) => {
    const { file } = await tasksFile(JSON.stringify(set));
    failed(await dechirp(["schedule", "analyse", file]), 3, message);
    failed(await dechirp(["schedule", "simulate", file]), 3, message);
    const { stdout, code } = await dechirp(["schedule", "analyse", file, "--json"]);
    expect(code).toBe(3);
    expect(JSON.parse(stdout).error).toMatchObject({ code: "file", exitCode: 3 });
  });

  it("without periods, if releases are sporadic", async () => {
    const { file } = await tasksFile();
    failed(await dechirp(["schedule", "simulate", file, "--release", "sporadic"]), 3, /tasks\.json: tasks\[0\]\.period must be given/);
  });

  it("are named in the fields of JSON errors, with their position", () => {
    expect(() => parseJson(new TextEncoder().encode("\n\n  x"), "tasks.json")).toThrow(
      expect.objectContaining({ kind: "file", fields: { file: "tasks.json", line: 3, column: 3, reason: "invalid symbol" } }),
    );
    expect(parseJson(new TextEncoder().encode('\ufeff{"a": 1}'), "tasks.json")).toEqual({ a: 1 });
  });
});

describe("names with control characters", () => {
  it("are made printable in texts, tables and pictures", async () => {
    const id = "a\u001b[31m|<b>\n*\u202e";
    const { file, out: above } = await tasksFile(JSON.stringify({ units: 2, tasks: [{ id, wcet: { 1: 5, 2: 3 }, count: 2 }] }));
    const out = join(above, "\u001b[2J\u0085\u202e");
    for (const command of ["analyse", "simulate"]) {
      const { code, stdout } = await dechirp(["schedule", command, file, "--out", out]);
      expect(code).toBe(0);
      expect(stdout).toContain(join(above, "?[2J??"));
      const texts = [stdout];
      for (const name of (await readdir(out)).filter((one) => /\.(svg|md)$/.test(one))) texts.push(await readFile(join(out, name), "utf8"));
      for (const text of texts) expect(text).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
      for (const text of texts.slice(1)) expect(text).not.toContain("<b>");
      const csv = existsSync(join(out, "trace.csv")) ? await readFile(join(out, "trace.csv"), "utf8") : "";
      if (command === "simulate") expect(csv).toContain(`"${id}/1",0,0,`);
    }
  });
});

describe("results that can't be written (5)", () => {
  it("leave the folder as it was", async () => {
    const { file, out } = await tasksFile();
    await mkdir(join(out, "report.md"), { recursive: true });
    for (const command of ["analyse", "simulate"]) {
      failed(await dechirp(["schedule", command, file, "--out", out]), 5, /report\.md: can't write it: it is a folder/);
      expect(await readdir(out)).toEqual(["report.md"]);
    }
  });
});

describe("interruption (130)", () => {
  it("before the start and during work leaves nothing", async () => {
    const { file, out } = await tasksFile();
    for (const command of ["analyse", "simulate"]) {
      const args = ["schedule", command, file, "--out", out];
      failed(await dechirp(args, { signal: AbortSignal.abort("SIGINT") }), 130, /interrupted by SIGINT/);
      const controller = new AbortController();
      const running = dechirp(args, { signal: controller.signal });
      setImmediate(() => controller.abort("SIGTERM"));
      failed(await running, 143, /interrupted by SIGTERM/);
      expect(existsSync(out)).toBe(false);
    }
  });

  it("during a silent stdin ends at once, and closes stdin", async () => {
    const stdin = new Readable({ read() {} });
    const controller = new AbortController();
    setTimeout(() => controller.abort("SIGINT"), 20);
    let stderr = "";
    const code = await run(["schedule", "analyse", "-"], {
      stdout: { write: () => {} },
      stderr: { write: (text) => (stderr += text) },
      stdin,
      signal: controller.signal,
      env: {},
    });
    expect({ code, stderr }).toEqual({ code: 130, stderr: "dechirp: interrupted by SIGINT\n" });
    expect(stdin.destroyed).toBe(true);
  });

  it("an endless stdin is refused", async () => {
    const stdin = new Readable({
      read() {
        this.push(Buffer.alloc(2 ** 20, 0x20));
      },
    });
    let stderr = "";
    const code = await run(["schedule", "analyse", "-"], {
      stdout: { write: () => {} },
      stderr: { write: (text) => (stderr += text) },
      stdin,
      signal: new AbortController().signal,
      env: {},
    });
    expect({ code, stderr }).toEqual({ code: 3, stderr: "dechirp: stdin: must be at most 16777216 bytes long\n" });
    expect(stdin.destroyed).toBe(true);
  });
});

describe("misspelt fields (3)", () => {
  it.each([
    [{ ...example, unit: 19 }, "unit", "units"],
    [{ tasks: example.tasks, Units: 19 }, "Units", "units"],
    [{ units: 19, tasks: [{ ...example.tasks[0], dedline: 15_000 }] }, "tasks[0].dedline", "deadline"],
    [{ units: 19, tasks: [example.tasks[0], { ...example.tasks[0], id: "b", deadlineMs: 15 }] }, "tasks[1].deadlineMs", "deadline"],
    [{ units: 19, tasks: [{ ...example.tasks[0], wect: {} }] }, "tasks[0].wect", "wcet"],
    [{ units: 19, tasks: [{ id: "fft", sample: 65_536 }] }, "tasks[0].sample", "samples"],
  ])("%j", async (json, field, meant) => {
    const { file } = await tasksFile(JSON.stringify(json));
    for (const command of ["analyse", "simulate", "run"]) {
      const outcome = await dechirp(["schedule", command, file]);
      const message = `dechirp: ${file}: ${field}: did you mean ${meant}? There is no such field\n`;
      expect(outcome).toEqual({ code: 3, stdout: "", stderr: message });
    }
  });

  it("and other unknown fields are ignored", async () => {
    const tasks = [{ ...example.tasks[0], note: "from the log", kind: 1, "": 2, priority: 3, owner: null }];
    const { file } = await tasksFile(JSON.stringify({ ...example, tasks, comment: [1] }));
    expect((await dechirp(["schedule", "analyse", file])).code).toBe(0);
  });
});
