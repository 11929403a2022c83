/**
 * Types of the host that the packages' declarations use. They let the declarations compile with the language's own library alone (`lib:
 * ["es2022"]`), for pages and for Node. There is no code here. All declarations reach this file through device.ts or abort.ts.
 */
/// <reference lib="esnext.disposable" preserve="true" />

declare global {
  // It merges with the `AbortSignal` of the DOM library or of Node's types if a program has one of them. It has no docstring because the
  // DOM library has one, and the API reference would have two to choose from.
  interface AbortSignal {}
}

export {};
