/**
 * Generates the kernel of lines. A workgroup reads whole lines of n points, transforms them in registers stage by stage (Stockham, natural
 * order in and out) with exchanges through workgroup memory between stages, and writes them: forward, inverse, or forward · filter ·
 * inverse on chip. The caller's readers and writers generate the text for one element of one line. Two-tier model and radices: radix-8
 * Stockham paper, sections III and IV.
 */
import { type Dispatch, spread } from "../dispatch.ts";
import { gainsOf, sharesOf } from "../gains.ts";
import type { LineShape } from "../shape.ts";
import type { Mapping } from "../stage-choice.ts";
import { TableBuilder } from "../tables.ts";
import { both, type Position } from "./addresses.ts";
import type { Sign } from "./codelets.ts";
import type { Arrays, FilterReader, LineAt, LineKernel, Reader } from "./line-kernel.ts";
import { emitStagedLoad, emitStagedStore } from "./staged.ts";
import { type Held, mirroredPlaces, mirrorImages, placesOf, Stages } from "./stages.ts";
import { Text } from "./text.ts";

/** Generates the kernel. */
export function lineKernel(kernel: LineKernel): Dispatch {
  const { shape, kind, lines, read, write, filter } = kernel;
  const { n, threads } = shape;
  const text = new Text();
  const table = new TableBuilder();
  const groups = Math.ceil(lines.count / shape.lines);
  const grid = spread(groups);
  const partial = grid.groups[0] * grid.groups[1] > groups;
  if (partial) text.line(`if (${grid.index} >= ${groups}u) { return; }`);
  text.line(`let group = ${kernel.backwards ? `${groups - 1}u - ` : ""}${grid.index};`);

  const mappings = new Map<Mapping, Mapped>();
  const mapped = (mapping: Mapping): Mapped => {
    const known = mappings.get(shape.lines === 1 ? "line" : mapping);
    if (known) return known;
    const made = emitMapping(text, kernel, mapping);
    mappings.set(shape.lines === 1 ? "line" : mapping, made);
    return made;
  };

  const stages = kernel.stages?.(text, shape) ?? new Stages(text, shape);
  const from = mapped(kernel.load);
  let held =
    shape.mirrored && read.mirrored
      ? [emitMirroredLoad(text, shape, read.mirrored, from, table)]
      : shape.staged !== undefined
        ? [emitStagedLoad(text, kernel, stages, from, table)]
        : emitLoad(text, kernel, from, table);
  let mapping = from;
  const to = mapped(kernel.store);
  const { forward, inverse } = kernel.gains ?? gainsOf(kind, n);
  const pass = (radices: readonly number[], sign: Sign): void => {
    // Each share goes into the stage's twiddle factors, which are rounded one by one. As a constant factor, its rounding error would be
    // in all results.
    const shares = sharesOf(radices, sign < 0 ? forward : inverse);
    const offsets = stages.prepare(table, radices, shares);
    let span = 1;
    radices.forEach((r, s) => {
      if (s > 0) {
        const next = to;
        const places =
          s === radices.length - 1 && write.mirrored && shape.mirrored ? mirroredPlaces(text, shape, r, to.t) : stages.places(r, next);
        const between = { span: span / radices[s - 1], radix: radices[s - 1], next: r };
        held = held.map((line) => stages.exchange(line, mapping, places, next, between));
        mapping = next;
      }
      const stage = { r, span, sign, offset: offsets[s], scale: shares[s], factors: new Map<string, string>() };
      held = held.map((line) => stages.stage(line, stage));
      span *= r;
    });
  };
  const backwards = [...shape.radices].reverse();
  if (kind === "filter") {
    if (!filter) throw new TypeError("a filter kernel needs a filter");
    pass(shape.radices, -1);
    held = held.map((line) => emitFilter(text, filter, line, mapping, table));
    pass(backwards, 1);
  } else {
    pass(shape.radices, kind === "forward" ? -1 : 1);
  }
  if (mapping !== to) {
    const places = stages.places(1, to);
    held = held.map((line) => stages.exchange(line, mapping, places, to));
    mapping = to;
  }
  if (shape.staged !== undefined) emitStagedStore(text, kernel, stages, held[0], to, table);
  else emitStore(text, kernel, stages, held, mapping, table);

  const built = table.build();
  const ports = shape.together === 2 ? [pairedOf(read), pairedOf(write)] : [read, write];
  const arrays: Arrays = {
    ...ports[0].arrays,
    ...filter?.arrays,
    ...ports[1].arrays,
    ...(built && { dechirp_table: { from: { table: built }, layout: built.layout, access: "read" } }),
  };
  return {
    code: [
      stages.declarations(),
      read.declarations ?? "",
      filter?.declarations ?? "",
      write.declarations ?? "",
      `@compute @workgroup_size(${(threads * shape.lines) / shape.together})`,
      "fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) group_id: vec3u) {",
      text.toString(),
      "}",
    ]
      .filter((part) => part !== "")
      .join("\n"),
    entry: "main",
    arrays,
    uniforms: { ...read.uniforms, ...filter?.uniforms, ...write.uniforms },
    groups: grid.groups,
  };
}

/** What an invocation works on under a mapping. */
interface Mapped extends Position {
  readonly at: LineAt;
  /** A condition that is false if there is no such line. */
  readonly valid: string | undefined;
}

