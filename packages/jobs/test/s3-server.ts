/** A server of tests that speaks the part of S3 that stores use, keeps objects in memory, and can fail. It checks no signatures. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** What a server does with a request instead of answering it. Undefined: it answers. */
export type Fault = (request: IncomingMessage, count: number) => ((response: ServerResponse) => void) | undefined;

export interface S3Server {
  readonly objects: Map<string, Uint8Array>;
  readonly requests: string[];
  /** Variables of the environment by which a store finds the server. */
  readonly env: Readonly<Record<string, string>>;
  fault: Fault;
}

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

export async function startS3(): Promise<S3Server> {
  const objects = new Map<string, Uint8Array>();
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "", "http://server");
    const key = decodeURIComponent(url.pathname).replace(/^\/bucket\/?/, "");
    requests.push(`${request.method} ${key}`);
    const fail = state.fault(request, requests.length);
    if (fail) return fail(response);
    if (!/^AWS4-HMAC-SHA256 /.test(request.headers.authorization ?? ""))
      return void response.writeHead(403).end("<Error><Code>AccessDenied</Code></Error>");
    if (request.method === "PUT") {
      const parts: Uint8Array[] = [];
      for await (const part of request) parts.push(part as Uint8Array);
      objects.set(key, new Uint8Array(Buffer.concat(parts)));
      return void response.end();
    }
    if (request.method === "DELETE") {
      objects.delete(key);
      return void response.writeHead(204).end();
    }
    if (key === "" && url.searchParams.get("list-type") === "2") {
      const prefix = url.searchParams.get("prefix") ?? "";
      const after = url.searchParams.get("continuation-token") ?? "";
      const all = [...objects.keys()].filter((name) => name.startsWith(prefix) && name > after).sort();
      const page = all.slice(0, 3);
      const next = all.length > page.length ? `<NextContinuationToken>${escaped(page.at(-1) ?? "")}</NextContinuationToken>` : "";
      const contents = page.map((name) => `<Contents><Key>${escaped(name)}</Key></Contents>`).join("");
      return void response.end(`<?xml version="1.0"?><ListBucketResult><Name>bucket</Name>${contents}${next}</ListBucketResult>`);
    }
    const bytes = objects.get(key);
    if (!bytes) return void response.writeHead(404).end("<Error><Code>NoSuchKey</Code></Error>");
    response.end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const state: S3Server = {
    objects,
    requests,
    env: {
      AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      AWS_ACCESS_KEY_ID: "an-id",
      AWS_SECRET_ACCESS_KEY: "a-secret-key",
    },
    fault: () => undefined,
  };
  return state;
}
