// @ts-check
/** Opens the adapter and a device under the environment it is started with, and says which: for adapter.mjs. */
import { create } from "webgpu";

const instance = create([]);
const adapter = await instance.requestAdapter();
if (!adapter) {
  process.stderr.write("no adapter\n");
  process.exit(1);
}
const { vendor, architecture, device, description } = adapter.info;
const opened = await adapter.requestDevice();
process.stdout.write(`adapter: ${[description || device, vendor, architecture].filter(Boolean).join(", ")}\n`);
opened.destroy();
