/** WebGPU's bit flags by name: globals of that name exist in browsers, not in Node. */
export const usage = { mapRead: 1, mapWrite: 2, copySource: 4, copyTarget: 8, uniform: 64, storage: 128, queryResolve: 512 } as const;
export const mapMode = { read: 1, write: 2 } as const;
export const computeStage = 4;
