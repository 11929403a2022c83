/** What a worker of a queue is given, tells and returns. */
import type { Device, RadarError } from "@dechirp/core";
import type { Job, JobStore, JobWorkerFacts } from "@dechirp/jobs";
import type { MessageKind } from "./message.ts";

/** What a worker tells. */
export type QueueWorkerEvent =
  /** It has opened its device and is at the queue. */
  | ({ readonly kind: "ready"; readonly queue: string; readonly device: string } & JobWorkerFacts)
  /** It has begun a task, a second copy of a late one, or the products of a job. */
  | { readonly kind: "begun"; readonly what: MessageKind; readonly store: string; readonly task?: number }
  /** It has ended that. `skipped`: another worker had done it. */
  | {
      readonly kind: "done";
      readonly what: MessageKind;
      readonly store: string;
      readonly task?: number;
      readonly seconds: number;
      readonly skipped: boolean;
    }
  /** It has failed, and will be tried again or not. `store` is absent if the message was not valid. */
  | {
      readonly kind: "failed";
      readonly what?: MessageKind;
      readonly store?: string;
      readonly task?: number;
      readonly error: RadarError;
      readonly again: boolean;
    }
  /** It was stopped because its job is cancelled, or because the worker leaves. */
  | {
      readonly kind: "stopped";
      readonly what: MessageKind;
      readonly store: string;
      readonly task?: number;
      readonly why: "cancelled" | "leaving";
    }
  /** The connection to the server is disturbed; the worker goes on when it is mended. */
  | { readonly kind: "disturbed"; readonly message: string };

/** Options of `JobQueue.work`. */
export interface QueueWorkerOptions {
  /** Opens the device, of which the worker disposes at its end. */
  openDevice(): Promise<Device>;
  /** When it fires, the worker leaves after its task. */
  readonly signal?: AbortSignal;
  /** When it fires, the worker stops its task, gives it back to the queue, and leaves. */
  readonly stop?: AbortSignal;
  /** Milliseconds after which a worker that does not answer has lost its task, from 1000. Default: 15,000. */
  readonly leaseMs?: number;
  /** Addresses of stores that the worker may open, also those below them. Default: all. */
  readonly stores?: readonly string[];
  /** Seconds without work after which the worker leaves. Default: it stays. */
  readonly idleSeconds?: number;
  /** Makes the products of a job whose tasks are all done. Without it, none are made. */
  readonly assemble?: (
    open: { readonly job: Job; readonly store: JobStore },
    device: Device,
    options: { readonly signal: AbortSignal; readonly onProgress: (share: number) => void },
  ) => Promise<unknown>;
  /** What is known of the worker beside its device, for the marks of tasks. */
  readonly factsOf?: (device: Device) => JobWorkerFacts;
  /** Environment with the credentials of buckets. Default: that of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Hears what the worker does, as it happens. */
  readonly onEvent?: (event: QueueWorkerEvent) => void;
}

/** What a worker has done when it leaves. */
export interface QueueWorkerResult {
  /** Tasks and products that it has made. */
  readonly made: number;
  /** Tasks and products that have failed. */
  readonly failed: number;
}
