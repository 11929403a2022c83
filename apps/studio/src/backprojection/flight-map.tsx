/** The flight seen from above: the path, the part of it that is the aperture with its two ends, and the scene that is looked at. */
import { useMemo } from "preact/hooks";
import { Slider } from "../ui/slider.tsx";
import type { FlightFacts } from "./flight.ts";
import { frameOf, Handle, MapFrame, type Spot } from "./frame.tsx";
import { labels } from "./labels.ts";

interface FlightMapProps {
  readonly flight: FlightFacts;
  readonly from: number;
  readonly to: number;
  readonly change: (ends: { readonly from?: number; readonly to?: number }) => void;
}

const [width, height] = [460, 340];
const coarseStep = 0.5;
const percent = (value: number): number => Math.round(10 * Math.min(100, Math.max(0, value))) / 10;

export function FlightMap({ flight, from, to, change }: FlightMapProps) {
  const frame = useMemo(() => frameOf(boundsOf(flight), width, height), [flight]);
  const at = ({ x, y }: Spot): string => `${frame.x(x).toFixed(1)},${frame.y(y).toFixed(1)}`;
  const { scene } = flight;
  const whole = spotsBetween(flight, 0, 100);
  const part = spotsBetween(flight, Math.min(from, to), Math.max(from, to));
  const [size, middle] = [Math.max(4, frame.x(2 * scene.half) - frame.x(0)), { x: scene.x, y: scene.y }];
  const ends = [
    ["from", "Begin of the aperture", from],
    ["to", "End of the aperture", to],
  ] as const;
  return (
    <section class="flight" aria-labelledby="flight-title">
      <h2 id="flight-title">Flight</h2>
      <MapFrame frame={frame} title="Map of the flight" names={["x", "y"]}>
        <polygon class="sight" points={[middle, ...part].map(at).join(" ")} />
        <polyline class="path" points={whole.map(at).join(" ")} />
        <polyline class="aperture" points={part.map(at).join(" ")} />
        <rect class="scene" x={frame.x(scene.x) - size / 2} y={frame.y(scene.y) - size / 2} width={size} height={size} />
        {ends.map(([name, label, value]) => {
          const spot = spotAt(flight, value);
          return (
            <Handle
              key={name}
              frame={frame}
              label={label}
              value={value}
              low={0}
              high={100}
              text={`${value} % of the flight, azimuth ${azimuthText(flight, value)}`}
              drag={(spot) => change({ [name]: percent(percentAt(flight, spot)) })}
              nudge={(right, up) => change({ [name]: percent(value + coarseStep * (right + up)) })}
            >
              <circle class="reach" cx={frame.x(spot.x)} cy={frame.y(spot.y)} r={22} />
              <circle cx={frame.x(spot.x)} cy={frame.y(spot.y)} r={8} />
            </Handle>
          );
        })}
      </MapFrame>
      <div class="sliders">
        <Slider {...labels.from} value={from} low={0} high={100} step={0.1} change={(next) => change({ from: next })} />
        <Slider {...labels.to} value={to} low={0} high={100} step={0.1} change={(next) => change({ to: next })} />
      </div>
    </section>
  );
}

/** The path and the scene, with some space around. */
function boundsOf({ path, scene }: FlightFacts) {
  const low = { x: scene.x - scene.half, y: scene.y - scene.half };
  const high = { x: scene.x + scene.half, y: scene.y + scene.half };
  for (let i = 0; i < path.length; i += 3) {
    low.x = Math.min(low.x, path[i]!);
    high.x = Math.max(high.x, path[i]!);
    low.y = Math.min(low.y, path[i + 1]!);
    high.y = Math.max(high.y, path[i + 1]!);
  }
  const space = 0.07 * Math.max(high.x - low.x, high.y - low.y);
  return { x: [low.x - space, high.x + space], y: [low.y - space, high.y + space] } as const;
}

/** The place of the radar at a percentage of its pulses. */
export function spotAt({ path, pathPulses, pulses }: FlightFacts, share: number): Spot {
  const pulse = (share / 100) * (pulses - 1);
  const above = pathPulses.findIndex((p) => p >= pulse);
  const i = Math.max(1, above < 0 ? pathPulses.length - 1 : above);
  if (pathPulses.length < 2) return { x: path[0]!, y: path[1]! };
  const [a, b] = [pathPulses[i - 1]!, pathPulses[i]!];
  const part = (pulse - a) / (b - a);
  const between = (axis: number): number => path[3 * (i - 1) + axis]! + part * (path[3 * i + axis]! - path[3 * (i - 1) + axis]!);
  return { x: between(0), y: between(1) };
}

/** The percentage of the pulses at which the radar was nearest to a place. */
function percentAt({ path, pathPulses, pulses }: FlightFacts, { x, y }: Spot): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 1; i < pathPulses.length; i++) {
    const [ax, ay] = [path[3 * i - 3]!, path[3 * i - 2]!];
    const [dx, dy] = [path[3 * i]! - ax, path[3 * i + 1]! - ay];
    const length = dx * dx + dy * dy;
    const part = length > 0 ? Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length)) : 0;
    const away = Math.hypot(ax + part * dx - x, ay + part * dy - y);
    if (away >= least) continue;
    least = away;
    best = pathPulses[i - 1]! + part * (pathPulses[i]! - pathPulses[i - 1]!);
  }
  return (100 * best) / Math.max(1, pulses - 1);
}

/** The path between two percentages. */
function spotsBetween(flight: FlightFacts, low: number, high: number): Spot[] {
  const { path, pathPulses, pulses } = flight;
  const within = pathPulses.flatMap((p, i) => {
    const share = (100 * p) / Math.max(1, pulses - 1);
    return share > low && share < high ? [{ x: path[3 * i]!, y: path[3 * i + 1]! }] : [];
  });
  return [spotAt(flight, low), ...within, spotAt(flight, high)];
}

/** The azimuth of the radar seen from the middle of the scene, counter-clockwise from x. */
function azimuthText(flight: FlightFacts, share: number): string {
  const { x, y } = spotAt(flight, share);
  return `${((Math.atan2(y - flight.scene.y, x - flight.scene.x) * 180) / Math.PI).toFixed(1)}°`;
}
