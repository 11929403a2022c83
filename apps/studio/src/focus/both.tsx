/** One image on both devices, side by side with one view: the processor first, then the graphics card, so that neither slows the other. */
import { transfer } from "comlink";
import { ErrorNote } from "../ui/error-note.tsx";
import { useLatest } from "../ui/use-latest.ts";
import { Outcome, Reasons, RecordingFactsOf } from "./details.tsx";
import { jobOf } from "./job.ts";
import type { Difference } from "./messages.ts";
import type { FocusProps } from "./one.tsx";
import { Picture } from "./picture.tsx";
import { useNoting } from "./use-noting.ts";
import { type Run, useRun } from "./use-run.ts";

export function Both({ source, values, change, addAgc }: FocusProps) {
  const first = jobOf(source, values, "cpu");
  const cpu = useRun(first.job, first.key, "cpu");
  useNoting(source, cpu);
  const isReady = cpu.focused !== undefined && !cpu.advance;
  // A centroid that was measured is measured once, so that both images have the same parameters.
  const measured = values.centroid === undefined || values.centroid === "auto" ? cpu.proposal?.centroidHz : undefined;
  const second = jobOf(source, values, "gpu", measured);
  const gpu = useRun(isReady ? second.job : undefined, second.key, "gpu");
  return (
    <>
      <Compared cpu={cpu} gpu={gpu} />
      <div class="pair">
        <Picture run={cpu} label="Image by WebAssembly" task="focus-wasm" values={values} change={change}>
          <Title name="WebAssembly" run={cpu} />
        </Picture>
        <Picture run={gpu} label="Image by WebGPU" task="focus-webgpu" values={values} change={change} isBare>
          <Title name="WebGPU" run={gpu} />
        </Picture>
      </div>
      <div class="pair">
        <Outcome run={cpu} job={first.job} task="focus-wasm" />
        <Outcome run={gpu} job={second.job} task="focus-webgpu" />
      </div>
      <RecordingFactsOf run={cpu} values={values} change={change} addAgc={addAgc} />
      <Reasons run={cpu} values={values} change={change} />
    </>
  );
}

function Title({ name, run: { focused } }: { readonly name: string; readonly run: Run }) {
  const focusing = focused?.report.timings.find(({ name }) => name === "focus" || name === "project");
  return (
    <h2>
      {name} {focusing && <small data-figure={`${name} time`}>{(focusing.milliseconds / 1000).toFixed(2)} s to focus</small>}
    </h2>
  );
}

function Compared({ cpu, gpu }: { readonly cpu: Run; readonly gpu: Run }) {
  const isReady = cpu.focused !== undefined && gpu.focused !== undefined;
  const { value, error } = useLatest(
    async (signal): Promise<Difference | undefined> => {
      const [a, b] = [cpu.image, gpu.image];
      if (!isReady || !a || !b) return undefined;
      const [first, second] = await Promise.all([a.connect(), b.connect()]);
      const { rows, columns } = a.facts;
      const { api, settled } = gpu.session;
      return settled(api.compare({ rows, columns }, transfer(first, [first]), transfer(second, [second]), signal) as Promise<Difference>);
    },
    [isReady, cpu.image, gpu.image],
  );
  if (error !== undefined) return <ErrorNote error={error} />;
  if (!value) return <p role="status">The processor focuses first, then the graphics card, so that neither slows the other.</p>;
  return (
    <p role="status">
      The images differ by <strong data-figure="relative difference">{value.relative.toExponential(2)}</strong> (root mean square, relative
      to the image), and nowhere by more than <strong data-figure="largest difference">{value.largest.toExponential(2)}</strong> of the
      brightest pixel.
    </p>
  );
}
