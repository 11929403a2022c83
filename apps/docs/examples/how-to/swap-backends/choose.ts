import { type Backend, type Device, inputError, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";

const choices: Readonly<Record<string, readonly Backend[]>> = {
  cpu: [cpu()],
  gpu: [gpu()], // the GPU, or an error that says why it can't be opened
  any: [gpu(), cpu()], // the GPU if there is one, otherwise the CPU
};

function openNamed(name: string): Promise<Device> {
  if (!Object.hasOwn(choices, name)) throw inputError("device", Object.keys(choices).join(", "), name);
  return open(...choices[name]);
}

using device = await openNamed(process.env["DEVICE"] ?? "any");
console.log(device.id, "-", device.info.description);
console.log(device.info.notes.join("; ")); // warnings for users, such as a slow mode or a missing feature
