/** Addresses of queues. They may have passwords, so they are kept out of messages: only `text` of an address is shown. */
import { inputError } from "@dechirp/core";

/** The address of a queue. */
export interface QueueAddress {
  readonly kind: "redis" | "postgres";
  /** The address as it was given. It may have a password. */
  readonly url: string;
  /** The address without user, password and options. */
  readonly text: string;
  /** Hides user names' passwords and options of the address in a text that comes from a driver or a server. */
  redact(text: string): string;
}

const kinds: Readonly<Record<string, QueueAddress["kind"]>> = {
  "redis:": "redis",
  "rediss:": "redis",
  "postgres:": "postgres",
  "postgresql:": "postgres",
};

const expected = "redis://HOST, rediss://HOST or postgres://HOST/DATABASE";

/** Reads an address. Throws `input`, without the value, which may have a password in it. */
export function parseAddress(url: string): QueueAddress {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw inputError("queue", expected, "a text that is no address");
  }
  const { protocol, host, pathname, username, password, searchParams } = parsed;
  // PostgreSQL may be on a socket, which an option names. What is before a colon may be a user's name.
  if (!Object.hasOwn(kinds, protocol) || (kinds[protocol] === "redis" && host === ""))
    throw inputError("queue", expected, "an address of another kind");
  // A sign that is not encoded ends the password too early. What follows would be shown as the host.
  if (/[@#]/.test(`${pathname}${parsed.hash}`))
    throw inputError("queue", `${expected}, with / as %2F, @ as %40 and # as %23 in a password`, "an address with such a sign in its path");
  const secrets = new Set<string>();
  // A driver may show a part of the address as it is written, or decoded.
  for (const part of [
    url,
    password,
    ...[...searchParams].flatMap(([name, value]) => (/pass|key|secret|token/i.test(name) ? [value] : [])),
  ]) {
    if (part === "") continue;
    secrets.add(part);
    try {
      secrets.add(decodeURIComponent(part));
    } catch {
      // It is not encoded.
    }
  }
  if (username !== "" && password !== "") secrets.add(`${username}:${password}`);
  const ordered = [...secrets].sort((a, b) => b.length - a.length);
  return {
    kind: kinds[protocol],
    url,
    text: `${protocol}//${host}${pathname === "/" ? "" : pathname}`,
    redact: (text) => ordered.reduce((shown, secret) => shown.replaceAll(secret, "***"), text),
  };
}
