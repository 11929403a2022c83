/** The table of times on the page about devices, from the bench's newest result file of an H200. Read when the site is built. */
import { bench, dateOf, newest } from "../scripts/results.mjs";

export interface Crossover {
  readonly file: string;
  readonly date: string;
  readonly gpu: string;
  readonly host: string;
  readonly rows: readonly {
    readonly work: string;
    readonly size: string;
    readonly gpu: string;
    readonly cpu: string;
    readonly ratio: string;
  }[];
}

export declare const data: Crossover;

const short = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toPrecision(2));

export default {
  load(): Crossover {
    const file = newest("gpu-h200.json");
    const { device, machine, rows } = bench(file);
    const millisecondsOf = (name: string, id: string): number =>
      rows.find((row) => row.case === name && row.contender.startsWith(`dechirp ${id}`))?.milliseconds ?? Number.NaN;
    const cases = [...new Set(rows.map((row) => row.case))].flatMap((name) => {
      const [, lines, n] = /^write, fft c64 (\d+)×(\d+), read$/.exec(name) ?? [];
      return n === undefined ? [] : [{ name, lines, n, bytes: 8 * Number(lines) * Number(n) }];
    });
    return {
      file: file.replace(".json", ".md"),
      date: dateOf(file),
      gpu: (device?.description ?? "").replace("WebGPU: ", ""),
      host: `${machine.cores} cores of ${machine.processor}, Node ${machine.node}`,
      rows: cases
        .sort((a, b) => a.bytes - b.bytes)
        .map(({ name, lines, n, bytes }) => {
          const [gpu, cpu] = [millisecondsOf(name, "gpu"), millisecondsOf(name, "cpu")];
          const size = bytes < 2 ** 20 ? `${bytes / 2 ** 10} KiB` : `${bytes / 2 ** 20} MiB`;
          return { work: `${lines} × ${n}`, size, gpu: short(gpu), cpu: short(cpu), ratio: short(cpu / gpu) };
        }),
    };
  },
};
