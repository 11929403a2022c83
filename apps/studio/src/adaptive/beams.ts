/** The beams of joint-domain localised processing (JDL). */
import { uniformSteering } from "@dechirp/stap";

/** Steering vectors of a direction and of its neighbours, one beamwidth apart; only its own if there are fewer than three channels. */
export const beamsAround = (channels: number, cycles: number): readonly Float64Array[] =>
  (channels < 3 ? [0] : [-1, 0, 1]).map((beam) => uniformSteering(channels, cycles + beam / channels));
