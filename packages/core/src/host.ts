/**
 * The types of the host that declarations of all packages name, so that they compile by the language's own library (`lib: ["es2022"]`) alone,
 * in a page or in Node. No code. Every declaration reaches this file through device.ts or abort.ts.
 */
/// <reference lib="esnext.disposable" preserve="true" />

declare global {
  // The host's: of the DOM library or Node's types where a program has them, and merged with them. A program without either makes none.
  // No docstring: the DOM library has one, and the reference of the API would not know which to print.
  interface AbortSignal {}
}

export {};
