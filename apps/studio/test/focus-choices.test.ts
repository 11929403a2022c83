/** The task Focus where a value is to be chosen: channels of a file, parameters, ends of the scale, and values of the address that are not possible. */
import { encodeCphd } from "@dechirp/io/cphd";
import { linearTrack, simulatePhaseHistory } from "@dechirp/sar";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { spotlight } from "../src/focus/scenes.ts";
import { figure, finished, patience, pixelsOf, problem, relativeDifference, runProgram, saved } from "./focus-tools.ts";
import { activate, useBrowser, visit } from "./pages.ts";

useBrowser();

const pulses = 128;
let cphd: Uint8Array;

/** A file of two channels, of other polarisation and other frequencies, whose targets are at other places. */
beforeAll(async () => {
  const channels = [
    { polarisation: "VV" as const, firstHz: 9.45e9, place: [20, 10, 0] as const },
    { polarisation: "HV" as const, firstHz: 9.65e9, place: [-15, -20, 0] as const },
  ].map(({ polarisation, firstHz, place }) => {
    const positions = linearTrack({ ...spotlight.track, stepMeters: [0, 2.5, 0], pulses });
    const frequency = { firstHz, stepHz: 2e6, count: 100 };
    const { samples, ...history } = simulatePhaseHistory({
      positions,
      frequency,
      targets: [{ positionMeters: place, amplitude: 1 }],
      seed: 3,
    });
    return {
      ...{ ...history, name: "TWO", shape: [pulses, 100] as const, polarisation, area: spotlight.area },
      pulses: (from: number, some: number) => samples.subarray(200 * from, 200 * (from + some)),
    };
  });
  const origin = { latitudeDegrees: -20.1338, longitudeDegrees: -67.4891, heightMeters: 3700 };
  const chunks: Uint8Array[] = [];
  for await (const chunk of encodeCphd(channels, { origin, prfHz: 150, startUtc: "2026-05-04T14:30:00Z", coreName: "TWO" }))
    chunks.push(chunk.slice());
  cphd = new Uint8Array(Buffer.concat(chunks));
});

const open = (page: Page): Promise<void> =>
  page
    .getByLabel("Files of a recording")
    .setInputFiles({ name: "two.cphd", mimeType: "application/octet-stream", buffer: Buffer.from(cphd) });

const note = (page: Page) => page.locator("[data-figure=address] li");

const set = async (page: Page, name: string, text: string): Promise<void> => {
  await page.getByLabel(`Set: ${name}`).fill(text);
  await page.getByLabel(`Set: ${name}`).blur();
};

describe("channels of a CPHD file", () => {
  it("are offered with their facts, and the program reads the one that is chosen", () =>
    visit("#/focus", async (page) => {
      await open(page);
      await page.locator("[data-figure=channel]").waitFor({ timeout: patience });
      await finished(page);
      expect(await figure(page, "channel")).toMatch(/^VV, 9\.549 GHz, 128 pulses$/);
      expect(await page.locator("tr:has([data-figure=channel]) .why").textContent()).toBe("usual: the first of 2 channels of the file");
      const first = await pixelsOf(await saved(page, "Save .npy"));
      await page.locator("label.segment select").selectOption({ label: "HV, 9.749 GHz, 128 pulses" });
      await page.locator("[data-figure=channel]", { hasText: "HV" }).waitFor({ timeout: patience });
      await finished(page);
      expect(page.url()).toContain("channel=HV");
      expect(await figure(page, "info polarisation")).toBe("HV");
      expect(await figure(page, "info carrier")).toContain("9.749 GHz");
      const second = await pixelsOf(await saved(page, "Save .npy"));
      expect(second.length === first.length && relativeDifference(second, first) < 0.5).toBe(false);
      const program = await figure(page, "program");
      expect(program).toMatch(/channel: "HV"/);
      const ran = await runProgram(program, { "two.cphd": cphd });
      expect(relativeDifference(ran.image, second)).toBeLessThan(8 * 2 ** -24 * Math.sqrt(pulses));
    }));
});

