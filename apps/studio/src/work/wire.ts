/**
 * What pages and workers need to talk through Comlink besides plain data: abort signals, and errors that keep their code and fields. Both sides
 * import this file.
 */
import { isRadarError, messageOf, RadarError } from "@dechirp/core";
import { transferHandlers } from "comlink";

/** A signal travels as a port, over which it fires. */
transferHandlers.set("abort-signal", {
  canHandle: (value): value is AbortSignal => value instanceof AbortSignal,
  serialize(signal: AbortSignal) {
    const { port1, port2 } = new MessageChannel();
    const fire = (): void => port1.postMessage("aborted");
    if (signal.aborted) fire();
    else signal.addEventListener("abort", fire, { once: true });
    return [port2, [port2]];
  },
  deserialize(port: MessagePort) {
    const controller = new AbortController();
    port.onmessage = () => {
      controller.abort();
      port.close();
    };
    return controller.signal;
  },
});

/** A thrown value as plain data. */
interface Thrown {
  readonly message: string;
  readonly code?: RadarError["code"];
  readonly fields?: RadarError["fields"];
  readonly stack?: string | undefined;
}

/** Fields that may travel. Values that are not plain data are left out. */
function plainFields(fields: RadarError["fields"]): RadarError["fields"] {
  try {
    return JSON.parse(JSON.stringify(fields));
  } catch {
    return {};
  }
}

/** Comlink's handler of thrown values would drop everything but the message. Comlink wraps thrown values as `{ value }`. */
const comlinkThrows = transferHandlers.get("throw")!;
transferHandlers.set("throw", {
  canHandle: comlinkThrows.canHandle,
  serialize({ value: error }: { value: unknown }) {
    const thrown: Thrown = isRadarError(error)
      ? { message: error.message, code: error.code, fields: plainFields(error.fields) }
      : { message: messageOf(error), stack: error instanceof Error ? error.stack : undefined };
    return [thrown, []];
  },
  deserialize({ message, code, fields, stack }: Thrown) {
    if (code) throw new RadarError(code, message, fields);
    throw Object.assign(new Error(message), { stack });
  },
});
