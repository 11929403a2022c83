/** The scaling study: predictions of the cost model and simulated runs, as tables. Everything follows from the parameters and seeds. */
import type { ReportTable } from "@dechirp/experiments";
import { chooseDivision, type Division, type DivisionChoice, type DivisionRequest, divisionCost } from "@dechirp/jobs";
import type { LinePlot } from "@dechirp/pictures";
import type { MeasuredRates } from "./rates.ts";
import { type Cluster, type SimulatedRun, simulateRun } from "./simulate.ts";
import { imageTasks, stackTasks } from "./tasks.ts";

/** What the study assumes. Rates of cards are measured. */
export interface StudyParameters {
  readonly image: { readonly rows: number; readonly columns: number; readonly pulses: number; readonly samples: number };
  readonly nodeBytesPerSecond: number;
  readonly storeBytesPerSecond: number;
  readonly brokerPerSecond: number;
  /** Tasks a second of a broker that keeps everything on a disk. */
  readonly slowBrokerPerSecond: number;
  readonly warmUpSeconds: number;
  readonly slow: Cluster["slow"];
  readonly dying: Cluster["dying"];
  readonly leaseSeconds: number;
  /** A stack of images: how many, and seconds of a card for each. */
  readonly stack: { readonly images: number; readonly seconds: number; readonly nodes: number };
  readonly seeds: number;
}

/** What is assumed unless the caller says otherwise. */
export const usualParameters: StudyParameters = {
  image: { rows: 32_768, columns: 32_768, pulses: 100_000, samples: 8192 },
  nodeBytesPerSecond: 12.5e9,
  storeBytesPerSecond: 200e9,
  brokerPerSecond: 2000,
  slowBrokerPerSecond: 300,
  warmUpSeconds: 3,
  slow: { share: 0.02, factor: 5 },
  dying: { share: 0.005 },
  leaseSeconds: 15,
  stack: { images: 10_000, seconds: 60, nodes: 1000 },
  seeds: 5,
};

const nodeCounts = [1, 4, 16, 64, 128, 256, 512, 1024];

const seconds = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toPrecision(value >= 10 ? 3 : 2));
const percent = (share: number): string => `${(100 * share).toFixed(share < 0.095 ? 1 : 0)} %`;
const gigabytes = (bytes: number): string => (bytes / 1e9).toPrecision(2);
/** What a node moves before the image is written, and seconds of the whole. */
const costText = ({ bytes, seconds: all }: Division, nodes: number): string =>
  `${gigabytes(bytes.readByNode + bytes.exchanged / nodes)} GB, ${seconds(all)} s`;
const divisionText = ({ tiles, tile, sets, rangeWindows }: Division): string =>
  `${tiles} of ${tile}²${sets > 1 ? ` × ${sets} sets` : ""}, ${rangeWindows ? "ranges" : "all pulses"}`;

/** A division pays if it saves this share of the time. */
const worthwhile = 0.05;

/** A request for the image of the study on some nodes. */
function requestOf(
  gpu: MeasuredRates,
  { image, nodeBytesPerSecond, storeBytesPerSecond }: StudyParameters,
  nodes: number,
): DivisionRequest {
  const { rows, columns, pulses, samples } = image;
  return { image: [rows, columns], pulses, samples, nodes, rate: gpu.rate, nodeBytesPerSecond, storeBytesPerSecond };
}

/** Seconds by nodes of the three divisions of one image, and of the best. */
export function imagePlot(gpu: MeasuredRates, parameters: StudyParameters): LinePlot {
  const { rows } = parameters.image;
  // Whole numbers of tiles, so that no division suffers from a remainder.
  const edges = [1, 2, 4, 8, 16, 32];
  const points = (division: (request: DivisionRequest, across: number) => Division) =>
    edges.map((across) => [across ** 2, division(requestOf(gpu, parameters, across ** 2), across).seconds] as const);
  const tiles = (rangeWindows: boolean) =>
    points((request, across) => divisionCost(request, { tile: Math.ceil(rows / across), sets: 1, rangeWindows }));
  const alone = chooseDivision(requestOf(gpu, parameters, 1)).seconds;
  return {
    title: "Seconds of one image, as the cost model predicts",
    x: "nodes",
    y: "seconds",
    lines: [
      { name: "tiles from all pulses", points: tiles(false) },
      { name: "tiles from ranges", points: tiles(true) },
      {
        name: "pulse sets",
        points: points((request, across) => divisionCost(request, { tile: rows, sets: across ** 2, rangeWindows: false })),
      },
      { name: "chosen", points: points((request) => chooseDivision(request)) },
      { name: "one card's time over nodes", points: edges.map((across) => [across ** 2, alone / across ** 2] as const), dashed: true },
    ],
  };
}

