/**
 * The parts of the web's types that io uses. `Blob`, `File`, `URL` and `fetch` are of these types in browsers and in Node, and programs that
 * import io need no types of the DOM.
 */

/** A `Blob` or `File`. */
export interface WebBlob {
  /** Number of bytes. */
  readonly size: number;
  slice(start?: number, end?: number): WebBlob;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** A `URL`. */
export interface WebUrl {
  readonly href: string;
}

/** What io asks `fetch` for. */
export interface FetchRequest {
  /** Left out: GET. */
  readonly method?: "HEAD";
  readonly headers: Record<string, string>;
  readonly redirect: "follow";
  readonly cache: "no-store";
  readonly signal: AbortSignal;
}

/** The parts of a `Response` that io reads. */
export interface FetchAnswer {
  /** The HTTP status, such as 206. */
  readonly status: number;
  readonly statusText: string;
  readonly headers: { get(name: string): string | null };
  /** A readable stream of bytes, or null. */
  readonly body: unknown;
}

/** The global `fetch`, or a function like it. */
export type WebFetch = (url: string, request: FetchRequest) => Promise<FetchAnswer>;
