/** A button that copies a text, and says whether it did: pages that were not loaded over https: or from this machine have no clipboard. */
import { useState } from "preact/hooks";

interface CopyButtonProps {
  /** The text, or what makes it when the button is pressed. */
  readonly text: string | (() => string);
  readonly disabled?: boolean;
  /** What the button says. Default: Copy. */
  readonly label?: string;
  /** What users can do if the page may not copy, after "This page may not copy; ". */
  readonly otherwise: string;
}

export function CopyButton({ text, label = "Copy", disabled = false, otherwise }: CopyButtonProps) {
  const [told, setTold] = useState("");
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(typeof text === "string" ? text : text());
      setTold("Copied.");
    } catch {
      setTold(`This page may not copy; ${otherwise}.`);
    }
  };
  return (
    <>
      <button type="button" class="small" disabled={disabled} onClick={() => void copy()}>
        {label}
      </button>{" "}
      <span role="status">{told}</span>
    </>
  );
}
