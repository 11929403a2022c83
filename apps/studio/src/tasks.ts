/** The table of the studio's tasks. To add a task, write its body and add a row. */
import type { Task } from "./task.ts";

export const tasks: readonly Task[] = [
  {
    id: "focus",
    title: "Focus",
    summary: "From a radar's echoes to an image: simulated, or a recording of your own, which stays in this page.",
    guide: "range-doppler",
    computed: "Images are",
    load: () => import("./focus/task.tsx").then(({ focus }) => focus),
  },
  {
    id: "backprojection",
    title: "Backprojection",
    summary: "Drag the aperture and the window: the image, its speed and its error against the exact sum follow.",
    guide: "backprojection",
    computed: "Images are",
    load: () => import("./backprojection/task.tsx").then(({ backprojection }) => backprojection),
  },
  {
    id: "adaptive",
    title: "Adaptive processing",
    summary:
      "A target in clutter and jamming: space-time adaptive processing of Ward's scenario or of a file, with and without adaptive filters.",
    guide: "stap",
    computed: "Filters and detections are",
    load: () => import("./adaptive/task.tsx").then(({ adaptive }) => adaptive),
  },
  {
    id: "transforms",
    title: "Transforms",
    summary: "Rate, share of a copy's rate and error of any transform on this machine, with a hook that you edit.",
    guide: "fft",
    computed: "Transforms are",
    load: () => import("./transforms/task.tsx").then(({ transforms }) => transforms),
  },
  {
    id: "realtime",
    title: "Real time",
    summary: "Task sets that share a device: response-time bounds, and a simulated schedule against them.",
    guide: "real-time",
    load: () => import("./realtime/task.tsx").then(({ realtime }) => realtime),
  },
];
