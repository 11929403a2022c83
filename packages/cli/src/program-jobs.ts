/** The commands `dechirp job …`, with their options and help texts. */
import { type Command, Option } from "commander";
import type { Io } from "./io.ts";
import { backprojectOptions, focusOptions } from "./program-images.ts";
import {
  bareOption,
  controlPointsOption,
  dynamicRangeOption,
  example,
  type HelpTexts,
  jsonOption,
  mapStepOption,
  memoryOption,
  pixelsOption,
  textOption,
} from "./program-options.ts";

/** Options of the backprojector that a job decides itself. */
const decided = ["--tile"];

/** `--device-class` and `--units`, for commands that compute. */
const unitsOption = (): Option =>
  textOption("--units <n>", "cores that a worker computes on (default: all cores, shared among the workers)");

/** `--queue`. Addresses with passwords belong into the environment. */
const queueOption = (what = "address of the queue"): Option =>
  textOption("--queue <url>", `${what}: redis://, rediss:// or postgres:// (default: DECHIRP_QUEUE of the environment)`);

/** `--device`, for commands that use one device. */
const oneDeviceOption = (): Option => textOption("--device <name>", "cpu, gpu or a card gpu:K (default: the job's class)");

/**
 * Adds the commands to `job`. `add` adds a command to a parent. `finish` is called with the exit status of a run in which tasks failed.
 */
