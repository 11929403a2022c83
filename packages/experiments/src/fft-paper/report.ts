/** The experiment's report as plain data, version 1. tables.ts formats it as text, plots.ts as plots, and result.ts as a file to contribute. */
import type { experimentFormat } from "../experiment.ts";

/** The parts of the experiment: batches at N = 4096 (Fig. 1, Table VI), sizes (Tables V and VII), and lines that one product of matrices transforms. */
export const sections = ["batches", "sizes", "short"] as const;

/** A part of the experiment. */
export type FftSection = (typeof sections)[number];

/** The name of the rows of the device's own choice, without a variant. */
export const ownChoice = "planner's choice";

/** The name of the row that says why nothing was measured at a size and batch. */
export const everyKernel = "every kernel";

/** A measured time, in the same run as the copy's. */
export interface FftMeasured {
  /** The clock that measured the times. */
  readonly clock: "device" | "host";
  /** Median milliseconds of the whole batch, and the quartiles. */
  readonly milliseconds: number;
  /** The quartiles. */
  readonly quartiles: readonly [low: number, high: number];
  /** How many times it was timed, and how many runs each time had. */
  readonly turns: number;
  /** Number of runs in a turn. */
  readonly runs: number;
  /** The rate in bytes relative to that of a copy: median of adjacent turns. Absent for peers in another process. */
  readonly ofCopy?: number;
  /** Relative L2 error of the timed output against float64, in sampled lines. */
  readonly error: number;
  /** The largest error that is right. */
  readonly allowed: number;
  /** The text of the plan. */
  readonly text: string;
  /** Number of passes over memory. Absent for peers. */
  readonly passes?: number;
}

/** One transform of a batch by one kernel, with its time or the reason why it has none. */
export interface FftRow {
  /** The part of the experiment. */
  readonly section: FftSection;
  /** N: points of a transform. */
  readonly n: number;
  /** Number of transforms. */
  readonly batch: number;
  /** `planner's choice`, a variant's name, or a peer's. */
  readonly name: string;
  /** Whether it is a kernel of this project or of another library. */
  readonly kind: "own" | "peer";
  /** The reason if `measured` is missing. */
  readonly why?: string;
  /** The measurement. */
  readonly measured?: FftMeasured;
}

/** The rate of the copy that a batch is compared with. */
export interface CopyRate {
  /** Bytes that it reads, and the same number that it writes. */
  readonly bytes: number;
  /** 10⁹ bytes read and written per second. */
  readonly gigabytesPerSecond: number;
}

/** What a device lets a kernel use. */
export interface GroupLimits {
  /** Bytes of workgroup memory. */
  readonly workgroupBytes: number;
  /** Invocations of a workgroup. */
  readonly invocations: number;
  /** The smallest and largest size of subgroups, if the device has them. */
  readonly subgroups?: readonly [smallest: number, largest: number];
}

/** A figure of the memory microbenchmarks for a row of Table II. */
export interface MemoryFigure {
  /** The row's name in Table II. */
  readonly metric: string;
  /** The measured value with its unit. */
  readonly value: string;
}

/** A predicted time. */
export interface PredictedTime {
  /** N: points of a transform. */
  readonly n: number;
  /** Number of transforms. */
  readonly batch: number;
  /** Name of the row that it predicts. */
  readonly name: string;
  /** Milliseconds of the whole batch. */
  readonly milliseconds: number;
}

/** The measurements on a device. */
export interface FftDeviceResults {
  /** The device. */
  readonly device: {
    readonly id: string;
    readonly description: string;
    readonly notes: readonly string[];
    /** Whether the processor emulates it. */
    readonly software: boolean;
    /** Number of units: workers of the processor. */
    readonly units: number;
    /** Why it was chosen. */
    readonly why?: string;
  };
  /** Limits of a workgroup, if it has workgroups. */
  readonly groups?: GroupLimits;
  /** The copy's rate, by size. */
  readonly copies: readonly CopyRate[];
  /** The measurements. */
  readonly rows: readonly FftRow[];
  /** The measured rows of Table II, if they were measured. */
  readonly memory?: readonly MemoryFigure[];
  /** The times that a model predicts, if there is one. */
  readonly predictions?: readonly PredictedTime[];
}

/** What anyone can contribute: the measurements, without names of machines, users and folders. */
export interface FftPaperResult {
  /** The value `dechirp-experiment`. */
  readonly format: typeof experimentFormat;
  /** Version of the form. */
  readonly version: 1;
  /** Name of the experiment. */
  readonly experiment: "fft-paper";
  /** Date and time, ISO 8601. */
  readonly date: string;
  /** Whether only few points were measured. */
  readonly quick: boolean;
  /** Versions of what ran, by name. */
  readonly versions: Readonly<Record<string, string>>;
  /** One entry for each device. */
  readonly devices: readonly FftDeviceResults[];
  /** What did not take part, and why, by name. */
  readonly absent: Readonly<Record<string, string>>;
}

/** The report of `fftPaperExperiment`. */
export interface FftPaperReport extends FftPaperResult {
  /** The published results by table, as published.ts lists them. */
  readonly published: Readonly<Record<string, unknown>>;
}
