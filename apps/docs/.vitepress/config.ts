/** The documentation site: pages in reading order, mathematics, search. A dead link fails the build. */
import { defineConfig } from "vitepress";

const pages = [
  { text: "Getting started", link: "/getting-started" },
  { text: "Concepts", link: "/concepts" },
  { text: "Devices", link: "/devices" },
  { text: "Range-Doppler imaging", link: "/range-doppler" },
  { text: "Backprojection", link: "/backprojection" },
  { text: "Adaptive processing", link: "/stap" },
  { text: "Real time", link: "/real-time" },
  { text: "File formats", link: "/file-formats" },
  { text: "Performance", link: "/performance" },
];

export default defineConfig({
  title: "dechirp",
  description: "Radar signal processing in TypeScript.",
  lang: "en",
  base: process.env["DOCS_BASE"] ?? "/",
  cleanUrls: true,
  ignoreDeadLinks: false,
  markdown: { math: true },
  themeConfig: {
    nav: [{ text: "Documentation", link: "/getting-started" }],
    sidebar: [{ text: "dechirp", items: pages }],
    outline: [2, 3],
    search: { provider: "local" },
  },
});
