/** Files on an HTTP server, read by ranges: a server on the loopback interface misbehaves in every way that `openUrl` must notice. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createRandom, isRadarError, type RadarError } from "@dechirp/core";
import { afterEach, expect, it } from "vitest";
import { type OpenUrlOptions, openUrl } from "../src/index.ts";

type Handler = (request: IncomingMessage, response: ServerResponse, range: Range, count: number) => void;

/** The range that a request asks for, and its bytes. */
interface Range {
  readonly from: number;
  readonly to: number;
  readonly bytes: Uint8Array;
}

const random = createRandom(7);
const content = Uint8Array.from({ length: 100_003 }, () => 256 * random.uniform());
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const etag = '"v1"';
/** Answers as a sound server does. */
const sound: Handler = (_, response, { from, to, bytes }) => {
  response.writeHead(206, { "Content-Range": `bytes ${from}-${to - 1}/${content.length}`, "Content-Length": to - from, ETag: etag });
  response.end(bytes);
};

/** Starts a server. `handler` gets the number of the request, from 0. */
async function serve(handler: Handler = sound) {
  const seen: { readonly range: string | undefined; readonly ifRange: string | undefined; readonly authorization: string | undefined }[] =
    [];
  let [open, most] = [0, 0];
  const server = createServer((request, response) => {
    const { range, "if-range": ifRange, authorization } = request.headers;
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? "") ?? [];
    const from = Number(first);
    const to = Math.min(Number(last) + 1, content.length);
    seen.push({ range, ifRange: ifRange as string | undefined, authorization });
    most = Math.max(most, ++open);
    response.on("close", () => open--);
    handler(request, response, { from, to, bytes: content.subarray(from, to) }, seen.length - 1);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/data/raw.npy`;
  return { url, seen, most: () => most, open: () => open };
}

const quick: OpenUrlOptions = { retryMilliseconds: 1, blockBytes: 1000 };

async function refusal(work: () => Promise<unknown>, code: RadarError["code"] = "input"): Promise<RadarError> {
  const error = await work().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isRadarError(error, code)) throw new Error(`not refused as ${code}: ${error}`);
  return error;
}

it("calls fetch as a function, as browsers demand of theirs", async () => {
  const { url } = await serve();
  const callers: unknown[] = [];
  async function strict(this: unknown, ...given: Parameters<typeof fetch>): Promise<Response> {
    callers.push(this);
    return fetch(...given);
  }
  const access = await openUrl(url, { ...quick, fetch: strict as unknown as NonNullable<OpenUrlOptions["fetch"]> });
  await access.read(2000, 10);
  expect(callers).toEqual([undefined, undefined]);
});

it("gives the same bytes as memory for random ranges, with few requests at the same time", async () => {
  const { url, seen, most } = await serve();
  const access = await openUrl(`${url}?signature=secret`, { ...quick, parallel: 3, cacheBytes: 5000 });
  expect([access.name, access.size]).toEqual([url, content.length]);
  expect(seen).toHaveLength(1);
  const reads = Array.from({ length: 60 }, async (_, i) => {
    const at = Math.floor(random.uniform() * (content.length + 10));
    const length = Math.floor(random.uniform() * (i % 3 === 0 ? 30_000 : 1500));
    const bytes = await access.read(at, length);
    expect(Buffer.from(bytes).equals(content.subarray(at, at + length))).toBe(true);
    // The caller may change what it gets.
    bytes.fill(0);
  });
  await Promise.all(reads);
  expect(most()).toBeLessThanOrEqual(3);
  for (const { ifRange } of seen.slice(1)) expect(ifRange).toBe(etag);
  await access.close();
  await access.close();
  expect((await refusal(() => access.read(0, 1), "disposed")).message).toMatch(/was closed/);
});

it("reads headers from its cache, passes headers on and reads an empty file", async () => {
  const { url, seen } = await serve();
  const access = await openUrl(new URL(url), { ...quick, headers: { Authorization: "Bearer x" }, name: "my file" });
  expect(access.name).toBe("my file");
  for (let at = 0; at < 900; at += 90) expect(await access.read(at, 90)).toEqual(content.slice(at, at + 90));
  expect(seen).toEqual([{ range: "bytes=0-999", ifRange: undefined, authorization: "Bearer x" }]);
  const empty = await serve((_, response) => response.writeHead(416, { "Content-Range": "bytes */0" }).end());
  const nothing = await openUrl(empty.url);
  expect([nothing.size, await nothing.read(0, 10)]).toEqual([0, new Uint8Array(0)]);
});

it("follows redirects", async () => {
  const target = await serve();
  const { url } = await serve((_, response) => response.writeHead(302, { Location: target.url }).end());
  const access = await openUrl(url, quick);
  expect(await access.read(5000, 3000)).toEqual(content.slice(5000, 8000));
});

it("retries connections that break, bodies that are short, and status 429 and 5xx", async () => {
  const faults: Handler[] = [
    (_, response) => response.writeHead(500).end(),
    (_, response) => response.writeHead(503, { "Retry-After": "0" }).end(),
    (_, response) => response.writeHead(429).end("slow down"),
    (request) => request.socket.destroy(),
    (request, response, { from, to, bytes }) => {
      response.writeHead(206, { "Content-Range": `bytes ${from}-${to - 1}/${content.length}`, "Content-Length": to - from, ETag: etag });
      response.write(bytes.subarray(0, 300), () => request.socket.destroy());
    },
    (_, response, { from, to, bytes }) => {
      // A body that is shorter than its Content-Range.
      response.writeHead(206, { "Content-Range": `bytes ${from}-${to - 1}/${content.length}`, ETag: etag });
      response.end(bytes.subarray(0, Math.floor((to - from) / 2)));
    },
  ];
  const dice = createRandom(3);
  const { url, seen } = await serve((request, response, range, count) => {
    const handler = dice.uniform() < 0.4 ? faults[Math.floor(dice.uniform() * faults.length)] : sound;
    handler(request, response, range, count);
  });
  const access = await openUrl(url, { ...quick, retries: 50 });
  expect(Buffer.from(await access.read(0, content.length)).equals(content)).toBe(true);
  expect(seen.length).toBeGreaterThan(130);
  // After a broken body only the rest is asked for.
  expect(seen.some(({ range }) => Number(/=(\d+)/.exec(range ?? "")?.[1]) % 1000 !== 0)).toBe(true);
});

it("waits as long as the server asks, but not longer than allowed", async () => {
  const busy =
    (after: () => string): Handler =>
    (request, response, range, count) =>
      count === 0 ? void response.writeHead(503, { "Retry-After": after() }).end() : sound(request, response, range, count);
  const timed = async (after: () => string, options: OpenUrlOptions): Promise<number> => {
    const { url } = await serve(busy(after));
    const start = performance.now();
    await openUrl(url, { ...quick, ...options });
    return performance.now() - start;
  };
  expect(await timed(() => "1", {})).toBeGreaterThan(950);
  expect(await timed(() => new Date(Date.now() + 2000).toUTCString(), {})).toBeGreaterThan(500);
  expect(await timed(() => "1000", { mostRetryMilliseconds: 20 })).toBeLessThan(60_000);
});

it("gives up after the last retry, saying what failed", async () => {
  const down = await serve((_, response) => response.writeHead(500).end());
  const error = await refusal(() => openUrl(down.url, { ...quick, retries: 2 }));
  expect(error.message).toBe(`${down.url}: can't read its first bytes: the server answered 500 Internal Server Error (tried 3 times)`);
  expect(error.fields).toMatchObject({ file: down.url, status: 500 });
  expect(down.seen).toHaveLength(3);
  const broken = await serve((request, response, range, count) =>
    count === 0 ? sound(request, response, range, count) : void request.socket.destroy(),
  );
  const access = await openUrl(broken.url, { ...quick, retries: 1 });
  expect((await refusal(() => access.read(2000, 5000))).message).toMatch(/can't read bytes \d+ to \d+: .* \(tried 2 times\)$/);
  const absent = await refusal(() => openUrl("http://127.0.0.1:1/x", { ...quick, retries: 0 }));
  expect(absent.message).toMatch(/^http:\/\/127\.0\.0\.1:1\/x: can't read its first bytes: .*$/);
});

it.each([
  ["ignores ranges", (_: unknown, response: ServerResponse) => void response.writeHead(200).end(content), /does not support ranges/],
  ["has no such file", (_: unknown, response: ServerResponse) => void response.writeHead(404).end(), /the server answered 404 Not Found$/],
  ["forbids it", (_: unknown, response: ServerResponse) => void response.writeHead(403).end("no"), /the server answered 403 Forbidden$/],
  ["refuses the range", (_: unknown, response: ServerResponse) => void response.writeHead(416).end(), /the server answered 416/],
  [
    "sends no Content-Range",
    (_: unknown, response: ServerResponse) => void response.writeHead(206).end("x"),
    /Content-Range must be .*absent/,
  ],
  ...[
    "bytes 1-1000/100003",
    "bytes 0-998/100003",
    "bytes 0-999/*",
    "bytes 0-999",
    "items 0-999/100003",
    "bytes 0-999/99999999999999999",
  ].map(
    (range) =>
      [
        `sends Content-Range ${range}`,
        (_: unknown, response: ServerResponse) => void response.writeHead(206, { "Content-Range": range }).end(content.subarray(0, 1000)),
        /Content-Range must be bytes 0-999 and the size of the file, not /,
      ] as const,
  ),
  [
    "sends more than it states",
    (_: unknown, response: ServerResponse) =>
      void response.writeHead(206, { "Content-Range": "bytes 0-999/100003" }).end(content.subarray(0, 1001)),
    /sent more bytes than its Content-Range states/,
  ],
] as [string, Handler, RegExp][])("refuses a server that %s, at once", async (_, handler, message) => {
  const { url, seen } = await serve(handler);
  const error = await refusal(() => openUrl(url, quick));
  expect(error.message).toMatch(message);
  expect(error.message.startsWith(`${url}: `)).toBe(true);
  expect(error.fields["file"]).toBe(url);
  expect(seen).toHaveLength(1);
});

it.each<[string, Handler, RegExp]>([
  [
    "another ETag",
    (_, r, { from, to, bytes }) =>
      void r.writeHead(206, { "Content-Range": `bytes ${from}-${to - 1}/${content.length}`, ETag: '"v2"' }).end(bytes),
    /its ETag was "v1" and is "v2"/,
  ],
  ["the whole file", (_, r) => void r.writeHead(200, { ETag: '"v2"' }).end(content), /it has another version/],
  [
    "another size",
    (_, r, { from, to, bytes }) =>
      void r.writeHead(206, { "Content-Range": `bytes ${from}-${to - 1}/${content.length + 1}`, ETag: etag }).end(bytes),
    /it had 100003 bytes and has 100004/,
  ],
  ["no such range", (_, r) => void r.writeHead(416, { "Content-Range": "bytes */10" }).end(), /it is shorter/],
])("never mixes versions of a file: %s", async (_, later, message) => {
  const { url } = await serve((request, response, range, count) => (count < 3 ? sound : later)(request, response, range, count));
  const access = await openUrl(url, quick);
  await access.read(1000, 1000);
  const error = await refusal(() => access.read(2000, 90_000));
  expect(error.message).toMatch(/the file on the server has changed since it was opened: /);
  expect(error.message).toMatch(message);
  expect(error.fields).toMatchObject({ file: url, reason: "changed" });
});

it("sends Last-Modified if the ETag is weak or absent, and still compares a weak ETag", async () => {
  const lastModified = "Sat, 01 Jan 2022 00:00:00 GMT";
  for (const weak of [undefined, 'W/"a"']) {
    const { url, seen } = await serve((_, response, { from, to, bytes }, count) => {
      const tag = weak === undefined ? {} : { ETag: count < 3 ? weak : 'W/"b"' };
      const range = `bytes ${from}-${to - 1}/${content.length}`;
      response.writeHead(206, { "Content-Range": range, "Last-Modified": lastModified, ...tag }).end(bytes);
    });
    const access = await openUrl(url, quick);
    await access.read(1000, 1000);
    await access.read(3000, 1000);
    expect(seen.slice(1).map(({ ifRange }) => ifRange)).toEqual([lastModified, lastModified]);
    if (weak) expect((await refusal(() => access.read(5000, 1000))).message).toMatch(/its ETag was W\/"a" and is W\/"b"/);
  }
});

it("ends at once when the signal fires, and when it is closed", async () => {
  const { url, open } = await serve((request, response, range, count) => {
    if (count === 0) return sound(request, response, range, count);
    // Sends some bytes and then nothing.
    response.writeHead(206, { "Content-Range": `bytes ${range.from}-${range.to - 1}/${content.length}`, ETag: etag });
    response.write(range.bytes.subarray(0, 10));
  });
  const access = await openUrl(url, { ...quick, parallel: 2 });
  for (const length of [500, 20_000]) {
    const controller = new AbortController();
    const start = performance.now();
    const reading = refusal(() => access.read(4000, length, { signal: controller.signal }), "aborted");
    setTimeout(() => controller.abort(), 50);
    await reading;
    expect(performance.now() - start).toBeLessThan(10_000);
  }
  const reading = refusal(() => access.read(4000, 20_000), "aborted");
  setTimeout(() => void access.close(), 20);
  await reading;
  await expect.poll(open).toBe(0);
  await refusal(() => openUrl(url, { signal: AbortSignal.abort() }), "aborted");
  const silent = await serve(() => {});
  await refusal(() => openUrl(silent.url, { ...quick, signal: AbortSignal.timeout(50) }), "aborted");
});

it("gives up a request that stalls, even if fetch ignores its signal, and keeps late bytes out", async () => {
  let calls = 0;
  const late: (() => void)[] = [];
  const deaf = (async (_: unknown, init: RequestInit) => {
    const [, first, last] = /=(\d+)-(\d+)/.exec(new Headers(init.headers).get("range") ?? "") ?? [];
    const [from, to] = [Number(first), Math.min(Number(last) + 1, content.length)];
    const stalls = ++calls === 2;
    const body = new ReadableStream<Uint8Array>({
      start(stream) {
        if (!stalls) stream.enqueue(content.slice(from, to));
        else late.push(() => stream.enqueue(new Uint8Array(to - from).fill(1)));
        if (!stalls) stream.close();
      },
    });
    return new Response(body, { status: 206, headers: { "content-range": `bytes ${from}-${to - 1}/${content.length}` } });
  }) as typeof fetch;
  const access = await openUrl("https://nowhere.invalid/x", { ...quick, fetch: deaf, stallMilliseconds: 30 });
  const reading = access.read(1000, 1000);
  const bytes = await reading;
  for (const send of late) send();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(calls).toBe(3);
  expect(bytes).toEqual(content.slice(1000, 2000));
  const never = (() => new Promise(() => {})) as typeof fetch;
  const error = await refusal(() => openUrl("https://nowhere.invalid/x", { ...quick, fetch: never, stallMilliseconds: 10, retries: 1 }));
  expect(error.message).toMatch(/nothing arrived for 10 ms \(tried 2 times\)/);
});

it.each<[string, unknown, object]>([
  ["url", "raw.npy", {}],
  ["url", "ftp://x/y", {}],
  ["url", "http://user:secret@x/y", {}],
  ["url", 7, {}],
  ["fetch", "http://x/y", { fetch: 7 }],
  ["headers", "http://x/y", { headers: 7 }],
  ["headers.Range", "http://x/y", { headers: { Range: "x" } }],
  ["headers.a b", "http://x/y", { headers: { "a b": "x" } }],
  ["headers.x", "http://x/y", { headers: { x: 7 } }],
  ["blockBytes", "http://x/y", { blockBytes: 0 }],
  ["parallel", "http://x/y", { parallel: 1.5 }],
  ["retries", "http://x/y", { retries: -1 }],
  ["maxBytes", "http://x/y", { maxBytes: Number.NaN }],
  ["name", "http://x/y", { name: 7 }],
  ["retires", "http://x/y", { retires: 1 }],
  ["signal", "http://x/y", { signal: 7 }],
])("names a wrong %s", async (field, url, options) => {
  const error = await refusal(() => openUrl(url as string, options as OpenUrlOptions));
  expect(error.fields["field"]).toBe(field);
  expect(error.message).not.toMatch(/secret/);
});

it("refuses a file that is too long", async () => {
  const { url } = await serve();
  expect((await refusal(() => openUrl(url, { maxBytes: 1000 }))).message).toMatch(/must be at most 1000 bytes long, not 100003$/);
});
