/** Tests the transforms of npm packages as contenders: right results, the reasons if they can't take part, and that wrong ones are left out. */
import { describe, expect, it } from "vitest";
import { ours, randomBatch, wrongPeer } from "../src/cases/fft.ts";
import { jaxContender } from "../src/gpu/jax-js.ts";
import { kissFft, webFft } from "../src/npm-peers.ts";
import { fftJs, pffft } from "../src/peers.ts";

describe("peers", () => {
  it.each([256, 4096])("transform %d points as the definition does", async (n) => {
    const batch = randomBatch(n, 3);
    const all = { kiss: kissFft(batch), ...(await webFft(batch)), js: fftJs(batch), pffft: await pffft(batch), own: await ours(batch) };
    for (const [name, peer] of Object.entries(all)) {
      if (typeof peer === "string") throw new Error(peer);
      expect(await wrongPeer(n, peer), name).toBeUndefined();
      peer.dispose?.();
    }
    expect(Object.keys(all).length).toBe(7);
  });

  it("say which lengths they have", async () => {
    const batch = randomBatch(1000, 2);
    const kiss = kissFft(batch);
    expect(typeof kiss === "string" ? kiss : await wrongPeer(1000, kiss)).toBeUndefined();
    expect(kissFft({ ...batch, n: 2 ** 20 })).toBe("lines of up to 262144 points only");
    expect(await webFft(batch)).toEqual({ webfft: "powers of two from 4 to 131072 only" });
  });

  it("on WebGPU take part with right results, or say why not", async () => {
    const before = Object.getOwnPropertyDescriptor(globalThis, "navigator");
    const { data } = randomBatch(1024, 4);
    const jax = await jaxContender(data, 1024, 4);
    expect(Object.getOwnPropertyDescriptor(globalThis, "navigator")).toEqual(before);
    if (typeof jax === "string") return expect(jax).toMatch(/jax-js/);
    expect(await jax.sample(2)).toBeGreaterThan(0);
    expect(await jax.error()).toBeLessThan(1e-6);
  });

  it("are not timed if their result is wrong", async () => {
    const wrong = { name: "made up", run: () => undefined, error: () => 0.1 };
    expect(await wrongPeer(256, wrong)).toContain("wrong: relative L2 error 1.0e-1");
    expect(await wrongPeer(256, { ...wrong, error: () => Number.NaN })).toContain("wrong");
    expect(await wrongPeer(256, { ...wrong, run: () => Promise.reject(new Error("no memory")) })).toBe("it failed: no memory");
  });
});
