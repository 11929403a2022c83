/** The program of the page in browser.test.ts: simulates a recording and focuses it with the processor, as any page would. */
import { open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import { openBlob, openNpy } from "@dechirp/io";
import { focusInBlocks, focusRecording, planFocus, type Report, simulateRecording } from "../src/index.ts";
import { smallPreset, spaceRadar } from "./presets.ts";

export interface PageImage {
  readonly report: Report;
  /** Bytes of the image as base64. */
  readonly image: string;
  readonly progress: readonly string[];
}

const backends = { cpu: () => cpu({ workers: 2 }), gpu: () => gpu() } as const;

async function focusHere(backend: keyof typeof backends): Promise<PageImage> {
  using host = await open(cpu({ workers: 2 }));
  const recording = await simulateRecording("small", smallPreset(true), { type: "ci16" }, host);
  using device = await open(backends[backend]());
  const progress: string[] = [];
  using focused = await focusRecording(recording, {}, device, { onProgress: (what) => progress.push(what) });
  const { buffer, byteOffset, byteLength } = focused.image;
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  let text = "";
  for (let at = 0; at < bytes.length; at += 2 ** 15) text += String.fromCharCode(...bytes.subarray(at, at + 2 ** 15));
  return { report: focused.report, image: btoa(text), progress };
}

/** The part of the DOM that the page uses. */
declare const document: { querySelector(name: "input"): { readonly files: readonly (Blob & { readonly name: string })[] } };

/** What a page finds when it focuses a file that the user has chosen. */
export interface PageQuicklook {
  readonly report: Report;
  readonly quicklook: { readonly width: number; readonly height: number; readonly levels: number };
  /** Bytes of the device's arrays at their peak. */
  readonly peakBytes: number;
}

/** Collects garbage, so that the memory of the page does not depend on when the browser does. */
const collect = (): void => (globalThis as unknown as { gc(): void }).gc();

/** Focuses the chosen file raw.npy, int8 pairs [lines][samples], block by block to a quicklook. Only parts of the file are in memory. */
async function focusFile(memoryBytes: number): Promise<PageQuicklook> {
  const [file] = document.querySelector("input").files;
  const bytes = openBlob(file);
  const { layout, rows } = await openNpy(bytes, { file: file.name, complexPairs: true });
  const recording = {
    name: file.name,
    shape: layout.shape as readonly [number, number],
    dtype: "ci8" as const,
    radar: spaceRadar,
    processedBandwidthHz: 1000,
    pulses: (from: number, count: number, options = {}) => rows(from, count, options) as Promise<Int8Array>,
  };
  using device = await open(cpu({ workers: 2 }));
  const plan = await planFocus(recording, {}, device, { memoryBytes });
  const { report, quicklook } = await focusInBlocks(recording, device, { write: collect }, plan, { quicklook: { maxSide: 1024 } });
  const { width, height, data } = quicklook;
  return { report, quicklook: { width, height, levels: new Set(data).size }, peakBytes: device.memory().peakBytes };
}

Object.assign(globalThis, { focusHere, focusFile });
