/** The public exports of @dechirp/realtime/transforms: transforms as tasks, the ways to run them on a device, and their times. */
export { measureAndVerify, type VerifiedMeasurement } from "./measure-and-verify.ts";
export { type ObservedTimes, observedTimes } from "./observed.ts";
export { createTransforms, inputsOfKind, type Transforms, type TransformTask, type TransformTaskOptions } from "./transform-task.ts";
export {
  type Bounds,
  chunkWay,
  type OpenSet,
  poolWay,
  type SlotWayOptions,
  slotWay,
  smallerBound,
  type TaskTimes,
  type Way,
  type WayName,
  waysOf,
} from "./ways.ts";
