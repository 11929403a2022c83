/**
 * Counts the work of a kernel from its text: floating-point operations, bytes of device memory, barriers, shuffles, products of matrices,
 * and the bytes that go through workgroup memory by the number of lanes that share a bank. It follows all invocations of one workgroup
 * through the code. Indices are computed, data are not. A kernel that can't be followed throws `unsupported`.
 */
import { byteLength, layout } from "@dechirp/core";
import type { LabKernel } from "@dechirp/fft-gpu/lab";
import {
  bytesOfType,
  commonType,
  elementType,
  integerCall,
  integerResult,
  isFloat,
  type Lanes,
  mapLanes,
  mergeLanes,
  swizzled,
  type Value,
  widthOf,
} from "./lanes.ts";
import { rootOf, unfollowed, Walk } from "./walk.ts";
import { type Expression, parseWgsl, type WgslFunction, type WgslModule } from "./wgsl-parser.ts";

/** The work of a dispatch. */
export interface Census {
  /** Number of workgroups. */
  readonly workgroups: number;
  /** Invocations of a workgroup. */
  readonly threads: number;
  /** Bytes of workgroup memory. */
  readonly workgroupBytes: number;
  /** Of all workgroups: additions and multiplications, sines and cosines, and operations of matrix products. */
  readonly flops: number;
  /** Sines and cosines of all workgroups. */
  readonly sines: number;
  /** Operations of products of matrices, of all workgroups. */
  readonly matrixFlops: number;
  /** Bytes of device memory that are read and written, and bytes of constant tables, which stay in cache. */
  readonly reads: number;
  /** Bytes of device memory that are written. */
  readonly writes: number;
  /** Bytes of constant tables that are read. */
  readonly tableReads: number;
  /** Bytes read from and written to workgroup memory, by the largest number of words of one bank that a subgroup needs at once. */
  readonly exchange: ReadonlyMap<number, number>;
  /** Bytes that shuffles move. */
  readonly shuffles: number;
  /** Barriers of one workgroup. */
  readonly barriers: number;
}

/** Lanes that access workgroup memory at the same time, and banks of four bytes. */
const lanesTogether = 32;
const banks = 32;

/** Operations of functions that are written out elsewhere, or cost one operation for each component. */
const flopsOfCalls: Readonly<Record<string, number>> = { cmul: 6, cmulc: 6, cis: 24, dot: 3 };
const perComponent = /^(fma|sqrt|inverseSqrt|floor|round|trunc|fract|abs|min|max|clamp|sign|ldexp|mix)$/;
const resultTypes: Readonly<Record<string, string>> = {
  cmul: "vec2f",
  cmulc: "vec2f",
  cis: "vec2f",
  dot: "f32",
  unpack2x16float: "vec2f",
  pack2x16float: "u32",
};

/** Counts the work of a dispatch. `subgroup` is the size of subgroups. Throws `unsupported` if the code can't be followed. */
export function censusOf(kernel: LabKernel, subgroup = lanesTogether): Census {
  const walk = new Counter(kernel, parseWgsl(kernel.code), subgroup);
  return walk.census();
}

/** Counts the floating-point operations of a function whose parameters are of any type. */
export function flopsOfFunction(code: string, name: string): number {
  const kernel: LabKernel = { code, entry: name, groups: [1, 1, 1], arrays: {} };
  return new Counter(kernel, parseWgsl(code), 1).census().flops;
}

function entryOf({ entry }: LabKernel, { functions }: WgslModule): WgslFunction {
  const found = functions.get(entry);
  if (!found) throw unfollowed(`the entry point ${entry}`);
  return found;
}

class Counter extends Walk {
  readonly #kernel: LabKernel;
  readonly #subgroup: number;
  readonly #exchange = new Map<number, number>();
  #counts = { flops: 0, sines: 0, matrixFlops: 0, reads: 0, writes: 0, tableReads: 0, shuffles: 0, barriers: 0 };

  constructor(kernel: LabKernel, module: WgslModule, subgroup: number) {
    super(module, entryOf(kernel, module).threads ?? 1);
    this.#kernel = kernel;
    this.#subgroup = subgroup;
    for (const [name, value] of module.constants) this.scope.set(name, { value: this.evaluate(value) });
  }

