/** WebGPU's bit flags. Browsers have globals for them, but Node has not. */
export const usage = { mapRead: 1, mapWrite: 2, copySource: 4, copyTarget: 8, uniform: 64, storage: 128, queryResolve: 512 } as const;
/** Flags of `mapAsync`. */
export const mapMode = { read: 1, write: 2 } as const;
/** The flag of compute shaders in `visibility`. */
export const computeStage = 4;
