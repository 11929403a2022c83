/** A number that is typed. A number outside its limits is refused where it is typed. */
import { useTyped } from "../ui/use-typed.ts";

interface FieldProps {
  readonly label: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** Whether only integers are accepted. Default: true. */
  readonly step?: number | "any";
  /** Values that are offered. */
  readonly offers?: readonly number[];
  readonly change: (value: number) => void;
}

export function Field({ label, value, low, high, step = 1, offers = [], change }: FieldProps) {
  const typed = useTyped(value, (field) => field.reportValidity() && field.value !== "" && change(Number(field.value)));
  const list = `offers-${label.replace(/\W+/g, "-")}`;
  return (
    <label>
      {label}
      <input type="number" {...typed} min={low} max={high} step={step} list={offers.length > 0 ? list : undefined} />
      {offers.length > 0 && (
        <datalist id={list}>
          {offers.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </label>
  );
}
