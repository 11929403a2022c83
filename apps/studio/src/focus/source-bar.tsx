/** Where the recording comes from: simulated scenes, files and folders, an address; and the device. Files may be dropped anywhere on the page. */
import { useEffect, useRef, useState } from "preact/hooks";
import { Address } from "../opened/address.tsx";
import { type Files, filesOfDrop, filesOfInput } from "../opened/dropped.ts";
import { Choose } from "../ui/choose.tsx";
import { scenes } from "./scenes.ts";
import type { Values } from "./settings.ts";

interface SourceBarProps {
  readonly values: Values;
  readonly change: (values: Partial<Values>) => void;
  readonly open: (files: Files) => void;
  /** Name of the files that are open. */
  readonly opened: string | undefined;
}

const sceneNames = Object.fromEntries(Object.entries(scenes).map(([name, { title }]) => [name, title])) as Readonly<Record<string, string>>;

export function SourceBar({ values, change, open, opened }: SourceBarProps) {
  const { source, url, device } = values;
  const [isOver, setOver] = useState(false);
  const [isAsking, setAsking] = useState(source === "url");
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const current = useRef(open);
  current.current = open;
  useEffect(() => {
    folder.current?.setAttribute("webkitdirectory", "");
    const over = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setOver(false);
      void filesOfDrop(event.dataTransfer).then((dropped) => current.current(dropped));
    };
    const heard = { dragover: over, dragleave: leave, drop };
    for (const [name, listener] of Object.entries(heard)) addEventListener(name, listener as EventListener);
    return () => {
      for (const [name, listener] of Object.entries(heard)) removeEventListener(name, listener as EventListener);
    };
  }, []);
  const chosen = (input: HTMLInputElement): void => {
    if (input.files && input.files.length > 0) open(filesOfInput(input.files));
    input.value = "";
  };
  return (
    <form class="settings source" onSubmit={(event) => event.preventDefault()}>
      <Choose<string>
        label="Recording"
        value={source}
        choices={{
          ...sceneNames,
          ...((source === "files" || opened !== undefined) && { files: opened ?? "a file of yours" }),
          ...(source === "url" && { url: "from an address" }),
        }}
        change={(next) => change({ source: next as Values["source"], part: "", channel: "", segment: 1 })}
      />
      <fieldset class="open">
        <legend>Your own, which stays in this page</legend>
        <button type="button" onClick={() => files.current!.click()}>
          Open files
        </button>
        <button type="button" onClick={() => folder.current!.click()}>
          Open a folder
        </button>
        <button type="button" aria-expanded={isAsking} onClick={() => setAsking(!isAsking)}>
          From an address
        </button>
        <small>or drop them anywhere here: CPHD, RADARSAT-1 CD, scene folders, .mat</small>
        <input
          ref={files}
          type="file"
          multiple
          hidden
          aria-label="Files of a recording"
          onChange={({ currentTarget }) => chosen(currentTarget)}
        />
        <input
          ref={folder}
          type="file"
          multiple
          hidden
          aria-label="Folder of a recording"
          onChange={({ currentTarget }) => chosen(currentTarget)}
        />
      </fieldset>
      <DeviceChoice value={device} change={(next) => change({ device: next })} />
      {isAsking && (
        <Address
          url={url}
          placeholder="https://example.org/scene.cphd"
          open={(next) => change({ source: "url", url: next, part: "", channel: "", segment: 1 })}
        />
      )}
      {isOver && (
        <div class="drop-here" role="status">
          Drop it: the recording is read and focused in this page
        </div>
      )}
    </form>
  );
}

/** Devices that this browser lacks can't be chosen. */
function DeviceChoice({ value, change }: { readonly value: Values["device"]; readonly change: (value: Values["device"]) => void }) {
  const lacksGpu = !("gpu" in navigator);
  const names: Readonly<Record<Values["device"], string>> = {
    auto: "the one that is ready first",
    cpu: "WebAssembly, the processor",
    gpu: "WebGPU, the graphics card",
    both: "both, side by side",
  };
  return (
    <label>
      Device
      <select value={value} onChange={({ currentTarget }) => change(currentTarget.value as Values["device"])}>
        {Object.entries(names).map(([word, name]) => (
          <option key={word} value={word} disabled={lacksGpu && (word === "gpu" || word === "both")}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
