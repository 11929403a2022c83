/**
 * Faults at every step of whole programs on a GPU: out of memory, failing pipelines and mappings, refused commands, loss, disposal,
 * abort.
 */
import { type Device, open } from "@dechirp/core";
import { gpu } from "@dechirp/fft-gpu";
import { afterEach, describe, expect, test } from "vitest";
import { create } from "webgpu";
import { full } from "../full.ts";
import { type WatchedGpu, watch } from "./gpu-tap.ts";
import { programs, shortPrograms, type WholeProgram } from "./programs.ts";
import { type Fault, type Ground, sweep, type Tap, tell } from "./sweep.ts";

const started = create([]);
const tap: Tap = { hook: undefined };
let watched: WatchedGpu | undefined;
let raw: GPUDevice | undefined;

const ground: Ground = {
  tap,
  async open(): Promise<Device> {
    end();
    const adapter = await started.requestAdapter();
    raw = await (adapter as GPUAdapter).requestDevice();
    watched = watch(raw);
    watched.hook = (step) => tap.hook?.(step) ?? false;
    // Short passes, so that transforms with several passes are short too.
    return open(gpu({ device: raw, planning: { longestPass: 512 } }));
  },
  lose: () => raw?.destroy(),
  inspect: () => expect(watched?.uncaught).toEqual([]),
};

function end(): void {
  raw?.destroy();
  const uncaught = watched?.uncaught ?? [];
  raw = watched = undefined;
  expect(uncaught).toEqual([]);
}

afterEach(end);

const faults: readonly Fault[] = [
  { name: "no memory", steps: ["createBuffer"], codes: ["out-of-memory", "no-backend"], fresh: true },
  { name: "no pipeline", steps: ["createComputePipelineAsync", "createComputePipeline"], codes: ["compile", "failed"], fresh: true },
  { name: "nothing mapped", steps: ["mapAsync"], codes: ["failed"] },
  { name: "commands refused", steps: ["submit"], codes: ["failed"] },
  { name: "lost", action: "lose", codes: ["device-lost", "no-backend"] },
  { name: "disposed of", action: "dispose", codes: ["disposed"] },
  { name: "aborted", action: "abort", codes: ["aborted"] },
];

/**
 * SwiftShader takes seconds to compile what others compile in milliseconds. It runs the short programs; the others are counted as
 * skipped.
 */
const slow = process.env["DECHIRP_ADAPTER_KIND"] === "swiftshader";
const sweptBy = ({ action }: Fault): readonly WholeProgram[] =>
  full || (action !== "lose" && action !== "dispose") ? programs : shortPrograms;

describe.each(faults.map((fault) => [fault.name, fault] as const))("%s", (_, fault) => {
  for (const program of sweptBy(fault)) {
    const isLeftOut = slow && !full && !shortPrograms.includes(program);
    const title = isLeftOut ? `${program.name}: on quick adapters, or with DECHIRP_FAULTS=full` : program.name;
    test.skipIf(isLeftOut)(title, { timeout: 1_200_000 }, async () => {
      const tally = await sweep(ground, program, fault);
      tell(`gpu, ${fault.name}, ${program.name}`, tally);
      expect(tally.faults).toBeGreaterThan(0);
    });
  }
});
