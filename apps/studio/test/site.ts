/**
 * Builds the studio once for all test files, and serves it as hosts do: with the headers of cross-origin isolation (`/isolated/`), without any
 * (`/plain/`), and with a strict content security policy as a header (`/strict/`). `/frame/` is a page that embeds the studio. Test files get
 * the address by `inject("studio")`.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sirv from "sirv";
import { build } from "vite";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** Address of the server, without a slash at the end. */
    readonly studio: string;
    /** Folder of the built site. */
    readonly site: string;
  }
}

const isolation = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };
const strict =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'";

const variants: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  isolated: isolation,
  plain: {},
  strict: { ...isolation, "Content-Security-Policy": strict },
};

const frame = '<!doctype html><link rel="icon" href="data:,"><iframe src="../plain/#/realtime?embed=1" title="Real time"></iframe>';

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "dechirp-studio-"));
  const root = fileURLToPath(new URL("..", import.meta.url));
  await build({
    root,
    logLevel: "error",
    // With a page for tests of the image viewer alone.
    build: {
      outDir: folder,
      emptyOutDir: true,
      rolldownOptions: { input: ["index.html", "test/image-page/index.html"].map((page) => join(root, page)) },
    },
  });
  const files = sirv(folder, { dev: false });
  const server = createServer((request, response) => {
    const [, variant = "", rest = ""] = /^\/(\w+)(\/.*)$/.exec(request.url ?? "") ?? [];
    if (variant === "frame") return void response.writeHead(200, { "Content-Type": "text/html" }).end(frame);
    const headers = variants[variant];
    if (!headers) return notFound(response);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    request.url = rest;
    files(request, response, () => notFound(response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  project.provide("site", folder);
  project.provide("studio", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return async () => {
    server.close().closeAllConnections();
    await rm(folder, { recursive: true, force: true });
  };
}

const notFound = (response: ServerResponse): void => void response.writeHead(404).end();
