/** What the tests of the task Focus share: waiting for results, figures of the page, saved files, and generated programs run in Node. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { readNpy } from "@dechirp/io";
import { build } from "esbuild";
import type { Page } from "playwright-core";

/** Milliseconds that work may take on two busy cores with an emulated graphics card. */
export const patience = 120_000;

/** Prints what was measured. */
export const note = (text: string): void => void process.stdout.write(`${text}\n`);

/** Text of a figure of the page, when it is there. */
export async function figure(page: Page, name: string, nth = 0): Promise<string> {
  const text = await page.locator(`[data-figure="${name}"]`).nth(nth).textContent({ timeout: patience });
  return text ?? "";
}

/** Number at the beginning of a figure. */
export const numberOf = async (page: Page, name: string, nth = 0): Promise<number> => Number.parseFloat(await figure(page, name, nth));

/** Resolves when an image is finished: its report is there, and nothing is under way. */
export async function finished(page: Page): Promise<void> {
  await page.locator(".focus .picture[aria-busy=false] .image-viewer").first().waitFor({ timeout: patience });
  await page.locator("[data-figure=entropy]").first().waitFor({ timeout: patience });
}

/** The one sentence of an error on the page. */
export async function problem(page: Page): Promise<string> {
  return (await page.locator(".focus [role=alert] p").first().textContent({ timeout: patience })) ?? "";
}

/** A file that a button saves. */
export interface Saved {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Bytes of the file that a button saves. */
export const saved = async (page: Page, button: string): Promise<Uint8Array> => (await savedFile(page, button)).bytes;

/** The file that a button saves. */
export async function savedFile(page: Page, button: string): Promise<Saved> {
  const download = page.waitForEvent("download", { timeout: patience });
  await page.getByRole("button", { name: button, exact: true }).first().click();
  const refusal = page.locator(".saving [role=alert]");
  const refused = refusal.waitFor({ timeout: patience }).then(async () => {
    throw new Error((await refusal.textContent()) ?? "");
  });
  refused.catch(() => {});
  const file = await Promise.race([download, refused]);
  return { name: file.suggestedFilename(), bytes: new Uint8Array(await readFile(await file.path())) };
}

/** Numbers of a .npy file with complex pixels, interleaved. */
export async function pixelsOf(bytes: Uint8Array): Promise<Float32Array> {
  const { data } = await readNpy(bytes, { file: "image.npy" });
  return data as Float32Array;
}

/** Root mean square of the difference over that of `b`. */
export function relativeDifference(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) throw new Error(`${a.length} numbers, but ${b.length} were expected`);
  let [off, all] = [0, 0];
  for (let i = 0; i < a.length; i++) {
    off += (a[i]! - b[i]!) ** 2;
    all += b[i]! ** 2;
  }
  return Math.sqrt(off / all);
}

const studio = fileURLToPath(new URL("..", import.meta.url));

/** A program that has run. */
export interface Ran {
  readonly printed: string;
  readonly image: Float32Array;
}

/**
 * Runs a program of the page in Node, in a folder of its own that holds `files`, and reads the array that it writes. The text must be a module of
 * JavaScript as it stands: only then the packages that it imports are bundled with it.
 */
export async function runProgram(text: string, files: Readonly<Record<string, Uint8Array>> = {}): Promise<Ran> {
  const folder = await mkdtemp(join(tmpdir(), "dechirp-program-"));
  const node = promisify(execFile);
  try {
    const [plain, program] = [join(folder, "plain.mjs"), join(folder, "program.mjs")];
    await writeFile(plain, text);
    await node(process.execPath, ["--check", plain]);
    await build({
      stdin: { contents: text, resolveDir: studio, loader: "js", sourcefile: "plain.mjs" },
      ...{ bundle: true, platform: "node", format: "esm", target: "es2022", outfile: program, logLevel: "error" },
      ...{ conditions: ["@dechirp/source"], external: ["webgpu"] },
    });
    for (const [name, bytes] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), bytes);
    }
    const { stdout } = await node(process.execPath, [program], { cwd: folder, timeout: patience });
    const written = (await readdir(folder)).filter((name) => name.endsWith(".npy") && !(name in files));
    if (written.length !== 1) throw new Error(`the program must write one array, not ${written.length}`);
    return { printed: stdout, image: await pixelsOf(new Uint8Array(await readFile(join(folder, written[0]!)))) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
