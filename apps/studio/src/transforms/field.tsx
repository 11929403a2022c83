/** A number that is typed. A number outside its limits is refused where it is typed. */
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
  const list = `offers-${label.replace(/\W+/g, "-")}`;
  return (
    <label>
      {label}
      <input
        type="number"
        value={value}
        min={low}
        max={high}
        step={step}
        list={offers.length > 0 ? list : undefined}
        onChange={({ currentTarget }) =>
          currentTarget.reportValidity() && currentTarget.value !== "" && change(Number(currentTarget.value))
        }
      />
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
