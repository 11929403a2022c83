/**
 * Jobs with an image of each of many recordings: a task makes the whole image of one, as a Zarr store with a report. The image is planned,
 * divided and made as a job of the kind for one recording does it. A recording that can't be processed is found when the job is planned,
 * and its task fails with the reader's sentence.
 */
import { inputError, isRadarError, RadarError } from "@dechirp/core";
import { type BackprojectReport, type Report, settingOf } from "@dechirp/processor";
import * as v from "valibot";
import { checkedJob, fileName, imageSchema, type Job, type JobDevice, type JobInput, json, mostTasks, text, whole } from "./document.ts";
import { imageDocuments, imageReader } from "./image.ts";
import type { JobImage, JobKind, JobProduct, JobRequest, JobWork, JobWorkPlace, TaskOutput } from "./kind.ts";
import { refuseSets } from "./pulse-sets.ts";
import { storeUnder } from "./store.ts";

/** Folder of the products in the store. */
const productsFolder = "products";

/** The longest sentence that is kept about a recording that can't be processed. */
const mostRefusal = 2000;

/** What a job of this kind has decided about each recording. `inputs` are numbers of inputs of the job. */
const planSchema = v.strictObject({
  products: v.pipe(
    v.array(
      v.union(
        [
          v.strictObject({
            name: fileName,
            inputs: v.array(whole(0, 2 ** 16)),
            plan: json,
            image: imageSchema,
            tasks: whole(1, mostTasks),
          }),
          v.strictObject({ name: fileName, inputs: v.array(whole(0, 2 ** 16)), refused: text(mostRefusal) }),
        ],
        "a plan of a product, or why there is none",
      ),
      "a list",
    ),
    v.minLength(1, "a list that is not empty"),
  ),
});
type Product = v.InferOutput<typeof planSchema>["products"][number];
type PlannedProduct = Extract<Product, { plan: unknown }>;