describe("several files of which the first is damaged", () => {
  it("are offered for choice beside the error", () =>
    visit("#/focus", async (page) => {
      const file = (name: string, bytes: Uint8Array) => ({ name, mimeType: "application/octet-stream", buffer: Buffer.from(bytes) });
      const damaged = cphd.slice(0, cphd.length - 1000);
      await page.getByLabel("Files of a recording").setInputFiles([file("a.cphd", damaged), file("b.cphd", cphd)]);
      expect(await problem(page)).toContain("a.cphd");
      const choose = page.getByLabel("One of 2 recordings that were opened together; one is focused at a time");
      await choose.selectOption("b.cphd");
      await page.locator("[data-figure=channel]").waitFor({ timeout: patience });
      await finished(page);
      expect(page.url()).toContain("part=b.cphd");
      await choose.selectOption("a.cphd");
      expect(await problem(page)).toContain("a.cphd");
    }));
});

describe("values of the address that are not possible", () => {
  it("are named, with what is possible and what is used instead", () =>
    visit("#/focus?segment=7&point=5000,20&looks=0x1&colour=red", async (page) => {
      await finished(page);
      expect(await note(page).allTextContents()).toEqual([
        "looks=0x1 is not possible: it must be ROWSxCOLUMNS, each from 1 to 64. 1x1 is used instead.",
        "colour=red is not used: this task has no setting colour.",
        expect.stringMatching(/^point=5000,20 is not possible: it must be in the image, which has \d+ rows and \d+ columns\. No point/),
        "segment=7 is not possible: it must be 1, as the recording has one segment. 1 is used instead.",
      ]);
    }));

  it("are named of the other algorithm, which this image is not made by", () =>
    visit("#/focus?mode=fast&rcmc=sinc16", async (page) => {
      await finished(page);
      expect(await note(page).allTextContents()).toEqual([
        "mode=fast is not used: it is a parameter of backprojection, and this recording is focused by range-Doppler.",
      ]);
    }));

  it("are named of a file's channels", () =>
    visit("#/focus?source=files&channel=HH", async (page) => {
      await page.getByText("The address of this page is about a file of its author").waitFor();
      const [file] = [Buffer.from(cphd)];
      await page
        .getByLabel("Files of a recording")
        .setInputFiles({ name: "two.cphd", mimeType: "application/octet-stream", buffer: file! });
      await page.locator("[data-figure=channel]").waitFor({ timeout: patience });
      expect(await note(page).allTextContents()).toEqual(["channel=HH is not possible: it must be VV or HV. VV is used instead."]);
      await page.locator("label.segment select").selectOption("HV");
      await page.locator("[data-figure=channel]", { hasText: "HV" }).waitFor({ timeout: patience });
      expect(await note(page).count()).toBe(0);
    }));

  it("are named in the words of the page if the image can't be made with them, and are replaced by a button", () =>
    visit("#/focus?velocity=0.001", async (page) => {
      const text = await problem(page);
      expect(text).toMatch(/^Effective velocity does not suit the recording: the Doppler centroid must be below .*not 120 Hz$/);
      expect(text).not.toMatch(/settings\.|Meters|Hz[A-Z]/);
      await activate(page.getByRole("button", { name: "Use the automatic value" }));
      await finished(page);
      expect(page.url()).not.toContain("velocity");
    }));

  it("are named in the task Backprojection", () =>
    visit("#/backprojection?targets=5&point=9", async (page) => {
      await note(page).waitFor({ timeout: patience });
      expect(await note(page).textContent()).toMatch(/^point=9 is not possible: it must be an integer from 0 to 5\. /);
    }));
});

