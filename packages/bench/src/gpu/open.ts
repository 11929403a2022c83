/**
 * Opens the GPU as a user's program does, but with an unrounded clock. Also returns the WebGPU device, for measurements without the
 * backend. Further dechirp devices share it, so that everything that is compared runs on one queue.
 */
import { type Device, open, RadarError } from "@dechirp/core";
import { type GpuOptions, gpu } from "@dechirp/fft-gpu";

/** The opened GPU. */
export interface OpenGpu {
  readonly device: Device;
  readonly gpu: GPUDevice;
  /** Another device on the same GPU that plans in another way. */
  variant(options: Pick<GpuOptions, "planning" | "effort">): Promise<Device>;
  close(): void;
}

/** Opens the GPU. `flags` are for Dawn, such as `enable-dawn-features=…`. Throws `no-backend`. */
export async function openGpu(flags: readonly string[] = []): Promise<OpenGpu> {
  const { create } = await import("webgpu");
  const instance = create(["disable-dawn-features=timestamp_quantization", ...flags]);
  const adapter = await instance.requestAdapter({ powerPreference: "high-performance" });
  if (!adapter) throw new RadarError("no-backend", "no WebGPU adapter: no GPU driver that WebGPU can use", { backend: "gpu" });
  let made: GPUDevice | undefined;
  const watched = {
    features: adapter.features,
    limits: adapter.limits,
    info: adapter.info,
    requestDevice: async (descriptor: GPUDeviceDescriptor) => {
      made = await adapter.requestDevice(descriptor);
      return made;
    },
  };
  const device = await open(gpu({ adapter: watched as unknown as GPUAdapter }));
  const own = made as unknown as GPUDevice;
  return {
    device,
    gpu: own,
    variant: (options) => open(gpu({ device: own, ...options })),
    close() {
      device[Symbol.dispose]();
      // The object that create() returned must live as long as the device, so this closure holds it.
      void instance;
    },
  };
}
