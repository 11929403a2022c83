/** Recordings without their functions, which tests can't compare. */
import { createScene, type SceneData } from "../src/index.ts";

/** All fields of a recording except `pulses`. */
export const plain = <R extends { readonly pulses: unknown }>({ pulses: _, ...rest }: R): Omit<R, "pulses"> => rest;

/** What reading a scene returns, without `pulses`. */
export const recorded = (scene: SceneData) => plain(createScene(scene));
