/** A table with a row of column names, which scrolls sideways where the screen is narrow. */
import type { ComponentChildren } from "preact";
import { Scrolls } from "./scrolls.tsx";

interface TableProps {
  /** Names the table for readers of the screen. */
  readonly label: string;
  readonly header: readonly string[];
  /** Class of the table, for styles. */
  readonly kind?: string;
  /** The rows. */
  readonly children: ComponentChildren;
}

export function Table({ label, header, kind, children }: TableProps) {
  return (
    <Scrolls label={label}>
      <table class={kind}>
        <thead>
          <tr>
            {header.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </Scrolls>
  );
}

/** A row of a table whose first cell names it. `figure` names the row for tests. */
export function Row({ cells, figure }: { readonly cells: readonly ComponentChildren[]; readonly figure?: string | undefined }) {
  const [first, ...rest] = cells;
  return (
    <tr data-figure={figure}>
      <th scope="row">{first}</th>
      {rest.map((cell, i) => (
        <td key={i}>{cell}</td>
      ))}
    </tr>
  );
}
