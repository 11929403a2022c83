import { fft, layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

const device = await open(cpu());
const printMemory = (): void => {
  const { buffers, bytes, plans } = device.memory();
  console.log(`${buffers} buffers, ${bytes} bytes, ${plans} plans`);
};
const lines = layout("c64", [16, 1024]);

async function queueTransform(): Promise<void> {
  using plan = await device.plan(fft(lines, { axis: 1 }));
  using input = device.alloc(lines);
  using output = device.alloc(lines);
  printMemory();
  plan.run({ in: input, out: output }); // still queued when the block ends; plan and buffers are freed after the run
}

await queueTransform();
await device.ready();
printMemory();

device.alloc(lines, "forgotten");
device[Symbol.dispose](); // also frees the forgotten buffer
printMemory();
