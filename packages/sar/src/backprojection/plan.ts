/**
 * The plan of a backprojection as data: every choice that determines the bits of the image, and digests of the grid and the aperture that
 * it was made for. A program can store it as JSON, or send it to other machines, which then make windows of one image. This file has its
 * type and its checks; `prepare.ts` makes plans and uses them.
 */
import { type Device, inputError, isRadarError } from "@dechirp/core";
import { checkFields, checkObject, type FieldsOf } from "@dechirp/core/internal";
import { checkWindow, type HistoryGeometry, type Window } from "@dechirp/radar";
import type { AnchorOrder } from "./anchors.ts";
import { type ImageGrid, isFlat } from "./grid.ts";
import { hasSets, type Scheme, schemes } from "./partition.ts";
import { checkProfileInterpolation, type ProfileInterpolation } from "./profile-interpolation.ts";
import { type ProfileGeometry, pulseCount } from "./profiles.ts";
import { type SineSource, sineSources } from "./shape.ts";

/** Value of the field `format` of a plan. */
export const backprojectionPlanFormat = "dechirp-backprojection-plan";
/** Value of its field `version`. */
export const backprojectionPlanVersion = 1;

/**
 * How the image of an aperture on a grid is made. Plain data, which survives `JSON.stringify` and `JSON.parse`. Windows that are made with
 * one plan have the bits of the whole image that is made with it, if all devices compute alike: processors with the same `arithmetic`, or
 * GPUs of one model with one driver. The relaxed arithmetic of processors may differ in the last bits between machines.
 */
export interface BackprojectionPlan {
  readonly format: typeof backprojectionPlanFormat;
  readonly version: typeof backprojectionPlanVersion;
  /** The kind of device that the plan was made for: `id` of the device, and `arithmetic` of what it tells about itself. */
  readonly device: { readonly id: string; readonly arithmetic?: string };
  /** Pixels of the whole image, and a digest of its grid. */
  readonly image: { readonly nx: number; readonly ny: number; readonly digest: string };
  /** Number of pulses, and a digest of positions, reference ranges, and frequencies or bins. */
  readonly aperture: { readonly pulses: number; readonly digest: string };
  /** How phase histories are compressed; absent if the source is range profiles. */
  readonly compression?: { readonly bins: number; readonly window: Window; readonly carrier: "centre" | "first" };
  readonly interpolation: ProfileInterpolation;
  readonly scheme: Scheme;
  /** Edge of a tile in pixels. */
  readonly tile: number;
  /** Tiles along the edge of a block that shares anchors, or 0 if each tile has its own. The block lattice follows from it. */
  readonly blockTiles: number;
  /** Pulse sets of a block of pulses. */
  readonly sets: number;
  readonly order: AnchorOrder;
  readonly sine: SineSource;
  /** Pulses that are added to the image at a time. The order of the sum depends on it. */
  readonly pulsesPerBlock: number;
  /** Invocations of a workgroup on a GPU. Left out: chosen by the device. */
  readonly invocations?: number;
  /** Largest workgroup memory for windows of profiles on a GPU, in bytes. Left out: chosen by the device. */
  readonly windowBytes?: number;
  /** Why the tile has this size. */
  readonly reason: string;
}

const fieldsOfPlan: FieldsOf<BackprojectionPlan> = {
  format: "string",
  version: "number",
  device: "object",
  image: "object",
  aperture: "object",
  compression: "object",
  interpolation: true,
  scheme: "string",
  tile: "number",
  blockTiles: "number",
  sets: "number",
  order: "number",
  sine: "string",
  pulsesPerBlock: "number",
  invocations: "number",
  windowBytes: "number",
  reason: "string",
};

/** What a plan is for: the facts that it must agree with. */
export interface PlanSubject {
  readonly device: Device;
  readonly grid: ImageGrid;
  readonly source: HistoryGeometry | ProfileGeometry;
}

/** The device, image and aperture of a plan for `subject`. */
export function identityOf({ device, grid, source }: PlanSubject): Pick<BackprojectionPlan, "device" | "image" | "aperture"> {
  const { arithmetic } = device.info;
  return {
    device: { id: device.id, ...(arithmetic !== undefined && { arithmetic }) },
    image: { nx: grid.nx, ny: grid.ny, digest: digestOf(gridNumbers(grid)) },
    aperture: { pulses: pulseCount(source), digest: digestOf([source.positions, source.referenceRangeMeters, sampleNumbers(source)]) },
  };
}

