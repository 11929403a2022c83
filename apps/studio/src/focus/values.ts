/** The settings of the task Focus together with those of its viewer. */
import { imageSettings } from "../image/settings.ts";
import type { SettingValues } from "../settings.ts";
import { settings as focusSettings } from "./settings.ts";

export const settings = { ...focusSettings, ...imageSettings };

/** Values of the task's settings, those of the viewer included. */
export type FocusValues = SettingValues<typeof settings>;
