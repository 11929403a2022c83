/**
 * Files on an HTTP server, read as a page reads them: without headers for which a browser would first ask the server, and with answers whose
 * headers the server hides unless it exposes them. `fetch` here does what browsers do with both; pages of the studio are tested by themselves.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createRandom, isRadarError } from "@dechirp/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type OpenUrlOptions, openUrl } from "../src/index.ts";

const random = createRandom(11);
const content = Uint8Array.from({ length: 50_001 }, () => 256 * random.uniform());
const servers: Server[] = [];

beforeEach(() => void vi.stubGlobal("location", new URL("https://page.example/")));
afterEach(() => {
  vi.unstubAllGlobals();
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** Request headers that need no preflight, and response headers that every page may see (Fetch standard). */
const simple = /^(accept|accept-language|content-language|content-type|range|accept-encoding)$/i;
const visible = /^(cache-control|content-language|content-length|content-type|expires|last-modified|pragma)$/i;

/** The `fetch` of a page whose server allows it to read, but answers no preflight. Accept-Encoding is left out, as browsers do. */
const pageFetch = (async (url: string, request: { headers: Record<string, string> }) => {
  for (const name of Object.keys(request.headers)) if (!simple.test(name)) throw new TypeError(`Failed to fetch: preflight for ${name}`);
  expect(request.headers["Range"] ?? "bytes=0-0").toMatch(/^bytes=\d+-\d+$/);
  const answer = await fetch(url, request as RequestInit);
  const exposed = new RegExp(`^(${(answer.headers.get("access-control-expose-headers") ?? "").replaceAll(/,\s*/g, "|")})$`, "i");
  const headers = { get: (name: string) => (visible.test(name) || exposed.test(name) ? answer.headers.get(name) : null) };
  return { status: answer.status, statusText: answer.statusText, headers, body: answer.body };
}) as unknown as NonNullable<OpenUrlOptions["fetch"]>;

interface Habits {
  readonly bytes?: () => Uint8Array;
  readonly headers?: (count: number) => Record<string, string>;
  readonly head?: (response: ServerResponse, bytes: Uint8Array) => void;
}

/** A server that answers ranges, and counts requests by their method. */
async function serve({ bytes = () => content, headers = () => ({}), head }: Habits = {}) {
  const seen: string[] = [];
  const server = createServer(({ method = "", headers: { range = "" } }: IncomingMessage, response) => {
    const whole = bytes();
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
    seen.push(`${method} ${range}`);
    for (const [name, value] of Object.entries(headers(seen.length))) response.setHeader(name, value);
    if (method === "HEAD") return head ? head(response, whole) : void response.writeHead(200, { "Content-Length": whole.length }).end();
    if (first === undefined) return void response.writeHead(200, { "Content-Length": whole.length }).end(whole);
    const from = Number(first);
    const to = Math.min(Number(last) + 1, whole.length);
    if (from >= whole.length) return void response.writeHead(416, { "Content-Range": `bytes */${whole.length}` }).end();
    const told = { "Content-Range": `bytes ${from}-${to - 1}/${whole.length}`, "Content-Length": to - from };
    response.writeHead(206, told).end(whole.subarray(from, to));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.bin`, seen };
}

const quick: OpenUrlOptions = { fetch: pageFetch, retries: 1, retryMilliseconds: 1, blockBytes: 1000 };

async function refusal(work: () => Promise<unknown>): Promise<string> {
  const error = await work().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isRadarError(error, "input")) throw new Error(`not refused: ${error}`);
  return error.message;
}

describe("a page", () => {
  it("reads a file whose server exposes Content-Range and ETag, with one request to open it and no preflight", async () => {
    const { url, seen } = await serve({ headers: () => ({ ETag: '"1"', "Access-Control-Expose-Headers": "Content-Range, ETag" }) });
    const access = await openUrl(url, quick);
    expect(seen).toEqual(["GET bytes=0-999"]);
    expect(Buffer.from(await access.read(0, content.length)).equals(content)).toBe(true);
  });

  it("reads a file whose server exposes nothing", async () => {
    const { url } = await serve();
    const access = await openUrl(url, quick);
    expect(access.size).toBe(content.length);
    expect(Buffer.from(await access.read(0, content.length)).equals(content)).toBe(true);
    expect(await access.read(49_990, 100)).toEqual(content.slice(49_990));
  });

  it("reads a small and an empty file of such a server", async () => {
    for (const length of [0, 1, 7]) {
      const { url } = await serve({ bytes: () => content.subarray(0, length) });
      const access = await (length === 0 ? openUrl(url, { ...quick, retries: 0 }).catch((error: Error) => error) : openUrl(url, quick));
      // Of an empty file no byte can be asked for, and how long it is, is hidden.
      if (access instanceof Error) expect(access.message).toMatch(/the server answered 416/);
      else expect([access.size, await access.read(0, 10)]).toEqual([length, content.slice(0, length)]);
    }
  });

  it("asks for the size without HEAD if the server refuses that, or if it hides the length there", async () => {
    for (const head of [
      (response: ServerResponse) => void response.writeHead(405).end(),
      (response: ServerResponse) => void response.writeHead(501).end(),
      (response: ServerResponse) => void response.writeHead(200, { "Transfer-Encoding": "chunked" }).end(),
    ]) {
      const { url, seen } = await serve({ head });
      expect((await openUrl(url, quick)).size).toBe(content.length);
      expect(seen.slice(0, 3)).toEqual(["GET bytes=0-999", "HEAD ", "GET "]);
    }
  });

  it("refuses a server that says a wrong length", async () => {
    for (const wrong of [-1, 1, 1000]) {
      const { url } = await serve({
        head: (response, bytes) => void response.writeHead(200, { "Content-Length": bytes.length + wrong }).end(),
      });
      expect(await refusal(() => openUrl(url, quick))).toMatch(/says that the file has \d+ bytes, but its last byte is not there$/);
    }
  });

  it("notices that the file has changed by its ETag, Last-Modified or size, whichever it sees", async () => {
    const [early, late] = ["Sat, 01 Jan 2022 00:00:00 GMT", "Sun, 02 Jan 2022 00:00:00 GMT"];
    let isOld = true;
    const cases: readonly [Habits, RegExp][] = [
      [{ headers: () => ({ "Last-Modified": isOld ? early : late }) }, /has changed since it was opened: its Last-Modified was/],
      [
        { headers: () => ({ ETag: isOld ? '"1"' : '"2"', "Access-Control-Expose-Headers": "ETag" }) },
        /has changed since it was opened: its ETag was "1" and is "2"/,
      ],
      [{ bytes: () => (isOld ? content : content.subarray(0, 30_500)) }, /has changed since it was opened: it had 50001 bytes/],
      [
        {
          bytes: () => (isOld ? content : content.subarray(0, 30_500)),
          headers: () => ({ "Access-Control-Expose-Headers": "Content-Range" }),
        },
        /has changed since it was opened: it had 50001 bytes and has 30500/,
      ],
    ];
    for (const [habits, message] of cases) {
      isOld = true;
      const { url } = await serve(habits);
      const access = await openUrl(url, quick);
      await access.read(20_000, 10);
      isOld = false;
      expect(await refusal(() => access.read(30_000, 900))).toMatch(message);
    }
  });
});
