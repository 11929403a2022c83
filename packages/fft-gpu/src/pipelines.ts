/**
 * Compute pipelines by their text: what was compiled once is there at once, and two who ask at the same time share the work. Those
 * asked for last are kept; plans hold their own, so that letting go of others costs a compilation at most.
 */
import { RadarError } from "@dechirp/core";
import { firstLine } from "./allocation.ts";
import { computeStage } from "./flags.ts";
import { type Place, placeOf } from "./wgsl/user-text.ts";

export interface PipelineSpec {
  readonly code: string;
  readonly entry: string;
  /** Of every binding of arrays, in order: whether it is only read. */
  readonly readOnly: readonly boolean[];
  /** Bytes of the uniforms bound after them; none where 0. */
  readonly uniformBytes: number;
}

export interface Pipeline {
  readonly pipeline: GPUComputePipeline;
  readonly layout: GPUBindGroupLayout;
}

/** Most that are kept: programs have tens, and texts may be new for ever, as where sizes are. */
const mostKept = 256;

export class Pipelines {
  readonly #gpu: GPUDevice;
  readonly #made = new Map<string, Promise<Pipeline>>();

  constructor(gpu: GPUDevice) {
    this.#gpu = gpu;
  }

  /**
   * Throws `compile`. Its fields: `messages`, what the compiler says, each with its place in the user's own text (`field`, `line`, `column`) where
   * it is about that, and in the generated code (`generated`); the first such place; `code`, which is the generated code.
   */
  get(spec: PipelineSpec, what: string): Promise<Pipeline> {
    const key = `${spec.entry}\n${spec.code}`;
    const known = this.#made.get(key);
    const made = known ?? this.#make(spec, what);
    // The latest is the last in order, and the last to be let go.
    this.#made.delete(key);
    this.#made.set(key, made);
    if (known) return known;
    const [oldest] = this.#made.keys();
    if (this.#made.size > mostKept) this.#made.delete(oldest);
    made.catch(() => {
      if (this.#made.get(key) === made) this.#made.delete(key);
    });
    return made;
  }

  async #make({ code, entry, readOnly, uniformBytes }: PipelineSpec, what: string): Promise<Pipeline> {
    const gpu = this.#gpu;
    const entries: GPUBindGroupLayoutEntry[] = readOnly.map((only, binding) => ({
      binding,
      visibility: computeStage,
      buffer: { type: only ? "read-only-storage" : "storage" },
    }));
    if (uniformBytes > 0)
      entries.push({
        binding: readOnly.length,
        visibility: computeStage,
        buffer: { type: "uniform", hasDynamicOffset: true, minBindingSize: uniformBytes },
      });
    gpu.pushErrorScope("validation");
    const module = gpu.createShaderModule({ code, label: what });
    const layout = gpu.createBindGroupLayout({ entries });
    const pipelineLayout = gpu.createPipelineLayout({ bindGroupLayouts: [layout] });
    const pending = gpu.createComputePipelineAsync({ layout: pipelineLayout, compute: { module, entryPoint: entry }, label: what });
    const scope = gpu.popErrorScope();
    let failure: unknown;
    const pipeline = await pending.catch((error: unknown) => {
      failure = error;
      return undefined;
    });
    const refused = await scope;
    if (pipeline && !refused) return { pipeline, layout };
    const { messages } = await module.getCompilationInfo().catch(() => ({ messages: [] as GPUCompilationMessage[] }));
    const said = messages
      .filter(({ type }) => type === "error")
      .map((message) => ({ ...toldOf(code, message), message: firstLine(message) }));
    const texts = said.map(({ field, line, column, message }) =>
      line === 0 ? message : `${field ?? "generated code"}, line ${line}, column ${column}: ${message}`,
    );
    const text = texts.join("; ") || firstLine(refused ?? failure ?? "for a reason that it does not tell");
    const { field, line, column } = said.find((one) => one.field !== undefined) ?? {};
    const place = field === undefined ? {} : { field, line, column };
    throw new RadarError("compile", `${what} does not compile: ${text}`, { what, ...place, messages: said, code }, failure);
  }
}

/** Where a message is, in the user's own text where it is about that, and in the generated code. */
function toldOf(
  code: string,
  { lineNum, linePos }: GPUCompilationMessage,
): Place & { readonly generated: readonly [line: number, column: number] } {
  // Line 0: of no place in particular.
  const place = lineNum === 0 ? { line: 0, column: 0 } : placeOf(code, lineNum, linePos);
  return { ...place, generated: [lineNum, linePos] };
}
