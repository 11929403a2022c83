/**
 * WebAssembly of expressions: SIMD on four neighbouring elements of a row. Integers that grow evenly along a row stay scalars, so that
 * loads at such indices are contiguous. Real numbers are float32, integers have the bits of the reference.
 */
import { type DType, dtypes } from "../layout.ts";
import type { NodeFacts } from "./check.ts";
import type { Domain, Expression, Kind, Node } from "./nodes.ts";
import { hasForm, load, readRun, writeRun } from "./wasm-arrays.ts";
import { type Code, float, integer, local, loop, moduleOf, one, op, type Section, set, type, when } from "./wasm-bytes.ts";
import { calculate, instructions, isScalar, pairOf } from "./wasm-operators.ts";
import { Run, type Value } from "./wasm-run.ts";
import { taps } from "./wasm-taps.ts";

/** What the function is for, as `WasmFunction` describes: its parameters, and the element types that it writes. */
export type WasmForm =
  | { readonly kind: "load" }
  | { readonly kind: "store"; readonly dtype: DType }
  | { readonly kind: "map"; readonly outputs: readonly DType[] };

/** Operators on complex numbers that work on re, im, re, im just as well. */
const paired = ["add", "sub", "neg", "conj", "mul", "div", "select", "sum"];

/** The bytes of an expression's module. Undefined if an element type has no form in WebAssembly, as f64. */
export function wasmOfExpression(
  { nodes, results }: Expression,
  facts: readonly NodeFacts[],
  domain: Domain,
  form: WasmForm,
): ((shared: boolean) => Uint8Array<ArrayBuffer>) | undefined {
  const outputs: readonly DType[] = form.kind === "load" ? ["c64"] : form.kind === "store" ? [form.dtype] : form.outputs;
  const names = Object.keys(domain.sources);
  if (![...names.map((name) => domain.sources[name].dtype), ...outputs].every(hasForm)) return undefined;
  const uniforms = Object.keys(domain.uniforms ?? {});
  const firstUniform = names.length + (form.kind === "map" ? outputs.length : 0);
  const { shape } = domain;
  const last = shape.length - 1;

  const { live, asPairs } = usesOf(nodes, results, facts, outputs, last);
  /** Whether a node loads the element of a source at the index that is computed. */
  const isHere = (node: Node): boolean =>
    (node[0] === "load" || node[0] === "inside") &&
    domain.sources[node[1]].shape.length === shape.length &&
    shape.every((length, axis) => {
      const index = nodes[node[axis + 2] as number];
      return domain.sources[node[1]].shape[axis] === length && index[0] === "index" && index[1] === axis;
    });
  const items = shape.reduce((product, length) => product * length, 1);
  // Where indices are for nothing but loads of these, all rows are one.
  const isFlat =
    items < 2 ** 31 &&
    !results.some((place) => nodes[place][0] === "index") &&
    nodes.every((node, place) => !live[place] || isHere(node) || !facts[place].operands.some((operand) => nodes[operand][0] === "index"));
  const extent = isFlat ? items : shape[last];
  const inSums = new Map<number, number[]>();
  for (const [place, isLive] of live.entries()) {
    const sum = facts[place].sums.at(-1);
    if (isLive && sum !== undefined) inSums.set(sum, [...(inSums.get(sum) ?? []), place]);
  }
  const varies = (place: number): boolean => facts[place].value || facts[place].axes[last];

  const parameters = form.kind === "store" ? 5 : 4;
  const run = new Run(parameters, extent >= 64);
  const values: Value[] = [];
  /** Sections of the sums that are being computed, and the places of their indices. */
  const sections = new Map<number, Section>();
  const terms = new Map<number, Value>();

  const compute = (place: number): void => {
    const node = nodes[place];
    run.at = run.once;
    values[place] = node[0] === "sum" ? sum(place, node) : nodeValue(place, node);
    run.locals.end(0);
  };

  const nodeValue = (place: number, node: Node): Value => {
    const { kind, operands } = facts[place];
    const constant = (code: Code): Value => ({ kind, section: run.once, stride: 0, scalar: [code] });
    switch (node[0]) {
      case "real":
        return constant(float(node[1]));
      case "i32":
      case "u32":
        return constant(integer(node[1]));
      case "bool":
        return constant(integer(node[1] ? 1 : 0));
      case "uniform": {
        const instruction = kind === "real" ? one.loadF32 : one.load;
        return constant(run.word(firstUniform + uniforms.indexOf(node[1]), instruction));
      }
      case "index":
        return node[1] === last
          ? { kind, section: run.once, stride: 1, scalar: [integer(0)] }
          : { kind, section: run.row, stride: 0, scalar: [rowIndex(node[1])] };
      case "value":
        run.at = run.body;
        return { kind, section: run.body, pairs: readRun(run, "c64", input).map((part) => run.put(run.body, type.v128, part)) };
      case "term":
        return terms.get(node[1]) as Value;
      case "load":
      case "inside": {
        const indices = operands.map((operand) => values[operand]);
        const ranges = operands.map((operand) => facts[operand].range);
        const base = run.word(names.indexOf(node[1]), one.load);
        if (isFlat && isHere(node)) {
          const flat: Value = { kind: "i32", section: run.once, stride: 1, scalar: [integer(0)] };
          return load(run, base, { ...domain.sources[node[1]], shape: [items] }, [flat], [[0, items - 1]], false, place);
        }
        return load(run, base, domain.sources[node[1]], indices, ranges, node[0] === "inside", place);
      }
      case "taps": {
        const [, name, axis, count] = node;
        const used = operands.map((operand) => values[operand]);
        const ranges = operands.slice(count).map((operand) => facts[operand].range);
        return taps(
          run,
          run.word(names.indexOf(name), one.load),
          domain.sources[name],
          axis,
          used.slice(0, count),
          used.slice(count),
          ranges,
        );
      }
      default:
        return operation(place, node[0]);
    }
  };

  /** The index of the row along an axis. */
  const rowIndex = (axis: number): Code => {
    const inner = shape.slice(axis + 1, last).reduce((product, length) => product * length, 1);
    const line = inner === 1 ? run.rowIndex : op(one.div_u, run.rowIndex, integer(inner));
    return run.put(run.row, type.i32, axis === 0 ? line : op(one.rem_u, line, integer(shape[axis])));
  };

  const operation = (place: number, operator: string): Value => {
    const { kind, operands } = facts[place];
    const used = operands.map((operand) => values[operand]);
    const section = run.inner(...used.map((value) => value.section));
    const [x, y] = used;
    const evenly = evenlySpaced(operator, kind, used, operands) ?? (operator === "mod" ? wrapped(place, used, operands) : undefined);
    if (evenly) return evenly;
    const isUniform = used.every(({ stride }) => stride === 0);
    const complex = (parts: readonly Code[] | undefined): Value => ({
      ...{ kind, section, ...(isUniform ? { stride: 0 } : {}) },
      ...(isUniform && used.every(({ scalar }) => scalar) ? { scalar: parts as readonly Code[] } : { vector: parts as readonly Code[] }),
    });
    const partsOf = (value: Value): readonly Code[] =>
      isUniform && used.every(({ scalar }) => scalar) ? run.scalarOf(value) : run.vectorOf(value);
    // These take parts as they are.
    if (operator === "re") return complex([partsOf(x)[0]]);
    if (operator === "im") return complex([partsOf(x)[1]]);
    if (operator === "complex") return complex([partsOf(x)[0], partsOf(y)[0]]);
    const inner = run.inner(section, ...(isUniform ? [] : [run.body]));
    run.at = isUniform ? section : inner;
    if (asPairs[place] && used.every((value) => value.kind !== "complex" || value.pairs || value.stride === 0)) {
      const pairs = used.map((value) => run.pairsOf(value));
      const parts = [0, 1].map((half) =>
        pairOf(
          run,
          operator,
          pairs.map((pair) => pair[half]),
        ),
      );
      return { kind, section: inner, pairs: parts.map((code) => run.put(inner, type.v128, code)) };
    }
    const scalars = isUniform && isScalar(operator, used);
    const parts = calculate(
      run,
      operator,
      used,
      operands.map((operand) => facts[operand].range),
      scalars ? 0 : 1,
    );
    const scalarType = kind === "real" || kind === "complex" ? type.f32 : type.i32;
    const kept = parts.map((code) => run.put(run.at, scalars ? scalarType : type.v128, code));
    return { kind, section: run.at, ...(isUniform ? { stride: 0 } : {}), ...(scalars ? { scalar: kept } : { vector: kept }) };
  };

  /** Integers that stay evenly spaced along a row. */
  const evenlySpaced = (operator: string, kind: Kind, used: readonly Value[], operands: readonly number[]): Value | undefined => {
    const [a, b] = used.map(({ stride }) => stride);
    if ((kind !== "i32" && kind !== "u32") || a === undefined || (used.length > 1 && b === undefined) || used[0].kind === "real")
      return undefined;
    const [first, second = first] = operands.map((operand) => constantOf(nodes[operand]));
    let stride = 0;
    if (operator === "add") stride = a + (b as number);
    else if (operator === "sub") stride = a - (b as number);
    else if (operator === "neg") stride = -a;
    else if (operator === "bits") stride = a;
    else if (operator === "mul" && second !== undefined) stride = Math.imul(a, second);
    else if (operator === "mul" && first !== undefined) stride = Math.imul(b as number, first);
    else if (operator === "shl" && second !== undefined) stride = Math.imul(a, 1 << (second & 31));
    else return undefined;
    if (stride === 0 && (a || b)) return undefined;
    const section = run.inner(...used.map((value) => value.section));
    const parts = used.map((value) => run.scalarOf(value)[0]);
    if (operator === "bits") return { kind, section, stride, scalar: parts };
    const code = operator === "neg" ? op(one.sub, integer(0), parts[0]) : op(instructions.i32[operator][0], ...parts);
    return { kind, section, stride: stride | 0, scalar: [run.put(section, type.i32, code)] };
  };

  /** The remainder of an evenly spaced index, if rows can be split where it starts again from 0. */
  const wrapped = (place: number, [x]: readonly Value[], operands: readonly number[]): Value | undefined => {
    const { kind } = facts[place];
    const [low, high] = facts[operands[0]].range;
    const divisor = constantOf(nodes[operands[1]]) ?? 0;
    if (kind === "real" || divisor < 64 || divisor >= 2 ** 31 || (low >= 0 && high < divisor)) return undefined;
    const scalar = run.ofNode(place, () => {
      if (!run.canSplit(x)) return undefined;
      let rest: Code = [];
      run.split(run.scalarOf(x)[0], (first) => {
        const remainder = op(kind === "i32" ? one.rem_s : one.rem_u, first, integer(divisor));
        rest = run.put(run.row, type.i32, remainder);
        if (kind === "i32")
          run.row.code.push(set(rest, op(one.add, rest, op(one.and, op(one.shr_s, rest, integer(31)), integer(divisor)))));
        const most = kind === "i32" ? integer(2 ** 31 - 1) : integer(2 ** 32 - 1);
        const next = run.put(run.row, type.i32, op(one.sub, integer(divisor - 1), rest));
        const fits = op(one.lt_u, next, op(one.sub, most, first));
        return op(one.select, op(one.add, first, next), most, fits);
      });
      return [run.put(run.row, type.i32, op(one.sub, rest, run.index))];
    });
    return scalar && { kind, section: run.row, stride: 1, scalar };
  };

  const sum = (place: number, [, number, count, term, most]: Extract<Node, readonly ["sum", ...unknown[]]>): Value => {
    const { kind, sums } = facts[place];
    const outer =
      sums.length > 0
        ? (sections.get(sums[sums.length - 1]) as Section)
        : varies(place)
          ? run.body
          : facts[place].axes.some(Boolean)
            ? run.row
            : run.once;
    const inner: Section = { code: [], depth: outer.depth + 1 };
    sections.set(number, inner);
    const index = run.variable(inner, type.i32);
    terms.set(number, { kind: "i32", section: inner, stride: 0, scalar: [index] });
    for (const inSum of inSums.get(number) ?? []) compute(inSum);
    const value = values[term];
    const isUniform = value.stride === 0;
    const scalarType = !isUniform ? type.v128 : kind === "real" || kind === "complex" ? type.f32 : type.i32;
    const isPairs = asPairs[place] && value.pairs !== undefined && !isUniform;
    const parts = isPairs ? run.pairsOf(value) : isUniform ? run.scalarOf(value) : run.vectorOf(value);
    const [scalar, vector] = instructions[kind === "complex" ? "real" : kind].add;
    const zero = !isUniform ? run.bits(0) : scalarType === type.f32 ? float(0) : integer(0);
    const totals = parts.map(() => run.put(outer, scalarType, zero));
    for (const [i, total] of totals.entries()) inner.code.push(set(total, op(isUniform ? scalar : vector, total, parts[i])));
    inner.code.push(set(index, op(one.add, index, integer(1))));
    const [terms1] = run.scalarOf(values[count]);
    const end = run.put(outer, type.i32, op(one.select, terms1, integer(most), op(one.lt_s, terms1, integer(most))));
    outer.code.push(set(index, integer(0)));
    outer.code.push(when(op(one.lt_s, integer(0), end), loop(inner.code, op(one.lt_s, index, end))));
    return {
      ...{ kind, section: outer },
      ...(isUniform ? { stride: 0, scalar: totals } : isPairs ? { pairs: totals } : { vector: totals }),
    };
  };

  // Parameters after the argument: the first element, then the number of elements or the end; then the addresses of hooks' arrays.
  const start = local(1);
  const stop = form.kind === "map" ? local(2) : run.put(run.once, type.i32, op(one.add, start, local(2)));
  /** The address of index 0 of a row in an array of the domain's shape, or of the run that begins with the first element. */
  const rowOf = (address: Code, bytes: number): Code => {
    const size = integer(bytes);
    const first = form.kind === "map" ? address : run.put(run.once, type.i32, op(one.sub, address, op(one.mul, start, size)));
    return run.put(run.row, type.i32, op(one.add, first, op(one.mul, op(one.sub, start, run.index), size)));
  };
  const row = run.row.code;
  row.push(set(run.rowIndex, op(one.div_u, start, integer(extent))));
  row.push(set(run.index, op(one.sub, start, op(one.mul, run.rowIndex, integer(extent)))));
  row.push(set(run.end, op(one.add, run.index, op(one.sub, stop, start))));
  if (form.kind === "map") row.push(set(run.end, op(one.select, run.end, integer(extent), op(one.lt_u, run.end, integer(extent)))));
  const input = form.kind === "store" ? rowOf(local(3), 8) : [];
  const targets = outputs.map((dtype, i) => {
    const address = form.kind === "map" ? run.word(names.length + i, one.load) : local(parameters - 1);
    return rowOf(address, dtypes[dtype].bytes);
  });

  const places = nodes.map((_, place) => place).filter((place) => live[place] && facts[place].sums.length === 0);
  for (const place of places) if (!varies(place)) compute(place);
  const body = (tail: boolean, apart: boolean): Code => {
    run.begin(tail, apart);
    for (const place of places) if (varies(place)) compute(place);
    for (const [i, place] of results.entries()) {
      writeRun(run, outputs[i], targets[i], values[place]);
      run.locals.end(0);
    }
    return run.body.code;
  };
  // Small bodies are there twice: the host checks for interrupts each time around.
  const isSmall = inSums.size === 0 && live.filter((isLive, place) => isLive && varies(place)).length <= 32;
  const fours = (code: Code): Code => {
    const step = [code, set(run.index, op(one.add, run.index, integer(4)))];
    if (!isSmall) return when(more, loop(step, more));
    const two = op(one.lt_s, run.index, op(one.sub, beforeEnd, integer(4)));
    return [when(two, loop([step, step], two)), when(more, loop(step, more))];
  };
  const beforeEnd = run.variable(run.row, type.i32);
  const more = op(one.lt_s, run.index, beforeEnd);
  // Loads of which a part of the row is outside the array are branches in a loop of their own.
  const loops = fours(body(false, false));
  const allInside = run.partings.reduce<Code | undefined>((all, flag) => (all ? op(one.and, all, flag) : flag), undefined);
  const rowLoops = allInside ? when(allInside, loops, fours(body(false, true))) : loops;
  const rest = body(true, true);
  row.push(set(beforeEnd, op(one.sub, run.end, integer(3))));
  row.push(set(start, op(one.add, start, op(one.sub, run.end, run.index))));
  row.push(rowLoops);
  row.push(when(op(one.lt_s, run.index, run.end), rest));
  const isMore = op(one.lt_u, start, stop);
  run.once.code.push(form.kind === "map" || run.splits > 0 ? when(isMore, loop(row, isMore)) : row);
  return moduleOf(parameters, run.locals, run.once.code);
}

