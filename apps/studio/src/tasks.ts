/** The table of the studio's tasks. To add a task, write its body and add a row. */
import type { Task } from "./task.ts";

export const tasks: readonly Task[] = [
  {
    id: "focus",
    title: "Focus",
    summary: "From a radar's echoes to an image: simulated, or a recording of your own, which stays in this page.",
    guide: "range-doppler",
    load: () => import("./focus/task.tsx").then(({ focus }) => focus),
  },
  {
    id: "realtime",
    title: "Real time",
    summary: "Task sets that share a device: response-time bounds, and a simulated schedule against them.",
    guide: "real-time",
    load: () => import("./realtime/task.tsx").then(({ realtime }) => realtime),
  },
];
