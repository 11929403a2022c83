/** The task Focus: from a recording, simulated or the user's own, to its image, with reasons for every parameter. */
import { useMemo, useState } from "preact/hooks";
import { type TaskProps, taskBody } from "../task.ts";
import { nameOf, nameOfFiles } from "../ui/file-name.ts";
import { Both } from "./both.tsx";
import type { Files } from "./dropped.ts";
import "./focus.css";
import type { Source } from "./messages.ts";
import { One } from "./one.tsx";
import { scenes } from "./scenes.ts";
import type { Values } from "./settings.ts";
import { SourceBar } from "./source-bar.tsx";
import { settings } from "./values.ts";

/** Files that the user has opened. */
interface OpenedFiles {
  readonly files: Files;
  /** A file of AGC values that was added. */
  readonly agcFile?: File;
  readonly id: number;
}

function sourceOf({ source, url, seed }: Values, opened: OpenedFiles | undefined): Source | undefined {
  if (source === "files") return opened && { kind: "files", ...opened };
  if (source === "url") return url === "" ? undefined : { kind: "url", url };
  return { kind: "scene", scene: source, seed };
}

function View({ values, change }: TaskProps<typeof settings>) {
  const [opened, setOpened] = useState<OpenedFiles>();
  const source = useMemo(() => sourceOf(values, opened), [values.source, values.url, values.seed, opened]);
  const addAgc = (agcFile: File): void => setOpened((before) => before && { ...before, agcFile, id: before.id + 1 });
  const open = (files: Files): void => {
    const paths = Object.keys(files);
    if (paths.length === 0) return;
    // Alone, it is no recording.
    if (opened && values.source === "files" && paths.length === 1 && nameOf(paths[0]!) === "AGC_attenuation_values.mat")
      return addAgc(files[paths[0]!]!);
    setOpened((before) => ({ files, id: (before?.id ?? 0) + 1 }));
    // The first file that is opened for an address of a file is the one that its settings are about.
    const isMeant = values.source === "files" && !opened;
    change({ source: "files", ...(!isMeant && { part: "", segment: 1, channel: "", view: undefined, point: undefined }) });
  };
  const changeSource = (changed: Partial<Values>): void =>
    change({ ...changed, ...(changed.source && { view: undefined, point: undefined }) });
  // A scale of their own shows the points of simulated scenes; most of their pixels are noise.
  const own = source?.kind === "scene" ? scenes[source.scene].db : undefined;
  const db = values.db === "usual" ? (own ?? "auto") : values.db;
  const shared = { source, values: { ...values, db }, change, addAgc: source?.kind === "files" ? addAgc : undefined };
  return (
    <div class="focus">
      <SourceBar values={values} change={changeSource} open={open} opened={opened && nameOfFiles(opened.files)} />
      {values.source === "files" && (
        <p class="needs">
          <small>
            {opened
              ? "The address of this page holds the settings, but not your file: whoever opens it must open the file, too."
              : "The address of this page is about a file of its author. Open that file, or drop it here."}
          </small>
        </p>
      )}
      {values.device === "both" ? <Both {...shared} /> : <One {...shared} />}
    </div>
  );
}

export const focus = taskBody(settings, View);
