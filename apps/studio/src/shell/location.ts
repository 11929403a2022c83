/**
 * The address of the page as a signal: `#/TASK?name=value&…`. A change of settings replaces the address, so that the button Back leaves the
 * task; opening a task adds one. `embed=1` is not a setting of a task: it leaves out everything around the task, for pages that embed it.
 */
import { effect, signal } from "@preact/signals";

/** What the address says. */
export interface Place {
  readonly task: string;
  readonly query: URLSearchParams;
  readonly isEmbedded: boolean;
}

function placeOf(hash: string): Place {
  // Only the first question mark begins the query: addresses in it may have more.
  const [, path = "", text = ""] = /^#?\/?([^?]*)\??(.*)$/s.exec(hash) ?? [];
  const query = new URLSearchParams(text);
  const isEmbedded = query.get("embed") === "1";
  query.delete("embed");
  query.delete("theme");
  return { task: path, query, isEmbedded };
}

export const place = signal(placeOf(globalThis.location.hash));

/** The last settings of each task, so that a task that is opened again is as it was left. */
const left = new Map<string, URLSearchParams>();
effect(() => void left.set(place.value.task, place.value.query));

/** The address of a task as it was left. */
export const addressAsLeft = (task: string): string => addressOf(task, left.get(task));

/** Browsers refuse more than a few replacements of the address a second, so a setting that is dragged replaces it when it rests. */
const restMilliseconds = 150;
let timer: ReturnType<typeof setTimeout> | undefined;

addEventListener("hashchange", () => {
  clearTimeout(timer);
  place.value = placeOf(globalThis.location.hash);
});

/** The address of a task with settings. */
export function addressOf(task: string, query = new URLSearchParams()): string {
  const text = query.toString();
  return `#/${task}${text ? `?${text}` : ""}`;
}

/** Replaces the query of the address. */
export function replaceQuery(query: URLSearchParams): void {
  const { task, isEmbedded } = place.value;
  const written = new URLSearchParams(query);
  if (isEmbedded) written.set("embed", "1");
  clearTimeout(timer);
  timer = setTimeout(() => history.replaceState(history.state, "", addressOf(task, written)), restMilliseconds);
  place.value = { task, query, isEmbedded };
}

/**
 * The address of a page of the documentation; without a name, of its first page. In the documentation's site the studio is the folder `studio`.
 * Elsewhere, such as on one's own machine, the pages' sources in the repository are shown.
 */
export function guideAddress(page = "index"): string {
  if (/\/studio\/(index\.html)?$/.test(location.pathname)) return `../${page === "index" ? "" : page}`;
  return `${__REPOSITORY__}/blob/main/apps/docs/${page}.md`;
}
