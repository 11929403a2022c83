/** The labels of the controls, and which control sets what errors name. */
import type { Control, Controls } from "../ui/words.ts";

export const labels = {
  arc: { label: "Azimuth flown", unit: "degrees" },
  standoff: { label: "Ground range", unit: "m" },
  altitude: { label: "Height", unit: "m" },
  scene: { label: "Edge of the scene", unit: "m" },
  centre: { label: "Centre frequency", unit: "GHz" },
  bandwidth: { label: "Bandwidth", unit: "MHz" },
  targets: { label: "Point targets" },
  noise: { label: "Noise (RMS)" },
  seed: { label: "Seed" },
  x: { label: "Window x", unit: "m" },
  y: { label: "Window y", unit: "m" },
  edge: { label: "Window edge", unit: "m" },
  from: { label: "Aperture from", unit: "%" },
  to: { label: "Aperture to", unit: "%" },
  pixels: { label: "Pixels along an edge" },
} as const satisfies Readonly<Record<string, Control>>;

/** Controls by the fields of errors, which are the page's settings. */
export const controls: Controls = labels;
