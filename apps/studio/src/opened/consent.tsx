/**
 * Asks before the page contacts a server that a link names: whoever follows a link has not agreed to that yet. Servers whose address the user has
 * typed, and the page's own, are not asked about.
 */
import { signal } from "@preact/signals";

const allowed = signal<ReadonlySet<string>>(new Set());

/** The host of an address of http or https. Undefined if it is none, of which reading says what is wrong. */
function placeOf(url: string): URL | undefined {
  try {
    const parsed = new URL(url);
    return /^https?:$/.test(parsed.protocol) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the server of an address may be contacted. */
export function mayContact(url: string): boolean {
  const place = placeOf(url);
  return !place || place.origin === location.origin || allowed.value.has(place.origin);
}

/** Allows the server of an address for the life of the page. */
export function allowContact(url: string): void {
  const place = placeOf(url);
  if (place) allowed.value = new Set([...allowed.value, place.origin]);
}

/** Says which server the address of the page names, with a button that opens the recording. Nothing if it may be contacted already. */
export function AskBefore({ url }: { readonly url: string }) {
  const place = placeOf(url);
  if (!place || mayContact(url)) return null;
  return (
    <section class="ask-before" aria-label="A recording on another server">
      <p>
        This link opens a recording from the server <strong data-figure="host">{place.host}</strong>. The server has not been contacted yet.
        If you open the recording, the server sees your network address and which parts of the file this page reads. It gets no other data.
      </p>
      <p>
        <small>{url}</small>
      </p>
      <button type="button" onClick={() => allowContact(url)}>
        Open it
      </button>
    </section>
  );
}
