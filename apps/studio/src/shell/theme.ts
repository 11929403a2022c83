/** Light, dark, or as the system: which the page uses, and remembers. `theme=dark` in the address wins, for pages that embed a task. */
import { signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";

const key = "dechirp-studio-theme";

function stored(): Theme {
  const named = /[?&]theme=(light|dark)\b/.exec(location.hash)?.[1];
  try {
    return (named ?? localStorage.getItem(key) ?? "system") as Theme;
  } catch {
    return "system"; // storage is forbidden
  }
}

export const theme = signal<Theme>(stored());

/** Makes the page use the theme. */
export function applyTheme(): void {
  const { documentElement } = document;
  if (theme.value === "system") documentElement.removeAttribute("data-theme");
  else documentElement.setAttribute("data-theme", theme.value);
}

/** Changes the theme, and remembers it if the browser allows. */
export function setTheme(next: Theme): void {
  theme.value = next;
  applyTheme();
  try {
    localStorage.setItem(key, next);
  } catch {
    // Storage is forbidden: the theme lasts as long as the page.
  }
}
