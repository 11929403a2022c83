/**
 * The rules for domain kernels: by WGSL if the kernel has it, else by its reference on the host. On the host, the kernel's arrays are read
 * from the device and the results written back, in program order; the plan's text says so.
 */
import {
  ArrayView,
  formatOp,
  type Kernel,
  scalarCount,
  type TypedArrayOf,
  throwIfAborted,
  typedArray,
  type WgslDispatch,
  type WgslKernel,
  type WgslToolkit,
} from "@dechirp/core";
import {
  asRadarError,
  layoutError,
  onePassCost,
  type PlanBody,
  type Rule,
  type RuleContext,
  requireSynchronous,
} from "@dechirp/core/backend";
import { checkFields, type FieldsOf } from "@dechirp/core/internal";
import type { ArrayUse, Dispatch } from "./dispatch.ts";
import { spread } from "./dispatch.ts";
import type { Engine } from "./engine.ts";
import type { GpuArray } from "./memory.ts";
import { TableBuilder } from "./tables.ts";
import { toolkitFft } from "./wgsl/toolkit.ts";
import { called, hookFunction, marked } from "./wgsl/user-text.ts";

/** The rules for kernels. */
export function kernelRules(engine: Engine): readonly Rule<GpuArray>[] {
  return [
    {
      name: "kernel in WGSL",
      fused: false,
      try: (op, context) => (op.op === "kernel" ? wgslBody(op, engine, context) : undefined),
    },
    { name: "kernel on the host", fused: false, try: (op) => (op.op === "kernel" ? hostBody(op, engine) : undefined) },
  ];
}

/**
 * How items are divided: invocations of a workgroup, and items of an invocation. Few items need many small workgroups to occupy the card. Many
 * light items need few large ones: an H100 starts about 1.5 workgroups a nanosecond, so that a map of 2²⁴ elements takes 0.200 ms with 64
 * items a workgroup, 0.135 with 256, and 0.095 with 512, the time of a copy.
 */
const divisionOf = (items: number): readonly [invocations: number, turns: number] =>
  items < 2 ** 18 ? [64, 1] : items < 2 ** 20 ? [256, 1] : [256, 2];

/** A kernel that runs `body` for each of `items`. */
function itemKernel(items: number, body: string, declared = ""): WgslKernel {
  const [invocations, turns] = divisionOf(items);
  const perGroup = invocations * turns;
  const { groups, index } = spread(Math.ceil(items / perGroup));
  // perGroup divides 2³², so `first` does not wrap; nor does a sum after its check.
  const turnsText = Array.from({ length: turns }, (_, turn) => {
    const offset = turn * invocations;
    return `  if (first <= ${items - 1 - offset}u) { dechirp_item(first + ${offset}u); }`;
  });
  return {
    code: `${declared === "" ? "" : marked("the declarations of items()", declared)}
fn dechirp_item(item: u32) {
${marked("the body of items()", body)}
}
@compute @workgroup_size(${invocations})
fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) group_id: vec3u) {
  let group = ${index};
  if (group > ${Math.floor((items - 1) / perGroup)}u) { return; }
  let first = group * ${perGroup}u + tid;
${turnsText.join("\n")}
}`,
    dispatches: [{ entry: "main", groups }],
  };
}

async function wgslBody(op: Kernel, engine: Engine, context: RuleContext): Promise<PlanBody<GpuArray> | undefined> {
  const { limits } = engine;
  const table = new TableBuilder();
  const toolkit: WgslToolkit = {
    items: (body, declared) => itemKernel(op.items, body, declared),
    fft: (options) => toolkitFft(options, limits, table),
    hook: hookFunction,
  };
  const { workgroupBytes, invocations, subgroups } = limits;
  const sineError = op.wgsl && op.measured?.includes("sineError") ? await engine.sines.measured(context.signal, op.name) : undefined;
  const given = { workgroupBytes, invocations, ...(subgroups && { subgroups }), ...(sineError !== undefined && { sineError }) };
  const kernel = called("wgsl", () => op.wgsl?.(op.constants ?? {}, given, toolkit));
  if (kernel === undefined) return undefined;
  checkWgsl(kernel);
  const code = marked("wgsl", kernel.code);
  const built = table.build();
  const arrays: Record<string, ArrayUse> = Object.fromEntries(
    Object.entries(op.ports).map(([name, { layout, access }]) => [name, { from: { port: name }, layout, access }]),
  );
  if (built) arrays["dechirp_table"] = { from: { table: built }, layout: built.layout, access: "read" };
  const dispatches = kernel.dispatches.map(
    ({ entry, groups, uniforms }): Dispatch => ({
      code,
      entry,
      groups,
      arrays,
      ...(op.uniforms && { uniforms: op.uniforms }),
      ...(uniforms && { fixed: uniforms }),
    }),
  );
  return engine.body({ op, text: `(kernel/wgsl ${op.name})`, cost: onePassCost(op), dispatches }, context);
}

