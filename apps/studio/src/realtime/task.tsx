/** The task Real time: tasks that share the units of a device, their response-time bounds, and a simulated schedule against them. */
import type { TaskSet } from "@dechirp/realtime";
import { type Policy, policyTexts, type SimulationSettings, withRho } from "@dechirp/realtime/reports";
import { proxy } from "comlink";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { choice, decimal, integer, words } from "../settings.ts";
import { type TaskProps, taskBody } from "../task.ts";
import { Choose } from "../ui/choose.tsx";
import { ErrorNote } from "../ui/error-note.tsx";
import { Figure } from "../ui/figure.tsx";
import { type Advance, Progress } from "../ui/progress.tsx";
import { Slider } from "../ui/slider.tsx";
import { type Latest, useLatest } from "../ui/use-latest.ts";
import { useSession } from "../ui/use-session.ts";
import { useTyped } from "../ui/use-typed.ts";
import type { WorkerSession } from "../work/worker-session.ts";
import { Exports } from "./exports.tsx";
import { type PresetName, presets } from "./presets.ts";
import "./realtime.css";
import { longestInAddress, OwnTasks } from "./source.tsx";
import { Faults, Responses, Summary, Sweep } from "./tables.tsx";
import type { Analysed, RealtimeApi } from "./worker.ts";

/** The largest ρ of the slider. */
const mostRho = 4;

const settings = {
  set: choice(["paper", "radar", "crowded", "single", "own"], "paper"),
  json: words("", longestInAddress),
  units: integer(1, 64, 19),
  tasks: integer(1, 64, 6),
  rho: decimal(1, mostRho, 1.1),
  policy: choice(["fifo", "lifo", "two-jobs", "without-one"], "fifo"),
  release: choice(["consecutive", "sporadic"], "consecutive"),
  execution: choice(["worst", "random"], "random"),
  jobs: integer(1, 1000, 8),
  seed: integer(0, 2 ** 32 - 1, 1),
};

type Values = TaskProps<typeof settings>["values"];
type Props = TaskProps<typeof settings>;

const titles: Readonly<Record<PresetName | "own", string>> = {
  ...(Object.fromEntries(Object.entries(presets).map(([name, { title }]) => [name, title])) as Record<PresetName, string>),
  own: "own tasks.json",
};

const policies = Object.fromEntries(
  Object.entries(policyTexts).map(([name, text]) => [name, name === "fifo" ? text : `broken: ${text}`]),
) as Record<Policy, string>;

function View({ values, change }: Props) {
  const session = useSession<RealtimeApi>(() => new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "realtime" }));
  const [own, setOwn] = useState<{ readonly text: string; readonly set: TaskSet }>();
  const { set: source, units, tasks, rho, json } = values;
  const given = useMemo(
    (): TaskSet | undefined => (source === "own" ? own?.set : presets[source].set(units, tasks)),
    [source, source === "own" ? own?.set : undefined, units, tasks],
  );
  const set = useMemo(() => given && withRho(given, rho), [given, rho]);
  const use = (text: string, read: TaskSet): void => {
    const isNew = text !== own?.text && text !== json;
    setOwn({ text, set: read });
    if (!isNew) return;
    const ownRho = read.rho !== undefined && read.rho <= mostRho ? { rho: read.rho } : {};
    change({ json: text.length <= longestInAddress ? text : "", ...ownRho });
  };
  return (
    <>
      <Choices values={values} change={change} given={given} />
      {source === "own" && <OwnTasks session={session} text={json} use={use} />}
      {given?.tasks.some((task) => task.rho !== undefined) && (
        <p>
          <small>Tasks of this set have a ρ of their own. The ρ above replaces them, as the option --rho does.</small>
        </p>
      )}
      {given && set && (
        <Schedule session={session} set={set} values={values} change={change} isInAddress={source !== "own" || own?.text === json} />
      )}
    </>
  );
}

function Choices({ values, change, given }: Props & { readonly given: TaskSet | undefined }) {
  const { set, units, tasks, rho, policy, release, execution, jobs, seed } = values;
  const typedSeed = useTyped(seed, (field) => field.value !== "" && field.reportValidity() && change({ seed: Number(field.value) }));
  const choose = (next: Values["set"]): void =>
    change(next === "own" && values.json === "" && given ? { set: next, json: jsonText(given, rho) } : { set: next });
  return (
    <form class="settings" onSubmit={(event) => event.preventDefault()}>
      <Choose label="Task set" value={set} choices={titles} change={choose} />
      <Slider
        label="ρ, permitted ratio of unit times"
        value={rho}
        low={1}
        high={mostRho}
        step={0.01}
        change={(next) => change({ rho: next })}
      />
      {set === "paper" && (
        <>
          <Slider label="Tasks" value={tasks} low={1} high={64} change={(next) => change({ tasks: next })} />
          <Slider label="Units" value={units} low={1} high={64} change={(next) => change({ units: next })} />
        </>
      )}
      <Choose label="Policy" value={policy} choices={policies} change={(next) => change({ policy: next })} />
      <Choose
        label="Releases"
        value={release}
        choices={{ consecutive: "after the job before", sporadic: "1 to 2 periods apart" }}
        change={(next) => change({ release: next })}
      />
      <Choose
        label="Execution times"
        value={execution}
        choices={{ random: "random, ½ WCET to WCET", worst: "always the WCET" }}
        change={(next) => change({ execution: next })}
      />
      <Slider label="Jobs of each task" value={jobs} low={1} high={200} change={(next) => change({ jobs: next })} />
      <label>
        Seed of the random times
        <input type="number" {...typedSeed} min={0} max={2 ** 32 - 1} step={1} />
      </label>
    </form>
  );
}

