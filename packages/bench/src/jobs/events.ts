/** The clock of a simulation of discrete events, and a store whose bandwidth is shared. */

/** A queue of events by time. Events of one time happen in the order in which they were added, so a simulation repeats itself exactly. */
export class Clock {
  /** Seconds since the beginning. */
  now = 0;
  private readonly heap: { readonly time: number; readonly order: number; readonly run: () => void }[] = [];
  private added = 0;

  /** Adds an event `seconds` from now. */
  after(seconds: number, run: () => void): void {
    const { heap } = this;
    const event = { time: this.now + Math.max(0, seconds), order: this.added++, run };
    let at = heap.length;
    heap.push(event);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(event, heap[parent])) break;
      heap[at] = heap[parent];
      at = parent;
    }
    heap[at] = event;
  }

  /** Runs events until there are none, or `isOver`. Returns whether it is over. */
  run(isOver: () => boolean): boolean {
    while (!isOver()) {
      const event = this.next();
      if (!event) return false;
      this.now = event.time;
      event.run();
    }
    return true;
  }

  private next() {
    const { heap } = this;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || first === last) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) child++;
      if (!isBefore(heap[child], last)) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

const isBefore = (a: { time: number; order: number }, b: { time: number; order: number }): boolean =>
  a.time < b.time || (a.time === b.time && a.order < b.order);

/** Bytes on their way between a node and the store. */
export interface Transfer {
  readonly node: number;
  readonly bytes: number;
  readonly done: () => void;
  state: "waiting" | "active" | "ended";
  /** What `Store.served` is when the transfer ends. */
  target: number;
}

/**
 * A store and the links of its nodes. A node moves one thing at a time, in the order of requests, and all nodes that move something get the same
 * rate: that of their link, or an equal part of the store's. So what a node has got since it began is the same for all nodes, and the transfer
 * with the smallest sum of what was served at its beginning and its bytes is the next to end.
 */
export class Store {
  private readonly clock: Clock;
  private readonly nodeRate: number;
  private readonly storeRate: number;
  private served = 0;
  private since = 0;
  private active = 0;
  private version = 0;
  private readonly queues: Transfer[][];
  private readonly ends: Transfer[] = [];

  constructor(clock: Clock, nodes: number, nodeRate: number, storeRate: number) {
    this.clock = clock;
    this.nodeRate = nodeRate;
    this.storeRate = storeRate;
    this.queues = Array.from({ length: nodes }, () => []);
  }

  /** Moves bytes, then calls `done`. */
  move(node: number, bytes: number, done: () => void): Transfer {
    const transfer: Transfer = { node, bytes, done, state: "waiting", target: 0 };
    if (bytes <= 0) {
      transfer.state = "ended";
      done();
      return transfer;
    }
    this.queues[node].push(transfer);
    if (this.queues[node].length === 1) this.begin(transfer);
    return transfer;
  }

  /** Gives a transfer up. `done` is not called. */
  cancel(transfer: Transfer): void {
    if (transfer.state === "ended") return;
    const wasActive = transfer.state === "active";
    transfer.state = "ended";
    const queue = this.queues[transfer.node];
    queue.splice(queue.indexOf(transfer), 1);
    if (wasActive) this.leave(queue);
  }

  /** Gives up all transfers of a node. */
  drop(node: number): void {
    // The last first, so that none begins.
    for (const transfer of [...this.queues[node]].reverse()) this.cancel(transfer);
  }

  private get rate(): number {
    return Math.min(this.nodeRate, this.storeRate / Math.max(1, this.active));
  }

  private advance(): void {
    this.served += this.rate * (this.clock.now - this.since);
    this.since = this.clock.now;
  }

  private begin(transfer: Transfer): void {
    this.advance();
    transfer.state = "active";
    transfer.target = this.served + transfer.bytes;
    this.active++;
    // Most begin in the order in which they end.
    let at = this.ends.length;
    this.ends.push(transfer);
    while (at > 0 && this.ends[at - 1].target > transfer.target) {
      this.ends[at] = this.ends[at - 1];
      at--;
    }
    this.ends[at] = transfer;
    this.plan();
  }

  private leave(queue: readonly Transfer[]): void {
    this.advance();
    this.active--;
    if (queue.length > 0) this.begin(queue[0]);
    else this.plan();
  }

  /** Sets the event of the next end. Events that were set before are void. */
  private plan(): void {
    while (this.ends.length > 0 && this.ends[0].state === "ended") this.ends.shift();
    const version = ++this.version;
    if (this.ends.length === 0) return;
    const [first] = this.ends;
    this.clock.after((first.target - this.served) / this.rate, () => {
      if (version !== this.version) return;
      first.state = "ended";
      this.ends.shift();
      const queue = this.queues[first.node];
      queue.shift();
      this.leave(queue);
      first.done();
    });
  }
}