const fieldsOfWgsl: FieldsOf<WgslKernel> = { code: "string", dispatches: "object" };
const fieldsOfDispatches: FieldsOf<WgslDispatch> = { entry: "string", groups: "object", uniforms: "object" };

/** Checks WGSL that a user's function returned. Throws `layout` that names the field. */
function checkWgsl(kernel: WgslKernel): void {
  const path = "wgsl()";
  const fail = (field: string, expected: string, actual: unknown): never => {
    throw layoutError(`${path}.${field}`, expected, actual);
  };
  checkFields(kernel, fieldsOfWgsl, path, "layout", `${path}.`);
  const { code, dispatches } = kernel;
  if (!code?.trim()) fail("code", "a string that is not empty", code);
  if (!Array.isArray(dispatches) || dispatches.length === 0) fail("dispatches", "a list of at least one", dispatches);
  for (const [i, dispatch] of dispatches.entries()) {
    const at = `dispatches[${i}]`;
    checkFields(dispatch, fieldsOfDispatches, `${path}.${at}`, "layout", `${path}.${at}.`);
    const { entry, groups, uniforms = {} } = dispatch;
    if (!entry) fail(`${at}.entry`, "the name of an entry point", entry);
    if (!Array.isArray(groups) || groups.length !== 3 || ![...groups].every((count) => Number.isInteger(count) && count > 0))
      fail(`${at}.groups`, "three positive integers", groups);
    for (const [name, value] of Object.entries<number>(uniforms))
      if (value !== value >>> 0) fail(`${at}.uniforms.${name}`, "an integer from 0 to 4294967295", value);
  }
}

/** The host's thread works about this many milliseconds at a time. */
const sliceMilliseconds = 8;

function hostBody(op: Kernel, engine: Engine): PlanBody<GpuArray> {
  const what = formatOp(op);
  return {
    text: `(kernel/host ${op.name})`,
    cost: onePassCost(op),
    offUnits: true,
    async run(ports, { uniforms, signal }) {
      const outputs = Object.entries(ports).flatMap(([name, { memory }]) => (op.ports[name].access === "read" ? [] : [memory]));
      const { written } = await engine.timeline.hold(outputs, async () => {
        throwIfAborted(signal, what);
        const data = new Map<GpuArray, TypedArrayOf>();
        for (const array of Object.values(ports)) {
          if (data.has(array)) continue;
          const numbersOf = typedArray(array.layout.dtype, scalarCount(array.layout));
          await array.readNow(new Uint8Array(numbersOf.buffer), 0);
          data.set(array, numbersOf);
        }
        const views = Object.fromEntries(
          Object.entries(ports).map(([name, array]) => [name, new ArrayView(array.layout, data.get(array) as TypedArrayOf)]),
        );
        try {
          await forEachSlice(op.items, signal, what, (start, end) =>
            requireSynchronous(op.reference(views, uniforms, start, end), `${op.name}.reference`),
          );
        } catch (error) {
          throw asRadarError(error, what, "failed", { op: what });
        }
        await Promise.all(Object.entries(ports).map(([name, array]) => (op.ports[name].access === "read" ? undefined : array.reading)));
        const written = Object.entries(ports).map(([name, array]) =>
          op.ports[name].access === "read" ? undefined : array.writeNow(data.get(array) as TypedArrayOf, 0),
        );
        engine.commands.flush();
        return { written };
      });
      await Promise.all(written);
      for (const array of Object.values(ports)) {
        const failure = await array.allocated;
        if (failure) throw failure;
      }
    },
  };
}

async function forEachSlice(
  items: number,
  signal: AbortSignal | undefined,
  what: string,
  work: (start: number, end: number) => void,
): Promise<void> {
  let start = 0;
  let size = Math.min(items, 1024);
  while (start < items) {
    const end = Math.min(items, start + size);
    const begin = performance.now();
    work(start, end);
    const taken = performance.now() - begin;
    start = end;
    size = Math.max(1, Math.min(8 * size, Math.round((size * sliceMilliseconds) / Math.max(taken, 0.01))));
    if (start < items) {
      await new Promise((resolve) => setTimeout(resolve));
      throwIfAborted(signal, what);
    }
  }
}
