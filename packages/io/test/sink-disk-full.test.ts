/** Disks that become full while an image is written: a tmpfs of 1 MiB, mounted by a child process in a namespace of its own. */
import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "dechirp-full-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const inNamespace = (command: string) => spawnSync("unshare", ["-Urm", "sh", "-c", command], { encoding: "utf8" });
const mountable = process.platform === "linux" && inNamespace(`mount -t tmpfs -o size=1m tmpfs ${tmpdir()}`).status === 0;

// The reason for skipping: a process may mount a file system of its own only where user namespaces are permitted.
it.skipIf(!mountable)(
  "is one error that names the file; nothing is left without a digest, and what is written goes on with one",
  async () => {
    const script = join(dir, "child.mjs");
    const contents = `
    import { readdirSync, writeFileSync, rmSync } from "node:fs";
    import { npySink, zarrSink } from "@dechirp/io/node";
    const layout = { dtype: "u8", shape: [1400, 1000] };
    const data = new Uint8Array(100000).fill(7);
    const rows = (k) => ({ row: 100 * k, column: 0, rows: 100, columns: 1000 });
    for (const [name, sink, options] of [["npy", npySink, { syncBytes: 100000 }], ["zarr", zarrSink, { chunk: [100, 1000] }]]) {
      for (const digest of [undefined, "a"]) {
        const told = [];
        let s = await sink.open("image." + name, layout, {}, { ...options, digest });
        const writes = [];
        for (let k = 0; k < 14; k++) writes.push(s.write(rows(k), data).catch((error) => told.push(error.code + " " + error.message)));
        await Promise.all(writes);
        await s.finish().catch((error) => told.push(error.code + " " + error.message));
        const written = s.written().reduce((sum, window) => sum + window.rows, 0);
        await s.abort({ keep: digest !== undefined });
        console.log(name, digest, [...new Set(told)].join("|"), told.length > 3, written > 500, readdirSync(".").length);
        rmSync("image." + name, { recursive: true, force: true });
        for (const left of readdirSync(".")) rmSync(left, { recursive: true });
      }
    }
  `;
    await build({
      stdin: { contents, resolveDir: import.meta.dirname },
      outfile: script,
      bundle: true,
      platform: "node",
      format: "esm",
      conditions: ["@dechirp/source"],
    });
    const place = join(dir, "place");
    const { stdout, stderr } = inNamespace(
      `mkdir "${place}" && mount -t tmpfs -o size=1m tmpfs "${place}" && cd "${place}" && exec "${process.execPath}" "${script}"`,
    );
    const full = (name: string): string => `input image.${name}: can't write it: no space is left on the device`;
    expect([stdout.trim().split("\n"), stderr]).toEqual([
      [
        `npy undefined ${full("npy")} true true 0`,
        `npy a ${full("npy")} true true 1`,
        `zarr undefined ${full("zarr")} true true 0`,
        `zarr a ${full("zarr")} true true 1`,
      ],
      "",
    ]);
  },
);
