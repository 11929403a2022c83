import { writeNpy } from "@dechirp/io";
import { placeOf } from "@dechirp/io/formats";
import { describePlace, infoText } from "@dechirp/io/info";

/** Says what a file is that the user has dropped. */
async function described(file: File): Promise<string> {
  const place = placeOf({ [file.name]: file }, { file: file.name });
  return infoText(await describePlace(place, { geometry: async (...image) => (await geocoding()).createImageGeometry(...image) }));
}
/** Only images and scenes that state where they are need it. */
const geocoding = () => import("@dechirp/sar/geocoding");

// A file as the user would drop it.
const cube = await writeNpy({ dtype: "c64", shape: [4, 16, 100] }, new Float32Array(2 * 4 * 16 * 100));
console.log(await described(new File([new Uint8Array(cube)], "cube.npy")));
console.log(await described(new File(["not a recording"], "notes.txt")).catch((error) => error.message));
document.body.dataset.done = "described";
