/** The task Real time: tasks that share the units of a device, their response-time bounds, and a simulated schedule against them. */
import { exampleWcet, type Task, type TaskSet } from "@dechirp/realtime";
import type { SimulationReport } from "@dechirp/realtime/reports";
import { useMemo } from "preact/hooks";
import { choice, decimal, integer } from "../settings.ts";
import { type TaskProps, taskBody } from "../task.ts";
import { Choose } from "../ui/choose.tsx";
import { ErrorNote } from "../ui/error-note.tsx";
import { Figure } from "../ui/figure.tsx";
import { Scrolls } from "../ui/scrolls.tsx";
import { Slider } from "../ui/slider.tsx";
import { useLatest } from "../ui/use-latest.ts";
import { useSession } from "../ui/use-session.ts";
import type { RealtimeApi } from "./worker.ts";

const settings = {
  units: integer(1, 64, 19),
  tasks: integer(1, 64, 6),
  rho: decimal(1, 4, 1.1),
  release: choice(["consecutive", "sporadic"], "consecutive"),
  execution: choice(["worst", "random"], "random"),
  jobs: integer(1, 1000, 8),
  seed: integer(0, 2 ** 32 - 1, 1),
};

type Values = TaskProps<typeof settings>["values"];

/** The example of the paper, with as many tasks and units as are set. Periods are needed for sporadic releases. */
function taskSetOf({ units, tasks, rho }: Values): TaskSet {
  const task: Task = { id: "fft-2^24", wcet: exampleWcet, count: tasks, period: 4 * exampleWcet[1]! };
  return { units, rho, tasks: [task] };
}

function View({ values, change }: TaskProps<typeof settings>) {
  const { units, tasks, rho, release, execution, jobs, seed } = values;
  const session = useSession<RealtimeApi>(() => new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "realtime" }));
  const { value, error, isBusy } = useLatest(
    (signal) =>
      session.settled(
        session.api.simulate(taskSetOf(values), { seed, jobs, policy: "fifo", release, execution }, signal) as Promise<Simulated>,
      ),
    [units, tasks, rho, release, execution, jobs, seed],
  );
  const chart = useMemo(() => value && { jobs: value.jobs, options: { units: value.report.units } }, [value]);
  return (
    <>
      <form class="settings">
        <Slider label="ρ" value={rho} low={1} high={4} step={0.01} change={(next) => change({ rho: next })} />
        <Slider label="Tasks" value={tasks} low={1} high={64} change={(next) => change({ tasks: next })} />
        <Slider label="Units" value={units} low={1} high={64} change={(next) => change({ units: next })} />
        <Choose
          label="Releases"
          value={release}
          choices={{ consecutive: "when the previous job has ended", sporadic: "at random distances" }}
          change={(next) => change({ release: next })}
        />
        <Choose
          label="Execution times"
          value={execution}
          choices={{ random: "random, at most the WCET", worst: "the WCET" }}
          change={(next) => change({ execution: next })}
        />
      </form>
      {error !== undefined && <ErrorNote error={error} />}
      {value && chart && (
        <section aria-busy={isBusy}>
          <Responses report={value.report} />
          <Figure kind="gantt" data={chart} name="gantt" text="Which unit works for which task over time, and how many jobs wait" />
        </section>
      )}
    </>
  );
}

type Simulated = Awaited<ReturnType<RealtimeApi["simulate"]>>;

function Responses({ report: { tasks } }: { readonly report: SimulationReport }) {
  return (
    <Scrolls label="Response times">
      <table>
        <thead>
          <tr>
            <th scope="col">Task</th>
            <th scope="col">Permitted units</th>
            <th scope="col">Bound, µs</th>
          </tr>
        </thead>
        <tbody>
          {tasks.map(({ id, sizes, waitBound }) => (
            <tr key={id}>
              <th scope="row">{id}</th>
              <td>{sizes.join(", ")}</td>
              <td data-figure="bound">{waitBound.toFixed(0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolls>
  );
}

export const realtime = taskBody(settings, View);
