import { isRadarError, open } from "@dechirp/core";
import { gpu } from "@dechirp/fft-gpu";

try {
  using device = await open(gpu({ limits: "default", powerPreference: "low-power" }));
  device.lost.then(({ message }) => console.log(message)); // resolves only if the device is lost
  console.log(`arrays of at most ${device.limits.maxBufferBytes} bytes, ${device.memory().bytes} in use`);
} catch (error) {
  if (!isRadarError(error, "no-backend")) throw error;
  console.log(error.message); // gives the reason of every backend
}
