/** The colour scale of an image, with decibels. */
import { type ColourMapName, colourMap } from "@dechirp/pictures";
import { scaleLinear } from "d3-scale";
import { useEffect, useRef, useState } from "preact/hooks";
import type { DbRange } from "./facts.ts";

export function ColourBar({ range: { lowDb, highDb }, colours }: { readonly range: DbRange; readonly colours: ColourMapName }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [map, setMap] = useState<Uint8Array>();
  useEffect(() => {
    let isCurrent = true;
    void colourMap(colours).then((next) => isCurrent && setMap(next));
    return () => {
      isCurrent = false;
    };
  }, [colours]);
  useEffect(() => {
    if (!map) return;
    const pixels = new ImageData(256, 1);
    for (let i = 0; i < 256; i++) pixels.data.set([...map.subarray(3 * i, 3 * i + 3), 255], 4 * i);
    canvas.current!.getContext("2d")!.putImageData(pixels, 0, 0);
  }, [map]);
  const scale = scaleLinear([lowDb, highDb], [0, 100]);
  const format = scale.tickFormat(6);
  return (
    <div class="colour-bar" role="img" aria-label={`Colours from ${lowDb.toFixed(1)} dB to ${highDb.toFixed(1)} dB`}>
      <canvas ref={canvas} width={256} height={1} />
      <svg height={20} width="100%" aria-hidden="true">
        {scale.ticks(6).map((value) => (
          <g key={value}>
            <line x1={`${scale(value)}%`} x2={`${scale(value)}%`} y2={4} />
            <text x={`${scale(value)}%`} y={16} text-anchor={scale(value) < 4 ? "start" : scale(value) > 96 ? "end" : "middle"}>
              {format(value)}
            </text>
          </g>
        ))}
      </svg>
      <small>dB relative to the largest pixel</small>
    </div>
  );
}
