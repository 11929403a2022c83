/** A figure that the drawing worker draws, with buttons that save it as SVG or PNG. */
import { draw } from "../drawing/draw.ts";
import type { Drawings } from "../drawing/drawings.ts";
import { ErrorNote } from "./error-note.tsx";
import { saveBlob } from "./save.ts";
import { Scrolls } from "./scrolls.tsx";
import { useLatest } from "./use-latest.ts";

interface FigureProps<K extends keyof Drawings> {
  readonly kind: K;
  readonly data: Parameters<Drawings[K]>[0];
  /** What the figure shows, for readers who do not see it. */
  readonly text: string;
  /** Name of saved files, without ending. */
  readonly name: string;
  /** Called with the place of a click, in pixels of the drawing from its upper left corner. */
  readonly pick?: (x: number, y: number) => void;
}

export function Figure<K extends keyof Drawings>({ kind, data, text, name, pick }: FigureProps<K>) {
  const { value: svg, error, isBusy } = useLatest((signal) => draw(kind, data, signal), [kind, data]);
  if (error !== undefined) return <ErrorNote error={error} />;
  if (svg === undefined)
    return (
      <p class="drawing" aria-busy="true">
        Drawing
      </p>
    );
  return (
    <figure class="drawn" aria-busy={isBusy}>
      <Scrolls label={text}>
        <img
          src={addressOfSvg(svg)}
          alt={text}
          {...(pick && { class: "picked", onClick: (event: MouseEvent) => pick(...placeOf(event)) })}
        />
      </Scrolls>
      <figcaption>
        <button type="button" class="small" onClick={() => saveBlob(`${name}.svg`, new Blob([svg], { type: "image/svg+xml" }))}>
          Save SVG
        </button>
        <button type="button" class="small" onClick={async () => saveBlob(`${name}.png`, await pngOf(svg))}>
          Save PNG
        </button>
      </figcaption>
    </figure>
  );
}

/** Where an image was clicked, in its own pixels. */
function placeOf({ currentTarget, clientX, clientY }: MouseEvent): [x: number, y: number] {
  const image = currentTarget as HTMLImageElement;
  const { left, top, width, height } = image.getBoundingClientRect();
  return [((clientX - left) * image.naturalWidth) / width, ((clientY - top) * image.naturalHeight) / height];
}

const addressOfSvg = (svg: string): string => `data:image/svg+xml,${encodeURIComponent(svg)}`;

/** Draws an SVG document as PNG, at twice its size. */
export async function pngOf(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = addressOfSvg(svg);
  await image.decode();
  const canvas = new OffscreenCanvas(2 * image.naturalWidth, 2 * image.naturalHeight);
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: "image/png" });
}
