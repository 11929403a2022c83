import { byteLength, type Device, layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu, preferredDevice } from "@dechirp/fft-gpu";

const lines = layout("c64", [512, 1024]); // written, transformed and read again and again

async function openFaster(): Promise<Device> {
  if (preferredDevice({ bytes: byteLength(lines), passes: 1 }) === "cpu") return open(cpu());
  const device = await open(gpu(), cpu());
  if (!device.info.software) return device;
  device[Symbol.dispose](); // a GPU made of software is slower than the processor that it runs on
  return open(cpu());
}

using device = await openFaster();
const plan = await device.plan({ op: "fft", layout: lines, axis: 1, inverse: false });
console.log(device.id, plan.text, plan.cost);
