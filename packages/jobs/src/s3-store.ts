/**
 * A store in a bucket of a service that speaks S3: Amazon S3, Garage, SeaweedFS, Ceph. A value is one object, and one PUT, which is atomic,
 * so nothing is renamed. Requests are signed by aws4fetch. Credentials come from the environment alone and are in no message.
 * Source: Amazon S3 API reference, actions GetObject, PutObject, DeleteObject, ListObjectsV2.
 */
import { inputError, messageOf, RadarError, throwIfAborted } from "@dechirp/core";
import { parseXml, XmlElement } from "@rgrove/parse-xml";
import { AwsClient } from "aws4fetch";
import { checkKey, checkPrefix, type JobStore, mostValueBytes } from "./store.ts";

/** Seconds that a request may take before it is sent again: a value of 2 GiB at 20 MB/s. */
const usualTimeoutSeconds = 120;
/** Times that a request is sent if the server is busy or the connection breaks. */
const mostTries = 5;

/**
 * Opens the store at `s3://BUCKET/PREFIX`. `env` has `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, perhaps `AWS_SESSION_TOKEN`; the region
 * (`AWS_REGION`, default `us-east-1`); the address of another service than Amazon's (`AWS_ENDPOINT_URL_S3` or `AWS_ENDPOINT_URL`); and how long a request may take, in seconds
 * (`DECHIRP_S3_TIMEOUT`, default 120). Throws
 * `input`, which names what is missing.
 */
export function openS3Store(address: string, env: Readonly<Record<string, string | undefined>>): JobStore {
  const found = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/i.exec(address);
  if (!found) throw inputError("store", "s3://BUCKET/PREFIX", address);
  const bucket = found[1];
  const prefix = (found[2] ?? "").replace(/\/+$/, "");
  if (prefix !== "") checkKey(prefix);
  const accessKeyId = env["AWS_ACCESS_KEY_ID"];
  const secretAccessKey = env["AWS_SECRET_ACCESS_KEY"];
  for (const [name, value] of Object.entries({ AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey }))
    if (value === undefined || value === "") throw inputError(name, "set in the environment for a store in a bucket", value);
  const region = env["AWS_REGION"] ?? env["AWS_DEFAULT_REGION"] ?? "us-east-1";
  const sessionToken = env["AWS_SESSION_TOKEN"];
  const client = new AwsClient({
    accessKeyId: accessKeyId as string,
    secretAccessKey: secretAccessKey as string,
    ...(sessionToken !== undefined && { sessionToken }),
    region,
    service: "s3",
    // Requests are repeated here, where a signal is heard between them.
    retries: 0,
  });
  const timeoutSeconds = Number(env["DECHIRP_S3_TIMEOUT"] ?? usualTimeoutSeconds);
  if (!(timeoutSeconds > 0 && timeoutSeconds <= 86_400))
    throw inputError("DECHIRP_S3_TIMEOUT", "seconds, more than 0", env["DECHIRP_S3_TIMEOUT"]);
  const endpoint = env["AWS_ENDPOINT_URL_S3"] ?? env["AWS_ENDPOINT_URL"];
  const base = baseOf(endpoint, bucket, region);
  const name = `s3://${bucket}${prefix === "" ? "" : `/${prefix}`}`;
  const objectOf = (key: string): string => (prefix === "" ? key : `${prefix}/${key}`);
  const urlOf = (key: string): string => `${base}/${objectOf(key).split("/").map(encodeURIComponent).join("/")}`;

  /**
   * Sends a request until it is answered and `take` has read the answer; an answer that breaks off is asked for again. `absent` says whether
   * status 404 is an answer.
   */
  const send = async <T>(
    url: string,
    init: RequestInit,
    what: string,
    signal: AbortSignal | undefined,
    absent: boolean,
    take: (answer: Response) => Promise<T>,
  ): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      throwIfAborted(signal, `${what} of ${name}`);
      let problem: string;
      let cause: unknown;
      let isAnswered = false;
      try {
        const late = AbortSignal.timeout(1000 * timeoutSeconds);
        const answer = await client.fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, late]) : late });
        isAnswered = true;
        if (answer.ok || (absent && answer.status === 404)) return await take(answer);
        const said = codeOf(await answer.text());
        problem = `the server answers ${answer.status}${said === "" ? "" : ` (${said})`}`;
        if (answer.status < 500 && answer.status !== 429 && answer.status !== 408) throw storeError(name, what, problem, answer.status);
      } catch (error) {
        throwIfAborted(signal, `${what} of ${name}`);
        if (error instanceof RadarError) throw error;
        const why = messageOf((error as { cause?: unknown }).cause ?? error);
        [problem, cause] = [isAnswered ? `the answer broke off (${why})` : `the server can't be reached (${why})`, error];
      }
      if (attempt === mostTries) throw storeError(name, what, problem, undefined, cause);
      await waitFor(50 * 2 ** attempt * (1 + Math.random()), signal, `${what} of ${name}`);
    }
  };

  return {
    address: name,
    async read(key, { signal, maxBytes = mostValueBytes } = {}) {
      checkKey(key);
      return send(urlOf(key), { method: "GET" }, `reading ${key}`, signal, true, async (answer) => {
        if (answer.status !== 404) return bytesOf(answer, maxBytes, `${name}/${key}`);
        await answer.body?.cancel();
        return undefined;
      });
    },
    async write(key, bytes, { signal } = {}) {
      checkKey(key);
      const init = { method: "PUT", body: bytes as Uint8Array<ArrayBuffer>, headers: { "content-type": "application/octet-stream" } };
      await send(urlOf(key), init, `writing ${key}`, signal, false, emptied);
    },
    async list(folder, { signal } = {}) {
      checkPrefix(folder);
      const keys: string[] = [];
      let token: string | undefined;
      do {
        const query = new URLSearchParams({ "list-type": "2", prefix: objectOf(folder) });
        if (token !== undefined) query.set("continuation-token", token);
        const text = await send(`${base}/?${query}`, { method: "GET" }, `listing ${folder}`, signal, false, (answer) => answer.text());
        const { found, next } = listed(text, name);
        if (next !== undefined && next === token) throw storeError(name, "listing", "the server repeats a part of its list");
        for (const object of found) keys.push(prefix === "" ? object : object.slice(prefix.length + 1));
        token = next;
      } while (token !== undefined);
      return keys.sort();
    },
    async remove(key, { signal } = {}) {
      checkKey(key);
      await send(urlOf(key), { method: "DELETE" }, `removing ${key}`, signal, true, emptied);
    },
    // An object is there as a whole or not at all.
    sweep: async () => 0,
  };
}