  census(): Census {
    const { parameters, body } = entryOf(this.#kernel, this.module);
    for (const { name, type, builtin } of parameters) this.scope.set(name, { value: this.#builtin(type, builtin) });
    this.run(body);
    const workgroups = this.#kernel.groups.reduce((a, b) => a * b, 1);
    const { barriers, ...counts } = this.#counts;
    const all = Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, count * workgroups])) as typeof counts;
    return {
      workgroups,
      threads: this.threads,
      workgroupBytes: [...this.module.workgroup.values()].reduce((sum, type) => sum + this.#storage(type), 0),
      ...all,
      exchange: new Map([...this.#exchange].sort(([a], [b]) => a - b).map(([ways, bytes]) => [ways, bytes * workgroups])),
      barriers,
    };
  }

  /** Bytes of a variable of workgroup memory. */
  #storage(type: string): number {
    const array = /^array<(.*), *(\w+)>$/.exec(type);
    if (!array) return bytesOfType(type) ?? 0;
    const known = this.scope.get(array[2])?.value.lanes;
    const count = typeof known === "number" ? known : Number.parseInt(array[2], 10);
    return count * this.#storage(array[1]);
  }

  #builtin(type: string, builtin: string | undefined): Value {
    const tid = Float64Array.from({ length: this.threads }, (_, i) => i);
    const u32 = (lanes: Lanes): Value => ({ type: "u32", lanes });
    const size = Math.min(this.#subgroup, this.threads);
    switch (builtin) {
      case "local_invocation_index":
        return u32(tid);
      case "subgroup_invocation_id":
        return u32(mapLanes((t) => t % size, tid));
      case "subgroup_id":
        return u32(mapLanes((t) => Math.floor(t / size), tid));
      case "num_subgroups":
        return u32(Math.ceil(this.threads / size));
      case "subgroup_size":
        return u32(size);
      case "local_invocation_id":
        return { type, parts: [u32(tid), u32(0), u32(0)] };
      case "workgroup_id":
        return { type, parts: [u32(0), u32(0), u32(0)] };
      case "num_workgroups":
        return { type, parts: this.#kernel.groups.map(u32) };
      case "global_invocation_id":
        return { type, parts: [u32(tid), u32(0), u32(0)] };
      default:
        return { type };
    }
  }

  protected assign(target: Expression, operator: string, given: Expression): void {
    const value =
      operator === "="
        ? this.evaluate(given)
        : this.evaluate({ kind: "binary", operator: operator.slice(0, -1), left: target, right: given });
    if (target.kind === "name" && target.name === "_") return;
    const root = rootOf(target);
    if (this.module.workgroup.has(root) && !this.scope.has(root)) {
      this.#access(target);
      return;
    }
    const variable = this.scope.get(root);
    if (!variable) throw unfollowed(`the name ${root}`);
    if (target.kind === "name") {
      const before = variable.value;
      const lanes =
        value.lanes === undefined
          ? undefined
          : this.active === this.threads
            ? value.lanes
            : mergeLanes(this.mask, value.lanes, before.lanes ?? 0);
      const known = lanes !== undefined && this.doubts === 0 && (this.active === this.threads || before.lanes !== undefined);
      variable.value = { type: before.type, ...(known && { lanes }) };
    } else {
      this.#indices(target);
      // A component or element of an unknown value: its lanes are not followed.
      variable.value = { type: variable.value.type };
    }
  }

  /** Evaluates the indices of an access, for their own accesses. */
  #indices(target: Expression): void {
    if (target.kind === "index") {
      this.evaluate(target.at);
      this.#indices(target.of);
    } else if (target.kind === "member" || target.kind === "unary") this.#indices(target.of);
  }

  protected evaluate(expression: Expression): Value {
    switch (expression.kind) {
      case "number":
        return isFloat(expression.type) ? { type: expression.type } : { type: expression.type, lanes: expression.value };
      case "name": {
        if (this.module.workgroup.has(expression.name) && !this.scope.has(expression.name)) return this.#access(expression);
        const variable = this.scope.get(expression.name);
        if (!variable) throw unfollowed(`the name ${expression.name}`);
        return variable.value;
      }
      case "unary":
        return this.#unary(expression.operator, expression.of);
      case "binary":
        return this.#binary(expression.operator, this.evaluate(expression.left), this.evaluate(expression.right));
      case "member": {
        if (expression.of.kind === "name" && expression.of.name === "uniforms") return { type: "u32" };
        const of = this.evaluate(expression.of);
        const part = "xyzw".indexOf(expression.name);
        return of.parts?.[part] ?? { type: swizzled(of.type, expression.name) };
      }
      case "index": {
        const root = rootOf(expression);
        if (this.module.workgroup.has(root) && !this.scope.has(root)) return this.#access(expression);
        this.evaluate(expression.at);
        return { type: elementType(this.evaluate(expression.of).type) };
      }
      default:
        return this.#call(expression);
    }
  }

  #unary(operator: string, of: Expression): Value {
    if (operator === "&" || operator === "*") {
      const root = rootOf(of);
      return this.module.workgroup.has(root) && !this.scope.has(root) ? { type: this.module.workgroup.get(root) ?? "" } : this.evaluate(of);
    }
    const { type, lanes } = this.evaluate(of);
    if (lanes === undefined || isFloat(type)) return { type };
    const work = operator === "!" ? (x: number) => Number(x === 0) : operator === "~" ? (x: number) => ~x : (x: number) => -x;
    return { type, lanes: mapLanes((x) => (type === "u32" ? work(x) >>> 0 : work(x)), lanes) };
  }

  #binary(operator: string, a: Value, b: Value): Value {
    const type = commonType(a.type, b.type);
    if (!isFloat(a.type) && !isFloat(b.type)) return integerResult(operator, a, b);
    if (/^[-+*/%]$/.test(operator)) {
      this.#counts.flops += widthOf(type) * this.active;
      return { type };
    }
    return { type: "bool" };
  }

