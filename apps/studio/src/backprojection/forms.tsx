/** The forms of the task: how the image is made and shown, and the simulated flight. */
import type { PlacedTarget } from "@dechirp/sar";
import { Choose } from "../ui/choose.tsx";
import { Slider } from "../ui/slider.tsx";
import { fixed } from "./facts.tsx";
import { labels } from "./labels.ts";
import type { Values } from "./settings.ts";

interface FormProps {
  readonly values: Values;
  readonly change: (values: Partial<Values>) => void;
}

const unavailable = "gpu" in navigator ? [] : (["gpu"] as const);
const submit = (event: Event): void => event.preventDefault();

export function ImageSettings({ values, targets, change }: FormProps & { readonly targets: readonly PlacedTarget[] }) {
  const points = Object.fromEntries([
    ["0", targets.length > 0 ? "nearest to the middle" : "the brightest"],
    ...targets.map(({ positionMeters: [x, y] }, i) => [String(i + 1), `${i + 1}: x ${fixed(x, 1)} m, y ${fixed(y, 1)} m`]),
  ]);
  return (
    <form class="settings compact" onSubmit={submit}>
      <Choose
        label="Device"
        value={values.device}
        choices={{ cpu: "Processor (WASM)", gpu: "Graphics card (WebGPU)" }}
        unavailable={unavailable}
        change={(device) => change({ device })}
      />
      <Choose
        {...labels.pixels}
        value={String(values.pixels)}
        choices={Object.fromEntries([...new Set([...offeredPixels, values.pixels])].sort((a, b) => a - b).map((n) => [`${n}`, `${n}`]))}
        change={(pixels) => change({ pixels: Number(pixels) })}
      />
      <Choose
        label="Interpolation"
        value={values.interpolation}
        choices={{
          default: "chosen by the package",
          quadratic: "quadratic",
          linear: "linear",
          sinc8: "sinc, 8 taps",
          sinc16: "sinc, 16 taps",
        }}
        change={(interpolation) => change({ interpolation })}
      />
      <Choose
        label="Precision"
        value={values.mode}
        choices={{ precise: "precise: at least 70 dB", fast: "fast: at least 60 dB" }}
        change={(mode) => change({ mode })}
      />
      <Choose label="Measured point" value={String(values.point)} choices={points} change={(point) => change({ point: Number(point) })} />
    </form>
  );
}

/** How the image is shown. */
export function DisplaySettings({ values, change }: FormProps) {
  return (
    <form class="settings compact" onSubmit={submit}>
      <Slider label="Colour range" unit="dB" value={values.range} low={5} high={120} change={(range) => change({ range })} />
      <Choose
        label="Colours"
        value={values.colours}
        choices={{ grey: "grey", viridis: "viridis", inferno: "inferno", cividis: "cividis" }}
        change={(colours) => change({ colours })}
      />
    </form>
  );
}

const offeredPixels = [64, 128, 256, 512, 1024, 2048, 4096];

export function FlightSettings({ values, change }: FormProps) {
  const number = (
    name: "arc" | "standoff" | "altitude" | "scene" | "centre" | "bandwidth" | "targets" | "noise" | "seed",
    [low, high, step]: readonly [number, number, number],
  ) => <Slider {...labels[name]} value={values[name]} low={low} high={high} step={step} change={(next) => change({ [name]: next })} />;
  return (
    <form class="settings compact" onSubmit={submit}>
      <Choose
        label="Track"
        value={values.track}
        choices={{ circular: "circle (spotlight)", linear: "straight line" }}
        change={(track) => change({ track, ...(track === "linear" && values.arc > 150 && { arc: 150 }) })}
      />
      {number("arc", [1, values.track === "linear" ? 150 : 360, 1])}
      {number("standoff", [50, 50_000, 10])}
      {number("altitude", [0, 50_000, 10])}
      {number("scene", [5, 500, 1])}
      {number("centre", [0.3, 100, 0.1])}
      {number("bandwidth", [10, 4000, 10])}
      {number("targets", [1, 200, 1])}
      {number("noise", [0, 100, 0.5])}
      {number("seed", [0, 2 ** 32 - 1, 1])}
    </form>
  );
}
