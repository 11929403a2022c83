/** Two headers let the page share memory with workers: `cpu()` then uses all cores. The server that the page is put on needs them as well. */
const headers = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

export default {
  build: { target: "es2022" }, // top-level await
  server: { headers },
  preview: { headers },
};
