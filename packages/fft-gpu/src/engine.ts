/**
 * Turns dispatches as data into plans that run: bindings, pipelines, tables, temporaries, uniforms. It owns everything that the plans of a
 * device share. pass.ts and timeline.ts handle commands and their order.
 */
import {
  byteLength,
  createPause,
  type Layout,
  type Pause,
  portsOf,
  RadarError,
  runInPieces,
  throwIfAborted,
  type UniformTypes,
} from "@dechirp/core";
import { layoutError, type PlanBody, type RuleContext } from "@dechirp/core/backend";
import { type BoundArray, declarations, elementsPerQuad } from "./accessors.ts";
import { ignoringErrors } from "./allocation.ts";
import { BindGroups, type Compiled, words } from "./bind-groups.ts";
import type { Preferences } from "./candidates.ts";
import type { ArrayUse, BodySpec, Dispatch, TableSpec } from "./dispatch.ts";
import { GpuArray, type Host, segmentElements } from "./memory.ts";
import { orAborted } from "./or-aborted.ts";
import { Pace } from "./pace.ts";
import { type Batch, Commands } from "./pass.ts";
import { Patcher } from "./patch.ts";
import { Pipelines } from "./pipelines.ts";
import { Scratch } from "./scratch.ts";
import { SineError } from "./sine-error.ts";
import { Staging } from "./staging.ts";
import { Timeline } from "./timeline.ts";
import type { PassLimits } from "./transform.ts";
import type { SubgroupMatrix } from "./variants.ts";
import { identifier, withMembers } from "./wgsl/names.ts";
import { KnownPlans } from "./wisdom.ts";

/** The device's limits, and preferences, that plans depend on. */
export interface GpuLimits extends PassLimits {
  readonly storageBuffers: number;
  /** The smallest and largest size of subgroups, if the device has them. */
  readonly subgroups?: readonly [smallest: number, largest: number];
  /** Features of the device, and the products of matrices that its subgroups compute. */
  readonly features: ReadonlySet<string>;
  readonly matrices: readonly SubgroupMatrix[];
  /** Language features of WGSL. */
  readonly language: ReadonlySet<string>;
  /** Whether features of Dawn that are not safe are enabled. */
  readonly unsafe: boolean;
  segmentElements(layout: Layout): number;
}

/** Options of the engine. */
export interface EngineOptions {
  readonly segmentBytes: number;
  readonly planning?: Partial<PassLimits>;
  /** Language features of WGSL. Default: none is known. */
  readonly language?: ReadonlySet<string>;
  /** The products of matrices that subgroups of the device compute. Default: none. */
  readonly matrices?: readonly SubgroupMatrix[];
  /** Whether features of Dawn that are not safe are enabled. Default: false. */
  readonly unsafe?: boolean;
  /** What is known of fast plans. Default: nothing. */
  readonly known?: KnownPlans;
}

interface SharedTable {
  readonly array: GpuArray;
  /**
   * Settles when the table has been computed and its copies are recorded. Goes on while any plan uses the table, even if the plan that
   * requested it first is disposed.
   */
  readonly made: Promise<void>;
  /** The copies of its parts to the device. Each resolves with its error, or undefined. */
  readonly copies: Promise<unknown>[];
  failed: boolean;
  users: number;
}

/**
 * The ways in which the ports of a run may share memory: whether `in` and `out` are the same array, and whether arrays that are only read
 * lie in memory that another port writes. WebGPU does not allow one buffer to be bound for reading and for writing, even if the parts
 * differ; so all arrays are then bound for writing.
 */
interface Sharing {
  readonly inPlace: boolean;
  readonly mixed: boolean;
}

/** Dispatches that are compiled for the first run that needs them. */
interface Later {
  /** Resolves when they are compiled or the device has refused them. */
  readonly ready: Promise<void>;
  compiled?: readonly Compiled[];
  refused?: { readonly error: unknown };
}

/** The part of an opened device that plans share. */
export class Engine implements Host {
  readonly gpu: GPUDevice;
  readonly commands: Commands;
  readonly timeline = new Timeline();
  readonly staging: Staging;
  readonly segmentBytes: number;
  readonly limits: GpuLimits;
  readonly known: KnownPlans;
  readonly #pace: Pace;
  readonly pipelines: Pipelines;
  readonly #patcher: Patcher;
  readonly #tables = new Map<string, SharedTable>();
  readonly #scratch = new Scratch((layout, label) => this.allocate(layout, label));
  /** The error of the device's sine and cosine. */
  readonly sines: SineError;
  #ended: RadarError | undefined;

