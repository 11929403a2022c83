// @ts-check
/**
 * Generates AssemblyScript from descriptions of records in WASM memory: an unmanaged class for each record, whose fields are at the
 * described offsets, and a namespace for each table of codes. AssemblyScript aligns fields as the descriptions do, each to its own size.
 */
import { build } from "esbuild";

/**
 * @typedef {Readonly<Record<string, number>>} Codes
 * @typedef {string | Codes} FieldType `u32`, `i32`, `f32`, `f64`, one of them and a number of them in brackets, or codes
 * @typedef {Readonly<Record<string, FieldType>>} Fields
 */

/**
 * The text of the module for the records and codes that a TypeScript file exports.
 * @param {string} root the package's folder @param {string} file of the descriptions, within it
 */
export async function recordsOf(root, file) {
  const { outputFiles } = await build({ entryPoints: [file], absWorkingDir: root, bundle: true, format: "esm", write: false });
  const module = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? "")}`);
  return assemblyRecords(module, file);
}

/** Converts `turned rows` to `TurnedRows`. Names begin with a capital, so that none is a type of AssemblyScript. @param {string} name */
const capital = (name) => name.replace(/(?:^|[^A-Za-z0-9]+)(.)/g, (_, letter) => letter.toUpperCase());

/** @param {string} name @param {FieldType} type */
function fieldText(name, type) {
  if (typeof type !== "string") return `  ${name}: u32;\n`;
  const [, element, count = "1"] = /^(u32|i32|f32|f64)(?:\[(\d+)\])?$/.exec(type) ?? [];
  if (element === undefined) throw new Error(`${name} has the type ${type}, which is not known`);
  return Array.from({ length: Number(count) }, (_, i) => `  ${name}${i || ""}: ${element};\n`).join("");
}

/**
 * The text of a module. `exported` are the exports of a module of descriptions: records have `fields`, and codes are tables of numbers.
 * Other exports are ignored.
 * @param {Readonly<Record<string, unknown>>} exported @param {string} source the file of the descriptions
 */
export function assemblyRecords(exported, source) {
  const text = [`// Made from ${source}, which says what the fields are. Not to be edited.\n`];
  for (const [name, value] of Object.entries(exported)) {
    if (typeof value !== "object" || value === null) continue;
    if ("fields" in value) {
      const fields = Object.entries(/** @type {Fields} */ (value.fields)).map(([field, type]) => fieldText(field, type));
      text.push(`@unmanaged\nexport class ${capital(name)} {\n${fields.join("")}}\n`);
    } else {
      const codes = Object.entries(value).map(([code, number]) => `  /* @inline */ export const ${capital(code)}: u32 = ${number};\n`);
      text.push(`export namespace ${name} {\n${codes.join("")}}\n`);
    }
  }
  return text.join("\n");
}
