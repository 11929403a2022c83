import { writeFile } from "node:fs/promises";
import { heatMap, imagePicture } from "@dechirp/pictures";
import { pngOfSvg } from "@dechirp/pictures/png";

const x = { label: "Doppler, Hz", start: -250, step: 500 / 64, count: 64 };
const y = { label: "slant range, m", start: 8000, step: 5, count: 200 };
const power = Array.from({ length: 64 * 200 }, (_, i) => 1 / (1 + ((i % 64) - 40) ** 2 + (Math.floor(i / 64) - 90) ** 2)); // [y][x]
const svg = await heatMap([{ title: "A target", x, y, power, lowDb: -40, highDb: 0, unit: "dB" }]);
await writeFile("target.png", await pngOfSvg(svg)); // or show the SVG in a page

const width = 300;
const height = 200;
const data = Uint8Array.from({ length: width * height }, (_, i) => (i % width) % 256); // grey levels [row][column]
const range = { label: "slant range", unit: "m", start: 8000, step: 2.5 };
const azimuth = { label: "azimuth", unit: "m", start: -250, step: 2.5 };
const image = await imagePicture({ title: "A ramp", width, height, data, x: range, y: azimuth, lowDb: -40, highDb: 0 });
await writeFile("image.svg", image);
console.log(svg.slice(0, 4), />200 m</.test(image)); // <svg true: the scale bar says 200 m
