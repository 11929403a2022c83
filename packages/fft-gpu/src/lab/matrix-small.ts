/**
 * Short transforms (8 to 64 points) as one dense product: the matrix of the DFT times a matrix whose columns are lines. A workgroup has
 * about 1024 values. Real parts of all elements are the first n rows of the right factor, and imaginary parts the next n rows.
 */
import { wgslFloat } from "@dechirp/core/internal";
import type { Planned } from "../passes.ts";
import type { Transform } from "../transform.ts";
import type { Unmet, VariantLimits } from "../variants.ts";
import { type Frame, framed } from "./frame.ts";
import { lineScale, MatrixMemory, memoryBytes, peakBytes } from "./matrix-memory.ts";
import {
  bytesOf,
  dftMatrix,
  enablesOf,
  formOf,
  formText,
  type MatrixForm,
  type MatrixOptions,
  matrixName,
  matrixScale,
  Products,
  scales,
  uniformBySubgroup,
} from "./matrix-products.ts";
import { unfit } from "./stockham.ts";

/** How a workgroup computes lines of n points. */
interface Design {
  readonly n: number;
  readonly form: MatrixForm;
  readonly lines: number;
  readonly threads: number;
  /** Subgroups that compute products. There may be more. */
  readonly subgroups: number;
}

/** The shortest and longest lines. */
const [shortest, longest] = [8, 64];
/** Values of a workgroup, unless a tile of lines has more. */
const values = 1024;

/** Plans a transform that is one product. */
export function planSmall(transform: Transform, limits: VariantLimits, options: MatrixOptions): Planned | Unmet {
  const { n } = transform;
  const unmet = unfit(n, shortest, longest);
  const form = formOf(options, limits, ({ M, K }) => (2 * shortest) % M === 0 && (2 * shortest) % K === 0);
  if ("needs" in form) return form;
  if (unmet) return unmet;
  const design = designOf(n, form, limits);
  if (!design) return { needs: "more workgroup memory or invocations" };
  const { lines, threads } = design;
  const frameOptions = {
    ...{ lines, threads },
    enables: enablesOf(form),
    builtins: ["@builtin(subgroup_id) subgroup: u32"],
    text: `one-pass matrix ${n}×${n} ${formText(form)} threads=${threads} lines=${lines}`,
  };
  const planned = framed(transform, frameOptions, (frame) => write(frame, design, transform.inners === 1));
  if (!planned) return { needs: "complex lines in one pass" };
  const matrix = dftMatrix(form, n, transform.kind === "forward" ? -1 : 1);
  const dispatches = planned.dispatches.map((dispatch) => ({ ...dispatch, arrays: { ...dispatch.arrays, [matrixName]: matrix } }));
  return { ...planned, dispatches };
}

function designOf(n: number, form: MatrixForm, { workgroupBytes, invocations, subgroups }: VariantLimits): Design | undefined {
  const width = subgroups?.[1] ?? 1;
  const lines = Math.max(form.n, values / n);
  const threads = Math.max(width, lines, (n * lines) / 8);
  const bytes = memoryBytes(form, n * lines) + peakBytes(form, lines) + 2 * n * lines * bytesOf(form.sums);
  if (threads > invocations || threads > n * lines || bytes > workgroupBytes) return undefined;
  const jobs = (2 * n * lines) / (form.m * form.n);
  return { n, form, lines, threads, subgroups: Math.min(jobs, threads / width) };
}

function write(frame: Frame, { n, form, lines, threads, subgroups }: Design, rows: boolean): void {
  const { text } = frame;
  const memory = new MatrixMemory(frame, form, n * lines, true);
  const products = new Products(text, form, n);
  frame.declare(`var<workgroup> dechirp_sums: array<${form.sums}, ${2 * n * lines}>;`);
  const own = threads / lines;
  const c = text.let(rows ? `tid / ${own}u` : `tid % ${lines}u`, "c");
  const t = text.let(rows ? `tid % ${own}u` : `tid / ${lines}u`, "t");
  const line = frame.line(c);
  const elements = Array.from({ length: n / own }, (_, h) => (h === 0 ? t : text.let(`${t} + ${h * own}u`, "element")));
  const held = elements.map((element, h) => line.load(element, (h + 1) * own - 1));
  const scale = scales(form) ? lineScale(frame, lines, c, held) : undefined;
  const address = (element: string): string => text.let(`${element} * ${lines}u + ${c}`, "a");
  held.forEach((value, h) => memory.put(address(elements[h]), scale ? text.let(`${scale.down} * ${value}`) : value));
  text.line("workgroupBarrier();");

  const columns = lines / form.n;
  const jobs = ((2 * n) / form.m) * columns;
  text.line(`${uniformBySubgroup} {`);
  text.line(`if (subgroup < ${subgroups}u) {`);
  text.line(`for (var u = 0u; u < ${jobs / subgroups}u; u++) {`);
  const job = text.let(`u * ${subgroups}u + subgroup`, "job");
  const [row, column] = [text.let(`${job} / ${columns}u`, "row"), text.let(`(${job} % ${columns}u) * ${form.n}u`, "column")];
  const sum = products.sum();
  text.line(`for (var j = 0u; j < ${(2 * n) / form.k}u; j++) {`);
  products.add(sum, products.factors(row, "j"), products.values(memory.arrays("re"), `${column} + j * ${form.k * lines}u`, lines));
  text.line("}");
  products.store("dechirp_sums", `${row} * ${form.m * lines}u + ${column}`, sum, lines);
  text.line("}\n}\n}");
  text.line("workgroupBarrier();");

  const factor = frame.gain / matrixScale(form, n);
  for (const element of elements) {
    const at = address(element);
    const value = text.let(`vec2f(f32(dechirp_sums[${at}]), f32(dechirp_sums[${at} + ${n * lines}u]))`);
    const one = factor === 1 ? value : text.let(`${wgslFloat(factor)} * ${value}`);
    line.store(element, scale ? text.let(`${scale.up} * ${one}`) : one);
  }
}
