/** The examined cell: its place, which can be typed, and what both filters make of it. */
import { useId } from "preact/hooks";
import { Fact } from "../ui/fact.tsx";
import { useTyped } from "../ui/use-typed.ts";
import type { Found } from "./messages.ts";
import type { Values } from "./settings.ts";

interface CellProps {
  readonly values: Values;
  readonly change: (values: Partial<Values>) => void;
  readonly found: Found;
  /** Slope of the clutter ridge, if it is known. */
  readonly slope: number | undefined;
}

const sources = { option: "chosen", detection: "the strongest detection", largest: "the largest: nothing is above the threshold" } as const;
export const decibels = (value: number | null | undefined): string =>
  value === null || value === undefined ? "–" : `${value.toFixed(1)} dB`;

export function Cell({ values, change, found, slope }: CellProps) {
  const { target, aboveNext, sizes, detections, device, on } = found;
  const [rangeId, dopplerId] = [useId(), useId()];
  const unit = target.dopplerHz === undefined ? "cycles per pulse" : "Hz";
  const doppler = Number((target.dopplerHz ?? target.dopplerCycles).toPrecision(6));
  const { start, step, count } = on.x;
  const typedRange = useTyped(target.range, ({ value }) => {
    const range = Number(value);
    if (value !== "" && Number.isInteger(range) && range >= 0 && range < sizes.ranges) change({ cell: [range, doppler] });
  });
  const typedDoppler = useTyped(doppler, ({ value }) => {
    const next = Number(value);
    if (value !== "" && Math.abs(next) <= Math.abs(start)) change({ cell: [target.range, next] });
  });
  return (
    <section class="adaptive-cell" aria-label="Examined cell">
      <dl>
        <Fact name="Detections" value={String(detections.count)} figure="detections" />
        <Fact name="Examined cell" value={sources[target.source]} />
        <Fact
          name="Direction"
          value={target.azimuthDegrees === undefined ? `steering vector ${target.steering}` : `${target.azimuthDegrees}°`}
        />
        <Fact name="AMF" value={decibels(target.amfDb)} figure="amf" />
        <Fact name="Above the next range of the map, adaptive" value={decibels(aboveNext.on)} figure="above-on" />
        <Fact name="beamformer" value={decibels(aboveNext.off)} figure="above-off" />
        <Fact name="Unknowns of a filter" value={String(sizes.order)} figure="order" />
        {slope !== undefined && <Fact name="Slope β of the ridge" value={slope.toFixed(2)} figure="slope" />}
        <Fact
          name="Computed on"
          value={device.name === "cpu" ? `processor, ${device.units} threads` : device.description}
          figure="device"
        />
      </dl>
      <div class="adaptive-place">
        <label for={rangeId}>Range bin</label>
        <input id={rangeId} type="number" min={0} max={sizes.ranges - 1} {...typedRange} />
        <label for={dopplerId}>Doppler, {unit}</label>
        <input id={dopplerId} type="number" min={start} max={start + step * (count - 1)} step={step} {...typedDoppler} />
        <button type="button" class="small secondary" disabled={values.cell === "auto"} onClick={() => change({ cell: "auto" })}>
          Strongest detection
        </button>
        <small>A click on the map chooses a cell, too.</small>
      </div>
    </section>
  );
}
