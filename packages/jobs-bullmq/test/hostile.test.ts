/** Addresses and messages that come from anyone: each wrong value is one error that names it, and passwords are never shown. No server is needed. */
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { isRadarError } from "@dechirp/core";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../jobs/test/recordings.ts";
import { parseAddress } from "../src/address.ts";
import { queueName } from "../src/engine.ts";
import { checkStore, openMessage, parseMessage } from "../src/message.ts";

describe("an address", () => {
  it("is shown without its password, its user and its options", () => {
    const address = parseAddress("rediss://me:S3cr%2Fet@host:6380/2?tls=x&sslpassword=also%20hidden");
    expect(address).toMatchObject({ kind: "redis", text: "rediss://host:6380/2" });
    const said =
      "AUTH S3cr/et failed for me:S3cr%2Fet (S3cr%2Fet), also hidden, rediss://me:S3cr%2Fet@host:6380/2?tls=x&sslpassword=also%20hidden";
    const shown = address.redact(said);
    for (const part of ["S3cr/et", "S3cr%2Fet", "also hidden"]) expect(shown).not.toContain(part);
    expect(parseAddress("postgresql://host/jobs?sslmode=require")).toMatchObject({ kind: "postgres", text: "postgresql://host/jobs" });
    expect(parseAddress("redis://host").redact("nothing to hide")).toBe("nothing to hide");
  });

  it("of another kind is one error without the address", () => {
    const unencoded = ["rediss://:some@hidden/word@host:6379", "postgres://me:some/hidden@host/jobs", "redis://:some#hidden@host"];
    for (const url of ["", "host", "hidden:pass@host", "http://hidden:pass@host", "redis:", "constructor://hidden@host", ...unencoded]) {
      let error: unknown;
      try {
        parseAddress(url);
      } catch (thrown) {
        error = thrown;
      }
      expect(isRadarError(error, "input"), url).toBe(true);
      expect(`${(error as Error).stack}${JSON.stringify(error)}`, url).not.toMatch(/hidden/);
    }
  });
});

describe("the name of a queue", () => {
  it("differs with the version and everything that bits depend on", () => {
    const device = { class: "cpu" as const, id: "cpu", arithmetic: "plain" };
    const names = [
      queueName("0.1.0", device),
      queueName("0.1.1", device),
      queueName("0.1.0", { ...device, arithmetic: "relaxed" }),
      queueName("0.1.0", { class: "gpu", id: "webgpu", description: "NVIDIA H100, driver 580" }),
      queueName("0.1.0", { class: "gpu", id: "webgpu", description: "NVIDIA H200, driver 580" }),
      queueName("0.1.0:{x}", device),
    ];
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^dechirp-[\w.-]{1,50}$/);
  });
});

describe("a message", () => {
  const good = { store: "/jobs/one", job: "a".repeat(64), task: 3 };

  it("is read if every field is right", () => {
    expect(parseMessage("task", { ...good, deaths: 2 })).toEqual({ kind: "task", message: { ...good, deaths: 2 } });
    const { task: _, ...products } = good;
    expect(parseMessage("assemble", products)).toEqual({ kind: "assemble", message: products });
  });

  it("is refused otherwise, with the name of the field", () => {
    const cases: readonly (readonly [name: string, data: unknown, field: string])[] = [
      ["__proto__", good, "message.name"],
      ["assemble", good, "message.task"],
      ["copy", { ...good, deaths: 1 }, "message.deaths"],
      ["task", { ...good, deaths: 2 ** 40 }, "message.deaths"],
      ["task", { ...good, task: 0.5 }, "message.task"],
      ["task", { ...good, store: "/jobs/\u0000one" }, "message.store"],
      ["task", { ...good, store: "/jobs/./one" }, "message.store"],
      ["task", { ...good, store: "s3://bucket/../other" }, "message.store"],
      ["task", { ...good, store: "http://host/job" }, "message.store"],
      ["task", { ...good, store: 7 }, "message.store"],
      ["task", [], "message.store"],
      ["task", undefined, "message"],
    ];
    for (const [name, data, field] of cases) {
      let error: unknown;
      try {
        parseMessage(name, data);
      } catch (thrown) {
        error = thrown;
      }
      expect(isRadarError(error, "input"), field).toBe(true);
      expect((error as { fields: object }).fields).toMatchObject({ field });
      expect((error as Error).message).not.toMatch(/must be an object, not "/);
    }
  });

  it("opens only stores that the worker may open, also through links", async () => {
    const folder = await temporaryFolder();
    const [mine, other] = [join(folder, "mine"), join(folder, "other")];
    for (const path of [mine, other, join(folder, "mine-too")]) await mkdir(path);
    await symlink(other, join(mine, "way-out"));
    await symlink(mine, join(folder, "way-in"));
    for (const store of [mine, join(mine, "a", "b"), join(folder, "way-in", "c")]) await checkStore(store, [mine]);
    await checkStore("s3://bucket/jobs/one", [mine, "s3://bucket/jobs/"]);
    await checkStore("s3://bucket/jobs", ["s3://bucket/jobs"]);
    for (const store of [
      other,
      join(mine, "way-out", "x"),
      join(folder, "mine-too"),
      folder,
      "s3://bucket/jobs-too",
      "s3://bucket",
      "s3://other/jobs",
    ])
      await expect(checkStore(store, [mine, "s3://bucket/jobs"]), store).rejects.toMatchObject({
        code: "input",
        fields: { field: "message.store" },
      });
    // A worker that does not see the store leaves the task to others.
    await expect(openMessage({ ...good, store: mine }, {})).rejects.toMatchObject({ code: "failed", fields: { field: "job.json" } });
  });
});
