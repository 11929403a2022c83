/**
 * Chooses one of the adapters that can be told apart. WebGPU gives one adapter for each request, so the requests differ: in their power
 * preference, for a software adapter, and in Node in the name, which the package `webgpu` takes as a flag. Equal cards are equal adapters;
 * they need a process each that can see one card only. Loaded only where `gpu({ adapter })` is a choice.
 */
import { inputError, RadarError } from "@dechirp/core";
import { asRadarError, requireSynchronous } from "@dechirp/core/backend";
import { checkFields, type FieldsOf } from "@dechirp/core/internal";
import { isSoftware, type Places } from "./adapter-info.ts";
import type { AdapterChoice, AdapterFacts, AdapterTest } from "./options.ts";

type PowerPreference = NonNullable<AdapterChoice["powerPreference"]>;

/** An adapter that can be opened. */
export interface Candidate {
  readonly adapter: GPUAdapter;
  /** Where the adapter comes from. */
  readonly instance: GPU;
  readonly facts: AdapterFacts;
}

const fieldsOfChoice: FieldsOf<AdapterChoice> = {
  vendor: "string",
  architecture: "string",
  description: "string",
  index: "number",
  software: "boolean",
  powerPreference: "string",
};

/** Throws `input`, naming the field, unless `choice` is one. */
export function checkChoice(choice: AdapterChoice | AdapterTest): void {
  if (typeof choice === "function") return;
  checkFields(choice, fieldsOfChoice, "adapter", "input", "adapter.");
  const { index, powerPreference } = choice;
  if (index !== undefined && !(Number.isInteger(index) && index >= 0)) throw inputError("adapter.index", "an integer of at least 0", index);
  if (powerPreference !== undefined && powerPreference !== "low-power" && powerPreference !== "high-performance")
    throw inputError("adapter.powerPreference", "low-power or high-performance", powerPreference);
}

/** No adapter has this name. Dawn answers with the names that there are (webgpu 0.6.2). */
const noName = "(a list of the adapters)";

/** The adapters that can be told apart. The first is the one that WebGPU offers for `preference`. */
export async function candidatesOf({ instance, named }: Places, preference: PowerPreference): Promise<readonly Candidate[]> {
  const found: { adapter: GPUAdapter; instance: GPU; facts: Omit<AdapterFacts, "index">; offeredFor: PowerPreference[] }[] = [];
  const add = async (from: GPU, request: GPURequestAdapterOptions): Promise<void> => {
    const adapter = await from.requestAdapter(request).catch(() => null);
    if (!adapter) return;
    const { vendor = "", architecture = "", device = "", description = "" } = adapter.info ?? {};
    const same = found.find(
      ({ facts }) =>
        facts.vendor === vendor && facts.architecture === architecture && facts.device === device && facts.description === description,
    );
    if (same && request.powerPreference) same.offeredFor.push(request.powerPreference);
    if (same) return;
    const offeredFor = request.powerPreference ? [request.powerPreference] : [];
    const facts = { vendor, architecture, device, description, software: isSoftware(adapter.info), offeredFor };
    found.push({ adapter, instance: from, offeredFor, facts });
  };
  await add(instance, { powerPreference: preference });
  await add(instance, { powerPreference: preference === "low-power" ? "high-performance" : "low-power" });
  await add(instance, { forceFallbackAdapter: true });
  for (const name of await namesOf(named)) if (named) await add(named(name), {});
  return found.map(({ adapter, instance, facts }, index) => ({ adapter, instance, facts: { ...facts, index } }));
}

/** The names of the adapters that Dawn knows in Node, each once. */
async function namesOf(named: Places["named"]): Promise<readonly string[]> {
  if (!named) return [];
  try {
    await named(noName).requestAdapter();
    return [];
  } catch (error) {
    return [...new Set([...String((error as Error | undefined)?.message ?? error).matchAll(/name: '(.*)'$/gm)].map(([, name]) => name))];
  }
}

/** Chooses an adapter. Throws `no-backend`, which lists the adapters, if none suits; and what the caller's function throws. */
export async function chooseAdapter(choice: AdapterChoice | AdapterTest, places: Places, preference: PowerPreference): Promise<Candidate> {
  const first = typeof choice === "function" ? preference : (choice.powerPreference ?? preference);
  const candidates = await candidatesOf(places, first);
  const found = candidates.find(({ facts }) => (typeof choice === "function" ? passes(choice, facts) : suits(choice, facts)));
  if (found) return found;
  const wanted = typeof choice === "function" ? "suits the given function" : `is ${JSON.stringify(choice)}`;
  const there = candidates.map(({ facts }) => textOf(facts));
  throw new RadarError("no-backend", `adapter: no adapter ${wanted}; there is ${there.length > 0 ? there.join("; ") : "none at all"}`, {
    backend: "gpu",
    option: "adapter",
    found: candidates.map(({ facts }) => facts),
  });
}

function passes(test: AdapterTest, facts: AdapterFacts): boolean {
  let answer: unknown;
  try {
    answer = requireSynchronous(test(facts) as unknown, "adapter");
  } catch (error) {
    throw asRadarError(error, "adapter");
  }
  if (typeof answer !== "boolean") throw inputError("adapter", "a function that returns true or false", answer);
  return answer;
}

function suits(choice: AdapterChoice, facts: AdapterFacts): boolean {
  const { vendor, architecture, description, index, software, powerPreference } = choice;
  const equal = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
  return (
    (vendor === undefined || equal(vendor, facts.vendor)) &&
    (architecture === undefined || equal(architecture, facts.architecture)) &&
    (description === undefined || `${facts.description} ${facts.device}`.toLowerCase().includes(description.toLowerCase())) &&
    (index === undefined || index === facts.index) &&
    (software === undefined || software === facts.software) &&
    (powerPreference === undefined || facts.offeredFor.includes(powerPreference))
  );
}

const textOf = ({ index, vendor, architecture, device, description, software }: AdapterFacts): string =>
  `${index}: ${[description || device, vendor, architecture].filter((word) => word !== "").join(", ") || "unnamed"}${software ? ", in software" : ""}`;
