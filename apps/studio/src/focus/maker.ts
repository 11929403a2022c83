/**
 * Makes images in a worker in two steps: `plan` opens the recording and a device and proposes parameters, `focus` makes the image, block by
 * block, into an image that another worker keeps. The open recording and the device stay for the next image.
 */
import { type Device, inputError, isRadarError, messageOf } from "@dechirp/core";
import {
  backprojectInWindows,
  backprojectionWork,
  type Clock,
  createClock,
  focusInBlocks,
  focusWork,
  type ImageDescription,
  type PhaseHistoryRecording,
  planBackprojectedImage,
  planFocus,
  planImageWindows,
  type StripmapRecording,
} from "@dechirp/processor";
import type { ImageFacts } from "../image/facts.ts";
import type { RemoteStore } from "../image/remote-store.ts";
import { type DeviceName, factsOf, openDevice } from "../work/devices.ts";
import { describeRecording } from "./describe.ts";
import type { FocusEvent, Focused, Proposal, Source } from "./messages.ts";
import { type DeviceChoice, proposeBackprojection, proposeFocus, withParts } from "./proposal.ts";
import { type OpenRecording, openRecording } from "./recordings.ts";
import { backprojectSettingsOf, type Choices, focusSettingsOf } from "./settings.ts";
import { inPageWords } from "./wording.ts";

/** What is to be made. */
export interface Job {
  readonly source: Source;
  readonly choices: Choices;
  /** Default: the device that gives the first picture soonest. */
  readonly device?: DeviceName;
  /** The Doppler centroid that another device has measured, so that both make the same image. */
  readonly centroidHz?: number;
}

/** The image that was made last, for files of it. */
export interface Made {
  readonly facts: ImageFacts;
  readonly store: RemoteStore;
  readonly description: ImageDescription;
  readonly report: Focused["report"];
  /** Height of the ground above the ellipsoid that the recording states. */
  readonly groundHeightMeters?: number;
}

/** A place where images are made. */
export interface Maker {
  /** Opens the recording and plans its image. */
  plan(job: Job, signal: AbortSignal): Promise<Proposal>;
  /** Makes the image that was planned last. */
  focus(store: RemoteStore, signal: AbortSignal): Promise<Focused>;
  /** The finished image. Throws `input` if there is none. */
  made(): Made;
}

/** What is left to do when an image has been planned. */
interface Planned {
  readonly proposal: Proposal;
  readonly device: Device;
  readonly name: DeviceName;
  readonly description: ImageDescription;
  readonly groundHeightMeters?: number | undefined;
  readonly clock: Clock;
  focus(store: RemoteStore, signal: AbortSignal): Promise<Focused["report"]>;
}

/** Work beyond which a graphics card gives the first picture sooner, although its kernels must be compiled first: bytes of complex samples. */
const gpuBytes = 2 ** 28;
const gpuBackprojections = 2e9;
/** Bytes that blocks may have if nothing is set, tried in this order. */
const usualMemory = [2 ** 29, 2 ** 30, 3 * 2 ** 30];
/** The share of a processor's memory that an image may take: tables and transforms need some, too. */
const usableShare = 0.85;

