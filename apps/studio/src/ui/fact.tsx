/** A name and its value, for lists of facts (`dl`). */
interface FactProps {
  readonly name: string;
  readonly value: string;
  /** Name of the value for tests. */
  readonly figure?: string;
}

export function Fact({ name, value, figure }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd data-figure={figure}>{value}</dd>
    </div>
  );
}