  #call({ name, type = name, args }: Extract<Expression, { kind: "call" }>): Value {
    const own = this.module.functions.get(name);
    if (own) return this.call(own, args);
    if (/^(workgroupBarrier|storageBarrier)$/.test(name)) {
      this.#counts.barriers += 1;
      return { type: "" };
    }
    const memory = /^(load|store|add)([24]?)_(\w+)$/.exec(name);
    if (memory) return this.#device(memory[1], memory[2], memory[3], args);
    if (name.startsWith("subgroupMatrix")) return this.#matrix(name, type, args);
    if (name === "atomicLoad" || name === "atomicStore" || name.startsWith("atomic")) return this.#atomic(args);
    const values = args.map((arg) => this.evaluate(arg));
    if (name.startsWith("subgroupShuffle") || name.startsWith("quad")) {
      this.#counts.shuffles += (bytesOfType(values[0].type) ?? 0) * this.active;
      return { type: values[0].type };
    }
    if (name.startsWith("subgroup_matrix")) return { type };
    if (name.startsWith("subgroup")) return { type: values[0]?.type ?? "bool" };
    if (name === "sin" || name === "cos") {
      this.#counts.sines += widthOf(values[0].type) * this.active;
      return { type: values[0].type };
    }
    const integer = integerCall(name, values);
    if (integer) return integer;
    this.#counts.flops += (flopsOfCalls[name] ?? (perComponent.test(name) ? widthOf(values[0].type) : 0)) * this.active;
    if (resultTypes[name]) return { type: resultTypes[name] };
    if (perComponent.test(name) || name === "select") return { type: values.map((value) => value.type).reduce(commonType) };
    if (name === "bitcast") return { type: elementType(type.replace(/^bitcast<(.*)>$/, "array<$1>")) };
    if (bytesOfType(type) !== undefined || /^array/.test(type))
      return { type, ...(/^vec[234][ui]$/.test(type) && values.length === widthOf(type) && { parts: values }) };
    throw unfollowed(`the function ${name}`);
  }

  /** Reads and writes of arrays of device memory. */
  #device(what: string, several: string, name: string, args: readonly Expression[]): Value {
    for (const arg of args) this.evaluate(arg);
    const array = this.#kernel.arrays[name];
    if (!array) throw unfollowed(`the array ${name}`);
    const element = byteLength(layout(array.dtype, [1])) * (several === "" ? 1 : Number(several));
    const bytes = element * this.active;
    if (what !== "load") this.#counts.writes += bytes;
    else if (array.table) this.#counts.tableReads += bytes;
    else this.#counts.reads += bytes;
    const scalar = array.dtype === "u32" ? "u32" : /^c/.test(array.dtype) ? "vec2f" : "f32";
    return { type: several === "" ? scalar : "vec4f" };
  }

  #atomic(args: readonly Expression[]): Value {
    const [pointer, ...values] = args;
    for (const value of values) this.evaluate(value);
    if (pointer?.kind === "unary" && this.module.workgroup.has(rootOf(pointer.of))) return this.#access(pointer.of);
    return { type: "u32" };
  }

  /** Products of matrices, and their reads and writes of workgroup memory, whose tiles are rows of adjacent elements. */
  #matrix(name: string, type: string, args: readonly Expression[]): Value {
    const moves = name === "subgroupMatrixLoad" || name === "subgroupMatrixStore";
    const pointer = moves && args[0]?.kind === "unary" ? rootOf(args[0].of) : "";
    const values = (moves ? args.slice(1) : args).map((arg) => this.evaluate(arg));
    const subgroups = Math.ceil(this.active / Math.min(this.#subgroup, this.threads));
    const shapes = [type, ...values.map((value) => value.type)].flatMap((one) => {
      const found = /subgroup_matrix_(left|right|result)<(\w+), *(\d+), *(\d+)>/.exec(one);
      return found ? [{ side: found[1], of: found[2], columns: Number(found[3]), rows: Number(found[4]) }] : [];
    });
    const [shape] = shapes;
    if (!shape) throw unfollowed(`the function ${name}`);
    if (moves) {
      const bytes = subgroups * shape.columns * shape.rows * (bytesOfType(shape.of) ?? 4);
      if (this.module.workgroup.has(pointer)) this.#exchange.set(1, (this.#exchange.get(1) ?? 0) + bytes);
      // An array of the module's bindings: matrices of roots of unity.
      else if (name === "subgroupMatrixLoad") this.#counts.tableReads += bytes;
      else this.#counts.writes += bytes;
    } else {
      const left = shapes.find(({ side }) => side === "left");
      const right = shapes.find(({ side }) => side === "right");
      if (!left || !right) throw unfollowed(`the function ${name}`);
      this.#counts.matrixFlops += subgroups * 2 * left.rows * left.columns * right.columns;
    }
    return { type: /<(subgroup_matrix.*)>$/.exec(type)?.[1] ?? type };
  }

  /** An access to workgroup memory: bytes by the number of lanes that share a bank. */
  #access(target: Expression): Value {
    const type = this.#workgroupType(target);
    const bytes = bytesOfType(type);
    if (bytes === undefined) return { type };
    const address = this.#address(target);
    if (address === undefined) throw unfollowed("an index of workgroup memory that depends on data");
    const together = Math.max(1, Math.floor(lanesTogether / Math.max(1, bytes / 4)));
    for (let first = 0; first < this.threads; first += together) {
      const words = new Map<number, Set<number>>();
      let count = 0;
      for (let i = first; i < Math.min(first + together, this.threads); i++) {
        if (!this.mask[i]) continue;
        count += 1;
        const at = typeof address === "number" ? address : address[i];
        for (let word = Math.floor(at / 4); word * 4 < at + bytes; word++) {
          const bank = word % banks;
          words.set(bank, (words.get(bank) ?? new Set()).add(word));
        }
      }
      if (count === 0) continue;
      const ways = Math.max(...[...words.values()].map((set) => set.size));
      this.#exchange.set(ways, (this.#exchange.get(ways) ?? 0) + count * bytes);
    }
    return { type };
  }

  /** The type of a place in workgroup memory. */
  #workgroupType(target: Expression): string {
    if (target.kind === "name") return this.module.workgroup.get(target.name) ?? "";
    if (target.kind === "index") return elementType(this.#workgroupType(target.of));
    if (target.kind === "member") return swizzled(this.#workgroupType(target.of), target.name);
    throw unfollowed("a place in workgroup memory");
  }

  /** The address in bytes of a place, within its variable. */
  #address(target: Expression): Lanes | undefined {
    if (target.kind === "name") return 0;
    if (target.kind === "member") {
      const base = this.#address(target.of);
      const offset = "xyzw".indexOf(target.name[0]) * (bytesOfType(elementType(this.#workgroupType(target.of))) ?? 4);
      return base === undefined ? undefined : mapLanes((x) => x + offset, base);
    }
    if (target.kind !== "index") return undefined;
    const base = this.#address(target.of);
    const { lanes } = this.evaluate(target.at);
    const size = this.#storage(elementType(this.#workgroupType(target.of)));
    return base === undefined || lanes === undefined ? undefined : mapLanes((a, i) => a + i * size, base, lanes);
  }
}
