/** Checks of what an image's metadata says about its collection and processing, before a SICD image is made of it. */
import { inputError } from "@dechirp/core";
import { checkFields, checkObject, type FieldsOf } from "@dechirp/core/internal";
import {
  type CollectionDoppler,
  type CollectionProcessing,
  checkPlacement,
  checkWindow,
  type ImageCollection,
  type SlantPlacement,
} from "@dechirp/radar";

const fields: FieldsOf<ImageCollection> = {
  collector: "string",
  name: "string",
  mode: "string",
  modeName: "string",
  classification: "string",
  start: "string",
  durationSeconds: "number",
  platform: "object",
  transmitHz: "object",
  prfHz: "number",
  polarisation: "object",
  processing: "object",
  doppler: "object",
  groundHeightMeters: "number",
};
const processingFields: FieldsOf<CollectionProcessing> = {
  algorithm: "string",
  seconds: "object",
  bandHz: "object",
  rangeWindow: "object",
  azimuthWindow: "object",
  autofocus: "boolean",
  application: "string",
};

/** The rest of a placement, whose check checks the path of the platform. */
const anySlant: Omit<SlantPlacement, "platform"> = {
  kind: "slant",
  azimuthSeconds: { first: 0, step: 1 },
  slantRangeMeters: { first: 1, step: 1 },
  lookSide: "left",
};
const modes = ["spotlight", "stripmap", "dynamic stripmap"];
const algorithms = ["backprojection", "range-doppler", "omega-k"];
const polarisations = ["V", "H", "RHC", "LHC", "OTHER", "UNKNOWN"];
/** NITF has the first letter of the classification in its headers. */
const classifications = /^(UNCLASSIFIED|RESTRICTED|CONFIDENTIAL|SECRET|TOP SECRET)\b/;
const utc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/;
/** The longest collection, in seconds: a day. */
const longestSeconds = 86_400;
const largestHz = 1e12;
const mostCoefficients = 8;

/** Throws `input`, naming the field as `FIELD.NAME`, unless a collection is valid. Whether it suits an image's placement is not checked. */
export function checkCollection(collection: ImageCollection, field = "collection"): void {
  checkObject(collection, field, "input");
  checkFields(collection, fields, "a collection", "input", `${field}.`);
  const { start, durationSeconds, mode, platform, transmitHz, prfHz, polarisation, processing, doppler } = collection;
  for (const name of ["collector", "name"] as const) checkText(collection[name], `${field}.${name}`);
  for (const name of ["modeName", "classification"] as const)
    if (collection[name] !== undefined) checkText(collection[name], `${field}.${name}`);
  if (collection.classification !== undefined && !classifications.test(collection.classification)) {
    const expected = "a text that begins with UNCLASSIFIED, RESTRICTED, CONFIDENTIAL, SECRET or TOP SECRET";
    throw inputError(`${field}.classification`, expected, collection.classification);
  }
  if (!modes.includes(mode)) throw inputError(`${field}.mode`, modes.join(", "), mode);
  if (typeof start !== "string" || !utc.test(start) || Number.isNaN(Date.parse(start)))
    throw inputError(`${field}.start`, "a time in UTC such as 2026-03-14T11:00:00.25Z", start);
  checkRange(durationSeconds, `${field}.durationSeconds`, longestSeconds);
  if (platform !== undefined) checkPlacement({ ...anySlant, platform }, field);
  checkPair(transmitHz, `${field}.transmitHz`, largestHz);
  if (prfHz !== undefined) checkRange(prfHz, `${field}.prfHz`, 1e9);
  if (polarisation !== undefined) {
    checkFields(polarisation, { transmit: "string", receive: "string" }, "polarisations", "input", `${field}.polarisation.`);
    for (const name of ["transmit", "receive"] as const)
      if (!polarisations.includes(polarisation[name]))
        throw inputError(`${field}.polarisation.${name}`, polarisations.join(", "), polarisation[name]);
  }
  checkProcessing(processing, `${field}.processing`, durationSeconds, transmitHz);
  if (doppler !== undefined) checkDoppler(doppler, `${field}.doppler`);
}

function checkProcessing(
  processing: CollectionProcessing,
  field: string,
  durationSeconds: number,
  transmitHz: readonly [number, number],
): void {
  checkObject(processing, field, "input");
  checkFields(processing, processingFields, "a processing", "input", `${field}.`);
  const { algorithm, seconds, bandHz, rangeWindow, azimuthWindow, application } = processing;
  if (!algorithms.includes(algorithm)) throw inputError(`${field}.algorithm`, algorithms.join(", "), algorithm);
  checkPair(seconds, `${field}.seconds`, durationSeconds, 0);
  checkPair(bandHz, `${field}.bandHz`, largestHz);
  if (bandHz[0] < transmitHz[0] || bandHz[1] > transmitHz[1])
    throw inputError(`${field}.bandHz`, `inside the transmitted band, ${transmitHz.join(" to ")} Hz`, bandHz);
  for (const [name, window] of Object.entries({ rangeWindow, azimuthWindow }))
    if (window !== undefined) checkWindow(window, `${field}.${name}`, { continuous: true });
  if (application !== undefined) checkText(application, `${field}.application`);
}

function checkDoppler(doppler: CollectionDoppler, field: string): void {
  checkFields(
    doppler,
    { centroidHz: "object", originMeters: "number", bandwidthHz: "number" },
    "Doppler frequencies",
    "input",
    `${field}.`,
  );
  const { centroidHz, bandwidthHz } = doppler;
  const count = Array.isArray(centroidHz) ? centroidHz.length : 0;
  if (count < 1 || count > mostCoefficients || !centroidHz.every((c) => typeof c === "number" && Math.abs(c) <= largestHz))
    throw inputError(`${field}.centroidHz`, `1 to ${mostCoefficients} coefficients`, centroidHz);
  checkRange(bandwidthHz, `${field}.bandwidthHz`, 1e9);
}

function checkText(text: string | undefined, field: string): void {
  if (typeof text !== "string" || text.trim() === "" || text.length > 200 || /\p{Cc}/u.test(text))
    throw inputError(field, "a text of 1 to 200 characters in one line", text);
}

function checkRange(value: number, field: string, most: number): void {
  if (!(value > 0 && value <= most)) throw inputError(field, `a number above 0 and up to ${most}`, value);
}

/** Two increasing numbers from `least` to `most`; without `least` they are positive. */
function checkPair(pair: readonly [number, number], field: string, most: number, least?: number): void {
  const isPair = Array.isArray(pair) && pair.length === 2 && pair.every((one) => typeof one === "number");
  const [low, high] = isPair ? pair : [Number.NaN, Number.NaN];
  if (!(high > low && high <= most && (least === undefined ? low > 0 : low >= least)))
    throw inputError(field, `two increasing numbers ${least === undefined ? "above 0" : `from ${least}`} and up to ${most}`, pair);
}
