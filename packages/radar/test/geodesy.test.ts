/** Geodesy against figures of PROJ 9.1.1 (pyproj 3.4.1), which are in tables here, and against itself at random places. */
import { createRandom, isRadarError } from "@dechirp/core";
import { describe, expect, it } from "vitest";
import {
  createLocalFrame,
  ecefToGeodetic,
  geodeticToEcef,
  geodeticToUtm,
  isUtmEpsg,
  mapProjection,
  utmEpsg,
  utmToGeodetic,
  type Vector3,
  wgs84,
} from "../src/geodesy.ts";

/** Latitude, longitude, height; x, y, z. From EPSG 4979 to 4978. */
const ecefTable: readonly (readonly number[])[] = [
  [0, 0, 0, 6378137, 0, 0],
  [90, 0, 0, 3.9186209248144716e-10, 0, 6356752.314245179],
  [-90, -75.5, 123.456, 9.811632505186769e-11, -3.793876789013978e-10, -6356875.7702451795],
  [12.3456789, 180, -430.25, -6231178.598488696, 7.630992925554672e-10, 1354690.9544472198],
  [-33.25, -179.999999, 8848.86, -5346723.254960829, -0.09331792601577886, -3482030.934830044],
  [60.1699, 24.9384, 20, 2884143.3938827286, 1341124.985030992, 5509934.760954383],
  [52.520008, 13.404954, 34, 3783265.2168073305, 901646.5954229704, 5038246.622745509],
  [37.7749, -122.4194, 693000, -2999837.756337692, -4723452.054105076, 4310230.156029325],
  [-1e-7, 77.6, 35786000, 9054129.75341188, 41180543.74778399, -0.07351578019402852],
  [35.6895, 139.6917, -11000, -3948031.3747813585, 3349157.464501755, 3693847.47185109],
  [89.9999999, -60, 2500, 0.005586880715464465, -0.009676761255011213, 6359252.314245179],
  [45, 101.25, 400000000, -56061214.11588034, 281838755.7012884, 287330060.8834849],
  [1e-9, 10.5, -2000000, 4304824.6912373295, 797852.0968716141, 7.566769078170777e-5],
];

/** Latitude, longitude, EPSG code; easting, northing, convergence in degrees, scale. PROJ computes the last two by differences. */
const utmTable: readonly (readonly number[])[] = [
  [0, 9, 32632, 500000, 0, 0, 0.9996000000506513],
  [52.52, 9, 32632, 500000, 5818876.65668549, 0, 0.9995999999874156],
  [47.5, 12, 32633, 274068.60796019644, 5265092.549077426, -2.2127632865742304, 1.0002273383359763],
  [60.4, 6, 32632, 334729.7303495649, 6699723.01721249, -2.609069159725679, 0.9999347163017568],
  [60.39, 5.32, 32631, 627860.2492175164, 6697096.931595972, 2.017298621894629, 0.9998003321989462],
  [78.22, 15.6, 32633, 513674.0649389056, 8682991.984972183, 0.587364122628668, 0.9996022848991385],
  [-17.7, -179.9, 32701, 192375.6625173649, 8040636.400780378, 0.8823924189943795, 1.0007702063430257],
  [-17.7, 179.9, 32760, 807624.3374826377, 8040636.400780378, -0.8823924190043675, 1.0007702063430284],
  [-51.7, -62.5, 32720, 534554.1485373385, 4272209.463147992, -0.39239204122967675, 0.9996146583752582],
  [1e-5, 33, 32636, 499999.9999999993, 1.1053004611126571, 0, 0.9996000000506512],
  [-1e-5, 33, 32736, 499999.9999999993, 9999998.894699538, 0, 0.9996000000506512],
  [-79.99, -69.3, 32719, 494178.5512662098, 1119515.327885788, 0.295433310823157, 0.9996004140232526],
  [83.99, 21, 32634, 500000, 9326977.461057285, 0, 0.9995999999428015],
  [-33.87, 151.2, 32756, 333510.65008074325, 6250800.241183555, 1.0033895425342256, 0.9999417135446075],
  // Far from the central meridian, beyond the poles, and across the antimeridian.
  [60.39, 5.32, 32632, 297230.2202096259, 6700510.175253601, -3.2005031380617734, 1.0001038550029866],
  [0, 0, 32638, -5125021.003904308, 0, 0, 1.4184467020609872],
  [80, 15, 32660, 156438.48647878756, 11060729.539205207, -162.25617951285523, 1.001042489170182],
  [45, 20, 32630, 2311596.4328480605, 5247197.167981688, 16.71147895137438, 1.0402064030510454],
  [50, 40, 32632, 2697711.4084380264, 6015313.354445244, 24.723416632997036, 1.0594541200005632],
  [10, -170, 32660, 1936441.7709236178, 1134078.785879156, 2.296526692471683, 1.025242570491367],
  [-0.5, 44.9, 32731, 5647957.285282016, 9925549.057608468, -0.4510762245184556, 1.3466084136233953],
  [-60, -23, 32731, -924075.4091450833, 3061390.894492167, 22.90039914212241, 1.0245432196515307],
  [90, 10, 32632, 500000, 9997964.943020998, 1, 0.999599999954341],
  [-90, 170, 32733, 500000, 2035.056979002431, -155, 0.999599999954522],
  [89.9, 90, 32632, 511027.4765902616, 9996218.361426324, 80.99998651681724, 0.9996014851812923],
  [84, -171, 32633, 569895.4765360105, 10664192.98273057, 174.0326307553324, 0.9996596766396894],
  [35, -20, 32633, -2754775.046910164, 4488882.965019014, -21.90696558723673, 1.1328952224746391],
  [5, 179.5, 32601, 111770.32909968146, 553698.7477870785, -0.30542982302017874, 1.0014661433470855],
];

