/** Errors of schedule run: arguments, files, devices, outputs, interruption. One line, the right status, nothing left behind. */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Backend } from "@dechirp/core";
import type { CpuOptions } from "@dechirp/fft-cpu";
import { checkRunTasks } from "@dechirp/realtime/reports";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { ScheduleRunReport } from "../src/schedule/report.ts";
import { dechirp, type Outcome, temporaryFolder } from "./command.ts";
import { few, lines, scheduleRun as schedule, tiny } from "./schedule-tasks.ts";

/** Simulates a processor whose transforms do nothing. References, which use no WASM, stay right. */
const processor = vi.hoisted(() => ({ idle: false }));
vi.mock("@dechirp/fft-cpu", async (original) => {
  const actual = await original<typeof import("@dechirp/fft-cpu")>();
  const idle = (backend: Backend): Backend => ({
    ...backend,
    async open() {
      const device = await backend.open();
      return {
        ...device,
        units: device.units,
        limits: device.limits,
        info: device.info,
        plan: async (...args) => ({ ...(await device.plan(...args)), run: () => ({ done: Promise.resolve() }) }),
      };
    },
  });
  return {
    ...actual,
    cpu: (options: CpuOptions = {}) => (processor.idle && options.kernels !== "js" ? idle(actual.cpu(options)) : actual.cpu(options)),
  };
});

function failed({ code, stdout, stderr }: Outcome, status: number, message: RegExp): void {
  expect(stderr).toMatch(/^dechirp: [^\n]+\n$/);
  expect(stderr).toMatch(message);
  expect({ code, stdout }).toEqual({ code: status, stdout: "" });
}

describe("arguments (2), before the file is read", () => {
  it.each<[args: string[], message: RegExp]>([
    [[""], /TASKS must be a tasks\.json, or - for stdin, not ""/],
    [["nowhere", "--device", "auto"], /--device.*cpu, gpu/],
    [["nowhere", "--executor", "lock"], /--executor.*pool, chunks, slots/],
    [["nowhere", "--device", "gpu", "--executor", "pool"], /--executor must be chunks or slots on a gpu, which has no workers, not "pool"/],
    [["nowhere", "--device", "gpu", "--workers", "4"], /--workers must be left out on a gpu/],
    [["nowhere", "--workers", "65"], /--workers must be an integer from 1 to 64, not "65"/],
    [["nowhere", "--slots", "4"], /--slots must be left out for pool/],
    [["nowhere", "--executor", "slots", "--slots", "4097"], /--slots must be an integer from 1 to 4096/],
    [["nowhere", "--executor", "chunks", "--rho", "2"], /--rho must be left out for chunks/],
    [["nowhere", "--rho", "0.9"], /--rho must be a number from 1 to 1000000/],
    [["nowhere", "--jobs", "0"], /--jobs must be an integer from 1 to 1000000/],
    [["nowhere", "--runs", "100001"], /--runs must be an integer from 1 to 100000/],
    [["nowhere", "--margin", "0.99"], /--margin must be a number from 1 to 1000/],
    [["nowhere", "--out", "package.json"], /--out package\.json: .* is a file, not a folder/],
  ])("%j", async (args, message) => {
    failed(await dechirp(["schedule", "run", ...args]), 2, message);
  });

  it("also if they do not suit the file", async () => {
    failed(await schedule(tiny, "--jobs", "1000000"), 2, /--jobs must be at most 400000 for 5 tasks, not 1000000/);
  });
});

describe("files (3)", () => {
  const one = (task: object): object => ({ tasks: [{ id: "a", ...task }] });
  it.each<[set: unknown, message: RegExp, more?: string[]]>([
    [[], /tasks\.json: the task set must be an object/],
    [{ tasks: 5 }, /tasks must be a list of 1 to 10000 tasks/],
    [{ tasks: [null] }, /tasks\[0\] must be an object/],
    [{ tasks: [{ samples: 64 }] }, /tasks\[0\]\.id must be/],
    [{ ...tiny, rho: 0.5 }, /rho must be/],
    [one({ samples: 1 }), /tasks\[0\]\.samples must be an integer from 2 to 16777216, not 1/],
    [one({ samples: 2 ** 24 + 2 }), /tasks\[0\]\.samples must be an integer from 2 to 16777216/],
    [one({ samples: "64" }), /tasks\[0\]\.samples must be/],
    [one({ samples: null }), /tasks\[0\]\.samples must be/],
    [one({ samples: 64, line: 0 }), /tasks\[0\]\.line must be an integer such that 2 · line divides the 64 samples, not 0/],
    [one({ samples: 64, line: 33 }), /tasks\[0\]\.line must be/],
    [one({ samples: 64, line: 3 }), /tasks\[0\]\.line must be/],
    [one({ samples: 64, deadline: -1 }), /tasks\[0\]\.deadline must be/],
    [one({ samples: 64, count: 10_001 }), /tasks\[0\]\.count must be/],
    [one({ samples: 64, sizes: [2] }), /tasks\[0\]\.sizes\[0\] must be 1/],
    [one({ samples: 64, sizes: [1, "2"] }), /tasks\[0\]\.sizes\[1\] must be/],
    [one({ samples: 64, sizes: [1, 3] }), /tasks\[0\]\.sizes\[1\] must be an integer from 1 to 2, not 3/],
    [one({ samples: 64 }), /tasks\[0\]\.line must be given, as slots transform complex lines; there is none/, ["--executor", "slots"]],
    [one({ samples: 64, line: 4, sizes: [1, 5] }), /sizes\[1\] must be an integer from 1 to 4/, ["--executor", "slots", "--slots", "4"]],
  ])("%j", async (set, message, more = []) => {
    failed(await schedule(set, "--workers", "2", ...more, "--out", "OUT"), 3, message);
  });

  it("with more inputs than can be kept, before any is made", () => {
    const set = (count: number) => ({
      tasks: Array.from({ length: count }, (_, i) => ({ id: `${i}`, samples: 2 ** 24 - 2 * i, count: 4 })),
    });
    // Four copies share three inputs.
    expect(checkRunTasks(set(1), false).tasks).toHaveLength(1);
    expect(() => checkRunTasks(set(2), false)).toThrow(
      expect.objectContaining({ fields: expect.objectContaining({ field: "tasks[1].samples" }) }),
    );
    const alike = { tasks: Array.from({ length: 32 }, (_, i) => ({ id: `${i}`, samples: 2 ** 24 })) };
    expect(checkRunTasks(alike, false).tasks).toHaveLength(32);
  });
});

