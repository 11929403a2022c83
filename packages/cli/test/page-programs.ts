/** The task Focus in the page of `dechirp studio`: its finished image, its program, and the program's image in Node. */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readNpy } from "@dechirp/io";
import { expect } from "vitest";
import type { launchBrowser } from "../../fft-gpu/scripts/browser.mjs";
import { spawned } from "./executable.ts";

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof launchBrowser>>["newPage"]>>;

/** Waits until the image is finished. */
export async function focused(page: Page): Promise<void> {
  await page.locator(".focus .picture[aria-busy=false] .image-viewer").first().waitFor();
  await page.locator("[data-figure=entropy]").first().waitFor();
}

/** Complex pixels of a .npy file, interleaved. */
export const pixelsAt = async (path: string): Promise<Float32Array> =>
  (await readNpy(new Uint8Array(await readFile(path)), { file: path })).data as Float32Array;

/** The pixels of the finished image, and the text of its program. */
export async function imageAndProgram(page: Page) {
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save .npy", exact: true }).click();
  const image = await pixelsAt(await (await download).path());
  return { image, program: (await page.locator("[data-figure=program]").textContent()) ?? "" };
}

/** Root mean square of the difference over that of `b`. */
export function difference(a: Float32Array, b: Float32Array): number {
  expect(a.length).toBe(b.length);
  let [off, all] = [0, 0];
  for (let i = 0; i < a.length; i++) {
    off += (a[i]! - b[i]!) ** 2;
    all += b[i]! ** 2;
  }
  return Math.sqrt(off / all);
}

/** Runs a program, which writes one image, with the built packages. */
export async function imageOfProgram(text: string): Promise<Float32Array> {
  // Beside the tests, so that it finds the packages.
  const folder = await mkdtemp(join(fileURLToPath(new URL(".", import.meta.url)), "program-"));
  try {
    await writeFile(join(folder, "program.mjs"), text);
    const { code, stderr } = await spawned(process.execPath, ["program.mjs"], "ignore", process.env, folder).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const [image] = (await readdir(folder)).filter((name) => name.endsWith(".npy"));
    return await pixelsAt(join(folder, image!));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
