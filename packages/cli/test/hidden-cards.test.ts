/**
 * Processes from which device files are hidden, with harmless files, and the executable on a machine that pretends to have two cards. Skipped
 * where mount namespaces are not permitted. `npm test` and `npm run build` build the executable.
 */
import { type ChildProcess, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { hidingOf } from "../src/cards/hide.ts";
import { listCards } from "../src/cards/list.ts";
import { standIn } from "../src/cards/restart.ts";
import { temporaryFolder } from "./command.ts";
import { type Ended, hearsSignals, main, type Started, spawned } from "./executable.ts";
import { addNvidia } from "./pretended-cards.ts";

const isPermitted = (() => {
  try {
    return process.platform === "linux" && hidingOf([], "").start !== undefined;
  } catch {
    return false;
  }
})();

const texts = (child: ChildProcess): Promise<{ stdout: string; code: number | null; signal: string | null }> =>
  new Promise((resolve) => {
    let stdout = "";
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
    child.on("close", (code, signal) => resolve({ stdout, code, signal }));
  });

describe.skipIf(!isPermitted)("a process from which files are hidden", () => {
  it("sees the null device in their place, and other files as they are; nobody else does", async () => {
    const folder = await temporaryFolder();
    const [a, b] = [join(folder, 'a "file" $(touch hit); x'), join(folder, "b")];
    for (const file of [a, b]) await writeFile(file, "content");
    const program = `const fs = require("node:fs"); const [a, b] = process.argv.slice(1);
process.stdout.write(JSON.stringify([fs.readFileSync(a, "utf8"), fs.statSync(a).isCharacterDevice(), fs.readFileSync(b, "utf8"), process.env, process.cwd()]));`;
    const env = { ...process.env, "A VARIABLE": "$(touch hit)'\"" };
    const command = [process.execPath, "-e", program, a, b];
    const child = hidingOf([a], "").start(command, ["ignore", "pipe", "inherit"], env);
    const { stdout, code } = await texts(child);
    expect(code).toBe(0);
    const plain = spawnSync(process.execPath, command.slice(1), { env, encoding: "utf8" });
    const [inA, isDevice, inB, seen, cwd] = JSON.parse(stdout);
    expect([inA, isDevice, inB, cwd]).toEqual(["", true, "content", process.cwd()]);
    // The shell sets these for itself, where they were absent.
    const [, , , expected] = JSON.parse(plain.stdout);
    for (const name of ["_", "PWD", "OLDPWD", "SHLVL"]) for (const all of [seen, expected]) delete all[name];
    expect(seen).toEqual(expected);
    expect(readFileSync(a, "utf8")).toBe("content");
  });

  it("lists the covered card as hidden, and its own as usable", async () => {
    const root = await temporaryFolder();
    for (const minor of [0, 1]) await addNvidia(root, `0000:1${minor}:00.0`, minor);
    const script = `import { listCards } from ${JSON.stringify(new URL("cards/list.js", pathToFileURL(main)).href)};
console.log(JSON.stringify(listCards(process.argv[1]).map(({ name, pci, isUsable }) => [name, pci, isUsable])));`;
    const files = [join(root, "dev/nvidia0")];
    const command = [process.execPath, "--input-type=module", "-e", script, root];
    const { stdout } = await texts(hidingOf(files, "").start(command, ["ignore", "pipe", "inherit"], process.env));
    expect(JSON.parse(stdout)).toEqual([
      ["gpu:0", "0000:10:00.0", false],
      ["gpu:1", "0000:11:00.0", true],
    ]);
    expect(listCards(root).map(({ isUsable }) => isUsable)).toEqual([true, true]);
  });

  it("has its own status, signals, streams and channel", async () => {
    const folder = await temporaryFolder();
    const file = join(folder, "a");
    await writeFile(file, "");
    const hiding = hidingOf([file], "");
    const start = (program: string, stdio: Parameters<typeof hiding.start>[1]) =>
      hiding.start([process.execPath, "-e", program], stdio, process.env);
    expect(await standIn(start("process.exit(7)", "ignore")).ended).toBe(7);
    expect(await standIn(start("process.kill(process.pid, 'SIGKILL')", "ignore")).ended).toBe(137);
    // Ends with 3 if it hears a signal.
    const waits = start("process.on('SIGTERM', () => process.exit(3)); setInterval(() => {}, 1000); console.log('ready')", [
      "ignore",
      "pipe",
      "inherit",
    ]);
    const stand = standIn(waits);
    waits.stdout?.once("data", () => stand.forward("SIGTERM"));
    expect(await stand.ended).toBe(3);
    const echo = start("process.stdin.pipe(process.stdout)", ["pipe", "pipe", "inherit"]);
    echo.stdin?.end("through");
    expect(await texts(echo)).toEqual({ stdout: "through", code: 0, signal: null });
    const talks = start("process.on('message', (m) => process.send(2 * m, () => process.disconnect()))", [
      "ignore",
      "ignore",
      "inherit",
      "ipc",
    ]);
    const heard = new Promise((resolve) => talks.on("message", resolve));
    talks.send(21);
    expect(await heard).toBe(42);
    expect((await texts(talks)).code).toBe(0);
  });

  it("is not started if a file can't be covered, and the error says what would do", async () => {
    const absent = join(await temporaryFolder(), "absent");
    let message = "";
    try {
      hidingOf([absent], "--device gpu:1: two cards");
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toMatch(
      /^--device gpu:1: two cards, and they can't be hidden from a process here \(unshare -.*absent.*\); start dechirp/,
    );
    expect(message).toMatch(/docker run --gpus device=1.*ConstrainDevices=yes.*device plugin of Kubernetes/);
  });
});

/** Runs the executable where `/dev` has only what is needed, and `cards` pretended cards. */
const onMachine = async (cards: number, args: readonly string[]): Promise<Ended> => (await startedOn(cards, args)).ended;

async function startedOn(cards: number, args: readonly string[], stdin: "ignore" | "pipe" = "ignore"): Promise<Started> {
  const dev = join(await temporaryFolder(), "dev");
  await mkdir(dev);
  const real = ["null", "zero", "random", "urandom", "tty"];
  for (const name of real) await writeFile(join(dev, name), "");
  for (let k = 0; k < cards; k++) await writeFile(join(dev, `nvidia${k}`), "");
  const script = `dev=$1; shift
for name in ${real.join(" ")}; do mount --bind /dev/$name "$dev/$name" || exit 99; done
mount --rbind "$dev" /dev || exit 99
exec "$@"`;
  const way = process.getuid?.() === 0 ? "-m" : "-Urm";
  return spawned("unshare", [way, "sh", "-c", script, "sh", dev, process.execPath, main, ...args], stdin);
}

describe.skipIf(!isPermitted)("dechirp on a machine with cards", () => {
  it("lists each card once", async () => {
    const { code, stdout } = await onMachine(2, ["devices", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).cards).toEqual([
      { name: "gpu:0", model: "NVIDIA GPU", vendor: "nvidia", minor: 0, file: "/dev/nvidia0", isUsable: true },
      { name: "gpu:1", model: "NVIDIA GPU", vendor: "nvidia", minor: 1, file: "/dev/nvidia1", isUsable: true },
    ]);
    expect((await onMachine(1, ["devices"])).stdout).toMatch(/\ngpu:0: NVIDIA GPU\n {2}\/dev\/nvidia0\n$/);
  });

  it("opens the named card in a process that sees no other, and no software adapter instead", async () => {
    for (const [cards, name] of [
      [1, "gpu:0"],
      [2, "gpu:1"],
    ] as const) {
      const { code, stdout, stderr } = await onMachine(cards, ["demo", "--device", name]);
      // There is no driver for a pretended card, so this is as far as it goes.
      expect(code, stderr).toBe(4);
      expect(stdout).toBe("");
      expect(stderr).toMatch(/no WebGPU adapter|no adapter is \{"software":false,"vendor":"nvidia"\}|npm install webgpu/);
    }
  });

  it("passes stdin and signals to the process that does the work", async () => {
    const waiting = await startedOn(2, ["schedule", "run", "-", "--device", "gpu:1", "--json"], "pipe");
    await hearsSignals(waiting, { inner: true });
    // It waits for the end of its input soon.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    waiting.child.kill("SIGTERM");
    const { code, stdout, stderr } = await waiting.ended;
    expect({ code, stderr }).toEqual({ code: 143, stderr: "dechirp: interrupted by SIGTERM\n" });
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "interrupted" } });
    const told = await startedOn(2, ["schedule", "run", "-", "--device", "gpu:1"], "pipe");
    told.child.stdin?.end("no tasks");
    expect(await told.ended).toMatchObject({ code: 3, stdout: "", stderr: expect.stringMatching(/^dechirp: .*JSON/) });
  });

  it("refuses a card that is not there", async () => {
    const { code, stderr } = await onMachine(2, ["demo", "--device", "gpu:2"]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/--device must be one of the cards gpu:0 \(NVIDIA GPU, \/dev\/nvidia0\), gpu:1 /),
    });
  });
});
