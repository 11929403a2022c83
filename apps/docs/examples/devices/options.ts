import { isRadarError, open } from "@dechirp/core";
import { gpu } from "@dechirp/fft-gpu";

try {
  using device = await open(gpu({ limits: "default", powerPreference: "low-power" }));
  device.lost.then(({ message }) => console.log(message)); // settles when it happens, and only then
  console.log(`arrays of ${device.limits.maxBufferBytes} bytes at most, ${device.memory().bytes} in use`);
} catch (error) {
  if (!isRadarError(error, "no-backend")) throw error;
  console.log(error.message); // with the reason of every backend that was given
}