const constantOf = (node: Node): number | undefined => (node[0] === "i32" || node[0] === "u32" ? node[1] : undefined);

/**
 * Which nodes are used at all, and which complex ones are computed as re, im, re, im: those from arrays to arrays without anything in
 * between that takes the parts apart.
 */
function usesOf(
  nodes: readonly Node[],
  results: readonly number[],
  facts: readonly NodeFacts[],
  outputs: readonly DType[],
  last: number,
): { readonly live: readonly boolean[]; readonly asPairs: readonly boolean[] } {
  const live = nodes.map(() => false);
  const asPairs = nodes.map(() => true);
  for (const [i, place] of results.entries()) {
    live[place] = true;
    if (!outputs[i].startsWith("c")) asPairs[place] = false;
  }
  for (let place = nodes.length - 1; place >= 0; place--) {
    if (!live[place]) continue;
    const { kind, operands } = facts[place];
    const isProduct = nodes[place][0] === "mul" && operands.every((operand) => facts[operand].kind === "complex");
    asPairs[place] &&= kind === "complex" && paired.includes(nodes[place][0]) && !isProduct;
    for (const operand of operands) {
      live[operand] = true;
      asPairs[operand] &&= asPairs[place];
    }
  }
  for (const [place, { operands, axes, value }] of facts.entries()) {
    const varies = (axesOf: readonly boolean[], hasValue: boolean): boolean => axesOf[last] || hasValue;
    asPairs[place] &&= varies(axes, value);
    asPairs[place] &&= operands.every((operand) => {
      const { kind, axes, value } = facts[operand];
      return (
        kind !== "complex" || asPairs[operand] || !varies(axes, value) || ["load", "inside", "taps", "value"].includes(nodes[operand][0])
      );
    });
  }
  return { live, asPairs };
}
