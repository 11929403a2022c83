/** Jobs as tasks of the simulation. */
import { type DivisionChoice, type DivisionRequest, divisionCost } from "@dechirp/jobs";
import type { SimulatedTask } from "./simulate.ts";

const pixelBytes = 8;

/** The tasks of one image: tiles, in the order of their sets; with several sets then the sums of tiles, in pieces. */
export function imageTasks(request: DivisionRequest, choice: DivisionChoice): readonly SimulatedTask[] {
  const { tiles, sets, tasks, rangeWindows, parts, bytes } = divisionCost(request, choice);
  const { image, nodes, cardsPerNode = 1 } = request;
  const seconds = parts.computing / Math.ceil(tasks / (nodes * cardsPerNode));
  const tileBytes = (image[0] * image[1] * pixelBytes) / tiles;
  const made: SimulatedTask[] = [];
  for (let set = 0; set < sets; set++)
    for (let tile = 0; tile < tiles; tile++)
      made.push({ seconds, readBytes: bytes.readByTask, writeBytes: tileBytes, ...(!rangeWindows && { kept: set }) });
  if (sets === 1) return made;
  // Sums are divided further, so that every card has one.
  const pieces = Math.ceil((nodes * cardsPerNode) / tiles);
  const bytesOfPiece = tileBytes / pieces;
  for (let tile = 0; tile < tiles; tile++) {
    const after = Array.from({ length: sets }, (_, set) => set * tiles + tile);
    for (let piece = 0; piece < pieces; piece++) made.push({ seconds: 0, readBytes: sets * bytesOfPiece, writeBytes: bytesOfPiece, after });
  }
  return made;
}

/** Tasks of many images that are divided alike: `seconds` of work each, in tasks of `taskSeconds`, with the bytes that an image reads and writes. */
export function stackTasks(
  images: number,
  { seconds, readBytes, writeBytes }: { readonly seconds: number; readonly readBytes: number; readonly writeBytes: number },
  taskSeconds: number,
): readonly SimulatedTask[] {
  const count = Math.max(1, Math.round((images * seconds) / taskSeconds));
  const share = images / count;
  return Array.from({ length: count }, () => ({
    seconds: seconds * share,
    readBytes: readBytes * share,
    writeBytes: writeBytes * share,
  }));
}