function emitMapping(text: Text, { shape, lines }: LineKernel, mapping: Mapping): Mapped {
  const { threads, together } = shape;
  const side = shape.lines / together;
  const [c, t] =
    side === 1
      ? ["0u", "tid"]
      : threads === 1
        ? ["tid", "0u"]
        : mapping === "line"
          ? [text.let(`tid / ${threads}u`, "c"), text.let(`tid % ${threads}u`, "t")]
          : [text.let(`tid % ${side}u`, "c"), text.let(`tid / ${side}u`, "t")];
  const number = side === 1 ? "group" : `group * ${side}u + ${c}`;
  const line = text.let(together === 1 ? number : `(${number}) * ${together}u`, "line");
  const at = lines.locate(text, line);
  const conditions = [lines.count % shape.lines === 0 ? undefined : `${line} < ${lines.count}u`, lines.exists?.(at)].filter(
    (condition) => condition !== undefined,
  );
  return { t, c, mapping, at, valid: conditions.length > 0 ? text.let(conditions.join(" && "), "valid") : undefined };
}

/**
 * Generates the loads. Returns the elements that an invocation holds of each of its lines: of one, or of two adjacent lines that are read
 * together.
 */
function emitLoad(text: Text, { shape, read }: LineKernel, from: Mapped, table: TableBuilder): Held[][] {
  const places = placesOf(text, shape, shape.radices[0] ?? 1, from.t);
  const { element, type } =
    shape.together === 1
      ? { element: read.line(text, from.at, table), type: "vec2f" }
      : { element: pairedOf(read).line(text, from.at, table), type: "vec4f" };
  const conditions = places.map((place) => {
    const beyond = place.high < read.extent ? undefined : `${place.index} < ${read.extent}u`;
    return both(both(from.valid, place.guard), beyond);
  });
  // Declares variables first, so that elements with the same condition share one block.
  const variables = places.map((place, i) =>
    place.low >= read.extent ? text.let(`${type}()`) : conditions[i] === undefined ? undefined : text.variable(type),
  );
  const values = places.map((place, i) => {
    const variable = variables[i];
    if (variable === undefined) return text.let(element(text, place.index));
    if (place.low < read.extent) text.when(conditions[i], () => text.line(`${variable} = ${element(text, place.index)};`));
    return variable;
  });
  const halves = shape.together === 1 ? [""] : [".xy", ".zw"];
  return halves.map((half) => places.map((place, i) => ({ ...place, value: `${values[i]}${half}` })));
}

/** Generates the loads of elements that are made of two mirror images. Each is read once. */
function emitMirroredLoad(
  text: Text,
  shape: LineShape,
  mirrored: NonNullable<Reader["mirrored"]>,
  { at, t, valid }: Mapped,
  table: TableBuilder,
): Held[] {
  const places = mirroredPlaces(text, shape, shape.radices[0], t);
  const { part, whole, ofZero } = mirrored(text, at, table);
  const parts = [...places.map(({ index }) => index), ofZero].map((index) => {
    if (valid === undefined) return text.let(part(text, index));
    const value = text.variable("vec2f");
    text.when(valid, () => text.line(`${value} = ${part(text, index)};`));
    return value;
  });
  const images = mirrorImages(text, parts.slice(0, -1), t, parts[places.length]);
  return places.map((place, i) => ({ ...place, value: whole(text, place.index, parts[i], images[i]) }));
}

function pairedOf<P extends { readonly paired?: object }>(port: P): NonNullable<P["paired"]> {
  if (!port.paired) throw new TypeError("a kernel of pairs needs readers and writers of pairs");
  return port.paired;
}

function emitFilter(text: Text, filter: FilterReader, held: readonly Held[], { at, valid }: Mapped, table: TableBuilder): Held[] {
  const element = filter.line(text, at, table);
  const values = held.map((h) => (both(valid, h.guard) === undefined ? undefined : text.variable("vec2f")));
  return held.map((h, i) => {
    const value = values[i];
    if (value === undefined) return { ...h, value: text.let(`cmul(${h.value}, ${element(text, h.index)})`) };
    text.when(both(valid, h.guard), () => text.line(`${value} = cmul(${h.value}, ${element(text, h.index)});`));
    return { ...h, value };
  });
}

function emitStore(
  text: Text,
  kernel: LineKernel,
  stages: Stages,
  [held, beside]: readonly Held[][],
  to: Mapped,
  table: TableBuilder,
): void {
  const { write } = kernel;
  const [start, count] = write.keep;
  const values = held.map(({ value }) => value);
  const mirrors = !write.mirrored
    ? []
    : kernel.shape.mirrored
      ? mirrorImages(text, values, to.t, values[0])
      : stages.mirror(held, to, kernel.lines.mirror?.(text, to.at));
  const factor = write.factor?.(text, to.at, table);
  const turned = factor ? held.map((h) => ({ ...h, value: text.let(`cmul(${h.value}, ${factor(h)})`) })) : held;
  const { scaled } = write;
  const results = scaled ? stages.scale(turned, to, to.valid, (scale) => scaled(text, to.at, scale)) : turned;
  const element = beside ? pairedOf(write).line(text, to.at) : write.line(text, to.at, table);
  results.forEach((h, i) => {
    const end = start + count;
    if (h.high < start || h.low >= end) return;
    const kept = [h.low < start ? `${h.index} >= ${start}u` : undefined, h.high >= end ? `${h.index} < ${end}u` : undefined].filter(
      (condition) => condition !== undefined,
    );
    const condition = both(both(to.valid, h.guard), kept.length > 0 ? kept.join(" && ") : undefined);
    const index = start === 0 ? h.index : `(${h.index} - ${start}u)`;
    const value = beside ? `vec4f(${h.value}, ${beside[i].value})` : write.mirrored ? `${h.value}, ${mirrors[i]}` : h.value;
    text.when(condition, () => element(text, index, value));
  });
}
