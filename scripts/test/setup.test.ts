/** Tests the parts of set-up that work without an installation: the version check, the lock, the user's folder. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { userFolder } from "../command.mjs";
import { checkNode, exclusively, root } from "../setup.mjs";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "dechirp-setup-test-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("checkNode", () => {
  it("accepts the range of package.json and names it otherwise", () => {
    for (const version of ["20.19.0", "20.20.1", "22.0.0", "100.0.0"]) checkNode(version, ">=20.19");
    for (const version of ["20.18.9", "18.20.0", "9.99.0"]) expect(() => checkNode(version, ">=20.19")).toThrow(/needs Node >=20\.19/);
    expect(() => checkNode()).not.toThrow();
  });
});

describe("exclusively", () => {
  it("runs one process at a time", async () => {
    const lock = join(folder, "lock");
    const log = join(folder, "log");
    writeFileSync(log, "");
    const script = `
      import { appendFileSync } from "node:fs";
      import { exclusively } from ${JSON.stringify(join(root, "scripts", "setup.mjs"))};
      exclusively(() => {
        appendFileSync(${JSON.stringify(log)}, "(");
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
        appendFileSync(${JSON.stringify(log)}, ")");
      }, ${JSON.stringify(lock)});`;
    const statuses = await Promise.all(
      [1, 2, 3].map(
        () =>
          new Promise((done) => {
            spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "ignore" }).on("exit", done);
          }),
      ),
    );
    expect(statuses).toEqual([0, 0, 0]);
    expect(readFileSync(log, "utf8")).toBe("()()()");
    expect(existsSync(lock)).toBe(false);
  });

  it("breaks the lock of a process that has ended", () => {
    const gone = spawnSync(process.execPath, ["-e", ""]).pid;
    const lock = join(folder, "lock");
    writeFileSync(lock, String(gone));
    let ran = false;
    exclusively(() => {
      ran = true;
    }, lock);
    expect(ran).toBe(true);
  });

  it("releases the lock if the work throws", () => {
    const lock = join(folder, "lock");
    const fail = () => {
      throw new Error("no");
    };
    expect(() => exclusively(fail, lock)).toThrow("no");
    expect(existsSync(lock)).toBe(false);
  });
});

describe("userFolder", () => {
  it("is the folder from which the user called npm, or the working folder without npm", () => {
    const env = { npm_package_json: join(root, "package.json"), INIT_CWD: folder };
    expect(userFolder(env, root)).toBe(folder);
    expect(userFolder({}, folder)).toBe(folder);
    expect(userFolder({ ...env, npm_package_json: join(folder, "package.json") }, root)).toBe(root);
    expect(userFolder(env, folder)).toBe(folder);
  });
});
