import { open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

// Vite makes a file of `@dechirp/fft-cpu/worker` when it sees this expression.
const startWorker = () => new Worker(new URL("@dechirp/fft-cpu/worker", import.meta.url), { type: "module" });
using device = await open(cpu({ startWorker }));
console.log(device.info.notes[0] ?? "uses all cores");
document.body.dataset.done = device.info.description;
