/**
 * Builds straight-line WGSL: lines of text and unique names. Every value of a kernel is a name that is assigned once, so that the shader
 * compiler sees a data flow instead of an array.
 */
export class Text {
  readonly #lines: string[] = [];
  #names = 0;
  /** The condition of the `if` that the last line closes. */
  #ended: string | undefined;

  line(text: string): void {
    this.#ended = undefined;
    this.#lines.push(text);
  }

  /** A unique name. */
  fresh(prefix = "v"): string {
    return `${prefix}${this.#names++}`;
  }

  /** A new constant with this value. */
  let(value: string, prefix = "v"): string {
    const name = this.fresh(prefix);
    this.line(`let ${name} = ${value};`);
    return name;
  }

  /** A new variable, initially zero. It says so, because in a loop some compilers keep the value of the turn before. */
  variable(type: string, prefix = "v"): string {
    const name = this.fresh(prefix);
    this.line(`var ${name} = ${type}();`);
    return name;
  }

  /**
   * Adds what `body` adds inside `if (condition)`. Consecutive calls with the same condition share one block. Without a condition there is
   * no `if`.
   */
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