/** The address of the bucket: with the bucket in the path if the service is another one, as not all have names for their buckets. */
function baseOf(endpoint: string | undefined, bucket: string, region: string): string {
  if (endpoint === undefined || endpoint === "") return `https://${bucket}.s3.${region}.amazonaws.com`;
  let url: URL;
  try {
    url = new URL(endpoint);
  } catch {
    throw inputError("AWS_ENDPOINT_URL", "an address that begins with https:// or http://", endpoint);
  }
  if (!/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
    throw inputError("AWS_ENDPOINT_URL", "an address that begins with https:// or http://, without a password", url.origin);
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}/${bucket}`;
}

const storeError = (store: string, what: string, problem: string, status?: number, cause?: unknown): RadarError =>
  // A server that is busy may answer later; one that refuses does not.
  new RadarError(
    status === undefined ? "failed" : "input",
    `${store}: ${what}: ${problem}`,
    { file: store, ...(status !== undefined && { store, status }) },
    cause,
  );

async function waitFor(milliseconds: number, signal: AbortSignal | undefined, what: string): Promise<void> {
  const { setTimeout: wait } = await import("node:timers/promises");
  await wait(milliseconds, undefined, signal ? { signal } : {}).catch(() => throwIfAborted(signal, what));
}

/** Reads nothing of an answer. */
const emptied = async (answer: Response): Promise<void> => answer.body?.cancel();

/** The bytes of an answer. Rejects with `input` as soon as there are more than `most`, whatever the server says of their number. */
async function bytesOf(answer: Response, most: number, value: string): Promise<Uint8Array<ArrayBuffer>> {
  const refuse = async (size: number): Promise<never> => {
    await answer.body?.cancel().catch(() => {});
    throw inputError("value", `at most ${most} bytes long (${value})`, size);
  };
  const stated = Number(answer.headers.get("content-length") ?? 0);
  if (stated > most) return refuse(stated);
  if (!answer.body) return new Uint8Array(0);
  const pieces: Uint8Array[] = [];
  let size = 0;
  const reader = answer.body.getReader();
  for (;;) {
    const { done, value: piece } = await reader.read();
    if (done) break;
    size += piece.length;
    if (size > most) {
      reader.releaseLock();
      return refuse(size);
    }
    pieces.push(piece);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** The texts of elements with a name, anywhere in a document. */
function* textsOf(element: XmlElement, name: string): Generator<string> {
  for (const child of element.children) {
    if (!(child instanceof XmlElement)) continue;
    if (child.name === name) yield child.text;
    else yield* textsOf(child, name);
  }
}

/** The code of an error document. Empty if the text is none. */
function codeOf(text: string): string {
  try {
    const { root } = parseXml(text);
    const [code = ""] = root ? [...textsOf(root, "Code")] : [];
    return /^[A-Za-z]{1,64}$/.test(code) ? code : "";
  } catch {
    return "";
  }
}

/** The keys of a list of objects, and the token of the next list. */
function listed(text: string, store: string): { readonly found: readonly string[]; readonly next?: string } {
  try {
    const { root } = parseXml(text);
    if (root?.name !== "ListBucketResult") throw new Error(`it begins with ${root?.name}`);
    const [next] = textsOf(root, "NextContinuationToken");
    return { found: [...textsOf(root, "Key")], ...(next !== undefined && next !== "" && { next }) };
  } catch (error) {
    throw storeError(store, "listing", `the server's list can't be read (${messageOf(error)})`, undefined, error);
  }
}
