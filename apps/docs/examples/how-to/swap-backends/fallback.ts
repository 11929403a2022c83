// #region open
import { type Device, isRadarError, type Kernel, layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";

/** A hardware GPU, or the processor and the reason why. */
async function hardware(): Promise<{ readonly device: Device; readonly why?: string }> {
  try {
    const device = await open(gpu());
    if (!device.info.software) return { device };
    device[Symbol.dispose](); // correct, and slower than the processor that it runs on
    return { device: await open(cpu()), why: `${device.info.description} is made of software` };
  } catch (error) {
    if (!isRadarError(error, "no-backend")) throw error; // anything else is no reason to go on
    return { device: await open(cpu()), why: error.message };
  }
}

const found = await hardware();
using device = found.device;
console.log(found.why === undefined ? `on ${device.info.description}` : `on the processor: ${found.why}`);
// #endregion open

// #region plan
const values = layout("f32", [1000]);
const halve: Kernel = {
  op: "kernel",
  name: "halve",
  ports: { in: { access: "read", layout: values }, out: { access: "write", layout: values } },
  items: 1000,
  reference(ports, _uniforms, start, end) {
    for (let i = start; i < end; i++) ports["out"].set(i, ports["in"].re(i) / 2);
  },
};

using anything = await open(gpu(), cpu());
using plan = await anything.plan(halve);
console.log(plan.text); // a kernel without WGSL runs by its reference, on the host: the text says so
if (/\/(host|reference) /.test(plan.text)) console.log("this will be slow");
// #endregion plan
