/**
 * Straight-line WGSL in the making: lines of text and fresh names. Every value of a kernel is a name that is assigned once,
 * so that the shader compiler sees a data flow and not an array.
 */
export class Text {
  readonly #lines: string[] = [];
  #names = 0;
  /** Condition of the `if` that the last line ends. */
  #ended: string | undefined;

  line(text: string): void {
    this.#ended = undefined;
    this.#lines.push(text);
  }

  /** A name that occurs nowhere else. */
  fresh(prefix = "v"): string {
    return `${prefix}${this.#names++}`;
  }

  /** A new constant of this value. */
  let(value: string, prefix = "v"): string {
    const name = this.fresh(prefix);
    this.line(`let ${name} = ${value};`);
    return name;
  }

  /** A new variable, zero at first. */
  variable(type: string, prefix = "v"): string {
    const name = this.fresh(prefix);
    this.line(`var ${name}: ${type};`);
    return name;
  }

  /** What `body` adds, inside `if (condition)`, one for all that follow each other; just so where there is no condition. */
  when(condition: string | undefined, body: () => void): void {
    if (condition === undefined) return body();
    if (this.#ended === condition) this.#lines.pop();
    else this.line(`if (${condition}) {`);
    body();
    this.line("}");
    this.#ended = condition;
  }

  toString(): string {
    return this.#lines.join("\n");
  }
}
