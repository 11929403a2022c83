/** Tests which pipelines are compiled and which are kept, on a stand-in that only counts. */
import { expect, it } from "vitest";
import { type PipelineSpec, Pipelines } from "../src/pipelines.ts";

const spec = (code: string): PipelineSpec => ({ code, entry: "main", readOnly: [true], uniformBytes: 0 });

function counting(): { readonly pipelines: Pipelines; readonly compiled: string[] } {
  const compiled: string[] = [];
  const gpu = {
    pushErrorScope() {},
    popErrorScope: async () => null,
    createShaderModule: ({ code }: { code: string }) => ({ code, getCompilationInfo: async () => ({ messages: [] }) }),
    createBindGroupLayout: () => ({}),
    createPipelineLayout: () => ({}),
    async createComputePipelineAsync({ compute }: { compute: { module: { code: string } } }) {
      compiled.push(compute.module.code);
      if (compute.module.code === "wrong") throw new Error("wrong");
      return {};
    },
  };
  return { pipelines: new Pipelines(gpu as unknown as GPUDevice), compiled };
}

it("keeps the most recently requested pipelines", async () => {
  const { pipelines, compiled } = counting();
  for (let i = 0; i < 2000; i++) {
    await pipelines.get(spec("used again and again"), "a kernel");
    await pipelines.get(spec(`kernel ${i}`), "a kernel");
  }
  expect(compiled.length).toBe(2001);
  await pipelines.get(spec("kernel 1999"), "a kernel");
  await pipelines.get(spec("kernel 1900"), "a kernel");
  expect(compiled.length).toBe(2001);
  await pipelines.get(spec("kernel 0"), "a kernel");
  expect(compiled.length).toBe(2002);
});

it("compiles once for concurrent requests, and again after a failure", async () => {
  const { pipelines, compiled } = counting();
  const [a, b] = await Promise.all([pipelines.get(spec("a"), "a"), pipelines.get(spec("a"), "a")]);
  expect(a).toBe(b);
  expect(compiled).toEqual(["a"]);
  for (let i = 0; i < 2; i++) await expect(pipelines.get(spec("wrong"), "it")).rejects.toMatchObject({ code: "compile" });
  expect(compiled).toEqual(["a", "wrong", "wrong"]);
});
