/** What lies on a view of an image: scale bar, north arrow, the picked point, other marks, and the cursor of the keyboard. */
import { lengthText, niceLength } from "@dechirp/pictures";
import type { Box } from "./map.ts";
import type { PixelPlace } from "./settings.ts";

/** A place that is marked in a view. */
export interface Mark extends PixelPlace {
  /** Text beside the mark. */
  readonly label?: string;
}

interface OverlayProps {
  readonly box: Box;
  readonly northRadians: number | undefined;
  readonly point: PixelPlace | undefined;
  readonly marks: readonly Mark[];
}

/** Screen pixels of the longest scale bar. */
const longestBar = 160;

export function Overlay({ box, northRadians, point, marks }: OverlayProps) {
  const { width, height, metersPerScreenPixel } = box;
  const screen = ({ row, column }: PixelPlace): readonly [x: number, y: number] => [
    (width * (column - box.from.column)) / (box.to.column - box.from.column),
    (height * (row - box.from.row)) / (box.to.row - box.from.row),
  ];
  return (
    <svg class="overlay" width={width} height={height} aria-hidden="true">
      <g class="cursor">
        <path d={`M${width / 2 - 12} ${height / 2}h24M${width / 2} ${height / 2 - 12}v24`} />
      </g>
      {marks.map((mark) => {
        const [x, y] = screen(mark);
        return (
          <g key={`${mark.row},${mark.column}`} class="mark" transform={`translate(${x} ${y})`}>
            <circle r={9} />
            {mark.label && (
              <text x={13} y={4}>
                {mark.label}
              </text>
            )}
          </g>
        );
      })}
      {point && (
        <g class="point" transform={`translate(${screen(point).join(" ")})`}>
          <path d="M-16 0h10M6 0h10M0 -16v10M0 6v10" />
        </g>
      )}
      {metersPerScreenPixel !== undefined && <ScaleBar metersPerScreenPixel={metersPerScreenPixel} y={height - 14} />}
      {northRadians !== undefined && (
        <g class="north" transform={`translate(${width - 34} 42) rotate(${(northRadians * 180) / Math.PI})`}>
          <path d="M0 -20L6 0H-6Z M0 0V16" />
          <text y={-23} text-anchor="middle">
            N
          </text>
        </g>
      )}
    </svg>
  );
}

function ScaleBar({ metersPerScreenPixel, y }: { readonly metersPerScreenPixel: number; readonly y: number }) {
  const meters = niceLength(longestBar * metersPerScreenPixel);
  const length = meters / metersPerScreenPixel;
  return (
    <g class="scale-bar" transform={`translate(14 ${y})`}>
      <path d={`M0 -4v8M0 0h${length}M${length} -4v8`} />
      <text x={length + 8} y={4}>
        {lengthText(meters)}
      </text>
    </g>
  );
}
