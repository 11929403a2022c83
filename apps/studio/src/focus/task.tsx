/** The task Focus: from a recording, simulated or the user's own, to its image, with reasons for every parameter. */
import { useMemo } from "preact/hooks";
import { AskBefore } from "../opened/consent.tsx";
import type { Files } from "../opened/dropped.ts";
import { Offer } from "../opened/offer.tsx";
import { addAgcFile, openedFiles, sourceOf as openedSource, openFiles } from "../opened/opened.ts";
import { type TaskProps, taskBody } from "../task.ts";
import { nameOf, nameOfFiles } from "../ui/file-name.ts";
import { Both } from "./both.tsx";
import "./focus.css";
import type { Source } from "./messages.ts";
import { One } from "./one.tsx";
import { scenes } from "./scenes.ts";
import type { Values } from "./settings.ts";
import { SourceBar } from "./source-bar.tsx";
import { settings } from "./values.ts";

function sourceOf(values: Values): Source | undefined {
  const { source, seed } = values;
  return source === "files" || source === "url" ? openedSource("focus", values) : { kind: "scene", scene: source, seed };
}

function View({ values, change }: TaskProps<typeof settings>) {
  const opened = openedFiles("focus");
  const found = sourceOf(values);
  const source = useMemo(() => found, [JSON.stringify(found?.kind === "files" ? found.id : found)]);
  const addAgc = (agcFile: File): void => addAgcFile("focus", agcFile);
  const open = (files: Files): void => {
    const paths = Object.keys(files);
    if (paths.length === 0) return;
    // Alone, it is no recording.
    if (opened && values.source === "files" && paths.length === 1 && nameOf(paths[0]!) === "AGC_attenuation_values.mat")
      return addAgc(files[paths[0]!]!);
    openFiles("focus", files);
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
      {values.source === "url" && <AskBefore url={values.url} />}
      <Offer
        task="focus"
        kinds={["stripmap", "phase-history"]}
        open={source?.kind === "scene" ? undefined : source}
        take={(taken) => changeSource({ ...taken, part: "", channel: "", segment: 1 })}
      />
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
