/** A worker that keeps images and draws their tiles, so that the page gets tiles at once while other workers compute. */
import { expose } from "comlink";
import "../work/wire.ts";
import { imageHost } from "./host.ts";

const api = imageHost();

/** What the worker can do. */
export type ImageWorkerApi = typeof api;

expose(api);
