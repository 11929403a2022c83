/** Tables of a simulation and of an analysis: responses beside bounds, faults, recommended values of ρ, and the sweep. */
import { bindingTexts, nameText, sizesText, verdict } from "@dechirp/experiments/schedules";
import type { FaultKind, RhoPoint } from "@dechirp/realtime";
import { type AnalysisReport, faultTexts, maxFaults, policyTexts, type SimulationReport } from "@dechirp/realtime/reports";
import { Table } from "../ui/table.tsx";

/** Microseconds, or a dash. */
const us = (value: number | null): string => (value === null ? "–" : value.toFixed(value >= 1000 ? 0 : 1));
const percent = (share: number | null): string => (share === null ? "–" : `${(100 * share).toFixed(1)} %`);

/** Rounding errors of sums may exceed a bound by this share. */
const rounding = 1 + 1e-9;

/** What was simulated beside what is guaranteed, task by task. */
export function Responses({ report, analysis }: { readonly report: SimulationReport; readonly analysis: AnalysisReport | undefined }) {
  return (
    <Table
      kind="times"
      label="Responses beside bounds, microseconds"
      header={[
        "Task",
        "Permitted units",
        "Lemma 1: wait, µs",
        "Longest wait, µs",
        "Lemma 2, µs",
        "Partition, µs",
        "Bound, µs",
        "Longest response, µs",
        "Of the bound",
        "Within the bound",
        "Deadline, µs",
        "Deadline met",
      ]}
    >
      {report.tasks.map(({ id, count, sizes, waitBound, maxWait, maxResponse, bound, reached, deadline }, i) => {
        const exact = analysis?.tasks[i];
        return (
          <tr key={id}>
            <th scope="row">
              {nameText(id)}
              {count > 1 ? ` ×${count}` : ""}
            </th>
            <td>{sizesText(sizes)}</td>
            <td data-figure="wait-bound">{us(waitBound)}</td>
            <td data-figure="longest-wait">{us(maxWait)}</td>
            <td data-figure="lemma2">{us(exact?.response ?? null)}</td>
            <td data-figure="partition">{us(exact?.partition ?? null)}</td>
            <td>
              <span data-figure="bound">{us(bound)}</span>
              {exact ? ` (${bindingTexts[exact.binding]})` : ""}
            </td>
            <td data-figure="longest-response">{us(maxResponse)}</td>
            <td>{percent(reached)}</td>
            <td class={reached <= rounding ? undefined : "broken"}>{reached <= rounding ? "yes" : "no: exceeded"}</td>
            <td>{us(deadline)}</td>
            <td data-figure="met" class={deadline !== null && bound > deadline ? "broken" : undefined}>
              {deadline === null ? "–" : bound <= deadline ? "met" : maxResponse > deadline ? "missed" : "not guaranteed"}
            </td>
          </tr>
        );
      })}
    </Table>
  );
}

/** The verdict on the bounds, and what the simulation came to. */
export function Summary({ report, analysis }: { readonly report: SimulationReport; readonly analysis: AnalysisReport | undefined }) {
  const { jobs, span, used, throughput, settings, faults } = report;
  const isBroken = Object.keys(faults).length > 0;
  return (
    <p>
      {analysis && (
        <strong data-figure="verdict">
          {verdict(analysis).replace(/^./, (letter) => letter.toUpperCase())}
          {analysis.demand === null ? "" : `; tasks with a period demand at most ${percent(analysis.demand)} of the units' time`}.
        </strong>
      )}{" "}
      Simulated, {policyTexts[settings.policy]}: <span data-figure="jobs">{jobs}</span> jobs in {(span / 1000).toFixed(1)} ms, units in use{" "}
      {percent(used)} of it, throughput <span data-figure="throughput">{percent(throughput)}</span>;{" "}
      {isBroken ? "rules are broken or bounds exceeded, see below" : "no rule is broken, no bound exceeded"}.
    </p>
  );
}

/** What a trace did wrong. */
export function Faults({ report: { faults, examples } }: { readonly report: SimulationReport }) {
  const found = Object.entries(faults) as [FaultKind, number][];
  if (found.length === 0) return null;
  return (
    <section aria-labelledby="faults-title">
      <h2 id="faults-title">Broken rules and exceeded bounds</h2>
      <Table kind="times" label="How often each rule is broken" header={["What", "How often", "The first"]}>
        {found.map(([kind, times]) => {
          const first = examples.find((one) => one.kind === kind);
          return (
            <tr key={kind} data-figure={`fault-${kind}`}>
              <th scope="row">{faultTexts[kind]}</th>
              <td>{times >= maxFaults ? `${maxFaults} or more` : times}</td>
              <td class="text">{first ? `${nameText(first.task)}, job ${first.job}: ${first.text}` : "–"}</td>
            </tr>
          );
        })}
      </Table>
    </section>
  );
}

const pointHeader = ["ρ", "Largest bound, µs", "Bound / deadline", "Throughput", "Permitted units"];

function PointCells({ point: { worstResponse, worstRelative, throughput, sizes } }: { readonly point: RhoPoint }) {
  const told = sizes.slice(0, 4).map((of) => `{${sizesText(of)}}`);
  return (
    <>
      <td data-figure="largest-bound">{us(worstResponse)}</td>
      <td>{percent(worstRelative)}</td>
      <td>{percent(throughput)}</td>
      <td class="text">{[...told, ...(sizes.length > 4 ? ["…"] : [])].join(" ")}</td>
    </>
  );
}

const goals = { response: "least bounds", throughput: "most throughput" } as const;

/** The shortest number that permits what this ρ permits: with four decimals, rounded up. */
function shortest(rho: number): number {
  const rounded = Number(rho.toFixed(4));
  return rounded >= rho ? rounded : Number((rounded + 1e-4).toFixed(4));
}

interface SweepProps {
  readonly analysis: AnalysisReport;
  /** The highest ρ that can be set. */
  readonly most: number;
  readonly use: (rho: number) => void;
}

/** The best values of ρ, with buttons that set them, and all of them. */
export function Sweep({ analysis: { recommended, sweep = [] }, most, use }: SweepProps) {
  return (
    <>
      <Table kind="times" label="Recommended values of ρ" header={["Goal", ...pointHeader]}>
        {recommended.map((choice) => (
          <tr key={choice.goal}>
            <th scope="row">{goals[choice.goal]}</th>
            <td>
              <button
                type="button"
                class="small"
                data-figure={`best-${choice.goal}`}
                disabled={choice.rho > most}
                onClick={() => use(shortest(choice.rho))}
              >
                Use ρ = {choice.rho.toFixed(4)}
              </button>
            </td>
            <PointCells point={choice} />
          </tr>
        ))}
      </Table>
      <details>
        <summary>Every ρ that makes a difference: {sweep.length}</summary>
        <Table kind="times" label="Every ρ that makes a difference" header={pointHeader}>
          {sweep.slice(0, 200).map((point) => (
            <tr key={point.rho}>
              <th scope="row">{point.rho.toFixed(4)}</th>
              <PointCells point={point} />
            </tr>
          ))}
        </Table>
      </details>
    </>
  );
}