  constructor(
    gpu: GPUDevice,
    { segmentBytes, planning, language = new Set(), matrices = [], unsafe = false, known = new KnownPlans("") }: EngineOptions,
  ) {
    this.gpu = gpu;
    this.known = known;
    this.segmentBytes = segmentBytes;
    this.commands = new Commands(gpu);
    this.#pace = new Pace(this.commands);
    this.staging = new Staging(gpu, (refused) => this.commands.doubt(refused));
    this.pipelines = new Pipelines(gpu);
    this.#patcher = new Patcher(gpu, this.commands);
    this.sines = new SineError(gpu);
    const info = (gpu as { adapterInfo?: GPUAdapterInfo }).adapterInfo;
    this.limits = {
      workgroupBytes: gpu.limits.maxComputeWorkgroupStorageSize,
      invocations: Math.min(gpu.limits.maxComputeInvocationsPerWorkgroup, gpu.limits.maxComputeWorkgroupSizeX),
      storageBuffers: gpu.limits.maxStorageBuffersPerShaderStage,
      segmentElements: (layout) => segmentElements(layout, segmentBytes),
      ...(gpu.features.has("subgroups") && { subgroups: [info?.subgroupMinSize ?? 4, info?.subgroupMaxSize ?? 128] as const }),
      features: gpu.features,
      language,
      matrices,
      unsafe,
      ...planning,
    };
  }

  /** The limits with other preferences, which take precedence. */
  limitsWith({ prefer, ...others }: Preferences): GpuLimits {
    return { ...this.limits, ...others, ...(prefer && { prefer: { ...this.limits.prefer, ...prefer } }) };
  }

  ended(): RadarError | undefined {
    return this.#ended;
  }

  allocate(layout: Layout, label: string): GpuArray {
    return GpuArray.allocate(layout, label, this);
  }

