/** The program of the page in browser.test.ts: draws pictures. */
import { heatMap, imagePicture } from "../src/index.ts";

const axis = { label: "Doppler, Hz", start: -2, step: 1, count: 5 };
const power = Array.from({ length: 25 }, (_, i) => i);
const panel = { title: "σ² of a panel", x: axis, y: axis, power, lowDb: 0, highDb: 14, unit: "dB" };
const meters = { label: "x", unit: "m", start: 0, step: 1 };
const image = { title: "t", width: 2, height: 2, data: Uint8Array.of(0, 85, 170, 255), x: meters, y: meters, lowDb: -40, highDb: 0 };

/** Draws a heat map and an image as SVG. */
const draw = (): Promise<readonly string[]> => Promise.all([heatMap([panel]), imagePicture(image)]);

Object.assign(globalThis, { draw });
