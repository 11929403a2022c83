/** Simulates or reads a cube, and processes it on a device. */
import { createPause, type Device, inputError, runInPieces, throwIfAborted } from "@dechirp/core";
import {
  type ArrayRecording,
  angleDopplerPanels,
  createClock,
  planStap,
  processStap,
  rangeDopplerPanels,
  type StapFindings,
  type StapPanel,
  type StapPlan,
  type StapReport,
  type StapResult,
  stapPresets,
} from "@dechirp/processor";
import { expose } from "comlink";
import type { readOpened } from "../opened/places.ts";
import type { RecordingPlace } from "../opened/source.ts";
import { factsOf, openDevice } from "../work/devices.ts";
import { keptDevice } from "../work/kept-devices.ts";
import { type Listener, listening, type OnAdvance } from "../work/listening.ts";
import "../work/wire.ts";
import { cutsOf } from "./cuts.ts";
import type { FileFacts, FileRequest, Found } from "./messages.ts";
import { aboveNext, methodMap, methodTitles } from "./methods.ts";
import { type FileTraits, fileSettings, recordingOf, sceneOf, wardSettings } from "./scenario.ts";
import type { Values } from "./settings.ts";

/** An array's recording as it was read. */
type ReadArray = Awaited<ReturnType<typeof readOpened<"array">>>["recording"];

const mostListed = 20;
const axisOf: Readonly<Record<string, "channel" | "pulse" | "range">> = { c: "channel", p: "pulse", r: "range" };

/** The file that was read last. */
let file: { readonly recording: ArrayRecording; readonly traits: FileTraits } | undefined;
/** The recording that was drawn last, so that other processing of the same scene does not draw it again. */
let drawn: { readonly key: string; readonly recording: ArrayRecording } | undefined;
let last: StapResult | undefined;

const api = {
  /** Reads a file, which `run` then processes. Rejects with `input`, one sentence about what is wrong. */
  read: (request: FileRequest, listener: OnAdvance, signal: AbortSignal): Promise<FileFacts> =>
    listening(listener, (onAdvance) => read(request, onAdvance, signal)),

  /**
   * Processes the file that was read, or Ward's scenario. Calls `onFound` as soon as there is something to show, and resolves with the
   * report. Rejects as `planStap` and `processStap` do.
   */
  run: (
    values: Values,
    source: "ward" | "file",
    foundListener: Listener<[Found]>,
    listener: OnAdvance,
    signal: AbortSignal,
  ): Promise<StapReport> =>
    listening(foundListener, (onFound) => listening(listener, (onAdvance) => run(values, source, onFound, onAdvance, signal))),

  /** The output of the last run as a .npy file. */
  async output(): Promise<Blob> {
    if (!last) throw inputError("output", "there after a run", undefined);
    const { arrayBytes, npyHeader } = await import("@dechirp/io");
    const { output, report } = last;
    return new Blob([npyHeader({ dtype: report.output.type, shape: report.output.shape }), arrayBytes(output)] as BlobPart[]);
  },
};

/** Keeps a recording for `run`. */
function factsOfFile(format: string, recording: ReadArray, place: RecordingPlace): FileFacts {
  const { cube, preset, steering, facts, notes, name } = recording;
  const known = preset && stapPresets[preset.name];
  const traits: FileTraits = {
    pulses: cube.pulses,
    hasDirections: steering !== undefined || known?.processing.azimuth !== undefined,
    hasSpacing: facts.spacing !== undefined || known?.facts.spacing !== undefined,
  };
  file = { recording, traits };
  const { number, names } = recording.cpi;
  return {
    name,
    format,
    place,
    channels: cube.channels,
    pulses: cube.pulses,
    ranges: cube.ranges,
    cpi: { number, count: names.length, name: names[number - 1] },
    notes,
    traits,
  };
}

