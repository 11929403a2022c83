/** The table of the studio's tasks. To add a task, write its body and add a row. */
import type { Task } from "./task.ts";

export const tasks: readonly Task[] = [
  {
    id: "adaptive",
    title: "Adaptive processing",
    summary:
      "A target in clutter and jamming: space-time adaptive processing of Ward's scenario or of a file, with and without adaptive filters.",
    guide: "stap",
    load: () => import("./adaptive/task.tsx").then(({ adaptive }) => adaptive),
  },
  {
    id: "realtime",
    title: "Real time",
    summary: "Task sets that share a device: response-time bounds, and a simulated schedule against them.",
    guide: "real-time",
    load: () => import("./realtime/task.tsx").then(({ realtime }) => realtime),
  },
];
