/**
 * A native peer on the same GPU: a Python process that answers each line of JSON with another (peers/cufft.py describes the protocol). It
 * times itself with the device's events, and its turns alternate with ours.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { GpuContender } from "./rounds.ts";

/** The work of a peer on random complex numbers in float32: `lines` lines of `n`. */
export interface PeerWork {
  readonly kind:
    | "fft"
    | "axes"
    | "filter"
    | "transpose"
    | "real-fft"
    | "real-ifft"
    | "accumulate"
    | "fft-accumulate"
    | "range-doppler"
    | "efa"
    | "gather"
    | "reduce"
    | "box"
    | "box-real"
    | "general"
    | "general-real";
  readonly lines: number;
  readonly n: number;
  /** `graph`: a CUDA graph repeats the runs. `wait`: the host waits for each run, on its own clock. Default: runs are queued one by one. */
  readonly how?: "graph" | "wait";
  /** The folder of the input files, if the work is not on random numbers. */
  readonly folder?: string;
  /** The array's shape, if it is transformed along `axes`. Its last extent is `n`. */
  readonly shape?: readonly number[];
  /** Along which axes it is transformed or reduced. */
  readonly axes?: readonly number[];
  /** What a reduction computes, of which element type; and the bins of a histogram. */
  readonly what?: string;
  readonly dtype?: string;
  readonly bins?: number;
}

/** A peer's process. */
export interface Peer {
  /** Device and versions, for the report. */
  readonly description: string;
  /** Opens the work. Returns its implementations, and those that failed. */
  open(work: PeerWork, size: { readonly bytes: number; readonly flops: number }): Promise<PeerTurn>;
  close(): void;
}

/** The contenders of a peer for one case. */
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

/** Starts `command`. Throws an Error with the reason if that fails. */
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
    // Libraries may print lines of their own.
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
  const { description = "unnamed peer" } = await ask({ do: "describe" });
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
