/** Metadata of SICD images that is made of what processors know, against images and paths that are known. */
import { createLocalFrame, geodeticToEcef } from "@dechirp/radar/geodesy";
import { describeBackprojection, describeRangeDoppler, type RangeDopplerFacts } from "@dechirp/radar/images";
import { expect, it } from "vitest";
import { groundToSicd, openSicd } from "../src/sicd.ts";
import { refusal } from "./refusal.ts";
import { groundSteps, knownBackprojection, knownPlatform, knownRangeDoppler, norm, platformAt, plus } from "./sicd-support.ts";
import { sicdFile } from "./sicd-target.ts";

const who = { collector: "SYNTHETIC-1", name: "MADE", mode: "spotlight", epoch: "2026-03-14T10:59:59.75Z" } as const;

/** What a processor knows of the known backprojected image: everything in a local frame, times after an epoch. */
function backprojectionFacts() {
  const known = knownBackprojection(groundSteps);
  const { placement } = known.metadata;
  if (placement?.kind !== "plane") throw new Error("not a plane");
  const frame = createLocalFrame({ latitudeDegrees: 35.3, longitudeDegrees: 20.5, heightMeters: 10 });
  const platform = knownPlatform();
  // The known collection begins half a second after the epoch; its aperture is from 1 s to 2 s.
  const pulseSeconds = Float64Array.from({ length: 1500 }, (_, p) => 1.5 + p / 1499);
  const positions = Float64Array.from([...pulseSeconds].flatMap((t) => [...frame.toLocal(platformAt(platform, t - 0.5)[0])]));
  const grid = {
    originMeters: frame.toLocal(placement.originMeters),
    xStepMeters: frame.directionToLocal(placement.columnStepMeters),
    yStepMeters: frame.directionToLocal(placement.rowStepMeters),
  };
  const frequency = { firstHz: 9.65e9 - 50e6, stepHz: 100e6 / 47, count: 48 };
  return { known, facts: { ...who, frame, grid, plane: "ground", positions, pulseSeconds, frequency } as const };
}

it("describes a backprojected image as one that is known", async () => {
  const { known, facts } = backprojectionFacts();
  const made = describeBackprojection(facts);
  expect(made.collection).toMatchObject({ start: "2026-03-14T11:00:01.25Z", prfHz: expect.closeTo(1499, 6) });
  expect(made.collection.durationSeconds).toBeCloseTo(1 + 1 / 1499, 9);
  const { metadata } = await openSicd(await sicdFile({ ...known, metadata: made }), { file: "x" });
  const { metadata: expected } = await openSicd(await sicdFile(known), { file: "x" });
  expect(norm(plus(metadata.scp.ecefMeters, expected.scp.ecefMeters, -1))).toBeLessThan(1e-6);
  for (const name of ["row", "column"] as const) {
    expect(norm(plus(metadata.grid[name].unitVector, expected.grid[name].unitVector, -1))).toBeLessThan(1e-9);
    // Half a step of frequency is added at each end of the band.
    const ratio = metadata.grid[name].bandwidthCyclesPerMeter / expected.grid[name].bandwidthCyclesPerMeter;
    expect(Math.abs(ratio - (name === "row" ? 48 / 47 : 1))).toBeLessThan(2e-3);
  }
  for (const target of known.targets) {
    const [a, b] = [groundToSicd(metadata, target), groundToSicd(expected, target)];
    expect(Math.hypot(a.row - b.row, a.column - b.column)).toBeLessThan(1e-5);
  }
});

it("lifts a grid by its height", () => {
  const { facts } = backprojectionFacts();
  const high = describeBackprojection({ ...facts, grid: { ...facts.grid, heightMeters: 7 } }).placement.originMeters;
  expect(norm(plus(high, describeBackprojection(facts).placement.originMeters, -1))).toBeCloseTo(7, 6);
  expect(norm(high)).toBeGreaterThan(norm(geodeticToEcef({ latitudeDegrees: 35.2, longitudeDegrees: 20.7, heightMeters: 120 })));
});

it("describes a range-Doppler image as one that is known", async () => {
  const known = knownRangeDoppler({ side: "left" });
  const { placement, collection } = known.metadata;
  if (placement?.kind !== "slant") throw new Error("not slant");
  const platform = knownPlatform({ side: "left" });
  // Slow time begins 0.5 s before the known collection.
  const timesSeconds = [-5, -1, 3, 7, 11];
  const states = timesSeconds.map((t) => platformAt(platform, t - 0.5));
  const facts: RangeDopplerFacts = {
    ...who,
    mode: "stripmap",
    radar: { carrierHz: 9.65e9, chirpRateHzPerSecond: -1e13, pulseSeconds: 1e-5, prfHz: 2600, startSeconds: 0.6, dopplerCentroidHz: 830 },
    orbit: {
      timesSeconds,
      positionsMeters: states.map(([p]) => p),
      velocitiesMetersPerSecond: states.map(([, v]) => v),
      lookSide: "left",
      groundHeightMeters: 120,
    },
    axes: {
      azimuthSeconds: { start: placement.azimuthSeconds.first + 0.5, step: placement.azimuthSeconds.step },
      slantRangeMeters: { start: placement.slantRangeMeters.first, step: placement.slantRangeMeters.step },
    },
    lines: 2 * 2600,
    processedBandwidthHz: 2000,
    centroid: { coefficientsHz: collection.doppler?.centroidHz ?? [], originMeters: collection.doppler?.originMeters ?? 0 },
  };
  const made = describeRangeDoppler(facts);
  expect(made.collection).toMatchObject({ start: "2026-03-14T11:00:00.35Z", processing: { bandHz: [9.6e9, 9.7e9] } });
  const { metadata } = await openSicd(await sicdFile({ ...known, metadata: made }), { file: "x" });
  const { metadata: expected } = await openSicd(await sicdFile(known), { file: "x" });
  expect(norm(plus(metadata.scp.ecefMeters, expected.scp.ecefMeters, -1))).toBeLessThan(1e-3);
  for (const target of known.targets) {
    const [a, b] = [groundToSicd(metadata, target), groundToSicd(expected, target)];
    expect(Math.hypot(a.row - b.row, a.column - b.column)).toBeLessThan(1e-3);
  }
  const { lookSide: _, ...orbit } = facts.orbit;
  expect((await refusal(() => describeRangeDoppler({ ...facts, orbit }))).fields.field).toBe("orbit.lookSide");
});

it("names what is wrong", async () => {
  const { facts } = backprojectionFacts();
  const field = async (members: object) => (await refusal(() => describeBackprojection({ ...facts, ...members }))).fields.field;
  expect(await field({ epoch: "yesterday" })).toBe("epoch");
  expect(await field({ positions: new Float64Array(3) })).toBe("positions");
  expect(await field({ pulseSeconds: [1, 2] })).toBe("pulseSeconds");
  expect(await field({ grid: { ...facts.grid, heightMeters: new Float32Array(4) } })).toBe("grid.heightMeters");
  expect(await field({ frame: undefined })).toBe("frame");
});
