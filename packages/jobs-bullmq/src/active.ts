/** Messages that workers have taken, without those that can't be read: whoever can write to the server can put anything there. */
import type { Job, Queue } from "bullmq";

export async function activeMessages(queue: Queue): Promise<readonly Job[]> {
  try {
    return await queue.getActive();
  } catch (error) {
    // BullMQ refuses all for one whose data is no JSON.
    if (!(error instanceof SyntaxError)) throw error;
    const found = await Promise.all((await queue.getRanges(["active"])).map((id) => queue.getJob(id).catch(() => undefined)));
    return found.filter((one) => one !== undefined);
  }
}
