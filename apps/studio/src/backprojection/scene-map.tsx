/** The scene seen from above: targets, the directions that the radar looks from, and the window that is imaged, which is moved and resized. */
import { useMemo, useRef } from "preact/hooks";
import { Slider } from "../ui/slider.tsx";
import type { FlightFacts } from "./flight.ts";
import { spotAt } from "./flight-map.tsx";
import { frameOf, Handle, MapFrame, type Spot } from "./frame.tsx";
import { labels } from "./labels.ts";
import type { ImageWindow } from "./settings.ts";

interface SceneMapProps {
  readonly flight: FlightFacts;
  readonly window: ImageWindow;
  readonly aperture: readonly [from: number, to: number];
  /** Where a point is measured. */
  readonly measured: Spot | undefined;
  readonly change: (window: Partial<ImageWindow>) => void;
  /** Called with the number of a target, from 0. */
  readonly choose: (target: number) => void;
}

const [width, height] = [460, 420];

export function SceneMap({ flight, window, aperture, measured, change, choose }: SceneMapProps) {
  const { scene, targets } = flight;
  const frame = useMemo(() => {
    const reach = 1.12 * scene.half;
    return frameOf({ x: [scene.x - reach, scene.x + reach], y: [scene.y - reach, scene.y + reach] }, width, height);
  }, [flight]);
  const start = useRef<{ readonly from: Spot; readonly window: ImageWindow }>(undefined);
  const step = stepOf(2 * scene.half);
  const rounded = (value: number): number => Number((Math.round(value / step) * step).toFixed(6));
  const within = (value: number, axis: "x" | "y"): number =>
    rounded(Math.min(scene[axis] + scene.half, Math.max(scene[axis] - scene.half, value)));
  const sized = (edge: number): number => rounded(Math.min(2 * scene.half, Math.max(5 * step, edge)));
  const { x, y, edge } = window;
  const pixels = frame.x(edge) - frame.x(0);
  const [left, top] = [frame.x(x - edge / 2), frame.y(y + edge / 2)];
  /** The window as it was when a drag began. */
  const begun = (from: Spot): ImageWindow => {
    if (start.current?.from !== from) start.current = { from, window };
    return start.current.window;
  };
  const corners = [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ] as const;
  return (
    <section class="scene" aria-labelledby="scene-title">
      <h2 id="scene-title">Scene and window</h2>
      <MapFrame frame={frame} title="Map of the scene" names={["x", "y"]}>
        <rect
          class="scene"
          x={frame.x(scene.x - scene.half)}
          y={frame.y(scene.y + scene.half)}
          width={frame.x(2 * scene.half) - frame.x(0)}
          height={frame.x(2 * scene.half) - frame.x(0)}
        />
        <polygon class="sight" points={sight(flight, aperture, frame)} />
        <Handle
          frame={frame}
          label="Window, place"
          value={x}
          low={scene.x - scene.half}
          high={scene.x + scene.half}
          text={`middle at x ${x} m, y ${y} m`}
          class="window"
          drag={(to, from) => {
            const { x, y } = begun(from);
            change({ x: within(x + to.x - from.x, "x"), y: within(y + to.y - from.y, "y") });
          }}
          nudge={(right, up) => change({ x: within(x + right * step * 2, "x"), y: within(y + up * step * 2, "y") })}
        >
          <rect x={left} y={top} width={pixels} height={pixels} />
        </Handle>
        <g class="targets">
          {targets.map(({ positionMeters: [tx, ty], amplitude }, i) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: the list "Measured point" does the same with a keyboard.
            <circle key={i} cx={frame.x(tx)} cy={frame.y(ty)} r={1.5 + 3 * amplitude} onClick={() => choose(i)}>
              <title>
                target {i + 1}: x {tx.toFixed(1)} m, y {ty.toFixed(1)} m, amplitude {amplitude.toPrecision(3)}
              </title>
            </circle>
          ))}
        </g>
        {measured && <circle class="measured" cx={frame.x(measured.x)} cy={frame.y(measured.y)} r={9} />}
        <Handle
          frame={frame}
          label="Window, edge"
          value={edge}
          low={5 * step}
          high={2 * scene.half}
          text={`${edge} m`}
          class="corners"
          drag={(to, from) => {
            const { x, y, edge } = begun(from);
            // The corner that was taken moves, and the opposite one stays.
            const [sx, sy] = [Math.sign(from.x - x), Math.sign(from.y - y)];
            const next = sized(Math.max(sx * (to.x - x), sy * (to.y - y)) + edge / 2);
            change({ edge: next, x: within(x + (sx * (next - edge)) / 2, "x"), y: within(y + (sy * (next - edge)) / 2, "y") });
          }}
          nudge={(right, up) => change({ edge: sized(edge + (right + up) * step * 2) })}
        >
          {corners.map(([sx, sy]) => (
            <g key={`${sx} ${sy}`} transform={`translate(${left + ((1 + sx) / 2) * pixels} ${top + ((1 + sy) / 2) * pixels})`}>
              <rect class="reach" x={-16} y={-16} width={32} height={32} />
              <rect x={-6} y={-6} width={12} height={12} />
            </g>
          ))}
        </Handle>
      </MapFrame>
      <div class="sliders">
        <Slider
          {...labels.x}
          value={x}
          low={rounded(scene.x - scene.half)}
          high={rounded(scene.x + scene.half)}
          step={step}
          change={(next) => change({ x: next })}
        />
        <Slider
          {...labels.y}
          value={y}
          low={rounded(scene.y - scene.half)}
          high={rounded(scene.y + scene.half)}
          step={step}
          change={(next) => change({ y: next })}
        />
        <Slider
          {...labels.edge}
          value={edge}
          low={step}
          high={rounded(2 * scene.half)}
          step={step}
          change={(next) => change({ edge: next })}
        />
      </div>
    </section>
  );
}

/** A round step, about a five-hundredth of a length. */
const stepOf = (length: number): number => 10 ** Math.round(Math.log10(length / 500));

/** The directions from which the aperture sees the middle of the scene, as a wedge that leaves the map. */
function sight(flight: FlightFacts, [from, to]: readonly [number, number], { x, y }: ReturnType<typeof frameOf>): string {
  const { scene } = flight;
  const [low, high] = [Math.min(from, to), Math.max(from, to)];
  const shares = Array.from({ length: 25 }, (_, i) => low + ((high - low) * i) / 24);
  const far = shares.map((share) => {
    const spot = spotAt(flight, share);
    const away = Math.hypot(spot.x - scene.x, spot.y - scene.y) || 1;
    const reach = Math.min(away, 4 * scene.half) / away;
    return { x: scene.x + (spot.x - scene.x) * reach, y: scene.y + (spot.y - scene.y) * reach };
  });
  return [{ x: scene.x, y: scene.y }, ...far].map((spot) => `${x(spot.x).toFixed(1)},${y(spot.y).toFixed(1)}`).join(" ");
}
