/** One of a few choices. */
interface ChooseProps<T extends string> {
  readonly label: string;
  readonly value: T;
  /** The choices with their names, in order. */
  readonly choices: Readonly<Record<T, string>>;
  /** Choices that can't be made here. */
  readonly unavailable?: readonly T[];
  readonly change: (value: T) => void;
}

export function Choose<T extends string>({ label, value, choices, unavailable = [], change }: ChooseProps<T>) {
  return (
    <label>
      {label}
      <select value={value} onChange={({ currentTarget }) => change(currentTarget.value as T)}>
        {Object.entries<string>(choices).map(([word, name]) => (
          <option key={word} value={word} disabled={word !== value && unavailable.includes(word as T)}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
