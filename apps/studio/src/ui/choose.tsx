/** One of a few choices. */
interface ChooseProps<T extends string> {
  readonly label: string;
  readonly value: T;
  /** The choices with their names, in order. */
  readonly choices: Readonly<Record<T, string>>;
  readonly change: (value: T) => void;
  /** Choices that can't be made here. */
  readonly disabled?: readonly T[];
}

export function Choose<T extends string>({ label, value, choices, change, disabled = [] }: ChooseProps<T>) {
  return (
    <label>
      {label}
      <select value={value} onChange={({ currentTarget }) => change(currentTarget.value as T)}>
        {Object.entries<string>(choices).map(([word, name]) => (
          <option key={word} value={word} disabled={disabled.includes(word as T)}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
