/** A part of the page that scrolls sideways where the screen is narrow, also with the keyboard. */
import type { ComponentChildren } from "preact";

export function Scrolls({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, the keyboard could not scroll this part.
    <section class="scrolls" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
