/** What the programs for Node have in common that tasks write: plain modules of JavaScript, which need the packages that they import. */

/** Plain data as an expression of JavaScript. */
export function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)}: ${literal(member)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

/** The packages that a program imports, sorted, and `webgpu`, by which `@dechirp/fft-gpu` reaches a graphics card in Node. */
export function packagesOf(program: string): readonly string[] {
  const imported = [...program.matchAll(/^import .* from "(@[\w-]+\/[\w-]+)[^"]*";$/gm)].map(([, name]) => name!);
  return [...new Set([...imported, ...(imported.includes("@dechirp/fft-gpu") ? ["webgpu"] : [])])].sort();
}

/** Where a program finds files: lines that declare a constant, to be changed by the user, and the expression of what a reader takes. */
export interface PathLines {
  readonly lines: readonly string[];
  readonly expression: string;
}

/** The constant for the path of a recording: a folder, a file, or several files in one folder. */
export function pathLines(paths: readonly string[], contents: readonly string[] = []): PathLines {
  const [only = "."] = paths;
  const isAbsolute = paths.every((path) => /^(\/|[A-Za-z]:\/)/.test(path));
  if (paths.length > 1 && !isAbsolute)
    return {
      lines: ["// Set this to the folder that holds the files below.", 'const path = ".";'],
      expression: `${literal(paths)}.map((name) => \`\${path}/\${name}\`)`,
    };
  const what =
    paths.length > 1
      ? "the paths of the recording"
      : only === "."
        ? `the folder that holds ${listOf(contents)}`
        : "the path of the recording";
  const value = paths.length > 1 ? paths : only;
  return { lines: [`// Set this to ${what} on your machine.`, `const path = ${literal(value)};`], expression: "path" };
}

/** How a program opens files on servers: lines that declare their addresses, lines that open them, and the expression of what a reader takes. */
export function addressLines(
  addresses: Readonly<Record<string, string>>,
  isFolder: boolean,
): PathLines & { readonly top: readonly string[] } {
  const names = Object.keys(addresses);
  const [only = ""] = names;
  const isOne = names.length === 1;
  return {
    top: isOne
      ? ["// The address of the recording.", `const address = ${literal(addresses[only])};`]
      : ["// The addresses of the recording's files.", `const addresses = ${literal(addresses)};`],
    lines: isOne
      ? [`const file = ${literal(only)};`, "const files = { [file]: await openUrl(address) };"]
      : ["const files = {};", "for (const [name, address] of Object.entries(addresses)) files[name] = await openUrl(address);"],
    expression: isFolder
      ? "placeOf(files)"
      : isOne
        ? "placeOf(files, { file })"
        : "Object.keys(files).map((file) => placeOf(files, { file }))",
  };
}

const listOf = (names: readonly string[]): string =>
  names.length === 0 ? "the recording" : names.length > 3 ? `${names.slice(0, 3).join(", ")} …` : names.join(" and ");
