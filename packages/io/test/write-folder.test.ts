/** Writing a folder fails midway: everything that was there is restored, and everything that was made is removed. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkFolderWritable, cleanupTemporaries, readConsistently, systemError, writeFolderAtomically } from "../src/node.ts";

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "dechirp-io-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const refused = (promise: Promise<void>, message: RegExp): Promise<void> =>
  expect(promise).rejects.toMatchObject({ code: "input", message: expect.stringMatching(message) });

describe("writeFolderAtomically", () => {
  it("undoes renames if a later one fails", async () => {
    await writeFile(join(dir, "a"), "old");
    // A folder appears under this name after the check.
    async function* late(): AsyncGenerator<Uint8Array> {
      await mkdir(join(dir, "c"));
      yield Uint8Array.of(3);
    }
    const write = writeFolderAtomically(dir, { a: Uint8Array.of(1), b: Uint8Array.of(2), c: late() });
    await refused(write, /c: can't rename it into place: it is a folder/);
    expect((await readdir(dir)).sort()).toEqual(["a", "c"]);
    expect(await readFile(join(dir, "a"), "utf8")).toBe("old");
  });

  it("leaves no second name of a file that can't be replaced", async () => {
    await writeFile(join(dir, "a"), "old");
    async function* cleaning(): AsyncGenerator<Uint8Array> {
      cleanupTemporaries();
      yield Uint8Array.of(2);
    }
    await refused(writeFolderAtomically(dir, { a: Uint8Array.of(1), b: cleaning() }), /can't rename it into place/);
    expect(await readdir(dir)).toEqual(["a"]);
    expect(await readFile(join(dir, "a"), "utf8")).toBe("old");
  });

  it("refuses names that it uses itself", async () => {
    for (const name of [".dechirp-commit", ".Dechirp-COMMIT", ".dechirp-1-0-0123456789abcdef-0123456789ab.tmp"]) {
      await refused(writeFolderAtomically(join(dir, "out"), { [name]: Uint8Array.of(1) }), /^files must be .*not "\.dechirp-/i);
    }
    expect(await readdir(dir)).toEqual([]);
    await writeFolderAtomically(dir, { ".dechirp": Uint8Array.of(1) });
    expect(await readdir(dir)).toEqual([".dechirp"]);
  });

  it("removes folders that it made if a deeper one can't be made", async () => {
    const write = writeFolderAtomically(join(dir, "new", "er", "n".repeat(300)), { a: Uint8Array.of(1) });
    await refused(write, /can't make the folder: the name is too long/);
    expect(await readdir(dir)).toEqual([]);
  });

  it("removes folders that it made, on request", async () => {
    let left: string[] = ["unseen"];
    async function* watched(): AsyncGenerator<Uint8Array> {
      cleanupTemporaries();
      left = await readdir(dir);
      yield Uint8Array.of(1);
    }
    await refused(writeFolderAtomically(join(dir, "new", "er"), { a: watched() }), /can't rename it into place/);
    expect(left).toEqual([]);
    expect(await readdir(dir)).toEqual([]);
  });
});

it("reads files again if writers replace them meanwhile", async () => {
  let reads = 0;
  const read = async (): Promise<number> => {
    if (reads < 15) await writeFolderAtomically(dir, { a: Uint8Array.of(reads) });
    return reads++;
  };
  await writeFolderAtomically(dir, { a: Uint8Array.of(0) });
  expect(await readConsistently(dir, "a", read)).toBe(15);
});

it("explains errors of the system", () => {
  const codes = ["ENOENT", "EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "EFBIG", "EMFILE", "ENFILE", "ENOMEM", "EIO", "ENAMETOOLONG"];
  for (const code of codes) {
    const error = systemError("a/b", "write it", Object.assign(new Error("as the system has it"), { code })) as Error;
    expect(error).toMatchObject({ code: "input", fields: { file: "a/b", reason: code } });
    expect(error.message).toMatch(/^a\/b: can't write it: [a-z' -]+[a-z]( \(see ulimit -n\))?$/);
  }
  const others = [new TypeError("x is no function"), Object.assign(new Error("no"), { code: "ERR_INTERNAL_ASSERTION" }), undefined];
  for (const other of others) expect(systemError("a", "read it", other)).toBe(other);
});

it("tests whether a folder accepts files, and leaves nothing there", async () => {
  checkFolderWritable(dir);
  expect(await readdir(dir)).toEqual([]);
  expect(() => checkFolderWritable(join(dir, "absent"))).toThrow(
    `${join(dir, "absent")}: can't write there: there is no such file or folder`,
  );
});