/** The study. `onPart` hears of each table before it is made. */
export function studyTables(
  gpu: MeasuredRates,
  parameters: StudyParameters,
  onPart: (title: string) => void = () => {},
): readonly ReportTable[] {
  const { image, nodeBytesPerSecond, storeBytesPerSecond, brokerPerSecond, warmUpSeconds, slow, dying, leaseSeconds, stack } = parameters;
  const request = (nodes: number, more: Partial<DivisionRequest> = {}): DivisionRequest => ({
    ...requestOf(gpu, parameters, nodes),
    ...more,
  });
  const cluster = (nodes: number, more: Partial<Cluster> = {}): Cluster => ({
    ...{ nodes, nodeBytesPerSecond, storeBytesPerSecond, brokerPerSecond, warmUpSeconds, slow, dying, leaseSeconds },
    ...{ secondCopies: true, seed: 0 },
    ...more,
  });
  /** The median run over the seeds, by seconds, and the longest. */
  const runs = (tasks: Parameters<typeof simulateRun>[0], at: Cluster): { median: SimulatedRun; worst: SimulatedRun } => {
    const all = Array.from({ length: parameters.seeds }, (_, seed) => simulateRun(tasks, { ...at, seed }));
    all.sort((a, b) => a.seconds - b.seconds);
    return { median: all[all.length >> 1], worst: all[all.length - 1] };
  };
  const table = (title: string, header: readonly string[], rows: () => readonly (readonly string[])[]): ReportTable => {
    onPart(title);
    return { title, header, rows: rows() };
  };
  const pulseBytes = 8 * image.pulses * image.samples;

  const ways = table(
    "One image by three divisions, as the cost model predicts",
    ["nodes", "tiles from all pulses", "tiles from ranges", "pulse sets", "chosen", "s", "efficiency"],
    () =>
      nodeCounts.map((nodes) => {
        const across = Math.ceil(Math.sqrt(nodes));
        const cost = (choice: DivisionChoice): string => costText(divisionCost(request(nodes), choice), nodes);
        const tile = Math.ceil(image.rows / across);
        const best = chooseDivision(request(nodes));
        return [
          String(nodes),
          cost({ tile, sets: 1, rangeWindows: false }),
          cost({ tile, sets: 1, rangeWindows: true }),
          cost({ tile: image.rows, sets: nodes, rangeWindows: false }),
          divisionText(best),
          seconds(best.seconds),
          percent(best.efficiency),
        ];
      }),
  );

  const calmly = { warmUpSeconds: 0, slow: { share: 0, factor: 1 }, dying: { share: 0 } };
  const simulated = table(
    "One image, simulated",
    [
      "nodes",
      "tasks of a card",
      "predicted, s",
      "without delays, s",
      "with delays, s",
      "efficiency",
      "longest of the seeds, s",
      "without copies, s",
      "workers that are warm, s",
    ],
    () =>
      nodeCounts.map((nodes) => {
        // A single node that dies ends the run.
        const at = (more: Partial<Cluster> = {}): Cluster => cluster(nodes, { ...(nodes < 16 && { dying: { share: 0 } }), ...more });
        const [best] = [1, 2, 4, 8]
          .map((tasksPerCard) => {
            const division = chooseDivision(request(nodes, { tasksPerCard }));
            const tasks = imageTasks(request(nodes), division);
            return { division, tasks, ...runs(tasks, at()) };
          })
          .sort((a, b) => a.median.seconds - b.median.seconds);
        const { tasks, division, median, worst } = best;
        return [
          String(nodes),
          (division.tasks / nodes).toPrecision(2),
          seconds(division.seconds),
          seconds(simulateRun(tasks, at(calmly)).seconds),
          seconds(median.seconds),
          percent(median.efficiency),
          seconds(worst.seconds),
          seconds(runs(tasks, at({ secondCopies: false })).median.seconds),
          seconds(runs(tasks, at({ warmUpSeconds: 0 })).median.seconds),
        ];
      }),
  );

  const stacks = table(
    `${stack.images} images of ${stack.seconds} s of a card, in tasks of 15 s, simulated`,
    ["nodes", "ideal, s", "with delays, s", "efficiency", "second copies", "begun again"],
    () =>
      [16, 64, 256, 1000, 4000].map((nodes) => {
        const tasks = stackTasks(stack.images, { seconds: stack.seconds, readBytes: pulseBytes / 10, writeBytes: 1e9 }, 15);
        const { median } = runs(tasks, cluster(nodes));
        return [
          String(nodes),
          seconds((stack.images * stack.seconds) / nodes),
          seconds(median.seconds),
          percent(median.efficiency),
          String(median.copies),
          String(median.restarts),
        ];
      }),
  );

  const lengths = table(
    `How long a task should be: ${stack.images} images on ${stack.nodes} nodes, simulated`,
    [
      "a task, s",
      "tasks of a node",
      "efficiency without copies",
      "with second copies",
      "without slow and dying nodes",
      `broker of ${parameters.slowBrokerPerSecond} a second`,
    ],
    () =>
      [600, 150, 37.5, 15, 5, 1.5].map((length) => {
        const tasks = stackTasks(stack.images, { seconds: stack.seconds, readBytes: 0, writeBytes: 0 }, length);
        const efficiency = (more: Partial<Cluster>): string => percent(runs(tasks, cluster(stack.nodes, more)).median.efficiency);
        return [
          String(length),
          String(Math.round(tasks.length / stack.nodes)),
          efficiency({ secondCopies: false }),
          efficiency({}),
          efficiency({ slow: { share: 0, factor: 1 }, dying: { share: 0 } }),
          efficiency({ brokerPerSecond: parameters.slowBrokerPerSecond }),
        ];
      }),
  );

  const leases = table(
    `How long a lease should be: ${stack.images / 10} images on ${stack.nodes} nodes, of which one in fifty dies, in tasks of 5 s, simulated`,
    ["lease, s", "without copies, s", "longest of the seeds, s", "with second copies, s", "longest of the seeds, s"],
    () => {
      const tasks = stackTasks(stack.images / 10, { seconds: stack.seconds, readBytes: 0, writeBytes: 0 }, 5);
      return [2, 5, 15, 30, 60].map((lease) => {
        const at = { leaseSeconds: lease, dying: { share: 0.02 }, slow: { share: 0, factor: 1 } };
        const [without, copies] = [
          runs(tasks, cluster(stack.nodes, { ...at, secondCopies: false })),
          runs(tasks, cluster(stack.nodes, at)),
        ];
        return [String(lease), ...[without.median, without.worst, copies.median, copies.worst].map((run) => seconds(run.seconds))];
      });
    },
  );

  const rule = table(
    "Where each division begins to pay, as the cost model predicts",
    [
      "image",
      "pulses × samples",
      "one card, s",
      "√(T·B/P), nodes",
      "ranges pay from, nodes",
      "sets pay from, nodes",
      "below 90 % from, nodes",
      "below 50 %",
      "no gain beyond, nodes",
    ],
    () =>
      [
        { side: 4096, pulses: 20_000, samples: 4096 },
        { side: 16_384, pulses: 50_000, samples: 8192 },
        { side: 32_768, pulses: 100_000, samples: 8192 },
        { side: 65_536, pulses: 400_000, samples: 16_384 },
        { side: 4096, pulses: 1_000_000, samples: 8192 },
      ].map(({ side, pulses, samples }) => {
        const at = (nodes: number, more: Partial<DivisionRequest> = {}): Division =>
          chooseDivision(request(nodes, { image: [side, side], pulses, samples, ...more }));
        const alone = at(1).parts.computing;
        const pays = (nodes: number, without: Partial<DivisionRequest>, against: Partial<DivisionRequest>): boolean =>
          at(nodes, against).seconds < (1 - worthwhile) * at(nodes, without).seconds;
        const first = (holds: (nodes: number) => boolean): string => String(firstNodes(holds) ?? `none to ${mostNodes}`);
        const least = at(mostNodes).seconds;
        return [
          `${side}²`,
          `${pulses} × ${samples}`,
          seconds(alone),
          Math.sqrt((alone * storeBytesPerSecond) / (8 * pulses * samples)).toFixed(0),
          first((nodes) => pays(nodes, { mostSets: 1, readsByRanges: false }, { mostSets: 1 })),
          first((nodes) => pays(nodes, { mostSets: 1 }, {})),
          first((nodes) => at(nodes).efficiency < 0.9),
          first((nodes) => at(nodes).efficiency < 0.5),
          first((nodes) => at(nodes).seconds < (1 + worthwhile) * least),
        ];
      }),
  );

  const stores = table(
    "The store's bandwidth: one image on 64 nodes, as the cost model predicts",
    ["store, GB/s", "chosen", "s", "efficiency", "chosen without ranges", "s"],
    () =>
      [5, 20, 50, 100, 200, 800].map((rate) => {
        const best = chooseDivision(request(64, { storeBytesPerSecond: 1e9 * rate }));
        const profiles = chooseDivision(request(64, { storeBytesPerSecond: 1e9 * rate, readsByRanges: false }));
        return [
          String(rate),
          divisionText(best),
          seconds(best.seconds),
          percent(best.efficiency),
          divisionText(profiles),
          seconds(profiles.seconds),
        ];
      }),
  );

  const source = table("Rates of the card, measured", ["pixels of a task", "10⁹ backprojections a second"], () =>
    gpu.rate.map(([pixels, rate]) => [`${Math.sqrt(pixels)}²`, (rate / 1e9).toFixed(0)]),
  );
  return [ways, simulated, stacks, lengths, leases, rule, stores, source];
}

/** The most nodes of the rule's table. */
const mostNodes = 4096;

/** The first power of two at which a condition holds, then refined by steps of an eighth of an octave. */
function firstNodes(holds: (nodes: number) => boolean): number | undefined {
  for (let nodes = 1; nodes <= mostNodes; nodes *= 2)
    if (holds(nodes)) {
      for (let step = 7; step > 0; step--) {
        const fewer = Math.round(nodes * 2 ** (-step / 8));
        if (nodes > 1 && holds(fewer) && fewer > nodes / 2) return fewer;
      }
      return nodes;
    }
  return undefined;
}
