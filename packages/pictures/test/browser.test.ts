/** `@dechirp/pictures` in a page of headless Chromium whose content security policy forbids `eval` and all foreign sources. */
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { bundle, launchBrowser, newPage, serve } from "../../fft-gpu/scripts/browser.mjs";

/** Shows the pictures, and returns how the browser sees them and the corner colours of the heat map's raster. */
const look = `draw().then(async (documents) => {
  document.body.append(...documents.map((text) => new DOMParser().parseFromString(text, "image/svg+xml").documentElement));
  const [first] = document.querySelectorAll("svg");
  const { width, height } = first.getBoundingClientRect();
  const texts = [...first.querySelectorAll("text")].map((text) => ({ text: text.textContent, wide: text.getComputedTextLength() }));
  const cells = new Image();
  cells.src = first.querySelector("image").getAttributeNS("http://www.w3.org/1999/xlink", "href");
  await cells.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: cells.width, height: cells.height });
  const context = canvas.getContext("2d");
  context.drawImage(cells, 0, 0);
  const colour = (x, y) => [...context.getImageData(x, y, 1, 1).data].join();
  return {
    documents: document.querySelectorAll("svg").length,
    sizes: [width, height, first.getAttribute("width"), first.getAttribute("height")],
    texts,
    corners: [colour(0, cells.height - 1), colour(cells.width - 1, 0)],
  };
})`;

interface Seen {
  readonly documents: number;
  readonly sizes: readonly unknown[];
  readonly texts: readonly { readonly text: string; readonly wide: number }[];
  readonly corners: readonly string[];
}

const policy = "default-src 'none'; script-src 'self'; img-src data:; style-src 'unsafe-inline'";

it("draws in a page under a strict policy", async () => {
  const script = await bundle(fileURLToPath(new URL("./page.ts", import.meta.url)));
  const html = '<!doctype html><script type="module" src="/page.js"></script>';
  const server = await serve((path) =>
    path === "/page.js"
      ? { type: "text/javascript", content: script }
      : { type: "text/html", content: html, headers: { "Content-Security-Policy": policy } },
  );
  const browser = await launchBrowser();
  try {
    const page = await newPage(browser);
    const uncaught: string[] = [];
    page.on("pageerror", (error) => uncaught.push(error.message));
    await page.goto(`http://127.0.0.1:${server.port}/`);
    const { documents, sizes, texts, corners } = (await page.evaluate(look)) as Seen;
    expect(uncaught).toEqual([]);
    expect(documents).toBe(2);
    expect(sizes).toEqual([658, 502, "658", "502"]);
    expect(texts.map(({ text }) => text)).toEqual(expect.arrayContaining(["σ² of a panel", "Doppler, Hz", "−2", "2", "dB"]));
    for (const { text, wide } of texts) if (text !== "") expect(wide, text).toBeGreaterThan(4 * text.length);
    // The first cell has no power, the last one 24: 13.8 of 14 dB.
    expect(corners).toEqual(["68,1,84,255", expect.stringMatching(/^2[345]\d,2[23]\d,/)]);
  } finally {
    await browser.close();
    server.close();
  }
});
