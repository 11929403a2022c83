export { default } from "../../vitest.gpu.ts";
