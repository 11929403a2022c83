/** A part of the page on which files are dropped, with a button that does the same for the keyboard. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

interface FileDropProps {
  /** What can be opened. */
  readonly text: string;
  /** Class of the part, for styles; it has `over` in addition while files are over it. */
  readonly kind: string;
  /** Called with at least one file. */
  readonly choose: (files: readonly File[]) => void;
  /** What is above the button, and below it. */
  readonly above?: ComponentChildren;
  readonly children?: ComponentChildren;
}

export function FileDrop({ text, kind, choose, above, children }: FileDropProps) {
  const [isOver, setOver] = useState(false);
  const chosen = (files: FileList | null | undefined): void => {
    if (files && files.length > 0) choose([...files]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button does the same with the keyboard.
    <div
      class={isOver ? `${kind} over` : kind}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        chosen(event.dataTransfer?.files);
      }}
    >
      {above}
      <label class="file">
        {text}
        <input type="file" multiple onChange={({ currentTarget }) => chosen(currentTarget.files)} />
      </label>
      {children}
    </div>
  );
}