const place = (latitudeDegrees: number, longitudeDegrees: number, heightMeters = 0) => ({
  latitudeDegrees,
  longitudeDegrees,
  heightMeters,
});
const turnBetween = (a: number, b: number): number => Math.abs(a - b - 360 * Math.round((a - b) / 360));
const failsWith = (work: () => unknown, field: string): void => {
  try {
    work();
  } catch (error) {
    expect(isRadarError(error, "input") && error.fields.field).toBe(field);
    return;
  }
  expect.unreachable(field);
};

describe("the ellipsoid", () => {
  it.each(ecefTable)("has PROJ's coordinates of %d, %d at %d m", (latitude, longitude, height, ...xyz) => {
    const found = geodeticToEcef(place(latitude, longitude, height));
    // Units in the last place of the distance from the centre.
    const tolerance = 4 * 2 ** -52 * Math.hypot(...xyz);
    for (let k = 0; k < 3; k++) expect(Math.abs(found[k] - xyz[k])).toBeLessThan(Math.max(tolerance, 1e-9));
    const back = ecefToGeodetic(xyz as unknown as Vector3);
    expect(Math.abs(back.latitudeDegrees - latitude)).toBeLessThan(1e-12);
    if (Math.abs(latitude) < 90)
      expect(turnBetween(back.longitudeDegrees, longitude)).toBeLessThan(1e-12 / Math.cos(latitude * (Math.PI / 180)));
    expect(Math.abs(back.heightMeters - height)).toBeLessThan(Math.max(tolerance, 1e-9) * 2);
  });

  it("gives back random places at any height", () => {
    const { uniform } = createRandom(3);
    for (let turn = 0; turn < 5000; turn++) {
      const height = uniform() < 0.2 ? -5.3e6 * uniform() : 10 ** (11 * uniform()) - 10_000;
      const latitude = uniform() < 0.2 ? (90 - 10 ** (-12 * uniform())) * (uniform() < 0.5 ? 1 : -1) : 180 * uniform() - 90;
      const longitude = 360 * uniform() - 180;
      const xyz = geodeticToEcef(place(latitude, longitude, height));
      const back = ecefToGeodetic(xyz);
      const distance = Math.hypot(...xyz);
      expect(Math.abs(back.heightMeters - height)).toBeLessThan(8 * 2 ** -52 * Math.max(distance, 6.4e6));
      const again = geodeticToEcef(back);
      for (let k = 0; k < 3; k++) expect(Math.abs(again[k] - xyz[k])).toBeLessThan(8 * 2 ** -52 * Math.max(distance, 6.4e6));
      if (distance > 5e6) expect(Math.abs(back.latitudeDegrees - latitude)).toBeLessThan(1e-12);
    }
  });

  it("has exact poles and one name for the antimeridian", () => {
    expect(geodeticToEcef(place(90, 17))).toEqual([0, 0, wgs84.semiMinorAxisMeters]);
    expect(ecefToGeodetic([0, 0, -wgs84.semiMinorAxisMeters - 5])).toEqual({ latitudeDegrees: -90, longitudeDegrees: 0, heightMeters: 5 });
    expect(ecefToGeodetic([-7e6, -0, 0]).longitudeDegrees).toBe(180);
    expect(geodeticToEcef(place(0, -180))).toEqual(geodeticToEcef(place(0, 180)));
  });

  it("refuses what is no position", () => {
    failsWith(() => geodeticToEcef(place(90.1, 0)), "position.latitudeDegrees");
    failsWith(() => geodeticToEcef(place(Number.NaN, 0)), "position.latitudeDegrees");
    failsWith(() => geodeticToEcef(place(0, Number.POSITIVE_INFINITY)), "position.longitudeDegrees");
    failsWith(() => geodeticToEcef({ latitudeDegrees: 0 } as never), "position.longitudeDegrees");
    failsWith(() => geodeticToEcef({ ...place(0, 0), hight: 3 } as never), "position.hight");
    failsWith(() => ecefToGeodetic([1, 2, 3]), "positionMeters");
    failsWith(() => ecefToGeodetic([7e6, Number.NaN, 3]), "positionMeters");
    failsWith(() => ecefToGeodetic([7e6, 3] as never), "positionMeters");
  });
});

