// #region open
import { type Device, isRadarError, kernel, layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";

/** Opens a hardware GPU, or the CPU together with the reason why. */
async function hardware(): Promise<{ readonly device: Device; readonly why?: string }> {
  try {
    const device = await open(gpu());
    if (!device.info.software) return { device };
    device[Symbol.dispose](); // a software adapter is slower than cpu()
    return { device: await open(cpu()), why: `${device.info.description} is a software adapter` };
  } catch (error) {
    if (!isRadarError(error, "no-backend")) throw error; // only a missing GPU is a reason to use the CPU
    return { device: await open(cpu()), why: error.message };
  }
}

const found = await hardware();
using device = found.device;
console.log(found.why === undefined ? `on ${device.info.description}` : `on the CPU: ${found.why}`);
// #endregion open

// #region plan
const values = layout("f32", [1000]);
const halve = kernel({
  name: "halve",
  ports: { in: { access: "read", layout: values }, out: { access: "write", layout: values } },
  items: 1000,
  reference(ports, _uniforms, start, end) {
    for (let i = start; i < end; i++) ports.out.set(i, ports.in.re(i) / 2);
  },
});

using anything = await open(gpu(), cpu());
using plan = await anything.plan(halve);
console.log(plan.text); // the kernel has no WGSL, so its reference runs on the host
if (/\/(host|reference) /.test(plan.text)) console.log("this will be slow");
// #endregion plan
