/** The limits of a device's workgroups, which only kernels get to know. */
import { type Device, kernel, layout, RadarError, type WgslLimits } from "@dechirp/core";

/** The limits of workgroups and arrays. */
export interface Limits {
  /** Bytes of workgroup memory that a workgroup may use. */
  readonly workgroupBytes: number;
  /** Largest number of invocations of a workgroup. */
  readonly invocations: number;
  /** The smallest and largest size of subgroups. Absent if the device has no subgroup functions. */
  readonly subgroups?: readonly [smallest: number, largest: number];
  /** Bytes of the largest array that is bound in one part. */
  readonly arrayBytes: number;
}

/** Asks a device for its limits. Throws `unsupported` if it does not run WGSL. */
export async function limitsOf(device: Device, signal?: AbortSignal): Promise<Limits> {
  let found: WgslLimits | undefined;
  const op = kernel({
    name: "limits",
    ports: { out: { access: "write", layout: layout("u32", [1]) } },
    items: 1,
    wgsl(_, limits, toolkit) {
      found = limits;
      return toolkit.items("store_out(item, 1u);");
    },
    reference: ({ out }) => out.set(0, 1),
  });
  using _plan = await device.plan(op, signal ? { signal } : {});
  if (!found)
    throw new RadarError("unsupported", `the microbenchmarks run on GPUs only, and ${device.id} runs no WGSL`, { device: device.id });
  const { workgroupBytes, invocations, subgroups } = found;
  return {
    workgroupBytes,
    invocations,
    ...(subgroups && { subgroups }),
    arrayBytes: device.limits.kernelArrays?.bytes ?? device.limits.maxBufferBytes,
  };
}
