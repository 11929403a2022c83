/** What the user opens stays for the life of the page, and is offered in every task that can use it. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { serveFiles } from "./file-server.ts";
import { figure, finished, patience } from "./focus-tools.ts";
import { cphdBytes, cubeBytes } from "./opened-cases.ts";
import { activate, useBrowser, visit } from "./pages.ts";

useBrowser();

const file = (name: string, bytes: Uint8Array) => ({ name, mimeType: "application/octet-stream", buffer: Buffer.from(bytes) });
const task = (page: Page, title: string): Promise<void> => page.getByRole("navigation").getByRole("link", { name: title }).click();
const backprojected = (page: Page): Promise<void> =>
  page.locator(".backprojection [data-stage=whole][aria-busy=false]").waitFor({ timeout: patience });
const isRecorded = (page: Page, name: string): Promise<void> =>
  page.locator("[data-figure=recording]", { hasText: name }).waitFor({ timeout: patience });
const judged = (page: Page): Promise<void> => page.locator("[data-figure=measure]").first().waitFor({ timeout: patience });

describe("a recording that was opened", () => {
  it("is there when the user comes back to the task, and one button opens it in the task Backprojection", async () => {
    const bytes = await cphdBytes();
    await visit("#/focus", async (page) => {
      await page.getByLabel("Files of a recording").setInputFiles(file("circle.cphd", bytes));
      await isRecorded(page, "circle");
      await finished(page);
      const entropy = await figure(page, "entropy");
      await task(page, "Real time");
      await page.getByRole("heading", { name: "Real time", level: 1 }).waitFor();
      await task(page, "Focus");
      await isRecorded(page, "circle");
      await finished(page);
      expect(await figure(page, "entropy")).toBe(entropy);
      await task(page, "Backprojection");
      await activate(page.getByRole("button", { name: "Open circle" }));
      await isRecorded(page, "circle");
      await backprojected(page);
      expect(await page.getByRole("button", { name: "Open circle" }).count()).toBe(0);
      await page.goBack();
      await isRecorded(page, "circle");
      await finished(page);
      expect(await figure(page, "entropy")).toBe(entropy);
      await page.goForward();
      await isRecorded(page, "circle");
      await backprojected(page);
      // A simulated scene in between does not lose it.
      await activate(page.getByRole("button", { name: "Back to the simulated flight" }));
      await page.getByLabel("Azimuth flown").first().waitFor();
      await activate(page.getByRole("button", { name: "Open circle" }));
      await isRecorded(page, "circle");
    });
  });

  it("is offered in Focus if it was opened in Backprojection", async () => {
    const bytes = await cphdBytes("helix");
    await visit("#/backprojection?pixels=64", async (page) => {
      await page.getByLabel("Open a phase history").setInputFiles(file("helix.cphd", bytes));
      await isRecorded(page, "helix");
      await backprojected(page);
      await task(page, "Focus");
      await activate(page.getByRole("button", { name: "Open helix" }));
      await isRecorded(page, "helix");
      await finished(page);
      expect(await figure(page, "algorithm")).toBe("backprojection");
    });
  });

  it("goes from Focus to Adaptive processing by one link, if it is array data", () =>
    visit("#/focus", async (page) => {
      await page.getByLabel("Files of a recording").setInputFiles(file("cube.npy", cubeBytes()));
      await activate(page.getByRole("link", { name: "Open the task Adaptive processing" }));
      await page.getByText("cube.npy").first().waitFor({ timeout: patience });
      expect(page.url()).toContain("source=files");
    }));

  it("is asked for in each task by an address of its author", async () => {
    for (const name of ["focus", "backprojection", "adaptive"])
      await visit(`#/${name}?source=files`, (page) => page.getByText("about a file of its author").first().waitFor());
  });
});

describe("an address", () => {
  it("makes the tasks Backprojection and Adaptive processing open a recording, and their program too", async () => {
    const [phases, cube] = [await cphdBytes(), cubeBytes()];
    const { address } = await serveFiles(() => ({ "circle.cphd": phases, "cube.npy": cube }));
    const at = (name: string): string => encodeURIComponent(`${address}/${name}`);
    await visit(`#/backprojection?pixels=64&source=url&url=${at("circle.cphd")}`, async (page) => {
      await activate(page.getByRole("button", { name: "Open it" }));
      await isRecorded(page, "circle");
      await backprojected(page);
      // The window is the recording's scene.
      expect(page.url()).not.toContain("edge=");
    });
    await visit(`#/adaptive?source=url&url=${at("cube.npy")}&axes=cpr&block=32&prf=300&directions=look`, async (page) => {
      await activate(page.getByRole("button", { name: "Open it" }));
      await page.getByText("6 channels, 12 pulses, 128 ranges").waitFor({ timeout: patience });
      await judged(page);
      const program = (await page.locator("[data-figure=program]").textContent()) ?? "";
      expect(program).toContain(`const address = "${address}/cube.npy";`);
    });
  });

  it("contacts another server only after the user has agreed", async () => {
    const bytes = await cphdBytes();
    const { address, seen } = await serveFiles(() => ({ "circle.cphd": bytes }));
    for (const name of ["focus", "backprojection", "adaptive"])
      await visit(`#/${name}?source=url&url=${encodeURIComponent(`${address}/circle.cphd`)}`, async (page) => {
        expect(await figure(page, "host")).toBe(new URL(address).host);
        await page.waitForTimeout(1000);
        expect(seen).toEqual([]);
      });
    await visit("#/focus", async (page) => {
      await finished(page);
      // Who types an address has agreed.
      await activate(page.getByRole("button", { name: "From an address" }));
      await page.getByLabel("Address of a file").fill(`${address}/circle.cphd`);
      await activate(page.getByRole("button", { name: "Open", exact: true }));
      await isRecorded(page, "circle");
      await finished(page);
      expect(seen.length).toBeGreaterThan(1);
    });
  });
});

describe("a browser that lacks something", () => {
  const withoutGpu = "delete Navigator.prototype.gpu;";
  it.each(["focus", "backprojection", "adaptive", "transforms"])("hears in the task %s what is slower", (name) =>
    visit(
      `#/${name}`,
      async (page) => {
        const said = page.getByRole("complementary", { name: "What is slower here" });
        await said.waitFor();
        expect(await said.textContent()).toMatch(/no WebGPU\. .* computed on the processor, which is slower/);
        expect(await said.textContent()).toContain("one core instead of all");
      },
      { host: "plain", before: withoutGpu },
    ),
  );

  it("hears in the task Real time, which uses neither, that the others are slower", () =>
    visit(
      "#/realtime",
      async (page) => {
        const said = page.getByRole("complementary", { name: "What is slower here" });
        await said.waitFor();
        expect(await said.textContent()).toContain("This task needs no more, but the others are slower.");
        expect(await said.textContent()).not.toContain("WebGPU");
      },
      { host: "plain", before: withoutGpu },
    ));
});