describe("parameters", () => {
  it("have one error each, at their field, which goes when the value is right", () =>
    visit("#/focus", async (page) => {
      await finished(page);
      const invalid = page.locator(".proposal .invalid");
      await set(page, "Effective velocity", "fast");
      await set(page, "Effective velocity", "-3");
      await set(page, "Doppler bandwidth", "wide");
      expect(await invalid.allTextContents()).toEqual([
        'Effective velocity must be a number from 0.001 to 1000000000, not "-3"',
        'Doppler bandwidth must be a number from 0.000001 to 1000000000000, not "wide"',
      ]);
      await set(page, "Effective velocity", "");
      await set(page, "Doppler bandwidth", "1e9");
      await page.locator("[data-figure=refused]").waitFor({ timeout: patience });
      expect(await invalid.count()).toBe(1);
      expect(await invalid.textContent()).toMatch(/^Doppler bandwidth must be .*not 1000000000 Hz$/);
      expect(await page.locator(".focus [role=alert]").count()).toBe(1);
      await set(page, "Doppler bandwidth", "");
      await finished(page);
      await set(page, "Memory for blocks", "1");
      await page.locator("[data-figure=refused]").waitFor({ timeout: patience });
      expect(await invalid.textContent()).toMatch(/^Memory for blocks must be at least \d+ MiB, .*not 1 MiB$/);
      await set(page, "Memory for blocks", "");
      await finished(page);
      expect(await page.locator(".focus [role=alert]").count()).toBe(0);
    }));

  it("keep what is typed while an image is made", () =>
    visit("#/focus?source=large&device=cpu", async (page) => {
      const field = page.getByLabel("Set: Azimuth window");
      await field.waitFor({ timeout: patience });
      const progress = page.locator(".picture progress");
      await field.pressSequentially("kai");
      const before = await page
        .locator(".picture [role=status], .picture progress")
        .first()
        .evaluate((element) => element.outerHTML);
      await page.waitForFunction((old) => document.querySelector(".picture [role=status], .picture progress")?.outerHTML !== old, before, {
        timeout: patience,
      });
      await progress.first().waitFor({ timeout: patience });
      expect(await field.inputValue()).toBe("kai");
    }));
});

describe("the ends of the scale", () => {
  it("are automatic on demand, also in a simulated scene that has its own", () =>
    visit("#/focus", async (page) => {
      await finished(page);
      const darkest = page.getByRole("slider", { name: "Darkest" });
      expect(await darkest.inputValue()).toBe("-65");
      const automatic = page.getByRole("button", { name: "Automatic range" });
      await activate(automatic);
      await page.waitForURL(/db=auto/);
      await page.waitForFunction((label) => document.querySelector<HTMLInputElement>(label)?.value !== "-65", ".display input[type=range]");
      expect(await automatic.isDisabled()).toBe(true);
    }));
});

describe("another recording while one is at work", () => {
  it("takes its place, also while it is read, and a cancelled one is made on demand", () =>
    visit("#/focus?source=large&device=cpu", async (page) => {
      await page.getByRole("button", { name: "Cancel" }).click({ timeout: patience });
      await page.getByText("Cancelled.").waitFor();
      await activate(page.getByRole("button", { name: "Focus", exact: true }));
      await page.locator(".picture progress").first().waitFor({ timeout: patience });
      const letter = { name: "letter.txt", mimeType: "text/plain", buffer: Buffer.from("Dear reader") };
      await page.getByLabel("Files of a recording").setInputFiles(letter);
      await open(page);
      await page.locator("[data-figure=recording]", { hasText: "TWO" }).waitFor({ timeout: patience });
      await finished(page);
      await open(page);
      await page.getByLabel("Files of a recording").setInputFiles(letter);
      expect(await problem(page)).toContain("letter.txt");
      await page.waitForTimeout(3000);
      expect(await page.locator("[data-figure=recording]").count()).toBe(0);
      expect(await page.locator(".focus [role=alert]").count()).toBe(1);
    }));

  it("is not taken for the one before, of which the page hears late", () =>
    visit(
      "#/focus?device=cpu",
      async (page) => {
        await finished(page);
        await open(page);
        await page.evaluate("heard");
        const letter = { name: "letter.txt", mimeType: "text/plain", buffer: Buffer.from("Dear reader") };
        await page.getByLabel("Files of a recording").setInputFiles(letter);
        expect(await problem(page)).toContain("letter.txt");
        await page.evaluate("release()");
        await page.waitForTimeout(300);
        expect(await page.locator("[data-figure=recording]").count()).toBe(0);
      },
      { before: holdSecond },
    ));
});

/** Holds the worker's message about the second recording until `release()` is called. `heard` resolves when it has come. */
const holdSecond = `{
  const { set } = Object.getOwnPropertyDescriptor(MessagePort.prototype, "onmessage");
  let count = 0;
  globalThis.heard = new Promise((resolve) => {
    Object.defineProperty(MessagePort.prototype, "onmessage", {
      configurable: true,
      set(listener) {
        set.call(this, (message) => {
          if (message.data?.event?.kind !== "recording" || ++count !== 2) return listener.call(this, message);
          globalThis.release = () => listener.call(this, message);
          resolve();
        });
      },
    });
  });
}`;
