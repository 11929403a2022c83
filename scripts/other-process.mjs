// @ts-check
/**
 * For tests that send programs to another process: `runElsewhere` bundles a receiver from the sources of a package, starts it in a process of
 * its own, and sends it the text of a program and its inputs. The receiver decodes the program, runs it on each device and sends back
 * the outputs.
 */
import { spawn } from "node:child_process";
import { build } from "esbuild";

/** The receiver. It reads one line of JSON from file descriptor 3 and writes one to descriptor 4. */
const receiver = (/** @type {string} */ options) => `
import { readFileSync, writeFileSync } from "node:fs";
import { evaluate, open } from "@dechirp/core";
import { decodeProgram } from "@dechirp/core/json";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
${options}
const { text, inputs, uniforms, devices } = JSON.parse(readFileSync(3, "utf8"));
const types = { Float32Array, Float64Array, Int8Array, Uint8Array, Int16Array, Uint16Array, Uint32Array };
const array = ({ type, base64 }) => new types[type](new Uint8Array(Buffer.from(base64, "base64")).buffer);
const sent = (data) => ({ type: data.constructor.name, base64: Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("base64") });
const each = (object, change) => Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
const program = decodeProgram(text, options);
const backends = { cpu, gpu };
const results = {};
for (const name of devices) {
  const device = await open(backends[name]());
  results[name] = each(await evaluate(program, device, each(inputs, array), { uniforms }), sent);
  device[Symbol.dispose]();
}
writeFileSync(4, JSON.stringify(results));
process.exit();
`;

/**
 * @typedef {Float32Array | Float64Array | Int8Array | Uint8Array | Int16Array | Uint16Array | Uint32Array} Numbers
 *
 * @typedef {object} Errand
 * @property {string} folder the folder of the package, below which the receiver's imports are looked up
 * @property {string} options code of the receiver that declares \`options\` of decodeProgram
 * @property {string} text the program as JSON
 * @property {Readonly<Record<string, Numbers>>} inputs
 * @property {Readonly<Record<string, number>>} [uniforms]
 * @property {readonly ("cpu" | "gpu")[]} devices
 */

/** The bytes of every output, by device and name. @param {Errand} errand @returns {Promise<Record<string, Record<string, Buffer>>>} */
export async function runElsewhere({ folder, options, text, inputs, uniforms = {}, devices }) {
  const { outputFiles } = await build({
    stdin: { contents: receiver(options), resolveDir: folder, loader: "ts" },
    bundle: true,
    write: false,
    platform: "node",
    target: "node20",
    format: "esm",
    conditions: ["@dechirp/source"],
    external: ["webgpu"],
    logLevel: "warning",
  });
  const child = spawn(process.execPath, ["--input-type=module", "-"], { cwd: folder, stdio: ["pipe", "inherit", "pipe", "pipe", "pipe"] });
  const [code, , errors, message, answer] = child.stdio;
  let [said, answered] = ["", ""];
  /** @type {import("node:stream").Readable} */ (errors).setEncoding("utf8").on("data", (part) => (said += part));
  /** @type {import("node:stream").Readable} */ (answer).setEncoding("utf8").on("data", (part) => (answered += part));
  const arrays = Object.fromEntries(
    Object.entries(inputs).map(([name, data]) => [
      name,
      { type: data.constructor.name, base64: Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("base64") },
    ]),
  );
  /** @type {import("node:stream").Writable} */ (code).end(outputFiles[0]?.text);
  /** @type {import("node:stream").Writable} */ (message).end(JSON.stringify({ text, inputs: arrays, uniforms, devices }));
  const status = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
  if (status !== 0) throw new Error(`the receiver ended with ${status}: ${said}`);
  const results = JSON.parse(answered);
  return Object.fromEntries(
    devices.map((name) => [
      name,
      Object.fromEntries(
        Object.entries(/** @type {Record<string, { base64: string }>} */ (results[name])).map(([output, { base64 }]) => [
          output,
          Buffer.from(base64, "base64"),
        ]),
      ),
    ]),
  );
}
