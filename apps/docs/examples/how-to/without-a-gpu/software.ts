import { isRadarError, open } from "@dechirp/core";
import { gpu } from "@dechirp/fft-gpu";

try {
  using device = await open(gpu());
  console.log(device.info.software ? "a software adapter, for tests" : "a GPU");
  console.log(device.info.description);
} catch (error) {
  if (!isRadarError(error, "no-backend")) throw error;
  console.log(error.message);
}
