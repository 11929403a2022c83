/** Axes beside a view of an image: ticks at round numbers that follow it, with the axis's name and unit. */
import { scaledUnit } from "@dechirp/pictures";
import { scaleLinear } from "d3-scale";
import type { AxisFacts } from "./facts.ts";

interface AxisProps {
  readonly axis: AxisFacts;
  /** Pixels of the image at both ends: at the left and right, or at the top and bottom. */
  readonly from: number;
  readonly to: number;
  /** Screen pixels. */
  readonly length: number;
}

/** Screen pixels between ticks, at least. */
const tickRoom = { across: 110, down: 60 };

function ticksOf({ axis: { unit, start, step, label }, from, to, length }: AxisProps, room: number) {
  const ends = [start + step * from, start + step * to] as const;
  const { name, factor } = scaledUnit(unit, Math.max(...ends.map(Math.abs)));
  const scale = scaleLinear([ends[0] * factor, ends[1] * factor], [0, length]);
  const count = Math.max(2, Math.floor(length / room));
  const format = scale.tickFormat(count);
  return {
    title: name === "" ? label : `${label}, ${name}`,
    ticks: scale.ticks(count).map((value) => ({ at: scale(value), text: format(value) })),
  };
}

/** The axis below a view. */
export function AxisAcross(props: AxisProps) {
  const { title, ticks } = ticksOf(props, tickRoom.across);
  const { length } = props;
  return (
    <svg class="axis" width={length} height={38} aria-hidden="true">
      {ticks.map(({ at, text }) => (
        <g key={text} transform={`translate(${at} 0)`}>
          <line y2={5} />
          <text y={17} text-anchor={at < 24 ? "start" : at > length - 24 ? "end" : "middle"}>
            {text}
          </text>
        </g>
      ))}
      <text class="title" x={length / 2} y={33} text-anchor="middle">
        {title}
      </text>
    </svg>
  );
}

/** The axis on the left of a view. */
export function AxisDown(props: AxisProps) {
  const { title, ticks } = ticksOf(props, tickRoom.down);
  const { length } = props;
  return (
    <svg class="axis" width={68} height={length} aria-hidden="true">
      {ticks.map(({ at, text }) => (
        <g key={text} transform={`translate(68 ${at})`}>
          <line x2={-5} />
          <text x={-8} y={Math.min(Math.max(4, 10 - at), Math.max(4, length - at))} text-anchor="end">
            {text}
          </text>
        </g>
      ))}
      <text class="title" transform={`translate(12 ${length / 2}) rotate(-90)`} text-anchor="middle">
        {title}
      </text>
    </svg>
  );
}
