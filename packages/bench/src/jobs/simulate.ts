/**
 * A run of a job on many nodes, as a simulation of discrete events: workers take tasks from a broker, read from a store, compute, and write. Some
 * nodes are slow, some die; a dead worker's task comes back when its lease has ended. At the tail, workers that have nothing to do make second
 * copies of late tasks, by the rule of `runJob`. The same seed gives the same run.
 */
import { createRandom } from "@dechirp/core";
import { Clock, Store, type Transfer } from "./events.ts";

/** A task. */
export interface SimulatedTask {
  /** Seconds of a card that is not slow. */
  readonly seconds: number;
  readonly readBytes: number;
  readonly writeBytes: number;
  /** What is read, if a node keeps it: tasks of a node that read the same read it once. */
  readonly kept?: number;
  /** Tasks, by their places in the list, that must be done before. */
  readonly after?: readonly number[];
}

/** Nodes, and what hands out their work. */
export interface Cluster {
  readonly nodes: number;
  readonly cardsPerNode?: number;
  readonly nodeBytesPerSecond: number;
  readonly storeBytesPerSecond: number;
  /** Tasks that the broker hands out in a second. */
  readonly brokerPerSecond: number;
  readonly warmUpSeconds: number;
  /** The share of nodes that are slow, and how many times as long they take. */
  readonly slow: { readonly share: number; readonly factor: number };
  /** The share of nodes that die, each at a random moment of the ideal duration after the warm-up. They do not come back. */
  readonly dying: { readonly share: number };
  /** Seconds after its last heartbeat until a worker counts as dead. Heartbeats come three times in a lease. */
  readonly leaseSeconds: number;
  readonly secondCopies: boolean;
  readonly seed: number;
}

/** What became of a run. */
export interface SimulatedRun {
  readonly seconds: number;
  /** Work over cards and seconds. */
  readonly efficiency: number;
  /** Tasks that were begun again because a lease ended, and second copies. */
  readonly restarts: number;
  readonly copies: number;
  readonly slowNodes: number;
  readonly deadNodes: number;
  /** Seconds when half of the tasks were done, and 99 of 100. */
  readonly half: number;
  readonly almost: number;
}

interface Worker {
  readonly node: number;
  isDead: boolean;
  attempt?: Attempt;
}

interface Attempt {
  readonly task: number;
  readonly worker: Worker;
  readonly since: number;
  isOver: boolean;
  transfer?: Transfer;
}

/** A second copy starts when a task has taken so many times the median. This is the rule of `runJob`. */
const lateFactor = 2;

