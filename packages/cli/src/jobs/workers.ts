/** The devices of `dechirp job run`, and how the worker processes of each are started. */
import type { ChildProcess } from "node:child_process";
import { availableParallelism } from "node:os";
import { cardOf, cardText, isCardName } from "../cards/card.ts";
import { type Hiding, hidingOf, noHiding } from "../cards/hide.ts";
import { type Card, listCards } from "../cards/list.ts";
import { argumentError, isA } from "../errors.ts";
import { checkClass } from "./open.ts";

/** A device of a run. */
export interface WorkersDevice {
  /** `cpu`, `gpu` or `gpu:K`. */
  readonly name: string;
  /** Hides other cards from its workers. */
  readonly hiding: Hiding;
}

/**
 * The devices that a run uses. `given` has names with commas between them. Default: the processor for a job of its class; for a job of GPUs all
 * cards. If there are not several, or they can't be hidden from each other's workers, which `warn` is told, it is the GPU that WebGPU offers.
 * Throws `argument`, and `no-backend` if a card that is named can't be had.
 */
export function devicesOf(
  deviceClass: "cpu" | "gpu",
  given: string | undefined,
  warn: (text: string) => void,
  cards: readonly Card[] = deviceClass === "gpu" ? listCards() : [],
): readonly WorkersDevice[] {
  if (given !== undefined) {
    const names = given.split(",").map((name) => name.trim());
    for (const [i, name] of names.entries()) {
      checkClass(deviceClass, name);
      if (names.indexOf(name) < i) throw argumentError("--device", "names that are all different", given);
    }
    if (names.length > 1 && !names.every(isCardName))
      throw argumentError("--device", "one device, or cards gpu:K with commas between them", given);
    return names.map((name) => deviceOf(name, cards));
  }
  const names = cards.flatMap(({ name, isUsable }) => (name !== undefined && isUsable ? [name] : []));
  if (names.length <= 1) return [{ name: deviceClass, hiding: noHiding }];
  try {
    return names.map((name) => deviceOf(name, cards));
  } catch (error) {
    if (!isA(Error, error)) throw error;
    warn(`only one of ${names.length} cards is used: ${error.message}`);
    return [{ name: deviceClass, hiding: noHiding }];
  }
}

function deviceOf(name: string, cards: readonly Card[]): WorkersDevice {
  if (!isCardName(name)) return { name, hiding: noHiding };
  const { card, rivals } = cardOf(name, cards);
  if (rivals.length === 0) return { name, hiding: noHiding };
  const why = `--device ${name}: WebGPU can't tell ${cardText(card)} from ${rivals.map(cardText).join("; ")}`;
  const files = rivals.map(({ file }) => file);
  return { name, hiding: hidingOf(files, why) };
}

/** How workers are started. */
export interface WorkersOptions {
  /** The store. */
  readonly address: string;
  /** Cores of a worker. Default: all cores, shared among the workers. */
  readonly units?: number | undefined;
  readonly env: NodeJS.ProcessEnv;
  /** The command line `dechirp`. Default: that of this process. */
  readonly program?: readonly string[];
  readonly warn: (text: string) => void;
}

/** The worker processes of a run. */
export interface Workers {
  readonly count: number;
  /** Starts the worker of a place. */
  start(index: number): ChildProcess;
  /** Hears which card a worker has proved to have. */
  onReady(index: number, worker: { readonly card?: string }): void;
}

/**
 * `perDevice` workers for each device. They take turns, so that a run with few tasks uses all devices. `warn` is told once if the workers of two
 * devices have the same card.
 */
export function workersOf(devices: readonly WorkersDevice[], perDevice: number, options: WorkersOptions): Workers {
  const { address, units, env, warn, program = [process.execPath, ...process.execArgv, process.argv[1]] } = options;
  const count = perDevice * devices.length;
  const cores = units ?? Math.max(1, Math.floor(availableParallelism() / count));
  const proved = new Map<string, string>();
  const deviceAt = (index: number): WorkersDevice => devices[index % devices.length];
  return {
    count,
    start(index) {
      const { name, hiding } = deviceAt(index);
      const options = ["--units", String(cores), ...(isCardName(name) ? ["--card", name] : [])];
      const command = [...program, "job", "worker", address, ...options];
      // The worker's own lines on stderr, such as warnings of a driver, are passed on.
      return hiding.start(command, ["ignore", "ignore", "inherit", "ipc"], env);
    },
    onReady(index, { card }) {
      if (card === undefined) return;
      const { name } = deviceAt(index);
      const other = proved.get(card);
      if (other === undefined) proved.set(card, name);
      else if (other !== name) warn(`the workers of ${other} and ${name} have the same card, ${card}, and share its time`);
    },
  };
}
