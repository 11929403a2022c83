import { formatWindow, parseWindow, windowSamples, windowTheory } from "@dechirp/radar";

const window = parseWindow("taylor:4,-30"); // { kind: "taylor", nbar: 4, sidelobeDb: -30 }
const weights = windowSamples(window, 64);
const { irwTimesBandwidth, pslrDb, islrDb } = windowTheory(window);
console.log(formatWindow(window), weights.length, irwTimesBandwidth.toFixed(3), pslrDb.toFixed(2), islrDb.toFixed(2));
