/** A number that is chosen by a slider or typed. */
import { useId } from "preact/hooks";
import { useTyped } from "./use-typed.ts";

interface SliderProps {
  readonly label: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly step?: number;
  readonly unit?: string;
  readonly change: (value: number) => void;
}

export function Slider({ label, value, low, high, step = 1, unit, change }: SliderProps) {
  const id = useId();
  const changed = (text: string): void => {
    const next = Number(text);
    if (text !== "" && next >= low && next <= high) change(next);
  };
  const typed = useTyped(value, (field) => changed(field.value));
  const limits = { value, min: low, max: high, step };
  return (
    <div class="slider">
      <label for={id}>
        {label}
        {unit ? `, ${unit}` : ""}
      </label>
      <input id={id} type="range" {...limits} onInput={({ currentTarget }) => changed(currentTarget.value)} />
      <input type="number" aria-label={`${label}, typed`} {...limits} {...typed} />
    </div>
  );
}
