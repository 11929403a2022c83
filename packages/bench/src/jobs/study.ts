/** The scaling study: predictions of the cost model and simulated runs, as tables. Everything follows from the parameters and seeds. */
import type { ReportTable } from "@dechirp/experiments";
import { chooseDivision, type Division, type DivisionChoice, type DivisionRequest, divisionCost } from "@dechirp/jobs";
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
  seeds: 9,
};

const nodeCounts = [1, 4, 16, 64, 128, 256, 512, 1024];

const seconds = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toPrecision(value >= 10 ? 3 : 2));
const percent = (share: number): string => `${(100 * share).toFixed(share < 0.095 ? 1 : 0)} %`;
const gigabytes = (bytes: number): string => (bytes / 1e9).toPrecision(2);
const costText = ({ bytes, seconds: all }: Division): string =>
  `${gigabytes(bytes.readByNode + bytes.exchanged / 2)} GB, ${seconds(all)} s`;
const divisionText = ({ tiles, tile, sets, rangeWindows }: Division): string =>
  `${tiles} of ${tile}²${sets > 1 ? ` × ${sets} sets` : ""}, ${rangeWindows ? "ranges" : "all pulses"}`;

/** The study. `onPart` hears of each table before it is made. */
export function studyTables(
  gpu: MeasuredRates,
  parameters: StudyParameters,
  onPart: (title: string) => void = () => {},
): readonly ReportTable[] {
  const { image, nodeBytesPerSecond, storeBytesPerSecond, brokerPerSecond, warmUpSeconds, slow, dying, leaseSeconds, stack } = parameters;
  const request = (nodes: number, more: Partial<DivisionRequest> = {}): DivisionRequest => ({
    image: [image.rows, image.columns],
    pulses: image.pulses,
    samples: image.samples,
    nodes,
    rate: gpu.rate,
    nodeBytesPerSecond,
    storeBytesPerSecond,
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
        const cost = (choice: DivisionChoice): string => costText(divisionCost(request(nodes), choice));
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

  const simulated = table(
    "One image, simulated",
    ["nodes", "predicted, s", "without delays, s", "with delays, s", "longest of the seeds, s", "efficiency", "without copies, s"],
    () =>
      nodeCounts.map((nodes) => {
        const best = chooseDivision(request(nodes, { tasksPerCard: 4 }));
        const tasks = imageTasks(request(nodes), best);
        const calm = simulateRun(tasks, cluster(nodes, { warmUpSeconds: 0, slow: { share: 0, factor: 1 }, dying: { share: 0 } }));
        const { median, worst } = runs(tasks, cluster(nodes, nodes < 4 ? { dying: { share: 0 } } : {}));
        const alone = runs(tasks, cluster(nodes, { secondCopies: false, ...(nodes < 4 && { dying: { share: 0 } }) }));
        return [
          String(nodes),
          seconds(best.seconds),
          seconds(calm.seconds),
          seconds(median.seconds),
          seconds(worst.seconds),
          percent(median.efficiency),
          seconds(alone.median.seconds),
        ];
      }),
  );

  const stacks = table(
    `${stack.images} images of ${stack.seconds} s of a card, simulated`,
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
      [600, 150, 37.5, 15, 5, 1.5, 0.5].map((length) => {
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
    "How long a lease should be: one image on 256 nodes of which one in fifty dies, tasks of about 1 s, simulated",
    ["lease, s", "without copies, s", "longest of the seeds, s", "with second copies, s", "longest of the seeds, s"],
    () => {
      const tasks = imageTasks(request(256, { pulses: 400_000 }), { tile: 2048, sets: 1, rangeWindows: true });
      return [2, 5, 15, 30, 60].map((lease) => {
        const at = { leaseSeconds: lease, dying: { share: 0.02 }, slow: { share: 0, factor: 1 } };
        const [without, copies] = [runs(tasks, cluster(256, { ...at, secondCopies: false })), runs(tasks, cluster(256, at))];
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
      "reading rules from, nodes",
      "ranges chosen from, nodes",
      "sets chosen from, nodes",
      "half efficiency at, nodes",
    ],
    () =>
      [
        { side: 4096, pulses: 20_000, samples: 4096 },
        { side: 16_384, pulses: 50_000, samples: 8192 },
        { side: 32_768, pulses: 100_000, samples: 8192 },
        { side: 65_536, pulses: 400_000, samples: 16_384 },
        { side: 4096, pulses: 1_000_000, samples: 8192 },
      ].map(({ side, pulses, samples }) => {
        const at = (nodes: number): Division => chooseDivision(request(nodes, { image: [side, side], pulses, samples }));
        const alone = at(1).parts.computing;
        const first = (holds: (made: Division) => boolean): string => {
          const found = firstNodes((nodes) => holds(at(nodes)));
          return found === undefined ? "none to 4096" : String(found);
        };
        return [
          `${side}²`,
          `${pulses} × ${samples}`,
          seconds(alone),
          Math.sqrt((alone * storeBytesPerSecond) / (8 * pulses * samples)).toFixed(0),
          first(({ rangeWindows }) => rangeWindows),
          first(({ sets }) => sets > 1),
          first(({ efficiency }) => efficiency < 0.5),
        ];
      }),
  );

  const stores = table(
    "The store's bandwidth: one image on 64 nodes, as the cost model predicts",
    ["store, GB/s", "chosen", "s", "efficiency", "profiles of 4 times the bytes: chosen", "s"],
    () =>
      [5, 20, 50, 100, 200, 800].map((rate) => {
        const best = chooseDivision(request(64, { storeBytesPerSecond: 1e9 * rate }));
        const profiles = chooseDivision(request(64, { storeBytesPerSecond: 1e9 * rate, rangeBytesRatio: 4 }));
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

/** The first of the numbers of nodes at which a condition holds, to 4096, by steps of a quarter of an octave. */
function firstNodes(holds: (nodes: number) => boolean): number | undefined {
  for (let step = 0; step <= 48; step++) {
    const nodes = Math.round(2 ** (step / 4));
    if (holds(nodes)) return nodes;
  }
  return undefined;
}