describe("createLocalFrame", () => {
  it("turns between Earth-fixed and local coordinates", () => {
    const { uniform } = createRandom(5);
    for (let turn = 0; turn < 200; turn++) {
      const origin = place(180 * uniform() - 90, 360 * uniform() - 180, 5000 * uniform());
      const frame = createLocalFrame(origin);
      const above = geodeticToEcef({ ...origin, heightMeters: origin.heightMeters + 1000 });
      const [x, y, z] = frame.toLocal(above);
      expect(Math.hypot(x, y, z - 1000)).toBeLessThan(1e-8);
      const local: Vector3 = [1e5 * uniform(), -2e5 * uniform(), 3e5 * uniform()];
      const back = frame.toLocal(frame.toEcef(local));
      expect(Math.hypot(...back.map((value, k) => value - local[k]))).toBeLessThan(1e-8);
      const step = frame.directionToLocal(frame.directionToEcef(local));
      expect(Math.hypot(...step.map((value, k) => value - local[k]))).toBeLessThan(1e-9);
      // East, north and up from differences of nearby places.
      if (Math.abs(origin.latitudeDegrees) > 89.9) continue;
      const north = frame.toLocal(geodeticToEcef({ ...origin, latitudeDegrees: origin.latitudeDegrees + 1e-5 }));
      const east = frame.toLocal(geodeticToEcef({ ...origin, longitudeDegrees: origin.longitudeDegrees + 1e-5 }));
      expect(north[1] / Math.hypot(...north)).toBeGreaterThan(1 - 1e-12);
      expect(east[0] / Math.hypot(...east)).toBeGreaterThan(1 - 1e-12);
    }
  });

  it("takes an Earth-fixed origin and keeps it", () => {
    const xyz = geodeticToEcef(place(51, 7, 120));
    const frame = createLocalFrame(xyz);
    expect(frame.originMeters).toEqual(xyz);
    expect(frame.origin.heightMeters).toBeCloseTo(120, 8);
    expect(frame.toEcef([0, 0, 0])).toEqual(xyz);
    failsWith(() => createLocalFrame([0, 0, 0]), "positionMeters");
    failsWith(() => createLocalFrame(place(-91, 0)), "position.latitudeDegrees");
    failsWith(() => frame.toLocal([1, 2] as never), "positionMeters");
    failsWith(() => frame.directionToEcef([1, 2, Number.NaN]), "direction");
  });
});

