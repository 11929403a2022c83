/** AssemblyScript, the entry of the module: the hooks of range-Doppler imaging, as `WasmFunction` of core describes loads and stores. */
export { coupling } from "./coupling";
export { decibel, magnitude, power } from "./detect";
export { migration } from "./migration";
export { rawC64, rawCi8, rawCi16 } from "./raw";
