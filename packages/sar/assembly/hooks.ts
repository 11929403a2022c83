/** AssemblyScript, the module's entry: the load hooks of range-Doppler imaging, as `WasmFunction` of core describes loads. */
// @ts-nocheck
export { coupling } from "./coupling";
export { migration } from "./migration";
export { rawC64, rawCi8, rawCi16 } from "./raw";
