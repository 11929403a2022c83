import { layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

const device = await open(cpu());
const say = (): void => {
  const { buffers, bytes, plans } = device.memory();
  console.log(`${buffers} buffers, ${bytes} bytes, ${plans} plans`);
};
const lines = layout("c64", [16, 1024]);

async function transform(): Promise<void> {
  using plan = await device.plan({ op: "fft", layout: lines, axis: 1, inverse: false, n: 1024 });
  using input = device.alloc(lines);
  using output = device.alloc(lines);
  say();
  plan.run({ in: input, out: output }); // still queued when the block ends: what it uses is freed after it
}

await transform();
await device.ready();
say();

device.alloc(lines, "forgotten");
device[Symbol.dispose](); // a device owns all that it made
say();
