/** Buttons that save the view or the whole image as a picture with axes. */
import type { ImageWindow } from "@dechirp/radar";
import { useEffect, useMemo, useState } from "preact/hooks";
import { saveBlob } from "../ui/save.ts";
import type { Display, ImageFacts } from "./facts.ts";
import type { Box } from "./map.ts";
import { picturePng } from "./picture.ts";
import type { StoredImage } from "./stored-image.ts";

interface SavePictureProps {
  readonly image: StoredImage;
  readonly title: string;
  readonly fileName: (part: "image" | "view") => string;
  readonly display: Display;
  readonly box: Box | undefined;
  readonly failed: (error: unknown) => void;
}

export function SavePicture({ image, title, fileName, display, box, failed }: SavePictureProps) {
  const [isBusy, setBusy] = useState(false);
  const controller = useMemo(() => new AbortController(), []);
  useEffect(() => () => controller.abort(), [controller]);
  const { rows, columns } = image.facts;
  async function save(part: "image" | "view", window: ImageWindow): Promise<void> {
    setBusy(true);
    try {
      saveBlob(fileName(part), await picturePng(image, title, display, window, controller.signal));
    } catch (error) {
      if (!controller.signal.aborted) failed(error);
    }
    if (!controller.signal.aborted) setBusy(false);
  }
  const shown = box && windowOf(box, image.facts);
  return (
    <>
      <button type="button" class="small secondary outline" disabled={isBusy || !shown} onClick={() => shown && void save("view", shown)}>
        Save view, PNG
      </button>
      <button
        type="button"
        class="small secondary outline"
        disabled={isBusy}
        aria-busy={isBusy}
        onClick={() => void save("image", { row: 0, column: 0, rows, columns })}
      >
        Save image, PNG
      </button>
    </>
  );
}

/** The pixels of the image that are on the screen, or undefined if there are none. */
function windowOf({ from, to }: Box, { rows, columns }: ImageFacts): ImageWindow | undefined {
  const along = (a: number, b: number, count: number): readonly [first: number, count: number] => {
    const first = Math.max(0, Math.floor(Math.min(a, b) + 0.5));
    return [first, Math.min(count, Math.ceil(Math.max(a, b) + 0.5)) - first];
  };
  const [row, height] = along(from.row, to.row, rows);
  const [column, width] = along(from.column, to.column, columns);
  return height > 0 && width > 0 ? { row, column, rows: height, columns: width } : undefined;
}
