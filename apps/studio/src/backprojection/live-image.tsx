/** The newest image, with axes and a ring around the measured point. */
import { useEffect, useMemo, useRef } from "preact/hooks";
import { frameOf, MapFrame, margin, type Spot } from "./frame.tsx";
import type { Picture } from "./paint.ts";

const width = 560;
const height = width - margin.left - margin.right + margin.top + margin.bottom;
const share = (units: number, of: number): string => `${(100 * units) / of}%`;

interface LiveImageProps {
  readonly picture: Picture;
  readonly measured: Spot | undefined;
  readonly isBusy: boolean;
}

export function LiveImage({ picture, measured, isBusy }: LiveImageProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { x, y, edge } = picture.window;
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    context?.putImageData(new ImageData(picture.rgba, picture.width, picture.height), 0, 0);
  }, [picture]);
  const frame = useMemo(() => frameOf({ x: [x - edge / 2, x + edge / 2], y: [y - edge / 2, y + edge / 2] }, width, height), [x, y, edge]);
  return (
    <>
      <div class="live" aria-busy={isBusy} data-stage={picture.stage}>
        <canvas
          class="pixels"
          ref={canvas}
          width={picture.width}
          height={picture.height}
          role="img"
          aria-label={`Image of the window: power in decibels, ${picture.width} × ${picture.height} pixels`}
          style={{
            left: share(margin.left, width),
            top: share(margin.top, height),
            width: share(width - margin.left - margin.right, width),
            height: share(height - margin.top - margin.bottom, height),
          }}
        />
        <MapFrame frame={frame} title="Axes of the image" names={["x", "y"]} isOverlay>
          {measured && <circle class="measured" cx={frame.x(measured.x)} cy={frame.y(measured.y)} r={14} />}
        </MapFrame>
      </div>
      <ColourBar picture={picture} />
    </>
  );
}

/** The colours with their decibels. */
function ColourBar({ picture: { map, display } }: { readonly picture: Picture }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const levels = map.length / 3;
    const line = new ImageData(levels, 1);
    for (let i = 0; i < levels; i++) line.data.set([map[3 * i]!, map[3 * i + 1]!, map[3 * i + 2]!, 255], 4 * i);
    canvas.current?.getContext("2d")?.putImageData(line, 0, 0);
  }, [display.colours]);
  return (
    <div class="colours">
      <span>−{display.range} dB</span>
      <canvas ref={canvas} width={map.length / 3} height={1} role="img" aria-label={`Colours from ${-display.range} to 0 dB`} />
      <span>0 dB, the largest pixel</span>
    </div>
  );
}
