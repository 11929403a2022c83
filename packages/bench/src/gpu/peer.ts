/**
 * The native peer on the same GPU: a Python process that answers one line of JSON with another (peers/cufft.py says what
 * it understands) and times itself with the device's own events, so that its turns lie between ours.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { GpuContender } from "./rounds.ts";

/** What a peer is asked to do with random complex numbers in float32: `lines` lines of `n`. */
export interface PeerWork {
  readonly kind: "fft" | "columns" | "fft2" | "filter" | "transpose" | "real-fft" | "range-doppler" | "efa";
  readonly lines: number;
  readonly n: number;
  /** Of files that the work is on, in place of random numbers. */
  readonly folder?: string;
}

export interface Peer {
  /** For the record: device and versions. */
  readonly description: string;
  /** Implementations of the work, and those that failed. */
  open(work: PeerWork, size: { readonly bytes: number; readonly flops: number }): Promise<PeerTurn>;
  close(): void;
}

export interface PeerTurn {
  readonly contenders: readonly GpuContender[];
  readonly failed: Readonly<Record<string, string>>;
}

interface Answer {
  readonly error?: string;
  readonly description?: string;
  readonly names?: readonly string[];
  readonly failed?: Readonly<Record<string, string>>;
  readonly milliseconds?: number;
  readonly relative?: number;
}

/** Starts `command`; throws an Error that says why it can't be had. */
export async function startPeer(command: readonly string[]): Promise<Peer> {
  const child = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
  const waiting: { resolve(answer: Answer): void; reject(error: Error): void }[] = [];
  let gone: Error | undefined;
  const end = (why: string): void => {
    gone ??= new Error(why);
    for (const { reject } of waiting.splice(0)) reject(gone);
  };
  child.on("error", (error) => end(`${command[0]} could not be started: ${error.message}`));
  child.on("exit", (code) => end(`${command.join(" ")} ended with ${code}`));
  child.stdin.on("error", () => {});
  createInterface({ input: child.stdout }).on("line", (line) => {
    // Libraries may say things of their own.
    if (line.startsWith("{")) waiting.shift()?.resolve(JSON.parse(line) as Answer);
  });
  const ask = async (question: unknown): Promise<Answer> => {
    if (gone) throw gone;
    const answer = await new Promise<Answer>((resolve, reject) => {
      waiting.push({ resolve, reject });
      child.stdin.write(`${JSON.stringify(question)}\n`);
    });
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer;
  };
  const { description = "a peer" } = await ask({ do: "describe" });
  return {
    description,
    async open(work, { bytes, flops }) {
      const { names = [], failed = {} } = await ask({ do: "open", ...work });
      return {
        failed,
        contenders: names.map(
          (name): GpuContender => ({
            name,
            kind: "peer",
            bytes,
            flops,
            sample: async (runs) => (await ask({ do: "sample", name, runs })).milliseconds ?? Number.NaN,
            error: async () => (await ask({ do: "error", name })).relative ?? Number.NaN,
          }),
        ),
      };
    },
    close: () => child.stdin.end(),
  };
}
