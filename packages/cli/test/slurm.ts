/**
 * A Slurm of tests: one node on loopback, with its own configuration, key, ports and folder. Nothing of the system's own Slurm is touched.
 * `slurmMissing` says why there is none here; tests of it are skipped.
 */
import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "../../jobs-bullmq/test/servers.ts";

const execute = promisify(execFile);

/** A Slurm that was started. */
export interface Slurm {
  /** Folder in which jobs may write. It is removed with Slurm. */
  readonly folder: string;
  /** The environment of its commands. */
  readonly env: NodeJS.ProcessEnv;
  /** Runs a command, such as `squeue`, and resolves with what it prints. */
  command(program: string, ...args: readonly string[]): Promise<string>;
  /** Resolves when no job waits or runs. */
  idle(): Promise<void>;
  /** The states of a job, or of the elements of an array job: `COMPLETED`, `FAILED` and others. */
  states(id: string): Promise<readonly string[]>;
  /** Cancels all jobs, ends the daemons, and removes the folder. */
  remove(): Promise<void>;
}

const programs = ["slurmctld", "slurmd", "munged", "sbatch", "scontrol"];
const absent = programs.filter((name) => spawnSync("sh", ["-c", `command -v ${name}`], { stdio: "ignore" }).status !== 0);

/** Why there is no Slurm here. Absent if there is one. */
export const slurmMissing: string | undefined =
  absent.length > 0
    ? `Slurm is not installed: no ${absent.join(", ")} (Debian: slurm-wlm, munge)`
    : process.getuid?.() === 0
      ? undefined
      : "slurmd runs as root only";

/** Settings of a Slurm. */
export interface SlurmSettings {
  /** Array jobs have indices below this. */
  readonly maxArraySize: number;
}

/** A daemon ended before Slurm was ready: another program may have taken its port meanwhile. */
class EndedError extends Error {}

/** Starts a Slurm with two processors and two pretended GPUs. */
export async function startSlurm(settings: SlurmSettings): Promise<Slurm> {
  for (let tries = 1; ; tries++) {
    try {
      return await startOnce(settings);
    } catch (error) {
      if (!((error as Error).cause instanceof EndedError) || tries === 5) throw error;
    }
  }
}

async function startOnce({ maxArraySize }: SlurmSettings): Promise<Slurm> {
  const folder = await mkdtemp(join(tmpdir(), "dechirp-slurm-"));
  // Munge wants a socket that everyone can reach, and a key that nobody else can read.
  await chmod(folder, 0o755);
  const at = (name: string): string => join(folder, name);
  for (const name of ["state", "spool", "munge", "jobs"]) await mkdir(at(name), { mode: 0o755 });
  await writeFile(at("munge/key"), randomBytes(1024), { mode: 0o400 });
  const node = hostname().split(".")[0];
  const settings = {
    ClusterName: "dechirp-test",
    SlurmctldHost: `${node}(127.0.0.1)`,
    SlurmctldPort: await freePort(),
    CommunicationParameters: "NoCtldInAddrAny,NoInAddrAny",
    SlurmUser: "root",
    SlurmdUser: "root",
    AuthType: "auth/munge",
    AuthInfo: `socket=${at("munge/socket")}`,
    StateSaveLocation: at("state"),
    SlurmdSpoolDir: at("spool"),
    SlurmctldPidFile: at("slurmctld.pid"),
    SlurmdPidFile: at("slurmd.pid"),
    SlurmctldLogFile: at("slurmctld.log"),
    SlurmdLogFile: at("slurmd.log"),
    // No control groups, which containers may not make.
    ProctrackType: "proctrack/linuxproc",
    SelectType: "select/cons_tres",
    SelectTypeParameters: "CR_CPU",
    SchedulerParameters: "batch_sched_delay=0,sched_min_interval=0",
    // The node has what is written here, whatever the machine has.
    SlurmdParameters: "config_overrides",
    KillWait: 2,
    MaxArraySize: maxArraySize,
    GresTypes: "gpu",
    NodeName: `${node} NodeAddr=127.0.0.1 Port=${await freePort()} CPUs=2 RealMemory=16000 Gres=gpu:2 State=UNKNOWN`,
    PartitionName: "main Nodes=ALL Default=YES MaxTime=INFINITE State=UP",
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(at("slurm.conf"), lines.join(""));
  await writeFile(at("gres.conf"), `NodeName=${node} Name=gpu File=/dev/null\nNodeName=${node} Name=gpu File=/dev/zero\n`);
  // Slurm 24.05 and later use control groups unless they are told not to; earlier versions don't know the word.
  const [, year, month] = /(\d+)\.(\d+)/.exec(spawnSync("slurmctld", ["-V"], { encoding: "utf8" }).stdout) ?? [];
  if (12 * Number(year) + Number(month) >= 12 * 24 + 5) await writeFile(at("cgroup.conf"), "CgroupPlugin=disabled\n");
  const env = { ...process.env, SLURM_CONF: at("slurm.conf") };
  const children: ChildProcess[] = [];
  const start = (program: string, ...args: readonly string[]): void => {
    children.push(spawn(program, args, { env, cwd: folder, stdio: "ignore" }));
  };
  const command = async (program: string, ...args: readonly string[]): Promise<string> =>
    (await execute(program, args, { env, cwd: at("jobs") })).stdout;
  const slurm: Slurm = {
    folder: at("jobs"),
    env,
    command,
    idle: () => until("jobs that end", async () => (await command("squeue", "--noheader")) === ""),
    states: async (id) => [...(await command("scontrol", "show", "job", id)).matchAll(/JobState=(\w+)/g)].map(([, state]) => state),
    async remove() {
      // Jobs first: nobody else ends their processes.
      await command("scancel", "--user=root").catch(() => {});
      await slurm.idle().catch(() => {});
      for (const child of children.reverse()) await stopped(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
  const checkDaemons = (): void => {
    const ended = children.find(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null);
    if (ended) throw new EndedError(`${ended.spawnfile} ended (${ended.exitCode ?? ended.signalCode})`);
  };
  try {
    const munge = Object.entries({ socket: "socket", "key-file": "key", "pid-file": "pid", "log-file": "log", "seed-file": "seed" });
    start("munged", "--foreground", ...munge.map(([option, name]) => `--${option}=${at(`munge/${name}`)}`));
    await until("munged", async () => (await command("munge", "--no-input", `--socket=${at("munge/socket")}`)) !== "", checkDaemons);
    start("slurmctld", "-D");
    start("slurmd", "-D");
    await until("a node", async () => /^idle\s*$/.test(await command("sinfo", "--noheader", "--format=%T")), checkDaemons);
    return slurm;
  } catch (error) {
    const logs = ["munge/log", "slurmctld.log", "slurmd.log"].map((name) => readFile(at(name), "utf8").catch(() => ""));
    const said = (await Promise.all(logs)).map((log) => log.split("\n").slice(-10).join("\n")).join("\n");
    await slurm.remove();
    throw new Error(`Slurm did not start:\n${said}`, { cause: error });
  }
}

/** Seconds until a wait is given up. */
const patience = 300;

/** Waits until `is` resolves with true. A rejection counts as false. `check` throws if there is nothing to wait for any more. */
export async function until(what: string, is: () => Promise<boolean>, check: () => void = () => {}): Promise<void> {
  for (const end = Date.now() + 1000 * patience; !(await is().catch(() => false)); ) {
    check();
    if (Date.now() > end) throw new Error(`waited ${patience} s for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Ends a daemon, which ends its own children. */
async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), 10_000);
  await ended;
  clearTimeout(timer);
}
