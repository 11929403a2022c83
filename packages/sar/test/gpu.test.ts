/** The range-Doppler program on the GPU against the CPU, after every stage; and that its hooks are part of the transforms there. */

import { random, randomArray } from "@dechirp/conformance";
import { type Device, evaluate, fft, type Load, layout, open, type PlanOptions, program } from "@dechirp/core";
import { compare } from "@dechirp/core/compare";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import { chirpSamples } from "@dechirp/radar";
import { interpolatorPolynomials, interpolatorTable, setLinePositions } from "@dechirp/radar/interpolation";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { fusedSarScene, type RangeDopplerParams, rangeDoppler, scenePresets, withDetection } from "../src/index.ts";
import { migrationLoad } from "../src/range-doppler/azimuth.ts";

// A small scene of noise with the radar of the quality preset: software adapters take long over each pixel.
const { radar, processedBandwidthHz } = scenePresets.quality;
const [lines, samples] = [96, chirpSamples(radar) + 128];
const params: RangeDopplerParams = { radar, lines, samples, processedBandwidthHz };
const raw = randomArray(layout("c64", [lines, samples]), random(1)) as Float32Array;
let devices: readonly [Device, Device];

const openAll = async (): Promise<void> => {
  devices = [await open(gpu()), await open(cpu())];
};
beforeAll(openAll);
// A test that fails or takes too long may leave something on its devices, or still be running. The next test gets new devices.
afterEach(({ task }) => (task.result?.state === "fail" ? openAll() : undefined));

afterAll(() => {
  for (const device of devices) device[Symbol.dispose]();
});

