/** Where the data comes from: Ward's scenario, or files that are dropped or chosen. */
import { FileDrop } from "../ui/file-drop.tsx";
import type { FileFacts } from "./messages.ts";

interface SourceProps {
  readonly facts: FileFacts | undefined;
  /** Called with files, or with nothing for Ward's scenario. */
  readonly choose: (files: readonly File[] | undefined) => void;
}

export function Source({ facts, choose }: SourceProps) {
  const about = facts ? (
    <p>
      <strong>{facts.name}</strong> ({facts.format}): {facts.channels} channels, {facts.pulses} pulses, {facts.ranges} ranges
      {facts.cpi.count > 1 ? `, interval ${facts.cpi.number} of ${facts.cpi.count} (${facts.cpi.name})` : ""}. A link can not hold a local
      file.
    </p>
  ) : (
    <p>
      <strong>Ward’s scenario</strong>: an airborne radar over flat ground at 450 MHz, PRF 300 Hz.
    </p>
  );
  return (
    <FileDrop
      kind="adaptive-source"
      text="Drop a data cube here, or choose one: .npy, .mat, Mountain Top, PERFECT"
      choose={choose}
      above={about}
    >
      {facts && (
        <button type="button" class="small secondary" onClick={() => choose(undefined)}>
          Back to Ward’s scenario
        </button>
      )}
    </FileDrop>
  );
}
