// @ts-check
/** Opens an adapter and a device under the current environment and prints their description. adapter.mjs runs it. */
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