/**
 * Throws `input`, naming the field as `plan.<name>`, unless `plan` is a valid plan that was made for `subject`. `plan` may be anything,
 * such as parsed JSON of unknown origin.
 */
export function checkPlan(plan: BackprojectionPlan, subject: PlanSubject): void {
  checkFields(plan, fieldsOfPlan, "plan", "input", "plan.");
  expectEqual("format", plan.format, backprojectionPlanFormat);
  expectEqual("version", plan.version, backprojectionPlanVersion);
  const { device, image, aperture } = identityOf(subject);
  checkObject(plan.device, "plan.device", "input");
  expectEqual("device.id", plan.device.id, device.id);
  expectEqual("device.arithmetic", plan.device.arithmetic, device.arithmetic);
  checkObject(plan.image, "plan.image", "input");
  for (const field of ["nx", "ny", "digest"] as const) expectEqual(`image.${field}`, plan.image[field], image[field], "of this grid");
  checkObject(plan.aperture, "plan.aperture", "input");
  for (const field of ["pulses", "digest"] as const)
    expectEqual(`aperture.${field}`, plan.aperture[field], aperture[field], "of this aperture");
  checkReading(plan, subject);
  checkDivision(plan, subject);
}

/** Throws unless the choices about compression and interpolation are valid. */
function checkReading({ compression, interpolation }: BackprojectionPlan, { source }: PlanSubject): void {
  if ("frequency" in source) {
    checkObject(compression, "plan.compression", "input");
    const { bins, window, carrier } = compression as NonNullable<typeof compression>;
    const { count } = source.frequency;
    if (!(Number.isInteger(bins) && bins >= count && bins <= 2 ** 20 && Number.isInteger(Math.log2(bins))))
      throw inputError("plan.compression.bins", `a power of two from ${count} to ${2 ** 20}`, bins);
    checkWindow(window, "plan.compression.window");
    if (carrier !== "centre" && carrier !== "first") throw inputError("plan.compression.carrier", "centre or first", carrier);
  } else if (compression !== undefined) throw inputError("plan.compression", "left out if the source is range profiles", compression);
  try {
    checkProfileInterpolation(interpolation);
  } catch (error) {
    if (!isRadarError(error, "input")) throw error;
    throw inputError(`plan.${error.fields["field"]}`, String(error.fields["expected"]), error.fields["actual"]);
  }
}

/** Throws unless the choices about tiles, sets and blocks are valid. */
function checkDivision(plan: BackprojectionPlan, { grid, source }: PlanSubject): void {
  const whole = (field: "tile" | "blockTiles" | "sets" | "pulsesPerBlock", low: number, high: number, step = 1): void => {
    const value = plan[field];
    if (!(Number.isInteger(value) && value >= low && value <= high && value % step === 0))
      throw inputError(`plan.${field}`, `${step === 1 ? "an integer" : `a multiple of ${step}`} from ${low} to ${high}`, value);
  };
  if (!schemes.includes(plan.scheme)) throw inputError("plan.scheme", schemes.join(", "), plan.scheme);
  whole("tile", 8, 128, 8);
  const [least, most] = grid.kind === "ground" && isFlat(grid) ? [1, 64] : [0, 0];
  whole("blockTiles", least, most);
  whole("pulsesPerBlock", 1, pulseCount(source));
  whole("sets", 1, hasSets(plan.scheme) ? Math.min(1024, plan.pulsesPerBlock) : 1);
  const { sine, order, invocations, windowBytes, reason } = plan;
  checkKernelOptions(
    { sine, order, ...(invocations !== undefined && { invocations }), ...(windowBytes !== undefined && { windowBytes }) },
    "plan.",
  );
  if (sine === undefined) throw inputError("plan.sine", sineText, sine);
  if (order === undefined) throw inputError("plan.order", "2 or 3", order);
  checkInvocations(invocations, plan.tile, "plan.");
  if (typeof reason !== "string") throw inputError("plan.reason", "a text", reason);
}

/** Choices about the kernel that options and plans have in common. */
interface KernelChoices {
  readonly sine?: SineSource;
  readonly order?: AnchorOrder;
  readonly invocations?: number;
  readonly windowBytes?: number;
}

