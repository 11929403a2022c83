import { byteLength, type Device, fft, layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu, preferredDevice } from "@dechirp/fft-gpu";

const lines = layout("c64", [512, 1024]); // to be written, transformed and read many times

async function openFaster(): Promise<Device> {
  if (preferredDevice({ bytes: byteLength(lines) }) === "cpu") return open(cpu());
  const device = await open(gpu(), cpu());
  if (!device.info.software) return device;
  device[Symbol.dispose](); // a software adapter is slower than cpu()
  return open(cpu());
}

using device = await openFaster();
const plan = await device.plan(fft(lines, { axis: 1 }));
console.log(device.id, plan.text, plan.cost);
