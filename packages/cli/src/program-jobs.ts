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
    .argument("<input...>", `${titlesOf("stripmap")}; or ${titlesOf("phase-history")}; several phase histories are joined`)
    .addOption(textOption("--out <store>", `${store} (required)`))
    .addOption(
      new Option("--what <kind>", "what is made (default: focus for a stripmap recording, backproject for a phase history)").choices([
        "focus",
        "backproject",
      ]),
    )
    .addOption(
      textOption(
        "--tile <n>",
        "backproject: edge in pixels of the tile that a task makes, a multiple of the image's block lattice; focus: lines of a block, at most (default: what suits the memory)",
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
    .addHelpText("after", example("dechirp job plan collection.cphd --out job --tile 1024\ndechirp job run job --workers 4"))
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
    .addOption(oneDeviceOption())
    .addOption(unitsOption())
    .addOption(jsonOption())
    .addHelpText("after", example("dechirp job task job --index 7"))
    .action(async (address, options) => (await import("./commands/job-task.ts")).jobTaskCommand(address, options, io));

  add("assemble", "Make the products of a job whose tasks are all done: picture, report and files.", job)
    .argument("<store>", store)
    .addOption(oneDeviceOption())
    .addOption(unitsOption())
    .addOption(bareOption())
    .addOption(dynamicRangeOption())
    .addOption(jsonOption())
    .addHelpText("after", example("dechirp job assemble job"))
    .action(async (address, options) => (await import("./commands/job-run.ts")).jobAssembleCommand(address, options, io));

  add("status", "Say what of a job is done, missing and failed.", job)
    .argument("<store>", store)
    .addOption(jsonOption())
    .addHelpText("after", example("dechirp job status job"))
    .action(async (address, options) => (await import("./commands/job-status.ts")).jobStatusCommand(address, options, io));

  add("missing", "Print the numbers of the tasks that are to be made, one a line.", job)
    .argument("<store>", store)
    .addOption(new Option("--slurm", "print them as ranges in one line, as sbatch --array takes them"))
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
