import { layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

using device = await open(cpu());
using pixels = device.alloc(layout("ci16", [4, 100]), "pixels"); // zeroed

const line = new Int16Array(2 * 100).fill(7); // re, im, re, im, …
pixels.write(line, 100); // from element 100 on: the second line
line.fill(0); // it was copied
console.log(await pixels.read({ start: 99, count: 2 })); // elements 99 and 100

const own = pixels.view?.(); // on a device whose memory is the host's: the array itself
console.log(own === undefined ? "no view here" : own.subarray(198, 202));