export function addJobs(
  job: Command,
  add: (name: string, description: string, parent?: Command) => Command,
  io: Io,
  finish: (status: number) => void,
  { titlesOf, windowSyntax }: HelpTexts,
): void {
  const store = "folder of the job, or s3://BUCKET/PREFIX";

  const plan = add("plan", "Decide everything about an image that many processes make, and write the job into a store.", job)
    .argument(
      "<input...>",
      `${titlesOf("stripmap")}; or ${titlesOf("phase-history")}; several phase histories are joined, unless --each is given`,
    )
    .addOption(textOption("--out <store>", `${store} (required)`))
    .addOption(
      new Option("--what <kind>", "what is made (default: focus for a stripmap recording, backproject for a phase history)").choices([
        "focus",
        "backproject",
      ]),
    )
    .addOption(
      new Option(
        "--each",
        "make an image of each input, one task for each; a recording that can't be processed is one failed task (default: one image of all inputs)",
      ),
    )
    .addOption(
      textOption(
        "--tile <n>",
        "backproject: edge in pixels of the tile that a task makes, a multiple of the image's block lattice; focus: lines of a block, at most (default: what suits the memory)",
      ),
    )
    .addOption(
      textOption(
        "--workers <n>",
        "backproject: how many workers will make the image; the cost model then chooses tiles and sets of pulses (default: not known)",
      ),
    )
    .addOption(
      textOption(
        "--pulse-sets <n>",
        "backproject: divide the pulses into n sets, each with tasks of its own, whose images are summed (default: what the cost model chooses for --workers, else 1)",
      ),
    )
    .addOption(
      new Option("--device-class <class>", "class of the devices that make the image: processors, or GPUs like this machine's")
        .choices(["cpu", "gpu"])
        .default("cpu"),
    )
    .addOption(
      memoryOption("memory that a worker may use for a task, such as 2GiB or 800MB (default: 3GiB, or half of the memory if that is less)"),
    )
    .addOption(new Option("--copy", "copy the inputs into the store, so that workers need not see their paths"))
    .addOption(
      textOption(
        "--format <list>",
        "files that are made of the image at the end, with commas between them: npy, sicd, cog, png; the image itself is a Zarr store (default: png, the picture and the report)",
      ),
    )
    .addOption(pixelsOption())
    .addOption(mapStepOption())
    .addOption(controlPointsOption())
    .addOption(textOption("--epsg <code>", "cog, or --map: a UTM zone (326zz, 327zz) or 4326"))
    .addOption(textOption("--segment <n>", "focus: segment of a recording whose PRF changes, from 1"));
  const known = new Set(plan.options.map(({ long }) => long));
  for (const [kind, options] of Object.entries({
    focus: focusOptions({ windowSyntax }),
    backproject: backprojectOptions({ windowSyntax }),
  }))
    for (const option of options) {
      if (known.has(option.long) || decided.includes(option.long ?? "")) continue;
      known.add(option.long);
      option.description = `${option.long === "--window" ? "" : `${kind}: `}${option.description}`;
      plan.addOption(option);
    }
  plan
    .addOption(jsonOption())
    .addHelpText(
      "after",
      example(
        "dechirp job plan collection.cphd --out job --tile 1024\ndechirp job run job --workers 4\ndechirp job plan collections/*.cphd --each --out jobs/all",
      ),
    )
    .action(async (inputs, options) => (await import("./commands/job-plan.ts")).jobPlanCommand(inputs, options, io));

  add("run", "Make what is missing of a job on this machine, with worker processes, then its products.", job)
    .argument("<store>", store)
    .addOption(textOption("--workers <n>", "number of worker processes of each device, 1 to 1024 (default: 1)"))
    .addOption(
      textOption(
        "--device <list>",
        "cpu, gpu, or cards with commas between them, gpu:0,gpu:1, as dechirp devices lists them (default: the job's class; all cards if there are several)",
      ),
    )
    .addOption(unitsOption())
    .addOption(new Option("--no-assemble", "make no products when all tasks are done"))
    .addOption(bareOption())
    .addOption(dynamicRangeOption())
    .addOption(jsonOption())
    .addHelpText("after", example("dechirp job run job --workers 4\ndechirp job run job --device gpu:0,gpu:1"))
    .action(async (address, options) => (await import("./commands/job-run.ts")).jobRunCommand(address, options, io, finish));

  add("task", "Make one task of a job: for array jobs of Slurm and AWS Batch, Indexed Jobs of Kubernetes, make and others.", job)
    .argument("<store>", store)
    .addOption(
      textOption(
        "--index <k>",
        "number of the task, from 0 (default: SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX or AWS_BATCH_JOB_ARRAY_INDEX of the environment)",
      ),
    )
    .addOption(
      textOption("--offset <n>", "number that is added to the index, for jobs with more tasks than an array may have (default: 0)"),
    )
    .addOption(oneDeviceOption())
    .addOption(unitsOption())
    .addOption(jsonOption())
    .addHelpText("after", example("dechirp job task job --index 7"))
    .action(async (address, options) => (await import("./commands/job-task.ts")).jobTaskCommand(address, options, io));

  add("assemble", "Make the products of a job whose tasks are done: picture, report and files.", job)
    .argument("<store>", store)
    .addOption(oneDeviceOption())
    .addOption(unitsOption())
    .addOption(bareOption())
    .addOption(dynamicRangeOption())
    .addOption(jsonOption())
    .addHelpText("after", example("dechirp job assemble job"))
    .action(async (address, options) => (await import("./commands/job-run.ts")).jobAssembleCommand(address, options, io, finish));

  add("submit", "Put what is missing of a job into a queue, from which workers take it.", job)
    .argument("<store>", store)
    .addOption(queueOption())
    .addOption(textOption("--priority <n>", "which of several jobs comes first: 0 before 1 before 2 (default: 0)"))
    .addOption(new Option("--wait", "wait until the job is made"))
    .addOption(jsonOption())
    .addHelpText("after", example("dechirp job submit s3://bucket/job --queue redis://host --wait"))
    .action(async (address, options) => (await import("./commands/job-queue.ts")).jobSubmitCommand(address, options, io, finish));

  add("work", "Work on the jobs of a queue with one device, until the process is told to end; then its task is completed.", job)
    .addOption(queueOption())
    .addOption(textOption("--device <name>", "cpu, gpu or a card gpu:K").default("cpu"))
    .addOption(textOption("--units <n>", "cores to compute on (default: all)"))
    .addOption(textOption("--stores <list>", "stores that may be opened, and those below them, with commas between them (default: all)"))
    .addOption(textOption("--lease <s>", "seconds after which a worker that does not answer has lost its task (default: 15)"))
    .addOption(textOption("--idle <s>", "leave after so many seconds without work (default: stay)"))
    .addOption(new Option("--json", "print each event as JSON"))
    .addHelpText("after", example("dechirp job work --queue redis://host --device gpu:0"))
    .action(async (options) => (await import("./commands/job-work.ts")).jobWorkCommand(options, io));

  add("init", "Prepare the server of a queue: make or update the tables in PostgreSQL. Redis needs nothing.", job)
    .addOption(queueOption())
    .addOption(jsonOption())
    .addHelpText("after", example("dechirp job init --queue postgres://host/database"))
    .action(async (options) => (await import("./commands/job-queue.ts")).jobInitCommand(options, io));

  add("status", "Say what of a job is done, missing and failed.", job)
    .argument("<store>", store)
    .addOption(queueOption("also say what this queue knows of the job"))
    .addOption(jsonOption())
    .addHelpText("after", example("dechirp job status job"))
    .action(async (address, options) => (await import("./commands/job-status.ts")).jobStatusCommand(address, options, io));

  add("missing", "Print the numbers of the tasks that are to be made, one a line.", job)
    .argument("<store>", store)
    .addOption(new Option("--slurm", "print them as ranges in one line, as sbatch --array takes them"))
    .addOption(
      textOption(
        "--array-size <n>",
        "with --slurm: print a line for each array job, with indices below n (Slurm: MaxArraySize): what job task --offset takes, a space, and the ranges",
      ),
    )
    .addOption(jsonOption())
    .addHelpText("after", example('sbatch --array="$(dechirp job missing job --slurm)" task.sh'))
    .action(async (address, options) => (await import("./commands/job-status.ts")).jobMissingCommand(address, options, io));

  add("verify", "Read everything that tasks have written and compare it with the digests in their marks.", job)
    .argument("<store>", store)
    .addOption(new Option("--forget", "count tasks whose output is damaged as not done, and let failed tasks be tried again"))
    .addOption(jsonOption())
    .addHelpText("after", example("dechirp job verify job --forget"))
    .action(async (address, options) => (await import("./commands/job-status.ts")).jobVerifyCommand(address, options, io));

  add("cancel", "Cancel a job: no more tasks are begun, until the job is taken up again.", job)
    .argument("<store>", store)
    .addOption(new Option("--undo", "take the job up again"))
    .addOption(queueOption("also take it out of this queue, and stop the tasks that its workers make"))
    .addOption(jsonOption())
    .addHelpText("after", example("dechirp job cancel job"))
    .action(async (address, options) => (await import("./commands/job-status.ts")).jobCancelCommand(address, options, io));

  // `job run` starts its workers with this.
  job
    .command("worker", { hidden: true })
    .argument("<store>")
    .addOption(unitsOption())
    .addOption(textOption("--card <name>", "card that the worker must have"))
    .action(async (address, options) => (await import("./commands/job-task.ts")).jobWorkerCommand(address, options, io));
}
