/**
 * A user's program that only imports: every packed package, each in a worker of its own. The import must not change any global, and the
 * worker must end by itself.
 */
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

/**
 * Every own property of the globals that all code shares, by identity. All are read first, as some of the host's properties change on
 * first read.
 */
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
      throw new Error(`${name} prevents the program that imports it from ending`);
    }, 30_000);
    const said = [];
    worker.on("message", (message) => said.push(message));
    await new Promise((resolve, reject) => worker.on("exit", resolve).on("error", reject));
    clearTimeout(late);
    if (said.length !== 1 || said[0].length > 0) throw new Error(`${name} has side effects when imported: ${said.flat().join(", ")}`);
  }
} else {
  await import("node:os"); // imported before, as its effects are not the package's
  const before = globals();
  const handles = process.getActiveResourcesInfo().join();
  await import(workerData);
  const changed = [...globals()].filter(([name, value]) => !before.has(name) || !Object.is(before.get(name), value)).map(([name]) => name);
  const now = process.getActiveResourcesInfo().join();
  parentPort.postMessage([...changed, ...(now === handles ? [] : [`resources ${now}, before ${handles}`])]);
}
