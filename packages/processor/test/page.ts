/** The program of the page in browser.test.ts: simulates a recording and focuses it with the processor, as any page would. */
import { open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import { focusRecording, type Report, simulateRecording } from "../src/index.ts";
import { smallPreset } from "./presets.ts";

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

Object.assign(globalThis, { focusHere });
