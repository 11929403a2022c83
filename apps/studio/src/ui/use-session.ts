/** A worker that lives as long as the component that uses it. */
import { useEffect, useMemo } from "preact/hooks";
import { openSession, type WorkerSession } from "../work/worker-session.ts";

/** Starts the worker with the component, and ends it with it. */
export function useSession<Api>(start: () => Worker): WorkerSession<Api> {
  const session = useMemo(() => openSession<Api>(start()), []);
  useEffect(() => () => session.close(), [session]);
  return session;
}
