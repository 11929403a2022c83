/** The surface of @dechirp/realtime/transforms: transforms as tasks, the ways to run them on a device, and their times. */
export { measureRight, type RightMeasurement } from "./measure-right.ts";
export { type ObservedTimes, observedTimes } from "./observed.ts";
export { createTransforms, inputsOfKind, type Transforms, type TransformTask, type TransformTaskOptions } from "./transform-task.ts";
export {
  type Bounds,
  chunkWay,
  type Known,
  type OpenSet,
  poolWay,
  type SlotWayOptions,
  slotWay,
  smallerBound,
  type Way,
  type WayName,
  waysOf,
} from "./ways.ts";