/** Makes a maker, which tells what happens by `tell`. */
export function createMaker(tell: (event: FocusEvent) => void): Maker {
  const devices = new Map<DeviceName, Device>();
  let open: { readonly key: string; readonly recording: OpenRecording } | undefined;
  let planned: Planned | undefined;
  let made: Made | undefined;

  async function deviceOf(name: DeviceName): Promise<Device> {
    const known = devices.get(name);
    if (known) return known;
    const device = await openDevice(name);
    devices.set(name, device);
    void device.lost.then((error) => {
      if (devices.get(name) !== device) return;
      devices.delete(name);
      tell({ kind: "lost", message: messageOf(error) });
    });
    return device;
  }

  async function recordingOf(source: Source, { part, channel }: Choices, signal: AbortSignal): Promise<OpenRecording> {
    const key = JSON.stringify([source.kind === "files" ? source.id : source, part, channel]);
    if (open?.key === key) return open.recording;
    const before = open;
    open = undefined;
    await before?.recording.close();
    const recording = await openRecording(source, part, {
      ...{ signal, channel },
      onProgress: (what, share) => tell({ kind: "progress", what, ...(share !== undefined && { share }) }),
      processor: () => deviceOf("cpu"),
    });
    open = { key, recording };
    return recording;
  }

  /** Closes devices that are not needed, so that a worker holds one at most. */
  function keepOnly(name: DeviceName): void {
    for (const [other, device] of devices) {
      if (other === name) continue;
      devices.delete(other);
      device[Symbol.dispose]();
    }
  }

  const progress = (what: string, share: number): void => tell({ kind: "progress", what, share });

  /** Chooses a device and opens it. */
  async function choose(wanted: DeviceName | undefined, isLarge: boolean, clock: Clock) {
    const { name, why } = await chooseDevice(wanted, isLarge);
    keepOnly(name);
    const device = await clock.time("open the device", () => deviceOf(name));
    const choice: DeviceChoice = { value: `${deviceTitles[name]}: ${device.info.description}`, why };
    return { name, device, choice };
  }

  async function planStripmap(
    echoes: StripmapRecording,
    { choices, device: wanted, centroidHz }: Job,
    clock: Clock,
    signal: AbortSignal,
  ): Promise<Planned> {
    const settings = focusSettingsOf(centroidHz === undefined ? choices : { ...choices, centroid: centroidHz });
    const { name, device, choice } = await choose(wanted, focusWork(echoes, settings).bytes > gpuBytes, clock);
    const most = name === "cpu" ? usableShare * device.limits.maxBufferBytes : Number.POSITIVE_INFINITY;
    const warnings: string[] = [];
    const plan = await withMemory(choices.memory, (memoryBytes) =>
      planFocus(echoes, settings, device, {
        ...{ signal, clock, onProgress: progress },
        memoryBytes: Math.min(memoryBytes, most),
        ...(choices.lines !== undefined && { mostLines: choices.lines }),
        onQuestions: (asked) => warnings.splice(0, warnings.length, ...asked.map(({ text }) => text)),
      }),
    );
    return {
      ...{ name, device, clock, description: plan.description, groundHeightMeters: echoes.radar.orbit?.groundHeightMeters },
      proposal: proposeFocus(echoes, plan, choice, warnings),
      async focus(store, signal) {
        const start = performance.now();
        const { report } = await focusInBlocks(echoes, device, store, plan, {
          ...{ signal, clock, whyDevice: choice.why },
          onProgress: (what, share) => what.startsWith("block") || progress(what, share),
          onBlock(block, blocks, rate) {
            const left = ((performance.now() - start) / 1000 / block) * (blocks - block);
            const next = `block ${Math.min(block + 1, blocks)} of ${blocks}, ${rateText(rate)}samples/s, ${timeText(left)} left`;
            progress(next, 0.4 + (0.55 * block) / blocks);
          },
        });
        return report;
      },
    };
  }

  async function planHistory(recording: PhaseHistoryRecording, { choices, device: wanted }: Job, clock: Clock): Promise<Planned> {
    const plan = await planBackprojectedImage(recording, backprojectSettingsOf(choices));
    const { name, device, choice } = await choose(wanted, backprojectionWork(plan).backprojections > gpuBackprojections, clock);
    const windows = await withMemory(choices.memory, (memoryBytes) => planImageWindows(plan, device, { memoryBytes }));
    return {
      ...{ name, device, clock, description: plan.description },
      proposal: proposeBackprojection(plan, windows, choice),
      focus(store, signal) {
        const start = performance.now();
        return backprojectInWindows(plan, device, store, {
          ...{ signal, clock, whyDevice: choice.why, memoryBytes: windows.budgetBytes },
          onProgress(what, share) {
            const seconds = (performance.now() - start) / 1000;
            const rate = ((share / 0.9) * windows.backprojections) / seconds;
            const isUnderWay = share > 0 && what === "projecting";
            const speed = `, ${rateText(rate)}backprojections/s, ${timeText((seconds / share) * (0.95 - share))} left`;
            progress(`${what}${isUnderWay ? speed : ""}`, share);
          },
        });
      },
    };
  }

  return {
    async plan(job, signal) {
      made = undefined;
      planned = undefined;
      const { source, choices } = job;
      const clock = createClock();
      const recording = await clock.time(source.kind === "scene" ? "simulate" : "open", () => recordingOf(source, choices, signal));
      const { content } = recording;
      const segments = content.kind === "stripmap" ? content.recordings.length : 1;
      const index = choices.segment <= segments ? choices.segment - 1 : 0;
      const facts = describeRecording(recording, index, choices);
      tell({ kind: "recording", facts });
      try {
        const next =
          content.kind === "stripmap"
            ? await planStripmap(content.recordings[index]!, job, clock, signal)
            : await planHistory(content.recording, job, clock);
        planned = { ...next, proposal: withParts(next.proposal, facts, index) };
      } catch (error) {
        throw inPageWords(error);
      }
      return planned.proposal;
    },
    async focus(store, signal) {
      if (!planned) throw inputError("image", "planned before it is made", "not planned");
      const { proposal, device, name, description, groundHeightMeters } = planned;
      const report = await planned.focus(store, signal);
      const facts = proposal.image;
      made = { facts, store, description, report, ...(groundHeightMeters !== undefined && { groundHeightMeters }) };
      return { report, device: factsOf(name, device) };
    },
    made() {
      if (!made) throw inputError("image", "finished before it is saved", "unfinished");
      return made;
    },
  };
}

