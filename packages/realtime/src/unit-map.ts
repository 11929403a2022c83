/**
 * The idle units, one bit each. The lowest numbers are granted first, which makes Gantt charts easy to read. It does not count or check:
 * the caller of `take` must know that enough units are idle.
 */
export class UnitMap {
  readonly #idle: Uint32Array;

  constructor(units: number) {
    this.#idle = new Uint32Array(Math.ceil(units / 32));
    for (let unit = 0; unit < units; unit++) this.#idle[unit >> 5] |= 1 << (unit & 31);
  }

  /** Takes the `count` lowest idle units, ascending. */
  take(count: number): readonly number[] {
    const units: number[] = [];
    for (let word = 0; units.length < count; word++) {
      let bits = this.#idle[word];
      while (bits !== 0 && units.length < count) {
        const bit = 31 - Math.clz32(bits & -bits);
        units.push(word * 32 + bit);
        bits &= bits - 1;
      }
      this.#idle[word] = bits;
    }
    return units;
  }

  give(units: readonly number[]): void {
    for (const unit of units) this.#idle[unit >> 5] |= 1 << (unit & 31);
  }
}
