/** Addresses of the studio, an application of its own that is served below the site's base. Its task and settings are after `#`. */
import { withBase } from "vitepress";

/** Tasks of the studio that pages refer to. */
export type StudioTask = "focus" | "backprojection" | "adaptive" | "transforms" | "realtime";

/**
 * The address of a task.
 * @param query settings of the task as in the studio's own address, `preset=default&algorithm=omega-k`; none for its defaults
 * @param extra what only an embedding page states
 */
export function studioAddress(task: StudioTask, query = "", extra: Readonly<Record<string, string>> = {}): string {
  const text = [query, new URLSearchParams(extra).toString()].filter((part) => part !== "").join("&");
  return `${withBase("/studio/")}#/${task}${text && `?${text}`}`;
}
