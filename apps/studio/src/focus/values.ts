/** The settings of the task Focus together with those of its viewer. */
import type { DbRange } from "../image/facts.ts";
import { type ImageValues, imageSettings } from "../image/settings.ts";
import type { Setting, SettingValues } from "../settings.ts";
import { settings as focusSettings } from "./settings.ts";

/** Ends of the colour scale; `usual` is the scale of a simulated scene, and the automatic one of anything else. */
const db: Setting<DbRange | "auto" | "usual"> = {
  default: "usual",
  parse: (text, name) => (text === "usual" ? text : imageSettings.db.parse(text, name)),
  format: (value) => (value === "usual" ? value : imageSettings.db.format(value)),
};

export const settings = { ...focusSettings, ...imageSettings, db };

/** Values of the task's settings, those of the viewer included. */
export type FocusValues = Omit<SettingValues<typeof settings>, "db"> & Pick<ImageValues, "db">;

/** Changes settings, and with them the address of the page. */
export type Changing = (values: Partial<FocusValues>) => void;
