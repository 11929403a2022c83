/**
 * What is particular to Dawn in Node: its flags, and whether WebGPU would find a Vulkan driver on Linux. The driver is looked for before
 * Dawn is asked, as Dawn writes failures to the process's standard error, where no program can catch them (webgpu 0.6.2). Drivers are found
 * as Vulkan's loader does (LoaderDriverInterface.md of Khronos' Vulkan-Loader, "Driver Discovery on Linux"). If none is found, another
 * process asks Dawn, with its output discarded. Delete this when the package `webgpu` passes warnings to its caller.
 */

import type { GpuOptions } from "./options.ts";

/** The parts of Node's `process` that are used. This package does not depend on Node's types. */
export interface NodeProcess {
  readonly platform: string;
  readonly execPath: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly versions?: { readonly node?: string };
  dlopen?(module: object, file: string): void;
  getBuiltinModule?(name: string): unknown;
}

interface Files {
  readdirSync(folder: string): string[];
  readFileSync(file: string, encoding: "utf8"): string;
  existsSync(path: string): boolean;
}

interface ChildProcesses {
  spawn(command: string, args: readonly string[], options: object): { on(event: string, listener: (value: unknown) => void): void };
}

/** Enough for a driver that compiles or wakes a card. If it takes longer, this process asks Dawn itself. */
const probeMilliseconds = 20_000;
const probeStatus = { adapter: 40, none: 41 } as const;

/**
 * Returns the reason why there is no adapter, or undefined if Dawn may be asked. `webgpu` returns the URL that the package was loaded
 * from. Never throws: what can't be determined is left to Dawn.
 */
export async function missingVulkan(host: NodeProcess, webgpu: () => string, flags: readonly string[]): Promise<string | undefined> {
  try {
    if (host.platform !== "linux" || !host.getBuiltinModule || !host.dlopen) return undefined;
    const files = host.getBuiltinModule("node:fs") as Files;
    const hasLoader = loads(host, "libvulkan.so.1");
    if (hasLoader && manifests(host.env, files).some((manifest) => hasDriver(manifest, host, files))) return undefined;
    const found = await probe(host.getBuiltinModule("node:child_process") as ChildProcesses, host, webgpu(), flags);
    if (found !== "none") return undefined;
    return hasLoader ? "this machine has no Vulkan driver that WebGPU can use" : "this machine has no Vulkan loader (libvulkan.so.1)";
  } catch {
    return undefined;
  }
}

/** Whether the system's linker finds a library. Node loads the library before it reports that it is not an addon. */
function loads(host: NodeProcess, library: string): boolean {
  try {
    host.dlopen?.({ exports: {} }, library);
    return true;
  } catch (error) {
    return /self-register/.test((error as Error).message);
  }
}

/** The driver manifests in the folders that Vulkan's loader searches. */
function manifests(env: NodeProcess["env"], files: Files): string[] {
  const listed = (names: string | undefined): string[] => (names ?? "").split(":").filter((path) => path !== "");
  const inside = (path: string): string[] => {
    if (path.endsWith(".json")) return [path];
    try {
      return files
        .readdirSync(path)
        .filter((name) => name.endsWith(".json"))
        .map((name) => `${path}/${name}`);
    } catch {
      return [];
    }
  };
  const given = env["VK_DRIVER_FILES"] ?? env["VK_ICD_FILENAMES"];
  if (given) return listed(given).flatMap(inside);
  const home = env["HOME"] ?? "";
  const bases = [
    env["XDG_CONFIG_HOME"] || `${home}/.config`,
    ...listed(env["XDG_CONFIG_DIRS"] || "/etc/xdg"),
    "/usr/local/etc",
    "/etc",
    env["XDG_DATA_HOME"] || `${home}/.local/share`,
    ...listed(env["XDG_DATA_DIRS"] || "/usr/local/share:/usr/share"),
  ];
  return [...listed(env["VK_ADD_DRIVER_FILES"]), ...bases.map((base) => `${base}/vulkan/icd.d`)].flatMap(inside);
}

/** Whether the library that a manifest names exists. */
function hasDriver(manifest: string, host: NodeProcess, files: Files): boolean {
  try {
    const library: unknown = JSON.parse(files.readFileSync(manifest, "utf8"))?.ICD?.library_path;
    if (typeof library !== "string") return false;
    if (!library.includes("/")) return loads(host, library);
    return files.existsSync(library.startsWith("/") ? library : `${manifest.slice(0, manifest.lastIndexOf("/"))}/${library}`);
  } catch {
    return false;
  }
}

/** Asks Dawn for an adapter in another process. `unknown` if that can't be started or gives no answer. */
function probe(
  { spawn }: ChildProcesses,
  host: NodeProcess,
  webgpu: string,
  flags: readonly string[],
): Promise<"adapter" | "none" | "unknown"> {
  const program = `const [url, flags] = process.argv.slice(1);
const { create } = await import(url);
const adapter = await create(JSON.parse(flags)).requestAdapter();
process.exit(adapter ? ${probeStatus.adapter} : ${probeStatus.none});`;
  const child = spawn(host.execPath, ["--input-type=module", "-e", program, webgpu, JSON.stringify(flags)], {
    stdio: "ignore",
    timeout: probeMilliseconds,
    env: { ...host.env, NODE_OPTIONS: "", ELECTRON_RUN_AS_NODE: "1" },
  });
  return new Promise((resolve) => {
    child.on("error", () => resolve("unknown"));
    child.on("close", (status) => resolve(status === probeStatus.none ? "none" : status === probeStatus.adapter ? "adapter" : "unknown"));
  });
}

/**
 * The flags for Dawn. All features that are enabled are in one flag, as Dawn uses only the last of several (webgpu 0.6.2).
 */
export function dawnFlagsOf({ dawnFlags = [], unsafe = [] }: Pick<GpuOptions, "dawnFlags" | "unsafe">): readonly string[] {
  if (unsafe.length === 0) return dawnFlags;
  const enable = "enable-dawn-features=";
  const enabled = dawnFlags.flatMap((flag) => (flag.startsWith(enable) ? flag.slice(enable.length).split(",") : []));
  return [...dawnFlags.filter((flag) => !flag.startsWith(enable)), `${enable}${[...new Set([...enabled, ...unsafe])].join(",")}`];
}
