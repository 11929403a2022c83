/** Makes the image of the test page, part by part. */
import { expose } from "comlink";
import { remoteStore } from "../../src/image/remote-store.ts";
import "../../src/work/wire.ts";
import { pixelsOf, type SceneSize } from "./scene.ts";

const api = {
  async make(
    { rows, columns, part, pause, stop }: SceneSize & { readonly part: number; readonly pause: number; readonly stop: number },
    port: MessagePort,
  ): Promise<void> {
    const store = remoteStore(port);
    const released =
      stop > 0 && new Promise((resolve) => new BroadcastChannel("go-on").addEventListener("message", resolve, { once: true }));
    for (let row = 0; row < rows; row += part) {
      if (stop > 0 && row >= stop) await released;
      const count = Math.min(part, rows - row);
      await store.write({ row, column: 0, rows: count, columns }, pixelsOf(row, 0, count, columns));
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    }
  },
};

export type SceneApi = typeof api;

expose(api);
