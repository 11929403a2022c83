/** Maps as SVG: a frame with the same scale along both axes, its axes in metres or kilometres, and handles that are dragged. */
import { type ScaleLinear, scaleLinear } from "d3-scale";
import type { ComponentChildren, TargetedPointerEvent } from "preact";
import { useId } from "preact/hooks";

/** A place on a map, in metres. */
export interface Spot {
  readonly x: number;
  readonly y: number;
}

/** What a map shows: from the lowest to the highest x and y. */
export interface Bounds {
  readonly x: readonly [low: number, high: number];
  readonly y: readonly [low: number, high: number];
}

/** A map's scales, from metres to the units of its drawing. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly x: ScaleLinear<number, number>;
  readonly y: ScaleLinear<number, number>;
}

/** Space around a map, for the axes. */
export const margin = { left: 58, right: 14, top: 10, bottom: 44 };

/** A frame of a size that shows `bounds`, and as much more as equal scales need. */
export function frameOf({ x, y }: Bounds, width: number, height: number): Frame {
  const [inner, outer] = [width - margin.left - margin.right, height - margin.top - margin.bottom];
  const metres = Math.max((x[1] - x[0]) / inner, (y[1] - y[0]) / outer, 1e-9);
  const around = ([low, high]: readonly [number, number], units: number): [number, number] => [
    (low + high) / 2 - (metres * units) / 2,
    (low + high) / 2 + (metres * units) / 2,
  ];
  return {
    width,
    height,
    x: scaleLinear(around(x, inner), [margin.left, width - margin.right]),
    y: scaleLinear(around(y, outer), [height - margin.bottom, margin.top]),
  };
}

/** The place under a pointer. */
export function spotOf({ x, y }: Frame, svg: SVGSVGElement, event: PointerEvent): Spot {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM()!.inverse());
  return { x: x.invert(point.x), y: y.invert(point.y) };
}

interface MapProps {
  readonly frame: Frame;
  readonly title: string;
  readonly names: readonly [x: string, y: string];
  readonly children?: ComponentChildren;
  /** Whether the area of the map is transparent, to show what is below. */
  readonly isOverlay?: boolean;
}

/** A map with axes. */
export function MapFrame({ frame, title, names, children, isOverlay = false }: MapProps) {
  const { width, height, x, y } = frame;
  const id = useId();
  const span = Math.max(Math.abs(x.domain()[1]! - x.domain()[0]!), Math.abs(y.domain()[1]! - y.domain()[0]!));
  const [unit, per] = span > 5000 ? ["km", 1000] : ["m", 1];
  const text = (value: number): string => String(Number((value / per).toPrecision(6))).replace("-", "−");
  const [left, right, top, bottom] = [margin.left, width - margin.right, margin.top, height - margin.bottom];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be a drawing.
    <svg class="map" viewBox={`0 0 ${width} ${height}`} role="group" aria-label={title}>
      <defs>
        <clipPath id={id}>
          <rect x={left} y={top} width={right - left} height={bottom - top} />
        </clipPath>
      </defs>
      <rect class={isOverlay ? "area clear" : "area"} x={left} y={top} width={right - left} height={bottom - top} />
      {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it can be focused. */}
      <g class="axes" aria-hidden="true">
        {x.ticks(5).map((value) => (
          <g key={value} transform={`translate(${x(value)} 0)`}>
            {!isOverlay && <line class="grid" y1={top} y2={bottom} />}
            <line y1={bottom} y2={bottom + 5} />
            <text y={bottom + 18} text-anchor="middle">
              {text(value)}
            </text>
          </g>
        ))}
        {y.ticks(5).map((value) => (
          <g key={value} transform={`translate(0 ${y(value)})`}>
            {!isOverlay && <line class="grid" x1={left} x2={right} />}
            <line x1={left - 5} x2={left} />
            <text x={left - 8} dy="0.35em" text-anchor="end">
              {text(value)}
            </text>
          </g>
        ))}
        <text x={(left + right) / 2} y={height - 8} text-anchor="middle">
          {names[0]}, {unit}
        </text>
        <text transform={`translate(14 ${(top + bottom) / 2}) rotate(-90)`} text-anchor="middle">
          {names[1]}, {unit}
        </text>
      </g>
      <g clip-path={`url(#${id})`}>{children}</g>
    </svg>
  );
}

interface HandleProps {
  readonly frame: Frame;
  readonly label: string;
  /** The value that a keyboard changes, with its limits and its text. */
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly text: string;
  /** Called with the place of the pointer, and where it was when the drag began. */
  readonly drag: (to: Spot, from: Spot) => void;
  /** Called with steps to the right and upwards; ten with Shift or the page keys. */
  readonly nudge: (right: number, up: number) => void;
  readonly class?: string;
  readonly children: ComponentChildren;
}

const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  PageUp: [0, 10],
  PageDown: [0, -10],
};

/** A part of a map that is dragged with the pointer, or moved with the arrow keys. */
export function Handle({ frame, label, value, low, high, text, drag, nudge, class: name = "", children }: HandleProps) {
  const spot = (event: TargetedPointerEvent<SVGGElement>): Spot => spotOf(frame, event.currentTarget.ownerSVGElement!, event);
  return (
    <g
      class={`handle ${name}`}
      role="slider"
      tabindex={0}
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={low}
      aria-valuemax={high}
      aria-valuetext={text}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        event.currentTarget.focus();
        held.set(event.currentTarget, spot(event));
        event.preventDefault();
      }}
      onPointerMove={(event) => {
        const start = held.get(event.currentTarget);
        if (start && event.currentTarget.hasPointerCapture(event.pointerId)) drag(spot(event), start);
      }}
      onLostPointerCapture={({ currentTarget }) => held.delete(currentTarget)}
      onKeyDown={(event) => {
        const step = arrows[event.key];
        if (!step) return;
        event.preventDefault();
        const times = event.shiftKey ? 10 : 1;
        nudge(times * step[0], times * step[1]);
      }}
    >
      {children}
    </g>
  );
}

/** Where drags began, by element: drawing again does not end a drag. */
const held = new WeakMap<Element, Spot>();
