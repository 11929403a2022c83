/**
 * Watches the calls of a WebGPU device and makes them fail as the specification says: lack of memory is an error of the scope around
 * the call, or an exception if the buffer was to be mapped at creation; a pipeline or a mapping rejects; a refused submission is an
 * error of its scope. Error scopes are tracked beside the device's own for this.
 */
import type { Tap } from "./sweep.ts";

export interface WatchedGpu extends Tap {
  readonly raw: GPUDevice;
  /** Errors that no scope caught. There must be none. */
  readonly uncaught: string[];
  /** Buffers that have been made and not destroyed. */
  readonly buffers: Set<GPUBuffer>;
}

interface Scope {
  readonly filter: string;
  error: { readonly message: string } | undefined;
}

export function watch(raw: GPUDevice): WatchedGpu {
  const scopes: Scope[] = [];
  const uncaught: string[] = [];
  const buffers = new Set<GPUBuffer>();
  const watched: WatchedGpu = { raw, uncaught, buffers, hook: undefined };
  raw.addEventListener("uncapturederror", (event) => uncaught.push(event.error.message));
  const fails = (step: string): boolean => watched.hook?.(step) === true;
  const report = (filter: string, message: string): void => {
    const scope = [...scopes].reverse().find((one) => one.filter === filter);
    if (!scope) uncaught.push(message);
    else scope.error ??= { message };
  };

  const push = raw.pushErrorScope.bind(raw);
  const pop = raw.popErrorScope.bind(raw);
  raw.pushErrorScope = (filter) => {
    scopes.push({ filter, error: undefined });
    return push(filter);
  };
  raw.popErrorScope = async () => {
    const scope = scopes.pop();
    return (await pop()) ?? ((scope?.error ?? null) as GPUError | null);
  };
  /** Suppresses the device's own errors about `make`. */
  const unheard = <T>(make: () => T): T => {
    push("validation");
    try {
      return make();
    } finally {
      pop().catch(() => {});
    }
  };

  const createBuffer = raw.createBuffer.bind(raw);
  raw.createBuffer = (descriptor) => {
    const refused = fails("createBuffer");
    if (refused && descriptor.mappedAtCreation) throw new RangeError("createBuffer failed, no memory for a mapped buffer");
    const buffer = refused
      ? unheard(() => createBuffer({ ...descriptor, size: 4 * Math.ceil(raw.limits.maxBufferSize / 4) + 4 }))
      : createBuffer(descriptor);
    if (refused) report("out-of-memory", "as if there were no memory");
    else buffers.add(buffer);
    const mapAsync = buffer.mapAsync.bind(buffer);
    buffer.mapAsync = (...args) =>
      fails("mapAsync") ? Promise.reject(new DOMException("as if it could not be mapped", "OperationError")) : mapAsync(...args);
    const destroy = buffer.destroy.bind(buffer);
    buffer.destroy = () => {
      buffers.delete(buffer);
      return destroy();
    };
    return buffer;
  };

  const compile = raw.createComputePipelineAsync.bind(raw);
  raw.createComputePipelineAsync = (descriptor) =>
    fails("createComputePipelineAsync") ? Promise.reject(new Error("as if the compiler gave up")) : compile(descriptor);
  const compileNow = raw.createComputePipeline.bind(raw);
  raw.createComputePipeline = (descriptor) => {
    if (!fails("createComputePipeline")) return compileNow(descriptor);
    report("internal", "as if the compiler gave up");
    return unheard(() => compileNow({ ...descriptor, compute: { ...descriptor.compute, entryPoint: "there is none" } }));
  };

  const { queue } = raw;
  const submit = queue.submit.bind(queue);
  queue.submit = (commands) => {
    if (!fails("submit")) return submit(commands);
    report("validation", "as if the commands were invalid");
    return undefined;
  };
  for (const [owner, names] of [
    [raw, ["createBindGroup", "createBindGroupLayout", "createCommandEncoder", "createShaderModule"]],
    [queue, ["writeBuffer", "onSubmittedWorkDone"]],
  ] as const) {
    for (const name of names) {
      const method = (owner as never as Record<string, (...args: unknown[]) => unknown>)[name].bind(owner);
      (owner as never as Record<string, unknown>)[name] = (...args: unknown[]) => {
        fails(name);
        return method(...args);
      };
    }
  }
  return watched;
}
