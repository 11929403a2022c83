// @ts-check
/**
 * Builds the studio to static files with relative addresses, so that any folder of any static host can serve them. Workers are files, and the
 * page states its content security policy itself, for hosts that send none.
 */
import { readFileSync } from "node:fs";
import { defaultClientConditions, defineConfig } from "vite";
import { licences } from "./scripts/licences.mjs";
import { serviceWorker } from "./scripts/service-worker.mjs";

/** With these headers the page may share memory with workers, so that `cpu()` uses all cores. */
const headers = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

/** The policy that suffices for the studio. `connect-src` allows recordings from any server that allows this page to read them. */
const policy = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self' https: http:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** @param {string} folder */
const manifestOf = (folder) => JSON.parse(readFileSync(new URL(`../../${folder}package.json`, import.meta.url), "utf8"));
const { version } = manifestOf("packages/core/");
const repository = manifestOf("").homepage.replace(/#.*/, "");

const { page, worker } = licences();

/**
 * Code before that of every file. Browsers without `Symbol.dispose` have the symbol that the compiled `using` looks for then; packages name their
 * methods by it when they are loaded.
 */
const banner = 'Symbol.dispose??=Symbol.for("Symbol.dispose");Symbol.asyncDispose??=Symbol.for("Symbol.asyncDispose");';
const output = { banner };

export default defineConfig(({ command }) => ({
  base: "./",
  define: {
    __VERSION__: JSON.stringify(version),
    __REPOSITORY__: JSON.stringify(repository),
    __IS_BUILT__: JSON.stringify(command === "build"),
  },
  resolve: { conditions: ["@dechirp/source", ...defaultClientConditions] },
  build: { target: "es2022", modulePreload: { polyfill: false }, chunkSizeWarningLimit: 2000, rolldownOptions: { output } },
  worker: { format: "es", plugins: () => [worker], rolldownOptions: { output } },
  server: { headers },
  preview: { headers },
  plugins: [
    {
      name: "content-security-policy",
      apply: "build",
      transformIndexHtml: () => [
        { tag: "meta", attrs: { "http-equiv": "Content-Security-Policy", content: policy }, injectTo: "head-prepend" },
      ],
    },
    page,
    serviceWorker(),
  ],
}));
