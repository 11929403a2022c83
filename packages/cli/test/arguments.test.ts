/**
 * Arguments: every bad one is found before any work, reported in one line, and ends with status 2; good ones have their documented
 * meaning.
 */
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { focusSettings } from "../src/commands/focus.ts";
import { version } from "../src/version.ts";
import { dechirp, temporaryFolder } from "./command.ts";

const bad: readonly (readonly [args: string[], message: RegExp])[] = [
  [
    [],
    /a command is missing: demo, devices, info, convert, watch, studio, simulate, focus, backproject, stap, quality, job, schedule or bench/,
  ],
  [["fokus"], /unknown command 'fokus'.*focus/],
  [["--nonsense"], /unknown option '--nonsense'/],
  [["demo", "extra"], /too many arguments/],
  [["demo", "--device", "abacus"], /--device must be one of cpu, gpu, gpu:K, auto, not "abacus"/],
  [["demo", "--out", ""], /--out must be non-empty text/],
  [["demo", "--out", "--device", "cpu"], /--out needs a value, but --device follows it/],
  [["demo", "--out"], /--out needs a value, but nothing follows it/],
  [["focus", "--out", "OUT"], /missing required argument 'input'/],
  [["focus", "nowhere"], /^--out is missing: the folder to write the result to$/],
  [["focus", "nowhere", "--out", "OUT", "--device", "tpu"], /--device must be one of cpu, gpu, gpu:K, auto, not "tpu"/],
  [["focus", "nowhere", "--out", "OUT", "--window", "kaiser:"], /--window must be .*kaiser:BETA/],
  [["focus", "nowhere", "--out", "OUT", "--window", "chebyshev:40"], /--window must be rect, ((?!chebyshev:DB).)*, not "chebyshev:40"$/],
  [["focus", "nowhere", "--out", "OUT", "--window", "kaiser:-1"], /--window beta must be a number from 0 to 200, not -1/],
  [
    ["focus", "nowhere", "--out", "OUT", "--window", "bad", "--azimuth-window", "rect", "--range-window", "rect"],
    /--window must be rect, /,
  ],
  [
    ["focus", "nowhere", "--out", "OUT", "--azimuth-window", "taylor:0,-30"],
    /--azimuth-window nbar must be an integer from 1 to 64, not 0/,
  ],
  [["focus", "nowhere", "--out", "OUT", "--range-window", "x".repeat(99)], /--range-window must be .{0,250}\.\.\."$/],
  [["focus", "nowhere", "--out", "OUT", "--rcmc", "sinc9"], /--rcmc.*off, nearest, sinc8, sinc16/],
  [["focus", "nowhere", "--out", "OUT", "--src", "maybe"], /--src.*on, off/],
  [["focus", "nowhere", "--out", "OUT", "--doppler-centroid", "NaN"], /--doppler-centroid must be .*, not "NaN"/],
  [["focus", "nowhere", "--out", "OUT", "--doppler-centroid=-1e99"], /--doppler-centroid must be/],
  [["focus", "nowhere", "--out", "OUT", "--doppler-centroid", "0x10"], /--doppler-centroid must be/],
  [["focus", "nowhere", "--out", "OUT", "--velocity", "0"], /--velocity must be a positive number, not "0"/],
  [["focus", "nowhere", "--out", "OUT", "--velocity", "1e999"], /--velocity must be a positive number/],
  [["focus", "nowhere", "--out", "OUT", "--bandwidth", "-5"], /--bandwidth must be a positive number, not "-5"/],
  [["focus", "nowhere", "--out", "OUT", "--bandwidth", ""], /--bandwidth must be non-empty text/],
  [["focus", "nowhere", "--out", "OUT", "--azimuth-length", "2.5"], /--azimuth-length must be an integer from 1 to/],
  [["focus", "nowhere", "--out", "OUT", "--azimuth-length", "1e12"], /--azimuth-length must be an integer from 1 to/],
  [["simulate"], /--out is missing/],
  [
    ["simulate", "--preset", "toString", "--out", "OUT"],
    /--preset must be one of default, quality, large, fused-sar-paper, spotlight, not "toString"/,
  ],
  [["simulate", "--seed", "-1", "--out", "OUT"], /--seed must be an integer from 0 to 4294967295, not "-1"/],
  [["simulate", "--seed", "4294967296", "--out", "OUT"], /--seed must be/],
  [["simulate", "--type", "f64", "--out", "OUT"], /--type.*ci8, ci16, c64/],
  [["focus", "", "--out", "OUT"], /INPUT must be a scene's folder, not ""/],
  [["stap", "--out", "OUT"], /missing required argument 'input'/],
  [["stap", "", "--out", "OUT"], /INPUT must be a folder of the PERFECT suite, a \.mat or a \.npy file, not ""/],
  [["stap", "nowhere"], /^--out is missing: the folder to write the result to$/],
  [["stap", "nowhere", "extra", "--out", "OUT"], /too many arguments/],
  [["stap", "nowhere", "--out", "OUT", "--device", "tpu"], /--device must be one of cpu, gpu, gpu:K, auto, not "tpu"/],
  [["stap", "nowhere", "--out", "OUT", "--preset", "toString"], /--preset must be one of perfect, paper, mountain-top, not "toString"/],
  [["stap", "nowhere", "--out", "OUT", "--axes", "channel,pulse"], /--axes must be channel, pulse and range/],
  [["stap", "nowhere", "--out", "OUT", "--axes", "channel,pulse,pulse"], /--axes must be channel, pulse and range/],
  [["stap", "nowhere", "--out", "OUT", "--set", "huge"], /--set.*small, medium, large/],
  [["stap", "nowhere", "--out", "OUT", "--prf", "0"], /--prf must be a positive number, not "0"/],
  [["stap", "nowhere", "--out", "OUT", "--carrier", "x"], /--carrier must be a positive number, not "x"/],
  [["stap", "nowhere", "--out", "OUT", "--spacing", "0.5cm"], /--spacing must be a positive number of wavelengths, or of metres/],
  [["stap", "nowhere", "--out", "OUT", "--spacing", "m"], /--spacing must be a positive number/],
  [["stap", "nowhere", "--out", "OUT", "--broadside", "400"], /--broadside must be a number of degrees from -360 to 360/],
  [["stap", "nowhere", "--out", "OUT", "--chirp", "1e6,1e-5"], /--chirp must be numbers BANDWIDTH_HZ,PULSE_S,SAMPLING_HZ, not "1e6,1e-5"/],
  [
    ["stap", "nowhere", "--out", "OUT", "--chirp", "1e6,1e-5,1e14"],
    /--chirp must be a pulse and a sampling rate that give 1 to 2\^24 samples/,
  ],
  [["stap", "nowhere", "--out", "OUT", "--ranges", "0,0"], /--ranges STEP_M must be a positive number, not 0/],
  [["stap", "nowhere", "--out", "OUT", "--azimuth", "1:2"], /--azimuth must be one azimuth or FROM:TO:STEP, in degrees, not "1:2"/],
  [["stap", "nowhere", "--out", "OUT", "--azimuth", "2:1:1"], /--azimuth TO must be at least FROM, 2, not 1/],
  [["stap", "nowhere", "--out", "OUT", "--azimuth", "1:2:0"], /--azimuth STEP must be a positive number, not "0"/],
  [["stap", "nowhere", "--out", "OUT", "--azimuth=-60:60:1e-9"], /--azimuth must be of at most 4096 azimuths/],
  [["stap", "nowhere", "--out", "OUT", "--steering", "v.mat"], /--steering must be a \.npy file/],
  [["stap", "nowhere", "--out", "OUT", "--doppler-bins", "1e9"], /--doppler-bins must be an integer from 1 to 65536/],
  [["stap", "nowhere", "--out", "OUT", "--tdof", "0"], /--tdof must be an integer from 1 to 1024/],
  [["stap", "nowhere", "--out", "OUT", "--window", "chebyshev:0"], /--window sidelobeDb must be a number from -200 to -1, not -?0/],
  [["stap", "nowhere", "--out", "OUT", "--window", "triangle"], /--window must be none, rect, .*chebyshev:DB .* not "triangle"/],
  [["stap", "nowhere", "--out", "OUT", "--training", "custom"], /--training.*adjacent, own, sliding/],
  [["stap", "nowhere", "--out", "OUT", "--block", "0"], /--block must be an integer from 1 to 16777216/],
  [["stap", "nowhere", "--out", "OUT", "--guard", "-1"], /--guard must be an integer from 0 to 16777216/],
  [["stap", "nowhere", "--out", "OUT", "--loading", "-1"], /--loading must be a number from 0 to 1000000, not "-1"/],
  [["stap", "nowhere", "--out", "OUT", "--solver", "qr"], /--solver.*cholesky, gauss-jordan/],
  [["stap", "nowhere", "--out", "OUT", "--output", "glrt"], /--output.*amf, mvdr, paper-literal, complex/],
  [["stap", "nowhere", "--out", "OUT", "--pfa", "1"], /--pfa must be from 1e-15 to 0\.5, not "1"/],
  [["stap", "nowhere", "--out", "OUT", "--cfar", "go"], /--cfar.*ca, os/],
  [["stap", "nowhere", "--out", "OUT", "--target", "146"], /--target must be numbers RANGE_BIN,DOPPLER,AZIMUTH, not "146"/],
  [["stap", "nowhere", "--out", "OUT", "--target", "146,NaN"], /--target DOPPLER must be a number, not "NaN"/],
  [["backproject", "--out", "OUT"], /missing required argument 'file'/],
  [["backproject", "", "--out", "OUT"], /FILE must be a Gotcha file or a folder of them, not ""/],
  [["backproject", "nowhere"], /^--out is missing: the folder to write the result to$/],
  [["backproject", "nowhere", "--out", "OUT", "--device", "tpu"], /--device must be one of cpu, gpu, gpu:K, auto, not "tpu"/],
  [["backproject", "nowhere", "--out", "OUT", "--grid", "0,0,1,1,8"], /--grid must be six numbers x0,y0,dx,dy,nx,ny, not "0,0,1,1,8"/],
  [["backproject", "nowhere", "--out", "OUT", "--grid=-1,NaN,1,1,8,8"], /--grid y0 must be a number of at most 1000000000, not "NaN"/],
  [["backproject", "nowhere", "--out", "OUT", "--grid", "-1e10,0,1,1,8,8"], /--grid x0 must be a number/],
  [
    ["backproject", "nowhere", "--out", "OUT", "--grid", "0,0,0,1,8,8"],
    /--grid dx must be a positive number of at most 1000000000, not "0"/,
  ],
  [["backproject", "nowhere", "--out", "OUT", "--grid", "0,0,1,-1,8,8"], /--grid dy must be a positive number/],
  [["backproject", "nowhere", "--out", "OUT", "--grid", "0,0,1,1,0,8"], /--grid nx must be an integer from 1 to 65536, not "0"/],
  [["backproject", "nowhere", "--out", "OUT", "--grid", "0,0,1,1,8,65537"], /--grid ny must be an integer from 1 to 65536/],
  [
    ["backproject", "nowhere", "--out", "OUT", "--grid", "0,0,1,1,65536,65536"],
    /--grid must be of at most 2147483648 pixels, not "65536 · 65536"/,
  ],
  [["backproject", "nowhere", "--out", "OUT", "--height", "up"], /--height must be a height of at most 1000000000 m/],
  [["backproject", "nowhere", "--out", "OUT", "--mode", "exact"], /--mode.*precise, fast/],
  [
    ["backproject", "nowhere", "--out", "OUT", "--interpolation", "cubic"],
    /--interpolation must be quadratic, linear, or an even number of taps from 2 to 32, not "cubic"/,
  ],
  [["backproject", "nowhere", "--out", "OUT", "--interpolation", "7"], /--interpolation must be quadratic, linear/],
  [["backproject", "nowhere", "--out", "OUT", "--bins", "1"], /--bins must be a power of two from 2 to 1048576/],
  [["backproject", "nowhere", "--out", "OUT", "--bins", "1000"], /--bins must be a power of two from 2 to 1048576/],
  [["backproject", "nowhere", "--out", "OUT", "--window", "kaiser:"], /--window must be .*kaiser:BETA/],
  [["backproject", "nowhere", "--out", "OUT", "--carrier", "last"], /--carrier.*first, centre/],
  [["backproject", "nowhere", "--out", "OUT", "--scale", "2"], /--scale.*ifft, amplitude/],
  [["backproject", "nowhere", "--out", "OUT", "--scheme", "dial"], /--scheme.*unpartitioned, pulseSets, tiles, dual/],
  [["backproject", "nowhere", "--out", "OUT", "--tile", "12"], /--tile must be a multiple of 8 from 8 to 128, not "12"/],
  [["backproject", "nowhere", "--out", "OUT", "--sets", "0"], /--sets must be an integer from 1 to 1024/],
  [["backproject", "nowhere", "--out", "OUT", "--sets", "2", "--scheme", "tiles"], /--sets must be 1 if --scheme is tiles/],
  [["quality"], /missing required argument 'dir'/],
  [["bench", "realtime-paper", "--exponents", "3-5"], /--exponents must be integers from 4 to 24 .*, not "3-5"/],
  [["bench", "realtime-paper", "--exponents", "12-10"], /--exponents must be integers from 4 to 24/],
  [["bench", "realtime-paper", "--tasks", "1,65"], /--tasks must be an integer from 1 to 64, or several .*, not "1,65"/],
  [["bench", "realtime-paper", "--workers", "0"], /--workers must be an integer from 1 to 64, not "0"/],
  [["bench", "realtime-paper", "--rho", "0.9"], /--rho must be a number from 1 to 1000000/],
  [["bench", "efa-paper", "--rho", "1.5"], /--rho must be left out for efa-paper/],
  [["bench", "memory", "--device", "cpu"], /--device must be gpu for memory, which measures GPUs only, not "cpu"/],
  [["bench", "memory", "--seconds", "0"], /--seconds must be a positive number of at most 60, not "0"/],
  [["bench", "memory", "--watts", "5"], /--watts must be left out for memory, not "5"/],
  [
    ["bench", "toString"],
    /NAME must be one of backprojection-paper, efa-paper, fft-paper, fused-sar-paper, memory, realtime-paper, all, not "toString"/,
  ],
  [["bench", "fused-sar-paper", "--size", "255"], /--size must be N or LINESxSAMPLES, .*, not "255"/],
  [["bench", "fused-sar-paper", "--size", "8192x8193"], /--size must be/],
  [["bench", "fused-sar-paper", "--size", "512 x 512"], /--size must be/],
  [["bench", "fused-sar-paper", "--turns", "0"], /--turns must be an integer from 1 to 1000, not "0"/],
  [["bench", "fused-sar-paper", "--pulses", "9"], /--pulses must be left out for fused-sar-paper, not "9"/],
  [["bench", "backprojection-paper", "--size", "512"], /--size must be left out for backprojection-paper/],
  [["bench", "backprojection-paper", "--sizes", "512,"], /--sizes must be up to eight edges .*, not "512,"/],
  [["bench", "backprojection-paper", "--sizes", "15"], /--sizes must be/],
  [["bench", "backprojection-paper", "--sizes", "8193"], /--sizes must be/],
  [["bench", "backprojection-paper", "--sizes", "16,16,16,16,16,16,16,16,16"], /--sizes must be/],
  [["bench", "backprojection-paper", "--pulses", "42209"], /--pulses must be an integer from 1 to 42208, not "42209"/],
  [["bench", "backprojection-paper", "--seconds", "0"], /--seconds must be a positive number of at most 3600, not "0"/],
  [["bench", "efa-paper", "--seconds", "1e300"], /--seconds must be a positive number of at most 3600, not "1e300"/],
  [["bench", "efa-paper", "--watts", "1e7"], /--watts must be a positive number of at most 1000000, not "1e7"/],
  [["bench", "backprojection-paper", "--device", "tpu"], /--device must be one of cpu, gpu, gpu:K, auto, not "tpu"/],
  [["bench", "fused-sar-paper", "--device", "tpu"], /--device must be one of cpu, gpu, gpu:K, auto, not "tpu"/],
  [["quality", ""], /DIR must be the folder of an image, not ""/],
];

describe("bad arguments", () => {
  it.each(bad)("%j", async (args, message) => {
    const out = join(await temporaryFolder(), "out");
    const { code, stdout, stderr } = await dechirp(args.map((arg) => (arg === "OUT" ? out : arg)));
    expect(stderr).toMatch(/^dechirp: [^\n]+\n$/);
    expect(stderr.slice("dechirp: ".length, -1)).toMatch(message);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(existsSync(out)).toBe(false);
  });

  it.each([["demo"], ["simulate"], ["focus", "."], ["backproject", "."], ["bench", "fused-sar-paper"], ["bench", "backprojection-paper"]])(
    "%s: --out is a file, or inside one",
    async (...args) => {
      const file = join(await temporaryFolder(), "file");
      await writeFile(file, "");
      for (const out of [file, join(file, "below", "it")]) {
        const { code, stderr } = await dechirp([...args, "--out", out]);
        expect(code).toBe(2);
        expect(stderr).toMatch(/^dechirp: --out .* is a file, not a folder\n$/);
      }
    },
  );

  it("AGC values for a scene folder", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "scene.json"), "{}");
    const { code, stderr } = await dechirp(["focus", folder, "--out", join(folder, "out"), "--agc", "agc.mat"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^dechirp: --agc must be left out for a scene folder/);
  });

  it("with --json, also one object on stdout", async () => {
    const { code, stdout, stderr } = await dechirp(["focus", "nowhere", "--out", "out", "--velocity", "fast", "--json"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^dechirp: [^\n]+\n$/);
    expect(JSON.parse(stdout)).toEqual({
      error: {
        code: "argument",
        exitCode: 2,
        message: '--velocity must be a positive number, not "fast"',
        fields: { option: "--velocity", expected: "a positive number", actual: "fast" },
      },
    });
    expect((await dechirp(["demo", "--nonsense", "--json"])).stdout).toMatch(/^\{"error":\{"code":"argument"/);
    expect((await dechirp(["demo", "extra", "--", "--json"])).stdout).toBe("");
  });
});

describe("good arguments", () => {
  it("become options of the processor", async () => {
    expect(await focusSettings({})).toEqual({});
    expect(
      await focusSettings({
        dopplerCentroid: "-6900",
        velocity: "7.062e3",
        bandwidth: "1000",
        azimuthLength: "4096",
        window: "taylor:4,-30",
        rangeWindow: "rect",
        rcmc: "sinc16",
        src: "off",
      }),
    ).toEqual({
      dopplerCentroidHz: -6900,
      velocityMetersPerSecond: 7062,
      processedBandwidthHz: 1000,
      azimuthLength: 4096,
      azimuthWindow: { kind: "taylor", nbar: 4, sidelobeDb: -30 },
      rangeWindow: { kind: "rect" },
      rcmc: "sinc16",
      src: "off",
    });
    expect(await focusSettings({ dopplerCentroid: "auto", azimuthWindow: "hann" })).toEqual({
      dopplerCentroidHz: "auto",
      azimuthWindow: { kind: "hann" },
    });
  });

  it.each([
    ["focus", ["--doppler-centroid", "-6900"]],
    ["focus", ["--doppler-centroid=-6900"]],
    ["backproject", ["--grid", "-50,-50,1,1,8,8"]],
    ["backproject", ["--grid=-50,-50,1,1,8,8", "--height", "-3"]],
  ])("%s %j: values begin with a minus sign", async (command, args) => {
    const out = join(await temporaryFolder(), "out");
    // All options are accepted: the first error is about the input.
    const { code, stderr } = await dechirp([command, "nowhere", ...args, "--out", out]);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringMatching(/^dechirp: nowhere: there is no such /) });
  });

  it("--version and --help print to stdout, with an example for every command", async () => {
    expect(await dechirp(["--version"])).toEqual({ code: 0, stdout: `${version()}\n`, stderr: "" });
    const help = await dechirp(["--help"]);
    expect(help).toMatchObject({ code: 0, stderr: "" });
    expect(help.stdout).toMatch(/Exit status:/);
    for (const command of ["demo", "devices", "watch", "studio", "simulate", "focus", "backproject", "quality", "bench"]) {
      expect(help.stdout).toMatch(new RegExp(`^ {2}${command} `, "m"));
      const { code, stdout, stderr } = await dechirp([command, "--help"]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(new RegExp(`Example:\n {2}dechirp ${command}`));
    }
  });

  it("devices and presets are listed as text and as JSON", async () => {
    const devices = JSON.parse((await dechirp(["devices", "--json"])).stdout);
    expect(devices.devices).toMatchObject([
      { name: "cpu", opens: true, id: "cpu", limits: { dtypes: expect.arrayContaining(["c64", "c128"]) } },
      // It depends on the machine whether there is one.
      { name: "gpu", opens: expect.any(Boolean) },
    ]);
    expect((await dechirp(["devices"])).stdout).toMatch(/^cpu: .*\n.*units: \d+/);
    const { presets } = JSON.parse((await dechirp(["simulate", "--list", "--json"])).stdout);
    expect(presets.map(({ name }: { name: string }) => name)).toEqual(["default", "quality", "large", "fused-sar-paper", "spotlight"]);
    expect((await dechirp(["simulate", "--list"])).stdout.split("\n")).toHaveLength(6);
  });

  it("an existing output folder is accepted", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, "out"));
    expect((await dechirp(["focus", "nowhere", "--out", join(folder, "out")])).code).toBe(3);
  });
});
