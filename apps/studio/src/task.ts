/**
 * What a task of the studio is: a row of the table in `tasks.ts`, which is cheap to load, and a body, which is loaded when the task is opened.
 * The body states its settings, which are in the address of the page, and draws itself from them.
 */
import type { ComponentType } from "preact";
import type { Settings, SettingValues } from "./settings.ts";

/** A row of the table of tasks. */
export interface Task {
  /** Name in addresses: `#/focus`. */
  readonly id: string;
  readonly title: string;
  /** One sentence below the title. */
  readonly summary: string;
  /** Page of the documentation, relative to the site. */
  readonly guide: string;
  /** What the task computes with devices, as a sentence names it: without WebGPU or with one core this is slower. Absent if it uses none. */
  readonly computed?: string;
  /** Loads the body. */
  readonly load: () => Promise<TaskBody>;
}

/** What a task draws with: its settings, and a function that changes some of them, and with them the address of the page. */
export interface TaskProps<S extends Settings> {
  readonly values: SettingValues<S>;
  readonly change: (values: Partial<SettingValues<S>>) => void;
}

/** The loaded part of a task. Make it with `taskBody`. */
export interface TaskBody {
  readonly settings: Settings;
  readonly View: ComponentType<TaskProps<Settings>>;
}

/** A body whose view gets values of the types that its settings have. */
export const taskBody = <S extends Settings>(settings: S, View: ComponentType<TaskProps<S>>): TaskBody => ({
  settings,
  View: View as unknown as ComponentType<TaskProps<Settings>>,
});
