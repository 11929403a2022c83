/** Checks of wisdom, which may come from anywhere. Only loaded where it is given. */
import { inputError } from "@dechirp/core";
import { checkFields, checkObject, type FieldsOf, isWhole } from "@dechirp/core/internal";
import { isStages, largestOf, type Preferences } from "./candidates.ts";
import { valuesOf } from "./crowd.ts";
import type { Wisdom } from "./wisdom.ts";

const fieldsOfWisdom: FieldsOf<Wisdom> = { version: true, devices: "object" };
const fieldsOfPreferences: FieldsOf<Preferences> = {
  longestPass: "number",
  longestFactor: "number",
  longestWideTile: "number",
  prefer: "object",
};
const fieldsOfPrefer: FieldsOf<NonNullable<Preferences["prefer"]>> = {
  exchange: true,
  tile: "number",
  staged: "boolean",
  crowded: true,
  radices: "object",
  threads: "object",
};

/** A copy of wisdom, which the caller can't change. Throws `input`, naming the field, unless right plans can be made by it. */
export function checkedWisdom(given: Wisdom): Wisdom {
  const value = copyOf(given);
  checkFields(value, fieldsOfWisdom, "wisdom", "input", "wisdom.");
  if (value.version !== 1) throw inputError("wisdom.version", "1", value.version);
  for (const [device, entries] of checkObject(value.devices, "wisdom.devices", "input"))
    for (const [op, preferences] of checkObject(entries, `wisdom.devices.${device}`, "input"))
      checkPreferences(preferences as Preferences, `wisdom.devices.${device}.${op}`);
  return value;
}

function copyOf(given: Wisdom): Wisdom {
  try {
    return structuredClone(given);
  } catch {
    throw inputError("wisdom", "what wisdomOf returned", given);
  }
}

function checkPreferences(value: Preferences, field: string): void {
  checkFields(value, fieldsOfPreferences, field, "input", `${field}.`);
  const { prefer = {}, ...numbers } = value;
  checkFields(prefer, fieldsOfPrefer, `${field}.prefer`, "input", `${field}.prefer.`);
  const { exchange, tile, crowded = false, radices = {}, threads = {} } = prefer;
  for (const [name, number] of Object.entries({ ...numbers, ...(tile !== undefined && { tile }) }))
    if (!isWhole(number, 1, Number.MAX_SAFE_INTEGER)) throw inputError(`${field}.${name}`, "a positive integer", number);
  if (exchange !== undefined && exchange !== "split" && exchange !== "both")
    throw inputError(`${field}.prefer.exchange`, "split or both", exchange);
  if (crowded !== false) throw inputError(`${field}.prefer.crowded`, "false", crowded);
  for (const [n, list] of Object.entries(radices))
    if (!(Array.isArray(list) && list.every((r) => isWhole(r, 2, 64)) && isStages(Number(n), list)))
      throw inputError(`${field}.prefer.radices.${n}`, `radices whose product is ${n}`, list);
  for (const [n, count] of Object.entries(threads)) {
    const stages = radices[Number(n)];
    if (!(isWhole(count, 1, Number(n)) && stages && valuesOf(Number(n), stages, count) <= largestOf(stages)))
      throw inputError(`${field}.prefer.threads.${n}`, "a number of invocations for the radices", count);
  }
}
