/** The samples of a recording in the task Backprojection: only those that an aperture needs are read, and they have a limit. */
import { isRadarError } from "@dechirp/core";
import type { PhaseHistoryRecording } from "@dechirp/processor";
import { circularTrack } from "@dechirp/sar";
import { expect, it } from "vitest";
import { mostSamples } from "../src/backprojection/flight.ts";
import { blockPulses, recordedFlight } from "../src/backprojection/samples.ts";

/** A recording whose blocks share one array, as only their number matters here. */
function recordingOf(pulses: number, count: number) {
  const read: number[] = [];
  const zeros = new Float32Array(2 * count * blockPulses);
  const track = { radiusMeters: 1000, altitudeMeters: 500, firstRadians: 0, stepRadians: 1e-4, pulses };
  const recording: PhaseHistoryRecording = {
    name: "long",
    shape: [pulses, count],
    positions: circularTrack(track),
    referenceRangeMeters: new Float64Array(pulses).fill(Math.hypot(1000, 500)),
    frequency: { firstHz: 9e9, stepHz: 1e5, count },
    area: { xMeters: [-20, 20], yMeters: [-20, 20] },
    pulses(from, some) {
      read.push(from);
      return zeros.subarray(0, 2 * count * some);
    },
  } as PhaseHistoryRecording;
  return { recording, read };
}

const count = 16_384;
const most = mostSamples / count;

it("reads the pulses of the aperture, once while there is room, and drops those that were needed longest ago", async () => {
  const { recording, read } = recordingOf(2 * most, count);
  const flight = recordedFlight(recording, "files 1");
  const ask = (first: number, some: number) => flight.portions([first, some], () => {}, undefined);
  await ask(64, 128);
  await ask(64, 128);
  expect(read).toEqual([64, 128]);
  // As much as there is room for, elsewhere: the first blocks must go.
  await ask(most, most);
  expect(read).toHaveLength(2 + most / blockPulses);
  await ask(most, most);
  expect(read).toHaveLength(2 + most / blockPulses);
  await ask(64, 128);
  expect(read.slice(-2)).toEqual([64, 128]);
});

it("refuses an aperture that needs more memory than there may be, and says what to do", async () => {
  const { recording, read } = recordingOf(2 * most, count);
  const flight = recordedFlight(recording, "files 1");
  const error = await flight
    .portions([0, most + 1], () => {}, undefined)
    .then(
      () => undefined,
      (reason: unknown) => reason,
    );
  if (!isRadarError(error, "limit")) throw new Error(`not refused: ${error}`);
  expect(error.message).toMatch(
    /^the aperture has 4097 pulses of 16384 frequencies, which take 513 MiB of memory; this page holds at most 512 MiB/,
  );
  expect(error.message).toContain("at most 4096 pulses (50 % of the flight)");
  expect(read).toEqual([]);
});
