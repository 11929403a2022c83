/**
 * Checks that programs give the same bits after they have travelled as JSON text: every op, hooks and kernels that are functions by recipes, and
 * random chains of steps with constants.
 */
import {
  type Constant,
  convert,
  evaluate,
  fft,
  filterInverse,
  type Layout,
  layout,
  multiply,
  type Op,
  type Program,
  portsOf,
  type Recipe,
  resultLayout,
  type Step,
  spectralFilter,
  type TypedArrayOf,
  transpose,
  uniformsOf,
} from "@dechirp/core";
import { sampleOps } from "@dechirp/core/backend";
import { load, map, store } from "@dechirp/core/expression";
import { type DecodeOptions, decodeProgram, encodeProgram } from "@dechirp/core/json";
import { identical, isTrue } from "./assert.ts";
import { check, type Kit, suite } from "./kit.ts";
import { random, randomArray, type TestRandom } from "./random.ts";
import { integersTimesGain, lineChirps, twice, weighted } from "./samples.ts";

/** Gives recipes to kernels and hooks that are functions, and keeps the functions that make them again. */
function createRecipes() {
  const kernels: Record<string, () => never> = {};
  const hooks: Record<string, () => never> = {};
  const recipeOf = (table: Record<string, () => never>, made: unknown): Recipe => {
    const name = `made ${Object.keys(table).length}`;
    table[name] = () => made as never;
    return { name };
  };
  const given = <T extends Op>(op: T): T => {
    if (op.op === "kernel") return { ...op, recipe: recipeOf(kernels, op) };
    const fields = Object.entries(op).map(([name, part]) => [
      name,
      typeof part === "object" && "reference" in part ? { ...part, recipe: recipeOf(hooks, part) } : part,
    ]);
    return Object.fromEntries(fields) as T;
  };
  return { given, options: { kernels, hooks } satisfies DecodeOptions };
}

/** Runs the program as it is and as it arrives, and compares bits. */
async function travels({ device }: Kit, program: Program, options: DecodeOptions, seed: number): Promise<void> {
  const source = random(seed);
  const inputs: Record<string, TypedArrayOf> = {};
  for (const [name, of] of Object.entries(program.inputs)) inputs[name] = randomArray(of, source);
  const arrived = decodeProgram(JSON.stringify(encodeProgram(program)), options);
  const uniforms = Object.fromEntries(program.steps.flatMap(({ op }) => Object.keys(uniformsOf(op))).map((name) => [name, 0.75]));
  const run = (one: Program) => evaluate(one, device, { ...inputs }, { uniforms });
  const [sent, received] = [await run(program), await run(arrived)];
  for (const name of program.outputs) {
    const [here, there] = [sent, received].map((outputs) => bytesOf(outputs[name]));
    identical(there, here, `${name} of ${program.name} after its journey, byte by byte`);
    isTrue(
      sent[name].some((value) => value !== 0),
      `${name} of ${program.name} is not zero`,
    );
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: TypedArrayOf): Uint8Array => new Uint8Array(buffer, byteOffset, byteLength);

/** A program of one step whose values have the names of the op's ports. */
function programOf(op: Op): Program {
  const ports = Object.entries(portsOf(op));
  return {
    name: op.op,
    inputs: Object.fromEntries(ports.filter(([, { access }]) => access !== "write").map(([name, port]) => [name, port.layout])),
    steps: [{ name: op.op, op, bind: Object.fromEntries(ports.map(([name]) => [name, name])) }],
    outputs: ports.filter(([, { access }]) => access !== "read").map(([name]) => name),
  };
}

/** A random step that reads c64 lines. */
function randomOp(lines: Layout<"c64">, source: TestRandom): Op {
  const [rows, columns] = lines.shape;
  const axis = source.integer(0, 1);
  const n = lines.shape[axis] + source.integer(0, 9);
  const some = { axis, n, cornerTurn: source.integer(0, 1) === 1 };
  const gain = source.next() - 0.5;
  const make = source.pick([
    (): Op => fft(lines, { ...some, inverse: source.integer(0, 1) === 1 }),
    (): Op =>
      fft(lines, { ...some, load: load({ layout: lines, sources: { x: lines, w: layout("f32", [columns]) } }, `x * w[i1] * ${gain}`) }),
    (): Op => fft(lines, { axis: 1, store: weighted(columns) }),
    (): Op => fft(lines, { axis: 1, load: integersTimesGain(rows, columns, "ci16") }),
    (): Op => fft(lines, { axis, store: store({ layout: lines, sources: {}, dtype: "c64" }, `value * ${gain}`) }),
    (): Op => spectralFilter(lines, { axis, n, h: "all" }),
    (): Op => filterInverse(lines, { axis: 1, h: lineChirps(lines, 1) }),
    (): Op => multiply(lines, { axis }),
    (): Op => transpose(lines, { permutation: [1, 0] }),
    (): Op => convert(lines, { to: "c64", scale: gain }),
    (): Op => twice(lines),
    (): Op =>
      map(
        { shape: lines.shape, sources: { x: lines, y: layout("u32", [7]) }, outputs: { out: "c64" } },
        `out = x * cis(y[i0]) - -0.0`,
      ) as Op,
  ]);
  return make();
}

/** A random chain of steps. What steps read beside the result of the one before are constants. */
function randomProgram(source: TestRandom, given: <T extends Op>(op: T) => T): Program {
  let lines: Layout<"c64"> = layout("c64", [source.integer(2, 9), source.integer(2, 9)]);
  const inputs = { value0: lines };
  const constants: Record<string, Constant> = {};
  const steps: Step[] = [];
  for (let i = 0; i < 5; i++) {
    const op = given(randomOp(lines, source));
    const bind: Record<string, string> = {};
    for (const [port, { access, layout: at }] of Object.entries(portsOf(op))) {
      const own = access === "write" || port === "in" || port === "x";
      bind[port] = access === "write" ? `value${i + 1}` : own ? `value${i}` : `${port} ${i}`;
      if (!own) constants[bind[port]] = { layout: at, data: randomArray(at, source) };
    }
    steps.push({ name: `step ${i}`, op, bind });
    lines = (op.op === "kernel" ? op.ports["out"].layout : resultLayout(op)) as Layout<"c64">;
  }
  return { name: `chain of ${steps.map(({ op }) => op.op).join(", ")}`, inputs, constants, steps, outputs: ["value5"] };
}

/** Checks that programs travel as JSON. */
export const travel = suite("travel", [
  check("the samples of every op", async (kit) => {
    const { given, options } = createRecipes();
    for (const [i, op] of sampleOps().entries()) await travels(kit, programOf(given(op)), options, i);
  }),
  check("random chains of steps", async (kit) => {
    for (let seed = 0; seed < (kit.sizes === "full" ? 20 : 5); seed++) {
      const { given, options } = createRecipes();
      await travels(kit, randomProgram(random(seed), given), options, seed);
    }
  }),
]);
