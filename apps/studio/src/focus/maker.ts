/**
 * Makes images in a worker: opens the recording, plans, focuses block by block into a store, and keeps what a next image can use: the open
 * recording and the device. One image is made at a time, and one is kept.
 */
import { type Device, inputError, isRadarError, messageOf } from "@dechirp/core";
import {
  backprojectInWindows,
  createClock,
  focusInBlocks,
  focusWork,
  type ImageDescription,
  planBackprojectedImage,
  planFocus,
  planImageWindows,
  type PartSink,
} from "@dechirp/processor";
import { createImageStore, type ImageStore } from "../image/store.ts";
import { type DeviceName, factsOf, openDevice } from "../work/devices.ts";
import { describeRecording } from "./describe.ts";
import type { Focused, FocusEvent, Source } from "./messages.ts";
import { type DeviceChoice, proposeBackprojection, proposeFocus } from "./proposal.ts";
import { type OpenRecording, openRecording } from "./recordings.ts";
import { backprojectSettingsOf, type Choices, focusSettingsOf } from "./settings.ts";

/** What is to be made. */
export interface Job {
  readonly source: Source;
  readonly choices: Choices;
  /** Default: the device that gives the first picture soonest. */
  readonly device?: DeviceName;
  /** The Doppler centroid that another device has measured, so that both make the same image. */
  readonly centroidHz?: number;
}

/** The image that was made last, for exports and comparisons. */
export interface Made {
  readonly store: ImageStore;
  readonly description: ImageDescription;
  readonly focused: Focused;
  /** Height of the ground above the ellipsoid that the recording states. */
  readonly groundHeightMeters?: number;
}

/** A place where images are made. */
export interface Maker {
  make(job: Job, signal: AbortSignal): Promise<Focused>;
  /** The image that is there, or that is being made. Throws `input` if there is none. */
  store(): ImageStore;
  /** The finished image. Throws `input` if there is none. */
  made(): Made;
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
  let store: ImageStore | undefined;
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

  /** Closes the image of before, so that its memory is free for the next one. */
  function forget(): void {
    store?.close();
    store = undefined;
    made = undefined;
  }

  async function recordingOf(source: Source, signal: AbortSignal): Promise<OpenRecording> {
    const key = source.kind === "files" ? `files ${source.id}` : JSON.stringify(source);
    if (open?.key === key) return open.recording;
    const before = open;
    open = undefined;
    await before?.recording.close();
    const recording = await openRecording(source, {
      signal,
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

  return {
    async make({ source, choices, device: wanted, centroidHz }, signal) {
      forget();
      const began = performance.now();
      const clock = createClock();
      const recording = await clock.time(source.kind === "scene" ? "simulate" : "open", () => recordingOf(source, signal));
      const { content } = recording;
      const index = Math.min(choices.segment, content.kind === "stripmap" ? content.recordings.length : 1) - 1;
      tell({ kind: "recording", facts: describeRecording(recording, index) });

      const choose = async (isLarge: boolean): Promise<{ readonly name: DeviceName; readonly device: Device; readonly choice: DeviceChoice }> => {
        const { name, why } = await chooseDevice(wanted, isLarge);
        keepOnly(name);
        const device = await clock.time("open the device", () => deviceOf(name));
        return { name, device, choice: { value: `${deviceTitles[name]}: ${device.info.description}`, why } };
      };
      const storeFor = async (facts: Parameters<typeof createImageStore>[0]): Promise<PartSink> => {
        const made = await createImageStore(facts);
        store = made;
        return {
          write(window, data) {
            made.write(window, data);
            tell({ kind: "arrival", share: made.state.share, milliseconds: performance.now() - began });
          },
        };
      };
      const progress = (what: string, share: number): void => tell({ kind: "progress", what, share });
      const hooks = { signal, clock };
      const done = (name: DeviceName, device: Device, rest: Pick<Focused, "report"> & Pick<Made, "description" | "groundHeightMeters">): Focused => {
        const { report, ...placed } = rest;
        const focused = { report, device: factsOf(name, device), milliseconds: performance.now() - began };
        made = { store: store!, focused, ...placed };
        return focused;
      };

      if (content.kind === "stripmap") {
        const echoes = content.recordings[index]!;
        const settings = focusSettingsOf(centroidHz === undefined ? choices : { ...choices, centroid: centroidHz });
        const { name, device, choice } = await choose(focusWork(echoes, settings).bytes > gpuBytes);
        const most = name === "cpu" ? usableShare * device.limits.maxBufferBytes : Number.POSITIVE_INFINITY;
        const warnings: string[] = [];
        const planWith = (memoryBytes: number) =>
          planFocus(echoes, settings, device, {
            ...hooks,
            memoryBytes: Math.min(memoryBytes, most),
            ...(choices.lines !== undefined && { mostLines: choices.lines }),
            onQuestions: (asked) => warnings.splice(0, warnings.length, ...asked.map(({ text }) => text)),
            onProgress: progress,
          });
        const plan = await withMemory(choices.memory, planWith);
        tell({ kind: "proposal", proposal: proposeFocus(echoes, plan, choice, warnings) });
        const sink = await storeFor(proposeFocus(echoes, plan, choice, warnings).image);
        const start = performance.now();
        const { report } = await focusInBlocks(echoes, device, sink, plan, {
          ...hooks,
          whyDevice: choice.why,
          onProgress: (what, share) => what.startsWith("block") || progress(what, share),
          onBlock(block, blocks, rate) {
            const left = ((performance.now() - start) / 1000 / block) * (blocks - block);
            progress(`block ${Math.min(block + 1, blocks)} of ${blocks}, ${rateText(rate)} samples/s, ${timeText(left)} left`, 0.4 + (0.55 * block) / blocks);
          },
        });
        const { groundHeightMeters } = echoes.radar.orbit ?? {};
        return done(name, device, { report, description: plan.description, ...(groundHeightMeters !== undefined && { groundHeightMeters }) });
      }
      const plan = await planBackprojectedImage(content.recording, backprojectSettingsOf(choices));
      const { name, device, choice } = await choose(plan.grid.nx * plan.grid.ny * content.recording.shape[0] > gpuBackprojections);
      const planWindows = (memoryBytes: number) => planImageWindows(plan, device, { memoryBytes });
      const windows = await withMemory(choices.memory, planWindows);
      const proposal = proposeBackprojection(plan, windows, choice);
      tell({ kind: "proposal", proposal });
      const sink = await storeFor(proposal.image);
      const start = performance.now();
      const report = await backprojectInWindows(plan, device, sink, {
        ...hooks,
        whyDevice: choice.why,
        memoryBytes: windows.budgetBytes,
        onProgress(what, share) {
          const seconds = (performance.now() - start) / 1000;
          const rate = (share / 0.9) * windows.backprojections / seconds;
          const detail = share > 0 && what === "projecting" ? `, ${rateText(rate)} backprojections/s, ${timeText((seconds / share) * (0.95 - share))} left` : "";
          progress(`${what}${detail}`, share);
        },
      });
      return done(name, device, { report, description: plan.description });
    },
    store() {
      if (!store) throw inputError("image", "made before it is shown", "none");
      return store;
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
async function chooseDevice(wanted: DeviceName | undefined, isLarge: boolean): Promise<{ readonly name: DeviceName; readonly why: string }> {
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
