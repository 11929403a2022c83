/** Controls of an image's colours: ends of the scale, colour map, looks, and the whole image. */
import type { ComponentChildren } from "preact";
import { Choose } from "../ui/choose.tsx";
import { Slider } from "../ui/slider.tsx";
import type { DbRange } from "./facts.ts";
import type { ImageValues } from "./settings.ts";

interface DisplayControlsProps {
  readonly values: ImageValues;
  /** The ends that are shown now. */
  readonly range: DbRange;
  readonly change: (values: Partial<ImageValues>) => void;
  readonly children?: ComponentChildren;
}

/** Ends of the sliders. */
const [lowest, highest] = [-120, 10];
const looksChoices = ["1x1", "2x2", "3x3", "4x4", "8x8", "16x16", "2x1", "4x1", "8x1", "16x1", "1x2", "1x4", "1x8", "1x16"];

const rounded = (value: number): number => Math.round(value * 10) / 10;

export function DisplayControls({ values: { db, colours, looks }, range, change, children }: DisplayControlsProps) {
  const { lowDb, highDb } = range;
  const shown = looks.join("x");
  const choices = Object.fromEntries(
    [...new Set([...looksChoices, shown])].map((name) => [name, name === "1x1" ? "single pixels" : name.replace("x", " × ")]),
  );
  return (
    <form class="settings display" onSubmit={(event) => event.preventDefault()}>
      <Slider
        label="Darkest"
        unit="dB"
        value={rounded(lowDb)}
        low={lowest}
        high={highest}
        step={0.1}
        change={(next) => change({ db: { lowDb: next, highDb: Math.max(highDb, next + 1) } })}
      />
      <Slider
        label="Brightest"
        unit="dB"
        value={rounded(highDb)}
        low={lowest}
        high={highest}
        step={0.1}
        change={(next) => change({ db: { lowDb: Math.min(lowDb, next - 1), highDb: next } })}
      />
      <Choose
        label="Colours"
        value={colours}
        choices={{ grey: "grey", viridis: "viridis", inferno: "inferno", cividis: "cividis" }}
        change={(next) => change({ colours: next })}
      />
      <Choose
        label="Looks, rows × columns"
        value={shown}
        choices={choices}
        change={(next) => {
          const [rows = 1, columns = 1] = next.split("x").map(Number);
          change({ looks: [rows, columns] });
        }}
      />
      <div class="buttons">
        <button type="button" class="small secondary outline" disabled={db === "auto"} onClick={() => change({ db: "auto" })}>
          Automatic range
        </button>
        <button type="button" class="small secondary outline" onClick={() => change({ view: undefined })}>
          Whole image
        </button>
        {children}
      </div>
    </form>
  );
}