const sineText = `one of ${sineSources.join(", ")}`;

/** Throws `input`, naming the field with `prefix`, unless choices about the kernel are valid. */
export function checkKernelOptions({ sine, order, invocations, windowBytes }: KernelChoices, prefix = ""): void {
  if (sine !== undefined && !sineSources.includes(sine)) throw inputError(`${prefix}sine`, sineText, sine);
  if (order !== undefined && order !== 2 && order !== 3) throw inputError(`${prefix}order`, "2 or 3", order);
  if (invocations !== undefined && !(invocations >= 32 && invocations <= 1024 && Number.isInteger(Math.log2(invocations))))
    throw inputError(`${prefix}invocations`, "a power of two from 32 to 1024", invocations);
  if (windowBytes !== undefined && !(Number.isInteger(windowBytes) && windowBytes >= 0))
    throw inputError(`${prefix}windowBytes`, "an integer of at least 0", windowBytes);
}

/** Largest number of pixels of an invocation: the kernel is written out for each. */
const mostPixelsPerInvocation = 64;

/** Throws `input` if tiles have more pixels than the invocations that are asked for can hold. */
export function checkInvocations(invocations: number | undefined, tile: number, prefix = ""): void {
  const fewest = tile ** 2 / mostPixelsPerInvocation;
  if (invocations !== undefined && invocations < fewest)
    throw inputError(`${prefix}invocations`, `at least ${Math.ceil(fewest)} for tiles of ${tile}`, invocations);
}

function expectEqual(field: string, actual: unknown, expected: unknown, of = ""): void {
  if (actual === expected) return;
  const text = expected === undefined ? "left out for this device" : [JSON.stringify(expected), of].filter((part) => part !== "").join(" ");
  throw inputError(`plan.${field}`, text, actual);
}

/** All numbers of a grid. JSON has no −0, so that 0 takes its place. */
function gridNumbers(grid: ImageGrid): readonly (Float64Array | Float32Array)[] {
  const { heightMeters = 0 } = grid;
  const numbers =
    grid.kind === "ground"
      ? [0, ...grid.originMeters, ...grid.xStepMeters, ...grid.yStepMeters]
      : [1, ...grid.centreMeters, grid.firstRangeMeters, grid.rangeStepMeters, grid.firstAzimuthRadians, grid.azimuthStepRadians];
  const heights = typeof heightMeters === "number" ? Float64Array.of(heightMeters) : heightMeters;
  return [Float64Array.of(...numbers, grid.nx, grid.ny).map((value) => value + 0), heights];
}

/** Numbers that say what the samples of a pulse are. */
function sampleNumbers(source: HistoryGeometry | ProfileGeometry): Float64Array {
  if ("frequency" in source) {
    const { frequency, pulseFrequencies, phaseSign = -1, badPulses = [] } = source;
    const own = pulseFrequencies ? [...pulseFrequencies.firstHz, ...pulseFrequencies.stepHz] : [];
    const sign = phaseSign === 1 ? [1] : [];
    return Float64Array.from([0, frequency.firstHz, frequency.stepHz, frequency.count, ...own, ...badPulses, ...sign]);
  }
  const { bins, binMeters, firstRangeMeters, carrierHz, bandwidthHz, bandCentreHz = Number.NaN, periodMeters = Number.NaN } = source;
  return Float64Array.of(1, bins, binMeters, firstRangeMeters, carrierHz, bandwidthHz, bandCentreHz, periodMeters);
}

/**
 * 64 bits that tell arrays of numbers apart, as hexadecimal digits: two FNV-1a hashes of 32-bit words (Fowler, Noll, Vo) with a final mix.
 * It guards against mistakes, not against forgery.
 */
function digestOf(arrays: readonly (Float64Array | Float32Array)[]): string {
  let [a, b] = [0x811c9dc5, 0x9747b28c];
  const add = (word: number): void => {
    a = Math.imul(a ^ word, 0x01000193);
    a ^= a >>> 15;
    b = Math.imul(b ^ word, 0x85ebca6b);
    b ^= b >>> 13;
  };
  for (const array of arrays) {
    add(array.length);
    for (const word of new Int32Array(array.buffer, array.byteOffset, array.byteLength / 4)) add(word);
  }
  return [a, b].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}
