/**
 * Shows an image of any size: zoom and pan down to single pixels, axes, scale bar, colours, and the value at the pointer. What it shows is in the
 * settings of the address (settings.ts).
 */
import type { ImageWindow } from "@dechirp/radar";
import { useSignalEffect } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ErrorNote } from "../ui/error-note.tsx";
import { AxisAcross, AxisDown } from "./axes.tsx";
import { ColourBar } from "./colour-bar.tsx";
import { DisplayControls } from "./controls.tsx";
import type { DbRange, ImageFacts } from "./facts.ts";
import "./image.css";
import { type Box, type ImageMap, openMap } from "./map.ts";
import { type Mark, Overlay } from "./overlay.tsx";
import { Readout } from "./readout.tsx";
import { SavePicture } from "./save-picture.tsx";
import type { ImageValues, PixelPlace } from "./settings.ts";
import type { StoredImage } from "./stored-image.ts";
import { useAutomaticRange } from "./use-range.ts";

interface ImageViewerProps {
  readonly image: StoredImage;
  /** What the image is: `Focused image`. */
  readonly label: string;
  /** Names of the pictures of the whole image and of a view, as files. */
  readonly fileName: (part: "image" | "view") => string;
  readonly values: ImageValues;
  /** Changes settings, and with them the address. */
  readonly change: (values: Partial<ImageValues>) => void;
  /** Places to mark. */
  readonly marks?: readonly Mark[];
  /** Leaves out the controls, for a second image beside the first that has the same settings. */
  readonly isBare?: boolean;
  /** More controls, such as buttons. */
  readonly children?: ComponentChildren;
}

export function ImageViewer({ image, label, fileName, values, change, marks = [], isBare = false, children }: ImageViewerProps) {
  const element = useRef<HTMLDivElement>(null);
  const map = useRef<ImageMap>(undefined);
  const [box, setBox] = useState<Box>();
  const [pointed, setPointed] = useState<PixelPlace>();
  const [error, setError] = useState<unknown>();
  const automatic = useAutomaticRange(image);
  const range: DbRange = values.db === "auto" ? automatic : values.db;
  const { colours, looks, view, point } = values;
  const display = useMemo(() => ({ ...range, colours, looks }), [range.lowDb, range.highDb, colours, looks[0], looks[1]]);
  const { facts } = image;

  const current = useRef({ change });
  current.current = { change };
  useEffect(() => {
    setError(undefined);
    const opened = openMap(
      element.current!,
      image,
      { display, view, label: `${label}. Arrow keys move it, + and − zoom, Enter picks the pixel in the middle.` },
      {
        moved: setBox,
        viewed: (next) => current.current.change({ view: next }),
        pointed: setPointed,
        picked: (place, reach) =>
          void image.brightest(around(place, reach, facts)).then((found) => current.current.change({ point: found }), setError),
        failed: setError,
      },
    );
    map.current = opened;
    const end = image.onArrival(({ windows }) => opened.refresh(windows));
    return () => {
      end();
      opened.close();
    };
  }, [image]);
  useEffect(() => map.current?.setView(view), [view?.row, view?.column, view?.zoom]);
  useEffect(() => map.current?.setDisplay(display), [display]);
  const peak = useRef(0);
  useSignalEffect(() => {
    const { peakPower } = image.state.value;
    if (peakPower !== peak.current) map.current?.refresh();
    peak.current = peakPower;
  });

  return (
    <section class="image-viewer" aria-label={label}>
      {error !== undefined && <ErrorNote error={error} />}
      <div class="plot">
        {box && <AxisDown axis={facts.rowAxis} from={box.from.row} to={box.to.row} length={box.height} />}
        <div class="view">
          <div ref={element} class="map-place" />
          {box && <Overlay box={box} northRadians={facts.northRadians} point={point} marks={marks} />}
        </div>
        {box && <AxisAcross axis={facts.columnAxis} from={box.from.column} to={box.to.column} length={box.width} />}
      </div>
      <div class="below">
        <Readout image={image} place={pointed ?? point} isPointed={pointed !== undefined} />
        <ColourBar range={range} colours={colours} />
      </div>
      {!isBare && (
        <DisplayControls values={values} range={range} change={change}>
          <SavePicture image={image} title={label} fileName={fileName} display={display} box={box} failed={setError} />
          {children}
        </DisplayControls>
      )}
    </section>
  );
}

/** The pixels within `reach` (rows, columns) of a place. */
function around({ row, column }: PixelPlace, reach: readonly [number, number], { rows, columns }: ImageFacts): ImageWindow {
  const along = (at: number, half: number, count: number): readonly [first: number, count: number] => {
    const first = Math.max(0, Math.round(at) - half);
    return [first, Math.min(count, Math.round(at) + half + 1) - first];
  };
  const [top, height] = along(row, reach[0], rows);
  const [left, width] = along(column, reach[1], columns);
  return { row: top, column: left, rows: height, columns: width };
}
