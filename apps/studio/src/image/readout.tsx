/** The place and the value of a pixel as text: that at the pointer, else the picked one. */

import { useLatest } from "../ui/use-latest.ts";
import type { AxisFacts } from "./facts.ts";
import type { PixelPlace } from "./settings.ts";
import type { StoredImage } from "./stored-image.ts";

interface ReadoutProps {
  readonly image: StoredImage;
  readonly place: PixelPlace | undefined;
  readonly isPointed: boolean;
}

/** The value of an axis at a pixel, with as many digits as its step needs. */
export function axisText({ label, unit, start, step }: AxisFacts, pixel: number): string {
  const digits = Math.min(9, Math.max(0, Math.ceil(-Math.log10(Math.abs(step))) + 1));
  return `${label} ${(start + step * pixel).toFixed(digits)} ${unit}`.trim();
}

export function Readout({ image, place, isPointed }: ReadoutProps) {
  const { rows, columns, rowAxis, columnAxis } = image.facts;
  const row = place && Math.min(rows - 1, Math.max(0, Math.round(place.row)));
  const column = place && Math.min(columns - 1, Math.max(0, Math.round(place.column)));
  const { peakPower, share } = image.state.value;
  const { value } = useLatest(async () => {
    if (row === undefined || column === undefined) return undefined;
    const [re = 0, im = 0] = await image.read({ row, column, rows: 1, columns: 1 });
    return { row, column, power: re * re + im * im, phase: Math.atan2(im, re) };
  }, [image, row, column, share]);
  if (row === undefined || column === undefined) return <p class="readout">Point at the image, or pick a point, for its value.</p>;
  const isKnown = value !== undefined && value.row === row && value.column === column;
  return (
    <p class="readout" {...(!isPointed && { "aria-live": "polite" as const })}>
      {isPointed ? "Pointer" : "Point"}: row {row}, column {column} · {axisText(rowAxis, row)} · {axisText(columnAxis, column)}
      {isKnown && value.power > 0 && (
        <>
          {" · "}
          <span data-figure="pixel-db">{(10 * Math.log10(value.power / peakPower)).toFixed(1)}</span> dB · phase{" "}
          {((value.phase * 180) / Math.PI).toFixed(0)}°
        </>
      )}
    </p>
  );
}