describe("UTM", () => {
  it.each(utmTable)("has PROJ's coordinates of %d, %d in EPSG %d", (latitude, longitude, epsg, easting, northing, convergence, scale) => {
    const found = geodeticToUtm(place(latitude, longitude), epsg);
    expect(Math.abs(found.eastingMeters - easting)).toBeLessThan(2e-8);
    expect(Math.abs(found.northingMeters - northing)).toBeLessThan(2e-8);
    expect(turnBetween(found.convergenceDegrees, convergence)).toBeLessThan(1e-8);
    expect(Math.abs(found.scale / scale - 1)).toBeLessThan(1e-9);
    const back = utmToGeodetic({ epsg, eastingMeters: easting, northingMeters: northing });
    expect(Math.abs(back.latitudeDegrees - latitude)).toBeLessThan(2e-13);
    if (Math.abs(latitude) < 90)
      expect(turnBetween(back.longitudeDegrees, longitude) * Math.cos(latitude * (Math.PI / 180))).toBeLessThan(2e-13);
  });

  it("gives back random places", () => {
    const { uniform } = createRandom(11);
    let far = 0;
    for (let turn = 0; turn < 5000; turn++) {
      const epsg = (uniform() < 0.5 ? 32600 : 32700) + 1 + Math.floor(60 * uniform());
      const where = place(180 * uniform() - 90, 6 * (epsg % 100) - 183 + 68 * (uniform() - 0.5));
      const utm = geodeticToUtm(where, epsg);
      const [a, b] = [geodeticToEcef(where), geodeticToEcef(utmToGeodetic(utm))];
      const missed = Math.hypot(...a.map((x, k) => x - b[k]));
      far = Math.max(far, missed);
    }
    expect(far).toBeLessThan(1e-8);
  });

  it("chooses zones, with the exceptions of Norway and Svalbard", () => {
    const table: readonly (readonly [latitude: number, longitude: number, epsg: number])[] = [
      [0, 0, 32631],
      [-1e-9, 0, 32731],
      [10, -180, 32601],
      [10, 180, 32601],
      [10, 179.999, 32660],
      [10, 540, 32601],
      [55.99, 4, 32631],
      [56, 2.99, 32631],
      [56, 3, 32632],
      [63.99, 11.99, 32632],
      [64, 4, 32631],
      [71.99, 7, 32632],
      [72, 8.99, 32631],
      [80, 9, 32633],
      [84, 20.99, 32633],
      [80, 21, 32635],
      [80, 33, 32637],
      [80, 41.99, 32637],
      [80, 42, 32638],
      [80, -0.01, 32630],
      [-80, 8, 32732],
      [-60, 4, 32731],
    ];
    for (const [latitude, longitude, epsg] of table)
      expect([latitude, longitude, utmEpsg(place(latitude, longitude))]).toEqual([latitude, longitude, epsg]);
    failsWith(() => utmEpsg(place(84.1, 0)), "position.latitudeDegrees");
    failsWith(() => utmEpsg(place(-80.1, 0)), "position.latitudeDegrees");
    expect([32600, 32601, 32660, 32661, 32700, 32701.5, 32760, 32761, 4326].map(isUtmEpsg)).toEqual([
      false,
      true,
      true,
      false,
      false,
      false,
      true,
      false,
      false,
    ]);
  });

  it("refuses what is too far or no zone", () => {
    failsWith(() => geodeticToUtm(place(0, 60), 32631), "position");
    failsWith(() => geodeticToUtm(place(0, 0), 32661), "epsg");
    failsWith(() => utmToGeodetic({ epsg: 4326, eastingMeters: 0, northingMeters: 0 }), "position.epsg");
    failsWith(() => utmToGeodetic({ epsg: 32631, eastingMeters: 1e8, northingMeters: 0 }), "position.eastingMeters");
    failsWith(() => utmToGeodetic({ epsg: 32631, eastingMeters: 5e5, northingMeters: Number.NaN }), "position.northingMeters");
    failsWith(() => utmToGeodetic({ epsg: 32631, eastingMeters: 5e5 } as never), "position.northingMeters");
  });
});

describe("mapProjection", () => {
  it("is one interface to geographic maps and UTM", () => {
    const where = place(-17.7, 179.9);
    const utm = mapProjection(32760);
    expect([utm.unit, utm.epsg]).toEqual(["m", 32760]);
    const [x, y] = utm.toMap(where);
    expect(Math.abs(x - 807624.3374826377) + Math.abs(y - 8040636.400780378)).toBeLessThan(2e-8);
    expect(utm.toGeodetic([x, y]).longitudeDegrees).toBeCloseTo(179.9, 12);
    const map = mapProjection(4326);
    expect(map.toMap(where)).toEqual([179.9, -17.7]);
    expect(map.toMap(place(1, -179.5), 179.5)).toEqual([180.5, 1]);
    expect(map.toGeodetic([180.5, 1])).toEqual(place(1, -179.5));
    failsWith(() => mapProjection(3857), "epsg");
    failsWith(() => mapProjection("4326" as never, "placement.epsg"), "placement.epsg");
    failsWith(() => map.toGeodetic([0, 91]), "position.latitudeDegrees");
  });
});
