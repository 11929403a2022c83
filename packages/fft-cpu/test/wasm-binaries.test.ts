/**
 * The embedded binaries: what they need of a host, what they weigh, and that they bring no data of their own, which every instance on a
 * shared memory would write over the others'. That they are what the sources make is `scripts/build-wasm.mjs --check`'s to say.
 */
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { binaries } from "../src/wasm/binaries.ts";
import { loadKernels } from "../src/wasm/kernels.ts";

const bytesOf = (name: keyof typeof binaries): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(binaries[name], "base64"));

/** Section ids of a WASM module in order (WebAssembly Core Specification, section 5.5.2). */
function sections(bytes: Uint8Array): number[] {
  const ids: number[] = [];
  let at = 8;
  while (at < bytes.length) {
    ids.push(bytes[at++] as number);
    let size = 0;
    for (let shift = 0, more = true; more; shift += 7) {
      const byte = bytes[at++] as number;
      size |= (byte & 0x7f) << shift;
      more = byte >= 0x80;
    }
    at += size;
  }
  return ids;
}

describe("binaries", () => {
  it("are valid where SIMD is, relaxed ones where relaxed SIMD is", async () => {
    expect(WebAssembly.validate(bytesOf("plain"))).toBe(true);
    expect(WebAssembly.validate(bytesOf("sharedPlain"))).toBe(true);
    const relaxed = WebAssembly.validate(bytesOf("relaxed"));
    expect(await loadKernels()).toMatchObject({ shared: false, relaxed });
    expect(await loadKernels({ shared: true })).toMatchObject({ shared: true, relaxed });
    expect(await loadKernels({ relaxed: false })).toMatchObject({ relaxed: false });
  });

  it("have no data, no start function and no memory of their own", () => {
    for (const name of Object.keys(binaries) as (keyof typeof binaries)[]) {
      const ids = sections(bytesOf(name));
      expect(ids).toContain(10);
      for (const section of [5, 8, 11]) expect(ids, name).not.toContain(section);
    }
  });

  it("weigh at most 70 kB together, gzipped", () => {
    const weights = (Object.keys(binaries) as (keyof typeof binaries)[]).map((name) => gzipSync(bytesOf(name), { level: 9 }).length);
    expect(weights.reduce((total, weight) => total + weight, 0)).toBeLessThanOrEqual(70000);
  });
});
