import { type Backend, isRadarError, open, RadarError } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

// A backend is an object with an `open` that returns a device, or throws an error that says why it can't.
const abacus: Backend = {
  id: "abacus",
  contract: 1,
  async open() {
    throw new RadarError("no-backend", "there are no beads");
  },
};

using device = await open(abacus, cpu()); // the first that opens
console.log(device.id);

try {
  await open(abacus);
} catch (error) {
  if (!isRadarError(error, "no-backend")) throw error;
  console.log(error.message);
}
