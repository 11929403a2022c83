/**
 * A cache of compute pipelines by their text. Concurrent requests for the same text share a compilation. The most recently requested
 * pipelines are kept. Plans hold their own pipelines, so removing one from the cache costs at most another compilation.
 */
import { RadarError } from "@dechirp/core";
import { firstLine } from "./allocation.ts";
import { computeStage } from "./flags.ts";
import { type Place, placeOf } from "./wgsl/user-text.ts";

/** The text of a pipeline and the layout of its bindings. */
export interface PipelineSpec {
  readonly code: string;
  readonly entry: string;
  /** For each array binding in order, whether it is only read. */
  readonly readOnly: readonly boolean[];
  /** Bytes of the uniforms, which are bound after the arrays. 0 for none. */
  readonly uniformBytes: number;
}

/** A compiled pipeline with its layout. */
export interface Pipeline {
  readonly pipeline: GPUComputePipeline;
  readonly layout: GPUBindGroupLayout;
}

/** The largest number of pipelines in the cache. Programs have tens of them, but texts that contain sizes may change without end. */
const mostKept = 256;

/** The pipelines of a device. */
export class Pipelines {
  readonly #gpu: GPUDevice;
  readonly #made = new Map<string, Promise<Pipeline>>();
  /** Functions that are told of every pipeline that is requested, cached or not. */
  readonly listeners = new Set<(spec: PipelineSpec, what: string) => void>();

  constructor(gpu: GPUDevice) {
    this.#gpu = gpu;
  }

  /**
   * Returns the pipeline, compiled if it is not in the cache. Throws `compile` with these fields: `messages`, the compiler's messages,
   * each with its place in the user's own text (`field`, `line`, `column`) if it is there, and in the generated code (`generated`); the
   * first such place; `code`, the generated code.
   */
  get(spec: PipelineSpec, what: string): Promise<Pipeline> {
    for (const listener of this.listeners) listener(spec, what);
    const key = `${spec.entry}\n${spec.code}`;
    const known = this.#made.get(key);
    const made = known ?? this.#make(spec, what);
    // Moves it to the end, as the first one is removed first.
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

/** The place of a message, in the user's own text if it is there, and in the generated code. */
function toldOf(
  code: string,
  { lineNum, linePos }: GPUCompilationMessage,
): Place & { readonly generated: readonly [line: number, column: number] } {
  // Line 0 means that the message has no place.
  const place = lineNum === 0 ? { line: 0, column: 0 } : placeOf(code, lineNum, linePos);
  return { ...place, generated: [lineNum, linePos] };
}
