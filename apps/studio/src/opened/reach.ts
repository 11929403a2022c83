/** Requests to servers of other origins, with one sentence about why the browser refuses one. Runs in workers. */
import { inputError, RadarError } from "@dechirp/core";
import { openUrl, type RandomAccess } from "@dechirp/io";

/** The event of a refusal by the policy may come a little later than the refusal itself. */
const policyMilliseconds = 100;

/** Opens a file on a server. Rejects with `input`, one sentence about what is wrong and what to do, and with `aborted`. */
export async function reach(url: string, signal: AbortSignal): Promise<RandomAccess> {
  const parsed = addressOf(url);
  // A browser does not tell a page why a request failed, so one request finds out beforehand; `openUrl` would repeat it.
  if (parsed.origin !== location.origin) {
    const answer = await ask(parsed, { headers: { Range: "bytes=0-0" } }, signal);
    await answer.body?.cancel();
  }
  return openUrl(url, { signal });
}

/** Checks an address. Throws `input`. */
export function addressOf(url: string): URL {
  try {
    const parsed = new URL(url);
    if (/^https?:$/.test(parsed.protocol)) return parsed;
  } catch {
    // Told below.
  }
  throw inputError("url", "the address of a file, such as https://example.org/scene.cphd", url);
}

/** Calls `fetch` once. If the browser gets no answer, rejects with `input`, which says whether the page or the server forbids it. */
export async function ask(url: URL, request: RequestInit, signal: AbortSignal): Promise<Response> {
  let blocked = "";
  const note = (event: SecurityPolicyViolationEvent): void => {
    if (event.effectiveDirective === "connect-src") blocked = event.blockedURI;
  };
  addEventListener("securitypolicyviolation", note as EventListener);
  try {
    return await fetch(url, { ...request, cache: "no-store", signal });
  } catch (cause) {
    if (signal.aborted) throw new RadarError("aborted", "reading was cancelled", {}, cause);
    await new Promise((resolve) => setTimeout(resolve, policyMilliseconds));
    const refused = (reason: string, message: string): RadarError => new RadarError("input", message, { file: url.href, reason }, cause);
    // Of a redirection, the browser names the server that was asked first.
    if (blocked !== "")
      throw refused(
        "policy",
        `${url.origin} can't be asked, because the content security policy of this page does not allow it: download the file and open it from this machine, or use a copy of the studio whose host has ${url.origin} in connect-src`,
      );
    if (location.protocol === "https:" && url.protocol === "http:" && !isLoopback(url))
      throw refused(
        "mixed",
        `a page of https: can't read from ${url.origin}: use an address that begins with https:, or download the file`,
      );
    if (await answers(url, signal))
      throw refused(
        "cors",
        `${url.origin} answers, but does not let pages of ${location.origin} read this file: it must send the header Access-Control-Allow-Origin (CORS), or download the file and open it from this machine`,
      );
    throw refused(
      "unreachable",
      `${url.origin} can't be reached, or does not let pages of ${location.origin} read this file (it must send the header Access-Control-Allow-Origin): check the address, or download the file and open it from this machine`,
    );
  } finally {
    removeEventListener("securitypolicyviolation", note as EventListener);
  }
}

const isLoopback = ({ hostname }: URL): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);

/**
 * Whether the server answers requests whose answers the page must not see. An isolated page never learns that, unless the server allows its
 * files in such pages.
 */
async function answers(url: URL, signal: AbortSignal): Promise<boolean> {
  try {
    await (await fetch(url, { mode: "no-cors", cache: "no-store", signal, headers: { Range: "bytes=0-0" } })).body?.cancel();
    return true;
  } catch {
    return false;
  }
}
