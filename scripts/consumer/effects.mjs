/**
 * A user's program that only imports: every packed package, each in a worker of its own. No global may be changed, and nothing may
 * keep the worker: it has to end by itself.
 */
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

/** Every own property of what all code shares, by identity. Some of the host's become what they are when first read. */
function globals() {
  for (const key of Reflect.ownKeys(globalThis)) Reflect.get(globalThis, key);
  const shared = { globalThis, Array, Map, Math, Object, Promise, Set, String, Symbol, process };
  const entries = Object.entries(shared).flatMap(([name, object]) =>
    [object, ...(object.prototype ? [object.prototype] : [])].flatMap((owner, i) =>
      Reflect.ownKeys(owner).map((key) => {
        const { value, get } = Object.getOwnPropertyDescriptor(owner, key);
        return [`${name}${i === 1 ? ".prototype" : ""}.${String(key)}`, get ?? value];
      }),
    ),
  );
  return new Map(entries);
}

if (isMainThread) {
  for (const name of process.argv.slice(2)) {
    const worker = new Worker(new URL(import.meta.url), { workerData: name });
    const late = setTimeout(() => {
      throw new Error(`${name} keeps its importer from ending`);
    }, 30_000);
    const said = [];
    worker.on("message", (message) => said.push(message));
    await new Promise((resolve, reject) => worker.on("exit", resolve).on("error", reject));
    clearTimeout(late);
    if (said.length !== 1 || said[0].length > 0) throw new Error(`${name} changes when imported: ${said.flat().join(", ")}`);
  }
} else {
  await import("node:os"); // the import of a module is none of a package's effects
  const before = globals();
  const handles = process.getActiveResourcesInfo().join();
  await import(workerData);
  const changed = [...globals()].filter(([name, value]) => !before.has(name) || !Object.is(before.get(name), value)).map(([name]) => name);
  const now = process.getActiveResourcesInfo().join();
  parentPort.postMessage([...changed, ...(now === handles ? [] : [`resources ${now}, before ${handles}`])]);
}
