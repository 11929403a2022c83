/** The subcommands of `dechirp schedule`: their options and help texts. */
import { type Command, Option } from "commander";
import { isGpu } from "./devices.ts";
import { argumentError } from "./errors.ts";
import type { Io } from "./io.ts";
import { example, jsonOption, outOption, textOption } from "./program-options.ts";

const tasksArgument =
  "tasks.json: the number of units of the device, and tasks with worst-case execution times by number of units; - reads stdin";
const rhoOption = (): Option =>
  textOption(
    "--rho <x>",
    "largest permitted ratio of a size's unit time to that of one unit, at least 1; for tasks without sizes of their own (default: the file's, else 1.1)",
  );

/** Parses the device of a run. Throws `argument`. */
function parseDevice(text: string): string {
  if (text !== "cpu" && !isGpu(text)) throw argumentError("--device", "cpu, gpu or gpu:K", text);
  return text;
}

/** An option of subcommands that use no device, so that the options of `run` are accepted by all three. */
const noDeviceOption = (): Option =>
  new Option("--device <name>", "accepted as in schedule run, but has no effect: no device is used").argParser((text) =>
    // No process is needed for a card.
    parseDevice(text).replace(/:.*/, ""),
  );

/** Adds the subcommands of `schedule`. Parameters are those of `createProgram`, and its function that adds a command. */
export function addSchedule(
  schedule: Command,
  add: (name: string, description: string, parent: Command) => Command,
  io: Io,
  finish: (status: number) => void,
): void {
  schedule.addHelpText(
    "after",
    example(
      "dechirp schedule analyse tasks.json\ndechirp schedule simulate tasks.json --seed 7 --out trace\ndechirp schedule run tasks.json --out run",
    ) +
      `

tasks.json, times in microseconds:
  { "units": 19, "rho": 1.1, "tasks": [{ "id": "fft", "wcet": { "1": 9101, "4": 2501 }, "deadline": 15000, "count": 10 }] }`,
  );

  add("analyse", "Compute bounds on waiting and response times, check deadlines, and find the best rho.", schedule)
    .argument("<tasks>", tasksArgument)
    .addOption(rhoOption())
    .addOption(new Option("--sweep", "print a table of all values of rho that make a difference"))
    .addOption(outOption("folder for report.json, report.md and plots; existing files of these names are replaced"))
    .addOption(noDeviceOption())
    .addOption(new Option("--strict", "exit with status 6 if a task may miss its deadline or its next request (otherwise 0)"))
    .addOption(jsonOption())
    .addHelpText(
      "after",
      example("dechirp schedule analyse tasks.json --sweep --out bounds\ndechirp schedule analyse tasks.json --rho 1.5 --strict"),
    )
    .action(async (tasks, options) => finish(await (await import("./commands/schedule.ts")).analyseCommand(tasks, options, io)));

  add("simulate", "Simulate the tasks and compare the results with the bounds.", schedule)
    .argument("<tasks>", tasksArgument)
    .addOption(rhoOption())
    .addOption(textOption("--seed <n>", "seed of the random times, 0 to 4294967295").default("1"))
    .addOption(textOption("--jobs <n>", "number of jobs per task").default("100"))
    .addOption(
      new Option(
        "--policy <policy>",
        "fifo keeps the bounds; the others break them: lifo serves the last request first, two-jobs lets a task have two jobs at once, without-one forbids size 1",
      )
        .choices(["fifo", "lifo", "two-jobs", "without-one"])
        .default("fifo"),
    )
    .addOption(
      new Option(
        "--release <how>",
        "consecutive: all tasks start together, and each job follows the one before; sporadic: random gaps of at least a period",
      )
        .choices(["consecutive", "sporadic"])
        .default("consecutive"),
    )
    .addOption(
      new Option("--execution <how>", "execution times of jobs: worst case, or random below it")
        .choices(["worst", "random"])
        .default("worst"),
    )
    .addOption(outOption("folder for report.json, report.md, trace.csv, gantt.svg; existing files of these names are replaced"))
    .addOption(noDeviceOption())
    .addOption(jsonOption())
    .addHelpText("after", example("dechirp schedule simulate tasks.json --release sporadic --execution random --seed 7 --out trace"))
    .action(async (tasks, options) => (await import("./commands/schedule.ts")).simulateTasksCommand(tasks, options, io));

  add(
    "run",
    "Run the tasks as transforms: measure execution times, then compare response times with the bounds that follow, and with best effort.",
    schedule,
  )
    .argument("<tasks>", "tasks.json: tasks with the number of samples of a job; its times and units are not used; - reads stdin")
    .addOption(new Option("--device <name>", "device to run on: cpu, gpu, gpu:K").argParser(parseDevice).default("cpu"))
    .addOption(
      new Option(
        "--executor <how>",
        "pool: units are workers; chunks: one dispatch at a time; slots: units are slots of a dispatch (default: pool on cpu, chunks on gpu)",
      ).choices(["pool", "chunks", "slots"]),
    )
    .addOption(textOption("--workers <n>", "number of workers on the processor (default: one less than its cores, at least 2)"))
    .addOption(textOption("--slots <n>", "number of slots in a dispatch (default: 1024, or 4 per core if the processor does the work)"))
    .addOption(rhoOption())
    .addOption(textOption("--jobs <n>", "number of jobs per task").default("100"))
    .addOption(textOption("--runs <n>", "number of jobs timed for each number of units").default("200"))
    .addOption(textOption("--margin <x>", "factor by which the longest observed time is multiplied").default("1.2"))
    .addOption(
      outOption(
        "folder for report.json, report.md, trace.csv, gantt.svg, wcet.svg, responses.svg; existing files of these names are replaced",
      ),
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `${example("dechirp schedule run tasks.json --jobs 200 --out run\ndechirp schedule run tasks.json --device gpu --executor slots")}

A job of a task is one real transform of "samples" float32 samples (default: 65536). With "line", it is in-place
transforms of complex lines of that many points instead. The executor slots accepts only tasks with "line".
  { "rho": 1.1, "tasks": [{ "id": "range", "samples": 65536, "deadline": 5000, "count": 4 },
                          { "id": "lines", "samples": 65536, "line": 1024 }] }

Observed times are no guarantee, and bounds that follow from them are estimates. Status 1 means that an output
differs from float64, or that units were granted against the rules; the result is printed and written all the same.`,
    )
    .action(async (tasks, options) => finish(await (await import("./commands/schedule-run.ts")).runTasksCommand(tasks, options, io)));
}
