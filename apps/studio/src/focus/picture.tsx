/** An image while it is made and after: progress, errors, a lost device, and the viewer. */
import { isRadarError } from "@dechirp/core";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { PointCuts, type PointTheory } from "../image/point-cuts.tsx";
import { ImageViewer } from "../image/viewer.tsx";
import { ErrorNote } from "../ui/error-note.tsx";
import { fileNameOf } from "../ui/file-name.ts";
import { Progress } from "../ui/progress.tsx";
import type { Changing } from "./details.tsx";
import type { Focused } from "./messages.ts";
import { OtherThing, otherOf } from "./other.tsx";
import type { Run } from "./use-run.ts";
import type { FocusValues } from "./values.ts";

interface PictureProps {
  readonly run: Run;
  readonly label: string;
  readonly values: FocusValues;
  readonly change: Changing;
  readonly isBare?: boolean;
  readonly children?: ComponentChildren;
}

export function Picture({ run, label, values, change, isBare = false, children }: PictureProps) {
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
    fileNameOf(run.recording?.name ?? "", part === "view" ? "focus-view" : "focus", "png");
  const isInside = image !== undefined && point !== undefined && point.row < image.facts.rows && point.column < image.facts.columns;
  const other = otherOf(error);
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
      {error !== undefined && !isLost && (other ? <OtherThing error={error} other={other} /> : <ErrorNote error={error} />)}
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
      {image && (
        <ImageViewer image={image} label={label} fileName={fileName} values={values} change={change} marks={marks} isBare={isBare} />
      )}
      {isInside && <PointCuts image={image} point={point} theory={theory} {...(proposal?.spectrum && { options: proposal.spectrum })} />}
    </div>
  );
}

/** What is expected of the responses of points. */
function theoryOf(focused: Focused | undefined): PointTheory {
  if (focused?.report.format !== "dechirp-report") return {};
  const { azimuth, range } = focused.report.theory;
  return { rows: azimuth, columns: range };
}
