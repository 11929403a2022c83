/** Questions about radars: none about radars that exist, one about each mistaken unit, with the field and what may have been meant. */
import { describe, expect, it } from "vitest";
import { type QuestionedRadar, questionRadar, scenePresets } from "../src/index.ts";
import { inertialOrbit, keplerOrbit } from "./orbits.ts";

/** Name, carrier, sampling rate, PRF, chirp rate, pulse, velocity, near range, samples of a line. */
type Row = readonly [string, number, number, number, number, number, number, number, number];

/** Published parameters, rounded; ranges and lengths of lines as typical. */
const real: readonly Row[] = [
  ["RADARSAT-1 Fine", 5.3e9, 32.317e6, 1256.98, -0.72135e12, 41.75e-6, 7062, 988_647, 9288],
  ["RADARSAT-1 Standard", 5.3e9, 12.9e6, 1290, -0.279e12, 42e-6, 7062, 880_000, 4800],
  ["RADARSAT-1 ScanSAR", 5.3e9, 12.9e6, 1300, -0.279e12, 42e-6, 7060, 900_000, 5000],
  ["ERS-1", 5.3e9, 18.96e6, 1679.9, 4.18e11, 37.12e-6, 7125, 830_000, 5616],
  ["Envisat IS2", 5.331e9, 19.2e6, 1652, 5.88e11, 27e-6, 7100, 830_000, 5200],
  ["Envisat IS7, narrow band", 5.331e9, 19.2e6, 2066, 3.1e11, 27e-6, 7100, 1_000_000, 5000],
  ["JERS-1", 1.275e9, 17.1e6, 1505, -4.3e11, 35e-6, 7150, 700_000, 5300],
  ["Seasat", 1.275e9, 22.765e6, 1647, -5.62e11, 33.8e-6, 7300, 840_000, 6800],
  ["ALOS PALSAR, fine", 1.27e9, 32e6, 2150.5, -1.037e12, 27e-6, 7180, 848_000, 10_344],
  ["ALOS PALSAR, dual", 1.27e9, 16e6, 2150.5, -5.185e11, 27e-6, 7180, 848_000, 5194],
  ["ALOS PALSAR, polarimetric", 1.27e9, 32e6, 1915, -8.75e11, 16e-6, 7180, 730_000, 10_000],
  ["ALOS-2 spotlight", 1.2575e9, 105e6, 2500, 84e6 / 30e-6, 30e-6, 7200, 750_000, 30_000],
  ["Sentinel-1 stripmap", 5.405e9, 66.73e6, 1924.956, 1.34493e12, 44.17e-6, 7130, 800_000, 21_558],
  ["Sentinel-1 IW burst", 5.405e9, 64.35e6, 1717.13, 1.078e12, 52.4e-6, 7130, 800_000, 22_000],
  ["Sentinel-1 wave mode", 5.405e9, 82e6, 1600, 1.5e12, 45e-6, 7130, 790_000, 12_000],
  ["TerraSAR-X stripmap", 9.65e9, 110e6, 3800, 100e6 / 45e-6, 45e-6, 7380, 560_000, 15_000],
  ["TerraSAR-X staring spotlight", 9.65e9, 330e6, 4400, 300e6 / 45e-6, 45e-6, 7380, 600_000, 25_000],
  ["COSMO-SkyMed", 9.6e9, 187.5e6, 3100, 120e6 / 40e-6, 40e-6, 7300, 650_000, 20_000],
  ["ICEYE spotlight", 9.65e9, 360e6, 6000, 300e6 / 30e-6, 30e-6, 7400, 600_000, 25_000],
  ["ICEYE dwell", 9.65e9, 1.4e9, 8000, 1.2e9 / 25e-6, 25e-6, 7400, 650_000, 60_000],
  ["Umbra", 9.6e9, 1.5e9, 5500, 1.2e9 / 12e-6, 12e-6, 7400, 700_000, 50_000],
  ["Capella", 9.65e9, 750e6, 9500, 700e6 / 10e-6, 10e-6, 7400, 620_000, 20_000],
  ["NISAR L", 1.257e9, 96e6, 1910, 80e6 / 40e-6, 40e-6, 7000, 900_000, 20_000],
  ["NISAR L, 5 MHz", 1.293e9, 6e6, 1650, 5e6 / 20e-6, 20e-6, 7000, 900_000, 2500],
  ["NISAR S", 3.2e9, 84e6, 2200, 75e6 / 25e-6, 25e-6, 7000, 900_000, 20_000],
  ["BIOMASS", 0.435e9, 7.2e6, 3100, 6e6 / 30e-6, 30e-6, 7200, 720_000, 1500],
  ["SAOCOM", 1.275e9, 60e6, 1800, 50e6 / 35e-6, 35e-6, 7100, 700_000, 15_000],
  ["SRTM C", 5.3e9, 45e6, 1344, 10e6 / 34e-6, 34e-6, 7450, 270_000, 12_000],
  ["SIR-C", 1.25e9, 45e6, 1395, 20e6 / 34e-6, 34e-6, 7450, 240_000, 12_000],
  ["Magellan at Venus", 2.385e9, 2.26e6, 4400, 2.26e6 / 26.5e-6, 26.5e-6, 8200, 300_000, 200],
  ["Cassini at Titan", 13.78e9, 2e6, 5000, 0.85e6 / 150e-6, 150e-6, 5500, 1_500_000, 350],
  ["Mini-RF at the Moon", 2.38e9, 12e6, 3000, 4e6 / 20e-6, 20e-6, 1640, 60_000, 2000],
  ["Mini-RF, low orbit", 7.14e9, 45e6, 3000, 20e6 / 20e-6, 20e-6, 1650, 25_000, 2000],
  ["DFSAR at the Moon", 1.25e9, 90e6, 3500, 75e6 / 50e-6, 50e-6, 1630, 105_000, 10_000],
  ["SHARAD sounder", 20e6, 26.67e6, 700, -10e6 / 85e-6, 85e-6, 3400, 290_000, 3600],
  ["MARSIS sounder", 3e6, 2.8e6, 127, 1e6 / 250e-6, 250e-6, 4200, 300_000, 980],
  ["Kaguya sounder", 5e6, 6.25e6, 20, 2e6 / 200e-6, 200e-6, 1560, 95_000, 2048],
  ["geosynchronous", 1.25e9, 30e6, 200, 20e6 / 200e-6, 200e-6, 1800, 36_500_000, 30_000],
  ["geosynchronous, small inclination", 5.4e9, 10e6, 50, 8e6 / 1e-3, 1e-3, 15, 38_000_000, 30_000],
  ["UAVSAR", 1.2575e9, 90e6, 390, 80e6 / 40e-6, 40e-6, 220, 13_450, 12_000],
  ["AIRSAR", 1.24875e9, 45e6, 500, 40e6 / 10e-6, 10e-6, 215, 8_500, 4096],
  ["F-SAR X", 9.6e9, 500e6, 2500, 384e6 / 5e-6, 5e-6, 90, 3_500, 16_384],
  ["E-SAR P", 0.35e9, 100e6, 400, 94e6 / 5e-6, 5e-6, 85, 3_200, 2048],
  ["CARABAS", 55e6, 100e6, 100, 70e6 / 20e-6, 20e-6, 128, 9_000, 8192],
  ["LORA", 0.3e9, 250e6, 300, 220e6 / 10e-6, 10e-6, 130, 8_000, 8192],
  ["Lynx", 16.7e9, 1.2e9, 1500, 1e9 / 30e-6, 30e-6, 35, 4_000, 40_000],
  ["MiniSAR on a drone", 10e9, 200e6, 500, 150e6 / 2e-6, 2e-6, 10, 20, 2048],
  ["slow drone, FMCW", 24e9, 250e6, 1000, 250e6 / 1e-3, 1e-3, 3, 2, 4096],
  ["W band on a light aircraft", 94e9, 1.2e9, 4000, 1e9 / 20e-6, 20e-6, 50, 400, 40_000],
  ["Ka band on a helicopter", 35e9, 800e6, 3000, 600e6 / 5e-6, 5e-6, 46, 300, 10_000],
  ["fast jet", 9.6e9, 300e6, 1500, 200e6 / 20e-6, 20e-6, 450, 40_000, 30_000],
  ["SR-71", 9.6e9, 100e6, 2000, 75e6 / 20e-6, 20e-6, 950, 60_000, 20_000],
  ["balloon", 9.6e9, 100e6, 50, 75e6 / 20e-6, 20e-6, 15, 25_000, 20_000],
  ["car, 77 GHz", 77e9, 1e9, 5000, 1e9 / 50e-6, 50e-6, 14, 1, 20_000],
  ["car, fast, 79 GHz", 79e9, 4e9, 20_000, 3.5e9 / 25e-6, 25e-6, 40, 1, 50_000],
  ["rail on the ground, Ku", 17.2e9, 350e6, 100, 300e6 / 5e-3, 5e-3, 0.02, 50, 20_000],
  ["rail, far", 17.2e9, 350e6, 200, 200e6 / 1e-3, 1e-3, 0.1, 4_000, 20_000],
  ["rail indoors, fast sweep", 10e9, 2e9, 1000, 1.9e9 / 10e-6, 10e-6, 0.1, 1, 4096],
  ["terahertz scanner", 0.3e12, 40e9, 100, 40e9 / 1e-6, 1e-6, 0.05, 0.5, 40_000],
  ["ground-penetrating radar", 400e6, 1e9, 100, 800e6 / 10e-9, 10e-9, 1.5, 0.15, 512],
];

