/** Recordings without their functions, which no comparison sees through. */
import { createScene, type SceneData } from "../src/index.ts";

/** All of a recording but `pulses`. */
export const plain = <R extends { readonly pulses: unknown }>({ pulses: _, ...rest }: R): Omit<R, "pulses"> => rest;

/** What reading a scene gives, but for `pulses`. */
export const recorded = (scene: SceneData) => plain(createScene(scene));
