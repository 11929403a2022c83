/** The settings of adaptive processing, grouped by what they change. */
import { useId } from "preact/hooks";
import { Choose } from "../ui/choose.tsx";
import { Slider } from "../ui/slider.tsx";
import { useTyped } from "../ui/use-typed.ts";
import { labels } from "./labels.ts";
import { axisOrders, type settings, type Values } from "./settings.ts";

type Change = (values: Partial<Values>) => void;

interface ControlsProps {
  readonly values: Values;
  readonly change: Change;
  readonly source: "ward" | "file";
}

export function Controls({ values, change, source }: ControlsProps) {
  return (
    <form class="adaptive-controls" onSubmit={(event) => event.preventDefault()}>
      {source === "ward" ? <RadarControls values={values} change={change} /> : <FileControls values={values} change={change} />}
      <ProcessingControls values={values} change={change} />
    </form>
  );
}

type NumberName = { [K in keyof Values]: Values[K] extends number ? K : never }[keyof Values];

function RadarControls({ values, change }: Omit<ControlsProps, "source">) {
  const slider = (name: NumberName, low: number, high: number, unit?: string, step = 1) => (
    <Slider
      key={name}
      label={labels[name]}
      value={values[name]}
      low={low}
      high={high}
      step={step}
      {...(unit && { unit })}
      change={(next) => change({ [name]: next })}
    />
  );
  return (
    <>
      <fieldset>
        <legend>Radar</legend>
        {slider("elements", 2, 24)}
        {slider("pulses", 4, 64)}
        {slider("ranges", 64, 2048)}
        {slider("speed", 0, 200, "m/s")}
      </fieldset>
      <fieldset>
        <legend>Interference</legend>
        {slider("cnr", -20, 70, "dB")}
        {slider("jammers", 0, 2)}
        {values.jammers > 0 && slider("jnr", -20, 60, "dB")}
        {values.jammers > 0 && slider("jammer1", -80, 80, "°")}
        {values.jammers > 1 && slider("jammer2", -80, 80, "°")}
      </fieldset>
      <fieldset>
        <legend>Target</legend>
        {slider("doppler", -150, 150, "Hz")}
        {slider("angle", -80, 80, "°")}
        {slider("snr", -40, 40, "dB")}
        {slider("seed", 0, 100)}
      </fieldset>
    </>
  );
}

const axisWord: Readonly<Record<string, string>> = { c: "channel", p: "pulse", r: "range" };
const axisChoices = {
  auto: "as the file says",
  ...Object.fromEntries(axisOrders.map((order) => [order, [...order].map((letter) => axisWord[letter]).join(", ")])),
} as Record<Values["axes"], string>;

function FileControls({ values, change }: Omit<ControlsProps, "source">) {
  return (
    <fieldset>
      <legend>File</legend>
      <Choose label={labels.axes} value={values.axes} choices={axisChoices} change={(axes) => change({ axes })} />
      <AutoNumber label={labels.cpi} value={values.cpi} low={1} high={4096} change={(cpi) => change({ cpi: cpi === "auto" ? 1 : cpi })} />
      <AutoNumber label={labels.prf} value={values.prf} low={1e-3} high={1e9} step="any" change={(prf) => change({ prf })} />
      <AutoNumber
        label={labels.spacing}
        value={values.spacing}
        low={1e-3}
        high={100}
        step="any"
        change={(spacing) => change({ spacing })}
      />
      <AutoNumber
        label="Azimuth to look at, °"
        value={values.angle}
        low={-80}
        high={80}
        change={(angle) => change({ angle: angle === "auto" ? 0 : angle })}
      />
    </fieldset>
  );
}

function ProcessingControls({ values, change }: Omit<ControlsProps, "source">) {
  const choose = <K extends keyof Values & ("preset" | "padding" | "window" | "directions" | "training")>(
    name: K,
    choices: Record<(typeof settings)[K]["default"] & string, string>,
  ) => (
    <Choose
      label={labels[name]}
      value={values[name] as string}
      choices={choices as Record<string, string>}
      change={(next) => change({ [name]: next })}
    />
  );
  return (
    <fieldset>
      <legend>Processing</legend>
      {choose("directions", { auto: "automatic", look: "the target's azimuth", scan: "a scan, −60° to 60° by 5°" })}
      <AutoNumber label={labels.taps} value={values.taps} low={1} high={9} change={(taps) => change({ taps })} />
      {choose("padding", { auto: "automatic", 1: "1", 2: "2, zero-padded" })}
      {choose("window", {
        auto: "automatic",
        hann: "Hann",
        hamming: "Hamming",
        taylor: "Taylor",
        chebyshev: "Chebyshev",
      })}
      {choose("training", {
        auto: "automatic",
        adjacent: "both neighbouring blocks",
        own: "the block itself",
        sliding: "all ranges around each",
      })}
      <AutoNumber label={labels.block} value={values.block} low={1} high={65536} change={(block) => change({ block })} />
      <AutoNumber label={labels.guard} value={values.guard} low={0} high={4096} change={(guard) => change({ guard })} />
      <AutoNumber label={labels.loading} value={values.loading} low={0} high={1} step="any" change={(loading) => change({ loading })} />
      <AutoNumber label={labels.pfa} value={values.pfa} low={1e-15} high={0.5} step="any" change={(pfa) => change({ pfa })} />
      {choose("preset", {
        auto: "the recording's, or none",
        paper: "paper: blocks of 32 ranges, two Doppler bins per pulse",
        perfect: "PERFECT suite: each block trains itself",
        "mountain-top": "Mountain Top",
      })}
      <Choose
        label="Device"
        value={values.device}
        choices={{ cpu: "processor (WASM)", gpu: "gpu" in navigator ? "graphics card (WebGPU)" : "graphics card: no WebGPU here" }}
        unavailable={"gpu" in navigator ? [] : ["gpu"]}
        change={(device) => change({ device })}
      />
    </fieldset>
  );
}

interface AutoNumberProps {
  readonly label: string;
  readonly value: number | "auto";
  readonly low: number;
  readonly high: number;
  readonly step?: number | "any";
  readonly change: (value: number | "auto") => void;
}

/** A number, or nothing if the program decides. */
function AutoNumber({ label, value, low, high, step = 1, change }: AutoNumberProps) {
  const id = useId();
  const typed = useTyped(value === "auto" ? "" : value, ({ value: text }) => {
    const next = Number(text);
    if (text === "") change("auto");
    else if (next >= low && next <= high) change(next);
  });
  return (
    <div class="auto-number">
      <label for={id}>{label}</label>
      <input id={id} type="number" placeholder="automatic" min={low} max={high} step={step} {...typed} />
    </div>
  );
}
