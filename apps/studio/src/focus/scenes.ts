/** The simulated scenes of the task Focus: their names, their parameters, and the lines of a program that make them. */
import type { DbRange } from "../image/facts.ts";
import type { SceneName } from "./messages.ts";

/** A scene for a list. */
export interface SceneEntry {
  readonly title: string;
  /** Lines of a program that declare `preset`, after an import of `scenePresets`. Absent for a phase history. */
  readonly code?: readonly string[];
  /** Scale that shows the responses of points. Default: as for other images, by the brightness of most pixels. */
  readonly db?: DbRange;
}

/** The scenes in the order in which they are offered. The first is the built-in demo: it is simulated in a fraction of a second. */
export const scenes: Readonly<Record<SceneName, SceneEntry>> = {
  points: {
    title: "Five reflectors in noise, C band, 1 m",
    code: ["const { background: _, ...preset } = scenePresets.default;"],
    db: { lowDb: -65, highDb: -5 },
  },
  farmland: { title: "The reflectors in farmland by a lake", code: ["const preset = scenePresets.default;"] },
  quality: {
    title: "Point targets without noise, to measure",
    code: ["const preset = scenePresets.quality;"],
    db: { lowDb: -60, highDb: 0 },
  },
  large: {
    title: "4096 × 4096, X band, five point targets",
    code: ["const preset = scenePresets.large;"],
    db: { lowDb: -70, highDb: -10 },
  },
  spotlight: { title: "Spotlight phase history, X band, 0.5 m", db: { lowDb: -50, highDb: 0 } },
};

/** What an aircraft collects that flies past point targets and keeps its antenna on them. */
export const spotlight = {
  track: { middleMeters: [-7000, 0, 7000], stepMeters: [0, 0.8, 0], pulses: 400 },
  frequency: { firstHz: 9.45e9, stepHz: 300e6 / 511, count: 512 },
  targets: [
    { positionMeters: [0, 0, 0], amplitude: 1 },
    { positionMeters: [40, 0, 0], amplitude: 0.8 },
    { positionMeters: [-40, 0, 0], amplitude: 0.8 },
    { positionMeters: [0, 40, 0], amplitude: 1 },
    { positionMeters: [10, 40, 0], amplitude: 0.7 },
    { positionMeters: [0, -40, 0], amplitude: 0.6 },
    { positionMeters: [25, -25, 0], amplitude: 0.5 },
  ],
  noise: { snrDb: -10 },
  area: { xMeters: [-60, 60], yMeters: [-60, 60] },
  seed: 25,
} as const;
