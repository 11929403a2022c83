/**
 * Tests the embedded binaries: which hosts they run on, their size, and that they contain no data, which every instance on a shared memory
 * would write over the others'. `scripts/build-wasm.mjs --check` checks that they are what the sources compile to.
 */
import { gzipSync } from "node:zlib";
import { lazyModules } from "@dechirp/core/internal";
import { describe, expect, it } from "vitest";
import { plain, relaxed } from "../src/wasm/binaries.ts";
import { loadKernels } from "../src/wasm/kernels.ts";

const builds = { plain: lazyModules(plain), relaxed: lazyModules(relaxed) };

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
  it("are valid on hosts with SIMD, relaxed ones on hosts with relaxed SIMD", async () => {
    expect(WebAssembly.validate(builds.plain().plain)).toBe(true);
    expect(WebAssembly.validate(builds.plain().shared)).toBe(true);
    const isRelaxed = WebAssembly.validate(builds.relaxed().plain);
    expect(WebAssembly.validate(builds.relaxed().shared)).toBe(isRelaxed);
    expect(await loadKernels()).toMatchObject({ shared: false, relaxed: isRelaxed });
    expect(await loadKernels({ shared: true })).toMatchObject({ shared: true, relaxed: isRelaxed });
    expect(await loadKernels({ relaxed: false })).toMatchObject({ relaxed: false });
  });

  it("fit either a plain or a shared memory", () => {
    const { plain, shared } = builds.plain();
    const instantiate = (bytes: Uint8Array<ArrayBuffer>, memory: WebAssembly.Memory): WebAssembly.Instance => {
      const table = new WebAssembly.Table({ initial: 32, element: "anyfunc" });
      return new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory, table } });
    };
    const own = new WebAssembly.Memory({ initial: 0 });
    const common = new WebAssembly.Memory({ initial: 1, maximum: 65536, shared: true });
    expect(instantiate(plain, own).exports).toHaveProperty("rows");
    expect(instantiate(shared, common).exports).toHaveProperty("rows");
    expect(() => instantiate(plain, common)).toThrow(WebAssembly.LinkError);
    expect(() => instantiate(shared, own)).toThrow(WebAssembly.LinkError);
    // They differ only in the import's limits: a flag, the fewest and the most pages.
    expect(plain.length).toBe(shared.length);
    expect(plain.filter((byte, i) => byte !== shared[i])).toHaveLength(3);
  });

  it("have no data, no start function and no memory of their own", () => {
    for (const bytes of Object.values(builds).flatMap((modules) => Object.values(modules()))) {
      const ids = sections(bytes);
      expect(ids).toContain(10);
      for (const section of [5, 8, 11]) expect(ids).not.toContain(section);
    }
  });

  it("have at most 30 kB together, gzipped", () => {
    const weights = Object.values(builds).map((modules) => gzipSync(modules().shared, { level: 9 }).length);
    expect(weights.reduce((total, weight) => total + weight, 0)).toBeLessThanOrEqual(30000);
  });
});