/** Runs a job. Throws if no node is left before its end. */
export function simulateRun(tasks: readonly SimulatedTask[], cluster: Cluster): SimulatedRun {
  const { nodes, cardsPerNode = 1, brokerPerSecond, warmUpSeconds, slow, dying, leaseSeconds, secondCopies, seed } = cluster;
  const clock = new Clock();
  const store = new Store(clock, nodes, cluster.nodeBytesPerSecond, cluster.storeBytesPerSecond);
  const random = createRandom(seed);
  const cards = nodes * cardsPerNode;
  const work = tasks.reduce((sum, { seconds }) => sum + seconds, 0);

  const factors = Array.from({ length: nodes }, () => (random.uniform() < slow.share ? slow.factor : 1));
  const deaths = Array.from({ length: nodes }, () =>
    random.uniform() < dying.share ? warmUpSeconds + random.uniform() * (work / cards) : Number.POSITIVE_INFINITY,
  );
  /** What nodes keep: present, or the attempts that wait for it. */
  const kept = Array.from({ length: nodes }, () => new Map<number, "present" | (() => void)[]>());
  const workers: Worker[] = Array.from({ length: cards }, (_, i) => ({ node: i % nodes, isDead: false }));

  const waiting: number[] = [];
  const needs = tasks.map(({ after = [] }) => after.length);
  const followers = new Map<number, number[]>();
  for (const [task, { after = [] }] of tasks.entries()) {
    for (const before of after) {
      const list = followers.get(before);
      if (list) list.push(task);
      else followers.set(before, [task]);
    }
    if (after.length === 0) waiting.push(task);
  }
  waiting.reverse();
  const isDone = new Uint8Array(tasks.length);
  /** Attempts of tasks that are not done, by the beginning of the first. */
  const running = new Map<number, Attempt[]>();
  const idle: Worker[] = [];
  const durations: number[] = [];
  const ends: number[] = [];
  const median = createMedian(durations);
  let [brokerFree, restarts, copies] = [0, 0, 0];

  /** The broker answers one worker after another. */
  const ask = (worker: Worker): void => {
    brokerFree = Math.max(brokerFree, clock.now) + 1 / brokerPerSecond;
    clock.after(brokerFree - clock.now, () => {
      if (worker.isDead) return;
      const task = waiting.pop();
      if (task !== undefined) begin(worker, task);
      else {
        idle.push(worker);
        feedTail();
      }
    });
  };
  const wake = (): void => {
    for (let i = Math.min(waiting.length, idle.length); i > 0; i--) ask(idle.pop() as Worker);
  };

  let tailAt = Number.POSITIVE_INFINITY;
  /** Gives the oldest task with one attempt to a worker that has nothing to do, if it is late, or looks again when it is. */
  const feedTail = (): void => {
    if (!secondCopies || durations.length === 0 || waiting.length > 0) return;
    for (const [task, attempts] of running) {
      const worker = idle[idle.length - 1];
      if (worker === undefined) return;
      if (attempts.length > 1) continue;
      const late = attempts[0].since + lateFactor * median();
      if (late > clock.now) {
        if (late < tailAt || tailAt <= clock.now) {
          tailAt = late;
          clock.after(late - clock.now, feedTail);
        }
        return;
      }
      idle.pop();
      copies++;
      begin(worker, task);
    }
  };

  const begin = (worker: Worker, task: number): void => {
    const attempt: Attempt = { task, worker, since: clock.now, isOver: false };
    worker.attempt = attempt;
    const others = running.get(task);
    if (others) others.push(attempt);
    else running.set(task, [attempt]);
    const { seconds, readBytes, writeBytes, kept: key } = tasks[task];
    let left = 2;
    const step = (): void => {
      if (attempt.isOver || --left > 0) return;
      attempt.transfer = store.move(worker.node, writeBytes, () => finish(attempt));
    };
    clock.after(seconds * factors[worker.node], step);
    const here = key === undefined ? undefined : kept[worker.node].get(key);
    if (here === "present") step();
    else if (here) here.push(step);
    else {
      if (key !== undefined) kept[worker.node].set(key, [step]);
      const read = store.move(worker.node, readBytes, () => {
        if (key === undefined) return step();
        const heard = kept[worker.node].get(key);
        kept[worker.node].set(key, "present");
        if (Array.isArray(heard)) for (const tell of heard) tell();
      });
      // What a node keeps is read to its end whoever asked for it.
      if (key === undefined && attempt.transfer === undefined) attempt.transfer = read;
    }
  };

  const stop = (attempt: Attempt): void => {
    attempt.isOver = true;
    if (attempt.transfer) store.cancel(attempt.transfer);
    delete attempt.worker.attempt;
  };

  const finish = (attempt: Attempt): void => {
    const { task } = attempt;
    const attempts = running.get(task) ?? [];
    running.delete(task);
    isDone[task] = 1;
    durations.push(clock.now - attempt.since);
    ends.push(clock.now);
    for (const one of attempts) {
      stop(one);
      if (!one.worker.isDead) ask(one.worker);
    }
    for (const next of followers.get(task) ?? []) if (--needs[next] === 0) waiting.push(next);
    wake();
    feedTail();
  };

  const die = (node: number): void => {
    store.drop(node);
    for (const worker of workers) {
      if (worker.node !== node || worker.isDead) continue;
      worker.isDead = true;
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1);
      const { attempt } = worker;
      if (!attempt) continue;
      stop(attempt);
      const heartbeat = random.uniform() / 3;
      clock.after(leaseSeconds * (1 - heartbeat), () => {
        const attempts = (running.get(attempt.task) ?? []).filter((one) => one !== attempt);
        if (isDone[attempt.task]) return;
        if (attempts.length > 0) return void running.set(attempt.task, attempts);
        running.delete(attempt.task);
        restarts++;
        waiting.push(attempt.task);
        wake();
      });
    }
  };

  for (const [node, at] of deaths.entries()) if (Number.isFinite(at)) clock.after(at, () => die(node));
  for (const worker of workers) clock.after(warmUpSeconds, () => !worker.isDead && ask(worker));
  if (!clock.run(() => ends.length === tasks.length)) throw new Error("no node is left to make the tasks");
  const { now: seconds } = clock;
  return {
    seconds,
    efficiency: work / (cards * seconds),
    restarts,
    copies,
    slowNodes: factors.filter((factor) => factor !== 1).length,
    deadNodes: deaths.filter((at) => at < seconds).length,
    half: ends[Math.ceil(ends.length / 2) - 1],
    almost: ends[Math.ceil(0.99 * ends.length) - 1],
  };
}

/** The median of a list that only grows. It is computed anew when the list has grown by a twentieth. */
function createMedian(list: readonly number[]): () => number {
  let [size, value] = [0, 0];
  return () => {
    if (list.length > 1.05 * size) {
      size = list.length;
      value = [...list].sort((a, b) => a - b)[size >> 1];
    }
    return value;
  };
}
