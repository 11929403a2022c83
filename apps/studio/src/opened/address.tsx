/** A field for the address of a recording on a server. */
import { useId, useRef } from "preact/hooks";
import { allowContact } from "./consent.tsx";

interface AddressProps {
  readonly url: string;
  readonly placeholder: string;
  readonly open: (url: string) => void;
}

export function Address({ url, placeholder, open }: AddressProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const go = (): void => {
    const typed = input.current!.value.trim();
    if (typed === "") return;
    allowContact(typed);
    open(typed);
  };
  return (
    <div class="address">
      <label for={id}>Address of a file on a server that answers ranges and allows this page (CORS)</label>
      <input
        ref={input}
        id={id}
        type="url"
        placeholder={placeholder}
        defaultValue={url}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          go();
        }}
      />
      <button type="button" onClick={go}>
        Open
      </button>
    </div>
  );
}
