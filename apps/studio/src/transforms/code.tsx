/** What runs: the plans of the devices, and the code that was generated for them. */
import { CopyButton } from "../ui/copy-button.tsx";
import { fileNameOf } from "../ui/file-name.ts";
import { saveBlob } from "../ui/save.ts";
import type { DeviceName } from "../work/devices.ts";
import type { ContenderResult, PlanFacts } from "./measure.ts";
import { deviceTitles, type Outcome } from "./results.tsx";

export function Code({ outcomes }: { readonly outcomes: readonly Outcome[] }) {
  return (
    <section aria-labelledby="code-title">
      <h2 id="code-title">What runs</h2>
      {outcomes.map(({ name, measured }) =>
        measured?.rows.map((row) => row.plan && <PlanOf key={`${name} ${row.name}`} device={name} row={row} plan={row.plan} />),
      )}
    </section>
  );
}

interface PlanProps {
  readonly device: DeviceName;
  readonly row: ContenderResult;
  readonly plan: PlanFacts;
}

function PlanOf({ device, row: { name }, plan: { text, cost, layouts, kernels, hookBytes } }: PlanProps) {
  return (
    <details class="plan">
      <summary>
        {deviceTitles[device]}, {name}: <code data-figure={`${device}-${name === "with the hook" ? "hooked" : name}-plan`}>{text}</code>
      </summary>
      <p>
        {cost.flops.toLocaleString("en")} operations, {cost.bytes.toLocaleString("en")} bytes, {cost.passes}{" "}
        {cost.passes === 1 ? "pass" : "passes"} over memory. Arrays:{" "}
        {Object.entries(layouts)
          .map(([port, shape]) => `${port} ${shape}`)
          .join(", ")}
        .
      </p>
      {device === "cpu" && (
        <p>
          The processor runs kernels of WebAssembly with SIMD that are shared by all plans, or JavaScript where the arrays have double
          precision. They have no text.
          {name === "with the hook" && text.includes("by reference")
            ? " This hook is computed by its float64 reference in JavaScript, which is slower."
            : hookBytes !== undefined &&
              ` The hook became a WebAssembly module of ${hookBytes} bytes, which computes runs of neighbouring elements inside the pass.`}
        </p>
      )}
      {kernels.map(({ code, entry }, i) => (
        <Kernel
          key={code}
          title={`WGSL of kernel ${i + 1} of ${kernels.length}, entry point ${entry}`}
          name={`${name}-${i + 1}`}
          code={code}
        />
      ))}
    </details>
  );
}

function Kernel({ title, name, code }: { readonly title: string; readonly name: string; readonly code: string }) {
  return (
    <section class="kernel" aria-label={title}>
      <p>
        {title}, {code.split("\n").length} lines{" "}
        <button
          type="button"
          class="small"
          onClick={() => saveBlob(fileNameOf(`transform ${name}`, "kernel", "wgsl"), new Blob([code], { type: "text/plain" }))}
        >
          Save
        </button>
        <CopyButton text={code} otherwise="save the text, or select it" />
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without it, the keyboard could not scroll this part. */}
      <pre class="code" tabIndex={0}>
        <code>{code}</code>
      </pre>
    </section>
  );
}