describe("copies", () => {
  it("have no more samples than can be addressed, before any is made", async () => {
    const set = (count: number) => ({
      tasks: [
        { id: "a", samples: 2 ** 24 },
        { id: "b", count },
      ],
    });
    expect(checkRunTasks(set((31 * 2 ** 24) / 65_536), false).tasks).toHaveLength(2);
    failed(
      await schedule(set(9000)),
      3,
      /tasks\[1\]\.count must be small enough that all tasks together have at most 536870912 samples; .*, not 9000/,
    );
  });
});

describe("wrong outputs (1)", () => {
  it("are listed by name, with the result", async () => {
    processor.idle = true;
    onTestFinished(() => {
      processor.idle = false;
    });
    for (const json of [[], ["--json"]]) {
      const { code, stdout, stderr, out } = await schedule(lines, "--executor", "chunks", ...few, "--out", "OUT", ...json);
      expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
      expect(existsSync(join(out, "report.json"))).toBe(true);
      const names = ["a/1", "a/2", "a/3", "b"];
      if (json.length > 0) expect(JSON.parse(stdout).wrong).toEqual({ lock: names, bestEffort: names });
      else expect(stdout).toContain("WRONG outputs, which differ from float64: a/1, a/2, a/3, b\n");
    }
  });

  it("make the result unsound, as do shared units and grants against the rules", async () => {
    const { isSound, runText } = await import("../src/schedule/run-tables.ts");
    const report: ScheduleRunReport = JSON.parse((await schedule(lines, ...few, "--workers", "2", "--json")).stdout);
    expect(isSound(report)).toBe(true);
    expect(isSound({ ...report, ownershipViolations: 1 })).toBe(false);
    expect(isSound({ ...report, wrong: { lock: [], bestEffort: ["b"] } })).toBe(false);
    const example = { kind: "overlap", task: "b", job: 2, at: 5, text: "unit 1 was taken until 7 µs" } as const;
    const broken: ScheduleRunReport = { ...report, faults: { overlap: 2 }, examples: [example] };
    expect(isSound(broken)).toBe(false);
    expect(runText(broken)).toMatch(/units granted twice at once +2 {2}b, job 2: unit 1 was taken/);
    expect(runText(report)).not.toContain("Broken rules and exceeded bounds");
  });
});

describe("interruption (130)", () => {
  it.each([
    ["pool", "timing", ["--runs", "100000"]],
    ["pool", "jobs", ["--runs", "1", "--jobs", "300000"]],
    ["chunks", "timing", ["--runs", "100000"]],
    ["chunks", "jobs", ["--runs", "1", "--jobs", "300000"]],
    ["slots", "timing", ["--runs", "100000"]],
    ["slots", "jobs", ["--runs", "1", "--jobs", "300000"]],
  ] as const)("of %s in %s leaves nothing", async (executor, _, more) => {
    const folder = await temporaryFolder();
    const [file, out] = [join(folder, "tasks.json"), join(folder, "out")];
    await writeFile(file, JSON.stringify(lines));
    const args = ["schedule", "run", file, "--executor", executor, "--workers", "2", ...more, "--out", out];
    failed(await dechirp(args, { signal: AbortSignal.abort("SIGINT") }), 130, /interrupted by SIGINT/);
    const controller = new AbortController();
    setTimeout(() => controller.abort("SIGTERM"), 400);
    failed(await dechirp(args, { signal: controller.signal }), 143, /interrupted by SIGTERM/);
    expect(existsSync(out)).toBe(false);
  });
});