describe("range-Doppler on the GPU", () => {
  test.each(["range", "doppler"] as const)("agrees with the CPU after every stage, src %s", async (src) => {
    const program = rangeDoppler({ ...params, src });
    const { first, stages } = await compare(program, devices[0], devices[1], { raw });
    expect(first).toBeUndefined();
    expect(stages.length).toBe(program.steps.length);
    for (const device of devices) expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  });

  test("agrees with the CPU if lengths are not powers of two and the range transform has no room for guards", async () => {
    const scene = fusedSarScene(96, 160);
    const program = rangeDoppler({ ...scene, azimuthLength: scene.lines });
    expect(program.geometry).toMatchObject({ rangeLength: 160, azimuthLength: 96 });
    const echoes = randomArray(layout("c64", [scene.lines, scene.samples]), random(2)) as Float32Array;
    expect((await compare(program, devices[0], devices[1], { raw: echoes })).first).toBeUndefined();
  });

  test.each(["range", "doppler"] as const)("stores half precision as the CPU does, src %s", async (src) => {
    const program = rangeDoppler({ ...params, src, storage: "f16", rawPeak: Math.SQRT2 });
    // If the two differ by rounding, a few stored numbers may be neighbours: one unit of eleven bits.
    const { first, stages } = await compare(program, devices[0], devices[1], { raw }, { tolerance: 2 ** -11 });
    expect(first).toBeUndefined();
    expect(stages.length).toBe(program.steps.length);
    for (const step of program.steps) {
      using plan = await devices[0].plan(step.op);
      expect(plan.text).toMatch(/^\([a-z-]+\/gpu /);
      expect(plan.text).not.toMatch(/host|lowered/);
    }
  });

  test.each(["range", "doppler"] as const)("gives the same image after a message has carried the program, src %s", async (src) => {
    const program = withDetection(rangeDoppler({ ...params, src, rawType: "ci16" }), "power");
    const [to, from] = [new MessageChannel()].flatMap(({ port1, port2 }) => [port1, port2]);
    const arrived = new Promise<typeof program>((resolve) => {
      from.onmessage = ({ data }) => resolve(data);
    });
    to.postMessage(program);
    const inputs = { raw: randomArray(layout("ci16", [lines, samples]), random(3)) };
    for (const device of devices) {
      const [sent, received] = [await evaluate(program, device, inputs), await evaluate(await arrived, device, inputs)];
      expect(received.image).toEqual(sent.image);
      expect(sent.image.some((value) => value > 0)).toBe(true);
    }
    to.close();
  });

  test("detects to grey levels as the CPU does", async () => {
    const program = withDetection(rangeDoppler(params), "decibel");
    const { image } = await evaluate(withDetection(rangeDoppler(params), "magnitude"), devices[1], { raw });
    const highDb = 20 * Math.log10(image.reduce((a, b) => Math.max(a, b)));
    const uniforms = { lowDb: highDb - 30, highDb };
    const [mine, theirs] = await Promise.all(devices.map((device) => evaluate(program, device, { raw }, { uniforms })));
    const apart = mine.image.map((value, i) => Math.abs(value - theirs.image[i]));
    // A level that is nearly half way may round the other way.
    expect(Math.max(...apart)).toBeLessThanOrEqual(1);
    expect(apart.filter((d) => d > 0).length / apart.length).toBeLessThan(0.001);
    expect(new Set(theirs.image).size).toBeGreaterThan(20);
  });

  test("gathers along migration curves by hand-written text as by the expression, beyond the swath too", async () => {
    const [cells, rows, width] = [30, 16, 34];
    const kernel = interpolatorTable({ kind: "sinc", taps: 8, window: "kaiser" }, { oversampling: 1.2 });
    const polynomials = interpolatorPolynomials(kernel) ?? [];
    const doppler = layout("c64", [width, rows]);
    const load = migrationLoad(doppler, cells, { polynomials });
    const { tuned, ...expression } = load;
    expect(tuned?.wgslPair).toBeDefined();
    const source = random(5);
    const migration = new Uint32Array(3 * rows);
    for (let row = 0; row < rows; row++) {
      const far = [0, 0, 0, 12, -20][row % 5];
      const line = { lines: rows, extent: cells, degree: 1 };
      setLinePositions(migration, line, row, [4 * source.next() + far, 1 + 0.3 * (source.next() - 0.5)]);
    }
    const words = layout("u32", [3, rows]);
    const phase = randomArray(words, source).map((word, i) => (i < 2 * rows ? word : word >>> 16)) as Uint32Array;
    const inputs = { doppler: randomArray(doppler, source), migration, phase };
    const imageOf = (load: Load, device: Device, options: PlanOptions): Promise<{ readonly image: Float32Array }> => {
      const op = fft(layout("c64", [cells, rows]), { axis: 1, load });
      const bind = { doppler: "doppler", migration: "migration", phase: "phase", out: "image" };
      const one = program({
        name: "gather",
        inputs: { doppler, migration: words, phase: words },
        steps: [{ name: "gather", op: op as never, bind }],
        outputs: ["image"],
      } as never);
      return evaluate(one as never, device, inputs as never, options as never) as never;
    };
    const { image: wanted } = await imageOf(expression, devices[1], {});
    for (const [what, hook] of [
      ["text", load],
      ["expression", expression],
    ] as const)
      for (const fuse of [true, false]) {
        const { image } = await imageOf(hook, devices[0], { fuse });
        let [error, energy] = [0, 0];
        for (const [i, value] of wanted.entries()) {
          error += (image[i] - value) ** 2;
          energy += value ** 2;
        }
        // A dozen roundings of an eighth of a unit each, and those of a transform of 16.
        expect(Math.sqrt(error / energy), `${what}, fuse ${fuse}`).toBeLessThan(8 * 2 ** -23);
      }
  });

  test("fuses every hook into its transform", async () => {
    for (const step of rangeDoppler(params).steps) {
      using plan = await devices[0].plan(step.op);
      expect(plan.text).toMatch(/^\([a-z-]+\/gpu /);
      expect(plan.text).not.toMatch(/host|lowered/);
    }
  });
});
