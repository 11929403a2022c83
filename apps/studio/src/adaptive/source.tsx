/** Where the data comes from: Ward's scenario, files that are dropped or chosen, or an address. */
import { useState } from "preact/hooks";
import { Address } from "../opened/address.tsx";
import { AskBefore } from "../opened/consent.tsx";
import { filesOfInput } from "../opened/dropped.ts";
import { Offer } from "../opened/offer.tsx";
import { openFiles } from "../opened/opened.ts";
import type { OpenedSource } from "../opened/source.ts";
import { FileDrop } from "../ui/file-drop.tsx";
import type { FileFacts } from "./messages.ts";
import type { Values } from "./settings.ts";

interface SourceProps {
  readonly values: Values;
  readonly facts: FileFacts | undefined;
  /** What is open. Undefined for Ward's scenario, and if what the address names is not there. */
  readonly open: OpenedSource | undefined;
  /** Called with the settings of another source. */
  readonly choose: (changed: Partial<Values>) => void;
}

export function Source({ values: { source, url }, facts, open, choose }: SourceProps) {
  const [isAsking, setAsking] = useState(source === "url");
  return (
    <FileDrop
      kind="adaptive-source"
      text="Drop a data cube here, or choose one: .npy, .mat, Mountain Top, PERFECT"
      choose={(files) => {
        openFiles("adaptive", filesOfInput(files));
        choose({ source: "files" });
      }}
      above={<About source={source} facts={facts} open={open} />}
    >
      {source === "url" && <AskBefore url={url} />}
      <Offer task="adaptive" kinds={["array"]} open={open} take={choose} />
      {source !== "ward" && (
        <button type="button" class="small secondary" onClick={() => choose({ source: "ward", url: "" })}>
          Back to Ward’s scenario
        </button>
      )}{" "}
      <button type="button" class="small secondary" aria-expanded={isAsking} onClick={() => setAsking(!isAsking)}>
        From an address
      </button>
      {isAsking && <Address url={url} placeholder="https://example.org/cube.npy" open={(next) => choose({ source: "url", url: next })} />}
    </FileDrop>
  );
}

function About({ source, facts, open }: Pick<SourceProps, "facts" | "open"> & { readonly source: Values["source"] }) {
  if (source === "ward")
    return (
      <p>
        <strong>Ward’s scenario</strong>: an airborne radar over flat ground at 450 MHz, PRF 300 Hz.
      </p>
    );
  if (source === "files" && !open) return <p>The address of this page is about a file of its author. Open that file, or drop it here.</p>;
  if (!facts) return null;
  return (
    <p>
      <strong>{facts.name}</strong> ({facts.format}): {facts.channels} channels, {facts.pulses} pulses, {facts.ranges} ranges
      {facts.cpi.count > 1 ? `, interval ${facts.cpi.number} of ${facts.cpi.count} (${facts.cpi.name})` : ""}.
      {source === "files" ? " A link can not hold a local file." : ""}
    </p>
  );
}
