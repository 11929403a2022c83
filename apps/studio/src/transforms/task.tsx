/** The task Transforms: rate, share of the copy's rate, and error of a transform on the devices of this browser, with a hook that is edited live. */
import { isRadarError } from "@dechirp/core";
import { proxy } from "comlink";
import { useRef, useState } from "preact/hooks";
import { choice, decimal, integer, words } from "../settings.ts";
import { type TaskProps, taskBody } from "../task.ts";
import { Choose } from "../ui/choose.tsx";
import { ErrorNote } from "../ui/error-note.tsx";
import { type Advance, Progress } from "../ui/progress.tsx";
import { useLatest } from "../ui/use-latest.ts";
import { useSession } from "../ui/use-session.ts";
import { inControlWords } from "../ui/words.ts";
import type { DeviceName } from "../work/devices.ts";
import { Code } from "./code.tsx";
import { turnedText } from "./examples.ts";
import { Field } from "./field.tsx";
import { Hook } from "./hook.tsx";
import { controls } from "./labels.ts";
import { Paper } from "./paper.tsx";
import type { TransformChoices } from "./problem.ts";
import { deviceTitles, type Outcome, Results } from "./results.tsx";
import "./transforms.css";
import type { DeviceMeasured, TransformsApi } from "./worker.ts";

const settings = {
  n: integer(1, 2 ** 24, 4096),
  batch: integer(1, 65_536, 64),
  axis: choice(["rows", "columns"], "rows"),
  direction: choice(["forward", "inverse"], "forward"),
  type: choice(["c64", "c128", "f32", "f64"], "c64"),
  device: choice(["both", "cpu", "gpu"], "both"),
  hook: choice(["none", "load", "store"], "load"),
  text: words("x * w[i1]"),
  seconds: decimal(0.01, 10, 0.2),
  seed: integer(0, 2 ** 32 - 1, 1),
  paper: choice(["quick", "full"], "quick"),
  paperDevice: choice(["both", "cpu", "gpu"], "both"),
};

function View({ values, change }: TaskProps<typeof settings>) {
  const { n, batch, axis, direction, type, device, hook, text, seconds, seed, paper, paperDevice } = values;
  const choices: TransformChoices = { n, batch, axis, direction, type, hook, text, seed };
  const [times, setTimes] = useState(0);
  const again = (): void => setTimes(times + 1);
  const { outcomes, error, isBusy, advance, cancel } = useMeasurement(choices, device, seconds, times);
  return (
    <>
      <form class="settings" onSubmit={(event) => event.preventDefault()}>
        <Field label={controls.n.label} value={n} low={1} high={2 ** 24} offers={lengths} change={(next) => change({ n: next })} />
        <Field label={controls.batch.label} value={batch} low={1} high={65_536} change={(next) => change({ batch: next })} />
        <Choose
          label="Element type of the lines"
          value={type}
          choices={{ c64: "complex, single (c64)", f32: "real, single (f32)", c128: "complex, double (c128)", f64: "real, double (f64)" }}
          change={(next) => change({ type: next })}
        />
        <Choose
          label="Direction"
          value={direction}
          choices={{ forward: "forward: time to frequency", inverse: "inverse: frequency to time" }}
          change={(next) => change({ direction: next })}
        />
        <Choose
          label="Axis"
          value={axis}
          choices={{ rows: "rows: neighbours in memory", columns: "columns: a line's points are apart" }}
          change={(next) => change({ axis: next, text: turnedText(text, axis, next) })}
        />
        <Choose
          label="Device"
          value={device}
          choices={{ both: "both, side by side", cpu: deviceTitles.cpu, gpu: deviceTitles.gpu }}
          change={(next) => change({ device: next })}
        />
        <Field
          label="Seconds of each measurement"
          value={seconds}
          low={0.01}
          high={10}
          step="any"
          change={(next) => change({ seconds: next })}
        />
        <Field label="Seed of the noise" value={seed} low={0} high={2 ** 32 - 1} change={(next) => change({ seed: next })} />
      </form>
      <Hook choices={choices} change={change} />
      <section aria-labelledby="rates-title">
        <h2 id="rates-title">Rate and error</h2>
        {isBusy && advance ? (
          <Progress advance={advance} cancel={cancel} />
        ) : (
          <button type="button" class="small" onClick={again}>
            Measure again
          </button>
        )}
        {error !== undefined && <ErrorNote error={inControlWords(controls, error)} />}
        {outcomes && (
          <div aria-busy={isBusy} data-figure={isBusy ? undefined : "measured"}>
            <Results outcomes={outcomes} again={again} />
            <Code outcomes={outcomes} />
          </div>
        )}
      </section>
      <Paper size={paper} devices={paperDevice} seconds={seconds} change={(next) => change(next)} />
    </>
  );
}

const lengths = [256, 1000, 1024, 2048, 4096, 6000, 8192, 10_007, 16_384, 65_536, 2 ** 20];

/**
 * Measures when something has changed, one device after the other, so that they don't disturb each other. A cancelled measurement keeps what had
 * been measured on the device before.
 */
function useMeasurement(choices: TransformChoices, device: "both" | DeviceName, seconds: number, times: number) {
  const [advance, setAdvance] = useState<Advance>();
  const [partial, setPartial] = useState<readonly Outcome[]>([]);
  const stop = useRef<AbortController>(undefined);
  const session = useSession<TransformsApi>(
    () => new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "transforms" }),
  );
  /** The devices in the order of the table. */
  // Without WebGPU, which the page says below, both are the processor alone.
  const names: readonly DeviceName[] = device !== "both" ? [device] : "gpu" in navigator ? ["cpu", "gpu"] : ["cpu"];
  const { n, batch, axis, direction, type, hook, text, seed } = choices;
  const { value, error, isBusy } = useLatest(
    async (signal): Promise<readonly Outcome[]> => {
      const own = new AbortController();
      signal.addEventListener("abort", () => own.abort());
      stop.current = own;
      const outcomes: Outcome[] = [];
      setPartial([]);
      for (const [i, name] of names.entries()) {
        const told = proxy((what: string, share: number) =>
          setAdvance({ what: `${deviceTitles[name]}: ${what}`, share: (i + share) / names.length }),
        );
        try {
          const call = session.api.measure(name, choices, seconds, own.signal, told);
          outcomes.push({ name, measured: (await session.settled(call)) as DeviceMeasured });
        } catch (thrown) {
          if (signal.aborted || isRadarError(thrown, "input")) throw thrown;
          outcomes.push({ name, error: thrown });
        }
        setPartial([...outcomes]);
      }
      return outcomes;
    },
    [n, batch, axis, direction, type, hook, hook === "none" ? "" : text, seed, device, seconds, times],
  );
  return { outcomes: isBusy && partial.length > 0 ? partial : value, error, isBusy, advance, cancel: () => stop.current?.abort() };
}

export const transforms = taskBody(settings, View);