  /** Makes a plan of the dispatches. Throws `compile`, `limit`, `out-of-memory` or `aborted`. */
  async body(spec: BodySpec, { options, pause, signal }: Pick<RuleContext, "options" | "pause" | "signal">): Promise<PlanBody<GpuArray>> {
    const tables = new Map<string, SharedTable>();
    const temporaries: GpuArray[] = [];
    const dispose = (): void => {
      for (const array of temporaries.splice(0)) this.#scratch.give(array);
      for (const [key, table] of tables) this.#letGo(key, table);
      tables.clear();
    };
    try {
      for (const { arrays } of spec.dispatches) {
        for (const { from } of Object.values(arrays)) {
          if ("table" in from && !tables.has(from.table.key)) tables.set(from.table.key, this.#table(from.table));
        }
      }
      for (const [i, layout] of (spec.temporaries ?? []).entries()) temporaries.push(this.#scratch.take(layout, i));
      const compiled = (inPlace: boolean): Promise<readonly Compiled[]> =>
        orAborted(this.#compileAll(spec, { inPlace, mixed: false }, pause), signal, spec.text);
      const apart = await compiled(false);
      const together = options.inPlace ? await compiled(true) : undefined;
      /** The dispatches for runs whose ports share memory. They are compiled for the first such run. */
      const mixed = new Map<boolean, Later>();
      const mixedOf = (inPlace: boolean): Later => {
        const known = mixed.get(inPlace);
        if (known) return known;
        const made: Later = {
          ready: this.#compileAll(spec, { inPlace, mixed: true }, () => undefined).then(
            (all) => {
              made.compiled = all;
            },
            (error: unknown) => {
              made.refused = { error };
              mixed.delete(inPlace);
            },
          ),
        };
        mixed.set(inPlace, made);
        return made;
      };
      const shared = [...tables.values()];
      for (const array of [...temporaries, ...shared.map((table) => table.array)]) {
        const failure = await array.allocated;
        if (failure) throw failure;
      }
      await orAborted(Promise.all(shared.map((table) => table.made)), signal, spec.text);
      const copies = shared.flatMap((table) => table.copies);
      const groups = new BindGroups(this.gpu, this.commands, temporaries, tables);
      const written = Object.entries(portsOf(spec.op)).flatMap(([name, { access }]) => (access === "read" ? [] : [name]));
      return {
        text: spec.text,
        cost: spec.cost,
        ...(spec.convolved && { convolved: spec.convolved }),
        temporaryBytes: (spec.temporaries ?? []).reduce((sum, layout) => sum + byteLength(layout), 0),
        dispose,
        run: async (ports, { uniforms, signal }) => {
          const inPlace = together !== undefined && ports["in"] === ports["out"];
          const arrays = Object.values(ports);
          const shared = sharesMemory(ports, written) ? mixedOf(inPlace) : undefined;
          const record = (): Batch | undefined => {
            if (shared?.refused) throw shared.refused.error;
            const chosen = shared?.compiled ?? (inPlace && together ? together : apart);
            for (const array of arrays) if (array.failure) throw array.failure;
            throwIfAborted(signal, spec.text);
            let last: Batch | undefined;
            for (const [i, compiled] of chosen.entries()) {
              last = this.commands.dispatch({
                pipeline: compiled.pipeline.pipeline,
                group: groups.get(compiled, ports),
                groups: spec.dispatches[i].groups,
                ...(Object.keys(compiled.uniforms).length > 0 && {
                  uniforms: words(compiled.uniforms, { ...uniforms, ...spec.dispatches[i].fixed }),
                }),
              });
            }
            return last;
          };
          const recordSafely = (): Batch | undefined => {
            if (signal) return this.#pace.submit(record);
            return arrays.some((array) => array.doubtful) ? this.commands.apart(record) : record();
          };
          const compiling = shared && !shared.compiled ? shared.ready : undefined;
          const waits = () => [...written.map((name) => ports[name].reading), ...(signal ? [this.#pace.full] : []), compiling];
          const now = !this.timeline.busy && waits().every((wait) => wait === undefined);
          const batch = now
            ? recordSafely()
            : await this.timeline.after(
                written.map((name) => ports[name].memory),
                waits,
                recordSafely,
              );
          let refused: unknown;
          await batch?.done.catch((error: unknown) => {
            refused = error;
          });
          for (const array of arrays) {
            const failure = array.settled ? array.failure : await array.allocated;
            if (failure) throw failure;
          }
          if (refused) throw refused;
          for (const copy of copies) {
            const empty = await copy;
            if (empty) throw empty;
          }
        },
      };
    } catch (error) {
      dispose();
      throw error;
    }
  }

  /**
   * Compiles the dispatches. Those that differ only in fixed uniforms share a pipeline. Drivers start compiling inside the call, so this
   * pauses between two.
   */
  async #compileAll(spec: BodySpec, sharing: Sharing, pause: Pause): Promise<readonly Compiled[]> {
    const seen: { readonly dispatch: Dispatch; readonly compiled: Promise<Compiled> }[] = [];
    const all: Promise<Compiled>[] = [];
    for (const dispatch of spec.dispatches) {
      const known = seen.find(
        ({ dispatch: other }) => other.arrays === dispatch.arrays && other.entry === dispatch.entry && other.code === dispatch.code,
      );
      if (known) {
        all.push(known.compiled);
        continue;
      }
      const compiled = this.#compile(dispatch, spec, sharing);
      compiled.catch(() => {}); // it is awaited below, unless planning ends before
      seen.push({ dispatch, compiled });
      all.push(compiled);
      await pause();
    }
    return Promise.all(all);
  }

  async #compile(dispatch: Dispatch, spec: BodySpec, { inPlace, mixed }: Sharing): Promise<Compiled> {
    const over = dispatch.groups.find((g) => g > this.gpu.limits.maxComputeWorkgroupsPerDimension);
    if (over !== undefined)
      throw new RadarError("limit", `${spec.text}: a dispatch of ${dispatch.groups.join(" × ")} workgroups is too large`, {
        field: "groups",
        limit: this.gpu.limits.maxComputeWorkgroupsPerDimension,
        actual: over,
      });
    const isPort = (use: ArrayUse, port: string): boolean => "port" in use.from && use.from.port === port;
    const uses = Object.entries(dispatch.arrays);
    const target = uses.find(([, use]) => isPort(use, "out"))?.[0];
    const arrays = uses.map(([name, use]): BoundArray => {
      const elements = this.limits.segmentElements(use.layout);
      const total = use.layout.shape.reduce((a, b) => a * b, 1);
      const perWord = elements / segmentWords(use.layout, this.segmentBytes);
      return {
        name,
        layout: use.layout,
        access: use.access,
        segments: Math.ceil(total / elements),
        segmentWords: elements / perWord / (use.pairs ? elementsPerQuad(use.layout.dtype) : 1),
        ...(mixed && "port" in use.from && { writable: true }),
        ...(use.pairs && { pairs: true }),
        ...(use.adds && { adds: true }),
        ...(use.halves && { halves: true }),
        ...(use.alias !== undefined && { alias: use.alias }),
        ...(inPlace && target !== undefined && isPort(use, "in") && { alias: target }),
      };
    });
    const uniforms: Record<string, UniformTypes[string]> = { ...dispatch.uniforms };
    for (const name of Object.keys(dispatch.fixed ?? {})) uniforms[name] = "u32";
    for (const name of [...Object.keys(dispatch.arrays), ...Object.keys(uniforms)])
      if (!identifier.test(name)) throw layoutError(name, "an identifier of WGSL", name);
    const bound = uses.filter((_, i) => arrays[i].alias === undefined).map(([, use]) => use);
    const readOnly = arrays
      .filter(({ alias }) => alias === undefined)
      .flatMap(({ access, segments, writable }) => Array<boolean>(segments).fill(access === "read" && !writable));
    if (readOnly.length > this.limits.storageBuffers)
      throw new RadarError(
        "limit",
        `${spec.text} binds ${readOnly.length} arrays or segments, but the device allows ${this.limits.storageBuffers}`,
        {
          field: "ports",
          limit: this.limits.storageBuffers,
          actual: readOnly.length,
        },
      );
    const pipeline = await this.pipelines.get(
      {
        code: `${declarations(arrays, uniforms, [...new Set([...(this.limits.subgroups ? ["subgroups"] : []), ...(dispatch.enables ?? [])])])}\n${withMembers(dispatch.code)}`,
        entry: dispatch.entry,
        readOnly,
        uniformBytes: Object.keys(uniforms).length === 0 ? 0 : Commands.uniformBytes(Object.keys(uniforms).length),
      },
      spec.text,
    );
    return { pipeline, bound, uniforms };
  }

  #table(spec: TableSpec): SharedTable {
    const known = this.#tables.get(spec.key);
    const table = known && !known.failed && !known.array.failure ? known : this.#makeTable(spec);
    table.users += 1;
    return table;
  }

  #makeTable(spec: TableSpec): SharedTable {
    const array = this.allocate(spec.layout, `table ${spec.key}`);
    const copies: Promise<unknown>[] = [];
    const fail = (error: unknown): unknown => {
      table.failed = true;
      return error;
    };
    const make = async (): Promise<void> => {
      // Waits for the allocation, so that no table is computed in vain.
      const refused = await array.allocated;
      if (refused) throw refused;
      const pause = createPause(`table ${spec.key}`);
      const pauseInUse = (): ReturnType<typeof pause> => {
        if (this.#ended) throw this.#ended;
        if (table.users === 0) throw new RadarError("aborted", `no plan needs table ${spec.key} any more`);
        return pause();
      };
      const data = await runInPieces(spec.make(), pauseInUse);
      const step = this.staging.chunkBytes / data.BYTES_PER_ELEMENT;
      for (let start = 0; start < data.length; start += step) {
        const copied = Promise.resolve(array.write(data.subarray(start, start + step), start));
        copies.push(copied.then(() => undefined, fail));
        await pauseInUse();
      }
    };
    const made = Promise.resolve().then(make);
    made.catch(fail);
    const table: SharedTable = { array, made, copies, failed: false, users: 0 };
    this.#tables.set(spec.key, table);
    return table;
  }

  #letGo(key: string, table: SharedTable): void {
    table.users -= 1;
    if (table.users > 0) return;
    if (this.#tables.get(key) === table) this.#tables.delete(key);
    table.array.free();
  }

  patch(array: GpuArray, segment: number, word: number, mask: number, value: number): Batch {
    return ignoringErrors(this.gpu, !array.settled, () => this.#patcher.patch(array.segments[segment], word, mask, value));
  }

  /** Waits for everything that was queued. What is queued later, even without end, does not delay it. */
  async idle(): Promise<void> {
    await this.timeline.record(() => undefined);
    await this.commands.idle();
  }

  /** Ends all work. Whatever waits rejects with `error`. */
  end(error: RadarError): void {
    if (this.#ended) return;
    this.#ended = error;
    this.commands.end(error);
    this.timeline.end(error);
    this.staging.close();
    for (const { array } of this.#tables.values()) array.free();
    this.#tables.clear();
    this.#scratch.end();
  }
}

/** Whether an array that is only read lies in memory that another port writes. */
const sharesMemory = (ports: Readonly<Record<string, GpuArray>>, written: readonly string[]): boolean =>
  Object.entries(ports).some(
    ([name, { memory, id }]) =>
      !written.includes(name) && written.some((other) => ports[other].memory === memory && ports[other].id !== id),
  );

const segmentWords = (layout: Layout, segmentBytes: number): number => segmentBytes / (layout.dtype === "c64" ? 8 : 4);