/** Reads a file, and keeps it for `run`. */
async function read({ source, axes, cpi }: FileRequest, onAdvance: OnAdvance, signal: AbortSignal): Promise<FileFacts> {
  file = undefined;
  const { openPlaces, readOpened } = await import("../opened/places.ts");
  const opened = await openPlaces(source, signal);
  try {
    const { format, recording, place } = await readOpened(opened, {
      kind: "array",
      signal,
      onProgress: (share) => onAdvance(`reading ${Object.keys(opened.files)[0]}`, share),
      ...(axes !== "auto" && { axes: [...axes].map((letter) => axisOf[letter]) }),
      ...(cpi > 1 && { cpi }),
    });
    return factsOfFile(format, recording, place);
  } finally {
    await opened.close();
  }
}

/** Processes the file that was read, or a scenario, and keeps the result for `output`. */
async function run(
  values: Values,
  source: "ward" | "file",
  onFound: (found: Found) => void,
  onAdvance: OnAdvance,
  signal: AbortSignal,
): Promise<StapReport> {
  const clock = createClock();
  const device = await keptDevice(values.device);
  throwIfAborted(signal, "stap");
  const recording = source === "ward" ? await clock.time("simulate", async () => simulated(values)) : file?.recording;
  if (!recording || (source === "file" && !file)) throw inputError("source", "a file that was read", source);
  const settings = source === "ward" || !file ? wardSettings(values) : fileSettings(values, file.traits);
  throwIfAborted(signal, "stap");
  const plan = await clock.time("plan", () => planStap(recording, settings, { signal }));
  let telling: Promise<void> | undefined;
  const result = await processStap(plan, device, {
    clock,
    signal,
    onProgress: onAdvance,
    ...(values.device === "gpu" && { openFloat64: () => openDevice("cpu") }),
    onFindings(findings) {
      const before = clock.timings.map(({ name, milliseconds }) => [name, milliseconds] as const);
      telling = foundOf(values, plan, findings, device, before, signal).then(onFound);
      telling.catch(() => {});
    },
  });
  await telling;
  last = result;
  return result.report;
}

/** What the worker can do. */
export type AdaptiveApi = typeof api;

function simulated(values: Values): ArrayRecording {
  const scene = sceneOf(values);
  const key = JSON.stringify(scene);
  if (drawn?.key !== key) drawn = { key, recording: recordingOf(scene) };
  return drawn.recording;
}

async function foundOf(
  values: Values,
  plan: StapPlan,
  findings: StapFindings,
  device: Device,
  times: Found["times"],
  signal: AbortSignal,
): Promise<Found> {
  const { target, detections, threshold, stages } = findings;
  const { geometry, parameters } = plan;
  const { channels, pulses, ranges, order } = geometry;
  const pause = createPause("drawing", signal);
  const drained = <T>(work: Generator<void, T>): Promise<T> => runInPieces(work, pause);
  const began = performance.now();
  const other = values.method === "efa" ? undefined : methodMap(values.method, plan, target);
  const took = performance.now() - began;
  const amf = other ?? findings.amf;
  const [on, off] = await drained(rangeDopplerPanels(plan, { ...findings, amf }, target));
  return {
    device: factsOf(values.device, device),
    on: values.method === "efa" ? on : inDecibels(on, methodTitles[values.method]),
    off,
    angleDoppler: await drained(angleDopplerPanels(plan, findings, target)),
    cuts: cutsOf(plan, findings.angleDoppler, target),
    target,
    aboveNext: { on: aboveNext(amf, ranges, target), off: aboveNext(findings.beamformer, ranges, target) },
    detections: { count: detections.length, listed: detections.slice(0, mostListed) },
    threshold,
    parameters,
    sizes: { channels, pulses, ranges, order },
    times: [
      ...times.filter(([name]) => name === "simulate" || name === "plan"),
      ...stages.map(({ name, milliseconds }) => [name, milliseconds] as const),
      ...times.filter(([name]) => name !== "simulate" && name !== "plan" && name !== "process"),
      ...(other ? [[values.method.toUpperCase(), took] as const] : []),
    ],
  };
}

/** A panel of power, with the scale of the beamformer's. */
function inDecibels(panel: StapPanel, title: string): StapPanel {
  const most =
    10 *
    Math.log10(
      Math.max(
        panel.power.reduce((a, b) => Math.max(a, b), 0),
        Number.MIN_VALUE,
      ),
    );
  return { ...panel, title, unit: "dB", lowDb: most - 60, highDb: most };
}

expose(api);
