/**
 * The documentation site: pages in groups, the reference that is made from docstrings and help texts (scripts/reference.mjs),
 * mathematics, search. A dead link fails the build, one to a heading that is not there too.
 */
import { readFileSync } from "node:fs";
import { defineConfig } from "vitepress";
import { deadAnchors } from "../scripts/anchors.mjs";
import { withScrolls } from "./code-blocks.ts";
import { project } from "./project.data.ts";

/** Packages with their families of symbols, as scripts/api.mjs writes them. */
const apiPackages: { text: string; link: string; items: { text: string; link: string }[] }[] = JSON.parse(
  readFileSync(new URL("../api/sidebar.json", import.meta.url), "utf8"),
);

const group = (text: string, pages: Readonly<Record<string, string>>, options = {}) => ({
  text,
  items: Object.entries(pages).map(([link, name]) => ({ text: name, link })),
  ...options,
});

const sidebar = [
  group("Start", {
    "/": "Overview",
    "/getting-started": "Getting started",
    "/tutorial": "Ten minutes: raw data to image",
    "/concepts": "Concepts",
    "/how-to/studio": "Use the studio",
  }),
  group("How to", {
    "/how-to/swap-backends": "Choose a backend at run time",
    "/how-to/fuse-a-step": "Fuse a step into a transform",
    "/how-to/blocks-and-iteration": "Work in blocks and in loops",
    "/how-to/write-images-in-parts": "Write images in parts",
    "/how-to/reduce-an-array": "Reduce an array",
    "/how-to/filter-windows": "Filter over windows",
    "/how-to/gather": "Resample an array",
    "/how-to/write-a-kernel": "Write a kernel",
    "/how-to/send-a-program": "Send a program",
    "/how-to/add-a-backend": "Add a backend",
    "/how-to/measure-elsewhere": "Measure on another machine",
    "/how-to/apple-silicon": "Use Apple silicon",
    "/how-to/cphd-to-map": "From a CPHD file to a map",
    "/how-to/orbit": "Focus data from a satellite",
    "/how-to/convert-files": "Look into files and convert them",
    "/how-to/large-recordings": "Read large recordings",
    "/how-to/large-images": "Make large images",
    "/how-to/many-machines": "Make an image on many machines",
    "/how-to/browser": "Work in a browser",
    "/how-to/without-a-gpu": "Work without a GPU",
  }),
  group("Algorithms", {
    "/fft": "Fourier transforms",
    "/simulation": "Simulation",
    "/doppler-centroid": "Doppler centroid",
    "/range-doppler": "Range-Doppler imaging",
    "/omega-k": "ω-K imaging",
    "/backprojection": "Backprojection",
    "/quality": "Image quality",
    "/stap": "Adaptive processing",
    "/stap-baselines": "Adaptive baselines",
    "/real-time": "Real time",
  }),
  group("Reference", {
    "/expressions": "Expressions",
    "/devices": "Devices",
    "/file-formats": "File formats",
    "/cphd": "CPHD",
    "/geotiff": "GeoTIFF",
    "/sicd": "SICD",
    "/api/command-line": "Command line",
  }),
  { text: "API", link: "/api/", collapsed: true, items: apiPackages.map((one) => ({ ...one, collapsed: true })) },
  group("Performance", {
    "/performance": "How it is measured",
    "/performance-fft-gpu": "Transforms on a GPU",
    "/performance-fft-paper": "Transforms by every kernel",
    "/performance-fft-cpu": "Transforms on the processor",
    "/performance-fused-sar": "Fused SAR",
    "/performance-backprojection": "Backprojection",
    "/performance-efa": "Adaptive processing",
    "/performance-real-time": "Real time",
  }),
];

export default defineConfig({
  title: "dechirp",
  description: "Radar signal processing in TypeScript.",
  lang: "en",
  base: process.env["DOCS_BASE"] ?? "/",
  cleanUrls: true,
  ignoreDeadLinks: false,
  markdown: {
    math: true,
    // Their contrast suffices on the grey of code blocks.
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config: withScrolls,
  },
  // Files of the public folder are copied as they are, among them the Markdown of the studio.
  srcExclude: ["examples/**", "reference/**", "public/**"],
  themeConfig: {
    nav: [
      { text: "Studio", link: "/studio/", target: "_self" },
      { text: "Tutorial", link: "/tutorial" },
      { text: "API", link: "/api/" },
      { text: "Performance", link: "/performance" },
    ],
    sidebar,
    outline: [2, 3],
    socialLinks: [{ icon: "github", link: project().repository, ariaLabel: "Repository" }],
    search: { provider: "local" },
  },
  buildEnd({ outDir }) {
    const dead = deadAnchors(outDir);
    if (dead.length > 0) throw new Error(`dead links:\n${dead.join("\n")}`);
  },
});
