/** Maps of a STAP run: handed out before the run is judged, and as panels for pictures. */
import { type Device, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { angleDopplerPanels, planStap, processStap, rangeDopplerPanels, type StapFindings } from "../src/index.ts";
import { azimuths, prfHz, pulses, radar, ranges, recordingOf, stap, stapCube, target } from "./stap-cube.ts";

let device: Device;
beforeAll(async () => {
  device = await open(cpu());
});
afterAll(() => device[Symbol.dispose]());

/** What a generator returns. */
function drained<T>(work: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value as T;
  }
}

describe("maps of a STAP run", () => {
  it("hands out maps and detections before it judges them", async () => {
    const seen: string[] = [];
    const found: StapFindings[] = [];
    const hooks = { onProgress: (what: string) => seen.push(what), onFindings: (findings: StapFindings) => found.push(findings) };
    const abort = new AbortController();
    const result = await stap(device, recordingOf(), {}, hooks);
    const [{ amf, beamformer, angleDoppler, raw, detections, target, threshold, stages }] = found;
    expect(found.length).toBe(1);
    expect([amf, beamformer, angleDoppler, raw, detections]).toEqual([
      result.amf,
      result.beamformer,
      result.angleDoppler,
      result.raw,
      result.detections,
    ]);
    expect({ target, threshold, stages }).toEqual({
      target: result.report.target,
      threshold: result.report.threshold,
      stages: result.report.stages,
    });
    // What follows can be cancelled, and nothing that was handed out is lost.
    const cancelled = stap(device, recordingOf(), {}, { signal: abort.signal, onFindings: () => abort.abort() });
    await expect(cancelled).rejects.toMatchObject({ code: "aborted" });
  });

  it("gives maps with ascending Doppler and the target at its place", async () => {
    const recording = recordingOf(stapCube(), { facts: { rangeAxis: { startMeters: 1000, stepMeters: 75 } } });
    const plan = await planStap(recording, radar);
    const result = await processStap(plan, device);
    const { target: cell } = result.report;
    const [adaptive, beamformer] = drained(rangeDopplerPanels(plan, result, cell));
    expect(adaptive.x).toEqual({ label: "Doppler, Hz", start: -150, step: prfHz / pulses, count: pulses });
    expect(adaptive.y).toEqual({ label: "slant range, km", start: 1, step: 0.075, count: ranges });
    expect(adaptive.mark).toEqual({ x: target.dopplerHz, y: 1 + 0.075 * target.range });
    const column = (target.dopplerHz + 150) / (prfHz / pulses);
    expect(adaptive.power[target.range * pulses + column]).toBe(Math.max(...adaptive.power));
    expect(beamformer.power[target.range * pulses + column]).toBe(result.beamformer.data[cell.dopplerBin * ranges + target.range]);
    const [spectrum, response, scan] = drained(angleDopplerPanels(plan, result, cell));
    expect([spectrum.power, response.power]).toEqual([result.angleDoppler.spectrum, result.angleDoppler.pattern]);
    expect([scan.x.count, scan.y.count]).toEqual([pulses, azimuths.length]);
    expect(scan.power[azimuths.indexOf(target.azimuthDegrees) * pulses + column]).toBe(Math.max(...scan.power));
  });
});
