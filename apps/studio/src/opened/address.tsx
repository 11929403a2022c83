/** A field for the address of a recording on a server. "Open" reads it again if it is open already. */
import { useId, useRef } from "preact/hooks";
import { openAddress } from "./opened.ts";

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
    openAddress(typed);
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
