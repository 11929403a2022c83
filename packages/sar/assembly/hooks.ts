/** AssemblyScript, the entry of the module: the hooks of range-Doppler imaging, as `WasmFunction` of core describes loads and stores. */
export { coupling } from "./coupling";
export { decibel, power } from "./detect";
