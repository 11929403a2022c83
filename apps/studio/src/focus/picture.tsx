/** An image while it is made and after: progress, errors, a lost device, and the viewer. */
import { isRadarError } from "@dechirp/core";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { PointCuts, type PointTheory } from "../image/point-cuts.tsx";
import type { StoredImage } from "../image/stored-image.ts";
import { ImageViewer } from "../image/viewer.tsx";
import { notPossible } from "../settings.ts";
import { AddressNote } from "../ui/address-note.tsx";
import { ErrorNote } from "../ui/error-note.tsx";
import { fileNameOf } from "../ui/file-name.ts";
import { Progress } from "../ui/progress.tsx";
import type { Focused } from "./messages.ts";
import { Opens, OtherThing, opensOf, otherOf } from "./other.tsx";
import { PartChoice, partsIn } from "./part-choice.tsx";
import type { Run } from "./use-run.ts";
import { type Changing, type FocusValues, settings } from "./values.ts";
import { settingIn, titles } from "./wording.ts";

interface PictureProps {
  readonly run: Run;
  readonly label: string;
  readonly values: FocusValues;
  readonly change: Changing;
  readonly isBare?: boolean;
  /** What the image is called after its recording in the names of files. */
  readonly task?: string;
  readonly children?: ComponentChildren;
}

export function Picture({ run, label, values, change, isBare = false, task = "focus", children }: PictureProps) {
  const { image, proposal, advance, error, focused, isCancelled, lost, cancel, again } = run;
  const marks = useMemo(
    () =>
      focused?.report.format === "dechirp-report"
        ? focused.report.targets.map(({ name, expected: { row, column } }) => ({ row, column, label: name }))
        : [],
    [focused],
  );
  const theory = useMemo(() => theoryOf(focused), [focused]);
  const { point } = values;
  const fileName = (part: "image" | "view"): string =>
    fileNameOf(run.recording?.name ?? "", part === "view" ? `${task}-view` : task, "png");
  const isInside = image !== undefined && point !== undefined && point.row < image.facts.rows && point.column < image.facts.columns;
  const problems = image ? problemsOf(values, image) : [];
  const setting = settingIn(error);
  const hasControl = setting !== undefined && proposal?.parameters.some(({ id }) => id === setting);
  const [other, opens, parts] = [otherOf(error), opensOf(error), partsIn(error)];
  const isLost = lost !== undefined || isRadarError(error, "device-lost");
  return (
    <div class="picture" aria-busy={advance !== undefined}>
      {children}
      {advance && <Progress advance={advance} cancel={cancel} />}
      {isCancelled && !advance && (
        <p role="status">
          Cancelled.{" "}
          <button type="button" class="small" onClick={again}>
            Focus
          </button>
        </p>
      )}
      {hasControl && (
        <p role="status" data-figure="refused">
          Nothing is computed until {titles[setting]} has a possible value.
        </p>
      )}
      {error !== undefined &&
        !isLost &&
        !hasControl &&
        (other ? (
          <OtherThing error={error} other={other} />
        ) : (
          <ErrorNote error={error}>
            {opens && <Opens list={opens} />}
            {parts && <PartChoice {...parts} change={change} />}
            {setting && (
              <button type="button" class="small" onClick={() => change({ [setting]: settings[setting].default })}>
                Use the automatic value
              </button>
            )}
          </ErrorNote>
        ))}
      {isLost && (
        <div role="alert" class="problem" data-code="device-lost">
          <p>
            The graphics card was lost: the driver was reset, or the computer slept.{" "}
            {lost !== undefined && focused ? "This image is complete." : ""}
          </p>
          <button type="button" onClick={again}>
            Open the device again
          </button>
        </div>
      )}
      <AddressNote problems={problems.map(({ text }) => text)} />
      {image && (
        <ImageViewer
          {...{ image, label, fileName, change, marks, isBare }}
          values={{ ...values, ...Object.fromEntries(problems.map(({ name }) => [name, undefined])) }}
        />
      )}
      {isInside && <PointCuts image={image} point={point} theory={theory} {...(proposal?.spectrum && { options: proposal.spectrum })} />}
    </div>
  );
}

/** Places of the address that are not in the image. */
function problemsOf({ point, view }: FocusValues, { facts: { rows, columns } }: StoredImage) {
  const problems: { readonly name: "point" | "view"; readonly text: string }[] = [];
  const inside = `in the image, which has ${rows} rows and ${columns} columns`;
  if (point && !(point.row < rows && point.column < columns)) {
    const text = notPossible("point", settings.point.format(point), inside, "No point is examined.");
    problems.push({ name: "point", text });
  }
  // Who moves the image aside may leave it: a view from which no image can be seen is another's.
  const isFar = (at: number, count: number): boolean => at < -count || at > 2 * count;
  if (view && (isFar(view.row, rows) || isFar(view.column, columns))) {
    const text = notPossible("view", settings.view.format(view), `such that its middle is ${inside}`, "The whole image is shown.");
    problems.push({ name: "view", text });
  }
  return problems;
}

/** What is expected of the responses of points. */
function theoryOf(focused: Focused | undefined): PointTheory {
  if (focused?.report.format !== "dechirp-report") return {};
  const { azimuth, range } = focused.report.theory;
  return { rows: azimuth, columns: range };
}
