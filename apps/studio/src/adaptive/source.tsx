/** Where the data comes from: Ward's scenario, or files that are dropped or chosen. */
import { useState } from "preact/hooks";
import type { FileFacts } from "./messages.ts";

interface SourceProps {
  readonly facts: FileFacts | undefined;
  /** Called with files, or with nothing for Ward's scenario. */
  readonly choose: (files: readonly File[] | undefined) => void;
}

export function Source({ facts, choose }: SourceProps) {
  const [isOver, setOver] = useState(false);
  const chosen = (files: FileList | null | undefined): void => {
    if (files && files.length > 0) choose([...files]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping has the button as its counterpart for the keyboard.
    <div
      class={isOver ? "adaptive-source over" : "adaptive-source"}
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
      <p>
        {facts ? (
          <>
            <strong>{facts.name}</strong> ({facts.format}): {facts.channels} channels, {facts.pulses} pulses, {facts.ranges} ranges
            {facts.cpi.count > 1 ? `, interval ${facts.cpi.number} of ${facts.cpi.count} (${facts.cpi.name})` : ""}. A link can not hold a
            local file.
          </>
        ) : (
          <>
            <strong>Ward’s scenario</strong>: an airborne radar over flat ground at 450 MHz, PRF 300 Hz.
          </>
        )}
      </p>
      <label class="adaptive-file">
        Drop a data cube here, or choose one: .npy, .mat, Mountain Top, PERFECT
        <input type="file" multiple onChange={({ currentTarget }) => chosen(currentTarget.files)} />
      </label>
      {facts && (
        <button type="button" class="small secondary" onClick={() => choose(undefined)}>
          Back to Ward’s scenario
        </button>
      )}
    </div>
  );
}
