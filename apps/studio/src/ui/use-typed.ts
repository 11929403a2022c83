/** What is being typed in a field stays while the page draws results and progress. */
import type { TargetedEvent } from "preact";
import { useRef } from "preact/hooks";

type Typing = TargetedEvent<HTMLInputElement>;

/** Attributes of a field that shows `value`. Calls `changed` with the field when the typing has ended. */
export function useTyped(value: number | "", changed: (field: HTMLInputElement) => void) {
  /** Text that is being typed instead of a value. Another value, such as one of the address, replaces it. */
  const typed = useRef<{ readonly text: string; readonly instead: number | "" }>(undefined);
  return {
    value: typed.current?.instead === value ? typed.current.text : value,
    onInput({ currentTarget }: Typing) {
      typed.current = { text: currentTarget.value, instead: value };
    },
    onChange({ currentTarget }: Typing) {
      typed.current = undefined;
      changed(currentTarget);
    },
  };
}
