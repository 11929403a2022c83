import { layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

using device = await open(cpu());
using pixels = device.alloc(layout("ci16", [4, 100]), "pixels"); // all zeros

const line = new Int16Array(2 * 100).fill(7); // re, im, re, im, …
pixels.write(line, 100); // from element 100 on, where the second line starts
line.fill(0); // changes nothing: write made a copy
console.log(await pixels.read({ start: 99, count: 2 })); // elements 99 and 100

const view = pixels.view?.(); // a CPU device has views, a GPU has none
console.log(view === undefined ? "no view here" : view.subarray(198, 202)); // numbers, two an element
