/** The parameters of the simulated stripmap scenes, for the worker: the page needs their titles only. */
import { type ScenePreset, scenePresets } from "@dechirp/sar";
import type { SceneName } from "./messages.ts";

/** The parameters of a scene that is stripmap. */
export function presetOf(scene: Exclude<SceneName, "spotlight">): ScenePreset {
  if (scene === "quality" || scene === "large") return scenePresets[scene];
  if (scene === "farmland") return scenePresets.default;
  const { background: _, ...preset } = scenePresets.default;
  return preset;
}
