/** The task Focus: from a recording, simulated or the user's own, to its image, with reasons for every parameter. */
import { useMemo } from "preact/hooks";
import { AskBefore } from "../opened/consent.tsx";
import type { Files } from "../opened/dropped.ts";
import { Offer } from "../opened/offer.tsx";
import { nameOfFiles, openedFiles, sourceOf as openedSource, openFiles } from "../opened/opened.ts";
import { type TaskProps, taskBody } from "../task.ts";
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
  const open = (files: Files): void => {
    if (Object.keys(files).length === 0) return;
    openFiles("focus", files);
    change({ source: "files", segment: 1, view: undefined, point: undefined });
  };
  const changeSource = (changed: Partial<Values>): void =>
    change({ ...changed, ...(changed.source && { view: undefined, point: undefined }) });
  // A scale of their own shows the points of simulated scenes; most of their pixels are noise.
  const db = source?.kind === "scene" && values.db === "auto" ? (scenes[source.scene].db ?? "auto") : values.db;
  const shared = { source, values: { ...values, db }, change };
  return (
    <div class="focus">
      <SourceBar values={values} change={changeSource} open={open} opened={opened && nameOfFiles(opened)} />
      {values.source === "url" && <AskBefore url={values.url} />}
      <Offer
        task="focus"
        kinds={["stripmap", "phase-history"]}
        open={source?.kind === "scene" ? undefined : source}
        take={(taken) => changeSource({ ...taken, segment: 1 })}
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
