/** With these two headers the page may share memory with workers, so `cpu()` uses all cores. The server of the finished page must send them too. */
const headers = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

export default {
  build: { target: "es2022" }, // top-level await
  server: { headers },
  preview: { headers },
};
