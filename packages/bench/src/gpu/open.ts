/**
 * The GPU that is measured: opened as a user's program opens it, but for a clock that is not rounded; and the device object
 * under it, for what is measured beside the backend. Further dechirp devices share that object, so that what is compared
 * runs on one queue.
 */
import { type Device, open, RadarError } from "@dechirp/core";
import { type GpuOptions, gpu } from "@dechirp/fft-gpu";

export interface OpenGpu {
  readonly device: Device;
  readonly gpu: GPUDevice;
  /** Another device over the same GPU, planning differently. */
  variant(planning: GpuOptions["planning"]): Promise<Device>;
  close(): void;
}

/** `flags`: for Dawn, as `enable-dawn-features=…`. Throws `no-backend`. */
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
    variant: (planning) => open(gpu({ device: own, ...(planning && { planning }) })),
    close() {
      device[Symbol.dispose]();
      // What create() returned has to live for as long as the device: this closure holds it.
      void instance;
    },
  };
}