/** What devices are called. */
export const deviceTitles: Readonly<Record<DeviceName, string>> = { cpu: "WebAssembly", gpu: "WebGPU" };

/** Chooses the device that gives the first picture soonest. */
async function chooseDevice(
  wanted: DeviceName | undefined,
  isLarge: boolean,
): Promise<{ readonly name: DeviceName; readonly why: string }> {
  if (wanted) return { name: wanted, why: "your setting" };
  if (!isLarge) return { name: "cpu", why: "small work: it gives a picture before a graphics card has compiled its kernels" };
  const adapter = "gpu" in navigator ? await navigator.gpu.requestAdapter().catch(() => null) : null;
  if (!adapter) return { name: "cpu", why: "this browser offers no graphics card" };
  if (adapter.info.isFallbackAdapter) return { name: "cpu", why: "the browser's graphics card is emulated on the processor" };
  return { name: "gpu", why: "large work: a graphics card is faster" };
}

/** Plans with the memory that is set, else with the least of the usual ones that suffices. */
async function withMemory<T>(mebibytes: number | undefined, plan: (memoryBytes: number) => Promise<T>): Promise<T> {
  if (mebibytes !== undefined) return plan(mebibytes * 2 ** 20);
  for (const [i, bytes] of usualMemory.entries()) {
    try {
      return await plan(bytes);
    } catch (error) {
      const isSmall = isRadarError(error, "input") && error.fields["field"] === "memoryBytes";
      if (!isSmall || i === usualMemory.length - 1) throw error;
    }
  }
  throw inputError("memory", "more", usualMemory.length);
}

/** A rate with a prefix: `12.5 M`. */
function rateText(rate: number): string {
  const [size, prefix] = rate >= 1e9 ? [1e9, "G"] : rate >= 1e6 ? [1e6, "M"] : [1e3, "k"];
  return `${(rate / size).toPrecision(3)} ${prefix}`;
}

/** Seconds as text for people: `45 s`, `3 min`. */
export const timeText = (seconds: number): string => (seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.round(seconds / 60)} min`);
