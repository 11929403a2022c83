/**
 * The server of the studio, for browsers on this machine only: it listens on the loopback address, answers only requests that name this address
 * (a page of another site could otherwise reach it through a name of its own, by DNS rebinding), only reads, and lets no other page embed what
 * it sends. Ranges, validators and conditions are those of the library `send`.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, dirname } from "node:path";
import { messageOf } from "@dechirp/core";
import send from "send";
import { argumentError, CommandError } from "../errors.ts";
import type { Share } from "./share.ts";
import { policyOf } from "./site.ts";

/** Headers of every answer, beside the policy of the page. */
const headers = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Resource-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-cache",
};

/** A running server. */
export interface StudioServer {
  /** `http://127.0.0.1:PORT/` */
  readonly address: string;
  /** Rejects if the server fails. */
  readonly failed: Promise<never>;
  /** Ends the server and its connections. */
  close(): Promise<void>;
}

/** Serves the site and the shared files. Port 0 is any free one. Throws `argument` if the port is in use or not allowed. */
export async function serve(site: string, share: Share, port: number): Promise<StudioServer> {
  const policy = policyOf(site);
  const server = createServer((request, response) => {
    answer(request, response, { site, share, policy, hosts: hostsOf(server) }).catch((error: unknown) => {
      // The file was removed or may not be read.
      if (!response.headersSent) refuse(response, 404, messageOf(error));
      else response.destroy();
    });
  });
  await listen(server, port);
  return {
    address: `http://127.0.0.1:${portOf(server)}/`,
    failed: new Promise<never>((_, reject) => server.on("error", reject)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

function hostsOf(server: Server): readonly string[] {
  const port = portOf(server);
  return ["127.0.0.1", "localhost"].flatMap((name) => [`${name}:${port}`, ...(port === 80 ? [name] : [])]);
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const { code = "" } = error;
      if (code === "EADDRINUSE") reject(argumentError("--port", "a free port: another program uses it", port));
      else if (code === "EACCES") reject(argumentError("--port", "a port that this user may open, such as one from 1024", port));
      else reject(new CommandError("device", `the studio could not be served on 127.0.0.1: ${error.message}`, { reason: code }, error));
    });
    server.listen(port, "127.0.0.1", resolve);
  });
}

interface Serving {
  readonly site: string;
  readonly share: Share;
  /** The content security policy of every answer. */
  readonly policy: string;
  readonly hosts: readonly string[];
}

async function answer(request: IncomingMessage, response: ServerResponse, { site, share, policy, hosts }: Serving): Promise<void> {
  response.setHeader("Content-Security-Policy", policy);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (!hosts.includes(request.headers.host ?? "")) return refuse(response, 403, "this server answers only at 127.0.0.1 and localhost");
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.setHeader("Allow", "GET, HEAD");
    return refuse(response, 405, "only GET and HEAD");
  }
  const [path = ""] = (request.url ?? "").split("?", 1);
  const names = decoded(path);
  if (!names) return refuse(response, 400, "not an address");
  const [first, ...rest] = names;
  if (first !== "files") return sendFile(request, response, path, { root: site, index: "index.html" });
  // What is given is data, also if its name says that it is a page or a script.
  if (rest.at(-1) === "") {
    const list = await share.list(rest.slice(0, -1));
    if (!list) return refuse(response, 404, "no such folder");
    response.setHeader("Content-Type", "application/json");
    response.end(request.method === "HEAD" ? undefined : JSON.stringify(list));
    return;
  }
  const place = await share.file(rest);
  if (place === undefined) return refuse(response, 404, "no such file");
  response.setHeader("Content-Type", "application/octet-stream");
  response.setHeader("Content-Disposition", "attachment");
  sendFile(request, response, `/${encodeURIComponent(basename(place))}`, { root: dirname(place), index: false, dotfiles: "allow" });
}

/** The names in a path. Undefined if it is not encoded as addresses are. */
function decoded(path: string): readonly string[] | undefined {
  try {
    return path.startsWith("/") ? path.slice(1).split("/").map(decodeURIComponent) : undefined;
  } catch {
    return undefined;
  }
}

function sendFile(request: IncomingMessage, response: ServerResponse, path: string, options: send.SendOptions): void {
  send(request, path, { cacheControl: false, ...options })
    .on("error", ({ status }: { status: number }) => refuse(response, status, "no such file"))
    .on("directory", () => refuse(response, 404, "no such file"))
    .pipe(response);
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.removeHeader("Content-Disposition");
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8" }).end(`${text}\n`);
}
