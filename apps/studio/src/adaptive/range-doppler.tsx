/** The map over Doppler and range. A click on it chooses the cell to examine. */
import type { StapPanel } from "@dechirp/processor";
import { useMemo } from "preact/hooks";
import { heatAreasOf } from "../drawing/draw.ts";
import { Figure } from "../ui/figure.tsx";
import type { Values } from "./settings.ts";

interface RangeDopplerProps {
  readonly panel: StapPanel;
  readonly change: (values: Partial<Values>) => void;
}

export function RangeDoppler({ panel, change }: RangeDopplerProps) {
  const panels = useMemo(() => [panel], [panel]);
  const areas = useMemo(() => heatAreasOf(panels), [panels]);
  const pick = async (x: number, y: number): Promise<void> => {
    const [{ left, top, width, height }] = await areas;
    const column = Math.floor(((x - left) / width) * panel.x.count);
    const range = Math.floor((1 - (y - top) / height) * panel.y.count);
    if (column < 0 || column >= panel.x.count || range < 0 || range >= panel.y.count) return;
    change({ cell: [range, Number((panel.x.start + column * panel.x.step).toPrecision(8))] });
  };
  return <Figure kind="heat" data={panels} name="range-doppler" text={`Map over Doppler and range: ${panel.title}`} pick={pick} />;
}
