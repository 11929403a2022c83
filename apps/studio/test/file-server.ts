/** Servers of files for pages of other origins, with the habits of servers that are met. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** How a server answers. Default: ranges, `Access-Control-Allow-Origin: *`, and no other header. It refuses preflights. */
export interface Habits {
  /** Whether pages of other origins may read. Default: yes. */
  readonly allows?: boolean;
  /** Headers of every answer. */
  readonly headers?: () => Readonly<Record<string, string>>;
  /** Answers in place of the server, if it returns true. */
  readonly instead?: (request: { readonly method: string; readonly path: string }, response: ServerResponse, bytes: Uint8Array) => boolean;
  /** Milliseconds before each answer. */
  readonly delay?: number;
}

/** A server that runs until the test ends. */
export interface FileServer {
  readonly address: string;
  /** Method and path of each request so far. */
  readonly seen: readonly string[];
}

export async function serveFiles(files: () => Readonly<Record<string, Uint8Array>>, habits: Habits = {}): Promise<FileServer> {
  const { allows = true, headers = () => ({}), instead, delay = 0 } = habits;
  const seen: string[] = [];
  const server = createServer(async ({ method = "", url = "", headers: { range = "" } }, response) => {
    seen.push(`${method} ${url}`);
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
    if (method === "OPTIONS") return void response.writeHead(403).end();
    const bytes = files()[url.slice(1)];
    if (allows) response.setHeader("Access-Control-Allow-Origin", "*");
    for (const [name, value] of Object.entries<string>(headers())) response.setHeader(name, value);
    if (instead?.({ method, path: url }, response, bytes ?? new Uint8Array(0))) return;
    if (!bytes) return void response.writeHead(404).end();
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
    if (first === undefined)
      return void response.writeHead(200, { "Content-Length": bytes.length }).end(method === "HEAD" ? undefined : bytes);
    const [from, to] = [Number(first), Math.min(Number(last), bytes.length - 1)];
    if (from >= bytes.length) return void response.writeHead(416).end();
    const told = { "Content-Range": `bytes ${from}-${to}/${bytes.length}`, "Content-Length": to + 1 - from };
    response.writeHead(206, told).end(bytes.subarray(from, to + 1));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}
