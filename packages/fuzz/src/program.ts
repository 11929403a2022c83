/** `decodeProgram` as a target: documents of programs with changes of their JSON must be refused by one `input` or `limit`, or be valid. */
import { fft, isRadarError, type Kernel, layout, type Program, program, transpose } from "@dechirp/core";
import { load, map, store, times } from "@dechirp/core/expression";
import { type DecodeOptions, decodeProgram, encodeProgram } from "@dechirp/core/json";
import { changeBytes } from "./bytes.ts";
import { changeJson } from "./json.ts";
import { accepted, fault, type Target, type Verdict } from "./target.ts";

const copies = (length: number): Kernel => ({
  op: "kernel",
  name: "copy",
  ports: {
    in: { access: "read", layout: layout("c64", [length]) },
    out: { access: "write", layout: layout("c64", [length]) },
  },
  items: length,
  recipe: { name: "copy", parameters: { length, marks: Float64Array.of(1, Number.NaN) } },
  reference({ in: x, out }, _uniforms, start, end) {
    for (let i = start; i < end; i++) out.set(i, x.re(i), x.im(i));
  },
});

const options: DecodeOptions = { kernels: { copy: ({ length }) => copies(length as number) } };

/** Sound programs: transforms with hooks, maps with sums, kernels, constants. */
function programs(): readonly Program[] {
  const lines = layout("c64", [4, 16]);
  const window = layout("f32", [16]);
  return [
    program({
      name: "compress",
      inputs: { raw: layout("ci16", [4, 16]) },
      constants: { window: { layout: window, data: new Float32Array(16).fill(0.5) } },
      steps: [
        {
          name: "range",
          op: fft(lines, {
            axis: 1,
            n: 20,
            load: load({ layout: lines, sources: { raw: layout("ci16", [4, 16]), w: window } }, "raw * w[i1]"),
          }),
          bind: { raw: "raw", w: "window", out: "spectra" },
        },
        { name: "turn", op: transpose(layout("c64", [4, 20]), { permutation: [1, 0] }), bind: { in: "spectra", out: "turned" } },
        {
          name: "power",
          op: fft(layout("c64", [20, 4]), {
            axis: 1,
            keep: [1, 2],
            store: store({ layout: layout("c64", [20, 2]), sources: {}, uniforms: { level: "f32" }, dtype: "u8" }, ({ value, level }) =>
              times(value, level),
            ),
          }),
          bind: { in: "turned", out: "power" },
        },
      ],
      outputs: ["power"],
    }),
    program({
      name: "sums",
      inputs: { x: layout("f32", [8, 8]), y: layout("c64", [5]) },
      steps: [
        {
          name: "means",
          op: map({ shape: [8], sources: { x: layout("f32", [8, 8]) }, outputs: { mean: "f32" } }, "mean = sum(j, 8, x[i0, j]) * -0.125"),
          bind: { x: "x", mean: "means" },
        },
        { name: "copy", op: copies(5), bind: { in: "y", out: "z" } },
      ],
      outputs: ["means", "z"],
    }),
  ];
}

/** Runs `text` and judges how it was refused. */
function judge(text: string): Verdict {
  try {
    encodeProgram(decodeProgram(text, options));
    return accepted;
  } catch (error) {
    if (!isRadarError(error)) return fault(error instanceof Error ? `${error.stack}` : `threw ${String(error)}`);
    const { code, message, fields, cause } = error;
    const demands: readonly (readonly [holds: boolean, otherwise: string])[] = [
      [code === "input" || code === "limit", `code ${code}`],
      [typeof fields["field"] === "string", "no field"],
      [typeof fields["expected"] === "string" || typeof fields["limit"] === "number", "neither expected nor a limit"],
      [message.length <= 1000, `${message.length} characters`],
      [!/\p{Cc}/u.test(message), "control characters"],
      [!(cause instanceof TypeError), "a check that failed by itself"],
    ];
    const wrong = demands.find(([holds]) => !holds)?.[1];
    return wrong === undefined ? { kind: "refused", how: code, message } : fault(`${wrong}: ${message.slice(0, 300)}`);
  }
}

/** Documents of programs. */
export function programTarget(): Target {
  const seeds = programs().map((one) => new TextEncoder().encode(JSON.stringify(encodeProgram(one))));
  return {
    name: "program",
    weight: 15,
    make(dice) {
      let bytes: Uint8Array = dice ? dice.pick(seeds) : seeds[0];
      for (let more = dice !== undefined; more && dice; more = dice.chance(0.3)) {
        try {
          bytes = changeJson(bytes, dice, dice.pick(seeds));
        } catch {
          // The change before has broken the structure that a change needs.
          bytes = changeBytes(bytes, dice, dice.pick(seeds));
        }
      }
      return {
        files: { "program.json": bytes },
        // Arrays are at most as large as their text. Checks of expressions take small tables.
        allowance: { largest: 2 ** 20 + 2 * bytes.length, total: 2 ** 21 + 16 * bytes.length },
        run: () => judge(new TextDecoder().decode(bytes)),
      };
    },
  };
}