const jsonText = (set: TaskSet, rho: number): string => JSON.stringify({ ...set, rho }, null, 1);

interface ScheduleProps extends Props {
  readonly session: WorkerSession<RealtimeApi>;
  readonly set: TaskSet;
  readonly isInAddress: boolean;
}

type Simulated = Awaited<ReturnType<RealtimeApi["simulate"]>>;

function Schedule({ session, set, values, change, isInAddress }: ScheduleProps) {
  const { policy, release, execution, jobs, seed } = values;
  const how: SimulationSettings = useMemo(() => ({ seed, jobs, policy, release, execution }), [seed, jobs, policy, release, execution]);
  const simulation = useWork<Simulated>(
    (signal, told) => session.settled(session.api.simulate(set, how, signal, told) as Promise<Simulated>),
    [set, how],
  );
  const analysis = useWork<Analysed>((signal, told) => session.settled(session.api.analyse(set, signal, told) as Promise<Analysed>), [set]);
  const simulated = simulation.value;
  const analysed = analysis.value;
  const chart = useMemo(
    () => simulated && { jobs: simulated.jobs, options: { units: simulated.report.units, title: chartTitle(simulated.report.settings) } },
    [simulated],
  );
  // Until the newer of both is there, the tables of the two would not fit together.
  const matching = analysed && simulated && analysed.report.rho === simulated.report.rho ? analysed.report : undefined;
  return (
    <>
      <Work name="Simulation" work={simulation} />
      {simulated && chart && (
        <section aria-busy={simulation.isBusy} aria-labelledby="responses-title">
          <h2 id="responses-title">Responses and bounds</h2>
          <Summary report={simulated.report} analysis={matching} />
          <Responses report={simulated.report} analysis={matching} />
          {simulated.report.notes.map((note) => (
            <p key={note}>
              <small>{note.replace(/^./, (letter) => letter.toUpperCase())}.</small>
            </p>
          ))}
          <div class="figures responses">
            <Figure
              kind="dots"
              data={simulated.responses}
              name="responses"
              text="Simulated responses beside bounds and deadlines, by task"
            />
            <Figure kind="gantt" data={chart} name="gantt" text="Which unit works for which task over time, and how many jobs wait" />
          </div>
          <Faults report={simulated.report} />
        </section>
      )}
      <Work name="Analysis" work={analysis} />
      {analysed && (
        <section aria-busy={analysis.isBusy} aria-labelledby="rho-title">
          <h2 id="rho-title">Which ρ</h2>
          <Sweep analysis={analysed.report} most={mostRho} use={(rho) => change({ rho })} />
          <div class="figures">
            {analysed.plots.map((plot, i) => (
              <Figure key={plot.title} kind="lines" data={plot} name={figureNames[i]} text={plot.title} />
            ))}
          </div>
        </section>
      )}
      <Exports session={session} set={set} name={values.set} settings={how} isInAddress={isInAddress} />
    </>
  );
}

const figureNames = ["bounds-by-rho", "throughput-by-rho", "bounds-by-tasks"] as const;

const chartTitle = ({ policy, release, execution, seed }: SimulationSettings): string =>
  `Simulated grants by unit: ${policy}, ${release}, execution ${execution}, seed ${seed}`;

interface WorkState<T> extends Latest<T> {
  /** How far the work is, if it takes long enough to say. */
  readonly advance: Advance | undefined;
  readonly isCancelled: boolean;
  cancel(): void;
}

/** After how many milliseconds the page shows how far work is. */
const patience = 400;

/** Work that starts again when an input changes, and that can be cancelled. */
function useWork<T>(
  work: (signal: AbortSignal, told: (what: string, share: number) => void) => Promise<T>,
  inputs: readonly unknown[],
): WorkState<T> {
  const [advance, setAdvance] = useState<Advance>();
  const [isCancelled, setCancelled] = useState(false);
  const stop = useRef<AbortController>(undefined);
  const latest = useLatest(async (signal) => {
    const own = new AbortController();
    signal.addEventListener("abort", () => own.abort());
    stop.current = own;
    setCancelled(false);
    const start = performance.now();
    const told = proxy((what: string, share: number) => {
      if (performance.now() - start > patience) setAdvance({ what, share });
    });
    try {
      return await work(own.signal, told);
    } finally {
      setAdvance(undefined);
    }
  }, inputs);
  const cancel = (): void => {
    setCancelled(true);
    stop.current?.abort();
  };
  useEffect(() => () => stop.current?.abort(), []);
  return { ...latest, advance, isCancelled, cancel };
}

function Work({ name, work: { advance, error, isCancelled, cancel } }: { readonly name: string; readonly work: WorkState<unknown> }) {
  return (
    <>
      {error !== undefined && <ErrorNote error={error} />}
      {isCancelled ? (
        <p role="status">{name} cancelled. Change a setting to start it again.</p>
      ) : (
        advance && <Progress advance={{ ...advance, what: `${name}: ${advance.what}` }} cancel={cancel} />
      )}
    </>
  );
}

export const realtime = taskBody(settings, View);
