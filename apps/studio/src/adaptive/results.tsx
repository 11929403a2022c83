/** What the page shows of a run: maps, the response at the examined cell, losses, tables and exports. */
import type { StapReport } from "@dechirp/processor";
import { useMemo } from "preact/hooks";
import { Choose } from "../ui/choose.tsx";
import { Figure } from "../ui/figure.tsx";
import { Cell } from "./cell.tsx";
import { Exports } from "./exports.tsx";
import type { Known } from "./known.ts";
import type { FileFacts, Found } from "./messages.ts";
import { RangeDoppler } from "./range-doppler.tsx";
import { fewerTaps } from "./scenario.ts";
import type { Values } from "./settings.ts";
import { Detections, Judgement, Methods, Parameters, Times } from "./tables.tsx";

interface ResultsProps {
  readonly values: Values;
  readonly change: (values: Partial<Values>) => void;
  readonly found: Found;
  readonly report: StapReport | undefined;
  /** Whether no report will come. */
  readonly hasFailed: boolean;
  readonly known: Known | undefined;
  readonly facts: FileFacts | undefined;
  readonly output: () => Promise<Blob>;
}

export function Results({ values, change, found, report, hasFailed, known, facts, output }: ResultsProps) {
  const { on, off, angleDoppler, cuts } = found;
  const maps = useMemo(() => angleDoppler.map((panel) => [panel]), [angleDoppler]);
  const improvement = useMemo(() => known?.improvement && [known.improvement], [known]);
  return (
    <>
      <div class="adaptive-switch">
        <label>
          <input
            type="checkbox"
            role="switch"
            checked={values.adaptive}
            aria-checked={values.adaptive}
            onChange={({ currentTarget }) => change({ adaptive: currentTarget.checked })}
          />
          Adaptive processing
        </label>
        <Choose
          label="Method"
          value={values.method}
          choices={{
            efa: "EFA: all elements, a few Doppler bins",
            jdl: "JDL: 3 beams, a few Doppler bins",
            adpca: "ADPCA: all elements, 2 pulses",
            dpca: "DPCA: differences, no training",
          }}
          change={(method) => change({ method })}
        />
      </div>
      <Cell values={values} change={change} found={found} slope={known?.slope} />
      <div class="adaptive-figures">
        <RangeDoppler panel={values.adaptive ? on : off} change={change} />
        {maps.map((panels, i) => (
          <Figure key={mapNames[i]} kind="heat" data={panels} name={mapNames[i]} text={`Map over Doppler and angle: ${panels[0].title}`} />
        ))}
        {improvement && (
          <Figure
            kind="heat"
            data={improvement}
            name="improvement"
            text="By how many decibels adaptive processing improves each angle and Doppler"
          />
        )}
        {cuts.map((plot, i) => (
          <Figure key={cutNames[i]} kind="curves" data={plot} name={cutNames[i]} text={`Cut through the adapted pattern: ${plot.title}`} />
        ))}
        {known && <Figure kind="curves" data={known.losses} name="sinr-loss" text="SINR loss of each method over Doppler" />}
      </div>
      <div class="adaptive-tables">
        <Detections found={found} />
        {known && <Methods known={known} />}
        <Parameters parameters={found.parameters} whys={facts === undefined ? { temporalTaps: fewerTaps(values) } : {}} />
        <Times found={found} />
        {(report || !hasFailed) && <Judgement report={report} />}
      </div>
      <Exports values={values} report={report} facts={facts} output={output} />
    </>
  );
}

const mapNames = ["spectrum", "adapted-response", "amf-over-azimuth"];
const cutNames = ["response-over-doppler", "response-over-angle"];