const radarOf = ([, carrierHz, samplingRateHz, prfHz, chirpRateHzPerSecond, pulseSeconds, velocity, nearRangeMeters]: Row) => ({
  carrierHz,
  samplingRateHz,
  prfHz,
  chirpRateHzPerSecond,
  pulseSeconds,
  velocityMetersPerSecond: velocity,
  nearRangeMeters,
});

describe("questionRadar", () => {
  it.each(real)("asks nothing about %s", (...row) => {
    expect(questionRadar(radarOf(row), 4096, row[8])).toEqual([]);
    // The velocity comes from an orbit or an option.
    const { velocityMetersPerSecond: _, ...rest } = radarOf(row);
    expect(questionRadar(rest, 4096, row[8])).toEqual([]);
  });

  it.each(Object.entries(scenePresets))("asks nothing about the preset %s", (_, { radar, lines, samples }) => {
    expect(questionRadar(radar, lines, samples)).toEqual([]);
  });

  const ers = real.find(([name]) => name === "ERS-1") as Row;
  const uavsar = real.find(([name]) => name === "UAVSAR") as Row;
  it.each<[change: Partial<QuestionedRadar>, field: string, text: RegExp, row?: Row]>([
    [{ nearRangeMeters: 850 }, "nearRangeMeters", /850 m for a platform at 7125 m\/s: were kilometres meant \(850000\)\?/],
    [{ nearRangeMeters: 0.00555 }, "nearRangeMeters", /the echo's delay in seconds/],
    [{ nearRangeMeters: 850e6 }, "nearRangeMeters", /is it right\?$/],
    [{ nearRangeMeters: 20 }, "nearRangeMeters", /20 m for a platform at 220 m\/s: were kilometres meant \(20000\)\?/, uavsar],
    [{ carrierHz: 5.3 }, "carrierHz", /5\.3 Hz, .*: were gigahertz meant \(5\.3e9\)\?/],
    [{ carrierHz: 5300 }, "carrierHz", /were megahertz meant \(5300e6\)\?/],
    [{ carrierHz: 0.0566 }, "carrierHz", /gigahertz/],
    [{ prfHz: 1.6799 }, "prfHz", /1\.6799 Hz, .*: were kilohertz meant \(1679\.9\)\?/],
    [{ prfHz: 0.39 }, "prfHz", /were kilohertz meant \(390\)\?/, uavsar],
    [{ prfHz: 16_799 }, "prfHz", /5616 samples of a line take 0\.000296203 s, longer than/],
    [{ samplingRateHz: 18.96 }, "samplingRateHz", /18\.96 Hz, below the chirp's bandwidth .*: were megahertz meant \(18\.96e6\)\?/],
    [
      { samplingRateHz: 10e6 },
      "samplingRateHz",
      /below the chirp's bandwidth of 15516200 Hz\.$|below the chirp's bandwidth of 1\.55162e\+7 Hz\.$/,
    ],
    [{ pulseSeconds: 37.12 }, "pulseSeconds", /37\.12 s, longer than .*: were microseconds meant \(37\.12e-6\)\?/],
    [{ pulseSeconds: 0.03712 }, "pulseSeconds", /longer than/],
    [{ velocityMetersPerSecond: 7.125 }, "velocityMetersPerSecond", /near range is 830 km: were kilometres a second meant \(7125\)\?/],
    [{ velocityMetersPerSecond: 7_125_000 }, "velocityMetersPerSecond", /faster than satellites fly/],
    [{ velocityMetersPerSecond: 150 }, "velocityMetersPerSecond", /is either of them wrong\?/],
    [{ chirpRateHzPerSecond: 0.418 }, "chirpRateHzPerSecond", /were megahertz a microsecond meant \(0\.418e12\)\?/],
    [{ chirpRateHzPerSecond: -418e6 }, "chirpRateHzPerSecond", /is it right\?|megahertz a/],
    [{ chirpRateHzPerSecond: 4.18e9 }, "chirpRateHzPerSecond", /is it right\?/],
    [{ carrierHz: 5.3e6 }, "carrierHz", /less than half of the chirp's bandwidth/],
  ])("asks about %o", (change, field, text, row = ers) => {
    const questions = questionRadar({ ...radarOf(row), ...change }, 4096, row[8]);
    expect(questions.map((question) => question.field)).toEqual([`radar.${field}`]);
    expect(questions[0].text).toMatch(text);
    expect(questions[0].text).toMatch(/^[a-z]+[A-Za-z]* (is|does|moves) .*[.?]$/);
  });

  it("asks about each of several mistakes", () => {
    const radar = { ...radarOf(ers), carrierHz: 5.3, nearRangeMeters: 830, pulseSeconds: 37.12 };
    expect(questionRadar(radar, 4096, 5616).map(({ field }) => field)).toEqual([
      "radar.carrierHz",
      "radar.pulseSeconds",
      "radar.nearRangeMeters",
    ]);
  });
});

describe("orbits", () => {
  const radar = { ...radarOf(real[0]) };
  const ask = (orbit: NonNullable<QuestionedRadar["orbit"]>) => questionRadar({ ...radar, orbit }, 1536, 2048);
  const times = Array.from({ length: 12 }, (_, i) => 10 * i - 40);

  it("are not asked about if they move as gravity and the Earth's rotation demand", () => {
    for (const [altitudeMeters, inclinationDegrees] of [
      [500e3, 97.4],
      [693e3, 98.2],
      [798e3, 98.6],
      [620e3, 5],
      [230e3, 57],
      [35_786e3, 16],
    ]) {
      for (const spacing of [1, 10, 60]) {
        for (const latitudeArgument of [0, 50, 90, 200]) {
          const at = times.map((time) => (time * spacing) / 10);
          const orbit = keplerOrbit({ altitudeMeters, inclinationDegrees, latitudeArgument }, at);
          expect(ask({ ...orbit, lookSide: "right" })).toEqual([]);
          // Orbits as simulators often make them.
          const simple = keplerOrbit({ altitudeMeters, inclinationDegrees, latitudeArgument, j2: 0 }, at);
          expect(ask({ ...simple, lookSide: "right" })).toEqual([]);
          const { velocitiesMetersPerSecond: _, ...positions } = orbit;
          expect(ask({ ...positions, lookSide: "left" })).toEqual([]);
        }
      }
    }
  });

  it("stand in for a velocity that is not given", () => {
    const orbit = {
      ...keplerOrbit({ altitudeMeters: 798e3, inclinationDegrees: 98.6, latitudeArgument: 30 }, times),
      lookSide: "right" as const,
    };
    const { velocityMetersPerSecond: _, ...rest } = radar;
    expect(questionRadar({ ...rest, orbit }, 1536, 2048)).toEqual([]);
    const [question, ...more] = questionRadar({ ...rest, nearRangeMeters: 988, orbit }, 1536, 2048);
    expect(question).toMatchObject({ field: "radar.nearRangeMeters", text: expect.stringMatching(/kilometres meant \(988000\)/) });
    expect(more).toEqual([]);
    expect(() => questionRadar({ ...rest, orbit: { ...orbit, timesSeconds: [1] } }, 1536, 2048)).toThrow(/radar\.orbit\.timesSeconds/);
  });

  it("are asked about if positions are inertial, or times or a digit are wrong", () => {
    const elements = { altitudeMeters: 693e3, inclinationDegrees: 98.2, latitudeArgument: 40 };
    const inertial = ask({ ...inertialOrbit(elements, times), lookSide: "right" });
    expect(inertial).toMatchObject([{ field: "radar.orbit.positionsMeters" }]);
    expect(inertial[0].text).toMatch(/moves as in an inertial frame \(ECI\), .*: were its positions converted to ECEF\?$/);
    const sound = keplerOrbit(elements, times);
    const late = { ...sound, timesSeconds: times.map((time) => time * 1.01) };
    const { velocitiesMetersPerSecond: _, ...positions } = sound;
    const digit = { ...positions, positionsMeters: sound.positionsMeters.map((p, i) => (i === 5 ? [p[0], p[1] + 9000, p[2]] : p)) };
    for (const orbit of [late, digit]) {
      expect(ask({ ...orbit, lookSide: "right" })).toMatchObject([
        { field: "radar.orbit", text: expect.stringMatching(/does not move as gravity demands/) },
      ]);
    }
  });
});
