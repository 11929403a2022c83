/** Recordings on servers with the habits of servers that are met: what the page reads, and what it says of those that it can't read. */
import { describe, expect, it } from "vitest";
import { type Habits, serveFiles } from "./file-server.ts";
import { finished, patience, problem } from "./focus-tools.ts";
import { cphdBytes } from "./opened-cases.ts";
import { activate, type Opening, useBrowser, visit } from "./pages.ts";

useBrowser();

const name = "circle.cphd";

/** The browser notes every refusal in the console. */
const expects = /CORS|Failed to load resource|Content Security Policy|violates the following|net::ERR/;

/** Opens the recording of a server in the task Focus. Resolves with the problem, or with nothing when its image is there. */
async function opened(habits: Habits, opening: Opening = {}): Promise<{ readonly said?: string; readonly seen: readonly string[] }> {
  const recording = await cphdBytes();
  const { address, seen } = await serveFiles(() => ({ [name]: recording }), habits);
  return visit(
    `#/focus?source=url&url=${encodeURIComponent(`${address}/${name}`)}`,
    async (page) => {
      await activate(page.getByRole("button", { name: "Open it" }));
      const failed = page.locator(".focus [role=alert]");
      await page.locator("[data-figure=peak]").or(failed).first().waitFor({ timeout: patience });
      if ((await failed.count()) > 0) return { said: await problem(page), seen };
      await finished(page);
      return { seen };
    },
    { expects, ...opening },
  );
}

describe("a recording on a server", () => {
  it("is read if the server sends Access-Control-Allow-Origin only, without any preflight", async () => {
    const { said, seen } = await opened({});
    expect(said).toBeUndefined();
    expect(seen.filter((one) => one.startsWith("OPTIONS"))).toEqual([]);
  });

  it("is read if the server refuses HEAD, and if it is slow", async () => {
    const refusesHead: Habits["instead"] = ({ method }, response) => {
      if (method === "HEAD") response.writeHead(405).end();
      return method === "HEAD";
    };
    expect((await opened({ instead: refusesHead })).said).toBeUndefined();
    expect((await opened({ delay: 300 })).said).toBeUndefined();
  });

  it("is read through a redirection to another server", async () => {
    const recording = await cphdBytes();
    const target = await serveFiles(() => ({ [name]: recording }));
    const instead: Habits["instead"] = (_, response) => {
      response.writeHead(302, { Location: `${target.address}/${name}` }).end();
      return true;
    };
    expect((await opened({ instead })).said).toBeUndefined();
    expect(target.seen.length).toBeGreaterThan(1);
  });

  it("is refused in one sentence that says what to do", async () => {
    const whole: Habits["instead"] = ({ method }, response, bytes) => {
      if (method !== "HEAD") response.writeHead(200, { "Content-Length": bytes.length }).end(bytes);
      return method !== "HEAD";
    };
    const wrong: Habits["instead"] = ({ method }, response, bytes) => {
      if (method === "HEAD") response.writeHead(200, { "Content-Length": bytes.length + 1000 }).end();
      return method === "HEAD";
    };
    expect((await opened({ allows: false }, { host: "plain" })).said).toMatch(
      /answers, but does not let pages of .* Access-Control-Allow-Origin/,
    );
    expect((await opened({ allows: false })).said).toMatch(/can't be reached, or does not let pages .* Access-Control-Allow-Origin/);
    expect((await opened({ instead: whole })).said).toMatch(/the server does not support ranges/);
    expect((await opened({ instead: wrong })).said).toMatch(/says that the file has \d+ bytes, but its last byte is not there/);
  });

  it.each(["focus", "backprojection"])(
    "is read again by Open in the task %s, after the server did not answer as it should",
    async (task) => {
      const recording = await cphdBytes();
      let isBroken = true;
      const instead: Habits["instead"] = (_, response) => {
        if (isBroken) response.writeHead(503).end();
        return isBroken;
      };
      const { address } = await serveFiles(() => ({ [name]: recording }), { instead });
      await visit(
        `#/${task}?source=url&url=${encodeURIComponent(`${address}/${name}`)}`,
        async (page) => {
          await activate(page.getByRole("button", { name: "Open it" }));
          await page.getByRole("alert").first().waitFor({ timeout: patience });
          isBroken = false;
          await activate(page.getByRole("button", { name: "Open", exact: true }));
          await page.locator("[data-figure=recording]", { hasText: "circle" }).waitFor({ timeout: patience });
          expect(await page.getByRole("alert").count()).toBe(0);
        },
        { expects },
      );
    },
  );

  it("is refused as what it is if the policy of the page forbids it", async () => {
    const { said, seen } = await opened({}, { host: "strict" });
    expect(said).toMatch(/content security policy of this page does not allow it: download the file/);
    expect(said).not.toContain("CORS");
    expect(seen).toEqual([]);
  });

  it("is refused in one sentence if the file changes meanwhile", async () => {
    let answers = 0;
    const headers = () => ({ "Last-Modified": ++answers > 4 ? "Sun, 02 Jan 2022 00:00:00 GMT" : "Sat, 01 Jan 2022 00:00:00 GMT" });
    const { said } = await opened({ headers });
    expect(said).toMatch(/the file on the server has changed since it was opened: its Last-Modified was/);
  });
});
