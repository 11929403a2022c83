/**
 * The frame of a kernel that is not made of stages: workgroups, the lines of each, and how elements are read and results written. What is
 * between reading and writing is the caller's. Readers and writers are those of all transforms, so hooks, padding, kept ranges and any axis
 * work.
 */
import { type Dispatch, spread } from "../dispatch.ts";
import { gainsOf } from "../gains.ts";
import { linesOfTransform, type Planned } from "../passes.ts";
import { TableBuilder } from "../tables.ts";
import type { Transform } from "../transform.ts";
import { both } from "../wgsl/addresses.ts";
import { Text } from "../wgsl/text.ts";

/** The size of a workgroup, and what its code needs besides arrays. */
export interface FrameOptions {
  /** Lines of a workgroup, and its invocations. */
  readonly lines: number;
  readonly threads: number;
  /** Extensions of WGSL. */
  readonly enables?: readonly string[];
  /** Attributes of the entry point, such as `@subgroup_size(32)`. */
  readonly attributes?: readonly string[];
  /** Builtin parameters of the entry point besides `tid` and `group_id`, such as `@builtin(subgroup_invocation_id) lane: u32`. */
  readonly builtins?: readonly string[];
  /** Text for people, for `Plan.text`. */
  readonly text: string;
}

/** A line of a workgroup. */
export interface FrameLine {
  /** A condition that is false if there is no such line. All invocations must take part in barriers and in work of subgroups, so test it only around reads and writes. */
  readonly valid: string | undefined;
  /** The name of element i, a vec2f. Zero if the line or the element does not exist. `high` is the largest value of i. */
  load(i: string, high: number): string;
  /** Writes result k, a vec2f. */
  store(k: string, value: string): void;
}

/** What the body of a kernel writes to. The number of the invocation is `tid`. */
export interface Frame {
  readonly text: Text;
  readonly table: TableBuilder;
  /** The factor of the results: 1, or that of an inverse transform. */
  readonly gain: number;
  /** The sign of the exponent. */
  readonly sign: -1 | 1;
  /** The line of this number among those of the workgroup. */
  line(c: string): FrameLine;
  /** Adds declarations of the module: workgroup memory, functions. */
  declare(declaration: string): void;
}

/** A transform that is not a filter, in one dispatch. Undefined if the writer needs mirror images or scales, which the frame does not have. */
export function framed(transform: Transform, options: FrameOptions, body: (frame: Frame) => void): Planned | undefined {
  const { n, kind, read, write } = transform;
  if (kind === "filter" || write.mirrored || write.scaled) return undefined;
  const text = new Text();
  const table = new TableBuilder();
  const declarations: string[] = [];
  const lines = linesOfTransform(transform);
  const groups = Math.ceil(lines.count / options.lines);
  const grid = spread(groups);
  if (grid.groups[0] * grid.groups[1] > groups) text.line(`if (${grid.index} >= ${groups}u) { return; }`);
  text.line(`let group = ${grid.index};`);
  const gains = transform.gains ?? gainsOf(kind, n);
  body({
    text,
    table,
    gain: kind === "forward" ? gains.forward : gains.inverse,
    sign: kind === "forward" ? -1 : 1,
    declare: (declaration) => declarations.push(declaration),
    line(c) {
      const number = text.let(options.lines === 1 ? "group" : `group * ${options.lines}u + ${c}`, "line");
      const at = lines.locate(text, number);
      const valid = lines.count % options.lines === 0 ? undefined : text.let(`${number} < ${lines.count}u`, "valid");
      const reads = read.line(text, at, table);
      const writes = write.line(text, at, table);
      const factor = write.factor?.(text, at, table);
      const [start, count] = write.keep;
      return {
        valid,
        load(i, high) {
          const condition = both(valid, high < read.extent ? undefined : `${i} < ${read.extent}u`);
          if (condition === undefined) return text.let(reads(text, i));
          const value = text.variable("vec2f");
          text.when(condition, () => text.line(`${value} = ${reads(text, i)};`));
          return value;
        },
        store(k, value) {
          const kept = both(start > 0 ? `${k} >= ${start}u` : undefined, start + count < n ? `${k} < ${start + count}u` : undefined);
          const turned = factor ? text.let(`cmul(${value}, ${factor({ index: k })})`) : value;
          text.when(both(valid, kept), () => writes(text, start === 0 ? k : `(${k} - ${start}u)`, turned));
        },
      };
    },
  });
  const built = table.build();
  const dispatch: Dispatch = {
    code: [
      ...declarations,
      read.declarations ?? "",
      write.declarations ?? "",
      ["@compute", `@workgroup_size(${options.threads})`, ...(options.attributes ?? [])].join(" "),
      `fn main(${["@builtin(local_invocation_index) tid: u32", "@builtin(workgroup_id) group_id: vec3u", ...(options.builtins ?? [])].join(", ")}) {`,
      text.toString(),
      "}",
    ]
      .filter((part) => part !== "")
      .join("\n"),
    entry: "main",
    ...(options.enables && { enables: options.enables }),
    arrays: {
      ...read.arrays,
      ...write.arrays,
      ...(built && { dechirp_table: { from: { table: built }, layout: built.layout, access: "read" } }),
    },
    uniforms: { ...read.uniforms, ...write.uniforms },
    groups: grid.groups,
  };
  return { text: options.text, dispatches: [dispatch], temporaries: [], passes: 1 };
}