/** Jobs with an image of each recording, as `kind` makes one. */
export const eachOf = (kind: JobKind): JobKind => ({
  name: `${kind.name}-each`,
  title: `an image of each of several recordings: ${kind.title.replace(/^an image of /, "")}`,

  async plan(request, device) {
    const { paths, names = paths.map((_, k) => String(k)), agcFile, settings, onProgress } = request;
    if (agcFile !== undefined) throw inputError("agcFile", "left out for an image of each recording: each has its own", agcFile);
    refuseSets(request, "left out for an image of each recording: a task makes a whole image");
    checkNames(names, "names");
    if (names.length !== paths.length) throw inputError("names", "one for each path", names);
    const products: Product[] = [];
    const inputs: { path: string; role: JobInput["role"] }[] = [];
    const refusals: RadarError[] = [];
    let [amount, unit] = [0, ""];
    for (const [k, path] of paths.entries()) {
      const heard = (what: string, share: number): void =>
        onProgress?.(`recording ${k + 1} of ${paths.length}: ${what}`, (k + share) / paths.length);
      const name = names[k];
      try {
        const { inputs: own, plan, image, tasks, work } = await kind.plan({ ...request, paths: [path], onProgress: heard }, device);
        if (!image) throw inputError("what", "a kind that makes images", kind.name);
        products.push({
          name,
          inputs: own.map((_, i) => inputs.length + i),
          plan,
          image: { shape: [...image.shape], chunk: [...image.chunk] },
          tasks,
        });
        inputs.push(...own);
        if (work) [amount, unit] = [amount + work.amount, work.unit];
      } catch (error) {
        if (!isRadarError(error, "input")) throw error;
        if (isAboutRequest(error, request)) throw naming(path, error);
        refusals.push(error);
        products.push({ name, inputs: [inputs.length], refused: error.message.slice(0, mostRefusal) });
        inputs.push({ path, role: "recording" });
      }
    }
    if (refusals.length === paths.length) throw refusals[0];
    return {
      settings,
      plan: { products },
      tasks: products.length,
      inputs,
      ...(unit !== "" && { work: { amount, unit } }),
      warnings: refusals.map(({ message }) => message),
    };
  },

  async open(place) {
    const { job } = place;
    const products = productsOf(job);
    /** Opens one image as the only one of its job. */
    const one = async (task: number, signal: AbortSignal | undefined) => {
      if (!(Number.isInteger(task) && task >= 0 && task < products.length))
        throw inputError("task", `an integer from 0 to ${products.length - 1}`, task);
      const product = products[task];
      if ("refused" in product) throw new RadarError("input", product.refused, { file: job.inputs[product.inputs[0]].path });
      const own = jobOf(job, kind.name, product);
      const folder = `${productsFolder}/${product.name}`;
      const store = storeUnder(place.store, folder);
      const pathOf = (input: number): Promise<string> => place.pathOf(product.inputs[input]);
      const work = await kind.open({ job: own, store, pathOf, device: place.device, ...(signal && { signal }) });
      return { name: product.name, folder, job: own, store, work, image: imageOf(work) };
    };
    return {
      make: async (task, { signal = place.signal, onProgress }): Promise<TaskOutput> =>
        outputOf(await one(task, signal), job.device, { ...(signal && { signal }), ...(onProgress && { onProgress }) }),
      async product(task): Promise<JobProduct> {
        const { work, ...product } = await one(task, place.signal);
        return { ...product, [Symbol.asyncDispose]: () => work[Symbol.asyncDispose]() };
      },
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  },
});

interface One {
  readonly folder: string;
  readonly job: Job;
  readonly store: JobWorkPlace["store"];
  readonly work: JobWork;
  readonly image: JobImage;
}

/** The share of a task that making the parts takes. The rest is measuring the image. */
const partsShare = 0.95;

/** Makes the chunks of an image one by one, then its report, then the documents of its group, which show that it is complete. */
async function* outputOf({ folder, job, store, work, image }: One, device: JobDevice, options: Parameters<JobWork["make"]>[1]) {
  await using _ = work;
  const { signal, onProgress } = options;
  const on = signal ? { signal } : {};
  const within = function* (entries: Iterable<readonly [string, Uint8Array]>) {
    for (const [key, bytes] of entries) yield [`${folder}/${key}`, bytes] as const;
  };
  yield* within(imageDocuments(job, "array", {}));
  for (let part = 0; part < job.tasks; part++) {
    const heard = (share: number): void => onProgress?.((partsShare * (part + share)) / job.tasks);
    for await (const [key, bytes] of await work.make(part, { ...on, onProgress: heard })) yield [`${folder}/${key}`, bytes] as const;
  }
  const { report: measured } = await image.assemble(imageReader(job, store), {
    ...on,
    onProgress: (_, share) => onProgress?.(partsShare + (1 - partsShare) * share),
  });
  const report = settled(measured, device);
  yield [`${folder}/report.json`, new TextEncoder().encode(`${JSON.stringify(report)}\n`)] as const;
  const { placement } = image.description;
  yield* within(imageDocuments(job, "group", { axes: image.axes, provenance: plain(report), ...(placement && { placement }) }));
}

/** A report without what differs between two runs: times, and the machine. The mark of the task has both. */
function settled(report: Report | BackprojectReport, { id, arithmetic, description = arithmetic ?? id }: JobDevice) {
  return { ...report, device: { id, description, notes: [] }, stages: [], timings: [] };
}

function imageOf({ image }: JobWork): JobImage {
  if (!image) throw new RadarError("failed", "a kind that makes no image can't make one of each recording");
  return image;
}

/** The job of one image alone. */
const jobOf = (job: Job, what: string, { inputs, plan, image, tasks }: PlannedProduct): Job => ({
  ...job,
  what,
  inputs: inputs.map((input) => job.inputs[input]),
  plan,
  image,
  tasks,
});

/** Whether an error is about something that was asked for, rather than about the recording. */
const isAboutRequest = (error: RadarError, request: JobRequest): boolean =>
  settingOf(error) !== undefined ||
  (["tile", "channel", "segment", "memoryBytes"] as const).some((name) => error.fields["field"] === name && request[name] !== undefined);

/** The error with the recording that something does not suit. */
function naming(path: string, error: RadarError): RadarError {
  const fields: Record<string, unknown> = { ...error.fields, file: path };
  for (const name of ["problem", "expected"]) if (typeof fields[name] === "string") fields[name] = `${fields[name]} (${path})`;
  return new RadarError("input", `${path}: ${error.message}`, fields, error);
}

const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value));

/** Throws `input` unless names are those of files, and all different, also on file systems that ignore capitals. */
function checkNames(names: readonly string[], field: string): void {
  const wrong = names.find((name) => !v.is(fileName, name));
  if (wrong !== undefined) throw inputError(field, "names of files", wrong);
  const found = new Set<string>();
  for (const name of names) {
    const same = name.normalize("NFKC").toLowerCase();
    if (found.has(same)) throw inputError(field, "names that are all different", name);
    found.add(same);
  }
}

/** The decisions of a job. The kind for one recording checks the plans in it. Throws `input`. */
function productsOf({ plan, image, tasks, inputs }: Job): readonly Product[] {
  const { products } = checkedJob(planSchema, plan, "job.plan");
  if (image !== undefined) throw inputError("job.image", "left out: each task makes an image of its own", image);
  if (products.length !== tasks) throw inputError("job.tasks", `${products.length}, the number of products`, tasks);
  checkNames(
    products.map(({ name }) => name),
    "job.plan.products",
  );
  for (const [k, product] of products.entries()) {
    if ("image" in product && product.image.sets !== undefined)
      throw inputError(`job.plan.products.${k}.image.sets`, "left out: a task makes a whole image", product.image.sets);
    if (product.inputs.length === 0 || product.inputs.some((input) => input >= inputs.length))
      throw inputError(`job.plan.products.${k}.inputs`, "numbers of inputs of the job", product.inputs);
  }
  return products;
}
