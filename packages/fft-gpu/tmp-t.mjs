var __create = Object.create;
var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __getProtoOf = Object.getPrototypeOf;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __knownSymbol = (name, symbol) => (symbol = Symbol[name]) ? symbol : /* @__PURE__ */ Symbol.for("Symbol." + name);
var __typeError = (msg) => {
  throw TypeError(msg);
};
var __esm = (fn, res, err) => function __init() {
  if (err) throw err[0];
  try {
    return fn && (res = (0, fn[__getOwnPropNames(fn)[0]])(fn = 0)), res;
  } catch (e) {
    throw err = [e], e;
  }
};
var __commonJS = (cb, mod2) => function __require() {
  try {
    return mod2 || (0, cb[__getOwnPropNames(cb)[0]])((mod2 = { exports: {} }).exports, mod2), mod2.exports;
  } catch (e) {
    throw mod2 = 0, e;
  }
};
var __export = (target, all) => {
  for (var name in all)
    __defProp(target, name, { get: all[name], enumerable: true });
};
var __copyProps = (to, from, except, desc) => {
  if (from && typeof from === "object" || typeof from === "function") {
    for (let key of __getOwnPropNames(from))
      if (!__hasOwnProp.call(to, key) && key !== except)
        __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
  }
  return to;
};
var __toESM = (mod2, isNodeMode, target) => (target = mod2 != null ? __create(__getProtoOf(mod2)) : {}, __copyProps(
  // If the importer is in node compatibility mode or this is not an ESM
  // file that has been converted to a CommonJS file using a Babel-
  // compatible transform (i.e. "__esModule" has not been set), then set
  // "default" to the CommonJS "module.exports" for node compatibility.
  isNodeMode || !mod2 || !mod2.__esModule ? __defProp(target, "default", { value: mod2, enumerable: true }) : target,
  mod2
));
var __using = (stack, value2, async) => {
  if (value2 != null) {
    if (typeof value2 !== "object" && typeof value2 !== "function") __typeError("Object expected");
    var dispose, inner2;
    if (async) dispose = value2[__knownSymbol("asyncDispose")];
    if (dispose === void 0) {
      dispose = value2[__knownSymbol("dispose")];
      if (async) inner2 = dispose;
    }
    if (typeof dispose !== "function") __typeError("Object not disposable");
    if (inner2) dispose = function() {
      try {
        inner2.call(this);
      } catch (e) {
        return Promise.reject(e);
      }
    };
    stack.push([async, dispose, value2]);
  } else if (async) {
    stack.push([async]);
  }
  return value2;
};
var __callDispose = (stack, error, hasError) => {
  var E = typeof SuppressedError === "function" ? SuppressedError : function(e, s, m, _3) {
    return _3 = Error(m), _3.name = "SuppressedError", _3.error = e, _3.suppressed = s, _3;
  };
  var fail3 = (e) => error = hasError ? new E(e, error, "An error was suppressed during disposal") : (hasError = true, e);
  var next = (it) => {
    while (it = stack.pop()) {
      try {
        var result = it[1] && it[1].call(it[2]);
        if (it[0]) return Promise.resolve(result).then(next, (e) => (fail3(e), next()));
      } catch (e) {
        fail3(e);
      }
    }
    if (hasError) throw error;
  };
  return next();
};

// ../core/src/errors.ts
function isRadarError(error, code2) {
  try {
    const { [brand]: known3, code: actual } = error;
    return known3 === true && (code2 === void 0 || actual === code2);
  } catch {
    return false;
  }
}
function messageOf(error) {
  try {
    const said = typeof error === "string" ? error : error.message;
    if (typeof said === "string" && said !== "") return oneLine(said);
  } catch {
  }
  return describe(error);
}
function inputError(field, expected, actual, cause) {
  return fieldError("input", field, expected, actual, cause);
}
function layoutError(field, expected, actual) {
  return fieldError("layout", field, expected, actual);
}
function fieldError(code2, field, expected, actual, cause) {
  const found = actual === void 0 ? "; there is none" : `, not ${describe(actual)}`;
  return new RadarError(code2, `${field} must be ${expected}${found}`, { field, expected, actual }, cause);
}
function describe(value2) {
  try {
    return text(value2, 2);
  } catch {
    return `a value of type ${typeof value2}`;
  }
}
function text(value2, depth) {
  if (typeof value2 === "string") return JSON.stringify(shortened(value2));
  if (Array.isArray(value2) && depth === 0) return "[...]";
  if (Array.isArray(value2))
    return `[${value2.slice(0, 8).map((v) => text(v, depth - 1)).join(", ")}${value2.length > 8 ? ", ..." : ""}]`;
  if (ArrayBuffer.isView(value2)) return `${value2.constructor.name}(${value2.length ?? value2.byteLength})`;
  if (typeof value2 === "object" && value2 !== null) {
    const name = value2.constructor?.name;
    return typeof name === "string" && name !== "" ? shortened(name) : "an object";
  }
  if (typeof value2 === "function") return `function ${value2.name}`.trim();
  return String(value2);
}
function throwIfAborted(signal, what) {
  if (signal?.aborted) throw new RadarError("aborted", `${what} was aborted`, { what }, signal.reason);
}
var brand, RadarError, asRadarError, oneLine, shortened;
var init_errors = __esm({
  "../core/src/errors.ts"() {
    "use strict";
    brand = /* @__PURE__ */ Symbol.for("dechirp.RadarError");
    RadarError = class extends Error {
      code;
      fields;
      [brand] = true;
      constructor(code2, message, fields3 = {}, cause) {
        super(message, cause === void 0 ? void 0 : { cause });
        this.name = "RadarError";
        this.code = code2;
        this.fields = fields3;
      }
    };
    asRadarError = (error, what, code2 = "failed", fields3 = { what }) => isRadarError(error) ? error : new RadarError(code2, `${what} failed: ${messageOf(error)}`, fields3, error);
    oneLine = (message) => message.trim().replace(/\s+/g, " ").replace(/[\p{Cc}\p{Bidi_C}]/gu, "?");
    shortened = (name) => name.length > 60 ? `${name.slice(0, 57)}...` : name;
  }
});

// ../core/src/fields.ts
function hasMethod(value2, name) {
  try {
    return typeof value2?.[name] === "function";
  } catch {
    return false;
  }
}
function checkDevice(device) {
  if (!hasMethod(device, "plan")) throw fieldError("layout", "device", "a device, as open() returns", device);
}
function checkObject(value2, field, code2 = "layout") {
  try {
    if (typeof value2 === "object" && value2 !== null && !Array.isArray(value2)) return Object.entries(value2);
  } catch {
  }
  throw fieldError(code2, field, "an object", value2);
}
function checkNames(value2, known3, kind, field, code2 = "layout", path = `${field}.`, where = "") {
  for (const [name, given] of checkObject(value2, field, code2)) {
    if (given === void 0 || Object.hasOwn(known3, name)) continue;
    const expected = Object.keys(known3).join(", ");
    throw new RadarError(code2, `there is no ${kind} ${name}${where}; the ${kind}s are ${expected}`, { field: `${path}${name}`, expected });
  }
}
function checkFields(value2, fields3, what, code2 = "input", path = "") {
  checkNames(value2, fields3, "field", what, code2, path, ` in ${what}`);
  for (const [name, given] of Object.entries(value2)) {
    const type2 = fields3[name];
    if (given !== void 0 && type2 !== true && (given === null || typeof given !== type2))
      throw fieldError(code2, `${path}${name}`, `of type ${type2}`, given);
  }
}
var init_fields = __esm({
  "../core/src/fields.ts"() {
    "use strict";
    init_errors();
  }
});

// ../core/src/layout.ts
function layout(dtype, shape) {
  checkLayout({ dtype, shape }, "layout");
  return { dtype, shape: [...shape] };
}
function checkLayout(value2, field) {
  const fail3 = (what, expected, actual) => {
    throw layoutError(what, expected, actual);
  };
  if (typeof value2 !== "object" || value2 === null) fail3(field, "a layout", value2);
  if (!isKeyOf(dtypes, value2.dtype)) fail3(`${field}.dtype`, `one of ${Object.keys(dtypes).join(", ")}`, value2.dtype);
  if (!Array.isArray(value2.shape) || value2.shape.length === 0) fail3(`${field}.shape`, "a list of at least one axis", value2.shape);
  for (const [axis, extent] of value2.shape.entries())
    if (!isWhole(extent, 1)) fail3(`${field}.shape[${axis}]`, "a positive integer", extent);
  if (elementCount(value2) > maxElements) fail3(`${field}.shape`, `at most ${maxElements} elements`, value2.shape);
}
function isArrayOf(value2, ...types) {
  try {
    const array = value2;
    array.at(0);
    return ArrayBuffer.isView(value2) && types.some(({ name }) => name === array[Symbol.toStringTag]);
  } catch {
    return false;
  }
}
function wholesOf(value2, least, most2) {
  try {
    const list = Array.isArray(value2) ? Array.from(value2) : void 0;
    return list?.every((item) => isWhole(item, least, most2)) ? list : void 0;
  } catch {
    return void 0;
  }
}
function typedArray(dtype, length) {
  return new dtypes[dtype].array(length);
}
var dtypes, maxElements, isKeyOf, isWhole, elementCount, scalarCount, byteLength, isComplex, sameLayout, formatLayout, withAxis, realOf, complexOf;
var init_layout = __esm({
  "../core/src/layout.ts"() {
    "use strict";
    init_errors();
    dtypes = {
      f32: { bytes: 4, components: 1, float: true, array: Float32Array },
      f64: { bytes: 8, components: 1, float: true, array: Float64Array },
      c64: { bytes: 8, components: 2, float: true, array: Float32Array },
      c128: { bytes: 16, components: 2, float: true, array: Float64Array },
      i8: { bytes: 1, components: 1, float: false, array: Int8Array },
      i16: { bytes: 2, components: 1, float: false, array: Int16Array },
      u8: { bytes: 1, components: 1, float: false, array: Uint8Array },
      u32: { bytes: 4, components: 1, float: false, array: Uint32Array },
      ci8: { bytes: 2, components: 2, float: false, array: Int8Array },
      ci16: { bytes: 4, components: 2, float: false, array: Int16Array },
      cf16: { bytes: 4, components: 2, float: true, array: Uint16Array }
    };
    maxElements = 2 ** 32;
    isKeyOf = (table, key) => typeof key === "string" && Object.hasOwn(table, key);
    isWhole = (value2, least, most2 = Number.POSITIVE_INFINITY) => Number.isInteger(value2) && value2 >= least && value2 <= most2;
    elementCount = (l) => l.shape.reduce((product3, extent) => product3 * extent, 1);
    scalarCount = (l) => elementCount(l) * dtypes[l.dtype].components;
    byteLength = (l) => elementCount(l) * dtypes[l.dtype].bytes;
    isComplex = (dtype) => dtypes[dtype].components === 2;
    sameLayout = (a2, b2) => a2.dtype === b2.dtype && a2.shape.length === b2.shape.length && a2.shape.every((extent, i) => extent === b2.shape[i]);
    formatLayout = (l) => `${l.dtype}[${l.shape.join(", ")}]`;
    withAxis = (l, axis, extent) => ({
      dtype: l.dtype,
      shape: l.shape.map((e, i) => i === axis ? extent : e)
    });
    realOf = (dtype) => dtype === "c64" ? "f32" : "f64";
    complexOf = (dtype) => dtype === "f32" ? "c64" : "c128";
  }
});

// ../core/src/abort.ts
function onAbort(signal, call) {
  if (!signal) return () => {
  };
  if (!hasMethod(signal, "addEventListener")) throw inputError("signal", "an AbortSignal", signal);
  const { calls, listener } = waitingFor.get(signal) ?? listen(signal);
  const own = () => call();
  calls.add(own);
  return () => {
    if (!calls.delete(own) || calls.size > 0) return;
    signal.removeEventListener("abort", listener);
    if (waitingFor.get(signal)?.calls === calls) waitingFor.delete(signal);
  };
}
function listen(signal) {
  const calls = /* @__PURE__ */ new Set();
  const listener = () => {
    waitingFor.delete(signal);
    for (const call of calls) {
      calls.delete(call);
      call();
    }
  };
  signal.addEventListener("abort", listener, { once: true });
  const waiting = { calls, listener };
  waitingFor.set(signal, waiting);
  return waiting;
}
var waitingFor;
var init_abort = __esm({
  "../core/src/abort.ts"() {
    "use strict";
    init_errors();
    init_fields();
    waitingFor = /* @__PURE__ */ new WeakMap();
  }
});

// ../core/src/listener.ts
async function callListener(call, name, signal, what) {
  let unregister = () => {
  };
  try {
    throwIfAborted(signal, what);
    const returned = call();
    if (isPromise(returned)) Promise.resolve(returned).catch(() => {
    });
    throwIfAborted(signal, what);
    if (isPromise(returned)) {
      const aborted = new Promise((resolve) => {
        unregister = onAbort(signal, resolve);
      });
      await Promise.race([returned, aborted]);
    }
    throwIfAborted(signal, what);
  } catch (error) {
    throw asRadarError(error, name);
  } finally {
    unregister();
  }
}
function requireSynchronous(value2, what) {
  if (!isPromise(value2)) return value2;
  Promise.resolve(value2).catch(() => {
  });
  throw new RadarError("failed", `${what} returned a promise`, { what });
}
var isPromise;
var init_listener = __esm({
  "../core/src/listener.ts"() {
    "use strict";
    init_abort();
    init_errors();
    isPromise = (value2) => typeof value2?.then === "function";
  }
});

// ../core/src/ops/row.ts
function fail(field, expected, actual) {
  throw layoutError(field, expected, actual);
}
var read, inOut, step;
var init_row = __esm({
  "../core/src/ops/row.ts"() {
    "use strict";
    init_errors();
    read = (layout2) => ({ access: "read", layout: layout2 });
    inOut = (input, output, more = {}) => ({
      in: read(input),
      ...more,
      out: { access: "write", layout: output }
    });
    step = (name, op3, bind) => ({
      name,
      op: op3,
      bind
    });
  }
});

// ../core/src/hooks.ts
function referenceOf(hook) {
  if (!hook.reference) throw layoutError("reference", "a function, or an expression that has been planned", void 0);
  return hook.reference.bind(hook);
}
function checkNamed({ name, uniforms = {} }, path) {
  const fail3 = (field, expected, actual) => {
    throw layoutError(`${path}${field}`, expected, actual);
  };
  if (typeof name !== "string") fail3("name", "a string", name);
  for (const [uniform, type2] of Object.entries(uniforms)) {
    if (!["f32", "i32", "u32"].includes(type2)) fail3(`uniforms.${uniform}`, "f32, i32 or u32", type2);
  }
}
var init_hooks = __esm({
  "../core/src/hooks.ts"() {
    "use strict";
    init_errors();
  }
});

// ../core/src/ops/map.ts
function mapTo(name, sources, out, nodes) {
  const { dtype, shape } = out;
  const all = [...shape.map((_3, axis) => ["index", axis]), ...nodes(shape.length)];
  return { op: "map", name, shape, sources, outputs: { out: dtype }, expression: { nodes: all, results: [all.length - 1] } };
}
function mapOfHook(end, hook, expression, layout2) {
  const { name, uniforms, sources, tuned: tuned2 } = hook;
  const { dtype, shape } = layout2;
  const shared = { op: "map", name: `${end}:${name}`, shape, ...uniforms && { uniforms } };
  if (end === "load")
    return { ...shared, sources, outputs: { out: dtype }, expression, ...tuned2?.wgsl !== void 0 && { tuned: { wgsl: tuned2.wgsl } } };
  const own = ownPlaces(shape.length);
  const result = ["load", "result", ...own];
  const isReal = dtypes[dtype].components === 1;
  const before = [...own.map((axis) => ["index", axis]), ...isReal ? [result, ["real", 0]] : []];
  const value2 = isReal ? ["complex", own.length, own.length + 1] : result;
  const nodes = moved(expression.nodes, before.length).map((node2) => node2[0] === "value" ? value2 : node2);
  return {
    ...shared,
    sources: { ...sources, result: layout2 },
    outputs: { out: hook.dtype },
    expression: { nodes: [...before, ...nodes], results: expression.results.map((place2) => place2 + before.length) }
  };
}
var mapRow, mapLowering, outputLayout, moved, ownPlaces;
var init_map = __esm({
  "../core/src/ops/map.ts"() {
    "use strict";
    init_hooks();
    init_layout();
    init_row();
    mapRow = {
      fields: {
        op: true,
        name: true,
        shape: true,
        sources: "object",
        outputs: "object",
        uniforms: "object",
        expression: "object",
        tuned: "object"
      },
      check(op3) {
        checkNamed(op3, "");
        const { sources = fail("sources", "named layouts", void 0), outputs = {}, expression, shape } = op3;
        checkLayout({ dtype: "f32", shape }, "map");
        for (const [name, source] of Object.entries(sources)) checkLayout(source, `sources.${name}`);
        for (const [name, dtype] of Object.entries(outputs)) {
          if (Object.hasOwn(sources, name)) fail(`outputs.${name}`, "a free port name", name);
          if (!isKeyOf(dtypes, dtype)) fail(`outputs.${name}`, "an element type", dtype);
        }
        const count2 = Object.keys(outputs).length;
        if (expression?.results?.length !== count2) fail("expression.results", `a list of ${count2}`, expression?.results);
      },
      ports: ({ sources, outputs, shape }) => Object.fromEntries([
        ...Object.entries(sources).map(([name, source]) => [name, read(source)]),
        ...Object.entries(outputs).map(([name, dtype]) => [name, { access: "write", layout: { dtype, shape } }])
      ]),
      uniforms: (op3) => op3.uniforms ?? {},
      text: ({ name, shape }) => `map ${name} [${shape.join(", ")}]`,
      flops: ({ expression, shape }) => expression.nodes.length * elementCount({ dtype: "f32", shape }),
      // Every element of `in` that is read is the own one.
      canOverwrite: ({ expression: { nodes } }) => nodes.every(([, name, ...places2]) => name !== "in" || places2.every((place2, axis) => `${nodes[place2]}` === `index,${axis}`))
    };
    mapLowering = () => void 0;
    outputLayout = ({ outputs, shape }) => ({ dtype: outputs["out"], shape });
    moved = (nodes, by) => nodes.map((node2) => {
      const [operator, first2, ...rest] = node2;
      const places2 = (list) => list.map((place2) => place2 + by);
      if (["real", "i32", "u32", "bool", "index", "uniform", "value", "term"].includes(operator)) return node2;
      if (operator === "sum") return ["sum", first2, rest[0] + by, rest[1] + by, rest[2]];
      if (operator === "taps") return [operator, first2, ...rest.slice(0, 2), ...places2(rest.slice(2))];
      if (operator === "load" || operator === "inside") return [operator, first2, ...places2(rest)];
      return [operator, ...places2([first2, ...rest])];
    });
    ownPlaces = (rank) => Array.from({ length: rank }, (_3, axis) => axis);
  }
});

// ../core/src/ops/convert.ts
function convertMap({ layout: layout2, to, scale = 1 }) {
  return mapTo(`convert ${to}`, { in: layout2 }, { dtype: to, shape: layout2.shape }, (r) => {
    const nodes = [["load", "in", ...ownPlaces(r)]];
    if (scale === 1) return nodes;
    if (layout2.dtype === "u32") nodes.push(["real-of", r]);
    for (const factor of factorsOf(scale)) {
      const value2 = r + nodes.length - 1;
      nodes.push(["real", factor], ["mul", value2, value2 + 1]);
    }
    return nodes;
  });
}
function factorsOf(scale) {
  const size = Math.abs(scale);
  const power = size >= 2 ** 127 ? 2 ** 100 : size < 2 ** -100 && size > 0 ? 2 ** -100 : 1;
  return power === 1 ? [scale] : [power, ...factorsOf(scale / power)];
}
var convertRow, convertLowering;
var init_convert = __esm({
  "../core/src/ops/convert.ts"() {
    "use strict";
    init_layout();
    init_map();
    init_row();
    convertRow = {
      fields: { op: true, layout: true, to: true, scale: true },
      check({ layout: { dtype }, to, scale }) {
        if (!isKeyOf(dtypes, to)) fail("to", "an element type", to);
        if (isComplex(dtype) !== isComplex(to)) fail("to", isComplex(dtype) ? "complex" : "real", to);
        if (scale !== void 0 && !Number.isFinite(scale)) fail("scale", "a finite number", scale);
      },
      ports: (op3) => inOut(op3.layout, { dtype: op3.to, shape: op3.layout.shape }),
      text: (op3) => `convert ${formatLayout(op3.layout)} to=${op3.to}`,
      flops: (op3) => elementCount(op3.layout) * dtypes[op3.layout.dtype].components
    };
    convertLowering = (op3) => [step("convert", convertMap(op3), { in: "in", out: "out" })];
  }
});

// ../core/src/kernels.ts
function axisView(layout2, axis) {
  const product3 = (from, to) => layout2.shape.slice(from, to).reduce((a2, b2) => a2 * b2, 1);
  return { outers: product3(0, axis), extent: layout2.shape[axis], inners: product3(axis + 1, layout2.shape.length) };
}
function unravel(index, shape, at) {
  let rest = index;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    at[axis] = rest % shape[axis];
    rest = Math.floor(rest / shape[axis]);
  }
}
var init_kernels = __esm({
  "../core/src/kernels.ts"() {
    "use strict";
  }
});

// ../core/src/wgsl.ts
function wgslFloat(value2) {
  const text3 = String(Math.fround(value2));
  return /[.e]/.test(text3) ? text3 : `${text3}.0`;
}
function wgslIndex(flat, shape) {
  let stride = 1;
  const parts = new Array(shape.length);
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const whole2 = stride === 1 ? flat : `(${flat}) / ${stride}u`;
    parts[axis] = axis === 0 ? whole2 : `(${whole2}) % ${shape[axis]}u`;
    stride *= shape[axis];
  }
  return `array<u32, ${shape.length}>(${parts.join(", ")})`;
}
var wgslStored, wgslLoaded;
var init_wgsl = __esm({
  "../core/src/wgsl.ts"() {
    "use strict";
    init_layout();
    wgslStored = (dtype, value2) => isComplex(dtype) ? value2 : dtype === "u32" ? `round_u32(${value2}.x)` : `${value2}.x`;
    wgslLoaded = (dtype, value2) => isComplex(dtype) ? value2 : dtype === "u32" ? `vec2f(nearest_f32(${value2}), 0.0)` : `vec2f(${value2}, 0.0)`;
  }
});

// ../core/src/ops/transform.ts
function transformRow(spec) {
  const length = (op3) => spec.length(op3);
  const layout2 = (op3) => spec.layout(op3, length(op3));
  const row = {
    fields: { ...fieldsOfTransforms, ...spec.fields },
    check(op3) {
      checkAxis(op3, spec.inputs(op3));
      spec.check(op3);
      const n = length(op3);
      if (!isWhole(n, 1)) fail("n", "a positive integer", op3.n);
      checkLength(n, maxTransformLength);
      const full = layout2(op3);
      checkLayout(full, "transformed layout");
      checkKeep(op3, full);
      if (op3.cornerTurn && op3.layout.shape.length < 2) fail("layout.shape", "of at least two axes for a corner turn", op3.layout.shape);
      const { load: load4, store: store2, h } = hooksOf(op3);
      const taken2 = { sources: new Set(reservedPorts), uniforms: /* @__PURE__ */ new Set() };
      if (load4) checkHook(load4, "load", op3.layout, taken2);
      if (store2) {
        checkHook(store2, "store", keptLayout(row, op3), taken2);
        if (!isKeyOf(dtypes, store2.dtype)) fail("store.dtype", "an element type", store2.dtype);
      }
      if (h) checkHook(h, "h", withAxis(op3.layout, op3.axis, n), taken2);
    },
    ports(op3) {
      const result = keptLayout(row, op3);
      const stored = op3.store ? { dtype: op3.store.dtype, shape: result.shape } : result;
      return {
        ...op3.load ? sourcePorts(op3.load) : { in: read(op3.layout) },
        ...spec.ports?.(op3, length(op3)),
        ...op3.store && sourcePorts(op3.store),
        out: { access: "write", layout: op3.cornerTurn ? cornerTurnedLayout(stored) : stored }
      };
    },
    uniforms: (op3) => ({ ...op3.load?.uniforms, ...filterHookOf(op3)?.uniforms, ...op3.store?.uniforms }),
    text(op3) {
      const words4 = [op3.op, formatLayout(op3.layout), `axis=${op3.axis}`, `n=${length(op3)}`, ...spec.words(op3)];
      if (op3.keep) words4.push(`keep=${op3.keep.join("+")}`);
      if (op3.cornerTurn) words4.push("corner-turn");
      return `${words4.join(" ")}${hooksText(op3)}`;
    },
    flops: (op3) => elementCount(op3.layout) / extentOf(op3) * spec.flopsOfLine(op3, length(op3)),
    transform: { length, layout: layout2 }
  };
  return row;
}
function keptLayout({ transform }, op3) {
  const full = transform.layout(op3);
  return op3.keep ? withAxis(full, op3.axis, op3.keep[1]) : full;
}
function filterLayout(layout2, axis, n, h) {
  return h === "line" ? { dtype: layout2.dtype, shape: [n] } : withAxis(layout2, axis, n);
}
function checkAxis({ axis, layout: layout2 }, types) {
  if (!types.includes(layout2.dtype)) fail("layout.dtype", types.join(" or "), layout2.dtype);
  const last = layout2.shape.length - 1;
  if (!isWhole(axis, 0, last)) fail("axis", `an integer from 0 to ${last}`, axis);
}
function checkLength(n, most2, whose = "") {
  if (n > most2) throw new RadarError("limit", `n may be at most ${most2}${whose}, not ${n}`, { field: "n", limit: most2, actual: n });
}
function checkKeep({ keep, axis }, full) {
  if (keep === void 0) return;
  const outputs = full.shape[axis];
  const [start, count2, ...more] = Array.isArray(keep) ? keep : [];
  if (!isWhole(start, 0) || !isWhole(count2, 1, outputs - start) || more.length > 0)
    fail("keep", `[start, count], whole numbers within the ${outputs} outputs`, keep);
}
function checkHook(hook, field, { shape }, { sources, uniforms }) {
  checkFields(hook, fieldsOf(field), `the ${field} of an op`, "layout", `${field}.`);
  checkNamed(hook, `${field}.`);
  checkForms(hook, field);
  if (hook.shape && `${hook.shape}` !== `${shape}`) fail(`${field}.shape`, `[${shape.join(", ")}]`, hook.shape);
  for (const [name, source] of Object.entries(hook.sources ?? fail(`${field}.sources`, "named layouts", hook.sources))) {
    if (sources.has(name)) fail(`${field}.sources.${name}`, "a free port name", name);
    sources.add(name);
    checkLayout(source, `${field}.sources.${name}`);
  }
  for (const name of Object.keys(hook.uniforms ?? {})) {
    if (uniforms.has(name)) fail(`${field}.uniforms.${name}`, "a name that no other hook of the op uses", name);
    uniforms.add(name);
  }
}
function checkForms(hook, field) {
  const { expression, reference } = hook;
  for (const [name, given] of Object.entries(hook)) {
    const other = expression ? ["reference", "wgsl", "wgslPair", "wasm", "constants"] : ["tuned"];
    if (given && other.includes(name)) fail(`${field}.${name}`, `absent ${expression ? "beside" : "without"} an expression`, given);
  }
  if (!expression && !reference) fail(`${field}.reference`, "a function", reference);
}
function lowerTransform(row, op3, plain2) {
  if (op3.cornerTurn) return thenCornerTurn(row, op3);
  if (op3.load || op3.store) return withoutHooks(row, op3);
  return plain2(op3);
}
function cornerTurnStep(layout2, from, to) {
  const rank = layout2.shape.length;
  const permutation = Array.from({ length: rank }, (_3, axis) => axis < rank - 2 ? axis : 2 * rank - 3 - axis);
  return step("corner turn", { op: "transpose", layout: layout2, permutation }, { in: from, out: to });
}
function thenCornerTurn(row, { cornerTurn: _3, ...rest }) {
  const op3 = rest;
  const { out, ...ports } = row.ports(op3);
  return [
    step("transform", op3, { ...Object.fromEntries(Object.keys(ports).map((name) => [name, name])), out: "result" }),
    cornerTurnStep(out.layout, "result", "out")
  ];
}
function withoutHooks(row, op3) {
  const { load: load4, store: store2, ...hookless } = op3;
  const result = store2 ? "result" : "out";
  const steps = [];
  if (load4) steps.push(step(`load ${load4.name}`, hookStep("load", load4, op3.layout), { ...sameNames(load4.sources), out: "in" }));
  const h = filterHookOf(op3);
  steps.push(step("transform", hookless, { in: "in", ...h ? sameNames(h.sources) : "h" in op3 && { h: "h" }, out: result }));
  if (store2) {
    const kernel = hookStep("store", store2, keptLayout(row, op3));
    steps.push(step(`store ${store2.name}`, kernel, { ...sameNames(store2.sources), result: "result", out: "out" }));
  }
  return steps;
}
function hookKernel(end, hook, layout2) {
  const { shape } = layout2;
  const result = end === "store" ? { result: read(layout2) } : void 0;
  const dtype = "dtype" in hook ? hook.dtype : layout2.dtype;
  const { name, constants: constants2, uniforms } = hook;
  return {
    op: "kernel",
    name: `${end}:${name}`,
    ...constants2 && { constants: constants2 },
    ...uniforms && { uniforms },
    ports: { ...sourcePorts(hook), ...result, out: { access: "write", layout: { dtype, shape } } },
    items: elementCount(layout2),
    wgsl(_constants, _limits, toolkit) {
      const code2 = toolkit.hook(end, hook, shape.length);
      if (code2 === void 0) return void 0;
      const value2 = result ? `, ${wgslLoaded(layout2.dtype, "load_result(item)")}` : "";
      return toolkit.items(
        `let value = dechirp_${end}(${wgslIndex("item", shape)}${value2});
store_out(item, ${wgslStored(dtype, "value")});`,
        code2
      );
    },
    reference({ out, result: result2, ...sources }, uniforms2, start, end2) {
      const at = [];
      for (let e = start; e < end2; e++) {
        unravel(e, shape, at);
        const [re2, im2] = requireSynchronous(
          result2 ? referenceOf(hook)(at, [result2.re(e), result2.im(e)], sources, uniforms2) : referenceOf(hook)(at, sources, uniforms2),
          `${name}.reference`
        );
        out.set(e, re2, im2);
      }
    }
  };
}
var maxTransformLength, filterHookOf, hooksOf, reservedPorts, fieldsOfTransforms, fieldsOfHook, fieldsOf, extentOf, transformFlops, cornerTurnedLayout, hooksText, sourcePorts, checkInverse, checkFilter, sameNames, resizeMap, hookStep;
var init_transform = __esm({
  "../core/src/ops/transform.ts"() {
    "use strict";
    init_errors();
    init_fields();
    init_hooks();
    init_kernels();
    init_layout();
    init_listener();
    init_wgsl();
    init_map();
    init_row();
    maxTransformLength = 2 ** 26;
    filterHookOf = ({ h }) => typeof h === "object" ? h : void 0;
    hooksOf = (op3) => ({ load: op3.load, h: filterHookOf(op3), store: op3.store });
    reservedPorts = /* @__PURE__ */ new Set(["in", "h", "out", "result"]);
    fieldsOfTransforms = {
      op: true,
      layout: true,
      axis: true,
      n: true,
      keep: true,
      cornerTurn: "boolean",
      load: "object",
      store: "object"
    };
    fieldsOfHook = {
      name: true,
      constants: "object",
      uniforms: "object",
      sources: "object",
      shape: true,
      wgsl: "function",
      wasm: "object",
      reference: "function",
      expression: "object",
      tuned: "object"
    };
    fieldsOf = (field) => ({ ...fieldsOfHook, ...field === "store" ? { dtype: true } : { wgslPair: "object" } });
    extentOf = ({ layout: layout2, axis }) => layout2.shape[axis];
    transformFlops = (n) => 5 * n * Math.log2(Math.max(n, 2));
    cornerTurnedLayout = ({ dtype, shape }) => ({
      dtype,
      shape: [...shape.slice(0, -2), shape[shape.length - 1], shape[shape.length - 2]]
    });
    hooksText = (op3, how = "") => Object.entries(hooksOf(op3)).map(([end, hook]) => hook ? ` ${end}=${hook.name}${how}` : "").join("");
    sourcePorts = (hook) => Object.fromEntries(Object.entries(hook.sources).map(([name, layout2]) => [name, read(layout2)]));
    checkInverse = ({ inverse }) => {
      if (inverse === void 0) fail("inverse", "true or false", inverse);
    };
    checkFilter = ({ h }, mayBeHook = false) => {
      if (h === "line" || h === "all" || mayBeHook && typeof h === "object" && h !== null) return;
      fail("h", `"line" or "all"${mayBeHook ? " or a hook" : ""}`, h);
    };
    sameNames = (sources) => Object.fromEntries(Object.keys(sources).map((name) => [name, name]));
    resizeMap = (layout2, axis, start, extent) => mapTo(`resize axis=${axis} ${start}+${extent}`, { in: layout2 }, withAxis(layout2, axis, extent), (r) => [
      ["i32", start],
      ["add", axis, r],
      ["inside", "in", ...ownPlaces(r).map((place2) => place2 === axis ? r + 1 : place2)]
    ]);
    hookStep = (end, hook, layout2) => hook.expression ? mapOfHook(end, hook, hook.expression, layout2) : hookKernel(end, hook, layout2);
  }
});

// ../core/src/ops/fft.ts
function turnedFirst({ cornerTurn, ...op3 }) {
  const last = op3.layout.shape.length - 1;
  if (!cornerTurn || op3.load || op3.store || op3.axis !== last - 1) return void 0;
  const rows = { ...op3, layout: cornerTurnedLayout(op3.layout), axis: last };
  return [cornerTurnStep(op3.layout, "in", "result"), step("rows", rows, { in: "result", out: "out" })];
}
var bareFft, fftRow, fftLowering;
var init_fft = __esm({
  "../core/src/ops/fft.ts"() {
    "use strict";
    init_layout();
    init_row();
    init_transform();
    bareFft = (op3, layout2, inverse) => ({
      op: "fft",
      layout: layout2,
      axis: op3.axis,
      inverse,
      ...op3.keep && { keep: op3.keep }
    });
    fftRow = transformRow({
      fields: { inverse: "boolean" },
      inputs: () => ["c64", "c128"],
      check: checkInverse,
      length: (op3) => op3.n ?? extentOf(op3),
      layout: (op3, n) => withAxis(op3.layout, op3.axis, n),
      words: ({ inverse }) => inverse ? ["inverse"] : [],
      flopsOfLine: (_3, n) => transformFlops(n)
    });
    fftLowering = (op3) => turnedFirst(op3) ?? lowerTransform(fftRow, op3, ({ n, keep, ...whole2 }) => {
      const length = n ?? extentOf(op3);
      const padded = withAxis(op3.layout, op3.axis, length);
      if (length !== extentOf(op3)) {
        return [
          step("resize", resizeMap(op3.layout, op3.axis, 0, length), { in: "in", out: "padded" }),
          step("transform", { ...whole2, layout: padded, ...keep && { keep } }, { in: "padded", out: "out" })
        ];
      }
      if (!keep) return void 0;
      return [
        step("transform", { ...whole2, layout: padded }, { in: "in", out: "full" }),
        step("keep", resizeMap(padded, op3.axis, keep[0], keep[1]), { in: "full", out: "out" })
      ];
    });
  }
});

// ../core/src/ops/filters.ts
function filterSteps(spectrum2, axis, h, from) {
  const product3 = (op3, bind) => ({
    ...step("filter", op3, { in: from, ...bind, out: "result" }),
    inPlace: from === "result"
  });
  if (typeof h === "string") return [product3({ op: "multiply", layout: spectrum2, axis, h }, { h: "h" })];
  const names = sameNames(h.sources);
  if (!h.expression) return [product3(productKernel(spectrum2, h), names)];
  return [
    step(`filter ${h.name}`, mapOfHook("load", h, h.expression, spectrum2), { ...names, out: "h" }),
    product3({ op: "multiply", layout: spectrum2, axis, h: "all" }, { h: "h" })
  ];
}
function productKernel(spectrum2, h) {
  const { shape } = spectrum2;
  const { name, constants: constants2, uniforms } = h;
  return {
    op: "kernel",
    name: `multiply h=${name}`,
    flops: 6 * elementCount(spectrum2),
    ...constants2 && { constants: constants2 },
    ...uniforms && { uniforms },
    ports: inOut(spectrum2, spectrum2, sourcePorts(h)),
    items: elementCount(spectrum2),
    elementwise: true,
    wgsl(_constants, _limits, toolkit) {
      const code2 = toolkit.hook("h", h, shape.length);
      return code2 === void 0 ? void 0 : toolkit.items(`store_out(item, cmul(load_in(item), dechirp_h(${wgslIndex("item", shape)})));`, code2);
    },
    reference({ in: x, out, ...sources }, uniforms2, start, end) {
      const one2 = referenceOf(h);
      const at = [];
      for (let e = start; e < end; e++) {
        unravel(e, shape, at);
        const [c2, d] = requireSynchronous(one2(at, sources, uniforms2), `${name}.reference`);
        const [a2, b2] = [x.re(e), x.im(e)];
        out.set(e, a2 * c2 - b2 * d, a2 * d + b2 * c2);
      }
    }
  };
}
var filterRow, spectralFilterRow, filterInverseRow, spectrumOf, spectralFilterLowering, filterInverseLowering;
var init_filters = __esm({
  "../core/src/ops/filters.ts"() {
    "use strict";
    init_hooks();
    init_kernels();
    init_layout();
    init_listener();
    init_wgsl();
    init_fft();
    init_map();
    init_row();
    init_transform();
    filterRow = (transforms) => transformRow({
      fields: { h: true },
      inputs: () => ["c64", "c128"],
      check: (op3) => checkFilter(op3, true),
      length: (op3) => op3.n ?? extentOf(op3),
      layout: (op3, n) => withAxis(op3.layout, op3.axis, n),
      words: ({ h }) => typeof h === "string" ? [`h=${h}`] : [],
      ports: ({ layout: layout2, axis, h }, n) => typeof h === "string" ? { h: read(filterLayout(layout2, axis, n, h)) } : sourcePorts(h),
      flopsOfLine: (_3, n) => transforms * transformFlops(n) + 6 * n
    });
    spectralFilterRow = filterRow(2);
    filterInverseRow = filterRow(1);
    spectrumOf = (op3) => withAxis(op3.layout, op3.axis, op3.n ?? extentOf(op3));
    spectralFilterLowering = (op3) => lowerTransform(spectralFilterRow, op3, ({ axis, h }) => {
      const spectrum2 = spectrumOf(op3);
      const n = spectrum2.shape[axis];
      return [
        step("transform", { op: "fft", layout: op3.layout, axis, n, inverse: false }, { in: "in", out: "result" }),
        ...filterSteps(spectrum2, axis, h, "result"),
        step("inverse", bareFft(op3, spectrum2, true), { in: "result", out: "out" })
      ];
    });
    filterInverseLowering = (op3) => lowerTransform(filterInverseRow, op3, ({ axis, h }) => {
      const spectrum2 = spectrumOf(op3);
      const n = spectrum2.shape[axis];
      const resize = n !== extentOf(op3);
      return [
        ...resize ? [step("resize", resizeMap(op3.layout, axis, 0, n), { in: "in", out: "result" })] : [],
        ...filterSteps(spectrum2, axis, h, resize ? "result" : "in"),
        step("inverse", bareFft(op3, spectrum2, true), { in: "result", out: "out" })
      ];
    });
  }
});

// ../core/src/ops/kernel.ts
var fieldsOfPorts, kernelRow, kernelLowering;
var init_kernel = __esm({
  "../core/src/ops/kernel.ts"() {
    "use strict";
    init_fields();
    init_hooks();
    init_layout();
    init_row();
    fieldsOfPorts = { access: true, layout: true };
    kernelRow = {
      fields: {
        op: true,
        name: true,
        flops: "number",
        constants: "object",
        uniforms: "object",
        ports: "object",
        items: true,
        elementwise: "boolean",
        wasm: "object",
        wgsl: "function",
        reference: true
      },
      check(op3) {
        checkNamed(op3, "");
        if (typeof op3.reference !== "function") fail("reference", "a function", op3.reference);
        if (!isWhole(op3.items, 1)) fail("items", "a positive integer", op3.items);
        const ports = Object.entries(op3.ports ?? {});
        for (const [name, port2] of ports) {
          checkLayout(port2?.layout, `ports.${name}.layout`);
          checkFields(port2, fieldsOfPorts, `port ${name} of a kernel`, "layout", `ports.${name}.`);
          if (!["read", "write", "update"].includes(port2.access)) fail(`ports.${name}.access`, "read, write or update", port2.access);
        }
        const names = ports.map(([name]) => name);
        if (!ports.some(([, port2]) => port2.access !== "read")) fail("ports", "a list of ports of which at least one is written", names);
      },
      ports: (op3) => op3.ports,
      uniforms: (op3) => op3.uniforms ?? {},
      text: (op3) => `kernel ${op3.name}`,
      flops: (op3) => op3.flops ?? 0,
      canOverwrite: (op3) => op3.elementwise === true
    };
    kernelLowering = () => void 0;
  }
});

// ../core/src/ops/multiply.ts
function multiplyMap({ layout: layout2, axis, h }) {
  const sources = { in: layout2, h: filterLayout(layout2, axis, layout2.shape[axis], h) };
  return mapTo(`multiply h=${h}`, sources, layout2, (r) => [
    ["load", "in", ...ownPlaces(r)],
    ["load", "h", ...h === "all" ? ownPlaces(r) : [axis]],
    ["mul", r, r + 1]
  ]);
}
var multiplyRow, multiplyLowering;
var init_multiply = __esm({
  "../core/src/ops/multiply.ts"() {
    "use strict";
    init_layout();
    init_map();
    init_row();
    init_transform();
    multiplyRow = {
      fields: { op: true, layout: true, axis: true, h: true },
      check(op3) {
        checkAxis(op3, ["c64", "c128"]);
        checkFilter(op3);
      },
      ports: (op3) => inOut(op3.layout, op3.layout, { h: read(filterLayout(op3.layout, op3.axis, extentOf(op3), op3.h)) }),
      text: (op3) => `multiply ${formatLayout(op3.layout)} axis=${op3.axis} h=${op3.h}`,
      flops: (op3) => 6 * elementCount(op3.layout)
    };
    multiplyLowering = (op3) => [step("multiply", multiplyMap(op3), { in: "in", h: "h", out: "out" })];
  }
});

// ../core/src/ops/real-fft.ts
var realFftRow, realFftLowering, toComplexMap, hermitianMap, realPartMap;
var init_real_fft = __esm({
  "../core/src/ops/real-fft.ts"() {
    "use strict";
    init_layout();
    init_fft();
    init_map();
    init_row();
    init_transform();
    realFftRow = transformRow({
      fields: { inverse: "boolean" },
      inputs: ({ inverse }) => inverse ? ["c64", "c128"] : ["f32", "f64"],
      check(op3) {
        checkInverse(op3);
        if (op3.inverse && op3.n === void 0 && extentOf(op3) < 2) fail("n", "given if the half spectrum is one bin long", op3.n);
      },
      length: (op3) => op3.n ?? (op3.inverse ? 2 * (extentOf(op3) - 1) : extentOf(op3)),
      layout({ layout: { dtype, shape }, inverse, axis }, n) {
        const result = { dtype: inverse ? realOf(dtype) : complexOf(dtype), shape };
        return withAxis(result, axis, inverse ? n : Math.floor(n / 2) + 1);
      },
      words: ({ inverse }) => inverse ? ["inverse"] : [],
      flopsOfLine: (_3, n) => transformFlops(n) / 2
    });
    realFftLowering = (op3) => lowerTransform(realFftRow, op3, () => {
      const n = realFftRow.transform.length(op3);
      if (!op3.inverse) {
        const complex2 = toComplexMap(op3.layout, op3.axis, n);
        const bare = bareFft(op3, outputLayout(complex2), false);
        return [
          step("to complex", complex2, { in: "in", out: "line" }),
          step("transform", { ...bare, keep: op3.keep ?? [0, Math.floor(n / 2) + 1] }, { in: "line", out: "out" })
        ];
      }
      const full = hermitianMap(op3.layout, op3.axis, n);
      const inverse = bareFft(op3, outputLayout(full), true);
      const kept2 = { ...keptLayout(realFftRow, op3), dtype: op3.layout.dtype };
      return [
        step("mirror", full, { in: "in", out: "full" }),
        step("transform", inverse, { in: "full", out: "complex" }),
        step("real part", realPartMap(kept2), { in: "complex", out: "out" })
      ];
    });
    toComplexMap = (layout2, axis, n) => ({
      ...resizeMap(layout2, axis, 0, n),
      name: `to-complex axis=${axis} n=${n}`,
      outputs: { out: complexOf(layout2.dtype) }
    });
    hermitianMap = (layout2, axis, n) => mapTo(`hermitian axis=${axis} n=${n}`, { in: layout2 }, withAxis(layout2, axis, n), (r) => [
      ["i32", n],
      ["sub", r, axis],
      // The bin of the half spectrum.
      ["min", axis, r + 1],
      ["inside", "in", ...ownPlaces(r).map((place2) => place2 === axis ? r + 2 : place2)],
      ["conj", r + 3],
      ["eq", axis, r + 2],
      ["select", r + 5, r + 3, r + 4],
      // Bins that are their own mirror images are real.
      ["i32", 0],
      ["eq", r + 2, r + 7],
      ["add", r + 2, r + 2],
      ["eq", r + 9, r],
      ["or", r + 8, r + 10],
      ["re", r + 3],
      ["real", 0],
      ["complex", r + 12, r + 13],
      ["select", r + 11, r + 14, r + 6]
    ]);
    realPartMap = (layout2) => mapTo("real-part", { in: layout2 }, { dtype: realOf(layout2.dtype), shape: layout2.shape }, (r) => [
      ["load", "in", ...ownPlaces(r)],
      ["re", r]
    ]);
  }
});

// ../core/src/ops/transpose.ts
function transposeMap(op3) {
  const { layout: layout2, permutation } = op3;
  return mapTo(`transpose ${permutation.join(",")}`, { in: layout2 }, permuted(op3), () => [
    ["load", "in", ...layout2.shape.map((_3, axis) => permutation.indexOf(axis))]
  ]);
}
var permuted, transposeRow, transposeLowering;
var init_transpose = __esm({
  "../core/src/ops/transpose.ts"() {
    "use strict";
    init_layout();
    init_map();
    init_row();
    permuted = ({ layout: { dtype, shape }, permutation }) => ({
      dtype,
      shape: permutation.map((axis) => shape[axis])
    });
    transposeRow = {
      fields: { op: true, layout: true, permutation: true },
      check({ layout: { shape }, permutation }) {
        const complete = Array.isArray(permutation) && permutation.length === shape.length && shape.every((_3, axis) => permutation.includes(axis));
        if (!complete) fail("permutation", `each of the axes 0 to ${shape.length - 1} once`, permutation);
      },
      ports: (op3) => inOut(op3.layout, permuted(op3)),
      text: (op3) => `transpose ${formatLayout(op3.layout)} permutation=${op3.permutation.join(",")}`,
      flops: () => 0
    };
    transposeLowering = (op3) => [step("transpose", transposeMap(op3), { in: "in", out: "out" })];
  }
});

// ../core/src/ops/table.ts
var opRows, opLowerings, rowOf;
var init_table = __esm({
  "../core/src/ops/table.ts"() {
    "use strict";
    init_convert();
    init_fft();
    init_filters();
    init_kernel();
    init_map();
    init_multiply();
    init_real_fft();
    init_transpose();
    opRows = {
      fft: fftRow,
      "real-fft": realFftRow,
      "spectral-filter": spectralFilterRow,
      "filter-inverse": filterInverseRow,
      multiply: multiplyRow,
      transpose: transposeRow,
      convert: convertRow,
      map: mapRow,
      kernel: kernelRow
    };
    opLowerings = {
      fft: fftLowering,
      "real-fft": realFftLowering,
      "spectral-filter": spectralFilterLowering,
      "filter-inverse": filterInverseLowering,
      multiply: multiplyLowering,
      transpose: transposeLowering,
      convert: convertLowering,
      map: mapLowering,
      kernel: kernelLowering
    };
    rowOf = (op3) => opRows[op3.op];
  }
});

// ../core/src/op.ts
function validateOp(op3) {
  checkObject(op3, "op");
  if (!isKeyOf(opRows, op3.op)) fail("op.op", "a known operation", op3.op);
  const row = rowOf(op3);
  checkFields(op3, row.fields, `an op ${op3.op}`, "layout");
  if ("layout" in row.fields) checkLayout(op3.layout, "layout");
  row.check(op3);
}
function onePassCost(op3) {
  const bytes = Object.values(portsOf(op3)).reduce((sum2, { layout: layout2, access }) => sum2 + byteLength(layout2) * (access === "update" ? 2 : 1), 0);
  return { flops: rowOf(op3).flops(op3), bytes, passes: 1 };
}
var portsOf, uniformsOf, formatOp, canOverwrite, hasExpression, isTransform, transformRowOf, transformLength, transformLayout, keptLayout2, addCosts;
var init_op = __esm({
  "../core/src/op.ts"() {
    "use strict";
    init_fields();
    init_layout();
    init_row();
    init_table();
    init_transform();
    portsOf = (op3) => rowOf(op3).ports(op3);
    uniformsOf = (op3) => rowOf(op3).uniforms?.(op3) ?? {};
    formatOp = (op3) => rowOf(op3).text(op3);
    canOverwrite = (op3) => rowOf(op3).canOverwrite?.(op3) ?? true;
    hasExpression = (op3) => [op3, ...Object.values(op3)].some(
      (part) => typeof part === "object" && part !== null && "expression" in part && part.expression !== void 0
    );
    isTransform = (op3) => rowOf(op3).transform !== void 0;
    transformRowOf = (op3) => rowOf(op3);
    transformLength = (op3) => transformRowOf(op3).transform.length(op3);
    transformLayout = (op3) => transformRowOf(op3).transform.layout(op3);
    keptLayout2 = (op3) => keptLayout(transformRowOf(op3), op3);
    addCosts = (costs) => costs.reduce((a2, b2) => ({ flops: a2.flops + b2.flops, bytes: a2.bytes + b2.bytes, passes: a2.passes + b2.passes }), {
      flops: 0,
      bytes: 0,
      passes: 0
    });
  }
});

// ../core/src/expression/nodes.ts
var maxNodes, maxWork, maxDepth, maxTaps, nameOfExpression;
var init_nodes = __esm({
  "../core/src/expression/nodes.ts"() {
    "use strict";
    maxNodes = 4096;
    maxWork = 2 ** 20;
    maxDepth = 16;
    maxTaps = 64;
    nameOfExpression = /^[A-Za-z][A-Za-z0-9_]{0,62}$/;
  }
});

// ../core/src/expression/check.ts
function shift([a2, b2, ...more]) {
  return more.length === 0 && integers.includes(b2) ? a2 : void 0;
}
function kindOfResult(operator, kinds2) {
  if (Object.hasOwn(others, operator)) {
    const [accepted2, result2] = others[operator];
    return accepted2.includes(kinds2[0]) ? result2(kinds2) : void 0;
  }
  if (!Object.hasOwn(rules, operator)) return void 0;
  const [count2, accepted, result] = rules[operator];
  const [first2] = kinds2;
  return kinds2.length === count2 && accepted.includes(first2) && kinds2.every((kind) => kind === first2) ? result ?? first2 : void 0;
}
function checkExpression(expression, domain, path = "expression") {
  const { nodes, results } = expression ?? {};
  if (!Array.isArray(nodes) || nodes.length === 0) throw layoutError(`${path}.nodes`, "a list of at least one node", nodes);
  if (nodes.length > maxNodes) throw limit(`${path}.nodes`, `at most ${maxNodes} nodes`, maxNodes, nodes.length);
  for (const part of ["sources", "uniforms"])
    for (const name of Object.keys(domain[part] ?? {}))
      if (!nameOfExpression.test(name)) throw layoutError(`${part}.${name}`, "a letter followed by letters, digits and underscores", name);
  const facts = [];
  const sumsSeen = /* @__PURE__ */ new Map();
  const ends = /* @__PURE__ */ new Map();
  for (const [i, node2] of nodes.entries()) {
    const sum2 = Array.isArray(node2) && node2[0] === "sum" ? node2 : void 0;
    if (sum2 && !ends.has(sum2[1])) ends.set(sum2[1], i);
    else if (sum2) throw layoutError(`${path}.nodes[${i}]`, "a sum with a number of its own", node2);
  }
  for (const [i, node2] of nodes.entries()) facts.push(factsOf(node2, i, facts, nodes, domain, sumsSeen, ends, path));
  if (!Array.isArray(results) || results.length === 0) throw layoutError(`${path}.results`, "a list of at least one node's place", results);
  for (const [i, place2] of results.entries()) {
    if (!isWhole(place2, 0, nodes.length - 1) || facts[place2].sums.length > 0)
      throw layoutError(`${path}.results[${i}]`, "the place of a node outside all sums", place2);
  }
  const loops = /* @__PURE__ */ new Map();
  const loopsOf = ({ sums }) => loops.get(sums.at(-1)) ?? [1, 0];
  for (let i = nodes.length - 1; i >= 0; i--) {
    const node2 = nodes[i];
    if (node2[0] !== "sum") continue;
    const [terms, depth] = loopsOf(facts[i]);
    if (depth === maxDepth) throw limit(`${path}.nodes[${i}]`, `at most ${maxDepth - 1} sums around it`, maxDepth - 1, depth);
    loops.set(node2[1], [terms * node2[4], depth + 1]);
  }
  const work2 = facts.reduce((total, one2, i) => total + loopsOf(one2)[0] * (nodes[i][0] === "taps" ? nodes[i][3] : 1), 0);
  if (work2 > maxWork) throw limit(path, `at most ${maxWork} operations for an element`, maxWork, work2);
  return facts;
}
function factsOf(node2, place2, before, nodes, domain, terms, ends, path) {
  const rank = domain.shape.length;
  const fail3 = (expected) => {
    throw layoutError(`${path}.nodes[${place2}]`, expected, node2);
  };
  if (!Array.isArray(node2) || typeof node2[0] !== "string") fail3("a list that begins with an operator");
  const [operator, ...rest] = node2;
  const operandsFrom = (values) => {
    if (!values.every((value2) => isWhole(value2, 0, place2 - 1))) fail3("a node whose operands are places of earlier nodes");
    return values;
  };
  const none = domain.shape.map(() => false);
  const leaf = (kind, range = [0, 0], more = {}) => ({
    kind,
    operands: [],
    sums: [],
    axes: none,
    value: false,
    range,
    ...more
  });
  const from = (kind, operands, range, without) => {
    const used = operands.map((operand) => before[operand]);
    const sums = [...new Set(used.flatMap(({ sums: sums2 }) => sums2))].filter((sum2) => sum2 !== without);
    if (sums.length > maxDepth) throw limit(`${path}.nodes[${place2}]`, `at most ${maxDepth} sums around it`, maxDepth, sums.length);
    for (const sum2 of sums) if ((ends.get(sum2) ?? -1) <= place2) fail3("a node that a sum does not use after its end");
    return {
      kind,
      operands,
      // A sum that encloses another ends after it.
      sums: sums.sort((a2, b2) => ends.get(b2) - ends.get(a2)),
      axes: none.map((_3, axis) => used.some(({ axes }) => axes[axis])),
      value: used.some(({ value: value2 }) => value2),
      range
    };
  };
  switch (operator) {
    case "real":
      if (rest.length !== 1 || typeof rest[0] !== "number" || !Number.isFinite(rest[0]) || !Number.isFinite(Math.fround(rest[0])))
        fail3("a finite number within the range of float32");
      return leaf("real");
    case "i32":
    case "u32": {
      const [low, high2] = rangeOfKind[operator];
      if (rest.length !== 1 || !isWhole(rest[0], low, high2)) fail3(`an integer from ${low} to ${high2}`);
      return leaf(operator, [rest[0], rest[0]]);
    }
    case "bool":
      if (rest.length !== 1 || typeof rest[0] !== "boolean") fail3("true or false");
      return leaf("bool");
    case "index": {
      const axis = rest[0];
      if (rest.length !== 1 || !isWhole(axis, 0, rank - 1) || domain.shape[axis] > 2 ** 31)
        fail3(`an axis below ${rank}, of at most 2 ** 31 elements`);
      const axes = none.map((_3, a2) => a2 === axis);
      return leaf("i32", [0, domain.shape[axis] - 1], { axes });
    }
    case "uniform": {
      const type2 = isKeyOf(domain.uniforms ?? {}, rest[0]) ? domain.uniforms?.[rest[0]] : void 0;
      if (rest.length !== 1 || type2 === void 0) fail3(`the name of a uniform, one of ${Object.keys(domain.uniforms ?? {}).join(", ")}`);
      return type2 === "f32" ? leaf("real") : leaf(type2, rangeOfKind[type2]);
    }
    case "value":
      if (rest.length !== 0 || !domain.value) fail3("a node of a load or map, which have no value");
      return leaf("complex", [0, 0], { value: true, axes: none.map(() => true) });
    case "load":
    case "inside": {
      const [name, ...indices] = rest;
      const source = isKeyOf(domain.sources, name) ? domain.sources[name] : fail3("an element of one of the sources");
      const places2 = operandsFrom(indices);
      if (places2.length !== source.shape.length || !places2.every((index) => before[index].kind === "i32"))
        fail3(`an element with ${source.shape.length} indices of type i32`);
      const kind = kindOfElement(source.dtype);
      return from(kind, places2, kind === "u32" ? rangeOfKind.u32 : [0, 0]);
    }
    case "taps": {
      const [name, axis, count2, ...operands] = rest;
      const source = isKeyOf(domain.sources, name) ? domain.sources[name] : fail3("elements of one of the sources");
      const kind = kindOfElement(source.dtype);
      if (kind === "u32") fail3("elements of a source of real or complex numbers");
      if (!isWhole(axis, 0, source.shape.length - 1)) fail3(`an axis of ${name}, below ${source.shape.length}`);
      if (!isWhole(count2, 1, maxTaps)) fail3(`from 1 to ${maxTaps} elements`);
      const places2 = operandsFrom(operands);
      const kinds2 = [...new Array(count2).fill("real"), ...source.shape.map(() => "i32")];
      if (places2.length !== kinds2.length || !places2.every((operand, i) => before[operand].kind === kinds2[i]))
        fail3(`${count2} real weights and ${source.shape.length} indices of type i32`);
      return from(kind, places2, [0, 0]);
    }
    case "term": {
      const end = ends.get(rest[0]);
      if (rest.length !== 1 || end === void 0 || end < place2 || terms.has(rest[0])) fail3("the only index of a later sum");
      terms.set(rest[0], place2);
      const most2 = nodes[end][4];
      return leaf("i32", [0, typeof most2 === "number" && most2 > 0 ? most2 - 1 : 0], { sums: [rest[0]] });
    }
    case "sum": {
      const [number, count2, term, most2] = rest;
      if (rest.length !== 4 || !isWhole(number, 0)) fail3("a sum with a number, a count, a term and a largest count");
      const operands = operandsFrom([count2, term]);
      if (!isWhole(most2, 1, maxWork)) fail3(`a sum whose largest count is from 1 to ${maxWork}`);
      const [countFacts, termFacts] = operands.map((operand) => before[operand]);
      if (countFacts.kind !== "i32" || countFacts.sums.length > 0 || countFacts.value || countFacts.axes.some(Boolean) || readsSource(operands[0], nodes, before))
        fail3("a sum whose count is an i32 of constants and uniforms");
      if (!numeric.includes(termFacts.kind)) fail3("a sum of numbers");
      return from(termFacts.kind, operands, rangeOf(termFacts.kind), number);
    }
    default: {
      const operands = operandsFrom(rest);
      const kinds2 = operands.map((operand) => before[operand].kind);
      const kind = kindOfResult(operator, kinds2) ?? fail3(`an operator with operands of kinds that it takes, not of ${kinds2.join(" and ") || "none"}`);
      return from(
        kind,
        operands,
        rangeOfResult(
          operator,
          kind,
          operands.map((operand) => before[operand]),
          operands.map((operand) => nodes[operand])
        )
      );
    }
  }
}
function readsSource(place2, nodes, before) {
  const seen = /* @__PURE__ */ new Set();
  const stack = [place2];
  for (let at = stack.pop(); at !== void 0; at = stack.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    if (["load", "inside", "taps"].includes(nodes[at][0])) return true;
    stack.push(...before[at].operands);
  }
  return false;
}
function rangeOfResult(operator, kind, operands, nodes) {
  const all = rangeOf(kind);
  if (kind !== "i32" && kind !== "u32") return all;
  const [a2, b2, c2] = operands.map(({ range }) => range);
  const within2 = (...values) => {
    const [low, high2] = [Math.min(...values), Math.max(...values)];
    return low >= all[0] && high2 <= all[1] ? [low, high2] : all;
  };
  switch (operator) {
    case "add":
      return within2(a2[0] + b2[0], a2[1] + b2[1]);
    case "sub":
      return within2(a2[0] - b2[1], a2[1] - b2[0]);
    case "mul":
      return within2(a2[0] * b2[0], a2[0] * b2[1], a2[1] * b2[0], a2[1] * b2[1]);
    case "neg":
      return within2(-a2[0], -a2[1]);
    case "abs":
      return within2(a2[0] <= 0 && a2[1] >= 0 ? 0 : Math.min(Math.abs(a2[0]), Math.abs(a2[1])), Math.abs(a2[0]), Math.abs(a2[1]));
    case "min":
      return [Math.min(a2[0], b2[0]), Math.min(a2[1], b2[1])];
    case "max":
      return [Math.max(a2[0], b2[0]), Math.max(a2[1], b2[1])];
    case "mod":
      return b2[0] > 0 ? a2[0] >= 0 && a2[1] < b2[0] ? a2 : [0, b2[1] - 1] : all;
    case "div":
      return b2[0] > 0 ? within2(...[a2[0], a2[1]].flatMap((x) => [Math.trunc(x / b2[0]), Math.trunc(x / b2[1])])) : all;
    case "shr": {
      const count2 = b2[0] === b2[1] && (nodes[1][0] === "i32" || nodes[1][0] === "u32") ? b2[0] & 31 : void 0;
      return count2 === void 0 ? all : [Math.floor(a2[0] / 2 ** count2), Math.floor(a2[1] / 2 ** count2)];
    }
    case "and":
      return a2[0] >= 0 && b2[0] >= 0 ? [0, Math.min(a2[1], b2[1])] : b2[0] >= 0 ? [0, b2[1]] : a2[0] >= 0 ? [0, a2[1]] : all;
    case "select":
      return [Math.min(b2[0], c2[0]), Math.max(b2[1], c2[1])];
    case "bits":
      return within2(a2[0], a2[1]);
    default:
      return all;
  }
}
var kindOfElement, rangeOfKind, numeric, ordered, integers, bits, rules, others, kindsTaken, isScale, limit, rangeOf;
var init_check = __esm({
  "../core/src/expression/check.ts"() {
    "use strict";
    init_errors();
    init_layout();
    init_nodes();
    kindOfElement = (dtype) => dtypes[dtype].components === 2 ? "complex" : dtype === "u32" ? "u32" : "real";
    rangeOfKind = { i32: [-(2 ** 31), 2 ** 31 - 1], u32: [0, 2 ** 32 - 1] };
    numeric = ["real", "complex", "i32", "u32"];
    ordered = ["real", "i32", "u32"];
    integers = ["i32", "u32"];
    bits = ["bool", "i32", "u32"];
    rules = {
      neg: [1, numeric],
      floor: [1, ["real"]],
      round: [1, ["real"]],
      sqrt: [1, ["real"]],
      log: [1, ["real"]],
      cis: [1, ["real", "u32"], "complex"],
      re: [1, ["complex"], "real"],
      im: [1, ["complex"], "real"],
      conj: [1, ["complex"]],
      not: [1, bits],
      "real-of": [1, integers, "real"],
      "i32-of": [1, ["real"], "i32"],
      "u32-of": [1, ["real"], "u32"],
      finite: [1, ["real", "complex"], "bool"],
      add: [2, numeric],
      sub: [2, numeric],
      mod: [2, ordered],
      min: [2, ordered],
      max: [2, ordered],
      atan2: [2, ["real"]],
      and: [2, bits],
      or: [2, bits],
      xor: [2, bits],
      complex: [2, ["real"], "complex"],
      lt: [2, ordered, "bool"],
      le: [2, ordered, "bool"],
      eq: [2, ["real", "i32", "u32", "bool"], "bool"],
      ne: [2, ["real", "i32", "u32", "bool"], "bool"]
    };
    others = {
      abs: [["real", "i32", "complex"], ([a2, ...more]) => more.length > 0 ? void 0 : a2 === "complex" ? "real" : a2],
      bits: [integers, ([a2, ...more]) => more.length > 0 ? void 0 : a2 === "i32" ? "u32" : "i32"],
      mul: [numeric, ([a2, b2, ...more]) => more.length > 0 ? void 0 : a2 === b2 ? a2 : isScale(a2, b2) || isScale(b2, a2) ? "complex" : void 0],
      div: [
        numeric,
        ([a2, b2, ...more]) => more.length > 0 ? void 0 : a2 === b2 && a2 !== "complex" ? a2 : isScale(b2, a2) ? "complex" : void 0
      ],
      shl: [integers, shift],
      shr: [integers, shift],
      select: [[...numeric, "bool"], ([c2, a2, b2, ...more]) => more.length === 0 && c2 === "bool" && a2 === b2 ? a2 : void 0]
    };
    kindsTaken = (operator) => (others[operator]?.[0] ?? rules[operator][1]).join(", ");
    isScale = (a2, b2) => a2 === "real" && b2 === "complex";
    limit = (field, expected, most2, actual) => new RadarError("limit", `${field} must have ${expected}, not ${actual}`, { field, limit: most2, actual });
    rangeOf = (kind) => kind === "i32" || kind === "u32" ? rangeOfKind[kind] : [0, 0];
  }
});

// ../core/src/expression/reference.ts
function nearest(x) {
  const magnitude3 = Math.abs(x);
  if (!(magnitude3 < whole) || x === 0) return x;
  const rounded2 = magnitude3 + whole - whole;
  return x < 0 ? -rounded2 : rounded2;
}
function referenceRun(expression, facts, { shape, sources }) {
  const { nodes, results } = expression;
  const last = shape.length - 1;
  const r = new Float64Array(2 * nodes.length + 2);
  const names = Object.keys(sources);
  let views = [];
  let uniforms = {};
  let here = [];
  let given = [0, 0];
  const [once, perRow, perElement] = [[], [], []];
  const bodies = /* @__PURE__ */ new Map();
  const termPlaces = /* @__PURE__ */ new Map();
  for (const [place2, node2] of nodes.entries()) if (node2[0] === "term") termPlaces.set(node2[1], place2);
  const live = new Set(results);
  for (let place2 = nodes.length - 1; place2 >= 0; place2--) if (live.has(place2)) for (const used of facts[place2].operands) live.add(used);
  const stepOf = (place2, node2) => {
    const { kind, operands } = facts[place2];
    const o = 2 * place2;
    const [a2, b2, c2] = operands.map((operand) => 2 * operand);
    switch (node2[0]) {
      case "real":
      case "i32":
      case "u32":
      case "bool":
        r[o] = Number(node2[1]);
        return void 0;
      case "term":
        return void 0;
      // the sum writes it
      case "index": {
        const axis = node2[1];
        return () => {
          r[o] = here[axis];
        };
      }
      case "uniform": {
        const name = node2[1];
        return () => {
          r[o] = uniforms[name];
        };
      }
      case "value":
        return () => {
          r[o] = given[0];
          r[o + 1] = given[1];
        };
      case "load":
      case "inside": {
        const slot = names.indexOf(node2[1]);
        const { shape: shape2 } = sources[node2[1]];
        const indices = operands.map((operand) => 2 * operand);
        const clamps = node2[0] === "load";
        return () => {
          let at = 0;
          for (let axis = 0; axis < indices.length; axis++) {
            const extent = shape2[axis];
            let index = r[indices[axis]];
            if (index < 0 || index >= extent) {
              if (!clamps) {
                r[o] = r[o + 1] = 0;
                return;
              }
              index = index < 0 ? 0 : extent - 1;
            }
            at = at * extent + index;
          }
          r[o] = views[slot].re(at);
          r[o + 1] = views[slot].im(at);
        };
      }
      case "taps": {
        const [, name, along, count2] = node2;
        const slot = names.indexOf(name);
        const { shape: shape2 } = sources[name];
        const weights = operands.slice(0, count2).map((operand) => 2 * operand);
        const indices = operands.slice(count2).map((operand) => 2 * operand);
        const pitch = shape2.slice(along + 1).reduce((product3, extent) => product3 * extent, 1);
        return () => {
          let [re2, im2] = [0, 0];
          const first2 = r[indices[along]];
          const end = Math.min(count2, shape2[along] - first2);
          let at = 0;
          let isInside = true;
          for (let axis = 0; axis < indices.length; axis++) {
            const index = r[indices[axis]];
            if (axis !== along && (index < 0 || index >= shape2[axis])) isInside = false;
            at = at * shape2[axis] + index;
          }
          for (let j = isInside ? Math.max(0, -first2) : end; j < end; j++) {
            const weight = r[weights[j]];
            re2 += weight * views[slot].re(at + j * pitch);
            im2 += weight * views[slot].im(at + j * pitch);
          }
          r[o] = re2;
          r[o + 1] = im2;
        };
      }
      case "sum": {
        const [, sum2, , , most2] = node2;
        const body2 = bodies.get(sum2) ?? [];
        const term = 2 * (termPlaces.get(sum2) ?? nodes.length);
        const wrap = wrapOf(kind);
        return () => {
          const count2 = Math.min(r[a2], most2);
          let [re2, im2] = [0, 0];
          for (let j = 0; j < count2; j++) {
            r[term] = j;
            for (let i = 0; i < body2.length; i++) body2[i]();
            re2 = wrap(re2 + r[b2]);
            im2 += r[b2 + 1];
          }
          r[o] = re2;
          r[o + 1] = im2;
        };
      }
      case "select":
        return () => {
          const from = r[a2] === 0 ? c2 : b2;
          r[o] = r[from];
          r[o + 1] = r[from + 1];
        };
      case "cis": {
        const isFraction = facts[operands[0]].kind === "u32";
        return () => {
          const cycles = isFraction ? (r[a2] | 0) * 2 ** -32 : r[a2] - nearest(r[a2]);
          const quarter = nearest(4 * cycles);
          const angle = 2 * Math.PI * (cycles - quarter / 4);
          const [cosine2, sine2] = [Math.cos(angle), Math.sin(angle)];
          const swaps = (quarter & 1) !== 0;
          const sign = (quarter & 2) === 0 ? 1 : -1;
          r[o] = sign * (swaps ? -sine2 : cosine2);
          r[o + 1] = sign * (swaps ? cosine2 : sine2);
        };
      }
      case "complex":
        return () => {
          r[o] = r[a2];
          r[o + 1] = r[b2];
        };
      case "re":
        return () => {
          r[o] = r[a2];
        };
      case "im":
        return () => {
          r[o] = r[a2 + 1];
        };
    }
    const kindOfOperand = facts[operands[0]].kind;
    if (kindOfOperand === "complex" || kind === "complex") return complexStep(node2[0], r, o, a2, b2, facts, operands);
    const compute = scalars[kindOfOperand][node2[0]];
    if (kind === "i32")
      return () => {
        r[o] = compute(r[a2], r[b2]) | 0;
      };
    if (kind === "u32")
      return () => {
        r[o] = compute(r[a2], r[b2]) >>> 0;
      };
    return () => {
      r[o] = compute(r[a2], r[b2]);
    };
  };
  for (const [place2, { sums }] of facts.entries()) if (live.has(place2)) {
    for (const sum2 of sums) if (!bodies.has(sum2)) bodies.set(sum2, []);
  }
  for (const [place2, node2] of nodes.entries()) {
    const step3 = live.has(place2) ? stepOf(place2, node2) : void 0;
    if (!step3) continue;
    const { sums, axes, value: value2 } = facts[place2];
    if (sums.length > 0) bodies.get(sums[sums.length - 1])?.push(step3);
    else if (value2 || axes[last]) perElement.push(step3);
    else (axes.includes(true) ? perRow : once).push(step3);
  }
  const row = shape.map(() => -1);
  const run = (steps) => {
    for (let i = 0; i < steps.length; i++) steps[i]();
  };
  return {
    begin(sources2, values) {
      views = names.map((name) => sources2[name]);
      uniforms = values;
      row.fill(-1);
      run(once);
    },
    compute(at, out, value2) {
      here = at;
      if (value2) given = value2;
      let isNew = false;
      for (let axis = 0; axis < last; axis++) {
        if (row[axis] === at[axis]) continue;
        row[axis] = at[axis];
        isNew = true;
      }
      if (isNew) run(perRow);
      run(perElement);
      for (let i = 0; i < results.length; i++) {
        out[2 * i] = r[2 * results[i]];
        out[2 * i + 1] = r[2 * results[i] + 1];
      }
    }
  };
}
function wrapOf(kind) {
  return kind === "i32" ? (value2) => value2 | 0 : kind === "u32" ? (value2) => value2 >>> 0 : (value2) => value2;
}
function complexStep(operator, r, o, a2, b2, facts, operands) {
  const [first2, second] = operands.map((operand) => facts[operand].kind);
  switch (operator) {
    case "neg":
      return () => {
        r[o] = -r[a2];
        r[o + 1] = -r[a2 + 1];
      };
    case "conj":
      return () => {
        r[o] = r[a2];
        r[o + 1] = -r[a2 + 1];
      };
    case "abs":
      return () => {
        r[o] = magnitude(r[a2], r[a2 + 1]);
      };
    case "finite":
      return () => {
        r[o] = Number(Number.isFinite(r[a2]) && Number.isFinite(r[a2 + 1]));
      };
    case "add":
      return () => {
        r[o] = r[a2] + r[b2];
        r[o + 1] = r[a2 + 1] + r[b2 + 1];
      };
    case "sub":
      return () => {
        r[o] = r[a2] - r[b2];
        r[o + 1] = r[a2 + 1] - r[b2 + 1];
      };
    case "div":
      return () => {
        r[o] = r[a2] / r[b2];
        r[o + 1] = r[a2 + 1] / r[b2];
      };
    default: {
      if (first2 === second)
        return () => {
          const re2 = r[a2] * r[b2] - r[a2 + 1] * r[b2 + 1];
          r[o + 1] = r[a2] * r[b2 + 1] + r[a2 + 1] * r[b2];
          r[o] = re2;
        };
      const [scale, z] = first2 === "real" ? [a2, b2] : [b2, a2];
      return () => {
        r[o] = r[scale] * r[z];
        r[o + 1] = r[scale] * r[z + 1];
      };
    }
  }
}
function magnitude(x, y) {
  const square = x * x + y * y;
  return square < 1e-280 || square > 1e280 ? Math.hypot(x, y) : Math.sqrt(square);
}
var whole, saturated, comparisons, reals, integers2, scalars;
var init_reference = __esm({
  "../core/src/expression/reference.ts"() {
    "use strict";
    whole = 2 ** 52;
    saturated = (low, high2) => (x) => Number.isNaN(x) ? 0 : Math.max(low, Math.min(high2, nearest(x))) + 0;
    comparisons = {
      lt: (a2, b2) => a2 < b2,
      le: (a2, b2) => a2 <= b2,
      eq: (a2, b2) => a2 === b2,
      ne: (a2, b2) => a2 !== b2
    };
    reals = {
      ...comparisons,
      neg: (a2) => -a2,
      abs: Math.abs,
      floor: Math.floor,
      round: nearest,
      sqrt: Math.sqrt,
      log: Math.log,
      "i32-of": saturated(-(2 ** 31), 2 ** 31 - 1),
      "u32-of": saturated(0, 2 ** 32 - 1),
      finite: Number.isFinite,
      add: (a2, b2) => a2 + b2,
      sub: (a2, b2) => a2 - b2,
      mul: (a2, b2) => a2 * b2,
      div: (a2, b2) => a2 / b2,
      mod: (a2, b2) => {
        const rest = Number.isFinite(b2) ? a2 % b2 : Number.NaN;
        return (rest !== 0 && rest < 0 !== b2 < 0 ? rest + b2 : rest) + 0;
      },
      min: Math.min,
      max: Math.max,
      atan2: (y, x) => x === 0 && y === 0 ? 0 : Math.atan2(y, x)
    };
    integers2 = {
      ...comparisons,
      neg: (a2) => -a2,
      abs: Math.abs,
      not: (a2) => ~a2,
      "real-of": (a2) => a2,
      bits: (a2) => a2,
      add: (a2, b2) => a2 + b2,
      sub: (a2, b2) => a2 - b2,
      mul: Math.imul,
      // The quotient of two 32-bit integers as float64 truncates to the exact one, and wrapping truncates.
      div: (a2, b2) => b2 === 0 ? 0 : a2 / b2,
      mod: (a2, b2) => b2 === 0 ? 0 : (a2 % b2 + b2) % b2,
      min: Math.min,
      max: Math.max,
      shl: (a2, b2) => a2 << b2,
      shr: (a2, b2) => a2 >> b2,
      and: (a2, b2) => a2 & b2,
      or: (a2, b2) => a2 | b2,
      xor: (a2, b2) => a2 ^ b2
    };
    scalars = {
      real: reals,
      i32: integers2,
      u32: { ...integers2, shr: (a2, b2) => a2 >>> b2 },
      bool: { ...integers2, not: (a2) => 1 - a2 }
    };
  }
});

// ../core/src/expression/wasm-bytes.ts
function unsigned(value2) {
  const out = [];
  let rest = value2 >>> 0;
  for (; rest > 127; rest >>>= 7) out.push(rest & 127 | 128);
  out.push(rest);
  return out;
}
function op(instruction, ...code2) {
  if (instruction < 256) code2.push(instruction);
  else if (instruction < simd + 128) code2.push(253, instruction - simd);
  else code2.push(253, instruction - simd, 1);
  return code2;
}
function memory(instruction, offset, ...operands) {
  const out = op(instruction, ...operands);
  out.push(0, ...offset < 128 ? [offset] : unsigned(offset));
  return out;
}
function memoryLane(load4, width, lane2, offset, ...operands) {
  const out = memory(simd + (load4 ? 84 : 88) + Math.log2(width), offset, ...operands);
  out.push(lane2);
  return out;
}
function lane(instruction, index, ...operands) {
  const out = op(instruction, ...operands);
  out.push(index);
  return out;
}
function shuffle(a2, b2, ...words4) {
  const out = op(simd + 13, a2, b2);
  for (const word of words4) for (let byte = 0; byte < 4; byte++) out.push(4 * word + byte);
  return out;
}
function integer(value2) {
  const out = [65];
  let rest = value2 | 0;
  for (; rest < -64 || rest > 63; rest >>= 7) out.push(rest & 127 | 128);
  out.push(rest & 127);
  return out;
}
function doubles(value2) {
  scratch.setFloat64(0, value2);
  const [high2, low] = [scratch.getUint32(0), scratch.getUint32(4)];
  return words2(low, high2, low, high2);
}
function moduleOf(parameters, locals, body2) {
  const code2 = [...locals.declare()];
  join(code2, body2);
  code2.push(11);
  const section = (id, content) => [id, ...unsigned(content.length), ...content];
  const header = [0, 97, 115, 109, 1, 0, 0, 0];
  const types = section(1, [1, 96, parameters, ...new Array(parameters).fill(type.i32), 0]);
  const names = [1, ...text2("env"), ...text2("memory"), 2];
  const imports = section(2, [...names, ...limits.shared]);
  const others2 = [...section(3, [1, 0]), ...section(7, [1, ...text2("main"), 0, 0])];
  const size = unsigned(code2.length);
  const before = [...header, ...types, ...imports, ...others2, 10, ...unsigned(1 + size.length + code2.length), 1, ...size];
  return (shared) => {
    const bytes = new Uint8Array(before.length + code2.length);
    bytes.set(before);
    bytes.set(code2, before.length);
    bytes.set(shared ? limits.shared : limits.plain, header.length + types.length + 2 + names.length);
    return bytes;
  };
}
function join(out, code2) {
  for (let i = 0; i < code2.length; i++) {
    const item = code2[i];
    if (typeof item === "number") out.push(item);
    else join(out, item);
  }
}
var type, simd, one, four, scratch, bitsOf, bytesOf, float, words2, local, set, when, loop, Locals, text2, limits;
var init_wasm_bytes = __esm({
  "../core/src/expression/wasm-bytes.ts"() {
    "use strict";
    type = { i32: 127, f32: 125, v128: 123 };
    simd = 64768;
    one = {
      ...{ eqz: 69, eq: 70, ne: 71, lt_s: 72, lt_u: 73, le_s: 76, le_u: 77, add: 106, sub: 107, mul: 108, div_u: 110 },
      ...{
        rem_s: 111,
        rem_u: 112,
        and: 113,
        or: 114,
        xor: 115,
        shl: 116,
        shr_s: 117,
        shr_u: 118,
        select: 27,
        load: 40,
        loadF32: 42
      }
    };
    four = {
      ...{
        load: simd,
        load8: simd + 1,
        load32: simd + 92,
        load64: simd + 93,
        store: simd + 11,
        splat: simd + 17,
        fsplat: simd + 19,
        lane: simd + 27
      },
      ...{ flane: simd + 31, eq: simd + 55, ne: simd + 56, lt: simd + 57, ltu: simd + 58, le: simd + 61, leu: simd + 62, ge: simd + 63 },
      ...{ geu: simd + 64, feq: simd + 65, fne: simd + 66, flt: simd + 67, fgt: simd + 68, fle: simd + 69, not: simd + 77, and: simd + 78 },
      ...{ andnot: simd + 79, or: simd + 80, xor: simd + 81, pick: simd + 82, demote: simd + 94, promote: simd + 95, ffloor: simd + 104 },
      ...{ fround: simd + 106, dfloor: simd + 117, dtrunc: simd + 122, narrow8s: simd + 101, narrow8u: simd + 102, narrow16: simd + 133 },
      ...{ abs: simd + 160, neg: simd + 161, all: simd + 163, shl: simd + 171, shr_s: simd + 172, shr_u: simd + 173, add: simd + 174 },
      ...{ sub: simd + 177, mul: simd + 181, min: simd + 182, minu: simd + 183, max: simd + 184, maxu: simd + 185, fabs: simd + 224 },
      ...{ fneg: simd + 225, fsqrt: simd + 227, fadd: simd + 228, fsub: simd + 229, fmul: simd + 230, fdiv: simd + 231, fmin: simd + 232 },
      ...{ fmax: simd + 233, dsqrt: simd + 239, dadd: simd + 240, dsub: simd + 241, dmul: simd + 242, ddiv: simd + 243 },
      ...{ toI32: simd + 248, toU32: simd + 249, fromI32: simd + 250, fromU32: simd + 251, dFromI32: simd + 254, dFromU32: simd + 255 }
    };
    scratch = new DataView(new ArrayBuffer(8));
    bitsOf = (value2) => {
      scratch.setFloat32(0, value2);
      return scratch.getUint32(0);
    };
    bytesOf = (bits2) => [bits2 & 255, bits2 >> 8 & 255, bits2 >> 16 & 255, bits2 >>> 24];
    float = (value2) => [67, ...bytesOf(bitsOf(value2))];
    words2 = (...bits2) => [253, 12, ...bits2.flatMap(bytesOf)];
    local = (index) => index < 128 ? [32, index] : [32, ...unsigned(index)];
    set = (variable, value2) => [value2, 33, ...variable.slice(1)];
    when = (condition, then, otherwise) => otherwise ? [condition, 4, 64, then, 5, otherwise, 11] : [condition, 4, 64, then, 11];
    loop = (body2, condition) => [3, 64, body2, condition, 13, 0, 11];
    Locals = class {
      #parameters;
      #types = [];
      #taken = [[], []];
      #free = [{}, {}];
      constructor(parameters) {
        this.#parameters = parameters;
      }
      /** A new local. Without a scope nothing else ever takes it. */
      new(kind, scope) {
        const index = (scope === void 0 ? void 0 : this.#free[scope][kind]?.pop()) ?? this.#types.push(kind) - 1;
        if (scope !== void 0) this.#taken[scope].push(index);
        return local(this.#parameters + index);
      }
      /** Gives the locals of a scope back. */
      end(scope) {
        const free = this.#free[scope];
        for (const index of this.#taken[scope].splice(0)) {
          const kind = this.#types[index];
          free[kind] ??= [];
          free[kind].push(index);
        }
      }
      /** Their declarations. */
      declare() {
        const groups = [];
        for (const kind of this.#types) {
          const last = groups.at(-1);
          if (last?.[1] === kind) last[0]++;
          else groups.push([1, kind]);
        }
        return [...unsigned(groups.length), ...groups.flatMap(([count2, kind]) => [...unsigned(count2), kind])];
      }
    };
    text2 = (string) => [string.length, ...Array.from(string, (letter) => letter.charCodeAt(0))];
    limits = { shared: [3, 1, 128, 128, 4], plain: [0, 128, 128, 128, 0] };
  }
});

// ../core/src/expression/wasm-arrays.ts
function decode2(dtype, raw2) {
  const [, , all, more] = forms[dtype];
  const convert = (list, code2) => list.reduce((value2, instruction) => op(instruction, value2), code2);
  return more ? [convert(all, raw2[0]), convert(more, raw2[0])] : raw2.map((code2) => convert(all, code2));
}
function adjacent(run, dtype, address, offset = 0) {
  const { bytes } = dtypes[dtype];
  if (bytes === 8) return [offset, offset + 16].map((at) => memory(four.load, at, address));
  const instruction = dtype === "ci8" ? four.load8 : [four.load32, four.load64, 0, four.load][bytes - 1];
  return decode2(dtype, [run.keep(memory(instruction, offset, address))]);
}
function gathered(run, dtype, addresses, pitch = 0, offset = 0) {
  const { bytes } = dtypes[dtype];
  const read2 = (first2, end) => {
    let code2 = run.bits(0);
    for (let i = first2; i < end; i++)
      code2 = memoryLane(true, bytes, i - first2, offset + i * pitch, addresses[addresses.length > 1 ? i : 0], code2);
    return code2;
  };
  if (bytes === 8) return [read2(0, 2), read2(2, 4)];
  return decode2(dtype, [run.keep(dtype === "ci8" ? op(s8, read2(0, 4)) : read2(0, 4))]);
}
function strided(run, dtype, address, stride) {
  const { bytes } = dtypes[dtype];
  if (run.tail || stride < 0 || stride >= 2 ** 29)
    return gathered(run, dtype, lanesOf(run, op(four.add, op(four.splat, address), run.indices(stride))));
  const here = run.keep(op(one.add, address, times(run.index, stride)), type.i32);
  return stride === bytes ? adjacent(run, dtype, here) : gathered(run, dtype, [here], stride);
}
function readRun(run, dtype, address) {
  return strided(run, dtype, address, dtypes[dtype].bytes);
}
function load(run, base, { dtype, shape }, indices, ranges, inside2, place2) {
  const { bytes } = dtypes[dtype];
  const [loadOne, convert] = forms[dtype];
  const kind = kindOfElement(dtype);
  const count2 = kind === "complex" ? 2 : 1;
  let numbers = 0;
  const put = (section2, code2) => section2 === run.once || section2 === run.row ? run.shared(section2, `${place2} ${numbers++}`, type.i32, () => code2) : run.put(section2, type.i32, code2);
  let section = run.once;
  let stride = 0;
  let address = base;
  let isInside;
  const others2 = [];
  let scale = bytes;
  const isProven = (axis) => ranges[axis][0] >= 0 && ranges[axis][1] < shape[axis];
  const open2 = indices.map((_3, axis) => axis).filter((axis) => indices[axis].stride === void 0 || indices[axis].stride !== 0 && !isProven(axis));
  const parting = open2.length === 1 ? run.ofNode(place2, () => run.canSplit(indices[open2[0]]) ? splitAt(run, indices[open2[0]], shape[open2[0]] - 1) : void 0) : void 0;
  let partingScale = 0;
  for (let axis = shape.length - 1; axis >= 0; scale *= shape[axis--]) {
    const value3 = indices[axis];
    const last2 = Math.min(shape[axis], 2 ** 31) - 1;
    const proven = isProven(axis);
    if (parting && axis === open2[0]) {
      section = run.inner(section, run.row);
      partingScale = scale;
      continue;
    }
    if (value3.stride === void 0 || value3.stride !== 0 && !proven) {
      others2.push({ value: value3, last: last2, scale, proven });
      continue;
    }
    section = run.inner(section, value3.section);
    run.at = section;
    let [index] = run.scalarOf(value3);
    if (!proven && inside2) {
      const flag = put(value3.section, op(one.le_u, index, integer(last2)));
      isInside = isInside ? op(one.and, isInside, flag) : flag;
      index = op(one.select, index, integer(0), flag);
    } else if (!proven) {
      index = put(value3.section, op(one.select, index, integer(last2), op(one.lt_s, index, integer(last2))));
      index = op(one.select, index, integer(0), op(one.lt_s, integer(0), index));
    }
    stride += value3.stride * scale;
    if (index[0] !== 65 || index[1] !== 0 || index.length > 2) address = put(section, op(one.add, address, times(index, scale)));
  }
  const at = section;
  if (others2.length === 0 && stride === 0 && !parting) {
    const scalar = Array.from({ length: count2 }, (_3, part) => {
      const raw2 = memory(loadOne, part * bytes / 2, address);
      const number = convert ? op(convert, raw2) : raw2;
      const zero = kind === "u32" ? integer(0) : [67, 0, 0, 0, 0];
      return run.put(at, kind === "u32" ? type.i32 : type.f32, isInside ? op(one.select, number, zero, isInside) : number);
    });
    return { kind, section: at, stride: 0, scalar };
  }
  section = run.inner(at, run.body, ...others2.map(({ value: value3 }) => value3.section));
  run.at = section;
  const parts = Array.from({ length: count2 }, () => run.variable(section, type.v128));
  const assign = (codes) => {
    for (const [i, code2] of codes.entries()) run.at.code.push(set(parts[i], code2));
  };
  const elsewhere = () => {
    let places2 = op(four.splat, address);
    if (stride !== 0) places2 = op(four.add, places2, run.indices(stride));
    let mask;
    for (const { value: value3, last: last2, scale: scale2, proven } of others2) {
      const [index] = run.vectorOf(value3);
      const limited2 = proven ? index : op(four.min, op(four.max, index, run.bits(0)), run.bits(last2));
      const product3 = (scale2 & scale2 - 1) === 0 ? op(four.shl, limited2, integer(Math.log2(scale2))) : op(four.mul, limited2, run.bits(scale2));
      places2 = op(four.add, places2, product3);
      if (proven || !inside2) continue;
      const flag = op(four.leu, index, run.bits(last2));
      mask = mask ? op(four.and, mask, flag) : flag;
    }
    const vector = run.keep(places2);
    const apart = () => assign(gathered(run, dtype, lanesOf(run, vector)));
    if (run.tail || fast || !others2.some(({ scale: scale2 }) => scale2 === bytes)) apart();
    else {
      const first2 = run.keep(lane(four.lane, 0, vector), type.i32);
      const expected = op(
        four.add,
        op(four.splat, first2),
        run.shared(run.once, `lanes ${bytes}`, type.v128, () => lanesTimes(bytes))
      );
      const together = run.branch(() => assign(adjacent(run, dtype, first2)));
      run.at.code.push(when(op(four.all, op(four.eq, vector, expected)), together, run.branch(apart)));
    }
    if (mask) {
      const kept2 = run.keep(mask);
      const masks = count2 === 1 ? [kept2] : [shuffle(kept2, kept2, 0, 0, 1, 1), shuffle(kept2, kept2, 2, 2, 3, 3)];
      assign(parts.map((part, i) => op(four.and, part, masks[i])));
    }
  };
  const [{ value: value2, last, scale: step3 } = { value: void 0, last: 0, scale: 0 }] = others2;
  const fast = !run.tail && others2.length === 1 && value2?.stride === 1 && step3 === bytes && stride === 0 && last >= 3;
  if (parting) {
    const [isIn, first2, nearest2] = parting;
    const known3 = at === run.row;
    const sumOf = (offset) => op(one.add, address, times(offset, partingScale));
    const early = (offset) => put(run.row, known3 ? sumOf(offset) : offset);
    const late = (offset) => known3 ? offset : run.keep(sumOf(offset), type.i32);
    const inner2 = early(op(one.sub, first2, run.index));
    const outer = inside2 ? [] : early(nearest2);
    const within2 = run.branch(() => assign(strided(run, dtype, late(inner2), stride + partingScale)));
    const beyond = run.branch(() => assign(inside2 ? parts.map(() => run.bits(0)) : strided(run, dtype, late(outer), stride)));
    run.at.code.push(run.apart ? when(isIn, within2, beyond) : within2);
  } else if (others2.length === 0) assign(strided(run, dtype, address, stride));
  else if (fast) {
    const first2 = run.keep(op(one.add, run.scalarOf(value2)[0], run.index), type.i32);
    const together = run.branch(() => {
      const here = run.keep(op(one.add, address, times(first2, bytes)), type.i32);
      assign(adjacent(run, dtype, here));
    });
    run.at.code.push(when(op(one.lt_u, first2, integer(last - 2)), together, run.branch(elsewhere)));
  } else elsewhere();
  if (isInside) {
    const mask = run.keep(op(four.splat, op(one.sub, integer(0), isInside)));
    assign(parts.map((part) => op(four.and, part, mask)));
  }
  return { kind, section, ...count2 === 2 ? { pairs: parts } : { vector: parts } };
}
function splitAt(run, { scalar }, last) {
  const [base] = scalar;
  const isNegative = (first3) => op(one.lt_s, first3, integer(0));
  const first2 = run.split(base, (first3) => {
    const beyond = op(one.select, integer(last), integer(2 ** 31 - 1), op(one.le_s, first3, integer(last)));
    return op(one.select, integer(-1), beyond, isNegative(first3));
  });
  const nearest2 = op(one.select, integer(0), integer(last), isNegative(first2));
  const isIn = run.put(run.row, type.i32, op(one.le_u, first2, integer(last)));
  run.partings.push(isIn);
  return [isIn, first2, nearest2];
}
function writeRun(run, dtype, address, value2) {
  run.at = run.body;
  const { bytes, components, float: float2 } = dtypes[dtype];
  const raw2 = components === 2 ? encodeComplex(run, dtype, value2) : [encodeReal(run, dtype, float2, value2)];
  const here = run.keep(op(one.add, address, times(run.index, bytes)), type.i32);
  const kept2 = raw2.map((code3) => run.keep(code3));
  const { code: code2 } = run.at;
  if (!run.tail) {
    if (bytes >= 4) for (const [i, part] of kept2.entries()) code2.push(memory(four.store, 16 * i, here, part));
    else code2.push(memoryLane(false, 4 * bytes, 0, 0, here, kept2[0]));
    return;
  }
  for (let i = 0; i < 3; i++) {
    const part = bytes === 8 && i > 1 ? kept2[1] : kept2[0];
    const write = memoryLane(false, bytes, bytes === 8 ? i & 1 : i, i * bytes, here, part);
    code2.push(i === 0 ? write : when(op(one.lt_s, op(one.add, run.index, integer(i)), run.end), write));
  }
}
function realOf2(run, value2) {
  const [part] = run.vectorOf(value2);
  if (value2.kind === "bool") return op(four.fromI32, op(four.and, part, run.bits(1)));
  return value2.kind === "i32" ? op(four.fromI32, part) : value2.kind === "u32" ? op(four.fromU32, part) : part;
}
function encodeComplex(run, dtype, value2) {
  const pairs2 = value2.kind === "complex" ? run.pairsOf(value2) : run.pairsOf({ kind: "complex", section: run.body, vector: [run.keep(realOf2(run, value2)), run.bits(0)] });
  return dtype === "c64" ? pairs2 : [narrow(run, dtype, rounded(run, pairs2[0]), rounded(run, pairs2[1]))];
}
function encodeReal(run, dtype, isFloat, value2) {
  if (isFloat) return realOf2(run, value2);
  const { kind } = value2;
  const [part] = run.vectorOf(value2);
  const unsigned2 = dtype === "u32";
  const whole2 = kind === "real" || kind === "complex" ? rounded(run, part, unsigned2 ? four.toU32 : four.toI32) : kind === "bool" ? op(four.and, part, run.bits(1)) : kind === "i32" ? unsigned2 ? op(four.max, part, run.bits(0)) : part : unsigned2 ? part : op(four.minu, part, run.bits(2147483647));
  if (unsigned2) return whole2;
  const kept2 = run.keep(whole2);
  return narrow(run, dtype, kept2, kept2);
}
var s8, u8, s16, u16, high16, forms, hasForm, times, lanesOf, lanesTimes, rounded, narrow;
var init_wasm_arrays = __esm({
  "../core/src/expression/wasm-arrays.ts"() {
    "use strict";
    init_layout();
    init_check();
    init_wasm_bytes();
    [s8, u8, s16, u16] = [64768 + 135, 64768 + 137, 64768 + 167, 64768 + 169];
    high16 = 64768 + 168;
    forms = {
      f32: [42, 0, []],
      c64: [42, 0, []],
      u32: [40, 0, []],
      i8: [44, 178, [s8, s16, four.fromI32]],
      u8: [45, 178, [u8, u16, four.fromI32]],
      i16: [46, 178, [s16, four.fromI32]],
      ci8: [44, 178, [s16, four.fromI32], [high16, four.fromI32]],
      ci16: [46, 178, [s16, four.fromI32], [high16, four.fromI32]]
    };
    hasForm = (dtype) => forms[dtype] !== void 0;
    times = (code2, factor) => factor === 1 ? code2 : (factor & factor - 1) === 0 && factor > 0 ? op(one.shl, code2, integer(Math.log2(factor))) : op(one.mul, code2, integer(factor));
    lanesOf = (run, vector) => {
      const kept2 = run.keep(vector);
      return [0, 1, 2, 3].map((i) => run.keep(lane(four.lane, i, kept2), type.i32));
    };
    lanesTimes = (bytes) => {
      const out = [253, 12];
      for (let i = 0; i < 4; i++) out.push(i * bytes, 0, 0, 0);
      return out;
    };
    rounded = (run, code2, instruction = four.toI32) => {
      const x = run.keep(code2);
      const half = op(four.or, op(four.and, x, run.bits(2147483648)), run.bits(1056964607));
      return op(instruction, op(four.fadd, x, half));
    };
    narrow = (run, dtype, a2, b2) => {
      const short = run.keep(op(four.narrow16, a2, b2));
      return dtype.endsWith("16") ? short : op(dtype === "u8" ? four.narrow8u : four.narrow8s, short, short);
    };
  }
});

// ../core/src/expression/wasm-functions.ts
function polynomial(g2, x, coefficients) {
  return coefficients.slice(0, -1).reduceRight((sum2, c2) => op(four.fadd, g2.real(c2), op(four.fmul, x, sum2)), g2.real(coefficients[coefficients.length - 1]));
}
function turned(g2, u, quarters) {
  const v = g2.keep(op(four.fmul, u, u));
  const s = g2.keep(op(four.fmul, u, polynomial(g2, v, sine)));
  const c2 = g2.keep(op(four.fadd, g2.real(1), op(four.fmul, v, polynomial(g2, v, cosine))));
  const odd = g2.keep(op(four.shr_s, op(four.shl, quarters, [65, 31]), [65, 31]));
  return [
    g2.keep(op(four.xor, op(four.pick, s, c2, odd), signOf(g2, op(four.add, quarters, g2.bits(1))))),
    g2.keep(op(four.xor, op(four.pick, c2, s, odd), signOf(g2, quarters)))
  ];
}
function cisOfCycles(g2, x) {
  const rest = g2.keep(op(four.fmul, op(four.fsub, x, op(four.fround, x)), g2.real(4)));
  const quarters = g2.keep(op(four.fround, rest));
  const u = g2.keep(op(four.fmul, op(four.fsub, rest, quarters), g2.real(2)));
  return turned(g2, u, g2.keep(op(four.toI32, quarters)));
}
function cisOfFractions(g2, x) {
  const quarters = g2.keep(op(four.shr_u, op(four.add, x, g2.bits(536870912)), [65, 30]));
  const rest = op(four.sub, x, op(four.shl, quarters, [65, 30]));
  return turned(g2, g2.keep(op(four.fmul, op(four.fromI32, rest), g2.real(2 ** -29))), quarters);
}
function log(g2, x) {
  const zero = g2.real(0);
  const small = g2.keep(op(four.flt, x, g2.real(2 ** -126)));
  const scaled = op(four.pick, op(four.fmul, x, g2.real(2 ** 24)), x, small);
  const half = 1060439283;
  const bits2 = g2.keep(op(four.add, scaled, g2.bits(1065353216 - half)));
  const exponent = op(four.sub, op(four.shr_s, bits2, [65, 23]), op(four.pick, g2.bits(127 + 24), g2.bits(127), small));
  const e = g2.keep(op(four.fromI32, exponent));
  const m = op(four.add, op(four.and, bits2, g2.bits(8388607)), g2.bits(half));
  const f = g2.keep(op(four.fsub, m, g2.real(1)));
  const s = g2.keep(op(four.fdiv, f, op(four.fadd, f, g2.real(2))));
  const v = g2.keep(op(four.fmul, s, s));
  const tail = op(four.fmul, s, op(four.fsub, f, op(four.fmul, v, polynomial(g2, v, logarithm))));
  const low = op(four.fsub, op(four.fmul, e, g2.real(Math.LN2 - 0.693359375)), tail);
  const value2 = op(four.fadd, op(four.fmul, e, g2.real(0.693359375)), op(four.fadd, f, low));
  const number = op(four.and, op(four.fgt, x, zero), op(four.flt, x, g2.real(Number.POSITIVE_INFINITY)));
  const other = op(four.pick, g2.real(Number.NEGATIVE_INFINITY), op(four.fsqrt, x), op(four.feq, x, zero));
  return op(four.pick, value2, other, number);
}
function atan2(g2, y, x) {
  const [a2, b2] = [g2.keep(op(four.fabs, x)), g2.keep(op(four.fabs, y))];
  const [least, most2] = [g2.keep(op(four.fmin, a2, b2)), g2.keep(op(four.fmax, a2, b2))];
  const t = g2.keep(op(four.pick, g2.real(1), op(four.fdiv, least, most2), op(four.feq, least, most2)));
  const v = g2.keep(op(four.fmul, t, t));
  const angle = g2.keep(op(four.fadd, t, op(four.fmul, t, op(four.fmul, v, polynomial(g2, v, arcTangent)))));
  const steep = g2.keep(op(four.pick, op(four.fsub, g2.real(Math.PI / 2), angle), angle, op(four.flt, a2, b2)));
  const whole2 = op(four.pick, op(four.fsub, g2.real(Math.PI), steep), steep, op(four.flt, x, g2.real(0)));
  const signed2 = op(four.or, whole2, op(four.and, y, g2.bits(2147483648)));
  return op(four.andnot, signed2, op(four.feq, most2, g2.real(0)));
}
function magnitude2(g2, re2, im2) {
  const half = (part) => {
    const [a2, b2] = [re2, im2].map((x) => g2.keep(op(four.promote, part(x))));
    return op(four.demote, op(four.dsqrt, op(four.dadd, op(four.dmul, a2, a2), op(four.dmul, b2, b2))));
  };
  return shuffle(
    half((x) => x),
    half(high),
    ...[0, 1, 4, 5]
  );
}
function divide(g2, x, y, signed2, remainder2) {
  const convert = signed2 ? four.dFromI32 : four.dFromU32;
  const half = (part) => {
    const [a2, b2] = [x, y].map((value2) => g2.keep(op(convert, part(value2))));
    const quotient2 = op(remainder2 ? four.dfloor : four.dtrunc, op(four.ddiv, a2, b2));
    return op(four.dadd, remainder2 ? op(four.dsub, a2, op(four.dmul, quotient2, b2)) : quotient2, doubles(6755399441055744));
  };
  const result = shuffle(
    half((value2) => value2),
    half(high),
    ...[0, 2, 4, 6]
  );
  return op(four.andnot, result, op(four.eq, y, g2.bits(0)));
}
var sine, cosine, logarithm, arcTangent, signOf, high;
var init_wasm_functions = __esm({
  "../core/src/expression/wasm-functions.ts"() {
    "use strict";
    init_wasm_bytes();
    sine = [0.7853981609766183, -0.08074543470810147, 0.0024900068014923568, -3595429072511075e-20];
    cosine = [-0.3084251373435548, 0.01585433814731928, -3259613803468745e-19, 354195272813776e-20];
    logarithm = [0.6666668503957586, 0.3998878056602198, 0.2957994939197278];
    arcTangent = [
      -0.3333333173306352,
      0.1999973932983558,
      -0.14278568748210602,
      0.11033764115313455,
      -0.08656880430154522,
      0.06250169444749563,
      -0.03587153898204335,
      0.013507771427020534,
      -0.0023869973167241127
    ];
    signOf = (g2, integer2) => op(four.shl, op(four.and, integer2, g2.bits(2)), [65, 30]);
    high = (x) => shuffle(x, x, 2, 3, 2, 3);
  }
});

// ../core/src/expression/wasm-operators.ts
function isScalar(operator, used) {
  if (operator === "select") return true;
  const kind = used[0].kind === "complex" || used.at(-1)?.kind === "complex" ? "real" : used[0].kind;
  if (used.some((value2) => value2.kind === "complex")) return ["add", "sub", "mul", "div", "neg", "conj"].includes(operator);
  return (instructions[kind][operator]?.[0] ?? 0) > 0;
}
function calculate(run, operator, used, ranges, form) {
  const [x, y, z] = used.map((value2) => form === 0 ? run.scalarOf(value2) : run.vectorOf(value2));
  const kinds2 = used.map((value2) => value2.kind);
  const real2 = (name, ...codes) => op(instructions.real[name][form], ...codes);
  const [first2, second] = kinds2;
  if (operator === "select") return y.map((part, i) => form === 0 ? op(one.select, part, z[i], x[0]) : op(four.pick, part, z[i], x[0]));
  if (operator === "cis") return first2 === "u32" ? cisOfFractions(run, x[0]) : cisOfCycles(run, x[0]);
  if (operator === "finite") return [x.map((part) => isFinite4(run, part)).reduce((a3, b3) => op(four.and, a3, b3))];
  if (first2 === "complex" || second === "complex") {
    if (operator === "abs") return [magnitude2(run, x[0], x[1])];
    if (operator === "conj") return [x[0], real2("neg", x[1])];
    if (operator !== "mul") return x.map((part, i) => real2(operator, part, ...y ? [y[second === "complex" ? i : 0]] : []));
    if (first2 === "real") return y.map((part) => real2("mul", x[0], part));
    if (second === "real") return x.map((part) => real2("mul", part, y[0]));
    return [real2("sub", real2("mul", x[0], y[0]), real2("mul", x[1], y[1])), real2("add", real2("mul", x[0], y[1]), real2("mul", x[1], y[0]))];
  }
  const [a2, b2] = [x[0], y?.[0]];
  switch (operator) {
    case "bits":
      return [a2];
    case "log":
      return [log(run, a2)];
    case "atan2":
      return [atan2(run, a2, b2)];
    case "i32-of":
      return [op(four.toI32, op(four.fround, a2))];
    case "u32-of":
      return [op(four.toU32, op(four.fround, a2))];
    case "mod":
      if (first2 === "real") return [real2("sub", a2, real2("mul", b2, real2("floor", real2("div", a2, b2))))];
      return [quotient(run, ranges, first2 === "i32", true, a2, b2)];
    case "div":
      if (first2 !== "real") return [quotient(run, ranges, first2 === "i32", false, a2, b2)];
      break;
    case "shl":
    case "shr":
      if (form === 1) return [shifted(run, instructions[first2][operator], a2, used[1])];
  }
  return [op(instructions[first2][operator][form], ...y ? [a2, b2] : [a2])];
}
function isFinite4(run, x) {
  const exponent = run.bits(2139095040);
  return op(four.ne, op(four.and, x, exponent), exponent);
}
function shifted(run, [scalar, vector], x, count2) {
  if (count2.stride === 0) return op(vector, x, run.scalarOf(count2)[0]);
  const [counts] = run.vectorOf(count2);
  return [0, 1, 2, 3].reduce(
    (code2, i) => lane(four.lane + 1, i, code2, op(scalar, lane(four.lane, i, x), lane(four.lane, i, counts))),
    x
  );
}
function quotient(run, [[low, high2], [divisor, most2]], signed2, remainder2, x, y) {
  const bits2 = Math.log2(divisor);
  if (divisor === most2 && divisor > 0) {
    if (remainder2 && Number.isInteger(bits2)) return op(four.and, x, run.bits(divisor - 1));
    if (!remainder2 && Number.isInteger(bits2) && low >= 0) return op(four.shr_u, x, integer(bits2));
    if (remainder2 && low >= -divisor && high2 < 2 * divisor) {
      const above = high2 < divisor ? x : op(four.sub, x, op(four.and, op(signed2 ? four.ge : four.geu, x, y), y));
      return low >= 0 ? above : op(four.add, above, op(four.and, op(four.shr_s, x, integer(31)), y));
    }
  }
  return divide(run, x, y, signed2, remainder2);
}
function pairOf(run, operator, [x, y, z]) {
  if (operator === "select") return op(four.pick, y, z, x);
  if (operator === "conj") return op(four.xor, x, run.signs());
  return op(instructions.real[operator][1], ...y ? [x, y] : [x]);
}
var integers3, instructions;
var init_wasm_operators = __esm({
  "../core/src/expression/wasm-operators.ts"() {
    "use strict";
    init_wasm_bytes();
    init_wasm_functions();
    integers3 = {
      add: [one.add, four.add],
      sub: [one.sub, four.sub],
      mul: [one.mul, four.mul],
      and: [one.and, four.and],
      or: [one.or, four.or],
      xor: [one.xor, four.xor],
      eq: [one.eq, four.eq],
      ne: [one.ne, four.ne],
      shl: [one.shl, four.shl]
    };
    instructions = {
      real: {
        add: [146, four.fadd],
        sub: [147, four.fsub],
        mul: [148, four.fmul],
        div: [149, four.fdiv],
        min: [150, four.fmin],
        max: [151, four.fmax],
        neg: [140, four.fneg],
        abs: [139, four.fabs],
        floor: [142, four.ffloor],
        round: [144, four.fround],
        sqrt: [145, four.fsqrt],
        eq: [91, four.feq],
        ne: [92, four.fne],
        lt: [93, four.flt],
        le: [95, four.fle]
      },
      i32: {
        ...integers3,
        lt: [one.lt_s, four.lt],
        le: [one.le_s, four.le],
        min: [0, four.min],
        max: [0, four.max],
        neg: [0, four.neg],
        abs: [0, four.abs],
        not: [0, four.not],
        shr: [one.shr_s, four.shr_s],
        "real-of": [178, four.fromI32]
      },
      u32: {
        ...integers3,
        lt: [one.lt_u, four.ltu],
        le: [one.le_u, four.leu],
        min: [0, four.minu],
        max: [0, four.maxu],
        neg: [0, four.neg],
        not: [0, four.not],
        shr: [one.shr_u, four.shr_u],
        "real-of": [179, four.fromU32]
      },
      bool: { ...integers3, not: [one.eqz, four.not] },
      complex: {}
    };
  }
});

// ../core/src/expression/wasm-run.ts
var typeOf, Run, isZero;
var init_wasm_run = __esm({
  "../core/src/expression/wasm-run.ts"() {
    "use strict";
    init_wasm_bytes();
    typeOf = (kind) => kind === "real" || kind === "complex" ? type.f32 : type.i32;
    Run = class {
      locals;
      once = { code: [], depth: 0 };
      row = { code: [], depth: 1 };
      body = { code: [], depth: 2 };
      /** Where `keep` puts code. */
      at = this.once;
      /** Whether the body is being computed. */
      inBody = false;
      /** Whether the body computes the last one to three elements of a row. */
      tail = false;
      /** Locals of the index along the last axis, the end of the run on this axis, and the row. */
      index;
      end;
      rowIndex;
      isLong;
      /** For each split of rows at an end of an axis: whether the index is on it. Unless `apart`, it is, for all of them. */
      partings = [];
      apart = false;
      /** How often rows are split. */
      splits = 0;
      #ofNodes = /* @__PURE__ */ new Map();
      #known = /* @__PURE__ */ new Map();
      #lanes = /* @__PURE__ */ new Map();
      constructor(parameters, isLong) {
        this.isLong = isLong;
        this.locals = new Locals(parameters);
        [this.index, this.end, this.rowIndex] = [0, 1, 2].map(() => this.locals.new(type.i32));
      }
      keep(code2, kind = type.v128) {
        const variable = this.locals.new(kind, 0);
        this.at.code.push(set(variable, code2));
        return variable;
      }
      /** Computes a value in a section, for all nodes that use it. */
      put(section, kind, code2) {
        const variable = this.variable(section, kind);
        section.code.push(set(variable, code2));
        return variable;
      }
      /** A local for a value of a section. */
      variable(section, kind) {
        return this.locals.new(kind, this.inBody && section !== this.once && section !== this.row ? 1 : void 0);
      }
      /** What is computed in a section only once, whatever asks for it. */
      shared(section, key, kind, code2) {
        let found = this.#known.get(key);
        if (!found) {
          found = this.put(section, kind, code2());
          this.#known.set(key, found);
        }
        return found;
      }
      bits(value2) {
        return this.shared(this.once, value2 >>> 0, type.v128, () => words2(value2, value2, value2, value2));
      }
      real(value2) {
        return this.bits(bitsOf(value2));
      }
      /** The sign bit of every other number: what conjugates pairs. */
      signs() {
        return this.shared(this.once, "signs", type.v128, () => words2(0, 2147483648, 0, 2147483648));
      }
      /** The 32-bit word of the argument with this number. */
      word(number, instruction) {
        const kind = instruction === one.loadF32 ? type.f32 : type.i32;
        return this.shared(this.once, `word ${number}`, kind, () => memory(instruction, 4 * number, local(0)));
      }
      /** Begins the code of four elements, or of the last few. */
      begin(tail, apart) {
        this.apart = apart;
        this.inBody = true;
        this.tail = tail;
        this.body = { code: [], depth: 2 };
        this.#lanes = /* @__PURE__ */ new Map();
        this.locals.end(1);
      }
      /** Code in a list of its own, which a branch can run. */
      branch(write) {
        const outer = this.at;
        this.at = { code: [], depth: outer.depth };
        write();
        const { code: code2 } = this.at;
        this.at = outer;
        return code2;
      }
      /** `stride` times the indices of the elements along the last axis. The last few elements of a row count again in place of more. */
      indices(stride) {
        let found = this.#lanes.get(stride);
        if (!found) {
          let code2;
          if (stride !== 1) code2 = op(four.mul, this.indices(1), this.bits(stride));
          else {
            const lanes3 = this.shared(this.once, "lanes", type.v128, () => words2(0, 1, 2, 3));
            const last = op(four.splat, op(one.sub, op(one.sub, this.end, this.index), integer(1)));
            code2 = op(four.add, op(four.splat, this.index), this.tail ? op(four.min, lanes3, last) : lanes3);
          }
          found = this.put(this.body, type.v128, code2);
          this.#lanes.set(stride, found);
        }
        return found;
      }
      /**
       * Ends the current part of the row before an index that grows by 1 along the row passes `limit`, or the largest i32 if it is beyond.
       * Each part has the code of the row to itself. Returns the index of its first element.
       */
      split(base, limit2) {
        this.splits++;
        const first2 = this.put(this.row, type.i32, op(one.add, base, this.index));
        const room = this.put(this.row, type.i32, op(one.sub, limit2(first2), first2));
        const left = op(one.sub, op(one.sub, this.end, this.index), integer(1));
        const fits4 = op(one.lt_u, room, left);
        this.row.code.push(when(fits4, set(this.end, op(one.add, op(one.add, this.index, room), integer(1)))));
        return first2;
      }
      /** Whether an index grows by 1 along a row, and a row may be split for it. */
      canSplit({ stride, section }) {
        return stride === 1 && this.isLong && this.splits < 4 && (section === this.once || section === this.row);
      }
      /** What is known of the node with this place in both bodies. */
      ofNode(place2, make) {
        if (!this.#ofNodes.has(place2)) this.#ofNodes.set(place2, make());
        return this.#ofNodes.get(place2);
      }
      /** The innermost of the sections of some values. */
      inner(...sections) {
        return sections.reduce((a2, b2) => b2.depth > a2.depth ? b2 : a2, this.once);
      }
      /** One number of each part of a value with stride. */
      scalarOf(value2) {
        value2.scalar ??= value2.vector.map((part) => {
          const kind = typeOf(value2.kind);
          const code2 = lane(kind === type.f32 ? four.flane : four.lane, 0, part);
          return this.put(value2.section, kind, value2.kind === "bool" ? op(one.and, code2, integer(1)) : code2);
        });
        return value2.scalar;
      }
      vectorOf(value2) {
        if (value2.vector) return value2.vector;
        const { kind, section, stride, pairs: pairs2 } = value2;
        const put = (code2, within2 = section) => this.put(within2, type.v128, code2);
        if (pairs2) value2.vector = [put(shuffle(pairs2[0], pairs2[1], 0, 2, 4, 6)), put(shuffle(pairs2[0], pairs2[1], 1, 3, 5, 7))];
        else {
          const splat = (part) => typeOf(kind) === type.f32 ? op(four.fsplat, part) : op(four.splat, kind === "bool" ? op(one.sub, integer(0), part) : part);
          const parts = value2.scalar;
          if (!stride) value2.vector = parts.map((part) => put(splat(part)));
          else if (isZero(parts[0])) value2.vector = [this.indices(stride)];
          else value2.vector = [put(op(four.add, this.indices(stride), put(splat(parts[0]))), this.inner(section, this.body))];
        }
        return value2.vector;
      }
      pairsOf(value2) {
        if (value2.pairs) return value2.pairs;
        const { kind, section, stride } = value2;
        const [a2, b2 = a2] = this.vectorOf(value2);
        const put = (...lanes3) => this.put(section, type.v128, shuffle(a2, b2, ...lanes3));
        if (kind === "complex") value2.pairs = [put(0, 4, 1, 5), put(2, 6, 3, 7)];
        else if (stride === 0) value2.pairs = [a2, a2];
        else value2.pairs = [put(0, 0, 1, 1), put(2, 2, 3, 3)];
        return value2.pairs;
      }
    };
    isZero = (code2) => code2[0] === 65 && code2[1] === 0;
  }
});

// ../core/src/expression/wasm-taps.ts
function taps(run, base, { dtype, shape }, axis, weights, indices, ranges) {
  const { bytes } = dtypes[dtype];
  const kind = kindOfElement(dtype);
  const used = [...weights, ...indices];
  const isUniform = used.every(({ stride }) => stride === 0);
  const section = run.inner(...isUniform ? [] : [run.body], ...used.map((value2) => value2.section));
  const scales = shape.map((_3, a2) => bytes * shape.slice(a2 + 1).reduce((product3, extent) => product3 * extent, 1));
  const pitch = scales[axis];
  const count2 = weights.length;
  const last = Math.min(shape[axis], 2 ** 31) - 1;
  const isWithin = (a2, highest) => ranges[a2][0] >= 0 && ranges[a2][1] <= highest;
  const scaled = (index, scale) => scale === 1 ? index : (scale & scale - 1) === 0 ? op(four.shl, index, integer(Math.log2(scale))) : op(four.mul, index, run.bits(scale));
  const first2 = run.vectorOf(indices[axis])[0];
  const vectors = indices.map((index) => run.vectorOf(index)[0]);
  const weightOf = weights.map((weight) => run.vectorOf(weight)[0]);
  run.at = section;
  const masks = [];
  const own = run.keep(
    vectors.reduce(
      (sum3, index, a2) => {
        if (a2 === axis) return sum3;
        if (isWithin(a2, shape[a2] - 1)) return op(four.add, sum3, scaled(index, scales[a2]));
        const mask = run.keep(op(four.leu, index, run.bits(Math.min(shape[a2], 2 ** 31) - 1)));
        masks.push(mask);
        return op(four.add, sum3, scaled(op(four.and, index, mask), scales[a2]));
      },
      op(four.splat, base)
    )
  );
  const totals = Array.from({ length: kind === "complex" ? 2 : 1 }, () => run.variable(section, type.v128));
  const products = (j, parts, mask) => parts.map((part, half) => {
    const spread2 = (vector) => {
      if (kind !== "complex") return vector;
      return half === 0 ? shuffle(vector, vector, 0, 0, 1, 1) : shuffle(vector, vector, 2, 2, 3, 3);
    };
    const weight = weights[j].stride === 0 ? weightOf[j] : spread2(weightOf[j]);
    const product3 = op(four.fmul, weight, part);
    return mask ? op(four.and, product3, spread2(mask)) : product3;
  });
  const sum2 = (parts) => {
    for (let j = 0; j < count2; j++)
      for (const [half, part] of parts(j).entries())
        run.at.code.push(set(totals[half], j === 0 ? part : op(four.fadd, totals[half], part)));
  };
  const apart = () => sum2((j) => {
    const index = run.keep(j === 0 ? first2 : op(four.add, first2, run.bits(j)));
    const inside2 = op(four.leu, index, run.bits(last));
    const mask = run.keep(masks.reduce((all, other) => op(four.and, all, other), inside2));
    const address = run.keep(op(four.add, own, scaled(op(four.and, index, mask), pitch)));
    const addresses = isUniform ? new Array(4).fill(run.keep(lane(four.lane, 0, address), type.i32)) : lanesOf(run, address);
    return products(j, gathered(run, dtype, addresses), mask);
  });
  const farthest = (count2 - 1) * pitch;
  if (isUniform || run.tail || last + 1 < count2 || farthest + 32 >= 2 ** 31) apart();
  else {
    const together = () => {
      const addresses = run.keep(op(four.add, own, scaled(first2, pitch)));
      const start = run.keep(lane(four.lane, 0, addresses), type.i32);
      const expected = op(
        four.add,
        op(four.splat, start),
        run.shared(run.once, `lanes ${bytes}`, type.v128, () => lanesTimes(bytes))
      );
      const neighbours = run.branch(() => sum2((j) => products(j, adjacent(run, dtype, start, j * pitch))));
      const scattered = run.branch(() => {
        const starts = lanesOf(run, addresses);
        sum2((j) => products(j, gathered(run, dtype, starts, 0, j * pitch)));
      });
      run.at.code.push(when(op(four.all, op(four.eq, addresses, expected)), neighbours, scattered));
    };
    const highest = last + 1 - count2;
    const conditions = [...isWithin(axis, highest) ? [] : [op(four.leu, first2, run.bits(highest))], ...masks];
    if (conditions.length === 0) together();
    else {
      const all = conditions.reduce((a2, b2) => op(four.and, a2, b2));
      const [near, far] = [run.branch(together), run.branch(apart)];
      run.at.code.push(when(op(four.all, all), near, far));
    }
  }
  if (kind !== "complex") return { kind, section, vector: totals, ...isUniform && { stride: 0 } };
  if (!isUniform) return { kind, section, pairs: totals };
  const put = (...lanes3) => run.put(section, type.v128, shuffle(totals[0], totals[1], ...lanes3));
  return { kind, section, stride: 0, vector: [put(0, 2, 4, 6), put(1, 3, 5, 7)] };
}
var init_wasm_taps = __esm({
  "../core/src/expression/wasm-taps.ts"() {
    "use strict";
    init_layout();
    init_check();
    init_wasm_arrays();
    init_wasm_bytes();
  }
});

// ../core/src/expression/wasm.ts
function wasmOfExpression({ nodes, results }, facts, domain, form) {
  const outputs = form.kind === "load" ? ["c64"] : form.kind === "store" ? [form.dtype] : form.outputs;
  const names = Object.keys(domain.sources);
  if (![...names.map((name) => domain.sources[name].dtype), ...outputs].every(hasForm)) return void 0;
  const uniforms = Object.keys(domain.uniforms ?? {});
  const firstUniform = names.length + (form.kind === "map" ? outputs.length : 0);
  const { shape } = domain;
  const last = shape.length - 1;
  const { live, asPairs } = usesOf(nodes, results, facts, outputs, last);
  const isHere = (node2) => (node2[0] === "load" || node2[0] === "inside") && domain.sources[node2[1]].shape.length === shape.length && shape.every((length, axis) => {
    const index = nodes[node2[axis + 2]];
    return domain.sources[node2[1]].shape[axis] === length && index[0] === "index" && index[1] === axis;
  });
  const items = shape.reduce((product3, length) => product3 * length, 1);
  const isFlat = items < 2 ** 31 && !results.some((place2) => nodes[place2][0] === "index") && nodes.every((node2, place2) => !live[place2] || isHere(node2) || !facts[place2].operands.some((operand) => nodes[operand][0] === "index"));
  const extent = isFlat ? items : shape[last];
  const inSums = /* @__PURE__ */ new Map();
  for (const [place2, isLive] of live.entries()) {
    const sum3 = facts[place2].sums.at(-1);
    if (isLive && sum3 !== void 0) inSums.set(sum3, [...inSums.get(sum3) ?? [], place2]);
  }
  const varies = (place2) => facts[place2].value || facts[place2].axes[last];
  const parameters = form.kind === "store" ? 5 : 4;
  const run = new Run(parameters, extent >= 64);
  const values = [];
  const sections = /* @__PURE__ */ new Map();
  const terms = /* @__PURE__ */ new Map();
  const compute = (place2) => {
    const node2 = nodes[place2];
    run.at = run.once;
    values[place2] = node2[0] === "sum" ? sum2(place2, node2) : nodeValue(place2, node2);
    run.locals.end(0);
  };
  const nodeValue = (place2, node2) => {
    const { kind, operands } = facts[place2];
    const constant2 = (code2) => ({ kind, section: run.once, stride: 0, scalar: [code2] });
    switch (node2[0]) {
      case "real":
        return constant2(float(node2[1]));
      case "i32":
      case "u32":
        return constant2(integer(node2[1]));
      case "bool":
        return constant2(integer(node2[1] ? 1 : 0));
      case "uniform": {
        const instruction = kind === "real" ? one.loadF32 : one.load;
        return constant2(run.word(firstUniform + uniforms.indexOf(node2[1]), instruction));
      }
      case "index":
        return node2[1] === last ? { kind, section: run.once, stride: 1, scalar: [integer(0)] } : { kind, section: run.row, stride: 0, scalar: [rowIndex(node2[1])] };
      case "value":
        run.at = run.body;
        return { kind, section: run.body, pairs: readRun(run, "c64", input).map((part) => run.put(run.body, type.v128, part)) };
      case "term":
        return terms.get(node2[1]);
      case "load":
      case "inside": {
        const indices = operands.map((operand) => values[operand]);
        const ranges = operands.map((operand) => facts[operand].range);
        const base = run.word(names.indexOf(node2[1]), one.load);
        if (isFlat && isHere(node2)) {
          const flat = { kind: "i32", section: run.once, stride: 1, scalar: [integer(0)] };
          return load(run, base, { ...domain.sources[node2[1]], shape: [items] }, [flat], [[0, items - 1]], false, place2);
        }
        return load(run, base, domain.sources[node2[1]], indices, ranges, node2[0] === "inside", place2);
      }
      case "taps": {
        const [, name, axis, count2] = node2;
        const used = operands.map((operand) => values[operand]);
        const ranges = operands.slice(count2).map((operand) => facts[operand].range);
        return taps(
          run,
          run.word(names.indexOf(name), one.load),
          domain.sources[name],
          axis,
          used.slice(0, count2),
          used.slice(count2),
          ranges
        );
      }
      default:
        return operation2(place2, node2[0]);
    }
  };
  const rowIndex = (axis) => {
    const inner2 = shape.slice(axis + 1, last).reduce((product3, length) => product3 * length, 1);
    const line = inner2 === 1 ? run.rowIndex : op(one.div_u, run.rowIndex, integer(inner2));
    return run.put(run.row, type.i32, axis === 0 ? line : op(one.rem_u, line, integer(shape[axis])));
  };
  const operation2 = (place2, operator) => {
    const { kind, operands } = facts[place2];
    const used = operands.map((operand) => values[operand]);
    const section = run.inner(...used.map((value2) => value2.section));
    const [x, y] = used;
    const evenly = evenlySpaced(operator, kind, used, operands) ?? (operator === "mod" ? wrapped(place2, used, operands) : void 0);
    if (evenly) return evenly;
    const isUniform = used.every(({ stride }) => stride === 0);
    const complex2 = (parts2) => ({
      ...{ kind, section, ...isUniform ? { stride: 0 } : {} },
      ...isUniform && used.every(({ scalar }) => scalar) ? { scalar: parts2 } : { vector: parts2 }
    });
    const partsOf = (value2) => isUniform && used.every(({ scalar }) => scalar) ? run.scalarOf(value2) : run.vectorOf(value2);
    if (operator === "re") return complex2([partsOf(x)[0]]);
    if (operator === "im") return complex2([partsOf(x)[1]]);
    if (operator === "complex") return complex2([partsOf(x)[0], partsOf(y)[0]]);
    const inner2 = run.inner(section, ...isUniform ? [] : [run.body]);
    run.at = isUniform ? section : inner2;
    if (asPairs[place2] && used.every((value2) => value2.kind !== "complex" || value2.pairs || value2.stride === 0)) {
      const pairs2 = used.map((value2) => run.pairsOf(value2));
      const parts2 = [0, 1].map(
        (half) => pairOf(
          run,
          operator,
          pairs2.map((pair2) => pair2[half])
        )
      );
      return { kind, section: inner2, pairs: parts2.map((code2) => run.put(inner2, type.v128, code2)) };
    }
    const scalars2 = isUniform && isScalar(operator, used);
    const parts = calculate(
      run,
      operator,
      used,
      operands.map((operand) => facts[operand].range),
      scalars2 ? 0 : 1
    );
    const scalarType = kind === "real" || kind === "complex" ? type.f32 : type.i32;
    const kept2 = parts.map((code2) => run.put(run.at, scalars2 ? scalarType : type.v128, code2));
    return { kind, section: run.at, ...isUniform ? { stride: 0 } : {}, ...scalars2 ? { scalar: kept2 } : { vector: kept2 } };
  };
  const evenlySpaced = (operator, kind, used, operands) => {
    const [a2, b2] = used.map(({ stride: stride2 }) => stride2);
    if (kind !== "i32" && kind !== "u32" || a2 === void 0 || used.length > 1 && b2 === void 0 || used[0].kind === "real")
      return void 0;
    const [first2, second = first2] = operands.map((operand) => constantOf(nodes[operand]));
    let stride = 0;
    if (operator === "add") stride = a2 + b2;
    else if (operator === "sub") stride = a2 - b2;
    else if (operator === "neg") stride = -a2;
    else if (operator === "bits") stride = a2;
    else if (operator === "mul" && second !== void 0) stride = Math.imul(a2, second);
    else if (operator === "mul" && first2 !== void 0) stride = Math.imul(b2, first2);
    else if (operator === "shl" && second !== void 0) stride = Math.imul(a2, 1 << (second & 31));
    else return void 0;
    if (stride === 0 && (a2 || b2)) return void 0;
    const section = run.inner(...used.map((value2) => value2.section));
    const parts = used.map((value2) => run.scalarOf(value2)[0]);
    if (operator === "bits") return { kind, section, stride, scalar: parts };
    const code2 = operator === "neg" ? op(one.sub, integer(0), parts[0]) : op(instructions.i32[operator][0], ...parts);
    return { kind, section, stride: stride | 0, scalar: [run.put(section, type.i32, code2)] };
  };
  const wrapped = (place2, [x], operands) => {
    const { kind } = facts[place2];
    const [low, high2] = facts[operands[0]].range;
    const divisor = constantOf(nodes[operands[1]]) ?? 0;
    if (kind === "real" || divisor < 64 || divisor >= 2 ** 31 || low >= 0 && high2 < divisor) return void 0;
    const scalar = run.ofNode(place2, () => {
      if (!run.canSplit(x)) return void 0;
      let rest2 = [];
      run.split(run.scalarOf(x)[0], (first2) => {
        const remainder2 = op(kind === "i32" ? one.rem_s : one.rem_u, first2, integer(divisor));
        rest2 = run.put(run.row, type.i32, remainder2);
        if (kind === "i32")
          run.row.code.push(set(rest2, op(one.add, rest2, op(one.and, op(one.shr_s, rest2, integer(31)), integer(divisor)))));
        const most2 = kind === "i32" ? integer(2 ** 31 - 1) : integer(2 ** 32 - 1);
        const next = run.put(run.row, type.i32, op(one.sub, integer(divisor - 1), rest2));
        const fits4 = op(one.lt_u, next, op(one.sub, most2, first2));
        return op(one.select, op(one.add, first2, next), most2, fits4);
      });
      return [run.put(run.row, type.i32, op(one.sub, rest2, run.index))];
    });
    return scalar && { kind, section: run.row, stride: 1, scalar };
  };
  const sum2 = (place2, [, number, count2, term, most2]) => {
    const { kind, sums } = facts[place2];
    const outer = sums.length > 0 ? sections.get(sums[sums.length - 1]) : varies(place2) ? run.body : facts[place2].axes.some(Boolean) ? run.row : run.once;
    const inner2 = { code: [], depth: outer.depth + 1 };
    sections.set(number, inner2);
    const index = run.variable(inner2, type.i32);
    terms.set(number, { kind: "i32", section: inner2, stride: 0, scalar: [index] });
    for (const inSum of inSums.get(number) ?? []) compute(inSum);
    const value2 = values[term];
    const isUniform = value2.stride === 0;
    const scalarType = !isUniform ? type.v128 : kind === "real" || kind === "complex" ? type.f32 : type.i32;
    const isPairs = asPairs[place2] && value2.pairs !== void 0 && !isUniform;
    const parts = isPairs ? run.pairsOf(value2) : isUniform ? run.scalarOf(value2) : run.vectorOf(value2);
    const [scalar, vector] = instructions[kind === "complex" ? "real" : kind].add;
    const zero = !isUniform ? run.bits(0) : scalarType === type.f32 ? float(0) : integer(0);
    const totals = parts.map(() => run.put(outer, scalarType, zero));
    for (const [i, total] of totals.entries()) inner2.code.push(set(total, op(isUniform ? scalar : vector, total, parts[i])));
    inner2.code.push(set(index, op(one.add, index, integer(1))));
    const [terms1] = run.scalarOf(values[count2]);
    const end = run.put(outer, type.i32, op(one.select, terms1, integer(most2), op(one.lt_s, terms1, integer(most2))));
    outer.code.push(set(index, integer(0)));
    outer.code.push(when(op(one.lt_s, integer(0), end), loop(inner2.code, op(one.lt_s, index, end))));
    return {
      ...{ kind, section: outer },
      ...isUniform ? { stride: 0, scalar: totals } : isPairs ? { pairs: totals } : { vector: totals }
    };
  };
  const start = local(1);
  const stop = form.kind === "map" ? local(2) : run.put(run.once, type.i32, op(one.add, start, local(2)));
  const rowOf3 = (address, bytes) => {
    const size = integer(bytes);
    const first2 = form.kind === "map" ? address : run.put(run.once, type.i32, op(one.sub, address, op(one.mul, start, size)));
    return run.put(run.row, type.i32, op(one.add, first2, op(one.mul, op(one.sub, start, run.index), size)));
  };
  const row = run.row.code;
  row.push(set(run.rowIndex, op(one.div_u, start, integer(extent))));
  row.push(set(run.index, op(one.sub, start, op(one.mul, run.rowIndex, integer(extent)))));
  row.push(set(run.end, op(one.add, run.index, op(one.sub, stop, start))));
  if (form.kind === "map") row.push(set(run.end, op(one.select, run.end, integer(extent), op(one.lt_u, run.end, integer(extent)))));
  const input = form.kind === "store" ? rowOf3(local(3), 8) : [];
  const targets = outputs.map((dtype, i) => {
    const address = form.kind === "map" ? run.word(names.length + i, one.load) : local(parameters - 1);
    return rowOf3(address, dtypes[dtype].bytes);
  });
  const places2 = nodes.map((_3, place2) => place2).filter((place2) => live[place2] && facts[place2].sums.length === 0);
  for (const place2 of places2) if (!varies(place2)) compute(place2);
  const body2 = (tail, apart) => {
    run.begin(tail, apart);
    for (const place2 of places2) if (varies(place2)) compute(place2);
    for (const [i, place2] of results.entries()) {
      writeRun(run, outputs[i], targets[i], values[place2]);
      run.locals.end(0);
    }
    return run.body.code;
  };
  const isSmall = inSums.size === 0 && live.filter((isLive, place2) => isLive && varies(place2)).length <= 32;
  const fours = (code2) => {
    const step3 = [code2, set(run.index, op(one.add, run.index, integer(4)))];
    if (!isSmall) return when(more, loop(step3, more));
    const two2 = op(one.lt_s, run.index, op(one.sub, beforeEnd, integer(4)));
    return [when(two2, loop([step3, step3], two2)), when(more, loop(step3, more))];
  };
  const beforeEnd = run.variable(run.row, type.i32);
  const more = op(one.lt_s, run.index, beforeEnd);
  const loops = fours(body2(false, false));
  const allInside = run.partings.reduce((all, flag) => all ? op(one.and, all, flag) : flag, void 0);
  const rowLoops = allInside ? when(allInside, loops, fours(body2(false, true))) : loops;
  const rest = body2(true, true);
  row.push(set(beforeEnd, op(one.sub, run.end, integer(3))));
  row.push(set(start, op(one.add, start, op(one.sub, run.end, run.index))));
  row.push(rowLoops);
  row.push(when(op(one.lt_s, run.index, run.end), rest));
  const isMore = op(one.lt_u, start, stop);
  run.once.code.push(form.kind === "map" || run.splits > 0 ? when(isMore, loop(row, isMore)) : row);
  return moduleOf(parameters, run.locals, run.once.code);
}
function usesOf(nodes, results, facts, outputs, last) {
  const live = nodes.map(() => false);
  const asPairs = nodes.map(() => true);
  for (const [i, place2] of results.entries()) {
    live[place2] = true;
    if (!outputs[i].startsWith("c")) asPairs[place2] = false;
  }
  for (let place2 = nodes.length - 1; place2 >= 0; place2--) {
    if (!live[place2]) continue;
    const { kind, operands } = facts[place2];
    const isProduct = nodes[place2][0] === "mul" && operands.every((operand) => facts[operand].kind === "complex");
    asPairs[place2] &&= kind === "complex" && paired.includes(nodes[place2][0]) && !isProduct;
    for (const operand of operands) {
      live[operand] = true;
      asPairs[operand] &&= asPairs[place2];
    }
  }
  for (const [place2, { operands, axes, value: value2 }] of facts.entries()) {
    const varies = (axesOf, hasValue) => axesOf[last] || hasValue;
    asPairs[place2] &&= varies(axes, value2);
    asPairs[place2] &&= operands.every((operand) => {
      const { kind, axes: axes2, value: value3 } = facts[operand];
      return kind !== "complex" || asPairs[operand] || !varies(axes2, value3) || ["load", "inside", "taps", "value"].includes(nodes[operand][0]);
    });
  }
  return { live, asPairs };
}
var paired, constantOf;
var init_wasm = __esm({
  "../core/src/expression/wasm.ts"() {
    "use strict";
    init_layout();
    init_wasm_arrays();
    init_wasm_bytes();
    init_wasm_operators();
    init_wasm_run();
    init_wasm_taps();
    paired = ["add", "sub", "neg", "conj", "mul", "div", "select", "sum"];
    constantOf = (node2) => node2[0] === "i32" || node2[0] === "u32" ? node2[1] : void 0;
  }
});

// ../core/src/expression/wgsl-taps.ts
function wgslOfTaps(to, zero, source, shape, axis, weights, indices, ranges) {
  const count2 = weights.length;
  const extent = shape[axis];
  const first2 = indices[axis];
  const pitch = shape.slice(axis + 1).reduce((product4, length) => product4 * length, 1);
  const others2 = indices.flatMap((index, a2) => a2 === axis ? [] : within(index, shape[a2] - 1, ranges[a2]));
  const all = within(first2, extent - count2, ranges[axis]);
  const flat = indices.map((index) => `u32(${index})`).reduce((sum3, index, a2) => `(${sum3}) * ${shape[a2]}u + ${index}`);
  const product3 = (j, at) => `${to} += ${weights[j]} * load_${source}(${at});`;
  const start = `let ${to}s = ${flat};`;
  const place2 = (j) => j === 0 ? `${to}s` : `${to}s + ${j * pitch}u`;
  const together = weights.map((_3, j) => product3(j, place2(j)));
  const apart = weights.map((_3, j) => `if (u32(${first2} + ${j}i) < ${extent}u) { ${product3(j, place2(j))} }`);
  const sum2 = extent < count2 ? apart : all.length === 0 ? together : [`if (${all[0]}) {`, ...together, "} else {", ...apart, "}"];
  const guarded = others2.length > 0 ? [`if (${others2.join(" && ")}) {`, ...sum2, "}"] : sum2;
  return [`var ${to} = ${zero};`, start, ...guarded];
}
var within;
var init_wgsl_taps = __esm({
  "../core/src/expression/wgsl-taps.ts"() {
    "use strict";
    within = (index, last, [low, high2]) => low >= 0 && high2 <= last ? [] : [last < 2 ** 31 ? `u32(${index}) <= ${last}u` : `${index} >= 0i`];
  }
});

// ../core/src/expression/wgsl.ts
function wgslOfHook(expression, facts, domain) {
  const { lines: lines2, complex: complex2 } = bodyOf(expression, facts, domain, indexOfHook);
  return `${lines2.join("\n")}
return ${complex2(expression.results[0])};`;
}
function wgslOfPair(expression, facts, domain, axis) {
  const { lines: lines2, complex: complex2 } = bodyOf(expression, facts, domain, indexOfHook, axis);
  const [result] = expression.results;
  return `${lines2.join("\n")}
return vec4f(${complex2(result, "a")}, ${complex2(result, "b")});`;
}
function wgslOfMap(expression, facts, domain, outputs) {
  const { shape } = domain;
  const index = (axis) => {
    const stride = shape.slice(axis + 1).reduce((a2, b2) => a2 * b2, 1);
    const whole2 = stride === 1 ? "item" : `item / ${stride}u`;
    return `i32(${axis === 0 ? whole2 : `${whole2} % ${shape[axis]}u`})`;
  };
  const { lines: lines2, name, real: real2, complex: complex2 } = bodyOf(expression, facts, domain, index, void 0, "item");
  const value2 = (dtype, place2) => {
    if (isComplex(dtype)) return complex2(place2);
    if (dtype !== "u32") return real2(place2);
    const { kind } = facts[place2];
    return kind === "u32" ? name(place2) : kind === "i32" ? `u32(max(${name(place2)}, 0i))` : `round_u32(${real2(place2)})`;
  };
  Object.entries(outputs).forEach(([output, dtype], i) => {
    lines2.push(`store_${output}(item, ${value2(dtype, expression.results[i])});`);
  });
  return lines2.join("\n");
}
function bodyOf({ nodes, results }, facts, { shape, sources }, index, pair2, flat) {
  const lines2 = [];
  const isPair = (place2) => pair2 !== void 0 && facts[place2].axes[pair2];
  const name = (place2, side2 = "") => `n${place2}${isPair(place2) ? side2 : ""}`;
  const real2 = (place2, side2) => {
    const { kind } = facts[place2];
    const from = name(place2, side2);
    return kind === "real" ? from : kind === "complex" ? `${from}.x` : kind === "bool" ? `select(0.0, 1.0, ${from})` : realOf3(from, facts[place2]);
  };
  const complex2 = (place2, side2) => facts[place2].kind === "complex" ? name(place2, side2) : `vec2f(${real2(place2, side2)}, 0.0)`;
  const isFlat = (place2) => {
    const [operator, source] = nodes[place2];
    if (flat === void 0 || operator !== "load" && operator !== "inside") return false;
    const layout2 = sources[source];
    return layout2.shape.length === shape.length && facts[place2].operands.every((at, axis) => isIndex(at, axis, layout2.shape[axis]));
  };
  const isIndex = (place2, axis, extent) => nodes[place2][0] === "index" && nodes[place2][1] === axis && shape[axis] === extent;
  const load4 = (declaration, to, place2, side2, slide) => {
    const [operator, source] = nodes[place2];
    const extents = sources[source].shape;
    const conditions = [];
    const indices = facts[place2].operands.map((operand, axis) => {
      const at = operand === slide?.index ? slide.base : operand;
      const from = name(at, side2);
      const [low, high2] = facts[at].range;
      const last = extents[axis] - 1;
      if (operator === "inside") {
        if (low < 0 || high2 > last) conditions.push(last < 2 ** 31 ? `u32(${from}) < ${last + 1}u` : `${from} >= 0i`);
        return `u32(${from})`;
      }
      const above = low < 0 ? `max(${from}, 0i)` : from;
      return `u32(${high2 > last ? `min(${above}, ${last}i)` : above})`;
    });
    const text3 = `load_${source}(${isFlat(place2) ? flat : indices.reduce((sum2, at, axis) => `(${sum2}) * ${extents[axis]}u + ${at}`)})`;
    if (conditions.length === 0) lines2.push(`${declaration} ${to} = ${text3};`);
    else lines2.push(`var ${to} = ${zeros[facts[place2].kind]};`, `if (${conditions.join(" && ")}) { ${to} = ${text3}; }`);
  };
  const emit = (place2, side2) => {
    const [operator, first2] = nodes[place2];
    const { kind, operands } = facts[place2];
    const to = name(place2, side2);
    const declare = (text3) => lines2.push(`let ${to} = ${text3};`);
    const names = operands.map((operand) => name(operand, side2));
    if (operator === "load" || operator === "inside") load4("let", to, place2, side2);
    else if (operator === "taps") {
      const [, source, axis, count2] = nodes[place2];
      const indices = operands.slice(count2).map((operand) => facts[operand].range);
      lines2.push(...wgslOfTaps(to, zeros[kind], source, sources[source].shape, axis, names.slice(0, count2), names.slice(count2), indices));
    } else if (operator === "index") declare(index(first2, side2));
    else if (operator === "uniform") declare(`uniforms.${first2}`);
    else if (operator === "value") declare("value");
    else if (operands.length === 0) declare(literal(kind, first2));
    else {
      const part = (suffix, text3) => {
        lines2.push(`let ${to}${suffix} = ${text3};`);
        return to + suffix;
      };
      declare(
        operation(
          operator,
          names,
          operands.map((operand) => facts[operand]),
          ["floor", "round"].includes(nodes[operands[0]][0]),
          part
        )
      );
    }
  };
  const blocks = /* @__PURE__ */ new Map();
  const terms = /* @__PURE__ */ new Map();
  const needed = /* @__PURE__ */ new Set();
  for (let rest = [...results]; rest.length > 0; ) {
    const place2 = rest.pop();
    if (needed.has(place2)) continue;
    needed.add(place2);
    if (!isFlat(place2)) rest.push(...facts[place2].operands);
  }
  for (const place2 of [...needed].sort((a2, b2) => a2 - b2)) {
    const sum2 = facts[place2].sums.at(-1);
    if (nodes[place2][0] === "term") terms.set(sum2, place2);
    else if (!blocks.get(sum2)?.push(place2)) blocks.set(sum2, [place2]);
  }
  const slideOf = (place2, sum2) => {
    const [operator] = nodes[place2];
    if (!isPair(place2) || operator !== "load" && operator !== "inside") return void 0;
    const [index2, ...more] = facts[place2].operands.filter((at) => isPair(at) || facts[at].sums.includes(sum2));
    const [how, a2, b2] = nodes[index2];
    const term = terms.get(sum2);
    const base = b2 === term ? a2 : a2 === term && how === "add" ? b2 : void 0;
    if (more.length > 0 || how !== "add" && how !== "sub" || base === void 0 || facts[base].sums.includes(sum2))
      return void 0;
    return { index: index2, base, sides: how === "add" ? ["b", "a"] : ["a", "b"] };
  };
  const isSum = (place2) => nodes[place2][0] === "sum";
  const loop2 = (sum2, slides) => {
    const [, number, count2, term, most2] = nodes[sum2];
    for (const [place2, slide] of slides) load4("var", `n${place2}h`, place2, slide.sides[1], slide);
    const at = terms.has(number) ? name(terms.get(number)) : `${name(sum2)}t`;
    const [low, high2] = facts[count2].range;
    const end = low === high2 ? `${Math.min(low, most2)}i` : `min(${name(count2)}, ${most2}i)`;
    lines2.push(`for (var ${at} = 0i; ${at} < ${end}; ${at}++) {`);
    block(number, slides);
    for (const [place2, { sides }] of slides) lines2.push(`n${place2}h = ${name(place2, sides[0])};`);
    for (const side2 of sidesOf(sum2)) lines2.push(`${name(sum2, side2)} += ${name(term, side2)};`);
    lines2.push("}");
  };
  const sidesOf = (place2) => isPair(place2) ? ["a", "b"] : [""];
  const block = (sum2, slides) => {
    for (const place2 of blocks.get(sum2) ?? []) {
      if (!isSum(place2)) {
        const slide = slides?.get(place2);
        for (const side2 of sidesOf(place2)) {
          if (side2 !== "" && slide?.sides[1] === side2) lines2.push(`let ${name(place2, side2)} = n${place2}h;`);
          else emit(place2, side2);
        }
        continue;
      }
      for (const side2 of sidesOf(place2)) lines2.push(`var ${name(place2, side2)} = ${zeros[facts[place2].kind]};`);
      const within2 = blocks.get(nodes[place2][1]) ?? [];
      const found = /* @__PURE__ */ new Map();
      const conditions = /* @__PURE__ */ new Set();
      for (const one2 of within2) {
        const slide = slideOf(one2, nodes[place2][1]);
        const isCertain = slide && nodes[slide.base][0] === "index";
        if (!slide || !(isCertain || !within2.some(isSum))) continue;
        found.set(one2, slide);
        if (!isCertain) conditions.add(`${name(slide.base, "b")} == ${name(slide.base, "a")} + 1i`);
      }
      if (conditions.size > 0) lines2.push(`if (${[...conditions].join(" && ")}) {`);
      loop2(place2, found);
      if (conditions.size > 0) {
        lines2.push("} else {");
        loop2(place2, /* @__PURE__ */ new Map());
        lines2.push("}");
      }
    }
  };
  block(void 0);
  return { lines: lines2, name, real: real2, complex: complex2 };
}
function operation(operator, names, operands, isWhole2, part) {
  const [a2, b2, c2] = names;
  const [{ kind, range }, second] = operands;
  const isInteger = kind === "i32" || kind === "u32";
  switch (operator) {
    case "neg":
      return kind === "u32" ? `0u - ${a2}` : `-${a2}`;
    case "not":
      return kind === "bool" ? `!${a2}` : `~${a2}`;
    case "re":
      return `${a2}.x`;
    case "im":
      return `${a2}.y`;
    case "conj":
      return `vec2f(${a2}.x, -${a2}.y)`;
    case "complex":
      return `vec2f(${a2}, ${b2})`;
    case "select":
      return `select(${c2}, ${b2}, ${a2})`;
    case "bits":
      return `bitcast<${kind === "u32" ? "i32" : "u32"}>(${a2})`;
    case "real-of":
      return realOf3(a2, operands[0]);
    case "cis":
      return kind === "u32" ? `cis(f32(bitcast<i32>(${a2})) * ${2 ** -32})` : `cis(${a2} - round(${a2}))`;
    case "finite":
      return kind === "real" ? `(bitcast<u32>(${a2}) & 0x7f800000u) != 0x7f800000u` : `all((bitcast<vec2u>(${a2}) & vec2u(0x7f800000u)) != vec2u(0x7f800000u))`;
    case "i32-of":
    case "u32-of": {
      const rounded2 = isWhole2 ? a2 : part("r", `round(${a2})`);
      return operator === "i32-of" ? integerOf("i32", a2, rounded2, "-2147483648.0", "2147483520.0", "2147483647i") : integerOf("u32", a2, rounded2, "0.0", "4294967040.0", "4294967295u");
    }
    case "abs": {
      if (kind !== "complex") break;
      const e = part("e", `clamp(bitcast<u32>(max(abs(${a2}.x), abs(${a2}.y))) >> 23u, 1u, 253u)`);
      const scaled = part("s", `${a2} * bitcast<f32>((254u - ${e}) << 23u)`);
      return `sqrt(dot(${scaled}, ${scaled})) * bitcast<f32>(${e} << 23u)`;
    }
    case "atan2":
      return `select(atan2(${a2}, ${b2}), 0.0, ${a2} == 0.0 && ${b2} == 0.0)`;
    case "mul":
      if (kind === "complex" && second.kind === "complex") return `cmul(${a2}, ${b2})`;
      break;
    case "div":
      if (isInteger && second.range[0] <= 0 && second.range[1] >= 0) return `select(${a2} / ${b2}, ${zeros[kind]}, ${b2} == ${zeros[kind]})`;
      break;
    case "mod": {
      if (kind === "real") return `${a2} - ${b2} * floor(${a2} / ${b2})`;
      if (kind === "u32" || range[0] >= 0 && second.range[0] >= 0) break;
      const rest = part("r", `${a2} % ${b2}`);
      return `select(${rest}, ${rest} + ${b2}, ${rest} != 0i && (${rest} ^ ${b2}) < 0i)`;
    }
    case "shl":
    case "shr":
      return `${a2} ${infix[operator]} ${second.range[0] === second.range[1] ? `${second.range[0] & 31}u` : `(u32(${b2}) & 31u)`}`;
    case "xor":
      if (kind === "bool") return `${a2} != ${b2}`;
  }
  return Object.hasOwn(infix, operator) ? `${a2} ${infix[operator]} ${b2}` : `${operator}(${names.join(", ")})`;
}
var indexOfHook, zeros, literal, realOf3, infix, integerOf;
var init_wgsl2 = __esm({
  "../core/src/expression/wgsl.ts"() {
    "use strict";
    init_layout();
    init_wgsl();
    init_wgsl_taps();
    indexOfHook = (axis, side2) => `i32(at[${axis}]${side2 === "b" ? " + 1u" : ""})`;
    zeros = { real: "0.0", complex: "vec2f()", i32: "0i", u32: "0u", bool: "false" };
    literal = (kind, value2) => kind === "real" ? wgslFloat(value2) : kind === "bool" ? String(value2) : kind === "u32" ? `${value2}u` : `i32(${value2})`;
    realOf3 = (x, { kind, range: [low, high2] }) => low >= -(2 ** 24) && high2 <= 2 ** 24 ? `f32(${x})` : kind === "u32" ? `nearest_f32(${x})` : `(f32(${x} >> 16u) * 65536.0 + f32(${x} & 65535i))`;
    infix = {
      add: "+",
      sub: "-",
      mul: "*",
      div: "/",
      mod: "%",
      shl: "<<",
      shr: ">>",
      and: "&",
      or: "|",
      xor: "^",
      lt: "<",
      le: "<=",
      eq: "==",
      ne: "!="
    };
    integerOf = (type2, x, whole2, lowest, highest, largest3) => `select(select(${type2}(clamp(${whole2}, ${lowest}, ${highest})), ${largest3}, ${whole2} > ${highest}), ${zeros[type2]}, (bitcast<u32>(${x}) & 0x7fffffffu) > 0x7f800000u)`;
  }
});

// ../core/src/expression/forms.ts
var forms_exports = {};
__export(forms_exports, {
  withForms: () => withForms
});
function withForms(op3) {
  if (op3.op === "map") return kernelOfMap(op3);
  if (!isTransform(op3)) return op3;
  const { load: load4, store: store2 } = op3;
  const h = "h" in op3 && typeof op3.h === "object" ? op3.h : void 0;
  return {
    ...op3,
    ...h?.expression && { h: formsOf(h, h.expression, withAxis(op3.layout, op3.axis, transformLength(op3)), "h") },
    ...load4?.expression && { load: formsOf(load4, load4.expression, op3.layout, "load", neighbourAxis(op3)) },
    ...store2?.expression && { store: formsOf(store2, store2.expression, keptLayout2(op3), "store") }
  };
}
function neighbourAxis({ axis, layout: { shape } }) {
  const last = shape.length - 1;
  return axis < last ? last : last > 0 ? last - 1 : void 0;
}
function formsOf(hook, expression, layout2, field, pairAxis) {
  const { name, sources, uniforms } = hook;
  const tuned2 = hook.tuned ?? {};
  const isStore = "dtype" in hook;
  const domain = { ...domainOf(layout2, sources, uniforms), ...isStore && { value: true } };
  const facts = checkExpression(expression, domain, `${field}.expression`);
  const { results } = expression;
  if (results.length > 1) throw layoutError(`${field}.expression.results`, "one result", results);
  const form = isStore ? { kind: "store", dtype: hook.dtype } : { kind: "load" };
  const wasm = lazy(() => tuned2.wasm ?? wasmFunction(expression, facts, domain, form));
  const pairs2 = pairAxis !== void 0 && !isStore && layout2.shape[pairAxis] % 2 === 0 && nodesInSums(facts) ? pairAxis : void 0;
  const pair2 = tuned2.wgslPair ?? (tuned2.wgsl === void 0 && pairs2 !== void 0 ? { axis: pairs2 } : void 0);
  return {
    name,
    sources,
    ...uniforms && { uniforms },
    ...tuned2.constants && { constants: tuned2.constants },
    ...isStore && { dtype: hook.dtype },
    reference: referenceOfHook(expression, facts, domain),
    wgsl: () => tuned2.wgsl ?? wgslOfHook(expression, facts, domain),
    ...pair2 && {
      wgslPair: { axis: pair2.axis, text: () => "text" in pair2 ? pair2.text : wgslOfPair(expression, facts, domain, pair2.axis) }
    },
    get wasm() {
      return wasm();
    }
  };
}
function lazy(make) {
  let made;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
function wasmFunction(expression, facts, domain, form) {
  const bytes = wasmOfExpression(expression, facts, domain, form);
  if (!bytes) return void 0;
  const [plain2, shared] = [lazy(() => bytes(false)), lazy(() => bytes(true))];
  return {
    get plain() {
      return plain2();
    },
    get shared() {
      return shared();
    },
    entry: "main",
    precision: "f32"
  };
}
function referenceOfHook(expression, facts, domain) {
  const { begin, compute } = referenceRun(expression, facts, domain);
  const out = new Float64Array(2);
  let current = [];
  return ((at, ...rest) => {
    const [value2, sources, uniforms] = domain.value ? rest : [void 0, ...rest];
    if (current[0] !== sources || current[1] !== uniforms) {
      current = [sources, uniforms];
      begin(sources, uniforms);
    }
    compute(at, out, value2);
    return [out[0], out[1]];
  });
}
function kernelOfMap(op3) {
  const { name, shape, sources, outputs, uniforms, expression } = op3;
  const domain = domainOf(op3, sources, uniforms);
  const facts = checkExpression(expression, domain);
  const items = elementCount({ dtype: "f32", shape });
  const wasm = lazy(() => wasmFunction(expression, facts, domain, { kind: "map", outputs: Object.values(outputs) }));
  const { begin, compute } = referenceRun(expression, facts, domain);
  const out = new Float64Array(2 * expression.results.length);
  const names = Object.keys(outputs);
  return {
    op: "kernel",
    name,
    flops: mapRow.flops(op3),
    ...uniforms && { uniforms },
    ports: mapRow.ports(op3),
    items,
    elementwise: mapRow.canOverwrite?.(op3) ?? true,
    get wasm() {
      return wasm();
    },
    wgsl(_constants, _limits, toolkit) {
      const text3 = op3.tuned?.wgsl;
      if (text3 === void 0) return toolkit.items(wgslOfMap(expression, facts, domain, outputs));
      const code2 = toolkit.hook("load", { name, sources, reference: () => [0, 0], wgsl: () => text3 }, shape.length);
      const [out2] = names;
      return toolkit.items(
        `let value = dechirp_load(${wgslIndex("item", shape)});
store_${out2}(item, ${wgslStored(outputs[out2], "value")});`,
        code2
      );
    },
    reference(ports, values, start, end) {
      const at = [];
      begin(ports, values);
      for (let e = start; e < end; e++) {
        unravel(e, shape, at);
        compute(at, out);
        for (const [i, port2] of names.entries()) ports[port2].set(e, out[2 * i], out[2 * i + 1]);
      }
    }
  };
}
var domainOf, nodesInSums;
var init_forms = __esm({
  "../core/src/expression/forms.ts"() {
    "use strict";
    init_errors();
    init_kernels();
    init_layout();
    init_op();
    init_map();
    init_wgsl();
    init_check();
    init_reference();
    init_wasm();
    init_wgsl2();
    domainOf = ({ shape }, sources, uniforms) => ({
      shape,
      sources,
      ...uniforms && { uniforms }
    });
    nodesInSums = (facts) => facts.some(({ sums }) => sums.length > 0);
  }
});

// ../../node_modules/.pnpm/fft.js@4.0.4/node_modules/fft.js/lib/fft.js
var require_fft = __commonJS({
  "../../node_modules/.pnpm/fft.js@4.0.4/node_modules/fft.js/lib/fft.js"(exports, module) {
    "use strict";
    function FFT2(size) {
      this.size = size | 0;
      if (this.size <= 1 || (this.size & this.size - 1) !== 0)
        throw new Error("FFT size must be a power of two and bigger than 1");
      this._csize = size << 1;
      var table = new Array(this.size * 2);
      for (var i = 0; i < table.length; i += 2) {
        const angle = Math.PI * i / this.size;
        table[i] = Math.cos(angle);
        table[i + 1] = -Math.sin(angle);
      }
      this.table = table;
      var power = 0;
      for (var t = 1; this.size > t; t <<= 1)
        power++;
      this._width = power % 2 === 0 ? power - 1 : power;
      this._bitrev = new Array(1 << this._width);
      for (var j = 0; j < this._bitrev.length; j++) {
        this._bitrev[j] = 0;
        for (var shift2 = 0; shift2 < this._width; shift2 += 2) {
          var revShift = this._width - shift2 - 2;
          this._bitrev[j] |= (j >>> shift2 & 3) << revShift;
        }
      }
      this._out = null;
      this._data = null;
      this._inv = 0;
    }
    module.exports = FFT2;
    FFT2.prototype.fromComplexArray = function fromComplexArray(complex2, storage) {
      var res = storage || new Array(complex2.length >>> 1);
      for (var i = 0; i < complex2.length; i += 2)
        res[i >>> 1] = complex2[i];
      return res;
    };
    FFT2.prototype.createComplexArray = function createComplexArray() {
      const res = new Array(this._csize);
      for (var i = 0; i < res.length; i++)
        res[i] = 0;
      return res;
    };
    FFT2.prototype.toComplexArray = function toComplexArray(input, storage) {
      var res = storage || this.createComplexArray();
      for (var i = 0; i < res.length; i += 2) {
        res[i] = input[i >>> 1];
        res[i + 1] = 0;
      }
      return res;
    };
    FFT2.prototype.completeSpectrum = function completeSpectrum(spectrum2) {
      var size = this._csize;
      var half = size >>> 1;
      for (var i = 2; i < half; i += 2) {
        spectrum2[size - i] = spectrum2[i];
        spectrum2[size - i + 1] = -spectrum2[i + 1];
      }
    };
    FFT2.prototype.transform = function transform(out, data) {
      if (out === data)
        throw new Error("Input and output buffers must be different");
      this._out = out;
      this._data = data;
      this._inv = 0;
      this._transform4();
      this._out = null;
      this._data = null;
    };
    FFT2.prototype.realTransform = function realTransform(out, data) {
      if (out === data)
        throw new Error("Input and output buffers must be different");
      this._out = out;
      this._data = data;
      this._inv = 0;
      this._realTransform4();
      this._out = null;
      this._data = null;
    };
    FFT2.prototype.inverseTransform = function inverseTransform(out, data) {
      if (out === data)
        throw new Error("Input and output buffers must be different");
      this._out = out;
      this._data = data;
      this._inv = 1;
      this._transform4();
      for (var i = 0; i < out.length; i++)
        out[i] /= this.size;
      this._out = null;
      this._data = null;
    };
    FFT2.prototype._transform4 = function _transform4() {
      var out = this._out;
      var size = this._csize;
      var width = this._width;
      var step3 = 1 << width;
      var len = size / step3 << 1;
      var outOff;
      var t;
      var bitrev = this._bitrev;
      if (len === 4) {
        for (outOff = 0, t = 0; outOff < size; outOff += len, t++) {
          const off = bitrev[t];
          this._singleTransform2(outOff, off, step3);
        }
      } else {
        for (outOff = 0, t = 0; outOff < size; outOff += len, t++) {
          const off = bitrev[t];
          this._singleTransform4(outOff, off, step3);
        }
      }
      var inv = this._inv ? -1 : 1;
      var table = this.table;
      for (step3 >>= 2; step3 >= 2; step3 >>= 2) {
        len = size / step3 << 1;
        var quarterLen = len >>> 2;
        for (outOff = 0; outOff < size; outOff += len) {
          var limit2 = outOff + quarterLen;
          for (var i = outOff, k = 0; i < limit2; i += 2, k += step3) {
            const A = i;
            const B = A + quarterLen;
            const C = B + quarterLen;
            const D = C + quarterLen;
            const Ar = out[A];
            const Ai = out[A + 1];
            const Br = out[B];
            const Bi = out[B + 1];
            const Cr = out[C];
            const Ci = out[C + 1];
            const Dr = out[D];
            const Di = out[D + 1];
            const MAr = Ar;
            const MAi = Ai;
            const tableBr = table[k];
            const tableBi = inv * table[k + 1];
            const MBr = Br * tableBr - Bi * tableBi;
            const MBi = Br * tableBi + Bi * tableBr;
            const tableCr = table[2 * k];
            const tableCi = inv * table[2 * k + 1];
            const MCr = Cr * tableCr - Ci * tableCi;
            const MCi = Cr * tableCi + Ci * tableCr;
            const tableDr = table[3 * k];
            const tableDi = inv * table[3 * k + 1];
            const MDr = Dr * tableDr - Di * tableDi;
            const MDi = Dr * tableDi + Di * tableDr;
            const T0r = MAr + MCr;
            const T0i = MAi + MCi;
            const T1r = MAr - MCr;
            const T1i = MAi - MCi;
            const T2r = MBr + MDr;
            const T2i = MBi + MDi;
            const T3r = inv * (MBr - MDr);
            const T3i = inv * (MBi - MDi);
            const FAr = T0r + T2r;
            const FAi = T0i + T2i;
            const FCr = T0r - T2r;
            const FCi = T0i - T2i;
            const FBr = T1r + T3i;
            const FBi = T1i - T3r;
            const FDr = T1r - T3i;
            const FDi = T1i + T3r;
            out[A] = FAr;
            out[A + 1] = FAi;
            out[B] = FBr;
            out[B + 1] = FBi;
            out[C] = FCr;
            out[C + 1] = FCi;
            out[D] = FDr;
            out[D + 1] = FDi;
          }
        }
      }
    };
    FFT2.prototype._singleTransform2 = function _singleTransform2(outOff, off, step3) {
      const out = this._out;
      const data = this._data;
      const evenR = data[off];
      const evenI = data[off + 1];
      const oddR = data[off + step3];
      const oddI = data[off + step3 + 1];
      const leftR = evenR + oddR;
      const leftI = evenI + oddI;
      const rightR = evenR - oddR;
      const rightI = evenI - oddI;
      out[outOff] = leftR;
      out[outOff + 1] = leftI;
      out[outOff + 2] = rightR;
      out[outOff + 3] = rightI;
    };
    FFT2.prototype._singleTransform4 = function _singleTransform4(outOff, off, step3) {
      const out = this._out;
      const data = this._data;
      const inv = this._inv ? -1 : 1;
      const step22 = step3 * 2;
      const step32 = step3 * 3;
      const Ar = data[off];
      const Ai = data[off + 1];
      const Br = data[off + step3];
      const Bi = data[off + step3 + 1];
      const Cr = data[off + step22];
      const Ci = data[off + step22 + 1];
      const Dr = data[off + step32];
      const Di = data[off + step32 + 1];
      const T0r = Ar + Cr;
      const T0i = Ai + Ci;
      const T1r = Ar - Cr;
      const T1i = Ai - Ci;
      const T2r = Br + Dr;
      const T2i = Bi + Di;
      const T3r = inv * (Br - Dr);
      const T3i = inv * (Bi - Di);
      const FAr = T0r + T2r;
      const FAi = T0i + T2i;
      const FBr = T1r + T3i;
      const FBi = T1i - T3r;
      const FCr = T0r - T2r;
      const FCi = T0i - T2i;
      const FDr = T1r - T3i;
      const FDi = T1i + T3r;
      out[outOff] = FAr;
      out[outOff + 1] = FAi;
      out[outOff + 2] = FBr;
      out[outOff + 3] = FBi;
      out[outOff + 4] = FCr;
      out[outOff + 5] = FCi;
      out[outOff + 6] = FDr;
      out[outOff + 7] = FDi;
    };
    FFT2.prototype._realTransform4 = function _realTransform4() {
      var out = this._out;
      var size = this._csize;
      var width = this._width;
      var step3 = 1 << width;
      var len = size / step3 << 1;
      var outOff;
      var t;
      var bitrev = this._bitrev;
      if (len === 4) {
        for (outOff = 0, t = 0; outOff < size; outOff += len, t++) {
          const off = bitrev[t];
          this._singleRealTransform2(outOff, off >>> 1, step3 >>> 1);
        }
      } else {
        for (outOff = 0, t = 0; outOff < size; outOff += len, t++) {
          const off = bitrev[t];
          this._singleRealTransform4(outOff, off >>> 1, step3 >>> 1);
        }
      }
      var inv = this._inv ? -1 : 1;
      var table = this.table;
      for (step3 >>= 2; step3 >= 2; step3 >>= 2) {
        len = size / step3 << 1;
        var halfLen = len >>> 1;
        var quarterLen = halfLen >>> 1;
        var hquarterLen = quarterLen >>> 1;
        for (outOff = 0; outOff < size; outOff += len) {
          for (var i = 0, k = 0; i <= hquarterLen; i += 2, k += step3) {
            var A = outOff + i;
            var B = A + quarterLen;
            var C = B + quarterLen;
            var D = C + quarterLen;
            var Ar = out[A];
            var Ai = out[A + 1];
            var Br = out[B];
            var Bi = out[B + 1];
            var Cr = out[C];
            var Ci = out[C + 1];
            var Dr = out[D];
            var Di = out[D + 1];
            var MAr = Ar;
            var MAi = Ai;
            var tableBr = table[k];
            var tableBi = inv * table[k + 1];
            var MBr = Br * tableBr - Bi * tableBi;
            var MBi = Br * tableBi + Bi * tableBr;
            var tableCr = table[2 * k];
            var tableCi = inv * table[2 * k + 1];
            var MCr = Cr * tableCr - Ci * tableCi;
            var MCi = Cr * tableCi + Ci * tableCr;
            var tableDr = table[3 * k];
            var tableDi = inv * table[3 * k + 1];
            var MDr = Dr * tableDr - Di * tableDi;
            var MDi = Dr * tableDi + Di * tableDr;
            var T0r = MAr + MCr;
            var T0i = MAi + MCi;
            var T1r = MAr - MCr;
            var T1i = MAi - MCi;
            var T2r = MBr + MDr;
            var T2i = MBi + MDi;
            var T3r = inv * (MBr - MDr);
            var T3i = inv * (MBi - MDi);
            var FAr = T0r + T2r;
            var FAi = T0i + T2i;
            var FBr = T1r + T3i;
            var FBi = T1i - T3r;
            out[A] = FAr;
            out[A + 1] = FAi;
            out[B] = FBr;
            out[B + 1] = FBi;
            if (i === 0) {
              var FCr = T0r - T2r;
              var FCi = T0i - T2i;
              out[C] = FCr;
              out[C + 1] = FCi;
              continue;
            }
            if (i === hquarterLen)
              continue;
            var ST0r = T1r;
            var ST0i = -T1i;
            var ST1r = T0r;
            var ST1i = -T0i;
            var ST2r = -inv * T3i;
            var ST2i = -inv * T3r;
            var ST3r = -inv * T2i;
            var ST3i = -inv * T2r;
            var SFAr = ST0r + ST2r;
            var SFAi = ST0i + ST2i;
            var SFBr = ST1r + ST3i;
            var SFBi = ST1i - ST3r;
            var SA = outOff + quarterLen - i;
            var SB = outOff + halfLen - i;
            out[SA] = SFAr;
            out[SA + 1] = SFAi;
            out[SB] = SFBr;
            out[SB + 1] = SFBi;
          }
        }
      }
    };
    FFT2.prototype._singleRealTransform2 = function _singleRealTransform2(outOff, off, step3) {
      const out = this._out;
      const data = this._data;
      const evenR = data[off];
      const oddR = data[off + step3];
      const leftR = evenR + oddR;
      const rightR = evenR - oddR;
      out[outOff] = leftR;
      out[outOff + 1] = 0;
      out[outOff + 2] = rightR;
      out[outOff + 3] = 0;
    };
    FFT2.prototype._singleRealTransform4 = function _singleRealTransform4(outOff, off, step3) {
      const out = this._out;
      const data = this._data;
      const inv = this._inv ? -1 : 1;
      const step22 = step3 * 2;
      const step32 = step3 * 3;
      const Ar = data[off];
      const Br = data[off + step3];
      const Cr = data[off + step22];
      const Dr = data[off + step32];
      const T0r = Ar + Cr;
      const T1r = Ar - Cr;
      const T2r = Br + Dr;
      const T3r = inv * (Br - Dr);
      const FAr = T0r + T2r;
      const FBr = T1r;
      const FBi = -T3r;
      const FCr = T0r - T2r;
      const FDr = T1r;
      const FDi = T3r;
      out[outOff] = FAr;
      out[outOff + 1] = 0;
      out[outOff + 2] = FBr;
      out[outOff + 3] = FBi;
      out[outOff + 4] = FCr;
      out[outOff + 5] = 0;
      out[outOff + 6] = FDr;
      out[outOff + 7] = FDi;
    };
  }
});

// ../core/src/device.ts
init_errors();
init_fields();

// ../core/src/host-memory.ts
init_errors();
function asHostError(error, what) {
  try {
    if (error instanceof RangeError) return new RadarError("out-of-memory", `the host has no memory for ${what}`, { what }, error);
  } catch {
  }
  return asRadarError(error, what);
}

// ../core/src/device.ts
async function open(...backends) {
  const reasons = {};
  for (const [i, backend] of backends.entries()) {
    if (typeof backend?.open !== "function" || typeof backend.contract !== "number" || typeof backend.id !== "string")
      throw inputError(`backends[${i}]`, "a backend, such as cpu()", backend);
    if (backend.contract !== 1) {
      throw new RadarError("no-backend", `backend ${backend.id} implements contract ${backend.contract}, this core needs contract 1`, {
        backend: backend.id
      });
    }
    try {
      const device = await backend.open();
      checkDevice(device);
      return device;
    } catch (thrown) {
      const error = asHostError(thrown, `backend ${backend.id}`);
      if (error.code === "input" || error !== thrown && error.code === "failed") throw error;
      reasons[backend.id] = error.message;
    }
  }
  const lines2 = Object.entries(reasons).map(([id, reason]) => `${id}: ${reason}`);
  throw new RadarError("no-backend", lines2.length > 0 ? `no backend could be opened (${lines2.join("; ")})` : "no backend was given", {
    reasons
  });
}

// ../core/src/bindings.ts
init_errors();
init_fields();
init_layout();
var fieldsOfPlans = { fuse: "boolean", inPlace: "boolean", signal: true };
var fieldsOfRuns = { units: true, uniforms: true, signal: true };
function checkArray(layout2, field, { id, limits: limits2 }) {
  const { dtype } = layout2;
  if (!limits2.dtypes.includes(dtype))
    throw new RadarError("unsupported", `device ${id} does not support arrays of ${dtype} (${field})`, { device: id, field, dtype });
  const size = byteLength(layout2);
  if (size <= limits2.maxBufferBytes) return;
  throw new RadarError("limit", `${formatLayout(layout2)} needs ${size} bytes, device ${id} allows ${limits2.maxBufferBytes}`, {
    field,
    limit: limits2.maxBufferBytes,
    actual: size
  });
}
function checkBindings(ports, bindings2, inPlace, states) {
  const fail3 = (port2, message) => {
    throw new RadarError("layout", message, { port: port2 });
  };
  checkNames(bindings2, ports, "port", "bindings");
  const checked = Object.entries(ports).map(([name, port2]) => {
    const buffer = bindings2[name];
    if (!buffer) return fail3(name, `port ${name} is not bound; it takes ${formatLayout(port2.layout)}`);
    const h = states.get(buffer);
    if (!h)
      return fail3(
        name,
        `port ${name} must be bound to a buffer of this device, not ${buffer.layout ? "one of another device" : describe(buffer)}`
      );
    if (h.disposed) throw new RadarError("disposed", `buffer ${h.label} at port ${name} was disposed`, { port: name, buffer: h.label });
    if (!sameLayout(buffer.layout, port2.layout))
      fail3(name, `port ${name} takes ${formatLayout(port2.layout)}, not ${formatLayout(buffer.layout)}`);
    return [name, buffer, h];
  });
  checked.forEach(([a2, buffer], i) => {
    for (const [b2, other] of checked.slice(i + 1)) {
      if (buffer !== other || ports[a2].access === "read" && ports[b2].access === "read") continue;
      const allowed = inPlace && (a2 === "in" && b2 === "out" || a2 === "out" && b2 === "in");
      if (!allowed)
        fail3(b2, `ports ${a2} and ${b2} are bound to one buffer${inPlace ? "" : "; a plan made with inPlace may bind in and out to one"}`);
    }
  });
  return checked;
}
function checkUniforms(types, given = {}) {
  checkNames(given, types, "uniform", "uniforms");
  for (const [name, type2] of Object.entries(types)) {
    const value2 = given[name];
    if (!fits(value2, type2))
      throw new RadarError("layout", `uniform ${name} must be a value of ${type2}, not ${describe(value2)}`, {
        field: `uniforms.${name}`,
        expected: type2
      });
  }
  return { ...given };
}
function fits(value2, type2) {
  if (typeof value2 !== "number") return false;
  if (type2 === "f32") return Number.isFinite(value2);
  return value2 === (type2 === "i32" ? value2 | 0 : value2 >>> 0);
}
function checkSignal(signal) {
  if (signal !== void 0 && !hasMethod(signal, "addEventListener")) throw layoutError("signal", "an AbortSignal", signal);
}
function checkUnits(options, available) {
  const { units = Array.from({ length: available }, (_3, i) => i) } = options;
  const checked = wholesOf(units, 0, available - 1);
  if (!checked?.length || new Set(checked).size < checked.length)
    throw new RadarError("layout", `units must be distinct and within 0 to ${available - 1}, not ${describe(units)}`, {
      field: "units",
      available
    });
  return checked;
}

// ../core/src/evaluate.ts
init_errors();
init_fields();

// ../core/src/fill.ts
init_errors();
init_layout();
function fill(buffer, data) {
  if (data?.length !== scalarCount(buffer.layout)) {
    throw new RadarError("layout", `${buffer.label} takes ${scalarCount(buffer.layout)} numbers, not ${data?.length}`, {
      field: buffer.label,
      expected: scalarCount(buffer.layout),
      actual: data?.length
    });
  }
  buffer.write(data);
}

// ../core/src/program.ts
init_errors();
init_fields();
init_layout();
init_listener();
init_op();

// ../core/src/prepare.ts
var preparations = /* @__PURE__ */ new WeakMap();
function setPreparation(plan, prepare) {
  preparations.set(plan, prepare);
}
function prepareRun(plan, bindings2, options) {
  const prepare = preparations.get(plan);
  return prepare ? prepare(bindings2, options) : () => plan.run(bindings2, options);
}

// ../core/src/settle.ts
async function allSettle(promises) {
  await Promise.allSettled(promises);
  await Promise.all(promises);
}

// ../core/src/program.ts
var fieldsOfSteps = { name: "string", op: true, bind: "object", inPlace: "boolean" };
var fieldsOfRunsOfPrograms = { ...fieldsOfRuns, onProgress: "function" };
var failOf = ({ name }) => (message, fields3) => {
  throw new RadarError("layout", `program ${name}: ${message}`, { program: name, ...fields3 });
};
function valueLayouts(program2) {
  checkObject(program2, "program");
  if (typeof program2.name !== "string") throw layoutError("program.name", "a string", program2.name);
  checkObject(program2.inputs, "inputs");
  checkObject(program2.constants ?? {}, "constants");
  for (const field of ["steps", "outputs"]) {
    if (!Array.isArray(program2[field]) || program2[field].length === 0) throw layoutError(field, "a list of at least one", program2[field]);
  }
  if (!program2.outputs.every((name) => typeof name === "string")) throw layoutError("outputs", "a list of names", program2.outputs);
  const fail3 = failOf(program2);
  const layouts = Object.assign(/* @__PURE__ */ Object.create(null), program2.inputs);
  for (const name of Object.keys(layouts)) checkLayout(layouts[name], `inputs.${name}`);
  for (const [name, constant2] of Object.entries(program2.constants ?? {})) {
    if (layouts[name]) fail3(`constant ${name} has the name of an input`, { value: name });
    checkObject(constant2, `constants.${name}`);
    checkLayout(constant2.layout, `constants.${name}.layout`);
    layouts[name] = constant2.layout;
  }
  const constants2 = new Set(Object.keys(program2.constants ?? {}));
  for (const [i, step3] of program2.steps.entries()) {
    checkFields(step3, fieldsOfSteps, `steps[${i}]`, "layout");
    validateOp(step3.op);
    checkObject(step3.bind, "bind");
    const ports = portsOf(step3.op);
    for (const port2 of Object.keys(step3.bind))
      if (!Object.hasOwn(ports, port2))
        fail3(`step ${step3.name} binds port ${port2}, which ${step3.op.op} does not have; it has ${Object.keys(ports).join(", ")}`, {
          step: step3.name,
          port: port2
        });
    const written2 = [];
    for (const [port2, { access, layout: layout2 }] of Object.entries(ports)) {
      const wrong = (what, value3) => fail3(`step ${step3.name} ${what}`, { step: step3.name, port: port2, ...value3 !== void 0 && { value: value3 } });
      const value2 = step3.bind[port2];
      if (typeof value2 !== "string") return wrong(`does not bind port ${port2} to a name`);
      const known3 = layouts[value2];
      if (access !== "read" && constants2.has(value2)) wrong(`writes ${value2}, which is a constant`, value2);
      const overwrites = step3.inPlace === true && port2 === "out" && value2 === step3.bind["in"];
      if (access === "write" && !overwrites) {
        if (known3 || written2.some(([other]) => other === value2)) wrong(`writes ${value2}, which exists already`, value2);
        written2.push([value2, layout2]);
      } else if (!known3) {
        wrong(`reads ${value2}, which no earlier step has written`, value2);
      } else if (!sameLayout(known3, layout2)) {
        wrong(`binds ${value2}, ${formatLayout(known3)}, to port ${port2}, which takes ${formatLayout(layout2)}`, value2);
      }
    }
    for (const [value2, layout2] of written2) layouts[value2] = layout2;
  }
  for (const name of program2.outputs) {
    if (!layouts[name] || constants2.has(name)) fail3(`output ${name} is never written`, { value: name });
  }
  return layouts;
}
async function compile(program2, device, options = {}) {
  checkDevice(device);
  checkObject(options, "options");
  if (options.inPlace) return { ...await compile(forOneBuffer(program2), device, { ...options, inPlace: false }), program: program2 };
  const layouts = valueLayouts(program2);
  const outer = /* @__PURE__ */ new Set([...Object.keys(program2.inputs), ...program2.outputs]);
  const owned = [];
  const inner2 = /* @__PURE__ */ new Map();
  const dispose = () => {
    for (const item of owned.splice(0).reverse()) item[Symbol.dispose]();
  };
  try {
    for (const [name, constant2] of Object.entries(program2.constants ?? {})) {
      const buffer = device.alloc(constant2.layout, `${program2.name}.${name}`);
      owned.push(buffer);
      fill(buffer, constant2.data);
      inner2.set(name, buffer);
    }
    const lastUse = /* @__PURE__ */ new Map();
    program2.steps.forEach((step3, i) => {
      for (const value2 of Object.values(step3.bind)) lastUse.set(value2, i);
    });
    const free = /* @__PURE__ */ new Map();
    const stages2 = [];
    for (const [i, step3] of program2.steps.entries()) {
      const plan = await device.plan(step3.op, { ...options, inPlace: step3.inPlace ?? false });
      owned.push(plan);
      stages2.push({ name: step3.name, plan, bind: step3.bind });
      for (const value2 of Object.values(step3.bind)) {
        if (outer.has(value2) || inner2.has(value2)) continue;
        const reused = free.get(formatLayout(layouts[value2]))?.pop();
        const buffer = reused ?? device.alloc(layouts[value2], `${program2.name}.${value2}`);
        if (!reused) owned.push(buffer);
        inner2.set(value2, buffer);
      }
      for (const value2 of new Set(Object.values(step3.bind))) {
        const buffer = inner2.get(value2);
        if (!buffer || lastUse.get(value2) !== i || program2.constants?.[value2]) continue;
        const key = formatLayout(layouts[value2]);
        free.set(key, [...free.get(key) ?? [], buffer]);
      }
    }
    return assemble(program2, stages2, inner2, layouts, outer, dispose);
  } catch (error) {
    dispose();
    throw error;
  }
}
function assemble(program2, stages2, inner2, layouts, outer, dispose) {
  const fail3 = failOf(program2);
  const ends = Object.fromEntries([...outer].map((name) => [name, layouts[name]]));
  const known3 = Object.assign({}, ...stages2.map(({ plan }) => uniformsOf(plan.op)));
  const prepareStage = (stage2, bindings2, options) => {
    const { uniforms = {}, ...rest } = options;
    checkNames(bindings2, ends, "value", "bindings");
    checkNames(uniforms, known3, "uniform", "uniforms");
    const bound = Object.entries(stage2.bind).map(([port2, value2]) => {
      const buffer = inner2.get(value2) ?? bindings2[value2];
      if (!buffer?.layout) return fail3(`${value2} is not bound to a buffer`, { value: value2 });
      return [port2, buffer];
    });
    const wanted = Object.keys(uniformsOf(stage2.plan.op)).filter((name) => Object.hasOwn(uniforms, name));
    return prepareRun(stage2.plan, Object.fromEntries(bound), {
      ...rest,
      uniforms: Object.fromEntries(wanted.map((name) => [name, uniforms[name]]))
    });
  };
  const follow = async (runs, signal, onProgress) => {
    const report = (stage2, finished) => callListener(() => onProgress({ stage: stage2, finished, stages: stages2.length }), "onProgress", signal, program2.name);
    for (const [i, run] of runs.entries()) {
      await report(stages2[i].name, i);
      await run;
    }
    await report("done", stages2.length);
  };
  const start = (bindings2, given) => {
    checkFields(given, fieldsOfRunsOfPrograms, "options of a run", "layout");
    const { onProgress, ...options } = given;
    const paced = onProgress ? { signal: new AbortController().signal, ...options } : options;
    const queue = stages2.map((stage2) => prepareStage(stage2, bindings2, paced));
    const runs = queue.map((begin) => begin().done);
    const followed = onProgress && follow(runs, options.signal, onProgress);
    return allSettle(followed ? [...runs, followed] : runs).then(() => throwIfAborted(options.signal, program2.name));
  };
  return {
    program: program2,
    stages: stages2,
    layouts: ends,
    text: `(${program2.name} ${stages2.map((s) => s.plan.text).join(" ")})`,
    cost: addCosts(stages2.map((s) => s.plan.cost)),
    runStage(index, bindings2, options = {}) {
      checkFields(options, fieldsOfRuns, "options of a run", "layout");
      if (!Number.isInteger(index) || !stages2[index]) throw layoutError("index", `an integer from 0 to ${stages2.length - 1}`, index);
      return prepareStage(stages2[index], bindings2, options)();
    },
    run(bindings2, options = {}) {
      const done = start(bindings2, options);
      done.catch(() => {
      });
      return { done };
    },
    [Symbol.dispose]: dispose
  };
}
function forOneBuffer(program2) {
  const first2 = program2.steps.findIndex((step3) => Object.values(step3.bind).includes("out"));
  if (first2 < 0 || !program2.inputs["in"]) {
    return failOf(program2)("inPlace needs an input in and a step that writes out", { field: "inPlace" });
  }
  const { op: op3, bind } = program2.steps[first2];
  const inPlace = readsInput(program2.steps[first2]);
  if (program2.steps.slice(first2 + 1).some(readsInput) || inPlace && !overwritesInput(op3, bind)) return withCopy(program2);
  return { ...program2, steps: program2.steps.map((step3, i) => i === first2 && inPlace ? { ...step3, inPlace: true } : step3) };
}
var readsInput = ({ bind }) => Object.values(bind).includes("in");
function overwritesInput(op3, bind) {
  const { in: input, out: output } = portsOf(op3);
  const onlyThere = bind["in"] === "in" && bind["out"] === "out" && Object.values(bind).filter((value2) => value2 === "in").length === 1;
  return onlyThere && input !== void 0 && output !== void 0 && sameLayout(input.layout, output.layout) && canOverwrite(op3);
}
function withCopy(program2) {
  const layout2 = valueLayouts(program2)["out"];
  const rename = (value2) => value2 === "out" ? "out beside" : value2;
  const steps = program2.steps.map(
    (step3) => ({ ...step3, bind: Object.fromEntries(Object.entries(step3.bind).map(([port2, value2]) => [port2, rename(value2)])) })
  );
  return {
    ...program2,
    steps: [...steps, { name: "copy", op: { op: "convert", layout: layout2, to: layout2.dtype }, bind: { in: "out beside", out: "out" } }]
  };
}

// ../core/src/evaluate.ts
var planOptions = (fuse, signal) => signal ? { fuse, signal } : { fuse };
async function bindInputs(program2, device, inputs, options) {
  checkDevice(device);
  valueLayouts(program2);
  checkNames(inputs, program2.inputs, "input", "inputs");
  const compiled3 = await compile(program2, device, options);
  const buffers = {};
  const dispose = () => {
    for (const buffer of Object.values(buffers)) buffer[Symbol.dispose]();
    compiled3[Symbol.dispose]();
  };
  try {
    for (const [name, layout2] of Object.entries(compiled3.layouts)) buffers[name] = device.alloc(layout2, name);
    for (const name of Object.keys(program2.inputs)) {
      if (!inputs[name]) throw new RadarError("layout", `input ${name} is missing`, { field: name });
      fill(buffers[name], inputs[name]);
    }
  } catch (error) {
    dispose();
    throw error;
  }
  return { compiled: compiled3, buffers, [Symbol.dispose]: dispose };
}
var fieldsOfEvaluations = { ...fieldsOfPlans, ...fieldsOfRunsOfPrograms };
async function evaluate(program2, device, inputs, options = {}) {
  checkFields(options, fieldsOfEvaluations, "options of evaluate", "layout");
  const { fuse = true, inPlace: _3, ...run } = options;
  const bound = await bindInputs(program2, device, inputs, planOptions(fuse, run.signal));
  try {
    await bound.compiled.run(bound.buffers, run).done;
    const outputs = {};
    for (const name of program2.outputs) outputs[name] = await bound.buffers[name].read();
    return outputs;
  } finally {
    bound[Symbol.dispose]();
  }
}

// ../core/src/index.ts
init_layout();
init_transform();
init_op();

// ../core/src/half.ts
var decoded;
function fromHalf(bits2) {
  decoded ??= Float32Array.from({ length: 2 ** 16 }, (_3, word) => decode(word));
  return decoded[bits2];
}
function decode(bits2) {
  const exponent = bits2 >> 10 & 31;
  const fraction = bits2 & 1023;
  const magnitude3 = exponent === 31 ? fraction === 0 ? Number.POSITIVE_INFINITY : Number.NaN : exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25);
  return bits2 >> 15 ? -magnitude3 : magnitude3;
}
var double = new Float64Array(1);
var words = new Uint32Array(double.buffer);
var highWord = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0;
function toHalf(value2) {
  double[0] = value2;
  const high2 = words[highWord];
  const sign = high2 >>> 16 & 32768;
  const magnitude3 = Math.abs(value2);
  if (!(magnitude3 < 65520)) return sign | (Number.isNaN(value2) ? 32256 : 31744);
  const exponent = Math.max(-14, (high2 >>> 20 & 2047) - 1023);
  const fraction = magnitude3 * 2 ** (10 - exponent) + 2 ** 52 - 2 ** 52;
  return sign | (exponent + 14) * 1024 + fraction;
}

// ../core/src/view.ts
init_layout();
var ArrayView = class {
  layout;
  /** The array's scalars: two for each complex element. For cf16 they are 16-bit words. */
  data;
  #stride;
  #integer;
  #half;
  #low;
  #high;
  constructor(layout2, data) {
    this.layout = layout2;
    this.data = data;
    const facts = dtypes[layout2.dtype];
    this.#stride = facts.components;
    this.#integer = !facts.float;
    this.#half = layout2.dtype === "cf16";
    const bits2 = 8 * data.BYTES_PER_ELEMENT;
    const signed2 = layout2.dtype.includes("i");
    this.#low = signed2 ? -(2 ** (bits2 - 1)) : 0;
    this.#high = signed2 ? 2 ** (bits2 - 1) - 1 : 2 ** bits2 - 1;
  }
  /** The real part of an element. */
  re(index) {
    const value2 = this.data[index * this.#stride];
    return this.#half ? fromHalf(value2) : value2;
  }
  /** The imaginary part of an element. 0 if the type is real. */
  im(index) {
    if (this.#stride === 1) return 0;
    const value2 = this.data[2 * index + 1];
    return this.#half ? fromHalf(value2) : value2;
  }
  /** Writes an element. Integer types round to nearest, ties away from zero, and saturate; NaN becomes 0. Default of `im`: 0. */
  set(index, re2, im2 = 0) {
    if (this.#stride === 2) {
      this.data[2 * index] = this.#fit(re2);
      this.data[2 * index + 1] = this.#fit(im2);
    } else {
      this.data[index] = this.#fit(re2);
    }
  }
  #fit(value2) {
    if (!this.#integer) return this.#half ? toHalf(value2) : value2;
    const rounded2 = value2 < 0 ? -Math.round(-value2) : Math.round(value2);
    return rounded2 >= this.#high ? this.#high : rounded2 > this.#low ? rounded2 : Number.isNaN(rounded2) ? 0 : this.#low;
  }
};

// ../core/src/index.ts
init_errors();

// ../core/src/fast-length.ts
init_errors();
var radices = [16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2];
var oddParts = [3, 5, 7, 9, 11, 13, 15, 21, 25, 27, 35, 45, 49, 63, 75, 81];
function stageCount(n, known3) {
  if (n === 1) return 0;
  const before = known3.get(n);
  if (before !== void 0) return before;
  let fewest = Number.POSITIVE_INFINITY;
  for (const r of radices) if (n % r === 0) fewest = Math.min(fewest, 1 + stageCount(n / r, known3));
  known3.set(n, fewest);
  return fewest;
}
function nextFastLength(n) {
  if (!Number.isSafeInteger(n) || n < 1) throw inputError("n", "a positive integer", n);
  const known3 = /* @__PURE__ */ new Map();
  const weight = (m) => m * (1 + stageCount(m, known3) / 8);
  let best = 2 ** Math.ceil(Math.log2(n));
  for (const odd of oddParts) {
    const m = odd * 2 ** Math.max(0, Math.ceil(Math.log2(n / odd)));
    if (m >= n && weight(m) < weight(best)) best = m;
  }
  return weight(n) <= weight(best) ? n : best;
}

// ../core/src/pause.ts
init_errors();
init_listener();
var sliceMilliseconds = 10;
function afterTurn(callback) {
  const host = globalThis;
  if (host.setImmediate) {
    host.setImmediate(callback);
    return;
  }
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    callback();
  };
  port2.postMessage(0);
}
function createPause(what, signal, onTurn) {
  let last = performance.now();
  const turn2 = async () => {
    if (onTurn) await callListener(onTurn, "onTurn", signal, what);
    await new Promise(afterTurn);
    throwIfAborted(signal, what);
    last = performance.now();
  };
  return () => {
    throwIfAborted(signal, what);
    return performance.now() - last < sliceMilliseconds ? void 0 : turn2();
  };
}

// ../core/src/pieces.ts
async function runInPieces(work2, pause) {
  for (; ; ) {
    const piece = work2.next();
    if (piece.done) return piece.value;
    const waiting = pause();
    if (waiting) await waiting;
  }
}
function runToEnd(work2) {
  for (; ; ) {
    const piece = work2.next();
    if (piece.done) return piece.value;
  }
}
var sliceLength = 2 ** 16;

// ../core/src/compare.ts
init_errors();
init_fields();
init_kernels();
init_layout();
init_op();
async function compare(program2, a2, b2, inputs, options = {}) {
  var _stack3 = [];
  try {
    checkObject(options, "options");
    const { tolerance: tolerance2, fuse = true, inPlace: _3, ...run } = options;
    if (tolerance2 !== void 0 && !(typeof tolerance2 === "number" && tolerance2 >= 0))
      throw layoutError("tolerance", "a number that is not negative", tolerance2);
    valueLayouts(program2);
    const traced = everyValueKept(program2);
    const left = __using(_stack3, await bindInputs(traced, a2, inputs, planOptions(fuse, run.signal)));
    const right = __using(_stack3, await bindInputs(traced, b2, inputs, planOptions(fuse, run.signal)));
    const stages2 = [];
    for (const [i, stage2] of left.compiled.stages.entries()) {
      await Promise.all([left, right].map((side2) => side2.compiled.runStage(i, side2.buffers, run).done));
      for (const [port2, { access, layout: shape }] of Object.entries(portsOf(stage2.plan.op))) {
        if (access === "read") continue;
        const value2 = stage2.bind[port2];
        const difference = await runInPieces(
          differenceSteps(shape, await left.buffers[value2].read(), await right.buffers[value2].read()),
          createPause("the comparison")
        );
        const allowed = tolerance2 ?? 8 * epsilonOf(shape) * Math.sqrt(Math.log2(elementCount(shape) + 1));
        stages2.push({ stage: stage2.name, value: value2, tolerance: allowed, agrees: difference.relativeL2 <= allowed, ...difference });
      }
    }
    return { stages: stages2, first: stages2.find((stage2) => !stage2.agrees) };
  } catch (_4) {
    var _error3 = _4, _hasError3 = true;
  } finally {
    __callDispose(_stack3, _error3, _hasError3);
  }
}
function* differenceSteps(shape, a2, b2) {
  checkLayout(shape, "shape");
  for (const [field, data] of Object.entries({ a: a2, b: b2 })) if (!ArrayBuffer.isView(data)) throw layoutError(field, "a typed array", data);
  if (shape.dtype === "cf16")
    return yield* differenceSteps({ ...shape, dtype: "c64" }, Float32Array.from(a2, fromHalf), Float32Array.from(b2, fromHalf));
  if (a2.length !== b2.length)
    throw new RadarError("layout", `arrays of ${a2.length} and ${b2.length} numbers can't be compared`, { field: "data" });
  let error = 0;
  let energy = 0;
  let maxAbsolute = 0;
  let worst2 = 0;
  for (let i = 0; i < a2.length; i++) {
    if (i % 2 ** 18 === 0) yield;
    if (a2[i] === b2[i] || Number.isNaN(a2[i]) && Number.isNaN(b2[i])) {
      if (Number.isFinite(b2[i])) energy += b2[i] * b2[i];
      continue;
    }
    const apart = Math.abs(a2[i] - b2[i]);
    const d = Number.isNaN(apart) ? Infinity : apart;
    error += d * d;
    energy += b2[i] * b2[i];
    if (d > maxAbsolute) {
      maxAbsolute = d;
      worst2 = i;
    }
  }
  const at = [];
  unravel(Math.floor(worst2 / dtypes[shape.dtype].components), shape.shape, at);
  const relativeL2 = error === 0 ? 0 : Math.sqrt(error / energy);
  return {
    relativeL2: Number.isNaN(relativeL2) ? Infinity : relativeL2,
    maxAbsolute,
    at
  };
}
function epsilonOf({ dtype }) {
  if (dtype === "cf16") return 2 ** -10;
  return dtype === "c128" || dtype === "f64" ? 2 ** -52 : dtypes[dtype].float ? 2 ** -23 : 0.01;
}
function everyValueKept(program2) {
  const written2 = program2.steps.flatMap(
    (step3) => Object.entries(portsOf(step3.op)).flatMap(([port2, { access }]) => access === "read" ? [] : [step3.bind[port2]])
  );
  const outer = new Set([...program2.outputs, ...written2].filter((name) => !program2.constants?.[name]));
  return { ...program2, outputs: [...outer] };
}

// ../core/src/buffers.ts
init_errors();
init_fields();
init_layout();

// ../core/src/taint.ts
init_errors();
var succeeded = Promise.resolve(void 0);
async function outcomeOf(what, work2) {
  try {
    await work2();
    return void 0;
  } catch (error) {
    return asRadarError(error, what);
  }
}
var firstFailure = async (outcomes) => (await Promise.all(outcomes)).find((failure) => failure !== void 0);

// ../core/src/buffers.ts
function createMemoryMeter() {
  const meter = {
    bytes: 0,
    peakBytes: 0,
    add(bytes) {
      meter.bytes += bytes;
      meter.peakBytes = Math.max(meter.peakBytes, meter.bytes);
    }
  };
  return meter;
}
function createBuffers(driver, meter, assertOpen) {
  const states = /* @__PURE__ */ new WeakMap();
  const live = /* @__PURE__ */ new Set();
  const free = (buffer, h) => {
    if (!h.disposed || h.freed || h.pending > 0) return;
    h.freed = true;
    meter.add(-byteLength(buffer.layout));
    live.delete(buffer);
    h.storage.free();
  };
  const assertUsable = (h) => {
    if (h.disposed) throw new RadarError("disposed", `buffer ${h.label} was disposed`, { buffer: h.label });
    assertOpen();
  };
  function alloc(given, name) {
    assertOpen();
    checkLayout(given, "layout");
    const label = name ?? formatLayout(given);
    if (typeof label !== "string") throw layoutError("label", "a string", label);
    checkArray(given, "layout", driver);
    const layout2 = { dtype: given.dtype, shape: Object.freeze([...given.shape]) };
    const h = {
      storage: driver.allocate(layout2, label),
      label,
      pending: 0,
      disposed: false,
      freed: false,
      content: succeeded
    };
    const { components } = dtypes[layout2.dtype];
    const buffer = {
      layout: layout2,
      label,
      write(data, offset = 0) {
        assertUsable(h);
        checkData(data, offset, layout2, label);
        const before = data.length === scalarCount(layout2) ? succeeded : h.content;
        try {
          const written2 = h.storage.write(data, offset * components);
          h.content = written2 ? firstFailure([before, outcomeOf(label, () => written2)]) : before;
        } catch (error) {
          throw asHostError(error, label);
        }
      },
      async read(span = { start: 0, count: elementCount(layout2) }) {
        assertUsable(h);
        checkSpan(span, layout2, label);
        h.pending += 1;
        const { content } = h;
        try {
          const data = await h.storage.read(span.start * components, span.count * components);
          const failure = await content;
          if (failure) throw failure;
          return data;
        } catch (error) {
          throw asHostError(error, label);
        } finally {
          h.pending -= 1;
          free(buffer, h);
        }
      },
      [Symbol.dispose]() {
        if (h.disposed) return;
        h.disposed = true;
        free(buffer, h);
      }
    };
    if (h.storage.view) {
      buffer.view = () => {
        assertUsable(h);
        return h.storage.view?.();
      };
    }
    states.set(buffer, h);
    live.add(buffer);
    meter.add(byteLength(layout2));
    return buffer;
  }
  return {
    states,
    live,
    alloc,
    release(buffer) {
      const h = states.get(buffer);
      if (h) free(buffer, h);
    }
  };
}
function checkData(data, offset, layout2, label) {
  const { array, components } = dtypes[layout2.dtype];
  const fail3 = (wanted, actual) => {
    throw new RadarError("layout", `data for ${label} must be ${wanted}, not ${describe(actual)}`, { field: "data", actual });
  };
  if (!isArrayOf(data, array)) fail3(`a ${array.name} that is not detached`, data);
  const room = isWhole(offset, 0) ? scalarCount(layout2) - offset * components : -1;
  if (data.length > room || data.length % components !== 0)
    fail3(`at most ${Math.max(room, 0)} numbers in whole elements from offset ${describe(offset)}`, data.length);
}
function checkSpan(span, layout2, label) {
  checkObject(span, "span");
  const { start, count: count2 } = span;
  const elements2 = elementCount(layout2);
  if (isWhole(start, 0) && isWhole(count2, 0, elements2 - start)) return;
  throw new RadarError("layout", `span must lie within the ${elements2} elements of ${label}, not ${describe(start)}+${describe(count2)}`, {
    field: "span",
    start,
    count: count2
  });
}

// ../core/src/create-device.ts
init_errors();

// ../core/src/plans.ts
init_errors();
init_fields();
init_layout();

// ../core/src/lower.ts
init_op();
init_table();
function lower(op3) {
  const steps = opLowerings[op3.op](op3);
  if (!steps) return void 0;
  const ports = Object.entries(portsOf(op3));
  return {
    name: op3.op,
    inputs: Object.fromEntries(ports.filter(([, port2]) => port2.access === "read").map(([name, port2]) => [name, port2.layout])),
    steps,
    outputs: ports.filter(([, port2]) => port2.access === "write").map(([name]) => name)
  };
}

// ../core/src/plans.ts
init_op();
init_transform();
function createPlans(driver, buffers, meter, assertOpen) {
  const live = /* @__PURE__ */ new Set();
  const running = /* @__PURE__ */ new Set();
  async function plan(device, given, options = {}) {
    assertOpen();
    validateOp(given);
    checkFields(options, fieldsOfPlans, "options of a plan", "layout");
    const { signal } = options;
    checkSignal(signal);
    const pauseOfWork = createPause("planning", signal);
    const pause = () => {
      assertOpen();
      return pauseOfWork();
    };
    const settled = { fuse: options.fuse ?? true, inPlace: options.inPlace ?? false };
    checkPlannable(given, settled, driver);
    throwIfAborted(signal, "planning");
    const op3 = hasExpression(given) ? (await Promise.resolve().then(() => (init_forms(), forms_exports))).withForms(given) : given;
    const context = { device, options: settled, pause, ...signal && { signal } };
    for (const rule of driver.rules) {
      if (rule.fused && !settled.fuse) continue;
      const body2 = await tryRule(rule, op3, context);
      if (body2 === void 0) continue;
      if (signal?.aborted) body2.dispose?.();
      throwIfAborted(signal, "planning");
      return makePlan(given, settled, executableOfBody(body2, meter));
    }
    return makePlan(given, settled, await executableOfLowering(given, settled, device, signal));
  }
  function makePlan(op3, options, executable) {
    const { facts } = executable;
    const ports = portsOf(op3);
    const uniformTypes = uniformsOf(op3);
    let disposed = false;
    let pending = 0;
    const release = () => {
      if (disposed && pending === 0) executable[Symbol.dispose]();
    };
    try {
      assertOpen();
    } catch (error) {
      executable[Symbol.dispose]();
      throw error;
    }
    const prepare = (bindings2, given) => {
      if (disposed) throw new RadarError("disposed", `plan ${facts.text} was disposed`, { plan: facts.text });
      assertOpen();
      checkFields(given, fieldsOfRuns, "options of a run", "layout");
      const { signal } = given;
      checkSignal(signal);
      const units = checkUnits(given, driver.units);
      const uniforms = checkUniforms(uniformTypes, given.uniforms);
      const bound = checkBindings(ports, bindings2, options.inPlace, buffers.states);
      return () => {
        const inputs = bound.filter(([name]) => ports[name].access !== "write").map(([, , h]) => h.content);
        for (const [, , h] of bound) h.pending += 1;
        pending += 1;
        const outcomeOfRun = outcomeOf(facts.text, () => executable.run(bound, { uniforms, units, ...signal && { signal } }));
        const outcome = firstFailure([outcomeOfRun, ...inputs]).then((failure) => {
          for (const [, buffer, h] of bound) {
            h.pending -= 1;
            buffers.release(buffer);
          }
          pending -= 1;
          release();
          return failure;
        });
        running.add(outcome);
        outcome.then(() => running.delete(outcome));
        for (const [name, , h] of bound) if (ports[name].access !== "read") h.content = outcome;
        const done = outcome.then((failure) => {
          if (failure) throw failure;
        });
        done.catch(() => {
        });
        return { done };
      };
    };
    const result = {
      op: op3,
      ...facts,
      run: (bindings2, runOptions = {}) => prepare(bindings2, runOptions)(),
      [Symbol.dispose]() {
        if (disposed) return;
        disposed = true;
        live.delete(result);
        release();
      }
    };
    setPreparation(result, prepare);
    live.add(result);
    return result;
  }
  return { live, running, plan };
}
function checkPlannable(op3, { inPlace }, driver) {
  const ports = portsOf(op3);
  for (const [name, port2] of Object.entries(ports)) checkArray(port2.layout, name, driver);
  if (isTransform(op3)) checkLength(transformLength(op3), driver.limits.maxTransformLength, ` on device ${driver.id}`);
  if (!inPlace) return;
  const { in: input, out } = ports;
  if (!(input && out && sameLayout(input.layout, out.layout)))
    throw new RadarError("layout", `inPlace needs ports in and out of one layout: ${formatOp(op3)}`, { field: "inPlace" });
  if (!canOverwrite(op3))
    throw new RadarError("layout", `inPlace needs an elementwise op: ${formatOp(op3)} may read elements that it has overwritten`, {
      field: "inPlace"
    });
}
async function tryRule(rule, op3, context) {
  try {
    return await rule.try(op3, context);
  } catch (error) {
    throw asHostError(error, formatOp(op3));
  }
}
function executableOfBody(body2, meter) {
  const { text: text3, cost, convolved, offUnits, temporaryBytes = 0 } = body2;
  meter.add(temporaryBytes);
  return {
    facts: { text: text3, cost, ...convolved && { convolved }, ...offUnits && { offUnits } },
    run: (bound, options) => body2.run(Object.fromEntries(bound.map(([name, , { storage }]) => [name, storage])), options),
    [Symbol.dispose]() {
      meter.add(-temporaryBytes);
      body2.dispose?.();
    }
  };
}
async function executableOfLowering(op3, options, device, signal) {
  const program2 = lower(op3);
  if (!program2) throw new RadarError("unsupported", `device ${device.id} can't do ${formatOp(op3)}`, { device: device.id, op: op3.op });
  const compiled3 = await compile(program2, device, { ...options, ...signal && { signal } });
  const anyStage = (fact) => compiled3.stages.some(({ plan }) => plan[fact]) && { [fact]: true };
  return {
    facts: { text: `(${op3.op}/lowered ${compiled3.text})`, cost: compiled3.cost, ...anyStage("convolved"), ...anyStage("offUnits") },
    run: (bound, run) => compiled3.run(Object.fromEntries(bound), run).done,
    [Symbol.dispose]: () => compiled3[Symbol.dispose]()
  };
}

// ../core/src/create-device.ts
function createDevice(driver) {
  const { id } = driver;
  let state = "open";
  driver.lost.then((error) => {
    if (state === "open") state = error;
  });
  const assertOpen = () => {
    if (state === "disposed") throw new RadarError("disposed", `device ${id} was disposed`, { device: id });
    if (state !== "open") throw new RadarError("device-lost", state.message, { device: id }, state);
  };
  const meter = createMemoryMeter();
  const buffers = createBuffers(driver, meter, assertOpen);
  const plans = createPlans(driver, buffers, meter, assertOpen);
  const device = {
    id,
    info: driver.info,
    limits: driver.limits,
    units: driver.units,
    lost: driver.lost,
    alloc: buffers.alloc,
    plan: (op3, options) => plans.plan(device, op3, options),
    async ready() {
      assertOpen();
      const queued = [...plans.running];
      await driver.ready();
      await Promise.all(queued);
    },
    memory: () => ({ buffers: buffers.live.size, bytes: meter.bytes, peakBytes: meter.peakBytes, plans: plans.live.size }),
    [Symbol.dispose]() {
      if (state === "disposed") return;
      for (const plan of [...plans.live]) plan[Symbol.dispose]();
      for (const buffer of [...buffers.live]) buffer[Symbol.dispose]();
      state = "disposed";
      driver.close();
    }
  };
  return device;
}

// ../core/src/backend.ts
init_hooks();
init_kernels();
init_op();
init_transform();
init_wgsl();
init_errors();
init_listener();

// ../core/src/internal.ts
init_fields();
init_layout();

// ../core/src/spelling.ts
init_errors();
init_fields();
var longestName = 64;
var mostNames = 1e3;
var letters = (name) => name.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();
function nearestSpelling(name, names) {
  if (name.length > longestName) return void 0;
  const given = letters(name);
  let found;
  let nearest2 = given.length < 2 ? 0 : Math.floor(given.length / 3) + 1;
  for (const known3 of names) {
    const apart = slips(given, letters(known3));
    if (apart < nearest2) [found, nearest2] = [known3, apart];
  }
  return found;
}
function slips(a2, b2) {
  let [before, last] = [[], Array.from({ length: b2.length + 1 }, (_3, j) => j)];
  for (let i = 1; i <= a2.length; i++) {
    const row = [i];
    for (let j = 1; j <= b2.length; j++) {
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a2[i - 1] === b2[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a2[i - 1] === b2[j - 2] && a2[i - 2] === b2[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    [before, last] = [last, row];
  }
  return last[b2.length];
}
function checkSpelling(value2, fields3, what, code2 = "input") {
  checkObject(value2, what, code2);
  const names = Object.keys(fields3);
  const entries = Object.entries(value2);
  checkFields(Object.fromEntries(entries.filter(([name]) => Object.hasOwn(fields3, name))), fields3, what, code2);
  for (const [name, actual] of entries.filter(([other]) => !Object.hasOwn(fields3, other)).slice(0, mostNames)) {
    const expected = actual === void 0 ? void 0 : nearestSpelling(name, names);
    if (expected === void 0) continue;
    throw new RadarError(code2, `there is no field ${name} in ${what}: did you mean ${expected}?`, { field: name, expected, actual });
  }
}

// ../core/src/internal.ts
init_abort();

// ../core/src/wasm.ts
var maxWasmConstant = 2 ** 24;
var sharedMemory = "memory\x80\x80";
function lazyModules(binary3) {
  let decoded2;
  return () => {
    if (!decoded2) {
      const text3 = atob(binary3);
      const shared = Uint8Array.from(text3, (character) => character.charCodeAt(0));
      const plain2 = shared.slice();
      plain2.set([0, 128, 128, 128, 0], text3.indexOf(sharedMemory) + sharedMemory.length - 5);
      decoded2 = { plain: plain2, shared };
    }
    return decoded2;
  };
}

// ../core/src/internal.ts
init_wgsl();

// ../fft-cpu/src/queue.ts
var createResource = () => ({ writer: void 0, readers: /* @__PURE__ */ new Set() });
var inUse = ({ writer, readers }) => writer !== void 0 || readers.size > 0;
var turnMilliseconds = 12;
var sliceMilliseconds2 = 4;
function createQueue() {
  const unfinished = /* @__PURE__ */ new Set();
  let first2;
  let last;
  let held = [];
  let away = 0;
  let began;
  let called2 = false;
  let closed = false;
  const since = () => {
    if (began === void 0) {
      began = performance.now();
      afterTurn(() => {
        began = void 0;
        if (called2) turn2();
      });
    }
    return began;
  };
  const mustYield = () => began !== void 0 && performance.now() - began > turnMilliseconds;
  const turn2 = () => {
    const end = since() + turnMilliseconds;
    for (const entry of held.splice(0)) start(entry);
    const until = away > 0 ? Math.min(end, performance.now() + sliceMilliseconds2) : end;
    const done = workUntil(until);
    called2 = !done || held.length > 0;
  };
  const workUntil = (until) => {
    for (let entry = first2; entry; entry = first2) {
      const job = entry.job;
      try {
        if (!advance(entry, job, until)) return false;
        entry.resolve();
      } catch (error) {
        entry.reject(asRadarError(error, job.what));
      }
      first2 = first2?.behind;
      if (!first2) last = void 0;
      finish(entry);
      if (first2 && performance.now() > until) return false;
    }
    return true;
  };
  const start = (entry) => {
    const job = entry.job;
    const ended = (settle2) => {
      away--;
      settle2();
      finish(entry);
    };
    away++;
    job.start().then(
      () => ended(entry.resolve),
      (error) => ended(() => entry.reject(asRadarError(error, job.what)))
    );
  };
  const admit = (entry) => {
    if ("start" in entry.job) {
      if (mustYield()) {
        held.push(entry);
        called2 = true;
      } else {
        start(entry);
        since();
      }
      return;
    }
    if (last) last.behind = entry;
    else first2 = entry;
    last = entry;
    if (called2) return;
    called2 = true;
    if (!mustYield()) queueMicrotask(turn2);
  };
  const finish = (entry) => {
    if (closed) return;
    unfinished.delete(entry);
    const { reads, writes: writes2 } = entry.job.uses;
    for (const resource of writes2) if (resource.writer === entry) resource.writer = void 0;
    for (const resource of reads) resource.readers.delete(entry);
    for (const follower of entry.followers) if (--follower.missing === 0) admit(follower);
  };
  const enter = (job, claim) => {
    if (closed) return Promise.reject(new RadarError("disposed", `the device was disposed before ${job.what}`));
    return new Promise((resolve, reject) => {
      const slice = "slice" in job && job.slice || 1;
      const entry = { job, missing: 0, followers: [], behind: void 0, next: 0, slice, resolve, reject };
      claim(entry);
      unfinished.add(entry);
      if (entry.missing === 0) admit(entry);
    });
  };
  return {
    push: (job) => enter(job, claimUses),
    ready() {
      const mark2 = { what: "what was queued", uses: { reads: [], writes: [] }, start: () => Promise.resolve() };
      return enter(mark2, (entry) => {
        for (const earlier of unfinished) wait(entry, earlier);
      });
    },
    close() {
      closed = true;
      for (const { job, reject } of unfinished)
        reject(new RadarError("disposed", `the device was disposed before ${job.what} had finished`));
      unfinished.clear();
      first2 = last = void 0;
      held = [];
    }
  };
}
function wait(entry, earlier) {
  earlier.followers.push(entry);
  entry.missing++;
}
function claimUses(entry) {
  const { reads, writes: writes2 } = entry.job.uses;
  for (const resource of writes2) {
    if (resource.writer === entry) continue;
    if (resource.readers.size > 0) for (const reader of resource.readers) wait(entry, reader);
    else if (resource.writer) wait(entry, resource.writer);
    resource.readers.clear();
    resource.writer = entry;
  }
  for (const resource of reads) {
    if (resource.writer === entry || resource.readers.has(entry)) continue;
    if (resource.writer) wait(entry, resource.writer);
    resource.readers.add(entry);
  }
}
function advance(entry, job, until) {
  let now = performance.now();
  while (entry.next < job.items) {
    throwIfAborted(job.signal, job.what);
    const end = Math.min(entry.next + entry.slice, job.items);
    if (job.steps) {
      entry.work ??= job.steps(entry.next, end);
      while (!entry.work.next().done) {
        throwIfAborted(job.signal, job.what);
        if (performance.now() > until) return false;
      }
      entry.work = void 0;
    } else job.run(entry.next, end);
    entry.next = end;
    const after = performance.now();
    if (after - now < sliceMilliseconds2 / 2) entry.slice *= 2;
    else if (after - now > sliceMilliseconds2 && entry.slice > 1) entry.slice >>>= 1;
    now = after;
    if (now > until && entry.next < job.items) return false;
  }
  return true;
}

// ../fft-cpu/src/memory.ts
var pieceNumbers = 2 ** 18;
function usesOf2(op3) {
  const plan = createResource();
  const ports = Object.entries(portsOf(op3));
  const read2 = ports.filter(([, { access }]) => access === "read").map(([name]) => name);
  const written2 = ports.filter(([, { access }]) => access !== "read").map(([name]) => name);
  return (bound) => ({
    reads: read2.map((name) => bound[name].resource),
    writes: [plan, ...written2.map((name) => bound[name].resource)]
  });
}
function allocateHostArray(layout2, label, heap, queue) {
  const address = heap.allocate(byteLength(layout2), label);
  const TypedArray = dtypes[layout2.dtype].array;
  const length = scalarCount(layout2);
  let writes2 = 0;
  let freed = false;
  const resource = createResource();
  const view = () => new TypedArray(heap.memory.buffer, address, length);
  return {
    layout: layout2,
    address,
    resource,
    get data() {
      return view();
    },
    get elements() {
      return new ArrayView(layout2, view());
    },
    write(source, offset) {
      if (!inUse(resource)) {
        view().set(source, offset);
        return void 0;
      }
      const copy2 = typedArray(layout2.dtype, source.length);
      copy2.set(source);
      const written2 = () => {
        writes2--;
        if (freed && writes2 === 0) heap.free(address);
      };
      writes2++;
      const uses = { reads: [], writes: [resource] };
      const run = (from, to) => view().set(copy2.subarray(from * pieceNumbers, to * pieceNumbers), offset + from * pieceNumbers);
      const done = queue.push({ what: `write to ${label}`, uses, items: Math.ceil(copy2.length / pieceNumbers), run });
      done.then(written2, written2);
      return done;
    },
    async read(offset, count2) {
      const copy2 = typedArray(layout2.dtype, count2);
      const uses = { reads: [resource], writes: [] };
      const run = (from, to) => {
        const [start, end] = [from * pieceNumbers, Math.min(to * pieceNumbers, count2)];
        copy2.set(view().subarray(offset + start, offset + end), start);
      };
      await queue.push({ what: `read of ${label}`, uses, items: Math.ceil(count2 / pieceNumbers), run });
      return copy2;
    },
    view,
    free() {
      freed = true;
      if (writes2 === 0) heap.free(address);
    }
  };
}

// ../fft-cpu/src/wasm/records.ts
var sizes = { u32: 4, f32: 4, f64: 8, "u32[4]": 16 };
function record(fields3) {
  let bytes = 0;
  const place2 = (kind) => {
    const align = kind === "f64" ? 8 : 4;
    const at = Math.ceil(bytes / align) * align;
    bytes = at + sizes[kind];
    return at;
  };
  const words4 = [];
  const floats = [];
  for (const [name, type2] of Object.entries(fields3)) {
    if (type2 === "f32" || type2 === "f64") floats.push({ name, at: place2(type2), kind: type2 });
    else if (type2 === "u32[4]") place2(type2);
    else words4.push({ name, index: place2("u32") / 4, codes: type2 === "u32" ? {} : type2 });
  }
  return {
    fields: fields3,
    bytes,
    write(memory3, address, values) {
      const given = values;
      const target = new Uint32Array(memory3.buffer, address, bytes / 4);
      for (const { name, index, codes } of words4) {
        const value2 = given[name];
        target[index] = typeof value2 === "string" ? codes[value2] : value2;
      }
      for (const { name, at, kind } of floats) {
        if (kind === "f32") new Float32Array(memory3.buffer, address + at, 1)[0] = given[name];
        else new Float64Array(memory3.buffer, address + at, 1)[0] = given[name];
      }
    }
  };
}

// ../fft-cpu/src/wasm/layouts.ts
var lineWays = {
  rows: 0,
  columns: 1,
  "corner-turned rows": 2,
  "corner-turned columns": 3,
  "long first": 4,
  "long second": 5
};
var taskHead = record({
  way: lineWays,
  /** Address of the first unit's work memory. */
  work: "u32",
  /** Distance from one unit's work memory to the next. */
  workPitch: "u32"
});
var linesTask = record({
  ...taskHead.fields,
  /** Address of a `linesPlan`. */
  plan: "u32",
  source: "u32",
  /** Distance from one line to the next; for columns from one row to the next. */
  sourcePitch: "u32",
  target: "u32",
  /** Distance between rows of the target. */
  targetPitch: "u32",
  filter: "u32",
  /** Distance between filters. 0 if one filter serves all lines. */
  filterPitch: "u32",
  /** Distance from one outer index to the next in the source. */
  sourceOuter: "u32",
  /** The same distance in the target. */
  targetOuter: "u32",
  /** The same distance in the filters. */
  filterOuter: "u32",
  /** Number of adjacent lines: columns of a matrix, or rows that become its columns. */
  adjacent: "u32",
  /** Number of lines of a tile. */
  tileLines: "u32",
  /** Number of tiles across the adjacent lines. */
  tiles: "u32",
  /** Extent of the last axis. A hook is called for elements of one row of that axis. */
  row: "u32",
  /** Index of the load hook in the function table; 0 if there is none. */
  loadHook: "u32",
  loadArgument: "u32",
  /** Place of loaded lines in work memory. */
  loaded: "u32",
  loadedPitch: "u32",
  /** Index in the function table of the hook that computes filters; 0 if there is none. */
  filterHook: "u32",
  filterArgument: "u32",
  /** Place of computed filters in work memory. */
  filters: "u32",
  filtersPitch: "u32",
  /** Index of the store hook in the function table; 0 if there is none. */
  storeHook: "u32",
  storeArgument: "u32",
  /** Place in work memory of results that the store hook reads. */
  results: "u32",
  resultsPitch: "u32",
  /** Number of elements of a line that the load hook computes. */
  loadedCount: "u32",
  /** Number of elements of a line that are stored. */
  storedCount: "u32",
  /** Bytes of an element of the source. */
  elementIn: "u32",
  /** Bytes of an element of the target. */
  elementOut: "u32",
  /** Place in work memory of a tile for the corner turn. */
  tile: "u32",
  tilePitch: "u32"
});
var longTask = record({
  ...taskHead.fields,
  /** Address of the `linesPlan` of the first pass's columns. */
  firstPlan: "u32",
  source: "u32",
  /** Distance from one line of the source to the next. */
  sourceLine: "u32",
  target: "u32",
  /** Distance from one line of the target to the next. */
  targetLine: "u32",
  /** Address of the `linesPlan` of the second pass's columns. */
  secondPlan: "u32",
  /** The data between the passes. */
  between: "u32",
  /** Distance from one line of these data to the next. */
  betweenLine: "u32",
  /** Levels (scalings) of the first pass's columns, one byte each. */
  levels: "u32",
  /** Distance from one line of the levels to the next. */
  levelsLine: "u32",
  /** Columns of a line in the first pass. */
  firstColumns: "u32",
  firstTileColumns: "u32",
  /** Tiles of a line in the first pass. */
  firstTiles: "u32",
  /** Columns of a line in the second pass. */
  secondColumns: "u32",
  secondTileColumns: "u32",
  /** Tiles of a line in the second pass. */
  secondTiles: "u32",
  /** Place of a tile in work memory. */
  tile: "u32",
  /** Place of the other tile: stages read one and write the other. */
  otherTile: "u32",
  /** Place in work memory of a row that nobody reads. */
  nowhere: "u32",
  /** Address of the twiddle factors along a column if the first pass's tiles are mirrored, else 0. */
  firstTurns: "u32",
  /** Address of the twiddle factors of each column of the mirrored pass. */
  columnTurns: "u32",
  /** The same as `firstTurns` for the second pass. */
  secondTurns: "u32",
  /** Address of the twiddle factors between the passes. */
  factors: "u32"
});
var turnTask = record({
  source: "u32",
  target: "u32",
  rows: "u32",
  columns: "u32",
  /** Bytes of an element. */
  elementBytes: "u32",
  /** Number of items of a matrix. */
  items: "u32"
});
var multiplyWays = { line: 0, rows: 1, all: 2 };
var multiplyTask = record({
  x: "u32",
  h: "u32",
  y: "u32",
  /** Complex numbers of an item. */
  count: "u32",
  way: multiplyWays,
  /** Way `rows` only: number of filter values; item i uses the one at i modulo `extent`. */
  extent: "u32",
  items: "u32",
  /** Way `all` only: complex numbers of the last item. */
  rest: "u32"
});
var numberTypes = { f32: 0, f64: 1, i8: 2, i16: 3, u8: 4, u32: 5 };
var convertTask = record({
  x: "u32",
  y: "u32",
  /** Numbers of an item. */
  count: "u32",
  /** Numbers of the last item. */
  rest: "u32",
  items: "u32",
  from: numberTypes,
  to: numberTypes,
  /** Bytes of a number of x. */
  bytesIn: "u32",
  /** Bytes of a number of y. */
  bytesOut: "u32",
  /** The factor for all numbers. */
  scale: "f64"
});
var kinds = { fft: 0, "inverse-fft": 1, filter: 2, "filter-inverse": 3, "real-fft": 4, "inverse-real-fft": 5 };
var linesPlan = record({
  kind: kinds,
  /** Address of the program. */
  program: "u32",
  /** Length of the transform. */
  n: "u32",
  /** Address of the turns of real transforms. */
  realTurns: "u32",
  /** How many numbers of a line are read. */
  available: "u32",
  /** How many numbers the transform takes. */
  needed: "u32",
  /** First number kept. */
  keepStart: "u32",
  /** How many numbers are kept. */
  keepCount: "u32",
  /** How many numbers the transform produces. */
  produced: "u32",
  /** Place where lines are prepared for the transform. */
  stage: "u32",
  stagePitch: "u32",
  /** Bytes of an element in. */
  elementIn: "u32",
  /** Bytes of an element out. */
  elementOut: "u32",
  /** Place of a tile of columns, which are lines there. */
  tile: "u32",
  tilePitch: "u32",
  /** Columns of a tile. */
  tileColumns: "u32",
  /** Place of a tile of filters. */
  filterTile: "u32",
  /** For filters: address of the program of the inverse that starts with the stage that the forward transform ends with; or 0. */
  inverse: "u32"
});
var groupLines = record({
  /** The lines to transform, as they are read or prepared. */
  from: "u32[4]",
  staged: "u32[4]",
  /** Where the results go. */
  to: "u32[4]",
  filters: "u32[4]"
});
var modes = { within: 1, chirp: 2, across: 4 };
var programHead = record({ n: "u32", mode: modes });
var stagesProgram = record({
  ...programHead.fields,
  /** Number of stages, not counting the last. */
  stages: "u32",
  /** Radix of the last stage, or 0. */
  last: "u32",
  /** Factor for the results of an inverse: 1/n, or 1 for the convolution of a chirp. */
  scale: "f32",
  /** Place of the first block of scratch memory. */
  first: "u32",
  /** Place of the second block of scratch memory. */
  second: "u32",
  /** The exact factor minus `scale`, which was rounded. */
  scaleRest: "f32"
});
var stage = record({
  radix: "u32",
  /** Distance from one output to the next. */
  step: "u32",
  /** Number of outputs. */
  m: "u32",
  /** Address of the twiddle factors. */
  turns: "u32"
});
var chirpProgram = record({
  ...programHead.fields,
  /** Address of the chirp. */
  chirp: "u32",
  /** Address of the spectrum of its conjugate. */
  kernel: "u32",
  /** Address of the chirp divided by n. */
  inverseChirp: "u32",
  /** Place of a line in work memory. */
  line: "u32",
  /** Address of the `stagesProgram` of the convolution. */
  convolver: "u32",
  /** Length of the convolution. */
  m: "u32"
});

// ../fft-cpu/src/array-rules.ts
function arrayRules(engine) {
  return [
    {
      name: "wasm corner turn",
      fused: false,
      // Only from one array to another. Core lowers a transpose in place, with a copy.
      try: (op3, { options }) => op3.op === "transpose" && !options.inPlace ? turnBody(op3, engine) : void 0
    },
    {
      name: "wasm product",
      fused: false,
      try: (op3) => op3.op === "multiply" && op3.layout.dtype === "c64" ? multiplyBody(op3, engine) : void 0
    },
    { name: "wasm conversion", fused: false, try: (op3) => op3.op === "convert" ? convertBody(op3, engine) : void 0 }
  ];
}
var blockLength = 8192;
var bytesPerMillisecond = 2e6;
function body(op3, engine, { entry, name, items, task, values }) {
  const { heap } = engine;
  const argument = heap.allocate(task.bytes, formatOp(op3));
  const cost = onePassCost(op3);
  const uses = usesOf2(op3);
  return {
    text: `(${op3.op}/wasm ${name})`,
    cost,
    dispose: () => heap.free(argument),
    run: (ports, { units, signal }) => engine.run({
      what: formatOp(op3),
      uses: uses(ports),
      entry,
      argument,
      items,
      chunk: Math.ceil(items / (8 * units.length)),
      milliseconds: cost.bytes / bytesPerMillisecond,
      units,
      signal,
      prepare: () => task.write(heap.memory, argument, values(ports))
    })
  };
}
function asMatrices(op3) {
  const rank = op3.permutation.length;
  let kept2 = 0;
  while (kept2 < rank && op3.permutation[kept2] === kept2) kept2++;
  const first2 = op3.permutation[kept2] ?? rank;
  const turned2 = [...Array(rank).keys()].slice(kept2);
  const exchanged = [...turned2.filter((axis) => axis >= first2), ...turned2.filter((axis) => axis < first2)];
  if (exchanged.some((axis, i) => op3.permutation[kept2 + i] !== axis)) return void 0;
  const product3 = (from, to) => op3.layout.shape.slice(from, to).reduce((a2, b2) => a2 * b2, 1);
  return { matrices: product3(0, kept2), rows: product3(kept2, first2), columns: product3(first2, rank) };
}
function turnBody(op3, engine) {
  const shape = asMatrices(op3);
  if (!shape) return void 0;
  const { matrices, rows, columns } = shape;
  const bands = Math.ceil(rows / 64);
  return body(op3, engine, {
    entry: engine.kernel("turnTask"),
    name: `turn ${matrices} of ${rows}\xD7${columns}`,
    items: matrices * bands,
    task: turnTask,
    values: (ports) => ({
      source: ports["in"].address,
      target: ports["out"].address,
      rows,
      columns,
      elementBytes: dtypes[op3.layout.dtype].bytes,
      items: bands
    })
  });
}
function multiplyBody(op3, engine) {
  const { outers, extent, inners } = axisView(op3.layout, op3.axis);
  const total = elementCount(op3.layout);
  const ways2 = {
    line: { way: "line", count: extent, items: outers },
    rows: { way: "rows", count: inners, items: outers * extent },
    all: { way: "all", count: blockLength, items: Math.ceil(total / blockLength) }
  };
  const { way, count: length, items } = op3.h === "all" ? ways2.all : inners === 1 ? ways2.line : ways2.rows;
  return body(op3, engine, {
    entry: engine.kernel("multiplyTask"),
    name: `h=${op3.h}`,
    items,
    task: multiplyTask,
    values: (ports) => ({
      x: ports["in"].address,
      h: ports["h"].address,
      y: ports["out"].address,
      count: length,
      way,
      extent,
      items,
      rest: total - (items - 1) * blockLength
    })
  });
}
var numberType = (dtype) => ({ c64: "f32", c128: "f64", ci8: "i8", ci16: "i16" })[dtype] ?? dtype;
function convertBody(op3, engine) {
  if (![op3.layout.dtype, op3.to].every((dtype) => Object.hasOwn(numberTypes, numberType(dtype)))) return void 0;
  const total = scalarCount(op3.layout);
  const items = Math.ceil(total / blockLength);
  const typeOf2 = (dtype) => numberType(dtype);
  const bytesOf2 = (dtype) => dtypes[dtype].bytes / dtypes[dtype].components;
  const rest = total - (items - 1) * blockLength;
  return body(op3, engine, {
    entry: engine.kernel("convertTask"),
    name: op3.to,
    items,
    task: convertTask,
    values: (ports) => ({
      x: ports["in"].address,
      y: ports["out"].address,
      count: blockLength,
      rest,
      items,
      from: typeOf2(op3.layout.dtype),
      to: typeOf2(op3.to),
      bytesIn: bytesOf2(op3.layout.dtype),
      bytesOut: bytesOf2(op3.to),
      scale: op3.scale ?? 1
    })
  });
}

// ../fft-cpu/src/heap.ts
var pageBytes = 65536;
var alignment = 64;
var apartBytes = 2112;
var fewestPages = 1024;
function createMemory(shared, most2) {
  for (let maximum = most2; ; maximum >>>= 1) {
    try {
      return { memory: new WebAssembly.Memory({ initial: 16, maximum, shared }), maximum };
    } catch (error) {
      if (maximum < 2 * fewestPages) throw new RadarError("out-of-memory", "no memory for the CPU device", {}, error);
    }
  }
}
function createHeap({ shared, maximumBytes, reservedBytes = alignment }) {
  const { memory: memory3, maximum } = createMemory(shared, Math.min(65536, Math.floor(maximumBytes / pageBytes)));
  const start = Math.ceil(reservedBytes / alignment) * alignment;
  const free = [{ address: start, bytes: memory3.buffer.byteLength - start }];
  const allocated2 = /* @__PURE__ */ new Map();
  let touched = start;
  let used = 0;
  const grow = (bytes, label) => {
    const last = free.at(-1);
    const end = memory3.buffer.byteLength;
    const tail = last && last.address + last.bytes === end ? last : void 0;
    const missing2 = Math.ceil((bytes - (tail?.bytes ?? 0)) / pageBytes);
    if (end / pageBytes + missing2 > maximum) {
      throw new RadarError(
        "limit",
        `${label} needs ${bytes} bytes; ${used} of the ${maximum * pageBytes} that the CPU device may have are in use`,
        {
          label,
          bytes,
          used,
          limit: maximum * pageBytes
        }
      );
    }
    try {
      memory3.grow(missing2);
    } catch (error) {
      throw new RadarError("out-of-memory", `no memory for ${label}: ${bytes} bytes`, { label, bytes }, error);
    }
    if (tail) tail.bytes += missing2 * pageBytes;
    else free.push({ address: end, bytes: missing2 * pageBytes });
  };
  const take = (bytes) => {
    const i = free.findIndex((block2) => block2.bytes >= bytes);
    if (i < 0) return void 0;
    const block = free[i];
    const address = block.address;
    block.address += bytes;
    block.bytes -= bytes;
    if (block.bytes === 0) free.splice(i, 1);
    return address;
  };
  return {
    memory: memory3,
    get used() {
      return used;
    },
    allocate(bytes, label, raw2) {
      const padded = bytes + (bytes >= 4096 ? apartBytes : 0);
      const size = Math.max(alignment, Math.ceil(padded / alignment) * alignment);
      let address = take(size);
      if (address === void 0) {
        grow(size, label);
        address = take(size);
      }
      if (address < touched && !raw2) new Uint8Array(memory3.buffer, address, Math.min(size, touched - address)).fill(0);
      touched = Math.max(touched, address + size);
      allocated2.set(address, size);
      used += size;
      return address;
    },
    free(address) {
      const bytes = allocated2.get(address);
      if (bytes === void 0) throw new Error(`nothing is allocated at ${address}`);
      allocated2.delete(address);
      used -= bytes;
      let i = free.findIndex((block) => block.address > address);
      if (i < 0) i = free.length;
      free.splice(i, 0, { address, bytes });
      for (const k of [i, i - 1]) {
        const [a2, b2] = [free[k], free[k + 1]];
        if (a2 && b2 && a2.address + a2.bytes === b2.address) {
          a2.bytes += b2.bytes;
          free.splice(k + 1, 1);
        }
      }
    }
  };
}

// ../fft-cpu/src/wasm/binaries.ts
var plain = "AGFzbQEAAAABfg5gBH9/f38AYAV/f39/fwBgBn9/f39/fwBgBX9/f398AGADf39/AGAJf39/f39/f39/AGAIf39/f39/f38AYAd/f39/f39/AGACf38Bf2AEf39/fwF/YAt/f39/f39/f39/fwBgBX9/f39/AX9gBn9/f397ewBgBX9/f3t7AAIgAgNlbnYGbWVtb3J5AgMBgIAEA2VudgV0YWJsZQFwAAEDNzYCBwUCCQQCBQECAAAHCAgGCgsCAAUCAAAABAQCBgYBAQEBAQEBAQwADQQAAQEAAAADAwMDAwMHZQgEcm93cwACDG11bHRpcGx5Um93cwAdB2NvbHVtbnMABw1jb2x1bW5zVG9Sb3dzABQLY29udmVydFRhc2sALwxtdWx0aXBseVRhc2sALgh0dXJuVGFzawAtCWxpbmVzVGFzawAXCs7wAjb0AQEHfyAAKAIEIgZBAUYEQCAAIAEgAigCACADKAIAIAQoAgAgBRAGBSAGQQRGBEAgACABIAIgAyAEIAUQGwUgAigCACEGIAMoAgAgBCgCACEKIAAoAgAhBCAAKAIIIQsgACgCDCECIAAoAhghDCAAKAIcIQMgAUEARyEHIAUgACgCFGoiCCABQQJGBH8gCCAGIAogBEEAQQAQAyAIBSAGCyALIAQgB0EAEAMgCCAEQQN0akEAIAMgBGtBA3T8CwAgDEEAIAggCEEAIAUQBiAMQQIgCCAIIAIgBRAGIAggBwR/IAAoAhAFIAsLIARBACAHEAMLCwuRBAIFfwJ7IAZBBEYEQANAIAQgB0sEQEEAIQYDQCAFIAZLBEAgAiADIAZsaiAHQQJ0aiAAIAEgB2xqIAZBAnRqKAIANgIAIAZBAWohBgwBCwsgB0EBaiEHDAELCw8LIAZBAkYEQANAIAQgB0sEQEEAIQYDQCAFIAZLBEAgAiADIAZsaiAHQQF0aiAAIAEgB2xqIAZBAXRqLwEAOwEAIAZBAWohBgwBCwsgB0EBaiEHDAELCw8LIAZBAUYEQANAIAQgB0sEQEEAIQYDQCAFIAZLBEAgAiADIAZsaiAHaiAAIAEgB2xqIAZqLQAAOgAAIAZBAWohBgwBCwsgB0EBaiEHDAELCw8LA0AgCEECaiAETQRAIAAgASAIbGohCiACIAhBA3RqIQlBACEGA0AgBkECaiIHIAVNBEAgCSAGQQN0IgYgCmr9AAQAIgwgASAKaiAGav0ABAAiDf0NAAECAwQFBgcQERITFBUWF/0LBAAgAyAJaiAMIA39DQgJCgsMDQ4PGBkaGxwdHh/9CwQAIAkgA0EBdGohCSAHIQYMAQsLIAUgBksEQCAJIAZBA3QiBiAKaikDADcDACAJIAEgCmogBmopAwA3AwgLIAhBAmohCAwBCwsgBCAISwRAA0AgBSALSwRAIAIgAyALbGogCEEDdGogACABIAhsaiALQQN0aikDADcDACALQQFqIQsMAQsLCwu3BQEXfyAAKAIAIQ0gACgCRCEPQQRBASAAKAIEIgsoAgRBBEYbIREgACgCECEQIAAoAhQhFiAAKAIYIRggCCAAKAIkaiEZIAAoAighGiAAKAIcIhcgACgCIEYhFSAIQRBqIRIgCEEgaiEMIAhBMGohDgNAIAUgE0sEQEEAIRRBACEKA0AgCiARSQRAIBQgASAKIBNqIgkgBUEBayIUIAkgFEkbIhsgAmxqIhwgEBAOIh0gCkEBdHRyIRQgGSAKIBpsaiEeIB1BAEciCUUEQCAQIBZJIQkLIAkEQCAdIB4gHCAQEAsgHiAQQQJ0akEAIBYgEGtBAnT8CwALIApBAnQiHSAIaiAeIBwgCRs2AgAgEiAdaiAeNgIAIAwgHWogAyAEIBtsaiAeIBUbNgIAIA4gHWogBiAHIBtsajYCACAKQQFqIQoMAQsLIA1BAkkEQCALIA0gCCAMIA4gCBAABSANQQNGBEAgC0ECIAggDCAOIAgQAAUgDUECRiAPQQBHcQRAIAwoAgAhCiAOKAIAIRsgCCALKAIYaiEcIAggCygCFGohHSAIKAIAIR4gCygCKCEJIAsoAiwhHyALKAIgQQRGBEAgHiAdIAkgHxAWCyAcIB1qIAtBASAdIBwQBCIJayEcIAkgHCAPKAIoIA8oAiwgGxAsIA9BASAPQQEgHCAJEAQgChATBSANQQJGBEAgC0EAIAggEiAOIAgQACALQQIgEiAMIA4gCBAABSAAIA1BBEYgCyARIAggEiAMIAgQHAsLCwsgFEUgFXFFBEBBACEJA0AgCSARSSAJIBNqIgogBUlxBEAgAyAEIApsaiEKIBVFBEAgCiAMIAlBAnRqKAIAIBhBAnRqIBdBAnT8CgAACyAUIAlBAXR2QQNxIAogFxAFIAlBAWohCQwBCwsLIBEgE2ohEwwBCwsLwQUCAnsBfyAAIANBfnFBA3RqIQggBCAFcgRAIAQEQANAIAAgCEkEQCAAIAH9AAQAIgYgBv0NBAUGBwABAgMMDQ4PCAkKCyIGIAL9AAQAIgcgB/0NAAECAwABAgMICQoLCAkKC/3mASAGIAb9DQQFBgcAAQIDDA0ODwgJCgsgByAH/Q0EBQYHBAUGBwwNDg8MDQ4P/eYB/QwAAACAAAAAAAAAAIAAAAAA/VH95AH9CwQAIABBEGohACABQRBqIQEgAkEQaiECDAELCwUDQCAAIAhJBEAgACAB/QAEACIGIAL9AAQAIgcgB/0NAAECAwABAgMICQoLCAkKC/3mASAGIAb9DQQFBgcAAQIDDA0ODwgJCgsgByAH/Q0EBQYHBAUGBwwNDg8MDQ4P/eYB/QwAAACAAAAAAAAAAIAAAAAA/VH95AEiBiAG/Q0EBQYHAAECAwwNDg8ICQoL/QsEACAAQRBqIQAgAUEQaiEBIAJBEGohAgwBCwsLBQNAIAAgCEkEQCAAIAH9AAQAIgYgAv0ABAAiByAH/Q0AAQIDAAECAwgJCgsICQoL/eYBIAYgBv0NBAUGBwABAgMMDQ4PCAkKCyAHIAf9DQQFBgcEBQYHDA0ODwwNDg/95gH9DAAAAIAAAAAAAAAAgAAAAAD9Uf3kAf0LBAAgAEEQaiEAIAFBEGohASACQRBqIQIMAQsLCyADQQFxRQRADwsgACAB/V0DACIGIAb9DQQFBgcAAQIDDA0ODwgJCgsgBiAEGyIGIAL9XQMAIgcgB/0NAAECAwABAgMICQoLCAkKC/3mASAGIAb9DQQFBgcAAQIDDA0ODwgJCgsgByAH/Q0EBQYHBAUGBwwNDg8MDQ4P/eYB/QwAAACAAAAAAAAAAIAAAAAA/VH95AEiBiAG/Q0EBQYHAAECAwwNDg8ICQoLIAYgBRv9WwMAAAtXAQJ/IAAoAgghBSAAQSBqIAFBBHRqIQQDQCABIAVJBEAgBCgCACACIAMgBCgCBCAEKAIIIAQoAgwQFSACIAMhAiEDIARBEGohBCABQQFqIQEMAQsLIAIL/QMCAX8DeyAAQQFGBEBBACEAA0AgAEEEaiIDIAJNBEAgASAAQQJ0aiIA/QAEACIE/Qz///9/////f////3////9//U4iBf0MAACAIAAAgCAAAIAgAACAIP1GIQYgACAEIAb9Tv0MAACAHwAAgB8AAIAfAACAH/3mASAFIAb9T/0MAAAAagAAAGoAAABqAAAAav3mAf1q/fgBIAb9UiAE/QwAAACAAAAAgAAAAIAAAACA/U79UCAEIAQgBP1B/VL9CwQAIAMhAAwBCwsDQCAAIAJJBEAgASAAQQJ0aiIDKgIA/RMiBP0M////f////3////9/////f/1OIgX9DAAAgCAAAIAgAACAIAAAgCD9RiEGIAMgBCAG/U79DAAAgB8AAIAfAACAHwAAgB/95gEgBSAG/U/9DAAAAGoAAABqAAAAagAAAGr95gH9av34ASAG/VIgBP0MAAAAgAAAAIAAAACAAAAAgP1O/VAgBCAEIAT9Qf1S/R8AOAIAIABBAWohAAwBCwsFIABBA0YEQEEAIQADQCAAQQRqIgMgAk0EQCABIABBAnRqIgAgAP0ABAD9DAAAgG8AAIBvAACAbwAAgG/95gH9CwQAIAMhAAwBCwsDQCAAIAJJBEAgASAAQQJ0aiIDIAMqAgBDAACAb5Q4AgAgAEEBaiEADAELCwsLC4kBAQR/IAUgACgCFGohBiAFIAAoAhhqIQcgACgCICEIIAAoAighCSAAKAIsIQUgAQRAIAFBAUYEQCAIQQRGBEAgAiAGIAkgBRAqCwUgCEEERgRAIAIgBiAJIAUgBBArCwsFIAhBBEYEQCACIAYgCSAFEBYLCyAAIAFBAEcgAEEBIAYgBxAEIAMQEwveAQEMfyAIIAAoAjRqIQsgACgCOCEJIAAoAjwhDCAIIAAoAkBqIQ0gACgCCCEQIAAoAhBBAnQgACgCLCIObiERIAAoAhxBAnQgACgCMCIPbiESA0AgBSAKSwRAIAEgCiAObGogAiALIAkgESAMIAUgCmsiEyAMIBNJGyITIA4QASAHBEAgBiAKQQN0aiAHIA0gCSAQIBNBCBABCyAAIAsgCSALIAkgEyANIAYgB0EARyIUGyAJQQAgFBsgCBACIAsgCSADIAogD2xqIAQgEiATIA8QDCAKIAxqIQoMAQsLC/cBAwN7BH0BfyAB/QoDACEFA0AgDEECaiADTQRAIAIgAP0ABAAiByAEBHsgAf0ABAAFIAULIgYgBv0NAAECAwABAgMICQoLCAkKC/3mASAHIAf9DQQFBgcAAQIDDA0ODwgJCgsgBiAG/Q0EBQYHBAUGBwwNDg8MDQ4P/QwAAIC/AACAPwAAgL8AAIA//eYB/eYB/eQB/QsEACAMQQJqIQwgAEEQaiEAIAJBEGohAiABIARBAXRqIQEMAQsLIAMgDEsEQCACIAAqAgAiCyABKgIAIgqUIAAqAgQiCSABKgIEIgiUkzgCACACIAsgCJQgCSAKlJI4AgQLC9oDARV/IAAoAgwhDCAAKAIQIQ0gACgCFCEGIAAoAiAhDiAAKAIkIQcgACgCZCIKIAAoAlQiCCAAKAJEIglyckUEQCAMIA0gASAGbGogBiADIAQgAiABayAOIAEgB2xqIAcgBRACDwsgACgCSCEYIAAoAlghGSAAKAJoIRogBSAAKAJMaiEPIAAoAlAhECAFIAAoAlxqIREgACgCYCESIAUgACgCbGohEyAAKAJwIRQgACgCdCEVIAAoAnghFiAMKAIIIRcDQCABIAJJBEBBBCACIAFrIgAgAEEESxshCyAJBEBBACEAA0AgACALSQRAIBggACABaiAVbCAVIA8gACAQbGogCREAACAAQQFqIQAMAQsLCyAIBEBBACEAA0AgACALSQRAIBkgACABaiAXbCAXIBEgACASbGogCBEAACAAQQFqIQAMAQsLCyAMIA8gDSABIAZsaiAJGyAQIAYgCRsgEyADIAobIBQgBCAKGyALIBEgDiABIAdsaiAIGyASIAcgCBsgBRACIAoEQEEAIQADQCAAIAtJBEAgGiAAIAFqIBZsIBYgEyAAIBRsaiADIAAgBGxqIAoRAQAgAEEBaiEADAELCwsgAUEEaiEBIAMgBEECdGohAwwBCwsLggUCA3sDf0EBIQcDQCAHQQF0QQJqIAJJBEAgB0EDdCIIIABq/QAEAP0MAAAAPwAAAD8AAAA/AAAAP/3mASIEIAIgB2tBAWtBA3QiCSAAav0ABAD9DAAAAD8AAAA/AAAAPwAAAD/95gEiBSAF/Q0ICQoLDA0ODwABAgMEBQYH/QwAAAAAAAAAgAAAAAAAAACA/VEiBf3kASIGIAQgBf3lASIEIAMgCGr9AAQAIgUgBf0NAAECAwABAgMICQoLCAkKC/3mASAEIAT9DQQFBgcAAQIDDA0ODwgJCgsgBSAF/Q0EBQYHBAUGBwwNDg8MDQ4P/eYB/QwAAACAAAAAAAAAAIAAAAAA/VH95AEiBP3lAf0MAAAAAAAAAIAAAAAAAAAAgP1RIQUgASAIaiAGIAT95AH9CwQAIAEgCWogBSAF/Q0ICQoLDA0ODwABAgMEBQYH/QsEACAHQQJqIQcMAQsLA0AgB0EBdCACTQRAIAdBA3QiCCAAav1dAwD9DAAAAD8AAAA/AAAAPwAAAD/95gEiBCACIAdrQQN0IgkgAGr9XQMA/QwAAAA/AAAAPwAAAD8AAAA//eYB/QwAAAAAAAAAgAAAAAAAAACA/VEiBf3kASEGIAEgCWogBiAEIAX95QEiBCADIAhq/V0DACIFIAX9DQABAgMAAQIDCAkKCwgJCgv95gEgBCAE/Q0EBQYHAAECAwwNDg8ICQoLIAUgBf0NBAUGBwQFBgcMDQ4PDA0OD/3mAf0MAAAAgAAAAAAAAACAAAAAAP1R/eQBIgT95QH9DAAAAAAAAACAAAAAAAAAAID9Uf1bAwAAIAEgCGogBiAE/eQB/VsDAAAgB0EBaiEHDAELCwuqAwIDewN/IABFBEAgASACIANBAnT8CgAADwsDQCADIAdLBEAgB0EEaiADTQR7IAIgB0ECdGr9AAQABf0MAAAAAAAAAAAAAAAAAAAAACACIAdBAnRqIggqAgD9IAAhBCADIAdrIglBAUsEQCAEIAgqAgT9IAEhBAsgCUECSwR7IAQgCCoCCP0gAgUgBAsLIQUgASAHQQJ0aiAAQQFGBHsgBSAF/Qz///9/////f////3////9//U4iBP0MAACAAAAAgAAAAIAAAACAAP1AIgb9Tv0MAACAXwAAgF8AAIBfAACAX/3mASAEIAb9T/36Af0MAAAAFQAAABUAAAAVAAAAFf3mASAG/VIgBf0MAAAAgAAAAIAAAACAAAAAgP1O/VAFIABBA0YEeyAFIAX9DP///3////9/////f////3/9Tv0MAACAMAAAgDAAAIAwAACAMP1A/U79DAAAgA8AAIAPAACADwAAgA/95gEFIAUgBf0M////f////3////9/////f/1O/QwAAIAAAACAAAAAgAAAAIAA/UD9TgsL/QsEACAHQQRqIQcMAQsLC5EEAgV/AnsgBkEERgRAA0AgBCAHSwRAQQAhBgNAIAUgBksEQCACIAMgB2xqIAZBAnRqIAAgASAGbGogB0ECdGooAgA2AgAgBkEBaiEGDAELCyAHQQFqIQcMAQsLDwsgBkECRgRAA0AgBCAHSwRAQQAhBgNAIAUgBksEQCACIAMgB2xqIAZBAXRqIAAgASAGbGogB0EBdGovAQA7AQAgBkEBaiEGDAELCyAHQQFqIQcMAQsLDwsgBkEBRgRAA0AgBCAHSwRAQQAhBgNAIAUgBksEQCACIAMgB2xqIAZqIAAgASAGbGogB2otAAA6AAAgBkEBaiEGDAELCyAHQQFqIQcMAQsLDwsDQCAIQQJqIARNBEAgACAIQQN0aiEJIAIgAyAIbGohCkEAIQYDQCAGQQJqIgcgBU0EQCAGQQN0IgYgCmogCf0ABAAiDCABIAlq/QAEACIN/Q0AAQIDBAUGBxAREhMUFRYX/QsEACADIApqIAZqIAwgDf0NCAkKCwwNDg8YGRobHB0eH/0LBAAgCSABQQF0aiEJIAchBgwBCwsgBSAGSwRAIAZBA3QiBiAKaiAJKQMANwMAIAMgCmogBmogCSkDCDcDAAsgCEECaiEIDAELCyAEIAhLBEADQCAFIAtLBEAgAiADIAhsaiALQQN0aiAAIAEgC2xqIAhBA3RqKQMANwMAIAtBAWohCwwBCwsLC7oCAgJ/AnsDQCACQQRqIAFNBEAgBCAAIAJBAnRq/QAEAP0M////f////3////9/////f/1OIgX9uQEhBCADBH9BAQUgBf0MAQAAAAEAAAABAAAAAQAAAP2xAf0M//9/AP//fwD//38A//9/AP06/VMLIQMgAkEEaiECDAELCwNAIAEgAksEQCAEIAAgAkECdGooAgD9Ef0M////f////3////9/////f/1OIgX9uQEhBCADBH9BAQUgBf0MAQAAAAEAAAABAAAAAQAAAP2xAf0M//9/AP//fwD//38A//9/AP06/VMLIQMgAkEBaiECDAELCyAE/QwAAIBvAACAbwAAgG8AAIBv/UD9UwRAQQMPCyAE/QwAAIAfAACAHwAAgB8AAIAf/UD9UwRAQQJBACADGw8LIAT9U0EARwv7AQIDfwN7IAFBBEkEQCAAIAEQDQ8LQRBBgAIgAUHAAE0bIQMgACABQQJ0akEQayEE/Qz/////////////////////IQUgACECA0AgAiAETQRAIAYgAv0ABAD9DP///3////9/////f////3/9TiIH/bkBIQYgBSAH/QwBAAAAAQAAAAEAAAABAAAA/bEB/bcBIQUgAiADaiECDAELCyAG/QwAAIBvAACAbwAAgG8AAIBv/UD9UwRAQQMPCyAF/Qz//38A//9/AP//fwD//38A/Tr9U0EBIAb9DAAAgB8AAIAfAACAHwAAgB/9QP1TG0UEQEEADwsgACABEA0L5AICB38Ce0EQIAdrIQwgBkF8cSIIIAVBA2pBfHEiCiAIIApLGyEJA0AgBCALSwRAIApBA3QhCANAIAggCUEDdEkEQCACIAhqIg0gACAIaiIOIAdq/QAEACIPIAwgDmr9AAQAIhD9DQABAgMQERITBAUGBxQVFhf9CwQAIA0gDyAQ/Q0ICQoLGBkaGwwNDg8cHR4f/QsEECAIQSBqIQgMAQsLIAUhCANAIAggCiAGIAYgCksbSQRAIAIgCEEDdGoiDSAAIAhBAnZBBXRqIAhBA3FBAnRqIg4gB2oqAgA4AgAgDSAOQRBqIAdrKgIAOAIEIAhBAWohCAwBCwsgCSEIA0AgBiAISwRAIAIgCEEDdGoiDSAAIAhBAnZBBXRqIAhBA3FBAnRqIg4gB2oqAgA4AgAgDSAOQRBqIAdrKgIAOAIEIAhBAWohCAwBCwsgC0EBaiELIAAgAWohACACIANqIQIMAQsLC+QFAhN/C3sgBEEEaiAFTSAEIAZPcgRADwtBECAIayELIAAoAkQhDSAAKAJIIQ8gACgCYEEARyEOIAAoAjQhECAKIAAoAlRqIRcDQCAMIA9JBEAgDEEBaiAPRiEAIAcgECAMIA1sIhVsQRBBCCAOG2xqAn8gDkUEQCANIBVqIgAgAyAAIANJGwwBCyADQQF2QQFqIA0gFWogABsLIBVrQQNqQQJ2IgpBwABBICAOG2wiGCAEbGoiACAXIAQgBU8bIREgACAYaiAXIARBAWoiEiAFTyAGIBJLcRshGSAAIBhBAXRqIBcgBEECaiISIAVPIAYgEktxGyEaIAAgGEEDbGogFyAEQQNqIAZJGyESIANBAWogFWsgCkECdGshE0EAIQADQCAAIBhBA3ZJBEAgESAAQQJ2QQV0IABBAnFBAnRqIhtqIhQgCGogASAAIBVqIAAgE2ogCkECdCIWayAAIBZJGyIcIAJsaiABIAMgHEsbIh0gCGr9AAQAIiEgCSAcQQV0aiIW/QAEACIi/eYBIAsgHWr9AAQAIiMgFv0ABBAiJf3mAf3lASIkIAEgHEEBaiIcIAJsaiABIAMgHEsbIhwgCGr9AAQAIiYgFv0ABCAiJ/3mASALIBxq/QAEACIeIBb9AAQwIh/95gH95QEiKP0NAAECAxAREhMEBQYHFBUWFyIg/VsDAAAgGSAbaiIWIAhqICD9WwMAASAaIBtqIhwgCGogJCAo/Q0ICQoLGBkaGwwNDg8cHR4fIiD9WwMAACASIBtqIhsgCGogIP1bAwABIAsgFGogISAl/eYBICMgIv3mAf3kASIgICYgH/3mASAeICf95gH95AEiHv0NAAECAxAREhMEBQYHFBUWFyIf/VsDAAAgCyAWaiAf/VsDAAEgCyAcaiAgIB79DQgJCgsYGRobDA0ODxwdHh8iHv1bAwAAIAsgG2ogHv1bAwABIABBAmohAAwBCwsgDEEBaiEMDAELCwtdAQN/IAAoAgQiBygCCCEAA0AgACAFSwRAIAdBIGogBUEEdGoiBigCACABIAIgBigCBEEFdiAEbCAGKAIIIAYoAgwQFSACIQEgAyECIAEhAyAFQQFqIQUMAQsLIAELpgQCCnsHfyADQQF0IRRBECAFayEVA0AgAyASSwRAIAEgEmoiEP0ABAAiByAQ/QAEECII/Q0AAQIDCAkKCxAREhMYGRobIQYgByAI/Q0EBQYHDA0ODxQVFhccHR4fIQcgAiASaiEQIAIgBCAUbGpBIGsgEmshEUEAIRMDQCAEIBNLBEAgEP0ABAD9DAAAAD8AAAA/AAAAPwAAAD/95gEiCCAR/QAEAP0MAAAAPwAAAD8AAAA/AAAAP/3mASIJIAn9DQwNDg8ICQoLBAUGBwABAgMiCf3kASEKIBD9AAQQ/QwAAAA/AAAAPwAAAD8AAAA//eYBIgsgEf0ABBD9DAAAAD8AAAA/AAAAPwAAAD/95gEiDCAM/Q0MDQ4PCAkKCwQFBgcAAQIDIgz95QEhDSAIIAn95QEiCCAAIBNBA3RqIhb9CQIAIgkgBv3mASAW/QkCBCIOIAf95gH95QEiD/3mASALIAz95AEiCyAJIAf95gEgDiAG/eYB/eQBIgn95gH95QEhDCAIIAn95gEgCyAP/eYB/eQBIgggDf3lASEJIAUgEGogCiAM/eQB/QsEACAQIBVqIA0gCP3kAf0LBAAgBSARaiAKIAz95QEiCCAI/Q0MDQ4PCAkKCwQFBgcAAQID/QsEACARIBVqIAkgCf0NDA0ODwgJCgsEBQYHAAECA/0LBAAgE0EBaiETIBAgFGohECARIBRrIREMAQsLIBJBIGohEgwBCwsLiQYCD3sGfyAAKAIAIRMgAP0JAhAhBSAA/QkCHCEEIAAoAgwiFARAIBRBBEZBACABGwR/IAAqAhxDAAAAAFsFQQALBEAgE0EDdCAUbiEAIBRBBEYEQCAAIAJqIRUDQCACIBVJBEAgACACaiIBIABqIhMgAGohFiAAIANqIhQgAGoiFyAAaiEYIAMgAv0ABBAiCyAT/QAEECIM/eQBIgYgAf0ABBAiByAW/QAEECII/eQBIg395AEgBf3mASIJIAL9AAQAIgogE/0ABAAiDv3kASIPIAH9AAQAIhAgFv0ABAAiEf3kASIE/eQBIAX95gEiEv0NAAECAxAREhMEBQYHFBUWF/0LBAAgAyAJIBL9DQgJCgsYGRobDA0ODxwdHh/9CwQQIBQgCyAM/eUBIgkgECAR/eUBIgv95QEgBf3mASIMIAogDv3lASIKIAcgCP3lASIH/eQBIAX95gEiCP0NAAECAxAREhMEBQYHFBUWF/0LBAAgFCAMIAj9DQgJCgsYGRobDA0ODxwdHh/9CwQQIBcgBiAN/eUBIAX95gEiBiAPIAT95QEgBf3mASIE/Q0AAQIDEBESEwQFBgcUFRYX/QsEACAXIAYgBP0NCAkKCxgZGhsMDQ4PHB0eH/0LBBAgGCAJIAv95AEgBf3mASIEIAogB/3lASAF/eYBIgb9DQABAgMQERITBAUGBxQVFhf9CwQAIBggBCAG/Q0ICQoLGBkaGwwNDg8cHR4f/QsEECACQSBqIQIgA0EgaiEDDAELCwsFIAEEQCAUIAIgAyATQQN0IBRuIAUgBBAmBSAUIAIgAyATQQN0IBRuECcLCwVBEEEAIAEbIQAgE7P9EyEEIAIgE0EDdGohEwNAIAIgE0kEQCADIAAgAmr9AAQAIgUgBP3nASAFIAEbIgUgAkEQIABrav0ABAAiBiAE/ecBIAYgARsiBv0NAAECAxAREhMEBQYHFBUWF/0LBAAgAyAFIAb9DQgJCgsYGRobDA0ODxwdHh/9CwQQIAJBIGohAiADQSBqIQMMAQsLCwuzAQEJfyAIIAAoAjRqIQwgACgCOCEKIAAoAjwhCyAIIAAoAkBqIQ0gACgCCCEOIAAoAhBBAXYhDwNAIAUgCUsEQCAJQQN0IhAgAWogAiAMIAogDyALIAUgCWsiESALIBFJGyIRQQgQASAHBEAgBiAQaiAHIA0gCiAOIBFBCBABCyAAIAwgCiADIAQgCWxqIAQgESANIAYgB0EARyIQGyAKQQAgEBsgCBACIAkgC2ohCQwBCwsLgwkCDHsIfwJAAkACQAJAAkACQAJAAkACQAJAAkAgAEECaw4MAAECAwQFBgcKCAoJCgsgAyAEbCEAA0AgBCASSwRAIAEgA2ohEwNAIAEgE0kEQCAB/QAEACIGIAAgAWoiFP0ABAAiB/3lASEIIAH9AAQQIgkgFP0ABBAiCv3lASELIAIgBiAH/eQB/QsEACACIAkgCv3kAf0LBBAgAiADaiIUIAggBf0JAgAiBv3mASALIAX9CQIEIgf95gH95QH9CwQAIBQgCyAG/eYBIAggB/3mAf3kAf0LBBAgAUEgaiEBIAJBIGohAgwBCwsgBUEIaiEFIAIgA2ohAiASQQFqIRIMAQsLDAkLIAMgBGwhAANAIAQgEksEQCABIANqIRMDQCABIBNJBEAgACAAIAFqIhRqIRUgAiADaiIWIANqIRcgFP0ABBAiBiAV/QAEECIH/eQBIgj9DAAAAL8AAAC/AAAAvwAAAL/95gEgAf0ABBAiCf3kASEKIBT9AAQAIgsgFf0ABAAiDP3kASIN/QwAAAC/AAAAvwAAAL8AAAC//eYBIAH9AAQAIg795AEiDyAGIAf95QH9DNezXT/Xs10/17NdP9ezXT/95gEiBv3kASEHIAIgDiAN/eQB/QsEACACIAkgCP3kAf0LBBAgFiAHIAX9CQIAIgj95gEgCiALIAz95QH9DNezXT/Xs10/17NdP9ezXT/95gEiCf3lASILIAX9CQIEIgz95gH95QH9CwQAIBYgCyAI/eYBIAcgDP3mAf3kAf0LBBAgFyAPIAb95QEiBiAF/QkCCCIH/eYBIAogCf3kASIIIAX9CQIMIgn95gH95QH9CwQAIBcgCCAH/eYBIAYgCf3mAf3kAf0LBBAgAUEgaiEBIAJBIGohAgwBCwsgBUEQaiEFIAIgA0EBdGohAiASQQFqIRIMAQsLDAgLIARBAUYEQCADIARsIRQDQCAEIBJLBEAgASADaiEVA0AgASAVSQRAIAEgFGoiFiAUaiIXIBRqIRggAiADaiIAIANqIhMgA2ohGSAB/QAEECIIIBf9AAQQIgn95AEhCiAW/QAEECILIBj9AAQQIgz95AEhDSACIAH9AAQAIg4gF/0ABAAiD/3kASIGIBb9AAQAIgcgGP0ABAAiEP3kASIR/eQB/QsEACACIAogDf3kAf0LBBAgACAOIA/95QEiDiALIAz95QEiC/3kAf0LBAAgACAIIAn95QEiCCAHIBD95QEiB/3lAf0LBBAgEyAGIBH95QH9CwQAIBMgCiAN/eUB/QsEECAZIA4gC/3lAf0LBAAgGSAIIAf95AH9CwQQIAFBIGohASACQSBqIQIMAQsLIAVBGGohBSACIANBA2xqIQIgEkEBaiESDAELCwUgASACIAMgBCAFECMLDAcLIAEgAiADIAQgBRAiDAYLIAEgAiADIAQgBRAhDAULIAEgAiADIAQgBRAgDAQLIAEgAiADIAQgBRAfDAMLIAEgAiADIAQgBRAeDAILIAEgAiADIAQgBRAlDAELIAEgAiADIAQgBRAkCwvVBwIUewZ/IAJBA3QhGSACQQRrIRoDQCACIBhLBEAgACAYIBogGCAaSRsiG0EDdGoiHP0ABAAiBCAc/QAEECIF/Q0AAQIDCAkKCxAREhMYGRobIQYgGSAcaiId/QAEACIHIB39AAQQIgj9DQABAgMICQoLEBESExgZGhshCSAcIBlBAXRqIh39AAQAIgogHf0ABBAiC/0NAAECAwgJCgsQERITGBkaGyEMIBwgGUEDbGoiHP0ABAAiDSAc/QAEECIO/Q0AAQIDCAkKCxAREhMYGRobIQ8gBCAF/Q0EBQYHDA0ODxQVFhccHR4fIhAgCiAL/Q0EBQYHDA0ODxQVFhccHR4fIgr95AEhCyAHIAj9DQQFBgcMDQ4PFBUWFxwdHh8iBSANIA79DQQFBgcMDQ4PFBUWFxwdHh8iB/3kASENIAEgG0EFdGoiGyAGIAz95AEiDiAJIA/95AEiEf3kASIEIAYgDP3lASIMIAUgB/3lASIS/eQBIgUgA/0ABAAiBv3mASAQIAr95QEiCiAJIA/95QEiD/3lASIQIAP9AAQQIgf95gH95QEiCP0NAAECAxAREhMEBQYHFBUWFyITIA4gEf3lASIOIAP9AAQgIhH95gEgCyAN/eUBIhQgA/0ABDAiFf3mAf3lASIWIAwgEv3lASIMIAP9AARAIgn95gEgCiAP/eQBIg8gA/0ABFAiCv3mAf3lASIS/Q0AAQIDEBESEwQFBgcUFRYXIhf9DQABAgMEBQYHEBESExQVFhf9CwQAIBsgEyAX/Q0ICQoLDA0ODxgZGhscHR4f/QsEICAbIAQgCP0NCAkKCxgZGhsMDQ4PHB0eHyIEIBYgEv0NCAkKCxgZGhsMDQ4PHB0eHyII/Q0AAQIDBAUGBxAREhMUFRYX/QsEQCAbIAQgCP0NCAkKCwwNDg8YGRobHB0eH/0LBGAgGyALIA395AEiBCAQIAb95gEgBSAH/eYB/eQBIgX9DQABAgMQERITBAUGBxQVFhciBiAUIBH95gEgDiAV/eYB/eQBIgcgDyAJ/eYBIAwgCv3mAf3kASII/Q0AAQIDEBESEwQFBgcUFRYXIgn9DQABAgMEBQYHEBESExQVFhf9CwQQIBsgBiAJ/Q0ICQoLDA0ODxgZGhscHR4f/QsEMCAbIAQgBf0NCAkKCxgZGhsMDQ4PHB0eHyIEIAcgCP0NCAkKCxgZGhsMDQ4PHB0eHyIF/Q0AAQIDBAUGBxAREhMUFRYX/QsEUCAbIAQgBf0NCAkKCwwNDg8YGRobHB0eH/0LBHAgA0HgAGohAyAYQQRqIRgMAQsLC7oCAQZ/IAAoAgQgAyAAKAIIbGohBCAAKAIAIgNBBUYgA0EERnIEQANAIAEgAkkEQCADQQVGBEAgACABIAQQGQUgACABIAQQGgsgAUEBaiEBDAELCw8LIAMEQCADQQJGBEADQCABIAJJBEAgACgCGCABIAAoAjwiA24iBiAAKAIsbGogACgCOCIHIAEgA3BsIgggACgCgAEiCWxqIQMgACAAKAI0IgUgBmwgCGoiBiAHIAUgCGsiBSAFIAdLGyIFIAZqIAQgACgChAFqIgYgACgCiAEiByAEEAkgBiAHIAMgACgCHCAAKAJ4IAUgCRAMIAFBAWohAQwBCwsFA0AgASACSQRAIAAgASADQQNGIAQQGCABQQFqIQEMAQsLCwUgACABIAIgACgCGCAAKAIcIgAgAWxqIAAgBBAJCwuaBgEYfyAAKAIMIRMgASAAKAI8IgRuIQ4gACgCNCIUIAAoAjgiBSABIARwbCIPayEBIAUgASABIAVLGyEBIAAoAhAgDiAAKAIobGogDyAAKAJ8bGohCiAAKAIUIQsgACgCGCAOIAAoAixsaiAPIAAoAhwiBSAAKAKAASIVIAIbbGohBiAAKAIgIQQgACgCJCIJBH8gDiAAKAIwbCAPQQN0agVBAAsgBGohESAAKAJUIRggACgCZCEWIAAoAkAhECAAKAJEIhcEQCAAKAJIIRkgACgCdCEaIAMgACgCTGohCiABQQN0IQsDQCAHIBpJBEAgDiAabCAHaiAUbCAPaiEIIAEhBCAKIAcgC2xqIQwDQCAEBEAgGSAIIAQgECAIIBBwayIbIAQgG0kbIhsgDCAXEQAAIAggG2ohCCAEIBtrIQQgDCAbQQN0aiEMDAELCyAHQQFqIQcMAQsLCyAYBEAgACgCWCEMIBMoAgghFyADIAAoAlxqIREgAUEDdCEJA0AgDSAXSQRAIA4gF2wgDWogFGwgD2ohByABIQQgESAJIA1saiEIA0AgBARAIAwgByAEIBAgByAQcGsiGSAEIBlJGyIZIAggGBEAACAHIBlqIQcgBCAZayEEIAggGUEDdGohCAwBCwsgDUEBaiENDAELCwsgFkUEQCACBEAgEyAKIAsgBiAFIAEgESAJIAMQFAUgEyAKIAsgBiAFIAEgESAJIAMQBwsPCyAAKAJoIQggACgCeCEMIAMgACgCbGohDSABQQN0IRcgAgR/IAMgACgChAFqBSAGCyEEIAIEfyAAKAKIAQUgBQshByATIAogCyANIBcgASARIAkgAxAHA0AgDCASSwRAIAwgDmwgEmogFGwgD2ohCSABIQAgDSASIBdsaiEKIAQgByASbGohCwNAIAAEQCAIIAkgACAQIAkgEHBrIgMgACADSRsiAyAKIAsgFhEBACADIAlqIQkgACADayEAIAogA0EDdGohCiALIAMgFWxqIQsMAQsLIBJBAWohEgwBCwsgAgRAIAQgByAGIAUgDCABIBUQAQsLgQgCFX8DeyABIAAoAkgiBW4hDiAAKAJEIgggASAFcCIBbCEEIAFBAWogBUYhASAAKAJAIgVBAWoiCyAEawJ/IAAoAmAiD0EARyIGRQRAIAQgCGoiASAFIAEgBUkbDAELIAVBAXZBAWogBCAIaiABGwsiECAEa0EDakECdiIBQQJ0ayEIIAAoAhggDiAAKAIcbGohCSABQQV0IgpBAXQgCiAGGyEUIAAoAiQgDiAAKAIobGogACgCICIMKAIIIhEgBGxBEEEIIAYbbGohDUEQQQAgDCgCABshFSAAKAIsIA4gACgCMGxqIRJBACEBA0AgASARSQRAIBggASASav0ABAD9UCEYIAFBEGohAQwBCwtBASEBA0AgAUEETQRAIAEgA3IgAyAYIAH9D/1O/VMbIQMgAUEBdCEBDAELCyADIgFBAWsgA3FB/wFxBEADQCAHIBFJBEAgDSAHIBRsaiEWIBRBAnYhDiAHIBJqLQAAIhNBAkYEQEEAIQMDQCADIA5JBEAgFiADQQJ0aiIX/QAEACIZ/Qz///9/////f////3////9//U4iGP0MAACAIAAAgCAAAIAgAACAIP1GIRogFyAZIBr9Tv0MAACAHwAAgB8AAIAfAACAH/3mASAYIBr9T/0MAAAAagAAAGoAAABqAAAAav3mAf1q/fgBIBr9UiAZ/QwAAACAAAAAgAAAAIAAAACA/U79UCAZIBkgGf1B/VIiGCAY/Qz///9/////f////3////9//U79DAAAgAAAAIAAAACAAAAAgAD9QP1O/QsEACADQQRqIQMMAQsLCyABQQRxQQAgE0EDcRsEQEEAIQMDQCADIA5JBEAgFiADQQJ0aiIT/QAEACEYIBMgGCAY/Qz///9/////f////3////9//U79DAAAgDAAAIAwAACAMAAAgDD9QP1O/QwAAIAPAACADwAAgA8AAIAP/eYB/QsEACADQQRqIQMMAQsLCyAHQQFqIQcMAQsLCyAMIA0gAiAAKAJMaiACIAAoAlBqIBQQESECIAYEQCAPIAAoAlwgBEEDdGogAiAKIBEgFRASIARFBEAgAkMAAAAAOAIQIAIgESAUbGpBBGtDAAAAADgCAAsLIAFBBHEEQEEDIAIgESAUbEECdhAFBSABQf8BcUECRgRAQQEgAiARIBRsQQJ2EAULCyACIBQgCSAEQQN0aiAFQQN0IgAgEUEAIBAgBGsgFRAPIAZFBEAPCyACIApqIBQgCSAIQQN0aiAAIBEgCyAQayAIayALQQEgBCAEQQFNG2sgCGsgFRAPIARFBEAgCSAAIBFsaiIAIAIgESAUbGpBFGsiASAVaioCADgCACAAIAFBEGogFWsqAgA4AgQLC7sKAh5/AnsgASAAKAI8IgRuIQYgACgCNCEJIAAoAjgiByABIARwIgFsIQUgAUEBaiAERiEBAn8gACgCWCIVQQBHIgtFBEAgBSAHaiIBIAkgASAJSRsMAQsgCUEBdkEBaiAFIAdqIAEbCyIXIAVrQQNqQQJ2IR0gC0UiAQRAIAUgHUECdGogCUshAQsgAQR/IAlBBGsFIAUgHUECdGpBBGsLIQ4gCUEBaiIPIAVrIB1BAnRrIRAgACgCJCAGIAAoAihsaiERIAAoAiwgBiAAKAIwbGohEiACIAAoAlBqIRYgCUEDdCEeIB1BBXQiDEEBdCAMIAsbIQogACgCDCITKAIIIQcgACgCECAGIAAoAhRsaiIYIAVBA3RqIQggAiAAKAJMaiIZIQQgHSABQQBHa0EFdCEfQRBBAEEQQQAgEygCABsiDSALGyIaayEgA0AgAyAHSQRAQQAhBgNAIAYgH0kEQCAEIAZqIhsgGmogBiAIaiIc/QAEACIhIBz9AAQQIiL9DQABAgMICQoLEBESExgZGhv9CwQAIBsgIGogISAi/Q0EBQYHDA0ODxQVFhccHR4f/QsEACAGQSBqIQYMAQsLIANBAWohAyAIIB5qIQggBCAKaiEEDAELCyABBEAgGCAOQQN0aiEEIAwgGWpBIGshBkEAIQhBECAaayEBA0AgByAISwRAQQAhAwNAIANBIEkEQCADIAZqIhsgGmogAyAEaiIc/QAEACIhIBz9AAQQIiL9DQABAgMICQoLEBESExgZGhv9CwQAIAEgG2ogISAi/Q0EBQYHDA0ODxQVFhccHR4f/QsEACADQSBqIQMMAQsLIAhBAWohCCAEIB5qIQQgBiAKaiEGDAELCwsgCwRAIBggEEEDdGohBCAMIBlqIQYgHUEFdCEBQRAgGmshCANAIAcgFEsEQEEAIQMDQCABIANLBEAgAyAGaiIYIBpqIAMgBGoiG/0ABAAiISAb/QAEECIi/Q0AAQIDCAkKCxAREhMYGRob/QsEACAIIBhqICEgIv0NBAUGBwwNDg8UFRYXHB0eH/0LBAAgA0EgaiEDDAELCyAUQQFqIRQgBCAeaiEEIAYgCmohBgwBCwsLIA9BASAFIAVBAU0bayEEIA8gF2shBiAFIBJqAn8gGSAHIApsQQJ2IggQDiIBRQRAQQAhAQJ/A0AgAUEEaiIDIAhNBEBBACAZIAFBAnRq/QAEAP0M////f////3////9/////f/1O/VMNAhogAyEBDAELCwNAIAEgCEkEQEEAIBkgAUECdGooAgBB/////wdxDQIaIAFBAWohAQwBCwtBAQtFDAELIAEgGSAZIAgQCyABQQFGBH9BAgVBBEEBIAFBA0YbCwsiASAXIAVr/AsAIAsEQCAGIBJqIAEgBCAGa/wLACAFRQRAIBlDAAAAADgCECAZIAcgCmxqQQRrQwAAAAA4AgALIBUgACgCXCAFQQN0aiAZIAwgByANEBILIBMgGSAWIBkgChARIQggACgCZCAHQQRqQQV0Ig8gBUECdmxqIQFBACEDA0AgAyAdSQRAIAAgCCADQQV0aiAKIAcgBSADQQJ0aiAOIB0gA0EBaiIDSxsgBSAXIBEgDSABIAIQECABIA9qIQEMAQsLIAtFBEAPCyAAKAJkIAlBAXZBBGpBAnYgD2xqIAVBAnYgHWpBAWsgD2xqIQFBACEDA0AgAyAdSQRAIAAgCCAMaiADQQV0aiAKIAcgECADQQJ0aiAGIAQgESANIAEgAhAQIANBAWohAyABIA9rIQEMAQsLC8AJAwp/B3sEfSAAKAIAIQggBSAAKAIUaiEHIAUgACgCGGohCSABQQJGBEADQCAGQQRJBEAgBkECdCIFIAJqKAIAIQogBCAFaigCACELQQAhBQNAIAUgCEkEQCAKIAVBA3QiDGoiDSoCACEXIAsgDGoiDCoCACEYIAcgBUEFdGogBkECdGoiDiAXIAwqAgQiGZQgDSoCBCIaIBiUkjgCACAOIBcgGJQgGiAZlJM4AhAgBUEBaiEFDAELCyAGQQFqIQYMAQsLBSACKAIAIQogAigCBCELIAIoAgghDCACKAIMIQ0gByEEQRBBEEEAIAEbIgVrIQ4DQCAGQQJqIgIgCE0EQCAEIAVqIg8gCiAGQQN0IgZq/QAEACIQIAYgC2r9AAQAIhH9DQABAgMQERITBAUGBxQVFhciEiAGIAxq/QAEACITIAYgDWr9AAQAIhT9DQABAgMQERITBAUGBxQVFhciFf0NAAECAwQFBgcQERITFBUWF/0LBAAgBCAOaiIGIBIgFf0NCAkKCwwNDg8YGRobHB0eH/0LBAAgDyAQIBH9DQgJCgsYGRobDA0ODxwdHh8iECATIBT9DQgJCgsYGRobDA0ODxwdHh8iEf0NAAECAwQFBgcQERITFBUWF/0LBCAgBiAQIBH9DQgJCgsMDQ4PGBkaGxwdHh/9CwQgIARBQGshBCACIQYMAQsLIAYgCEkEQCAEIAVqIAogBkEDdCICav1dAwAgAiALav1dAwD9DQABAgMQERITBAUGBxQVFhciECACIAxq/V0DACACIA1q/V0DAP0NAAECAxAREhMEBQYHFBUWFyIR/Q0AAQIDBAUGBxAREhMUFRYX/QsEACAEIA5qIBAgEf0NCAkKCwwNDg8YGRobHB0eH/0LBAALCyAAQQAgByAJEAQhBCADKAIAIQIgAygCBCEFIAMoAgghBiADKAIMIQNBACEAQRBBEEEAIAFBAEciBxsiCWshCiAIs/0TIREDQCAAQQJqIgEgCE0EQCACIABBA3QiAGogBCAJaiIL/QAEACIQIBH95wEgECAHGyISIAQgCmoiDP0ABAAiECAR/ecBIBAgBxsiE/0NAAECAxAREhMEBQYHFBUWFyIUIAv9AAQgIhAgEf3nASAQIAcbIhUgDP0ABCAiECAR/ecBIBAgBxsiEP0NAAECAxAREhMEBQYHFBUWFyIW/Q0AAQIDBAUGBxAREhMUFRYX/QsEACAAIAVqIBQgFv0NCAkKCwwNDg8YGRobHB0eH/0LBAAgACAGaiASIBP9DQgJCgsYGRobDA0ODxwdHh8iEiAVIBD9DQgJCgsYGRobDA0ODxwdHh8iEP0NAAECAwQFBgcQERITFBUWF/0LBAAgACADaiASIBD9DQgJCgsMDQ4PGBkaGxwdHh/9CwQAIARBQGshBCABIQAMAQsLIAAgCEkEQCACIABBA3QiAGogBCAJav0ABAAiECAR/ecBIBAgBxsiECAEIApq/QAEACISIBH95wEgEiAHGyIR/Q0AAQIDEBESEwQFBgcUFRYXIhL9WwMAACAAIAVqIBL9WwMAASAAIAZqIBAgEf0NCAkKCxgZGhsMDQ4PHB0eHyIQ/VsDAAAgACADaiAQ/VsDAAELC6QFAgl/An0gACgCDCEOIAAoAggiCEEBcUUhDSAIQQF2IQsgAQRAIA0EQCACQQAgBCAFIAQgBxAABQNAIAMgCUsEQCAJQQJ0IgAgBGooAgAhASAAIAVqKAIAIQwgCCEAA0AgAARAIAwgAEEBayIAQQN0aiIPIAEgAEECdGoqAgA4AgAgD0MAAAAAOAIEDAELCyAJQQFqIQkMAQsLIAJBACAFIAUgBCAHEAALA0AgAyAKSwRAIApBAnQiACAFaigCACEBIAAgBmooAgAhACANBEAgASoCACERIAEqAgQhEiABIAAgCyAOEAogACARIBKSOAIAIABDAAAAADgCBCAAIAtBA3RqIgAgESASkzgCACAAQwAAAAA4AgQFIAAgAUcEQCAAIAEgC0EBakEDdPwKAAALCyAKQQFqIQoMAQsLDwsDQCADIApLBEAgCkECdCIAIARqKAIAIQEgACAFaigCACEPIA0EQCABKgIAIREgASALQQN0aioCACESIAEgDyALIA4QCiAPIBFDAAAAP5QiESASQwAAAD+UIhKSOAIAIA8gESASkzgCBAUgDyABKgIAOAIAIA9DAAAAADgCBEEBIQkDQCAJQQF0IAhJBEAgCUEDdCIAIAFqIhAqAgAhESAQKgIEIRIgACAPaiIAIBE4AgAgACASOAIEIA8gCCAJa0EDdGoiACAROAIAIAAgEow4AgQgCUEBaiEJDAELCwsgCkEBaiEKDAELCyANBEAgAkEBIAUgBiAEIAcQAAUgAkEBIAUgBSAEIAcQAANAIAMgDEsEQCAMQQJ0IgAgBWooAgAhASAAIAZqKAIAIQJBACEAA0AgACAISQRAIAIgAEECdGogASAAQQN0aioCADgCACAAQQFqIQAMAQsLIAxBAWohDAwBCwsLCzgBAX8DQCAFIAhLBEAgAyAEIAhsaiABIAIgCGxqIAYgByAIbGogAEEAQQAQAyAIQQFqIQgMAQsLC+wQAiJ7E38gAiADbCEnA0AgAyAoSwRAIAAgAmohOQNAIAAgOUkEQCAAICdqIikgJ2oiKiAnaiIrICdqIiwgJ2oiLSAnaiIuICdqIi8gJ2ohMCABIAJqIjEgAmoiMiACaiIzIAJqIjQgAmoiNSACaiI2IAJqIjcgAmohOCAp/QAEACIJICz9AAQAIgogL/0ABAAiC/3kASIM/eQBIg0gKv0ABAAiDiAt/QAEACIPIDD9AAQAIhD95AEiEf3kASIS/eQBIhP9DAAAAL8AAAC/AAAAvwAAAL/95gEgAP0ABAAiFCAr/QAEACIVIC79AAQAIhb95AEiF/3kASIY/eQBIhkgKf0ABBAiGiAs/QAEECIbIC/9AAQQIhz95AEiHf3kASIHICr9AAQQIh4gLf0ABBAiHyAw/QAEECIF/eQBIgb95AEiCP3lAf0M17NdP9ezXT/Xs10/17NdP/3mASIg/eQBISEgByAI/eQBIgf9DAAAAL8AAAC/AAAAvwAAAL/95gEgAP0ABBAiCCAr/QAEECIiIC79AAQQIiP95AEiJP3kASIl/eQBIiYgDSAS/eUB/QzXs10/17NdP9ezXT/Xs10//eYBIg395QEhEiABIBggE/3kAf0LBAAgASAlIAf95AH9CwQQIDEgF/0MAAAAvwAAAL8AAAC/AAAAv/3mASAU/eQBIgcgIiAj/eUB/QzXs10/17NdP9ezXT/Xs10//eYBIhP95AEiFCAd/QwAAAC/AAAAvwAAAL8AAAC//eYBIBr95AEiFyAKIAv95QH9DNezXT/Xs10/17NdP9ezXT/95gEiCv3lASIL/Qy7jSQ/u40kP7uNJD+7jSQ//eYBIAz9DAAAAL8AAAC/AAAAvwAAAL/95gEgCf3kASIJIBsgHP3lAf0M17NdP9ezXT/Xs10/17NdP/3mASIM/eQBIhj9DH0bRD99G0Q/fRtEP30bRD/95gH95AEiGiAG/QwAAAC/AAAAvwAAAL8AAAC//eYBIB795AEiBiAPIBD95QH9DNezXT/Xs10/17NdP9ezXT/95gEiD/3lASIQ/QxcHHw/XBx8P1wcfD9cHHw//eYBIBH9DAAAAL8AAAC/AAAAvwAAAL/95gEgDv3kASIOIB8gBf3lAf0M17NdP9ezXT/Xs10/17NdP/3mASIF/eQBIhH9DNTQMT7U0DE+1NAxPtTQMT795gH95AEiG/3kASIc/eQBIh0gBP0JAgAiHv3mASAk/QwAAAC/AAAAvwAAAL8AAAC//eYBIAj95AEiCCAVIBb95QH9DNezXT/Xs10/17NdP9ezXT/95gEiFf3lASIWIBj9DLuNJL+7jSS/u40kv7uNJL/95gEgC/0MfRtEP30bRD99G0Q/fRtEP/3mAf3kASILIBH9DFwcfL9cHHy/XBx8v1wcfL/95gEgEP0M1NAxPtTQMT7U0DE+1NAxPv3mAf3kASIQ/eQBIhH95AEiGCAE/QkCBCIf/eYB/eUB/QsEACAxIBggHv3mASAdIB/95gH95AH9CwQQIDIgByAT/eUBIgcgFyAK/eQBIgr9DFwcfD9cHHw/XBx8P1wcfD/95gEgCSAM/eUBIgn9DNTQMT7U0DE+1NAxPtTQMT795gH95AEiDCAGIA/95AEiBv0MRB2vPkQdrz5EHa8+RB2vPv3mASAOIAX95QEiBf0Mso9wv7KPcL+yj3C/so9wv/3mAf3kASIO/eQBIg/95AEiEyAE/QkCCCIX/eYBIAggFf3kASIIIAn9DFwcfL9cHHy/XBx8v1wcfL/95gEgCv0M1NAxPtTQMT7U0DE+1NAxPv3mAf3kASIJIAX9DEQdr75EHa++RB2vvkQdr7795gEgBv0Mso9wv7KPcL+yj3C/so9wv/3mAf3kASIF/eQBIgb95AEiCiAE/QkCDCIV/eYB/eUB/QsEACAyIAogF/3mASATIBX95gH95AH9CwQQIDMgISAE/QkCECIK/eYBIBIgBP0JAhQiE/3mAf3lAf0LBAAgMyASIAr95gEgISAT/eYB/eQB/QsEECA0IBz9DAAAAL8AAAC/AAAAvwAAAL/95gEgFP3kASIKIAsgEP3lAf0M17NdP9ezXT/Xs10/17NdP/3mASIL/eQBIhAgBP0JAhgiEv3mASAR/QwAAAC/AAAAvwAAAL8AAAC//eYBIBb95AEiESAaIBv95QH9DNezXT/Xs10/17NdP9ezXT/95gEiE/3lASIUIAT9CQIcIhX95gH95QH9CwQAIDQgFCAS/eYBIBAgFf3mAf3kAf0LBBAgNSAP/QwAAAC/AAAAvwAAAL8AAAC//eYBIAf95AEiByAJIAX95QH9DNezXT/Xs10/17NdP9ezXT/95gEiBf3kASIJIAT9CQIgIg/95gEgBv0MAAAAvwAAAL8AAAC/AAAAv/3mASAI/eQBIgYgDCAO/eUB/QzXs10/17NdP9ezXT/Xs10//eYBIgj95QEiDCAE/QkCJCIO/eYB/eUB/QsEACA1IAwgD/3mASAJIA795gH95AH9CwQQIDYgGSAg/eUBIgkgBP0JAigiDP3mASAmIA395AEiDSAE/QkCLCIO/eYB/eUB/QsEACA2IA0gDP3mASAJIA795gH95AH9CwQQIDcgCiAL/eUBIgkgBP0JAjAiCv3mASARIBP95AEiCyAE/QkCNCIM/eYB/eUB/QsEACA3IAsgCv3mASAJIAz95gH95AH9CwQQIDggByAF/eUBIgUgBP0JAjgiB/3mASAGIAj95AEiBiAE/QkCPCII/eYB/eUB/QsEACA4IAYgB/3mASAFIAj95gH95AH9CwQQIABBIGohACABQSBqIQEMAQsLIARBQGshBCABIAJBA3RqIQEgKEEBaiEoDAELCwvpCQIQexF/IAIgA2whFQNAIAMgHUsEQCAAIAJqISUDQCAAICVJBEAgACAVaiIWIBVqIhcgFWoiGCAVaiIZIBVqIhogFWoiGyAVaiEcIAEgAmoiHiACaiIfIAJqIiAgAmoiISACaiIiIAJqIiMgAmohJCAA/QAEECAZ/QAEEP3kASIFIBf9AAQQIBv9AAQQ/eQBIgb95AEhByAW/QAEECAa/QAEEP3kASIIIBj9AAQQIBz9AAQQ/eQBIgn95AEhCiABIAD9AAQAIBn9AAQA/eQBIgsgF/0ABAAgG/0ABAD95AEiDP3kASINIBb9AAQAIBr9AAQA/eQBIg4gGP0ABAAgHP0ABAD95AEiD/3kASIQ/eQB/QsEACABIAcgCv3kAf0LBBAgHyALIAz95QEiCyAIIAn95QEiCP3kASIJIAT9CQIIIgz95gEgBSAG/eUBIgUgDiAP/eUBIgb95QEiDiAE/QkCDCIP/eYB/eUB/QsEACAfIA4gDP3mASAJIA/95gH95AH9CwQQICEgDSAQ/eUBIgkgBP0JAhgiDP3mASAHIAr95QEiByAE/QkCHCIK/eYB/eUB/QsEACAhIAcgDP3mASAJIAr95gH95AH9CwQQICMgCyAI/eUBIgcgBP0JAigiCP3mASAFIAb95AEiBSAE/QkCLCIG/eYB/eUB/QsEACAjIAUgCP3mASAHIAb95gH95AH9CwQQIB4gAP0ABAAgGf0ABAD95QEiCCAX/QAEECAb/QAEEP3lASIH/QwAAIA/AACAPwAAgD8AAIA//eYBIBf9AAQAIBv9AAQA/eUBIgn9DDIxjSQyMY0kMjGNJDIxjST95gH95AEiCv3kASILIBb9AAQAIBr9AAQA/eUB/QzzBDU/8wQ1P/MENT/zBDU//eYBIgwgFv0ABBAgGv0ABBD95QH9DPMENT/zBDU/8wQ1P/MENT/95gEiDf3kASIOIBj9AAQQIBz9AAQQ/eUB/QzzBDU/8wQ1P/MENT/zBDU//eYBIg8gGP0ABAAgHP0ABAD95QH9DPMENT/zBDU/8wQ1P/MENT/95gEiEP3lASIF/eQBIgb95AEiESAE/QkCACIS/eYBIAD9AAQQIBn9AAQQ/eUBIhMgCf0MAACAvwAAgL8AAIC/AACAv/3mASAH/QwyMY0kMjGNJDIxjSQyMY0k/eYB/eQBIgn95AEiByANIAz95QEiDCAQIA/95AH94QEiDf3kASIP/eQBIhAgBP0JAgQiFP3mAf3lAf0LBAAgHiAQIBL95gEgESAU/eYB/eQB/QsEECAgIAggCv3lASIIIAwgDf3lASIK/eQBIgwgBP0JAhAiDf3mASATIAn95QEiCSAOIAX95QEiBf3lASIOIAT9CQIUIhD95gH95QH9CwQAICAgDiAN/eYBIAwgEP3mAf3kAf0LBBAgIiALIAb95QEiBiAE/QkCICIL/eYBIAcgD/3lASIHIAT9CQIkIgz95gH95QH9CwQAICIgByAL/eYBIAYgDP3mAf3kAf0LBBAgJCAIIAr95QEiBiAE/QkCMCIH/eYBIAkgBf3kASIFIAT9CQI0Igj95gH95QH9CwQAICQgBSAH/eYBIAYgCP3mAf3kAf0LBBAgAEEgaiEAIAFBIGohAQwBCwsgBEE4aiEEIAEgAkEHbGohASAdQQFqIR0MAQsLC8YNAhp7D38gAiADbCEfA0AgAyAgSwRAIAAgAmohLQNAIAAgLUkEQCAAIB9qIiEgH2oiIiAfaiIjIB9qIiQgH2oiJSAfaiEmIAEgAmoiJyACaiIoIAJqIikgAmoiKiACaiIrIAJqISwgIf0ABBAiCSAm/QAEECIK/eQBIQ4gIv0ABBAiCCAl/QAEECIL/eQBIQ8gI/0ABBAiDCAk/QAEECIN/eQBIRAgI/0ABAAiESAk/QAEACIS/eQBIhP9DOWlZr/lpWa/5aVmv+WlZr/95gEgIv0ABAAiFCAl/QAEACIV/eQBIgX9DIfcY76H3GO+h9xjvofcY7795gEgIf0ABAAiFiAm/QAEACIX/eQBIgb9DAedHz8HnR8/B50fPwedHz/95gEgAP0ABAAiB/3kAf3kAf3kASIYIAwgDf3lASIZ/QwCJt4+AibePgIm3j4CJt4+/eYBIAggC/3lASII/QzglHk/4JR5P+CUeT/glHk//eYBIAkgCv3lASIJ/QwcJkg/HCZIPxwmSD8cJkg//eYB/eQB/eQBIhr95AEhCyAQ/QzlpWa/5aVmv+WlZr/lpWa//eYBIA/9DIfcY76H3GO+h9xjvofcY7795gEgDv0MB50fPwedHz8HnR8/B50fP/3mASAA/QAEECIK/eQB/eQB/eQBIhsgESAS/eUBIhH9DAIm3j4CJt4+AibePgIm3j795gEgFCAV/eUBIhL9DOCUeT/glHk/4JR5P+CUeT/95gEgFiAX/eUBIhT9DBwmSD8cJkg/HCZIPxwmSD/95gH95AH95AEiFf3lASEMIAEgByAG/eQBIAX95AEgE/3kAf0LBAAgASAKIA795AEgD/3kASAQ/eQB/QsEECAnIAsgBP0JAgAiDf3mASAMIAT9CQIEIhb95gH95QH9CwQAICcgDCAN/eYBIAsgFv3mAf3kAf0LBBAgKCAT/QwHnR8/B50fPwedHz8HnR8//eYBIAX9DOWlZr/lpWa/5aVmv+WlZr/95gEgBv0Mh9xjvofcY76H3GO+h9xjvv3mASAH/eQB/eQB/eQBIhYgGf0MHCZIvxwmSL8cJki/HCZIv/3mASAI/QwCJt6+AibevgIm3r4CJt6+/eYBIAn9DOCUeT/glHk/4JR5P+CUeT/95gH95AH95AEiF/3kASILIAT9CQIIIgz95gEgEP0MB50fPwedHz8HnR8/B50fP/3mASAP/QzlpWa/5aVmv+WlZr/lpWa//eYBIA79DIfcY76H3GO+h9xjvofcY7795gEgCv3kAf3kAf3kASINIBH9DBwmSL8cJki/HCZIvxwmSL/95gEgEv0MAibevgIm3r4CJt6+Aibevv3mASAU/QzglHk/4JR5P+CUeT/glHk//eYB/eQB/eQBIhz95QEiHSAE/QkCDCIe/eYB/eUB/QsEACAoIB0gDP3mASALIB795gH95AH9CwQQICkgE/0Mh9xjvofcY76H3GO+h9xjvv3mASAF/QwHnR8/B50fPwedHz8HnR8//eYBIAb9DOWlZr/lpWa/5aVmv+WlZr/95gEgB/3kAf3kAf3kASIFIBn9DOCUeT/glHk/4JR5P+CUeT/95gEgCP0MHCZIvxwmSL8cJki/HCZIv/3mASAJ/QwCJt4+AibePgIm3j4CJt4+/eYB/eQB/eQBIgb95AEiByAE/QkCECII/eYBIBD9DIfcY76H3GO+h9xjvofcY7795gEgD/0MB50fPwedHz8HnR8/B50fP/3mASAO/QzlpWa/5aVmv+WlZr/lpWa//eYBIAr95AH95AH95AEiCSAR/QzglHk/4JR5P+CUeT/glHk//eYBIBL9DBwmSL8cJki/HCZIvxwmSL/95gEgFP0MAibePgIm3j4CJt4+AibePv3mAf3kAf3kASIK/eUBIgsgBP0JAhQiDP3mAf3lAf0LBAAgKSALIAj95gEgByAM/eYB/eQB/QsEECAqIAUgBv3lASIFIAT9CQIYIgb95gEgCSAK/eQBIgcgBP0JAhwiCP3mAf3lAf0LBAAgKiAHIAb95gEgBSAI/eYB/eQB/QsEECArIBYgF/3lASIFIAT9CQIgIgb95gEgDSAc/eQBIgcgBP0JAiQiCP3mAf3lAf0LBAAgKyAHIAb95gEgBSAI/eYB/eQB/QsEECAsIBggGv3lASIFIAT9CQIoIgb95gEgGyAV/eQBIgcgBP0JAiwiCP3mAf3lAf0LBAAgLCAHIAb95gEgBSAI/eYB/eQB/QsEECAAQSBqIQAgAUEgaiEBDAELCyAEQTBqIQQgASACQQZsaiEBICBBAWohIAwBCwsLhAkCDHsNfyACIANsIREDQCADIBdLBEAgACACaiEdA0AgACAdSQRAIAAgEWoiEiARaiITIBFqIhQgEWoiFSARaiEWIAEgAmoiGCACaiIZIAJqIhogAmoiGyACaiEcIBL9AAQQIBX9AAQQ/eQBIgUgE/0ABBAgFv0ABBD95AEiBv3kASIH/QwAAAC/AAAAvwAAAL8AAAC//eYBIAD9AAQQIBT9AAQQ/eQBIgj95AEhCSAS/QAEACAV/QAEAP3kASIKIBP9AAQAIBb9AAQA/eQBIgv95AEiDP0MAAAAvwAAAL8AAAC/AAAAv/3mASAA/QAEACAU/QAEAP3kASIN/eQBIg4gBSAG/eUB/QzXs10/17NdP9ezXT/Xs10//eYBIgX95AEhBiABIA0gDP3kAf0LBAAgASAIIAf95AH9CwQQIBkgBiAE/QkCCCIH/eYBIAkgCiAL/eUB/QzXs10/17NdP9ezXT/Xs10//eYBIgj95QEiCiAE/QkCDCIL/eYB/eUB/QsEACAZIAogB/3mASAGIAv95gH95AH9CwQQIBsgDiAF/eUBIgUgBP0JAhgiBv3mASAJIAj95AEiByAE/QkCHCII/eYB/eUB/QsEACAbIAcgBv3mASAFIAj95gH95AH9CwQQIBggAP0ABAAgFP0ABAD95QEiByAS/QAEECAV/QAEEP3lASIG/QzXs10/17NdP9ezXT/Xs10//eYBIBL9AAQAIBX9AAQA/eUBIgj9DAAAAD8AAAA/AAAAPwAAAD/95gH95AEiCSAT/QAEECAW/QAEEP3lASIK/QzXs10/17NdP9ezXT/Xs10//eYBIBP9AAQAIBb9AAQA/eUBIgv9DAAAAL8AAAC/AAAAvwAAAL/95gH95AEiDP3kASIN/eQBIg4gBP0JAgAiBf3mASAA/QAEECAU/QAEEP3lASIPIAj9DNezXb/Xs12/17Ndv9ezXb/95gEgBv0MAAAAPwAAAD8AAAA/AAAAP/3mAf3kASIIIAv9DNezXb/Xs12/17Ndv9ezXb/95gEgCv0MAAAAvwAAAL8AAAC/AAAAv/3mAf3kASIK/eQBIgv95AEiBiAE/QkCBCIQ/eYB/eUB/QsEACAYIAYgBf3mASAOIBD95gH95AH9CwQQIBogDf0MAAAAvwAAAL8AAAC/AAAAv/3mASAH/eQBIgUgCCAK/eUB/QzXs10/17NdP9ezXT/Xs10//eYBIgb95AEiByAE/QkCECII/eYBIAv9DAAAAL8AAAC/AAAAvwAAAL/95gEgD/3kASIKIAkgDP3lAf0M17NdP9ezXT/Xs10/17NdP/3mASIJ/eUBIgsgBP0JAhQiDP3mAf3lAf0LBAAgGiALIAj95gEgByAM/eYB/eQB/QsEECAcIAUgBv3lASIFIAT9CQIgIgb95gEgCiAJ/eQBIgcgBP0JAiQiCP3mAf3lAf0LBAAgHCAHIAb95gEgBSAI/eYB/eQB/QsEECAAQSBqIQAgAUEgaiEBDAELCyAEQShqIQQgASACQQVsaiEBIBdBAWohFwwBCwsLugcCEnsLfyACIANsIRcDQCADIBhLBEAgACACaiEhA0AgACAhSQRAIAAgF2oiGSAXaiIaIBdqIhsgF2ohHCABIAJqIh0gAmoiHiACaiIfIAJqISAgGf0ABAAiCCAc/QAEACIJ/eQBIgUgGv0ABAAiCiAb/QAEACIL/eQBIgb95QEiDP0MvRsPP70bDz+9Gw8/vRsPP/3mASAFIAb95AEiDf0MAACAvgAAgL4AAIC+AACAvv3mASAA/QAEACIO/eQBIgX95AEhDyAZ/QAEECIQIBz9AAQQIhH95AEiBiAa/QAEECISIBv9AAQQIhP95AEiB/3lASIU/Qy9Gw8/vRsPP70bDz+9Gw8//eYBIAYgB/3kASIG/QwAAIC+AACAvgAAgL4AAIC+/eYBIAD9AAQQIgf95AEiFf3kASEWIAEgDiAN/eQB/QsEACABIAcgBv3kAf0LBBAgHSAPIBIgE/3lASIG/QwYeRY/GHkWPxh5Fj8YeRY//eYBIBAgEf3lASIH/QxxeHM/cXhzP3F4cz9xeHM//eYB/eQBIg395AEiDiAE/QkCACIQ/eYBIBYgCiAL/eUBIgr9DBh5Fj8YeRY/GHkWPxh5Fj/95gEgCCAJ/eUBIgj9DHF4cz9xeHM/cXhzP3F4cz/95gH95AEiCf3lASILIAT9CQIEIhH95gH95QH9CwQAIB0gCyAQ/eYBIA4gEf3mAf3kAf0LBBAgHiAM/Qy9Gw+/vRsPv70bD7+9Gw+//eYBIAX95AEiBSAG/QxxeHO/cXhzv3F4c79xeHO//eYBIAf9DBh5Fj8YeRY/GHkWPxh5Fj/95gH95AEiBv3kASIHIAT9CQIIIgv95gEgFP0MvRsPv70bD7+9Gw+/vRsPv/3mASAV/eQBIgwgCv0McXhzv3F4c79xeHO/cXhzv/3mASAI/QwYeRY/GHkWPxh5Fj8YeRY//eYB/eQBIgj95QEiCiAE/QkCDCIO/eYB/eUB/QsEACAeIAogC/3mASAHIA795gH95AH9CwQQIB8gBSAG/eUBIgUgBP0JAhAiBv3mASAMIAj95AEiByAE/QkCFCII/eYB/eUB/QsEACAfIAcgBv3mASAFIAj95gH95AH9CwQQICAgDyAN/eUBIgUgBP0JAhgiBv3mASAWIAn95AEiByAE/QkCHCII/eYB/eUB/QsEACAgIAcgBv3mASAFIAj95gH95AH9CwQQIABBIGohACABQSBqIQEMAQsLIARBIGohBCABIAJBAnRqIQEgGEEBaiEYDAELCwvUAwIMewl/IAIgA2whEQNAIAMgEksEQCAAIAJqIRkDQCAAIBlJBEAgACARaiITIBFqIhQgEWohFSABIAJqIhYgAmoiFyACaiEYIAD9AAQQIgYgFP0ABBAiB/3kASEIIBP9AAQQIgkgFf0ABBAiCv3kASEFIAEgAP0ABAAiCyAU/QAEACIM/eQBIg0gE/0ABAAiDiAV/QAEACIP/eQBIhD95AH9CwQAIAEgCCAF/eQB/QsEECAWIAsgDP3lASILIAkgCv3lASIJ/eQBIgogBP0JAgAiDP3mASAGIAf95QEiBiAOIA/95QEiB/3lASIOIAT9CQIEIg/95gH95QH9CwQAIBYgDiAM/eYBIAogD/3mAf3kAf0LBBAgFyANIBD95QEiCiAE/QkCCCIM/eYBIAggBf3lASIFIAT9CQIMIgj95gH95QH9CwQAIBcgBSAM/eYBIAogCP3mAf3kAf0LBBAgGCALIAn95QEiBSAE/QkCECII/eYBIAYgB/3kASIGIAT9CQIUIgf95gH95QH9CwQAIBggBiAI/eYBIAUgB/3mAf3kAf0LBBAgAEEgaiEAIAFBIGohAQwBCwsgBEEYaiEEIAEgAkEDbGohASASQQFqIRIMAQsLC+UoAjJ7G38gAiADbCE3A0AgAyA4SwRAIAAgAmohUQNAIAAgUUkEQCAAIDdqIjkgN2oiOiA3aiI7IDdqIjwgN2oiPSA3aiI+IDdqIj8gN2oiQCA3aiJBIDdqIkIgN2oiQyA3aiFEIAEgAmoiRSACaiJGIAJqIkcgAmoiSCACaiJJIAJqIkogAmoiSyACaiJMIAJqIk0gAmoiTiACaiJPIAJqIVAgOf0ABBAiDiBE/QAEECIP/eQBIRkgOv0ABBAiDSBD/QAEECIQ/eQBIQYgO/0ABBAiESBC/QAEECIS/eQBIQcgPP0ABBAiEyBB/QAEECIU/eQBIQggPf0ABBAiFSBA/QAEECIW/eQBIRogPv0ABBAiFyA//QAEECIY/eQBIRsgPv0ABAAiHCA//QAEACId/eQBIgn9DKWPeL+lj3i/pY94v6WPeL/95gEgPf0ABAAiHiBA/QAEACIf/eQBIgr9DGeeP79nnj+/Z54/v2eeP7/95gEgPP0ABAAiICBB/QAEACIh/eQBIgv9DMaOtb7GjrW+xo61vsaOtb795gEgO/0ABAAiIiBC/QAEACIj/eQBIgz9DO/b9j3v2/Y979v2Pe/b9j395gEgOv0ABAAiJCBD/QAEACIl/eQBIib9DLFsET+xbBE/sWwRP7FsET/95gEgOf0ABAAiJyBE/QAEACIo/eQBIin9DD+tYj8/rWI/P61iPz+tYj/95gEgAP0ABAAiKv3kAf3kAf3kAf3kAf3kAf3kASIFIBcgGP3lASIr/QwqD3U+Kg91PioPdT4qD3U+/eYBIBUgFv3lASIs/Qxowik/aMIpP2jCKT9owik//eYBIBMgFP3lASIt/Qw5XW8/OV1vPzldbz85XW8//eYBIBEgEv3lASIu/QwrIn4/KyJ+Pysifj8rIn4//eYBIA0gEP3lASIN/QwSr1I/Eq9SPxKvUj8Sr1I//eYBIA4gD/3lASIO/Qwy8O0+MvDtPjLw7T4y8O0+/eYB/eQB/eQB/eQB/eQB/eQBIi/95AEhECAb/Qylj3i/pY94v6WPeL+lj3i//eYBIBr9DGeeP79nnj+/Z54/v2eeP7/95gEgCP0Mxo61vsaOtb7GjrW+xo61vv3mASAH/Qzv2/Y979v2Pe/b9j3v2/Y9/eYBIAb9DLFsET+xbBE/sWwRP7FsET/95gEgGf0MP61iPz+tYj8/rWI/P61iP/3mASAA/QAEECIP/eQB/eQB/eQB/eQB/eQB/eQBIjAgHCAd/eUBIhz9DCoPdT4qD3U+Kg91PioPdT795gEgHiAf/eUBIh39DGjCKT9owik/aMIpP2jCKT/95gEgICAh/eUBIh79DDldbz85XW8/OV1vPzldbz/95gEgIiAj/eUBIh/9DCsifj8rIn4/KyJ+Pysifj/95gEgJCAl/eUBIiD9DBKvUj8Sr1I/Eq9SPxKvUj/95gEgJyAo/eUBIiH9DDLw7T4y8O0+MvDtPjLw7T795gH95AH95AH95AH95AH95AEiIv3lASERIAEgKiAp/eQBICb95AEgDP3kASAL/eQBIAr95AEgCf3kAf0LBAAgASAPIBn95AEgBv3kASAH/eQBIAj95AEgGv3kASAb/eQB/QsEECBFIBAgBP0JAgAiEv3mASARIAT9CQIEIhP95gH95QH9CwQAIEUgESAS/eYBIBAgE/3mAf3kAf0LBBAgRiAJ/Qw/rWI/P61iPz+tYj8/rWI//eYBIAr9DO/b9j3v2/Y979v2Pe/b9j395gEgC/0MZ54/v2eeP79nnj+/Z54/v/3mASAM/Qylj3i/pY94v6WPeL+lj3i//eYBICb9DMaOtb7GjrW+xo61vsaOtb795gEgKf0MsWwRP7FsET+xbBE/sWwRP/3mASAq/eQB/eQB/eQB/eQB/eQB/eQBIiMgK/0MMvDtvjLw7b4y8O2+MvDtvv3mASAs/QwrIn6/KyJ+vysifr8rIn6//eYBIC39DGjCKb9owim/aMIpv2jCKb/95gEgLv0MKg91PioPdT4qD3U+Kg91Pv3mASAN/Qw5XW8/OV1vPzldbz85XW8//eYBIA79DBKvUj8Sr1I/Eq9SPxKvUj/95gH95AH95AH95AH95AH95AEiJP3kASIQIAT9CQIIIhH95gEgG/0MP61iPz+tYj8/rWI/P61iP/3mASAa/Qzv2/Y979v2Pe/b9j3v2/Y9/eYBIAj9DGeeP79nnj+/Z54/v2eeP7/95gEgB/0MpY94v6WPeL+lj3i/pY94v/3mASAG/QzGjrW+xo61vsaOtb7GjrW+/eYBIBn9DLFsET+xbBE/sWwRP7FsET/95gEgD/3kAf3kAf3kAf3kAf3kAf3kASIlIBz9DDLw7b4y8O2+MvDtvjLw7b795gEgHf0MKyJ+vysifr8rIn6/KyJ+v/3mASAe/Qxowim/aMIpv2jCKb9owim//eYBIB/9DCoPdT4qD3U+Kg91PioPdT795gEgIP0MOV1vPzldbz85XW8/OV1vP/3mASAh/QwSr1I/Eq9SPxKvUj8Sr1I//eYB/eQB/eQB/eQB/eQB/eQBIif95QEiEiAE/QkCDCIT/eYB/eUB/QsEACBGIBIgEf3mASAQIBP95gH95AH9CwQQIEcgCf0MZ54/v2eeP79nnj+/Z54/v/3mASAK/QyxbBE/sWwRP7FsET+xbBE//eYBIAv9DD+tYj8/rWI/P61iPz+tYj/95gEgDP0Mxo61vsaOtb7GjrW+xo61vv3mASAm/Qylj3i/pY94v6WPeL+lj3i//eYBICn9DO/b9j3v2/Y979v2Pe/b9j395gEgKv3kAf3kAf3kAf3kAf3kAf3kASIoICv9DGjCKT9owik/aMIpP2jCKT/95gEgLP0MEq9SPxKvUj8Sr1I/Eq9SP/3mASAt/Qwy8O2+MvDtvjLw7b4y8O2+/eYBIC79DDldb785XW+/OV1vvzldb7/95gEgDf0MKg91PioPdT4qD3U+Kg91Pv3mASAO/QwrIn4/KyJ+Pysifj8rIn4//eYB/eQB/eQB/eQB/eQB/eQBIhD95AEiEyAE/QkCECIU/eYBIBv9DGeeP79nnj+/Z54/v2eeP7/95gEgGv0MsWwRP7FsET+xbBE/sWwRP/3mASAI/Qw/rWI/P61iPz+tYj8/rWI//eYBIAf9DMaOtb7GjrW+xo61vsaOtb795gEgBv0MpY94v6WPeL+lj3i/pY94v/3mASAZ/Qzv2/Y979v2Pe/b9j3v2/Y9/eYBIA/95AH95AH95AH95AH95AH95AEiESAc/Qxowik/aMIpP2jCKT9owik//eYBIB39DBKvUj8Sr1I/Eq9SPxKvUj/95gEgHv0MMvDtvjLw7b4y8O2+MvDtvv3mASAf/Qw5XW+/OV1vvzldb785XW+//eYBICD9DCoPdT4qD3U+Kg91PioPdT795gEgIf0MKyJ+Pysifj8rIn4/KyJ+P/3mAf3kAf3kAf3kAf3kAf3kASIS/eUBIhUgBP0JAhQiFv3mAf3lAf0LBAAgRyAVIBT95gEgEyAW/eYB/eQB/QsEECBIIAn9DLFsET+xbBE/sWwRP7FsET/95gEgCv0MpY94v6WPeL+lj3i/pY94v/3mASAL/Qzv2/Y979v2Pe/b9j3v2/Y9/eYBIAz9DD+tYj8/rWI/P61iPz+tYj/95gEgJv0MZ54/v2eeP79nnj+/Z54/v/3mASAp/QzGjrW+xo61vsaOtb7GjrW+/eYBICr95AH95AH95AH95AH95AH95AEiEyAr/QwSr1K/Eq9SvxKvUr8Sr1K//eYBICz9DCoPdb4qD3W+Kg91vioPdb795gEgLf0MKyJ+Pysifj8rIn4/KyJ+P/3mASAu/Qwy8O2+MvDtvjLw7b4y8O2+/eYBIA39DGjCKb9owim/aMIpv2jCKb/95gEgDv0MOV1vPzldbz85XW8/OV1vP/3mAf3kAf3kAf3kAf3kAf3kASIU/eQBIhUgBP0JAhgiFv3mASAb/QyxbBE/sWwRP7FsET+xbBE//eYBIBr9DKWPeL+lj3i/pY94v6WPeL/95gEgCP0M79v2Pe/b9j3v2/Y979v2Pf3mASAH/Qw/rWI/P61iPz+tYj8/rWI//eYBIAb9DGeeP79nnj+/Z54/v2eeP7/95gEgGf0Mxo61vsaOtb7GjrW+xo61vv3mASAP/eQB/eQB/eQB/eQB/eQB/eQBIjEgHP0MEq9SvxKvUr8Sr1K/Eq9Sv/3mASAd/QwqD3W+Kg91vioPdb4qD3W+/eYBIB79DCsifj8rIn4/KyJ+Pysifj/95gEgH/0MMvDtvjLw7b4y8O2+MvDtvv3mASAg/Qxowim/aMIpv2jCKb9owim//eYBICH9DDldbz85XW8/OV1vPzldbz/95gH95AH95AH95AH95AH95AEiMv3lASIXIAT9CQIcIhj95gH95QH9CwQAIEggFyAW/eYBIBUgGP3mAf3kAf0LBBAgSSAJ/QzGjrW+xo61vsaOtb7GjrW+/eYBIAr9DD+tYj8/rWI/P61iPz+tYj/95gEgC/0MpY94v6WPeL+lj3i/pY94v/3mASAM/QyxbBE/sWwRP7FsET+xbBE//eYBICb9DO/b9j3v2/Y979v2Pe/b9j395gEgKf0MZ54/v2eeP79nnj+/Z54/v/3mASAq/eQB/eQB/eQB/eQB/eQB/eQBIhUgK/0MOV1vPzldbz85XW8/OV1vP/3mASAs/Qwy8O2+MvDtvjLw7b4y8O2+/eYBIC39DCoPdb4qD3W+Kg91vioPdb795gEgLv0MEq9SPxKvUj8Sr1I/Eq9SP/3mASAN/QwrIn6/KyJ+vysifr8rIn6//eYBIA79DGjCKT9owik/aMIpP2jCKT/95gH95AH95AH95AH95AH95AEiFv3kASIXIAT9CQIgIhj95gEgG/0Mxo61vsaOtb7GjrW+xo61vv3mASAa/Qw/rWI/P61iPz+tYj8/rWI//eYBIAj9DKWPeL+lj3i/pY94v6WPeL/95gEgB/0MsWwRP7FsET+xbBE/sWwRP/3mASAG/Qzv2/Y979v2Pe/b9j3v2/Y9/eYBIBn9DGeeP79nnj+/Z54/v2eeP7/95gEgD/3kAf3kAf3kAf3kAf3kAf3kASIzIBz9DDldbz85XW8/OV1vPzldbz/95gEgHf0MMvDtvjLw7b4y8O2+MvDtvv3mASAe/QwqD3W+Kg91vioPdb4qD3W+/eYBIB/9DBKvUj8Sr1I/Eq9SPxKvUj/95gEgIP0MKyJ+vysifr8rIn6/KyJ+v/3mASAh/Qxowik/aMIpP2jCKT9owik//eYB/eQB/eQB/eQB/eQB/eQBIjT95QEiNSAE/QkCJCI2/eYB/eUB/QsEACBJIDUgGP3mASAXIDb95gH95AH9CwQQIEogCf0M79v2Pe/b9j3v2/Y979v2Pf3mASAK/QzGjrW+xo61vsaOtb7GjrW+/eYBIAv9DLFsET+xbBE/sWwRP7FsET/95gEgDP0MZ54/v2eeP79nnj+/Z54/v/3mASAm/Qw/rWI/P61iPz+tYj8/rWI//eYBICn9DKWPeL+lj3i/pY94v6WPeL/95gEgKv3kAf3kAf3kAf3kAf3kAf3kASIJICv9DCsifr8rIn6/KyJ+vysifr/95gEgLP0MOV1vPzldbz85XW8/OV1vP/3mASAt/QwSr1K/Eq9SvxKvUr8Sr1K//eYBIC79DGjCKT9owik/aMIpP2jCKT/95gEgDf0MMvDtvjLw7b4y8O2+MvDtvv3mASAO/QwqD3U+Kg91PioPdT4qD3U+/eYB/eQB/eQB/eQB/eQB/eQBIgr95AEiCyAE/QkCKCIM/eYBIBv9DO/b9j3v2/Y979v2Pe/b9j395gEgGv0Mxo61vsaOtb7GjrW+xo61vv3mASAI/QyxbBE/sWwRP7FsET+xbBE//eYBIAf9DGeeP79nnj+/Z54/v2eeP7/95gEgBv0MP61iPz+tYj8/rWI/P61iP/3mASAZ/Qylj3i/pY94v6WPeL+lj3i//eYBIA/95AH95AH95AH95AH95AH95AEiBiAc/QwrIn6/KyJ+vysifr8rIn6//eYBIB39DDldbz85XW8/OV1vPzldbz/95gEgHv0MEq9SvxKvUr8Sr1K/Eq9Sv/3mASAf/Qxowik/aMIpP2jCKT9owik//eYBICD9DDLw7b4y8O2+MvDtvjLw7b795gEgIf0MKg91PioPdT4qD3U+Kg91Pv3mAf3kAf3kAf3kAf3kAf3kASIH/eUBIgggBP0JAiwiDf3mAf3lAf0LBAAgSiAIIAz95gEgCyAN/eYB/eQB/QsEECBLIAkgCv3lASIIIAT9CQIwIgn95gEgBiAH/eQBIgYgBP0JAjQiB/3mAf3lAf0LBAAgSyAGIAn95gEgCCAH/eYB/eQB/QsEECBMIBUgFv3lASIGIAT9CQI4Igf95gEgMyA0/eQBIgggBP0JAjwiCf3mAf3lAf0LBAAgTCAIIAf95gEgBiAJ/eYB/eQB/QsEECBNIBMgFP3lASIGIAT9CQJAIgf95gEgMSAy/eQBIgggBP0JAkQiCf3mAf3lAf0LBAAgTSAIIAf95gEgBiAJ/eYB/eQB/QsEECBOICggEP3lASIGIAT9CQJIIgf95gEgESAS/eQBIgggBP0JAkwiCf3mAf3lAf0LBAAgTiAIIAf95gEgBiAJ/eYB/eQB/QsEECBPICMgJP3lASIGIAT9CQJQIgf95gEgJSAn/eQBIgggBP0JAlQiCf3mAf3lAf0LBAAgTyAIIAf95gEgBiAJ/eYB/eQB/QsEECBQIAUgL/3lASIFIAT9CQJYIgb95gEgMCAi/eQBIgcgBP0JAlwiCP3mAf3lAf0LBAAgUCAHIAb95gEgBSAI/eYB/eQB/QsEECAAQSBqIQAgAUEgaiEBDAELCyAEQeAAaiEEIAEgAkEMbGohASA4QQFqITgMAQsLC4seAip7F38gAiADbCEvA0AgAyAwSwRAIAAgAmohRQNAIAAgRUkEQCAAIC9qIjEgL2oiMiAvaiIzIC9qIjQgL2oiNSAvaiI2IC9qIjcgL2oiOCAvaiI5IC9qITogASACaiI7IAJqIjwgAmoiPSACaiI+IAJqIj8gAmoiQCACaiJBIAJqIkIgAmoiQyACaiFEIDH9AAQQIgsgOv0ABBAiDP3kASEUIDL9AAQQIgogOf0ABBAiDf3kASEVIDP9AAQQIg4gOP0ABBAiD/3kASEWIDT9AAQQIhAgN/0ABBAiEf3kASEFIDX9AAQQIhIgNv0ABBAiE/3kASEXIDX9AAQAIhggNv0ABAAiGf3kASIG/QxVoXW/VaF1v1Whdb9VoXW//eYBIDT9AAQAIhogN/0ABAAiG/3kASIH/Qz0pCe/9KQnv/SkJ7/0pCe//eYBIDP9AAQAIhwgOP0ABAAiHf3kASII/Qz7uhG++7oRvvu6Eb77uhG+/eYBIDL9AAQAIh4gOf0ABAAiH/3kASIJ/QxHsdQ+R7HUPkex1D5HsdQ+/eYBIDH9AAQAIiAgOv0ABAAiIf3kASIi/QxkXFc/ZFxXP2RcVz9kXFc//eYBIAD9AAQAIiP95AH95AH95AH95AH95AEiJCASIBP95QEiJf0MQD+QPkA/kD5AP5A+QD+QPv3mASAQIBH95QEiJv0MznhBP854QT/OeEE/znhBP/3mASAOIA/95QEiJ/0M8GR9P/BkfT/wZH0/8GR9P/3mASAKIA395QEiCv0MpN1oP6TdaD+k3Wg/pN1oP/3mASALIAz95QEiC/0McGcKP3BnCj9wZwo/cGcKP/3mAf3kAf3kAf3kAf3kASIo/eQBIQ0gF/0MVaF1v1Whdb9VoXW/VaF1v/3mASAF/Qz0pCe/9KQnv/SkJ7/0pCe//eYBIBb9DPu6Eb77uhG++7oRvvu6Eb795gEgFf0MR7HUPkex1D5HsdQ+R7HUPv3mASAU/QxkXFc/ZFxXP2RcVz9kXFc//eYBIAD9AAQQIgz95AH95AH95AH95AH95AEiKSAYIBn95QEiGP0MQD+QPkA/kD5AP5A+QD+QPv3mASAaIBv95QEiGf0MznhBP854QT/OeEE/znhBP/3mASAcIB395QEiGv0M8GR9P/BkfT/wZH0/8GR9P/3mASAeIB/95QEiG/0MpN1oP6TdaD+k3Wg/pN1oP/3mASAgICH95QEiHP0McGcKP3BnCj9wZwo/cGcKP/3mAf3kAf3kAf3kAf3kASId/eUBIQ4gASAjICL95AEgCf3kASAI/eQBIAf95AEgBv3kAf0LBAAgASAMIBT95AEgFf3kASAW/eQBIAX95AEgF/3kAf0LBBAgOyANIAT9CQIAIg/95gEgDiAE/QkCBCIQ/eYB/eUB/QsEACA7IA4gD/3mASANIBD95gH95AH9CwQQIDwgBv0MZFxXP2RcVz9kXFc/ZFxXP/3mASAH/Qz7uhG++7oRvvu6Eb77uhG+/eYBIAj9DFWhdb9VoXW/VaF1v1Whdb/95gEgCf0M9KQnv/SkJ7/0pCe/9KQnv/3mASAi/QxHsdQ+R7HUPkex1D5HsdQ+/eYBICP95AH95AH95AH95AH95AEiHiAl/QxwZwq/cGcKv3BnCr9wZwq//eYBICb9DPBkfb/wZH2/8GR9v/Bkfb/95gEgJ/0MQD+QvkA/kL5AP5C+QD+Qvv3mASAK/QzOeEE/znhBP854QT/OeEE//eYBIAv9DKTdaD+k3Wg/pN1oP6TdaD/95gH95AH95AH95AH95AEiH/3kASINIAT9CQIIIg795gEgF/0MZFxXP2RcVz9kXFc/ZFxXP/3mASAF/Qz7uhG++7oRvvu6Eb77uhG+/eYBIBb9DFWhdb9VoXW/VaF1v1Whdb/95gEgFf0M9KQnv/SkJ7/0pCe/9KQnv/3mASAU/QxHsdQ+R7HUPkex1D5HsdQ+/eYBIAz95AH95AH95AH95AH95AEiICAY/QxwZwq/cGcKv3BnCr9wZwq//eYBIBn9DPBkfb/wZH2/8GR9v/Bkfb/95gEgGv0MQD+QvkA/kL5AP5C+QD+Qvv3mASAb/QzOeEE/znhBP854QT/OeEE//eYBIBz9DKTdaD+k3Wg/pN1oP6TdaD/95gH95AH95AH95AH95AEiIf3lASIPIAT9CQIMIhD95gH95QH9CwQAIDwgDyAO/eYBIA0gEP3mAf3kAf0LBBAgPSAG/Qz0pCe/9KQnv/SkJ7/0pCe//eYBIAf9DGRcVz9kXFc/ZFxXP2RcVz/95gEgCP0MR7HUPkex1D5HsdQ+R7HUPv3mASAJ/QxVoXW/VaF1v1Whdb9VoXW//eYBICL9DPu6Eb77uhG++7oRvvu6Eb795gEgI/3kAf3kAf3kAf3kAf3kASINICX9DM54QT/OeEE/znhBP854QT/95gEgJv0McGcKP3BnCj9wZwo/cGcKP/3mASAn/Qyk3Wi/pN1ov6TdaL+k3Wi//eYBIAr9DEA/kL5AP5C+QD+QvkA/kL795gEgC/0M8GR9P/BkfT/wZH0/8GR9P/3mAf3kAf3kAf3kAf3kASIO/eQBIhAgBP0JAhAiEf3mASAX/Qz0pCe/9KQnv/SkJ7/0pCe//eYBIAX9DGRcVz9kXFc/ZFxXP2RcVz/95gEgFv0MR7HUPkex1D5HsdQ+R7HUPv3mASAV/QxVoXW/VaF1v1Whdb9VoXW//eYBIBT9DPu6Eb77uhG++7oRvvu6Eb795gEgDP3kAf3kAf3kAf3kAf3kASIPIBj9DM54QT/OeEE/znhBP854QT/95gEgGf0McGcKP3BnCj9wZwo/cGcKP/3mASAa/Qyk3Wi/pN1ov6TdaL+k3Wi//eYBIBv9DEA/kL5AP5C+QD+QvkA/kL795gEgHP0M8GR9P/BkfT/wZH0/8GR9P/3mAf3kAf3kAf3kAf3kASIq/eUBIhIgBP0JAhQiE/3mAf3lAf0LBAAgPSASIBH95gEgECAT/eYB/eQB/QsEECA+IAb9DEex1D5HsdQ+R7HUPkex1D795gEgB/0MVaF1v1Whdb9VoXW/VaF1v/3mASAI/QxkXFc/ZFxXP2RcVz9kXFc//eYBIAn9DPu6Eb77uhG++7oRvvu6Eb795gEgIv0M9KQnv/SkJ7/0pCe/9KQnv/3mASAj/eQB/eQB/eQB/eQB/eQBIhAgJf0MpN1ov6TdaL+k3Wi/pN1ov/3mASAm/QxAP5A+QD+QPkA/kD5AP5A+/eYBICf9DHBnCj9wZwo/cGcKP3BnCj/95gEgCv0M8GR9v/Bkfb/wZH2/8GR9v/3mASAL/QzOeEE/znhBP854QT/OeEE//eYB/eQB/eQB/eQB/eQBIhH95AEiEiAE/QkCGCIT/eYBIBf9DEex1D5HsdQ+R7HUPkex1D795gEgBf0MVaF1v1Whdb9VoXW/VaF1v/3mASAW/QxkXFc/ZFxXP2RcVz9kXFc//eYBIBX9DPu6Eb77uhG++7oRvvu6Eb795gEgFP0M9KQnv/SkJ7/0pCe/9KQnv/3mASAM/eQB/eQB/eQB/eQB/eQBIisgGP0MpN1ov6TdaL+k3Wi/pN1ov/3mASAZ/QxAP5A+QD+QPkA/kD5AP5A+/eYBIBr9DHBnCj9wZwo/cGcKP3BnCj/95gEgG/0M8GR9v/Bkfb/wZH2/8GR9v/3mASAc/QzOeEE/znhBP854QT/OeEE//eYB/eQB/eQB/eQB/eQBIiz95QEiLSAE/QkCHCIu/eYB/eUB/QsEACA+IC0gE/3mASASIC795gH95AH9CwQQID8gBv0M+7oRvvu6Eb77uhG++7oRvv3mASAH/QxHsdQ+R7HUPkex1D5HsdQ+/eYBIAj9DPSkJ7/0pCe/9KQnv/SkJ7/95gEgCf0MZFxXP2RcVz9kXFc/ZFxXP/3mASAi/QxVoXW/VaF1v1Whdb9VoXW//eYBICP95AH95AH95AH95AH95AEiBiAl/QzwZH0/8GR9P/BkfT/wZH0//eYBICb9DKTdaL+k3Wi/pN1ov6TdaL/95gEgJ/0MznhBP854QT/OeEE/znhBP/3mASAK/QxwZwq/cGcKv3BnCr9wZwq//eYBIAv9DEA/kD5AP5A+QD+QPkA/kD795gH95AH95AH95AH95AEiB/3kASIIIAT9CQIgIgn95gEgF/0M+7oRvvu6Eb77uhG++7oRvv3mASAF/QxHsdQ+R7HUPkex1D5HsdQ+/eYBIBb9DPSkJ7/0pCe/9KQnv/SkJ7/95gEgFf0MZFxXP2RcVz9kXFc/ZFxXP/3mASAU/QxVoXW/VaF1v1Whdb9VoXW//eYBIAz95AH95AH95AH95AH95AEiBSAY/QzwZH0/8GR9P/BkfT/wZH0//eYBIBn9DKTdaL+k3Wi/pN1ov6TdaL/95gEgGv0MznhBP854QT/OeEE/znhBP/3mASAb/QxwZwq/cGcKv3BnCr9wZwq//eYBIBz9DEA/kD5AP5A+QD+QPkA/kD795gH95AH95AH95AH95AEiCv3lASILIAT9CQIkIgz95gH95QH9CwQAID8gCyAJ/eYBIAggDP3mAf3kAf0LBBAgQCAGIAf95QEiBiAE/QkCKCIH/eYBIAUgCv3kASIFIAT9CQIsIgj95gH95QH9CwQAIEAgBSAH/eYBIAYgCP3mAf3kAf0LBBAgQSAQIBH95QEiBSAE/QkCMCIG/eYBICsgLP3kASIHIAT9CQI0Igj95gH95QH9CwQAIEEgByAG/eYBIAUgCP3mAf3kAf0LBBAgQiANIA795QEiBSAE/QkCOCIG/eYBIA8gKv3kASIHIAT9CQI8Igj95gH95QH9CwQAIEIgByAG/eYBIAUgCP3mAf3kAf0LBBAgQyAeIB/95QEiBSAE/QkCQCIG/eYBICAgIf3kASIHIAT9CQJEIgj95gH95QH9CwQAIEMgByAG/eYBIAUgCP3mAf3kAf0LBBAgRCAkICj95QEiBSAE/QkCSCIG/eYBICkgHf3kASIHIAT9CQJMIgj95gH95QH9CwQAIEQgByAG/eYBIAUgCP3mAf3kAf0LBBAgAEEgaiEAIAFBIGohAQwBCwsgBEHQAGohBCABIAJBCmxqIQEgMEEBaiEwDAELCwupCwIGfw57AkACQAJAAkACQCAAQQJrDgQAAQIDBAsgASADaiEAA0AgACABSwRAIAH9AAQAIgwgASADaiIG/QAEACIN/eQBIQ4gAiAB/QAEECIPIAb9AAQQIhD95AEiESAE/eYBIBEgBf3mAf3kASIRIA4gBP3mASAOIAX95gH95AEiDv0NAAECAxAREhMEBQYHFBUWF/0LBAAgAiARIA79DQgJCgsYGRobDA0ODxwdHh/9CwQQIAIgA2oiBiAPIBD95QEiDiAE/eYBIA4gBf3mAf3kASIOIAwgDf3lASIMIAT95gEgDCAF/eYB/eQBIgz9DQABAgMQERITBAUGBxQVFhf9CwQAIAYgDiAM/Q0ICQoLGBkaGwwNDg8cHR4f/QsEECABQSBqIQEgAkEgaiECDAELCwwDCyABIANqIQADQCAAIAFLBEAgASADaiIGIANqIQcgAiADaiIIIANqIQkgAiAB/QAEECIMIAb9AAQQIg0gB/0ABBAiDv3kASIP/eQBIhAgBP3mASAQIAX95gH95AEiECAB/QAEACIRIAb9AAQAIhIgB/0ABAAiE/3kASIU/eQBIhUgBP3mASAVIAX95gH95AEiFf0NAAECAxAREhMEBQYHFBUWF/0LBAAgAiAQIBX9DQgJCgsYGRobDA0ODxwdHh/9CwQQIAggD/0MAAAAvwAAAL8AAAC/AAAAv/3mASAM/eQBIgwgEiAT/eUB/QzXs10/17NdP9ezXT/Xs10//eYBIg/95QEiECAE/eYBIBAgBf3mAf3kASIQIBT9DAAAAL8AAAC/AAAAvwAAAL/95gEgEf3kASIRIA0gDv3lAf0M17NdP9ezXT/Xs10/17NdP/3mASIN/eQBIg4gBP3mASAOIAX95gH95AEiDv0NAAECAxAREhMEBQYHFBUWF/0LBAAgCCAQIA79DQgJCgsYGRobDA0ODxwdHh/9CwQQIAkgDCAP/eQBIgwgBP3mASAMIAX95gH95AEiDCARIA395QEiDSAE/eYBIA0gBf3mAf3kASIN/Q0AAQIDEBESEwQFBgcUFRYX/QsEACAJIAwgDf0NCAkKCxgZGhsMDQ4PHB0eH/0LBBAgAUEgaiEBIAJBIGohAgwBCwsMAgsgASADaiEHA0AgASAHSQRAIAEgA2oiCCADaiIJIANqIQogAiADaiIAIANqIgYgA2ohCyACIAH9AAQQIg8gCf0ABBAiEP3kASIRIAj9AAQQIhIgCv0ABBAiE/3kASIU/eQBIgwgBP3mASAMIAX95gH95AEiFSAB/QAEACIMIAn9AAQAIg395AEiDiAI/QAEACIWIAr9AAQAIhf95AEiGP3kASIZIAT95gEgGSAF/eYB/eQBIhn9DQABAgMQERITBAUGBxQVFhf9CwQAIAIgFSAZ/Q0ICQoLGBkaGwwNDg8cHR4f/QsEECAAIA8gEP3lASIPIBYgF/3lASIQ/eUBIhUgBP3mASAVIAX95gH95AEiFSAMIA395QEiDCASIBP95QEiDf3kASISIAT95gEgEiAF/eYB/eQBIhL9DQABAgMQERITBAUGBxQVFhf9CwQAIAAgFSAS/Q0ICQoLGBkaGwwNDg8cHR4f/QsEECAGIBEgFP3lASIRIAT95gEgESAF/eYB/eQBIhEgDiAY/eUBIg4gBP3mASAOIAX95gH95AEiDv0NAAECAxAREhMEBQYHFBUWF/0LBAAgBiARIA79DQgJCgsYGRobDA0ODxwdHh/9CwQQIAsgDyAQ/eQBIg4gBP3mASAOIAX95gH95AEiDiAMIA395QEiDCAE/eYBIAwgBf3mAf3kASIM/Q0AAQIDEBESEwQFBgcUFRYX/QsEACALIA4gDP0NCAkKCxgZGhsMDQ4PHB0eH/0LBBAgAUEgaiEBIAJBIGohAgwBCwsMAQsgASACIAMgBCAFECgLC/EIAg57Bn8CQAJAAkACQAJAIABBAmsOBAABAgMECyABIANqIQADQCAAIAFLBEAgAiAB/QAEACIEIAEgA2oiEv0ABAAiBf3kASIGIAH9AAQQIgcgEv0ABBAiCP3kASIJ/Q0AAQIDEBESEwQFBgcUFRYX/QsEACACIAYgCf0NCAkKCxgZGhsMDQ4PHB0eH/0LBBAgAiADaiISIAQgBf3lASIEIAcgCP3lASIF/Q0AAQIDEBESEwQFBgcUFRYX/QsEACASIAQgBf0NCAkKCxgZGhsMDQ4PHB0eH/0LBBAgAUEgaiEBIAJBIGohAgwBCwsMAwsgASADaiEAA0AgACABSwRAIAEgA2oiEiADaiETIAIgA2oiFCADaiEVIAIgAf0ABAAiBCAS/QAEACIFIBP9AAQAIgb95AEiB/3kASIIIAH9AAQQIgkgEv0ABBAiCiAT/QAEECIL/eQBIgz95AEiDf0NAAECAxAREhMEBQYHFBUWF/0LBAAgAiAIIA39DQgJCgsYGRobDA0ODxwdHh/9CwQQIBQgB/0MAAAAvwAAAL8AAAC/AAAAv/3mASAE/eQBIgQgCiAL/eUB/QzXs10/17NdP9ezXT/Xs10//eYBIgf95AEiCCAM/QwAAAC/AAAAvwAAAL8AAAC//eYBIAn95AEiCSAFIAb95QH9DNezXT/Xs10/17NdP9ezXT/95gEiBf3lASIG/Q0AAQIDEBESEwQFBgcUFRYX/QsEACAUIAggBv0NCAkKCxgZGhsMDQ4PHB0eH/0LBBAgFSAEIAf95QEiBCAJIAX95AEiBf0NAAECAxAREhMEBQYHFBUWF/0LBAAgFSAEIAX9DQgJCgsYGRobDA0ODxwdHh/9CwQQIAFBIGohASACQSBqIQIMAQsLDAILIAEgA2ohEwNAIAEgE0kEQCABIANqIhQgA2oiFSADaiEWIAIgA2oiACADaiISIANqIRcgAiAB/QAEACIIIBX9AAQAIgn95AEiCiAU/QAEACILIBb9AAQAIgz95AEiDf3kASIEIAH9AAQQIgUgFf0ABBAiBv3kASIHIBT9AAQQIg4gFv0ABBAiD/3kASIQ/eQBIhH9DQABAgMQERITBAUGBxQVFhf9CwQAIAIgBCAR/Q0ICQoLGBkaGwwNDg8cHR4f/QsEECAAIAggCf3lASIEIA4gD/3lASII/eQBIgkgBSAG/eUBIgUgCyAM/eUBIgb95QEiC/0NAAECAxAREhMEBQYHFBUWF/0LBAAgACAJIAv9DQgJCgsYGRobDA0ODxwdHh/9CwQQIBIgCiAN/eUBIgkgByAQ/eUBIgf9DQABAgMQERITBAUGBxQVFhf9CwQAIBIgCSAH/Q0ICQoLGBkaGwwNDg8cHR4f/QsEECAXIAQgCP3lASIEIAUgBv3kASIF/Q0AAQIDEBESEwQFBgcUFRYX/QsEACAXIAQgBf0NCAkKCxgZGhsMDQ4PHB0eH/0LBBAgAUEgaiEBIAJBIGohAgwBCwsMAQsgASACIAMQKQsL3AgCCX8SeyAAIAJqIQ0DQCAAIA1JBEAgACACaiIFIAJqIgYgAmoiByACaiEIIAEgAmoiCSACaiIKIAJqIgsgAmohDCAF/QAEACITIAj9AAQAIhT95AEiFSAG/QAEACIWIAf9AAQAIhf95AEiGP3kASIZ/QwAAIC+AACAvgAAgL4AAIC+/eYBIAD9AAQAIhr95AEhDiAF/QAEECIbIAj9AAQQIg/95AEiECAG/QAEECIRIAf9AAQQIhz95AEiHf3kASIS/QwAAIC+AACAvgAAgL4AAIC+/eYBIAD9AAQQIh795AEhHyABIB4gEv3kASISIAP95gEgEiAE/eYB/eQBIhIgGiAZ/eQBIhkgA/3mASAZIAT95gH95AEiGf0NAAECAxAREhMEBQYHFBUWF/0LBAAgASASIBn9DQgJCgsYGRobDA0ODxwdHh/9CwQQIAkgECAd/eUBIhD9DL0bDz+9Gw8/vRsPP70bDz/95gEgH/3kASISIBYgF/3lASIW/QwYeRY/GHkWPxh5Fj8YeRY//eYBIBMgFP3lASIT/QxxeHM/cXhzP3F4cz9xeHM//eYB/eQBIhT95QEiFyAD/eYBIBcgBP3mAf3kASIXIBUgGP3lASIV/Qy9Gw8/vRsPP70bDz+9Gw8//eYBIA795AEiGCARIBz95QEiEf0MGHkWPxh5Fj8YeRY/GHkWP/3mASAbIA/95QEiD/0McXhzP3F4cz9xeHM/cXhzP/3mAf3kASIZ/eQBIhogA/3mASAaIAT95gH95AEiGv0NAAECAxAREhMEBQYHFBUWF/0LBAAgCSAXIBr9DQgJCgsYGRobDA0ODxwdHh/9CwQQIAogEP0MvRsPv70bD7+9Gw+/vRsPv/3mASAf/eQBIhAgFv0McXhzv3F4c79xeHO/cXhzv/3mASAT/QwYeRY/GHkWPxh5Fj8YeRY//eYB/eQBIhP95QEiFiAD/eYBIBYgBP3mAf3kASIWIBX9DL0bD7+9Gw+/vRsPv70bD7/95gEgDv3kASIOIBH9DHF4c79xeHO/cXhzv3F4c7/95gEgD/0MGHkWPxh5Fj8YeRY/GHkWP/3mAf3kASIP/eQBIhEgA/3mASARIAT95gH95AEiEf0NAAECAxAREhMEBQYHFBUWF/0LBAAgCiAWIBH9DQgJCgsYGRobDA0ODxwdHh/9CwQQIAsgECAT/eQBIhAgA/3mASAQIAT95gH95AEiECAOIA/95QEiDiAD/eYBIA4gBP3mAf3kASIO/Q0AAQIDEBESEwQFBgcUFRYX/QsEACALIBAgDv0NCAkKCxgZGhsMDQ4PHB0eH/0LBBAgDCASIBT95AEiDiAD/eYBIA4gBP3mAf3kASIOIBggGf3lASIPIAP95gEgDyAE/eYB/eQBIg/9DQABAgMQERITBAUGBxQVFhf9CwQAIAwgDiAP/Q0ICQoLGBkaGwwNDg8cHR4f/QsEECAAQSBqIQAgAUEgaiEBDAELCwuyBwISewl/IAAgAmohHQNAIAAgHUkEQCAAIAJqIhUgAmoiFiACaiIXIAJqIRggASACaiIZIAJqIhogAmoiGyACaiEcIBX9AAQAIgcgGP0ABAAiCP3kASIJIBb9AAQAIgogF/0ABAAiC/3kASIM/eQBIg39DAAAgL4AAIC+AACAvgAAgL795gEgAP0ABAAiDv3kASEPIBX9AAQQIgMgGP0ABBAiBP3kASIFIBb9AAQQIgYgF/0ABBAiEP3kASIR/eQBIhL9DAAAgL4AAIC+AACAvgAAgL795gEgAP0ABBAiE/3kASEUIAEgDiAN/eQBIg0gEyAS/eQBIg79DQABAgMQERITBAUGBxQVFhf9CwQAIAEgDSAO/Q0ICQoLGBkaGwwNDg8cHR4f/QsEECAZIAkgDP3lASIJ/Qy9Gw8/vRsPP70bDz+9Gw8//eYBIA/95AEiDCAGIBD95QEiBv0MGHkWPxh5Fj8YeRY/GHkWP/3mASADIAT95QEiA/0McXhzP3F4cz9xeHM/cXhzP/3mAf3kASIE/eQBIg0gBSAR/eUBIgX9DL0bDz+9Gw8/vRsPP70bDz/95gEgFP3kASIOIAogC/3lASIK/QwYeRY/GHkWPxh5Fj8YeRY//eYBIAcgCP3lASIH/QxxeHM/cXhzP3F4cz9xeHM//eYB/eQBIgj95QEiC/0NAAECAxAREhMEBQYHFBUWF/0LBAAgGSANIAv9DQgJCgsYGRobDA0ODxwdHh/9CwQQIBogCf0MvRsPv70bD7+9Gw+/vRsPv/3mASAP/eQBIgkgBv0McXhzv3F4c79xeHO/cXhzv/3mASAD/QwYeRY/GHkWPxh5Fj8YeRY//eYB/eQBIgP95AEiBiAF/Qy9Gw+/vRsPv70bD7+9Gw+//eYBIBT95AEiBSAK/QxxeHO/cXhzv3F4c79xeHO//eYBIAf9DBh5Fj8YeRY/GHkWPxh5Fj/95gH95AEiB/3lASIK/Q0AAQIDEBESEwQFBgcUFRYX/QsEACAaIAYgCv0NCAkKCxgZGhsMDQ4PHB0eH/0LBBAgGyAJIAP95QEiAyAFIAf95AEiBf0NAAECAxAREhMEBQYHFBUWF/0LBAAgGyADIAX9DQgJCgsYGRobDA0ODxwdHh/9CwQQIBwgDCAE/eUBIgMgDiAI/eQBIgT9DQABAgMQERITBAUGBxQVFhf9CwQAIBwgAyAE/Q0ICQoLGBkaGwwNDg8cHR4f/QsEECAAQSBqIQAgAUEgaiEBDAELCwvLBwITewZ/IAJBA3QhGCACQQRrIRkDQCACIBdLBEAgACAXIBkgFyAZSRsiGkEDdGoiG/0ABAAiBCAb/QAEECIF/Q0AAQIDCAkKCxAREhMYGRobIgYgGyAYQQF0aiIc/QAEACIHIBz9AAQQIgj9DQABAgMICQoLEBESExgZGhsiCf3kASIKIBggG2oiHP0ABAAiCyAc/QAEECIM/Q0AAQIDCAkKCxAREhMYGRobIg0gGyAYQQNsaiIb/QAEACIOIBv9AAQQIg/9DQABAgMICQoLEBESExgZGhsiEP3kASIR/eQBIRIgASAaQQV0aiIaIAQgBf0NBAUGBwwNDg8UFRYXHB0eHyIEIAcgCP0NBAUGBwwNDg8UFRYXHB0eHyIF/eQBIgcgCyAM/Q0EBQYHDA0ODxQVFhccHR4fIgggDiAP/Q0EBQYHDA0ODxQVFhccHR4fIgv95AEiDP3kASIOIAQgBf3lASIPIA0gEP3lASIN/eQBIhAgA/0ABAAiBP3mASAGIAn95QEiCSAIIAv95QEiCP3lASILIAP9AAQQIhP95gH95QEiBf0NAAECAxAREhMEBQYHFBUWFyIUIAcgDP3lASIMIAP9AAQgIgb95gEgCiAR/eUBIgogA/0ABDAiEf3mAf3lASIVIA8gDf3lASINIAP9AARAIg/95gEgCSAI/eQBIgggA/0ABFAiB/3mAf3lASIJ/Q0AAQIDEBESEwQFBgcUFRYXIhb9DQABAgMEBQYHEBESExQVFhf9CwQAIBogFCAW/Q0ICQoLDA0ODxgZGhscHR4f/QsEICAaIA4gBf0NCAkKCxgZGhsMDQ4PHB0eHyIFIBUgCf0NCAkKCxgZGhsMDQ4PHB0eHyIJ/Q0AAQIDBAUGBxAREhMUFRYX/QsEQCAaIAUgCf0NCAkKCwwNDg8YGRobHB0eH/0LBGAgGiASIAsgBP3mASAQIBP95gH95AEiBP0NAAECAxAREhMEBQYHFBUWFyIFIAogBv3mASAMIBH95gH95AEiBiAIIA/95gEgDSAH/eYB/eQBIgf9DQABAgMQERITBAUGBxQVFhciCP0NAAECAwQFBgcQERITFBUWF/0LBBAgGiAFIAj9DQgJCgsMDQ4PGBkaGxwdHh/9CwQwIBogEiAE/Q0ICQoLGBkaGwwNDg8cHR4fIgQgBiAH/Q0ICQoLGBkaGwwNDg8cHR4fIgX9DQABAgMEBQYHEBESExQVFhf9CwRQIBogBCAF/Q0ICQoLDA0ODxgZGhscHR4f/QsEcCADQeAAaiEDIBdBBGohFwwBCwsLzQoCF3sIfyACQQN0IRwgAkEEayEeA0AgAiAdSwRAIB0gHiAdIB5JGyIhQQN0Ih8gAGoiIv0ABAAiBSAi/QAEECIG/Q0AAQIDCAkKCxAREhMYGRobIgcgBCAfaiIf/QAEACIIIB/9AAQQIgn9DQABAgMICQoLEBESExgZGhsiCv3mASAFIAb9DQQFBgcMDQ4PFBUWFxwdHh8iBiAIIAn9DQQFBgcMDQ4PFBUWFxwdHh8iCP3mAf3lASIJIBxBAXQiICAiaiIj/QAEACIFICP9AAQQIgv9DQABAgMICQoLEBESExgZGhsiDCAfICBqIiD9AAQAIg0gIP0ABBAiDv0NAAECAwgJCgsQERITGBkaGyIP/eYBIAUgC/0NBAUGBwwNDg8UFRYXHB0eHyILIA0gDv0NBAUGBwwNDg8UFRYXHB0eHyIN/eYB/eUBIg795AEiECAcICJqIiD9AAQAIgUgIP0ABBAiEf0NAAECAwgJCgsQERITGBkaGyISIBwgH2oiIP0ABAAiEyAg/QAEECIU/Q0AAQIDCAkKCxAREhMYGRobIhX95gEgBSAR/Q0EBQYHDA0ODxQVFhccHR4fIhEgEyAU/Q0EBQYHDA0ODxQVFhccHR4fIhP95gH95QEiFCAcQQNsIiAgImoiIv0ABAAiBSAi/QAEECIW/Q0AAQIDCAkKCxAREhMYGRobIhcgHyAgaiIf/QAEACIYIB/9AAQQIhn9DQABAgMICQoLEBESExgZGhsiGv3mASAFIBb9DQQFBgcMDQ4PFBUWFxwdHh8iFiAYIBn9DQQFBgcMDQ4PFBUWFxwdHh8iGP3mAf3lASIZ/eQBIgX95AEhGyABICFBBXRqIh8gBiAK/eYBIAcgCP3mAf3kASIGIAsgD/3mASAMIA395gH95AEiB/3kASIIIBEgFf3mASASIBP95gH95AEiCiAWIBr95gEgFyAY/eYB/eQBIgv95AEiDP3kASINIAYgB/3lASIGIBQgGf3lASIH/eQBIg8gA/0ABAAiEf3mASAJIA795QEiCSAKIAv95QEiCv3lASILIAP9AAQQIg795gH95QEiEv0NAAECAxAREhMEBQYHFBUWFyITIAggDP3lASIIIAP9AAQgIgz95gEgECAF/eUBIgUgA/0ABDAiEP3mAf3lASIUIAYgB/3lASIGIAP9AARAIgf95gEgCSAK/eQBIgkgA/0ABFAiCv3mAf3lASIV/Q0AAQIDEBESEwQFBgcUFRYXIhb9DQABAgMEBQYHEBESExQVFhf9CwQAIB8gEyAW/Q0ICQoLDA0ODxgZGhscHR4f/QsEICAfIA0gEv0NCAkKCxgZGhsMDQ4PHB0eHyINIBQgFf0NCAkKCxgZGhsMDQ4PHB0eHyIS/Q0AAQIDBAUGBxAREhMUFRYX/QsEQCAfIA0gEv0NCAkKCwwNDg8YGRobHB0eH/0LBGAgHyAbIAsgEf3mASAPIA795gH95AEiC/0NAAECAxAREhMEBQYHFBUWFyINIAUgDP3mASAIIBD95gH95AEiBSAJIAf95gEgBiAK/eYB/eQBIgb9DQABAgMQERITBAUGBxQVFhciB/0NAAECAwQFBgcQERITFBUWF/0LBBAgHyANIAf9DQgJCgsMDQ4PGBkaGxwdHh/9CwQwIB8gGyAL/Q0ICQoLGBkaGwwNDg8cHR4fIgcgBSAG/Q0ICQoLGBkaGwwNDg8cHR4fIgX9DQABAgMEBQYHEBESExQVFhf9CwRQIB8gByAF/Q0ICQoLDA0ODxgZGhscHR4f/QsEcCADQeAAaiEDIB1BBGohHQwBCwsL9wkCF3sEfyACQQN0Ih0gAGohHANAIAAgHEkEQCAAIB1qIh4gHWoiHyAdaiECIAD9AAQAIgUgH/0ABAAiBv3kASIHIB79AAQAIgggAv0ABAAiCf3kASIK/eQBIgsgBP0ABAAiDCAE/QAEECIN/Q0AAQIDCAkKCxAREhMYGRobIg795gEgAP0ABBAiDyAf/QAEECIQ/eQBIhEgHv0ABBAiEiAC/QAEECIT/eQBIhT95AEiFSAMIA39DQQFBgcMDQ4PFBUWFxwdHh8iDP3mAf3lASINIAcgCv3lASIHIAQgHUEBdGoiAv0ABAAiCiAC/QAEECIW/Q0AAQIDCAkKCxAREhMYGRobIhf95gEgESAU/eUBIhEgCiAW/Q0EBQYHDA0ODxQVFhccHR4fIgr95gH95QEiFP3kASIWIAUgBv3lASIFIBIgE/3lASIG/eQBIhIgBCAdaiIC/QAEACITIAL9AAQQIhj9DQABAgMICQoLEBESExgZGhsiGf3mASAPIBD95QEiDyAIIAn95QEiCP3lASIJIBMgGP0NBAUGBwwNDg8UFRYXHB0eHyIQ/eYB/eUBIhMgBSAG/eUBIgYgBCAdQQNsaiIC/QAEACIFIAL9AAQQIhj9DQABAgMICQoLEBESExgZGhsiGv3mASAPIAj95AEiCCAFIBj9DQQFBgcMDQ4PFBUWFxwdHh8iD/3mAf3lASIY/eQBIgX95AEhGyABIBUgDv3mASALIAz95gH95AEiCyARIBf95gEgByAK/eYB/eQBIgf95AEiCiAJIBn95gEgEiAQ/eYB/eQBIgkgCCAa/eYBIAYgD/3mAf3kASIG/eQBIgj95AEiDCALIAf95QEiByATIBj95QEiC/3kASIOIAP9AAQAIg/95gEgDSAU/eUBIg0gCSAG/eUBIgb95QEiCSAD/QAEECIQ/eYB/eUBIhH9DQABAgMQERITBAUGBxQVFhciEiAKIAj95QEiCCAD/QAEICIK/eYBIBYgBf3lASIFIAP9AAQwIhP95gH95QEiFCAHIAv95QEiByAD/QAEQCIL/eYBIA0gBv3kASIGIAP9AARQIg395gH95QEiFf0NAAECAxAREhMEBQYHFBUWFyIW/Q0AAQIDBAUGBxAREhMUFRYX/QsEACABIBIgFv0NCAkKCwwNDg8YGRobHB0eH/0LBCAgASAMIBH9DQgJCgsYGRobDA0ODxwdHh8iDCAUIBX9DQgJCgsYGRobDA0ODxwdHh8iEf0NAAECAwQFBgcQERITFBUWF/0LBEAgASAMIBH9DQgJCgsMDQ4PGBkaGxwdHh/9CwRgIAEgGyAJIA/95gEgDiAQ/eYB/eQBIgn9DQABAgMQERITBAUGBxQVFhciDCAFIAr95gEgCCAT/eYB/eQBIgUgBiAL/eYBIAcgDf3mAf3kASIG/Q0AAQIDEBESEwQFBgcUFRYXIgf9DQABAgMEBQYHEBESExQVFhf9CwQQIAEgDCAH/Q0ICQoLDA0ODxgZGhscHR4f/QsEMCABIBsgCf0NCAkKCxgZGhsMDQ4PHB0eHyIHIAUgBv0NCAkKCxgZGhsMDQ4PHB0eHyIF/Q0AAQIDBAUGBxAREhMUFRYX/QsEUCABIAcgBf0NCAkKCwwNDg8YGRobHB0eH/0LBHAgA0HgAGohAyAAQSBqIQAgBEEgaiEEIAFBgAFqIQEMAQsLC9wHAhF/AnsgACgCCCESIAAoAgwhFCAAKAIQIQ4gACgCFCEKIAEhBwNAIAIgB0sEQCAHIApuIBJsIBRsIA5sIgEgACgCAGohAyAAKAIEIAFqIRAgByAKcEEGdCIEQUBrIgEgEiABIBJJGyERIA5BCEYEQEEAIQYgFEEDdCENIBJBA3QhDCAEIBEgBGtBfnFqIQkDQCAGIBRJBEAgBiAGQQhqIgEgFCABIBRJGyIIIAZrQX5xaiELIAYhBQNAIAUgC0kEQCADIAQgDWxqIAVBA3RqIRMgECAFIAxsaiAEQQN0aiEPIAQhAQNAIAEgCUkEQCAPIBP9AAQAIhYgDSATav0ABAAiFf0NAAECAwQFBgcQERITFBUWF/0LBAAgDCAPaiAWIBX9DQgJCgsMDQ4PGBkaGxwdHh/9CwQAIAFBAmohASATIA1BAXRqIRMgD0EQaiEPDAELCyAJIBFJBEAgDyATKQMANwMAIAwgD2ogEykDCDcDAAsgBUECaiEFDAELCyAIIAtLBEAgBCEBA0AgASARSQRAIBAgCyAMbGogAUEDdGogAyABIA1saiALQQN0aikDADcDACABQQFqIQEMAQsLCyAGQQhqIQYMAQsLBSAOQRBGBEBBACEGA0AgBiAUSQRAIAZBCGoiASAUIAEgFEkbIQggBCEFA0AgBSARSQRAIAYhAQNAIAEgCEkEQCAQIAEgEmwgBWpBBHRqIAMgBSAUbCABakEEdGr9AAQA/QsEACABQQFqIQEMAQsLIAVBAWohBQwBCwsgBkEIaiEGDAELCwUgDkEERgRAQQAhBgNAIAYgFEkEQCAGQQhqIgEgFCABIBRJGyEIIAQhBQNAIAUgEUkEQCAGIQEDQCABIAhJBEAgECABIBJsIAVqQQJ0aiADIAUgFGwgAWpBAnRqKAIANgIAIAFBAWohAQwBCwsgBUEBaiEFDAELCyAGQQhqIQYMAQsLBSAOQQJGBEBBACEGA0AgBiAUSQRAIAZBCGoiASAUIAEgFEkbIQggBCEFA0AgBSARSQRAIAYhAQNAIAEgCEkEQCAQIAEgEmwgBWpBAXRqIAMgBSAUbCABakEBdGovAQA7AQAgAUEBaiEBDAELCyAFQQFqIQUMAQsLIAZBCGohBgwBCwsFQQAhBgNAIAYgFEkEQCAGQQhqIgEgFCABIBRJGyEIIAQhBQNAIAUgEUkEQCAGIQEDQCABIAhJBEAgECAFIAEgEmxqaiADIAEgBSAUbGpqLQAAOgAAIAFBAWohAQwBCwsgBUEBaiEFDAELCyAGQQhqIQYMAQsLCwsLCyAHQQFqIQcMAQsLC6gBAQh/IAAoAgwhAyAAKAIQIQcgACgCFCEJIAAoAhghCiAAKAIcIQsgACgCBCEEA0AgASACSQRAIAEgA2xBA3QiCCAAKAIAaiEFIAAoAgggCGohBiAHBEAgB0EBRgRAIAUgBCABIAlwQQN0aiAGIANBABAIBSAFIAQgCGogBiALIAMgASAKQQFrRhtBCBAICwUgBSAEIAYgA0EIEAgLIAFBAWohAQwBCwsLlAICCH8BfCAAKAIIIQMgACgCECEKIAAoAhQhCCAAKAIYIQUgACgCHCEJIAAoAiAhCyAAKwMoIQwDQCABIAJJBEAgACgCACABIANsIgQgCWxqIQYgACgCBCAEIAtsaiEHIAEgCkEBa0YEfyAAKAIMBSADCyEEIAUgCEYgDEQAAAAAAADwP2FxBEAgByAGIAQgCWz8CgAABSAIBEAgCEEBRgRAIAYgByAEIAUgDBA0BSAIQQJGBEAgBiAHIAQgBSAMEDIFIAhBA0YEQCAGIAcgBCAFIAwQMwUgCEEERgRAIAYgByAEIAUgDBAwBSAGIAcgBCAFIAwQMQsLCwsFIAYgByAEIAUgDBA1CwsgAUEBaiEBDAELCwvJBQIBfwJ8IAMEQCADQQFGBEADQCACIAVLBEAgASAFQQN0aiAAIAVqLQAAuCAEojkDACAFQQFqIQUMAQsLBSADQQJGBEADQCACIAVLBEAgASAFaiAAIAVqLQAAuCAEoiIGIAZiBHxEAAAAAAAAAAAFIAYgBp0iBqEiB0QAAAAAAADgP2YEfCAGRAAAAAAAAPA/oAUgBkQAAAAAAADwv6AgBiAHRAAAAAAAAOC/ZRsLRAAAAAAAwF9ApEQAAAAAAABgwKUL/AI6AAAgBUEBaiEFDAELCwUgA0EDRgRAA0AgAiAFSwRAIAEgBUEBdGogACAFai0AALggBKIiBiAGYgR8RAAAAAAAAAAABSAGIAadIgahIgdEAAAAAAAA4D9mBHwgBkQAAAAAAADwP6AFIAZEAAAAAAAA8L+gIAYgB0QAAAAAAADgv2UbC0QAAAAAwP/fQKREAAAAAAAA4MClC/wCOwEAIAVBAWohBQwBCwsFIANBBEYEQANAIAIgBUsEQCABIAVqIAAgBWotAAC4IASiIgYgBmIEfEQAAAAAAAAAAAUgBiAGnSIGoSIHRAAAAAAAAOA/ZgR8IAZEAAAAAAAA8D+gBSAGRAAAAAAAAPC/oCAGIAdEAAAAAAAA4L9lGwtEAAAAAADgb0CkRAAAAAAAAAAApQv8AjoAACAFQQFqIQUMAQsLBQNAIAIgBUsEQCABIAVBAnRqIAAgBWotAAC4IASiIgYgBmIEfEQAAAAAAAAAAAUgBiAGnSIGoSIHRAAAAAAAAOA/ZgR8IAZEAAAAAAAA8D+gBSAGRAAAAAAAAPC/oCAGIAdEAAAAAAAA4L9lGwtEAADg////70GkRAAAAAAAAAAApQv8AzYCACAFQQFqIQUMAQsLCwsLCwUDQCACIAVLBEAgASAFQQJ0aiAAIAVqLQAAuCAEorY4AgAgBUEBaiEFDAELCwsL2QUCAX8CfCADBEAgA0EBRgRAA0AgAiAFSwRAIAEgBUEDdGogACAFQQJ0aigCALggBKI5AwAgBUEBaiEFDAELCwUgA0ECRgRAA0AgAiAFSwRAIAEgBWogACAFQQJ0aigCALggBKIiBiAGYgR8RAAAAAAAAAAABSAGIAadIgahIgdEAAAAAAAA4D9mBHwgBkQAAAAAAADwP6AFIAZEAAAAAAAA8L+gIAYgB0QAAAAAAADgv2UbC0QAAAAAAMBfQKREAAAAAAAAYMClC/wCOgAAIAVBAWohBQwBCwsFIANBA0YEQANAIAIgBUsEQCABIAVBAXRqIAAgBUECdGooAgC4IASiIgYgBmIEfEQAAAAAAAAAAAUgBiAGnSIGoSIHRAAAAAAAAOA/ZgR8IAZEAAAAAAAA8D+gBSAGRAAAAAAAAPC/oCAGIAdEAAAAAAAA4L9lGwtEAAAAAMD/30CkRAAAAAAAAODApQv8AjsBACAFQQFqIQUMAQsLBSADQQRGBEADQCACIAVLBEAgASAFaiAAIAVBAnRqKAIAuCAEoiIGIAZiBHxEAAAAAAAAAAAFIAYgBp0iBqEiB0QAAAAAAADgP2YEfCAGRAAAAAAAAPA/oAUgBkQAAAAAAADwv6AgBiAHRAAAAAAAAOC/ZRsLRAAAAAAA4G9ApEQAAAAAAAAAAKUL/AI6AAAgBUEBaiEFDAELCwUDQCACIAVLBEAgBUECdCIDIAFqIAAgA2ooAgC4IASiIgYgBmIEfEQAAAAAAAAAAAUgBiAGnSIGoSIHRAAAAAAAAOA/ZgR8IAZEAAAAAAAA8D+gBSAGRAAAAAAAAPC/oCAGIAdEAAAAAAAA4L9lGwtEAADg////70GkRAAAAAAAAAAApQv8AzYCACAFQQFqIQUMAQsLCwsLCwUDQCACIAVLBEAgBUECdCIDIAFqIAAgA2ooAgC4IASitjgCACAFQQFqIQUMAQsLCwvJBQIBfwJ8IAMEQCADQQFGBEADQCACIAVLBEAgASAFQQN0aiAAIAVqLAAAtyAEojkDACAFQQFqIQUMAQsLBSADQQJGBEADQCACIAVLBEAgASAFaiAAIAVqLAAAtyAEoiIGIAZiBHxEAAAAAAAAAAAFIAYgBp0iBqEiB0QAAAAAAADgP2YEfCAGRAAAAAAAAPA/oAUgBkQAAAAAAADwv6AgBiAHRAAAAAAAAOC/ZRsLRAAAAAAAwF9ApEQAAAAAAABgwKUL/AI6AAAgBUEBaiEFDAELCwUgA0EDRgRAA0AgAiAFSwRAIAEgBUEBdGogACAFaiwAALcgBKIiBiAGYgR8RAAAAAAAAAAABSAGIAadIgahIgdEAAAAAAAA4D9mBHwgBkQAAAAAAADwP6AFIAZEAAAAAAAA8L+gIAYgB0QAAAAAAADgv2UbC0QAAAAAwP/fQKREAAAAAAAA4MClC/wCOwEAIAVBAWohBQwBCwsFIANBBEYEQANAIAIgBUsEQCABIAVqIAAgBWosAAC3IASiIgYgBmIEfEQAAAAAAAAAAAUgBiAGnSIGoSIHRAAAAAAAAOA/ZgR8IAZEAAAAAAAA8D+gBSAGRAAAAAAAAPC/oCAGIAdEAAAAAAAA4L9lGwtEAAAAAADgb0CkRAAAAAAAAAAApQv8AjoAACAFQQFqIQUMAQsLBQNAIAIgBUsEQCABIAVBAnRqIAAgBWosAAC3IASiIgYgBmIEfEQAAAAAAAAAAAUgBiAGnSIGoSIHRAAAAAAAAOA/ZgR8IAZEAAAAAAAA8D+gBSAGRAAAAAAAAPC/oCAGIAdEAAAAAAAA4L9lGwtEAADg////70GkRAAAAAAAAAAApQv8AzYCACAFQQFqIQUMAQsLCwsLCwUDQCACIAVLBEAgASAFQQJ0aiAAIAVqLAAAtyAEorY4AgAgBUEBaiEFDAELCwsL2gUCAX8CfCADBEAgA0EBRgRAA0AgAiAFSwRAIAEgBUEDdGogACAFQQF0ai4BALcgBKI5AwAgBUEBaiEFDAELCwUgA0ECRgRAA0AgAiAFSwRAIAEgBWogACAFQQF0ai4BALcgBKIiBiAGYgR8RAAAAAAAAAAABSAGIAadIgahIgdEAAAAAAAA4D9mBHwgBkQAAAAAAADwP6AFIAZEAAAAAAAA8L+gIAYgB0QAAAAAAADgv2UbC0QAAAAAAMBfQKREAAAAAAAAYMClC/wCOgAAIAVBAWohBQwBCwsFIANBA0YEQANAIAIgBUsEQCAFQQF0IgMgAWogACADai4BALcgBKIiBiAGYgR8RAAAAAAAAAAABSAGIAadIgahIgdEAAAAAAAA4D9mBHwgBkQAAAAAAADwP6AFIAZEAAAAAAAA8L+gIAYgB0QAAAAAAADgv2UbC0QAAAAAwP/fQKREAAAAAAAA4MClC/wCOwEAIAVBAWohBQwBCwsFIANBBEYEQANAIAIgBUsEQCABIAVqIAAgBUEBdGouAQC3IASiIgYgBmIEfEQAAAAAAAAAAAUgBiAGnSIGoSIHRAAAAAAAAOA/ZgR8IAZEAAAAAAAA8D+gBSAGRAAAAAAAAPC/oCAGIAdEAAAAAAAA4L9lGwtEAAAAAADgb0CkRAAAAAAAAAAApQv8AjoAACAFQQFqIQUMAQsLBQNAIAIgBUsEQCABIAVBAnRqIAAgBUEBdGouAQC3IASiIgYgBmIEfEQAAAAAAAAAAAUgBiAGnSIGoSIHRAAAAAAAAOA/ZgR8IAZEAAAAAAAA8D+gBSAGRAAAAAAAAPC/oCAGIAdEAAAAAAAA4L9lGwtEAADg////70GkRAAAAAAAAAAApQv8AzYCACAFQQFqIQUMAQsLCwsLCwUDQCACIAVLBEAgASAFQQJ0aiAAIAVBAXRqLgEAtyAEorY4AgAgBUEBaiEFDAELCwsL1AUCAX8CfCADBEAgA0EBRgRAA0AgAiAFSwRAIAVBA3QiAyABaiAAIANqKwMAIASiOQMAIAVBAWohBQwBCwsFIANBAkYEQANAIAIgBUsEQCABIAVqIAAgBUEDdGorAwAgBKIiBiAGYgR8RAAAAAAAAAAABSAGIAadIgahIgdEAAAAAAAA4D9mBHwgBkQAAAAAAADwP6AFIAZEAAAAAAAA8L+gIAYgB0QAAAAAAADgv2UbC0QAAAAAAMBfQKREAAAAAAAAYMClC/wCOgAAIAVBAWohBQwBCwsFIANBA0YEQANAIAIgBUsEQCABIAVBAXRqIAAgBUEDdGorAwAgBKIiBiAGYgR8RAAAAAAAAAAABSAGIAadIgahIgdEAAAAAAAA4D9mBHwgBkQAAAAAAADwP6AFIAZEAAAAAAAA8L+gIAYgB0QAAAAAAADgv2UbC0QAAAAAwP/fQKREAAAAAAAA4MClC/wCOwEAIAVBAWohBQwBCwsFIANBBEYEQANAIAIgBUsEQCABIAVqIAAgBUEDdGorAwAgBKIiBiAGYgR8RAAAAAAAAAAABSAGIAadIgahIgdEAAAAAAAA4D9mBHwgBkQAAAAAAADwP6AFIAZEAAAAAAAA8L+gIAYgB0QAAAAAAADgv2UbC0QAAAAAAOBvQKREAAAAAAAAAAClC/wCOgAAIAVBAWohBQwBCwsFA0AgAiAFSwRAIAEgBUECdGogACAFQQN0aisDACAEoiIGIAZiBHxEAAAAAAAAAAAFIAYgBp0iBqEiB0QAAAAAAADgP2YEfCAGRAAAAAAAAPA/oAUgBkQAAAAAAADwv6AgBiAHRAAAAAAAAOC/ZRsLRAAA4P///+9BpEQAAAAAAAAAAKUL/AM2AgAgBUEBaiEFDAELCwsLCwsFA0AgAiAFSwRAIAEgBUECdGogACAFQQN0aisDACAEorY4AgAgBUEBaiEFDAELCwsL2QUCAX8CfCADBEAgA0EBRgRAA0AgAiAFSwRAIAEgBUEDdGogACAFQQJ0aioCALsgBKI5AwAgBUEBaiEFDAELCwUgA0ECRgRAA0AgAiAFSwRAIAEgBWogACAFQQJ0aioCALsgBKIiBiAGYgR8RAAAAAAAAAAABSAGIAadIgahIgdEAAAAAAAA4D9mBHwgBkQAAAAAAADwP6AFIAZEAAAAAAAA8L+gIAYgB0QAAAAAAADgv2UbC0QAAAAAAMBfQKREAAAAAAAAYMClC/wCOgAAIAVBAWohBQwBCwsFIANBA0YEQANAIAIgBUsEQCABIAVBAXRqIAAgBUECdGoqAgC7IASiIgYgBmIEfEQAAAAAAAAAAAUgBiAGnSIGoSIHRAAAAAAAAOA/ZgR8IAZEAAAAAAAA8D+gBSAGRAAAAAAAAPC/oCAGIAdEAAAAAAAA4L9lGwtEAAAAAMD/30CkRAAAAAAAAODApQv8AjsBACAFQQFqIQUMAQsLBSADQQRGBEADQCACIAVLBEAgASAFaiAAIAVBAnRqKgIAuyAEoiIGIAZiBHxEAAAAAAAAAAAFIAYgBp0iBqEiB0QAAAAAAADgP2YEfCAGRAAAAAAAAPA/oAUgBkQAAAAAAADwv6AgBiAHRAAAAAAAAOC/ZRsLRAAAAAAA4G9ApEQAAAAAAAAAAKUL/AI6AAAgBUEBaiEFDAELCwUDQCACIAVLBEAgBUECdCIDIAFqIAAgA2oqAgC7IASiIgYgBmIEfEQAAAAAAAAAAAUgBiAGnSIGoSIHRAAAAAAAAOA/ZgR8IAZEAAAAAAAA8D+gBSAGRAAAAAAAAPC/oCAGIAdEAAAAAAAA4L9lGwtEAADg////70GkRAAAAAAAAAAApQv8AzYCACAFQQFqIQUMAQsLCwsLCwUDQCACIAVLBEAgBUECdCIDIAFqIAAgA2oqAgC7IASitjgCACAFQQFqIQUMAQsLCws=";
var relaxed = "AGFzbQEAAAABfg5gBH9/f38AYAV/f39/fwBgBn9/f39/fwBgBX9/f398AGADf39/AGAJf39/f39/f39/AGAIf39/f39/f38AYAd/f39/f39/AGACf38Bf2AEf39/fwF/YAt/f39/f39/f39/fwBgBX9/f39/AX9gBn9/f397ewBgBX9/f3t7AAIgAgNlbnYGbWVtb3J5AgMBgIAEA2VudgV0YWJsZQFwAAEDNjUCBwUCCQQCBQECAAAHCAgGCgsCAAUCAAAABAQCBgYBAQEBAQEBDAANBAABAQAAAAMDAwMDAwdlCARyb3dzAAIMbXVsdGlwbHlSb3dzAB0HY29sdW1ucwAHDWNvbHVtbnNUb1Jvd3MAFAtjb252ZXJ0VGFzawAuDG11bHRpcGx5VGFzawAtCHR1cm5UYXNrACwJbGluZXNUYXNrABcKgOUCNfQBAQd/IAAoAgQiBkEBRgRAIAAgASACKAIAIAMoAgAgBCgCACAFEAYFIAZBBEYEQCAAIAEgAiADIAQgBRAbBSACKAIAIQYgAygCACAEKAIAIQogACgCACEEIAAoAgghCyAAKAIMIQIgACgCGCEMIAAoAhwhAyABQQBHIQcgBSAAKAIUaiIIIAFBAkYEfyAIIAYgCiAEQQBBABADIAgFIAYLIAsgBCAHQQAQAyAIIARBA3RqQQAgAyAEa0EDdPwLACAMQQAgCCAIQQAgBRAGIAxBAiAIIAggAiAFEAYgCCAHBH8gACgCEAUgCwsgBEEAIAcQAwsLC5EEAgV/AnsgBkEERgRAA0AgBCAHSwRAQQAhBgNAIAUgBksEQCACIAMgBmxqIAdBAnRqIAAgASAHbGogBkECdGooAgA2AgAgBkEBaiEGDAELCyAHQQFqIQcMAQsLDwsgBkECRgRAA0AgBCAHSwRAQQAhBgNAIAUgBksEQCACIAMgBmxqIAdBAXRqIAAgASAHbGogBkEBdGovAQA7AQAgBkEBaiEGDAELCyAHQQFqIQcMAQsLDwsgBkEBRgRAA0AgBCAHSwRAQQAhBgNAIAUgBksEQCACIAMgBmxqIAdqIAAgASAHbGogBmotAAA6AAAgBkEBaiEGDAELCyAHQQFqIQcMAQsLDwsDQCAIQQJqIARNBEAgACABIAhsaiEKIAIgCEEDdGohCUEAIQYDQCAGQQJqIgcgBU0EQCAJIAZBA3QiBiAKav0ABAAiDCABIApqIAZq/QAEACIN/Q0AAQIDBAUGBxAREhMUFRYX/QsEACADIAlqIAwgDf0NCAkKCwwNDg8YGRobHB0eH/0LBAAgCSADQQF0aiEJIAchBgwBCwsgBSAGSwRAIAkgBkEDdCIGIApqKQMANwMAIAkgASAKaiAGaikDADcDCAsgCEECaiEIDAELCyAEIAhLBEADQCAFIAtLBEAgAiADIAtsaiAIQQN0aiAAIAEgCGxqIAtBA3RqKQMANwMAIAtBAWohCwwBCwsLC7cFARd/IAAoAgAhDSAAKAJEIQ9BBEEBIAAoAgQiCygCBEEERhshESAAKAIQIRAgACgCFCEWIAAoAhghGCAIIAAoAiRqIRkgACgCKCEaIAAoAhwiFyAAKAIgRiEVIAhBEGohEiAIQSBqIQwgCEEwaiEOA0AgBSATSwRAQQAhFEEAIQoDQCAKIBFJBEAgFCABIAogE2oiCSAFQQFrIhQgCSAUSRsiGyACbGoiHCAQEA4iHSAKQQF0dHIhFCAZIAogGmxqIR4gHUEARyIJRQRAIBAgFkkhCQsgCQRAIB0gHiAcIBAQCyAeIBBBAnRqQQAgFiAQa0ECdPwLAAsgCkECdCIdIAhqIB4gHCAJGzYCACASIB1qIB42AgAgDCAdaiADIAQgG2xqIB4gFRs2AgAgDiAdaiAGIAcgG2xqNgIAIApBAWohCgwBCwsgDUECSQRAIAsgDSAIIAwgDiAIEAAFIA1BA0YEQCALQQIgCCAMIA4gCBAABSANQQJGIA9BAEdxBEAgDCgCACEKIA4oAgAhGyAIIAsoAhhqIRwgCCALKAIUaiEdIAgoAgAhHiALKAIoIQkgCygCLCEfIAsoAiBBBEYEQCAeIB0gCSAfEBYLIBwgHWogC0EBIB0gHBAEIglrIRwgCSAcIA8oAiggDygCLCAbECsgD0EBIA9BASAcIAkQBCAKEBMFIA1BAkYEQCALQQAgCCASIA4gCBAAIAtBAiASIAwgDiAIEAAFIAAgDUEERiALIBEgCCASIAwgCBAcCwsLCyAURSAVcUUEQEEAIQkDQCAJIBFJIAkgE2oiCiAFSXEEQCADIAQgCmxqIQogFUUEQCAKIAwgCUECdGooAgAgGEECdGogF0ECdPwKAAALIBQgCUEBdHZBA3EgCiAXEAUgCUEBaiEJDAELCwsgESATaiETDAELCwvBBQICewF/IAAgA0F+cUEDdGohCCAEIAVyBEAgBARAA0AgACAISQRAIAAgAf0ABAAiBiAG/Q0EBQYHAAECAwwNDg8ICQoLIgYgAv0ABAAiByAH/Q0AAQIDAAECAwgJCgsICQoL/eYBIAYgBv0NBAUGBwABAgMMDQ4PCAkKCyAHIAf9DQQFBgcEBQYHDA0ODwwNDg/95gH9DAAAAIAAAAAAAAAAgAAAAAD9Uf3kAf0LBAAgAEEQaiEAIAFBEGohASACQRBqIQIMAQsLBQNAIAAgCEkEQCAAIAH9AAQAIgYgAv0ABAAiByAH/Q0AAQIDAAECAwgJCgsICQoL/eYBIAYgBv0NBAUGBwABAgMMDQ4PCAkKCyAHIAf9DQQFBgcEBQYHDA0ODwwNDg/95gH9DAAAAIAAAAAAAAAAgAAAAAD9Uf3kASIGIAb9DQQFBgcAAQIDDA0ODwgJCgv9CwQAIABBEGohACABQRBqIQEgAkEQaiECDAELCwsFA0AgACAISQRAIAAgAf0ABAAiBiAC/QAEACIHIAf9DQABAgMAAQIDCAkKCwgJCgv95gEgBiAG/Q0EBQYHAAECAwwNDg8ICQoLIAcgB/0NBAUGBwQFBgcMDQ4PDA0OD/3mAf0MAAAAgAAAAAAAAACAAAAAAP1R/eQB/QsEACAAQRBqIQAgAUEQaiEBIAJBEGohAgwBCwsLIANBAXFFBEAPCyAAIAH9XQMAIgYgBv0NBAUGBwABAgMMDQ4PCAkKCyAGIAQbIgYgAv1dAwAiByAH/Q0AAQIDAAECAwgJCgsICQoL/eYBIAYgBv0NBAUGBwABAgMMDQ4PCAkKCyAHIAf9DQQFBgcEBQYHDA0ODwwNDg/95gH9DAAAAIAAAAAAAAAAgAAAAAD9Uf3kASIGIAb9DQQFBgcAAQIDDA0ODwgJCgsgBiAFG/1bAwAAC1cBAn8gACgCCCEFIABBIGogAUEEdGohBANAIAEgBUkEQCAEKAIAIAIgAyAEKAIEIAQoAgggBCgCDBAVIAIgAyECIQMgBEEQaiEEIAFBAWohAQwBCwsgAgv9AwIBfwN7IABBAUYEQEEAIQADQCAAQQRqIgMgAk0EQCABIABBAnRqIgD9AAQAIgT9DP///3////9/////f////3/9TiIF/QwAAIAgAACAIAAAgCAAAIAg/UYhBiAAIAQgBv1O/QwAAIAfAACAHwAAgB8AAIAf/eYBIAUgBv1P/QwAAABqAAAAagAAAGoAAABq/eYB/Wr9+AEgBv1SIAT9DAAAAIAAAACAAAAAgAAAAID9Tv1QIAQgBCAE/UH9Uv0LBAAgAyEADAELCwNAIAAgAkkEQCABIABBAnRqIgMqAgD9EyIE/Qz///9/////f////3////9//U4iBf0MAACAIAAAgCAAAIAgAACAIP1GIQYgAyAEIAb9Tv0MAACAHwAAgB8AAIAfAACAH/3mASAFIAb9T/0MAAAAagAAAGoAAABqAAAAav3mAf1q/fgBIAb9UiAE/QwAAACAAAAAgAAAAIAAAACA/U79UCAEIAQgBP1B/VL9HwA4AgAgAEEBaiEADAELCwUgAEEDRgRAQQAhAANAIABBBGoiAyACTQRAIAEgAEECdGoiACAA/QAEAP0MAACAbwAAgG8AAIBvAACAb/3mAf0LBAAgAyEADAELCwNAIAAgAkkEQCABIABBAnRqIgMgAyoCAEMAAIBvlDgCACAAQQFqIQAMAQsLCwsLiQEBBH8gBSAAKAIUaiEGIAUgACgCGGohByAAKAIgIQggACgCKCEJIAAoAiwhBSABBEAgAUEBRgRAIAhBBEYEQCACIAYgCSAFECkLBSAIQQRGBEAgAiAGIAkgBSAEECoLCwUgCEEERgRAIAIgBiAJIAUQFgsLIAAgAUEARyAAQQEgBiAHEAQgAxATC94BAQx/IAggACgCNGohCyAAKAI4IQkgACgCPCEMIAggACgCQGohDSAAKAIIIRAgACgCEEECdCAAKAIsIg5uIREgACgCHEECdCAAKAIwIg9uIRIDQCAFIApLBEAgASAKIA5saiACIAsgCSARIAwgBSAKayITIAwgE0kbIhMgDhABIAcEQCAGIApBA3RqIAcgDSAJIBAgE0EIEAELIAAgCyAJIAsgCSATIA0gBiAHQQBHIhQbIAlBACAUGyAIEAIgCyAJIAMgCiAPbGogBCASIBMgDxAMIAogDGohCgwBCwsL9wEDA3sEfQF/IAH9CgMAIQUDQCAMQQJqIANNBEAgAiAA/QAEACIHIAQEeyAB/QAEAAUgBQsiBiAG/Q0AAQIDAAECAwgJCgsICQoL/eYBIAcgB/0NBAUGBwABAgMMDQ4PCAkKCyAGIAb9DQQFBgcEBQYHDA0ODwwNDg/9DAAAgL8AAIA/AACAvwAAgD/95gH95gH95AH9CwQAIAxBAmohDCAAQRBqIQAgAkEQaiECIAEgBEEBdGohAQwBCwsgAyAMSwRAIAIgACoCACILIAEqAgAiCpQgACoCBCIJIAEqAgQiCJSTOAIAIAIgCyAIlCAJIAqUkjgCBAsL2gMBFX8gACgCDCEMIAAoAhAhDSAAKAIUIQYgACgCICEOIAAoAiQhByAAKAJkIgogACgCVCIIIAAoAkQiCXJyRQRAIAwgDSABIAZsaiAGIAMgBCACIAFrIA4gASAHbGogByAFEAIPCyAAKAJIIRggACgCWCEZIAAoAmghGiAFIAAoAkxqIQ8gACgCUCEQIAUgACgCXGohESAAKAJgIRIgBSAAKAJsaiETIAAoAnAhFCAAKAJ0IRUgACgCeCEWIAwoAgghFwNAIAEgAkkEQEEEIAIgAWsiACAAQQRLGyELIAkEQEEAIQADQCAAIAtJBEAgGCAAIAFqIBVsIBUgDyAAIBBsaiAJEQAAIABBAWohAAwBCwsLIAgEQEEAIQADQCAAIAtJBEAgGSAAIAFqIBdsIBcgESAAIBJsaiAIEQAAIABBAWohAAwBCwsLIAwgDyANIAEgBmxqIAkbIBAgBiAJGyATIAMgChsgFCAEIAobIAsgESAOIAEgB2xqIAgbIBIgByAIGyAFEAIgCgRAQQAhAANAIAAgC0kEQCAaIAAgAWogFmwgFiATIAAgFGxqIAMgACAEbGogChEBACAAQQFqIQAMAQsLCyABQQRqIQEgAyAEQQJ0aiEDDAELCwuCBQIDewN/QQEhBwNAIAdBAXRBAmogAkkEQCAHQQN0IgggAGr9AAQA/QwAAAA/AAAAPwAAAD8AAAA//eYBIgQgAiAHa0EBa0EDdCIJIABq/QAEAP0MAAAAPwAAAD8AAAA/AAAAP/3mASIFIAX9DQgJCgsMDQ4PAAECAwQFBgf9DAAAAAAAAACAAAAAAAAAAID9USIF/eQBIgYgBCAF/eUBIgQgAyAIav0ABAAiBSAF/Q0AAQIDAAECAwgJCgsICQoL/eYBIAQgBP0NBAUGBwABAgMMDQ4PCAkKCyAFIAX9DQQFBgcEBQYHDA0ODwwNDg/95gH9DAAAAIAAAAAAAAAAgAAAAAD9Uf3kASIE/eUB/QwAAAAAAAAAgAAAAAAAAACA/VEhBSABIAhqIAYgBP3kAf0LBAAgASAJaiAFIAX9DQgJCgsMDQ4PAAECAwQFBgf9CwQAIAdBAmohBwwBCwsDQCAHQQF0IAJNBEAgB0EDdCIIIABq/V0DAP0MAAAAPwAAAD8AAAA/AAAAP/3mASIEIAIgB2tBA3QiCSAAav1dAwD9DAAAAD8AAAA/AAAAPwAAAD/95gH9DAAAAAAAAACAAAAAAAAAAID9USIF/eQBIQYgASAJaiAGIAQgBf3lASIEIAMgCGr9XQMAIgUgBf0NAAECAwABAgMICQoLCAkKC/3mASAEIAT9DQQFBgcAAQIDDA0ODwgJCgsgBSAF/Q0EBQYHBAUGBwwNDg8MDQ4P/eYB/QwAAACAAAAAAAAAAIAAAAAA/VH95AEiBP3lAf0MAAAAAAAAAIAAAAAAAAAAgP1R/VsDAAAgASAIaiAGIAT95AH9WwMAACAHQQFqIQcMAQsLC6oDAgN7A38gAEUEQCABIAIgA0ECdPwKAAAPCwNAIAMgB0sEQCAHQQRqIANNBHsgAiAHQQJ0av0ABAAF/QwAAAAAAAAAAAAAAAAAAAAAIAIgB0ECdGoiCCoCAP0gACEEIAMgB2siCUEBSwRAIAQgCCoCBP0gASEECyAJQQJLBHsgBCAIKgII/SACBSAECwshBSABIAdBAnRqIABBAUYEeyAFIAX9DP///3////9/////f////3/9TiIE/QwAAIAAAACAAAAAgAAAAIAA/UAiBv1O/QwAAIBfAACAXwAAgF8AAIBf/eYBIAQgBv1P/foB/QwAAAAVAAAAFQAAABUAAAAV/eYBIAb9UiAF/QwAAACAAAAAgAAAAIAAAACA/U79UAUgAEEDRgR7IAUgBf0M////f////3////9/////f/1O/QwAAIAwAACAMAAAgDAAAIAw/UD9Tv0MAACADwAAgA8AAIAPAACAD/3mAQUgBSAF/Qz///9/////f////3////9//U79DAAAgAAAAIAAAACAAAAAgAD9QP1OCwv9CwQAIAdBBGohBwwBCwsLkQQCBX8CeyAGQQRGBEADQCAEIAdLBEBBACEGA0AgBSAGSwRAIAIgAyAHbGogBkECdGogACABIAZsaiAHQQJ0aigCADYCACAGQQFqIQYMAQsLIAdBAWohBwwBCwsPCyAGQQJGBEADQCAEIAdLBEBBACEGA0AgBSAGSwRAIAIgAyAHbGogBkEBdGogACABIAZsaiAHQQF0ai8BADsBACAGQQFqIQYMAQsLIAdBAWohBwwBCwsPCyAGQQFGBEADQCAEIAdLBEBBACEGA0AgBSAGSwRAIAIgAyAHbGogBmogACABIAZsaiAHai0AADoAACAGQQFqIQYMAQsLIAdBAWohBwwBCwsPCwNAIAhBAmogBE0EQCAAIAhBA3RqIQkgAiADIAhsaiEKQQAhBgNAIAZBAmoiByAFTQRAIAZBA3QiBiAKaiAJ/QAEACIMIAEgCWr9AAQAIg39DQABAgMEBQYHEBESExQVFhf9CwQAIAMgCmogBmogDCAN/Q0ICQoLDA0ODxgZGhscHR4f/QsEACAJIAFBAXRqIQkgByEGDAELCyAFIAZLBEAgBkEDdCIGIApqIAkpAwA3AwAgAyAKaiAGaiAJKQMINwMACyAIQQJqIQgMAQsLIAQgCEsEQANAIAUgC0sEQCACIAMgCGxqIAtBA3RqIAAgASALbGogCEEDdGopAwA3AwAgC0EBaiELDAELCwsLugICAn8CewNAIAJBBGogAU0EQCAEIAAgAkECdGr9AAQA/Qz///9/////f////3////9//U4iBf25ASEEIAMEf0EBBSAF/QwBAAAAAQAAAAEAAAABAAAA/bEB/Qz//38A//9/AP//fwD//38A/Tr9UwshAyACQQRqIQIMAQsLA0AgASACSwRAIAQgACACQQJ0aigCAP0R/Qz///9/////f////3////9//U4iBf25ASEEIAMEf0EBBSAF/QwBAAAAAQAAAAEAAAABAAAA/bEB/Qz//38A//9/AP//fwD//38A/Tr9UwshAyACQQFqIQIMAQsLIAT9DAAAgG8AAIBvAACAbwAAgG/9QP1TBEBBAw8LIAT9DAAAgB8AAIAfAACAHwAAgB/9QP1TBEBBAkEAIAMbDwsgBP1TQQBHC/sBAgN/A3sgAUEESQRAIAAgARANDwtBEEGAAiABQcAATRshAyAAIAFBAnRqQRBrIQT9DP////////////////////8hBSAAIQIDQCACIARNBEAgBiAC/QAEAP0M////f////3////9/////f/1OIgf9uQEhBiAFIAf9DAEAAAABAAAAAQAAAAEAAAD9sQH9twEhBSACIANqIQIMAQsLIAb9DAAAgG8AAIBvAACAbwAAgG/9QP1TBEBBAw8LIAX9DP//fwD//38A//9/AP//fwD9Ov1TQQEgBv0MAACAHwAAgB8AAIAfAACAH/1A/VMbRQRAQQAPCyAAIAEQDQvkAgIHfwJ7QRAgB2shDCAGQXxxIgggBUEDakF8cSIKIAggCksbIQkDQCAEIAtLBEAgCkEDdCEIA0AgCCAJQQN0SQRAIAIgCGoiDSAAIAhqIg4gB2r9AAQAIg8gDCAOav0ABAAiEP0NAAECAxAREhMEBQYHFBUWF/0LBAAgDSAPIBD9DQgJCgsYGRobDA0ODxwdHh/9CwQQIAhBIGohCAwBCwsgBSEIA0AgCCAKIAYgBiAKSxtJBEAgAiAIQQN0aiINIAAgCEECdkEFdGogCEEDcUECdGoiDiAHaioCADgCACANIA5BEGogB2sqAgA4AgQgCEEBaiEIDAELCyAJIQgDQCAGIAhLBEAgAiAIQQN0aiINIAAgCEECdkEFdGogCEEDcUECdGoiDiAHaioCADgCACANIA5BEGogB2sqAgA4AgQgCEEBaiEIDAELCyALQQFqIQsgACABaiEAIAIgA2ohAgwBCwsL5AUCE38LeyAEQQRqIAVNIAQgBk9yBEAPC0EQIAhrIQsgACgCRCENIAAoAkghDyAAKAJgQQBHIQ4gACgCNCEQIAogACgCVGohFwNAIAwgD0kEQCAMQQFqIA9GIQAgByAQIAwgDWwiFWxBEEEIIA4bbGoCfyAORQRAIA0gFWoiACADIAAgA0kbDAELIANBAXZBAWogDSAVaiAAGwsgFWtBA2pBAnYiCkHAAEEgIA4bbCIYIARsaiIAIBcgBCAFTxshESAAIBhqIBcgBEEBaiISIAVPIAYgEktxGyEZIAAgGEEBdGogFyAEQQJqIhIgBU8gBiASS3EbIRogACAYQQNsaiAXIARBA2ogBkkbIRIgA0EBaiAVayAKQQJ0ayETQQAhAANAIAAgGEEDdkkEQCARIABBAnZBBXQgAEECcUECdGoiG2oiFCAIaiABIAAgFWogACATaiAKQQJ0IhZrIAAgFkkbIhwgAmxqIAEgAyAcSxsiHSAIav0ABAAiISAJIBxBBXRqIhb9AAQAIiL95gEgCyAdav0ABAAiIyAW/QAEECIl/eYB/eUBIiQgASAcQQFqIhwgAmxqIAEgAyAcSxsiHCAIav0ABAAiJiAW/QAEICIn/eYBIAsgHGr9AAQAIh4gFv0ABDAiH/3mAf3lASIo/Q0AAQIDEBESEwQFBgcUFRYXIiD9WwMAACAZIBtqIhYgCGogIP1bAwABIBogG2oiHCAIaiAkICj9DQgJCgsYGRobDA0ODxwdHh8iIP1bAwAAIBIgG2oiGyAIaiAg/VsDAAEgCyAUaiAhICX95gEgIyAi/eYB/eQBIiAgJiAf/eYBIB4gJ/3mAf3kASIe/Q0AAQIDEBESEwQFBgcUFRYXIh/9WwMAACALIBZqIB/9WwMAASALIBxqICAgHv0NCAkKCxgZGhsMDQ4PHB0eHyIe/VsDAAAgCyAbaiAe/VsDAAEgAEECaiEADAELCyAMQQFqIQwMAQsLC10BA38gACgCBCIHKAIIIQADQCAAIAVLBEAgB0EgaiAFQQR0aiIGKAIAIAEgAiAGKAIEQQV2IARsIAYoAgggBigCDBAVIAIhASADIQIgASEDIAVBAWohBQwBCwsgAQumBAIKewd/IANBAXQhFEEQIAVrIRUDQCADIBJLBEAgASASaiIQ/QAEACIHIBD9AAQQIgj9DQABAgMICQoLEBESExgZGhshBiAHIAj9DQQFBgcMDQ4PFBUWFxwdHh8hByACIBJqIRAgAiAEIBRsakEgayASayERQQAhEwNAIAQgE0sEQCAQ/QAEAP0MAAAAPwAAAD8AAAA/AAAAP/3mASIIIBH9AAQA/QwAAAA/AAAAPwAAAD8AAAA//eYBIgkgCf0NDA0ODwgJCgsEBQYHAAECAyIJ/eQBIQogEP0ABBD9DAAAAD8AAAA/AAAAPwAAAD/95gEiCyAR/QAEEP0MAAAAPwAAAD8AAAA/AAAAP/3mASIMIAz9DQwNDg8ICQoLBAUGBwABAgMiDP3lASENIAggCf3lASIIIAAgE0EDdGoiFv0JAgAiCSAG/eYBIBb9CQIEIg4gB/3mAf3lASIP/eYBIAsgDP3kASILIAkgB/3mASAOIAb95gH95AEiCf3mAf3lASEMIAggCf3mASALIA/95gH95AEiCCAN/eUBIQkgBSAQaiAKIAz95AH9CwQAIBAgFWogDSAI/eQB/QsEACAFIBFqIAogDP3lASIIIAj9DQwNDg8ICQoLBAUGBwABAgP9CwQAIBEgFWogCSAJ/Q0MDQ4PCAkKCwQFBgcAAQID/QsEACATQQFqIRMgECAUaiEQIBEgFGshEQwBCwsgEkEgaiESDAELCwuJBgIPewZ/IAAoAgAhEyAA/QkCECEFIAD9CQIcIQQgACgCDCIUBEAgFEEERkEAIAEbBH8gACoCHEMAAAAAWwVBAAsEQCATQQN0IBRuIQAgFEEERgRAIAAgAmohFQNAIAIgFUkEQCAAIAJqIgEgAGoiEyAAaiEWIAAgA2oiFCAAaiIXIABqIRggAyAC/QAEECILIBP9AAQQIgz95AEiBiAB/QAEECIHIBb9AAQQIgj95AEiDf3kASAF/eYBIgkgAv0ABAAiCiAT/QAEACIO/eQBIg8gAf0ABAAiECAW/QAEACIR/eQBIgT95AEgBf3mASIS/Q0AAQIDEBESEwQFBgcUFRYX/QsEACADIAkgEv0NCAkKCxgZGhsMDQ4PHB0eH/0LBBAgFCALIAz95QEiCSAQIBH95QEiC/3lASAF/eYBIgwgCiAO/eUBIgogByAI/eUBIgf95AEgBf3mASII/Q0AAQIDEBESEwQFBgcUFRYX/QsEACAUIAwgCP0NCAkKCxgZGhsMDQ4PHB0eH/0LBBAgFyAGIA395QEgBf3mASIGIA8gBP3lASAF/eYBIgT9DQABAgMQERITBAUGBxQVFhf9CwQAIBcgBiAE/Q0ICQoLGBkaGwwNDg8cHR4f/QsEECAYIAkgC/3kASAF/eYBIgQgCiAH/eUBIAX95gEiBv0NAAECAxAREhMEBQYHFBUWF/0LBAAgGCAEIAb9DQgJCgsYGRobDA0ODxwdHh/9CwQQIAJBIGohAiADQSBqIQMMAQsLCwUgAQRAIBQgAiADIBNBA3QgFG4gBSAEECUFIBQgAiADIBNBA3QgFG4QJgsLBUEQQQAgARshACATs/0TIQQgAiATQQN0aiETA0AgAiATSQRAIAMgACACav0ABAAiBSAE/ecBIAUgARsiBSACQRAgAGtq/QAEACIGIAT95wEgBiABGyIG/Q0AAQIDEBESEwQFBgcUFRYX/QsEACADIAUgBv0NCAkKCxgZGhsMDQ4PHB0eH/0LBBAgAkEgaiECIANBIGohAwwBCwsLC7MBAQl/IAggACgCNGohDCAAKAI4IQogACgCPCELIAggACgCQGohDSAAKAIIIQ4gACgCEEEBdiEPA0AgBSAJSwRAIAlBA3QiECABaiACIAwgCiAPIAsgBSAJayIRIAsgEUkbIhFBCBABIAcEQCAGIBBqIAcgDSAKIA4gEUEIEAELIAAgDCAKIAMgBCAJbGogBCARIA0gBiAHQQBHIhAbIApBACAQGyAIEAIgCSALaiEJDAELCwufDAIMewh/AkACQAJAAkACQAJAAkACQAJAAkACQCAAQQJrDgwAAQIDBAUGBwoICgkKCyADIARsIQADQCAEIBJLBEAgASADaiETA0AgASATSQRAIAH9AAQAIgYgACABaiIU/QAEACIH/eUBIQggAf0ABBAiCSAU/QAEECIK/eUBIQsgAiAGIAf95AH9CwQAIAIgCSAK/eQB/QsEECACIANqIhQgCyAF/QkCBCIGIAggBf0JAgAiB/3mAf2GAv0LBAAgFCALIAcgCCAG/eYB/YUC/QsEECABQSBqIQEgAkEgaiECDAELCyAFQQhqIQUgAiADaiECIBJBAWohEgwBCwsMCQsgAyAEbCEAA0AgBCASSwRAIAEgA2ohEwNAIAEgE0kEQCAAIAAgAWoiFGohFSACIANqIhYgA2ohFyAU/QAEECIGIBX9AAQQIgf95AEiCP0MAAAAvwAAAL8AAAC/AAAAvyAB/QAEECIJ/YUCIQogFP0ABAAiCyAV/QAEACIM/eQBIg39DAAAAL8AAAC/AAAAvwAAAL8gAf0ABAAiDv2FAiIPIAYgB/3lAf0M17NdP9ezXT/Xs10/17NdP/3mASIG/eQBIQcgAiAOIA395AH9CwQAIAIgCSAI/eQB/QsEECAWIAogCyAM/eUB/QzXs10/17NdP9ezXT/Xs10//eYBIgj95QEiCSAF/QkCBCILIAcgBf0JAgAiDP3mAf2GAv0LBAAgFiAJIAwgByAL/eYB/YUC/QsEECAXIAogCP3kASIHIAX9CQIMIgggDyAG/eUBIgYgBf0JAggiCf3mAf2GAv0LBAAgFyAHIAkgBiAI/eYB/YUC/QsEECABQSBqIQEgAkEgaiECDAELCyAFQRBqIQUgAiADQQF0aiECIBJBAWohEgwBCwsMCAsgBEEBRgRAIAMgBGwhAANAIAQgEksEQCABIANqIRMDQCABIBNJBEAgACABaiIUIABqIhUgAGohFiACIANqIhcgA2oiGCADaiEZIAH9AAQQIgYgFf0ABBAiB/3kASEIIBT9AAQQIgkgFv0ABBAiCv3kASELIAIgAf0ABAAiDCAV/QAEACIN/eQBIg4gFP0ABAAiDyAW/QAEACIQ/eQBIhH95AH9CwQAIAIgCCAL/eQB/QsEECAXIAwgDf3lASIMIAkgCv3lASIJ/eQB/QsEACAXIAYgB/3lASIGIA8gEP3lASIH/eUB/QsEECAYIA4gEf3lAf0LBAAgGCAIIAv95QH9CwQQIBkgDCAJ/eUB/QsEACAZIAYgB/3kAf0LBBAgAUEgaiEBIAJBIGohAgwBCwsgBUEYaiEFIAIgA0EDbGohAiASQQFqIRIMAQsLBUEAIQAgAyAEbCESA0AgACAESQRAIAEgA2ohEwNAIAEgE0kEQCABIBJqIhQgEmoiFSASaiEWIAIgA2oiFyADaiIYIANqIRkgAf0ABBAiBiAV/QAEECIH/eQBIQggFP0ABBAiCSAW/QAEECIK/eQBIQsgAiAB/QAEACIMIBX9AAQAIg395AEiDiAU/QAEACIPIBb9AAQAIhD95AEiEf3kAf0LBAAgAiAIIAv95AH9CwQQIBcgBiAH/eUBIgYgDyAQ/eUBIgf95QEiDyAF/QkCBCIQIAwgDf3lASIMIAkgCv3lASIJ/eQBIgogBf0JAgAiDf3mAf2GAv0LBAAgFyAPIA0gCiAQ/eYB/YUC/QsEECAYIAggC/3lASIIIAX9CQIMIgogDiAR/eUBIgsgBf0JAggiDf3mAf2GAv0LBAAgGCAIIA0gCyAK/eYB/YUC/QsEECAZIAYgB/3kASIGIAX9CQIUIgcgDCAJ/eUBIgggBf0JAhAiCf3mAf2GAv0LBAAgGSAGIAkgCCAH/eYB/YUC/QsEECABQSBqIQEgAkEgaiECDAELCyAFQRhqIQUgAiADQQNsaiECIABBAWohAAwBCwsLDAcLIAEgAiADIAQgBRAiDAYLIAEgAiADIAQgBRAhDAULIAEgAiADIAQgBRAgDAQLIAEgAiADIAQgBRAfDAMLIAEgAiADIAQgBRAeDAILIAEgAiADIAQgBRAkDAELIAEgAiADIAQgBRAjCwvDBwIUewZ/IAJBA3QhGSACQQRrIRoDQCACIBhLBEAgACAYIBogGCAaSRsiG0EDdGoiHP0ABAAiBCAc/QAEECIF/Q0AAQIDCAkKCxAREhMYGRobIQYgGSAcaiId/QAEACIHIB39AAQQIgj9DQABAgMICQoLEBESExgZGhshCSAcIBlBAXRqIh39AAQAIgogHf0ABBAiC/0NAAECAwgJCgsQERITGBkaGyEMIBwgGUEDbGoiHP0ABAAiDSAc/QAEECIO/Q0AAQIDCAkKCxAREhMYGRobIQ8gBCAF/Q0EBQYHDA0ODxQVFhccHR4fIgUgCiAL/Q0EBQYHDA0ODxQVFhccHR4fIgr95AEhCyAHIAj9DQQFBgcMDQ4PFBUWFxwdHh8iByANIA79DQQFBgcMDQ4PFBUWFxwdHh8iCP3kASENIAEgG0EFdGoiGyAGIAz95AEiDiAJIA/95AEiEP3kASIEIAUgCv3lASIKIAkgD/3lASIJ/eUBIg8gA/0ABBAiBSAGIAz95QEiDCAHIAj95QEiEf3kASIGIAP9AAQAIgf95gH9hgIiCP0NAAECAxAREhMEBQYHFBUWFyISIAsgDf3lASITIAP9AAQwIhQgDiAQ/eUBIg4gA/0ABCAiEP3mAf2GAiIVIAogCf3kASIWIAP9AARQIgkgDCAR/eUBIgwgA/0ABEAiCv3mAf2GAiIR/Q0AAQIDEBESEwQFBgcUFRYXIhf9DQABAgMEBQYHEBESExQVFhf9CwQAIBsgEiAX/Q0ICQoLDA0ODxgZGhscHR4f/QsEICAbIAQgCP0NCAkKCxgZGhsMDQ4PHB0eHyIEIBUgEf0NCAkKCxgZGhsMDQ4PHB0eHyII/Q0AAQIDBAUGBxAREhMUFRYX/QsEQCAbIAQgCP0NCAkKCwwNDg8YGRobHB0eH/0LBGAgGyALIA395AEiBCAPIAcgBiAF/eYB/YUCIgX9DQABAgMQERITBAUGBxQVFhciBiATIBAgDiAU/eYB/YUCIgcgFiAKIAwgCf3mAf2FAiII/Q0AAQIDEBESEwQFBgcUFRYXIgn9DQABAgMEBQYHEBESExQVFhf9CwQQIBsgBiAJ/Q0ICQoLDA0ODxgZGhscHR4f/QsEMCAbIAQgBf0NCAkKCxgZGhsMDQ4PHB0eHyIEIAcgCP0NCAkKCxgZGhsMDQ4PHB0eHyIF/Q0AAQIDBAUGBxAREhMUFRYX/QsEUCAbIAQgBf0NCAkKCwwNDg8YGRobHB0eH/0LBHAgA0HgAGohAyAYQQRqIRgMAQsLC7oCAQZ/IAAoAgQgAyAAKAIIbGohBCAAKAIAIgNBBUYgA0EERnIEQANAIAEgAkkEQCADQQVGBEAgACABIAQQGQUgACABIAQQGgsgAUEBaiEBDAELCw8LIAMEQCADQQJGBEADQCABIAJJBEAgACgCGCABIAAoAjwiA24iBiAAKAIsbGogACgCOCIHIAEgA3BsIgggACgCgAEiCWxqIQMgACAAKAI0IgUgBmwgCGoiBiAHIAUgCGsiBSAFIAdLGyIFIAZqIAQgACgChAFqIgYgACgCiAEiByAEEAkgBiAHIAMgACgCHCAAKAJ4IAUgCRAMIAFBAWohAQwBCwsFA0AgASACSQRAIAAgASADQQNGIAQQGCABQQFqIQEMAQsLCwUgACABIAIgACgCGCAAKAIcIgAgAWxqIAAgBBAJCwuaBgEYfyAAKAIMIRMgASAAKAI8IgRuIQ4gACgCNCIUIAAoAjgiBSABIARwbCIPayEBIAUgASABIAVLGyEBIAAoAhAgDiAAKAIobGogDyAAKAJ8bGohCiAAKAIUIQsgACgCGCAOIAAoAixsaiAPIAAoAhwiBSAAKAKAASIVIAIbbGohBiAAKAIgIQQgACgCJCIJBH8gDiAAKAIwbCAPQQN0agVBAAsgBGohESAAKAJUIRggACgCZCEWIAAoAkAhECAAKAJEIhcEQCAAKAJIIRkgACgCdCEaIAMgACgCTGohCiABQQN0IQsDQCAHIBpJBEAgDiAabCAHaiAUbCAPaiEIIAEhBCAKIAcgC2xqIQwDQCAEBEAgGSAIIAQgECAIIBBwayIbIAQgG0kbIhsgDCAXEQAAIAggG2ohCCAEIBtrIQQgDCAbQQN0aiEMDAELCyAHQQFqIQcMAQsLCyAYBEAgACgCWCEMIBMoAgghFyADIAAoAlxqIREgAUEDdCEJA0AgDSAXSQRAIA4gF2wgDWogFGwgD2ohByABIQQgESAJIA1saiEIA0AgBARAIAwgByAEIBAgByAQcGsiGSAEIBlJGyIZIAggGBEAACAHIBlqIQcgBCAZayEEIAggGUEDdGohCAwBCwsgDUEBaiENDAELCwsgFkUEQCACBEAgEyAKIAsgBiAFIAEgESAJIAMQFAUgEyAKIAsgBiAFIAEgESAJIAMQBwsPCyAAKAJoIQggACgCeCEMIAMgACgCbGohDSABQQN0IRcgAgR/IAMgACgChAFqBSAGCyEEIAIEfyAAKAKIAQUgBQshByATIAogCyANIBcgASARIAkgAxAHA0AgDCASSwRAIAwgDmwgEmogFGwgD2ohCSABIQAgDSASIBdsaiEKIAQgByASbGohCwNAIAAEQCAIIAkgACAQIAkgEHBrIgMgACADSRsiAyAKIAsgFhEBACADIAlqIQkgACADayEAIAogA0EDdGohCiALIAMgFWxqIQsMAQsLIBJBAWohEgwBCwsgAgRAIAQgByAGIAUgDCABIBUQAQsLgQgCFX8DeyABIAAoAkgiBW4hDiAAKAJEIgggASAFcCIBbCEEIAFBAWogBUYhASAAKAJAIgVBAWoiCyAEawJ/IAAoAmAiD0EARyIGRQRAIAQgCGoiASAFIAEgBUkbDAELIAVBAXZBAWogBCAIaiABGwsiECAEa0EDakECdiIBQQJ0ayEIIAAoAhggDiAAKAIcbGohCSABQQV0IgpBAXQgCiAGGyEUIAAoAiQgDiAAKAIobGogACgCICIMKAIIIhEgBGxBEEEIIAYbbGohDUEQQQAgDCgCABshFSAAKAIsIA4gACgCMGxqIRJBACEBA0AgASARSQRAIBggASASav0ABAD9UCEYIAFBEGohAQwBCwtBASEBA0AgAUEETQRAIAEgA3IgAyAYIAH9D/1O/VMbIQMgAUEBdCEBDAELCyADIgFBAWsgA3FB/wFxBEADQCAHIBFJBEAgDSAHIBRsaiEWIBRBAnYhDiAHIBJqLQAAIhNBAkYEQEEAIQMDQCADIA5JBEAgFiADQQJ0aiIX/QAEACIZ/Qz///9/////f////3////9//U4iGP0MAACAIAAAgCAAAIAgAACAIP1GIRogFyAZIBr9Tv0MAACAHwAAgB8AAIAfAACAH/3mASAYIBr9T/0MAAAAagAAAGoAAABqAAAAav3mAf1q/fgBIBr9UiAZ/QwAAACAAAAAgAAAAIAAAACA/U79UCAZIBkgGf1B/VIiGCAY/Qz///9/////f////3////9//U79DAAAgAAAAIAAAACAAAAAgAD9QP1O/QsEACADQQRqIQMMAQsLCyABQQRxQQAgE0EDcRsEQEEAIQMDQCADIA5JBEAgFiADQQJ0aiIT/QAEACEYIBMgGCAY/Qz///9/////f////3////9//U79DAAAgDAAAIAwAACAMAAAgDD9QP1O/QwAAIAPAACADwAAgA8AAIAP/eYB/QsEACADQQRqIQMMAQsLCyAHQQFqIQcMAQsLCyAMIA0gAiAAKAJMaiACIAAoAlBqIBQQESECIAYEQCAPIAAoAlwgBEEDdGogAiAKIBEgFRASIARFBEAgAkMAAAAAOAIQIAIgESAUbGpBBGtDAAAAADgCAAsLIAFBBHEEQEEDIAIgESAUbEECdhAFBSABQf8BcUECRgRAQQEgAiARIBRsQQJ2EAULCyACIBQgCSAEQQN0aiAFQQN0IgAgEUEAIBAgBGsgFRAPIAZFBEAPCyACIApqIBQgCSAIQQN0aiAAIBEgCyAQayAIayALQQEgBCAEQQFNG2sgCGsgFRAPIARFBEAgCSAAIBFsaiIAIAIgESAUbGpBFGsiASAVaioCADgCACAAIAFBEGogFWsqAgA4AgQLC7sKAh5/AnsgASAAKAI8IgRuIQYgACgCNCEJIAAoAjgiByABIARwIgFsIQUgAUEBaiAERiEBAn8gACgCWCIVQQBHIgtFBEAgBSAHaiIBIAkgASAJSRsMAQsgCUEBdkEBaiAFIAdqIAEbCyIXIAVrQQNqQQJ2IR0gC0UiAQRAIAUgHUECdGogCUshAQsgAQR/IAlBBGsFIAUgHUECdGpBBGsLIQ4gCUEBaiIPIAVrIB1BAnRrIRAgACgCJCAGIAAoAihsaiERIAAoAiwgBiAAKAIwbGohEiACIAAoAlBqIRYgCUEDdCEeIB1BBXQiDEEBdCAMIAsbIQogACgCDCITKAIIIQcgACgCECAGIAAoAhRsaiIYIAVBA3RqIQggAiAAKAJMaiIZIQQgHSABQQBHa0EFdCEfQRBBAEEQQQAgEygCABsiDSALGyIaayEgA0AgAyAHSQRAQQAhBgNAIAYgH0kEQCAEIAZqIhsgGmogBiAIaiIc/QAEACIhIBz9AAQQIiL9DQABAgMICQoLEBESExgZGhv9CwQAIBsgIGogISAi/Q0EBQYHDA0ODxQVFhccHR4f/QsEACAGQSBqIQYMAQsLIANBAWohAyAIIB5qIQggBCAKaiEEDAELCyABBEAgGCAOQQN0aiEEIAwgGWpBIGshBkEAIQhBECAaayEBA0AgByAISwRAQQAhAwNAIANBIEkEQCADIAZqIhsgGmogAyAEaiIc/QAEACIhIBz9AAQQIiL9DQABAgMICQoLEBESExgZGhv9CwQAIAEgG2ogISAi/Q0EBQYHDA0ODxQVFhccHR4f/QsEACADQSBqIQMMAQsLIAhBAWohCCAEIB5qIQQgBiAKaiEGDAELCwsgCwRAIBggEEEDdGohBCAMIBlqIQYgHUEFdCEBQRAgGmshCANAIAcgFEsEQEEAIQMDQCABIANLBEAgAyAGaiIYIBpqIAMgBGoiG/0ABAAiISAb/QAEECIi/Q0AAQIDCAkKCxAREhMYGRob/QsEACAIIBhqICEgIv0NBAUGBwwNDg8UFRYXHB0eH/0LBAAgA0EgaiEDDAELCyAUQQFqIRQgBCAeaiEEIAYgCmohBgwBCwsLIA9BASAFIAVBAU0bayEEIA8gF2shBiAFIBJqAn8gGSAHIApsQQJ2IggQDiIBRQRAQQAhAQJ/A0AgAUEEaiIDIAhNBEBBACAZIAFBAnRq/QAEAP0M////f////3////9/////f/1O/VMNAhogAyEBDAELCwNAIAEgCEkEQEEAIBkgAUECdGooAgBB/////wdxDQIaIAFBAWohAQwBCwtBAQtFDAELIAEgGSAZIAgQCyABQQFGBH9BAgVBBEEBIAFBA0YbCwsiASAXIAVr/AsAIAsEQCAGIBJqIAEgBCAGa/wLACAFRQRAIBlDAAAAADgCECAZIAcgCmxqQQRrQwAAAAA4AgALIBUgACgCXCAFQQN0aiAZIAwgByANEBILIBMgGSAWIBkgChARIQggACgCZCAHQQRqQQV0Ig8gBUECdmxqIQFBACEDA0AgAyAdSQRAIAAgCCADQQV0aiAKIAcgBSADQQJ0aiAOIB0gA0EBaiIDSxsgBSAXIBEgDSABIAIQECABIA9qIQEMAQsLIAtFBEAPCyAAKAJkIAlBAXZBBGpBAnYgD2xqIAVBAnYgHWpBAWsgD2xqIQFBACEDA0AgAyAdSQRAIAAgCCAMaiADQQV0aiAKIAcgECADQQJ0aiAGIAQgESANIAEgAhAQIANBAWohAyABIA9rIQEMAQsLC8AJAwp/B3sEfSAAKAIAIQggBSAAKAIUaiEHIAUgACgCGGohCSABQQJGBEADQCAGQQRJBEAgBkECdCIFIAJqKAIAIQogBCAFaigCACELQQAhBQNAIAUgCEkEQCAKIAVBA3QiDGoiDSoCACEXIAsgDGoiDCoCACEYIAcgBUEFdGogBkECdGoiDiAXIAwqAgQiGZQgDSoCBCIaIBiUkjgCACAOIBcgGJQgGiAZlJM4AhAgBUEBaiEFDAELCyAGQQFqIQYMAQsLBSACKAIAIQogAigCBCELIAIoAgghDCACKAIMIQ0gByEEQRBBEEEAIAEbIgVrIQ4DQCAGQQJqIgIgCE0EQCAEIAVqIg8gCiAGQQN0IgZq/QAEACIQIAYgC2r9AAQAIhH9DQABAgMQERITBAUGBxQVFhciEiAGIAxq/QAEACITIAYgDWr9AAQAIhT9DQABAgMQERITBAUGBxQVFhciFf0NAAECAwQFBgcQERITFBUWF/0LBAAgBCAOaiIGIBIgFf0NCAkKCwwNDg8YGRobHB0eH/0LBAAgDyAQIBH9DQgJCgsYGRobDA0ODxwdHh8iECATIBT9DQgJCgsYGRobDA0ODxwdHh8iEf0NAAECAwQFBgcQERITFBUWF/0LBCAgBiAQIBH9DQgJCgsMDQ4PGBkaGxwdHh/9CwQgIARBQGshBCACIQYMAQsLIAYgCEkEQCAEIAVqIAogBkEDdCICav1dAwAgAiALav1dAwD9DQABAgMQERITBAUGBxQVFhciECACIAxq/V0DACACIA1q/V0DAP0NAAECAxAREhMEBQYHFBUWFyIR/Q0AAQIDBAUGBxAREhMUFRYX/QsEACAEIA5qIBAgEf0NCAkKCwwNDg8YGRobHB0eH/0LBAALCyAAQQAgByAJEAQhBCADKAIAIQIgAygCBCEFIAMoAgghBiADKAIMIQNBACEAQRBBEEEAIAFBAEciBxsiCWshCiAIs/0TIREDQCAAQQJqIgEgCE0EQCACIABBA3QiAGogBCAJaiIL/QAEACIQIBH95wEgECAHGyISIAQgCmoiDP0ABAAiECAR/ecBIBAgBxsiE/0NAAECAxAREhMEBQYHFBUWFyIUIAv9AAQgIhAgEf3nASAQIAcbIhUgDP0ABCAiECAR/ecBIBAgBxsiEP0NAAECAxAREhMEBQYHFBUWFyIW/Q0AAQIDBAUGBxAREhMUFRYX/QsEACAAIAVqIBQgFv0NCAkKCwwNDg8YGRobHB0eH/0LBAAgACAGaiASIBP9DQgJCgsYGRobDA0ODxwdHh8iEiAVIBD9DQgJCgsYGRobDA0ODxwdHh8iEP0NAAECAwQFBgcQERITFBUWF/0LBAAgACADaiASIBD9DQgJCgsMDQ4PGBkaGxwdHh/9CwQAIARBQGshBCABIQAMAQsLIAAgCEkEQCACIABBA3QiAGogBCAJav0ABAAiECAR/ecBIBAgBxsiECAEIApq/QAEACISIBH95wEgEiAHGyIR/Q0AAQIDEBESEwQFBgcUFRYXIhL9WwMAACAAIAVqIBL9WwMAASAAIAZqIBAgEf0NCAkKCxgZGhsMDQ4PHB0eHyIQ/VsDAAAgACADaiAQ/VsDAAELC6QFAgl/An0gACgCDCEOIAAoAggiCEEBcUUhDSAIQQF2IQsgAQRAIA0EQCACQQAgBCAFIAQgBxAABQNAIAMgCUsEQCAJQQJ0IgAgBGooAgAhASAAIAVqKAIAIQwgCCEAA0AgAARAIAwgAEEBayIAQQN0aiIPIAEgAEECdGoqAgA4AgAgD0MAAAAAOAIEDAELCyAJQQFqIQkMAQsLIAJBACAFIAUgBCAHEAALA0AgAyAKSwRAIApBAnQiACAFaigCACEBIAAgBmooAgAhACANBEAgASoCACERIAEqAgQhEiABIAAgCyAOEAogACARIBKSOAIAIABDAAAAADgCBCAAIAtBA3RqIgAgESASkzgCACAAQwAAAAA4AgQFIAAgAUcEQCAAIAEgC0EBakEDdPwKAAALCyAKQQFqIQoMAQsLDwsDQCADIApLBEAgCkECdCIAIARqKAIAIQEgACAFaigCACEPIA0EQCABKgIAIREgASALQQN0aioCACESIAEgDyALIA4QCiAPIBFDAAAAP5QiESASQwAAAD+UIhKSOAIAIA8gESASkzgCBAUgDyABKgIAOAIAIA9DAAAAADgCBEEBIQkDQCAJQQF0IAhJBEAgCUEDdCIAIAFqIhAqAgAhESAQKgIEIRIgACAPaiIAIBE4AgAgACASOAIEIA8gCCAJa0EDdGoiACAROAIAIAAgEow4AgQgCUEBaiEJDAELCwsgCkEBaiEKDAELCyANBEAgAkEBIAUgBiAEIAcQAAUgAkEBIAUgBSAEIAcQAANAIAMgDEsEQCAMQQJ0IgAgBWooAgAhASAAIAZqKAIAIQJBACEAA0AgACAISQRAIAIgAEECdGogASAAQQN0aioCADgCACAAQQFqIQAMAQsLIAxBAWohDAwBCwsLCzgBAX8DQCAFIAhLBEAgAyAEIAhsaiABIAIgCGxqIAYgByAIbGogAEEAQQAQAyAIQQFqIQgMAQsLC4QQAiJ7E38gAiADbCEnA0AgAyAoSwRAIAAgAmohOQNAIAAgOUkEQCAAICdqIikgJ2oiKiAnaiIrICdqIiwgJ2oiLSAnaiIuICdqIi8gJ2ohMCABIAJqIjEgAmoiMiACaiIzIAJqIjQgAmoiNSACaiI2IAJqIjcgAmohOCAp/QAEACIIICz9AAQAIgkgL/0ABAAiCv3kASIL/eQBIgwgKv0ABAAiDSAt/QAEACIOIDD9AAQAIg/95AEiEP3kASIR/eQBIhL9DAAAAL8AAAC/AAAAvwAAAL8gAP0ABAAiEyAr/QAEACIUIC79AAQAIhX95AEiFv3kASIX/YUCIhggKf0ABBAiGSAs/QAEECIaIC/9AAQQIhv95AEiHP3kASIFICr9AAQQIh0gLf0ABBAiHiAw/QAEECIf/eQBIiD95AEiBv3lAf0M17NdP9ezXT/Xs10/17NdP/3mASIh/eQBISIgBSAG/eQBIgX9DAAAAL8AAAC/AAAAvwAAAL8gAP0ABBAiBiAr/QAEECIHIC79AAQQIiP95AEiJP3kASIl/YUCIiYgDCAR/eUB/QzXs10/17NdP9ezXT/Xs10//eYBIgz95QEhESAW/QwAAAC/AAAAvwAAAL8AAAC/IBP9hQIiEyAHICP95QH9DNezXT/Xs10/17NdP9ezXT/95gEiB/3kASIWIBz9DAAAAL8AAAC/AAAAvwAAAL8gGf2FAiIZIAkgCv3lAf0M17NdP9ezXT/Xs10/17NdP/3mASIJ/eUBIgr9DLuNJD+7jSQ/u40kP7uNJD8gC/0MAAAAvwAAAL8AAAC/AAAAvyAI/YUCIgggGiAb/eUB/QzXs10/17NdP9ezXT/Xs10//eYBIgv95AEiGv0MfRtEP30bRD99G0Q/fRtEP/3mAf2FAiIbICD9DAAAAL8AAAC/AAAAvwAAAL8gHf2FAiIcIA4gD/3lAf0M17NdP9ezXT/Xs10/17NdP/3mASIO/eUBIg/9DFwcfD9cHHw/XBx8P1wcfD8gEP0MAAAAvwAAAL8AAAC/AAAAvyAN/YUCIg0gHiAf/eUB/QzXs10/17NdP9ezXT/Xs10//eYBIhD95AEiHf0M1NAxPtTQMT7U0DE+1NAxPv3mAf2FAiIe/eQBIh/95AEhICATIAf95QEiByAZIAn95AEiCf0MXBx8P1wcfD9cHHw/XBx8PyAIIAv95QEiCP0M1NAxPtTQMT7U0DE+1NAxPv3mAf2FAiILIBwgDv3kASIO/QxEHa8+RB2vPkQdrz5EHa8+IA0gEP3lASIN/Qyyj3C/so9wv7KPcL+yj3C//eYB/YUCIhD95AEiE/3kASEZIAEgFyAS/eQB/QsEACABICUgBf3kAf0LBBAgMSAk/QwAAAC/AAAAvwAAAL8AAAC/IAb9hQIiBSAUIBX95QH9DNezXT/Xs10/17NdP9ezXT/95gEiBv3lASISIBr9DLuNJL+7jSS/u40kv7uNJL8gCv0MfRtEP30bRD99G0Q/fRtEP/3mAf2FAiIKIB39DFwcfL9cHHy/XBx8v1wcfL8gD/0M1NAxPtTQMT7U0DE+1NAxPv3mAf2FAiIP/eQBIhT95AEiFSAE/QkCBCIXICAgBP0JAgAiGv3mAf2GAv0LBAAgMSAVIBogICAX/eYB/YUC/QsEECAyIAUgBv3kASIFIAj9DFwcfL9cHHy/XBx8v1wcfL8gCf0M1NAxPtTQMT7U0DE+1NAxPv3mAf2FAiIGIA39DEQdr75EHa++RB2vvkQdr74gDv0Mso9wv7KPcL+yj3C/so9wv/3mAf2FAiII/eQBIgn95AEiDSAE/QkCDCIOIBkgBP0JAggiFf3mAf2GAv0LBAAgMiANIBUgGSAO/eYB/YUC/QsEECAzIBEgBP0JAhQiDSAiIAT9CQIQIg795gH9hgL9CwQAIDMgESAOICIgDf3mAf2FAv0LBBAgNCAU/QwAAAC/AAAAvwAAAL8AAAC/IBL9hQIiDSAbIB795QH9DNezXT/Xs10/17NdP9ezXT/95gEiDv3lASIRIAT9CQIcIhIgH/0MAAAAvwAAAL8AAAC/AAAAvyAW/YUCIhQgCiAP/eUB/QzXs10/17NdP9ezXT/Xs10//eYBIgr95AEiDyAE/QkCGCIV/eYB/YYC/QsEACA0IBEgFSAPIBL95gH9hQL9CwQQIDUgCf0MAAAAvwAAAL8AAAC/AAAAvyAF/YUCIgUgCyAQ/eUB/QzXs10/17NdP9ezXT/Xs10//eYBIgn95QEiCyAE/QkCJCIPIBP9DAAAAL8AAAC/AAAAvwAAAL8gB/2FAiIHIAYgCP3lAf0M17NdP9ezXT/Xs10/17NdP/3mASIG/eQBIgggBP0JAiAiEP3mAf2GAv0LBAAgNSALIBAgCCAP/eYB/YUC/QsEECA2ICYgDP3kASIIIAT9CQIsIgsgGCAh/eUBIgwgBP0JAigiD/3mAf2GAv0LBAAgNiAIIA8gDCAL/eYB/YUC/QsEECA3IA0gDv3kASIIIAT9CQI0IgsgFCAK/eUBIgogBP0JAjAiDP3mAf2GAv0LBAAgNyAIIAwgCiAL/eYB/YUC/QsEECA4IAUgCf3kASIFIAT9CQI8IgggByAG/eUBIgYgBP0JAjgiB/3mAf2GAv0LBAAgOCAFIAcgBiAI/eYB/YUC/QsEECAAQSBqIQAgAUEgaiEBDAELCyAEQUBrIQQgASACQQN0aiEBIChBAWohKAwBCwsLvwkCEHsRfyACIANsIRUDQCADIB1LBEAgACACaiElA0AgACAlSQRAIAAgFWoiFiAVaiIXIBVqIhggFWoiGSAVaiIaIBVqIhsgFWohHCABIAJqIh4gAmoiHyACaiIgIAJqIiEgAmoiIiACaiIjIAJqISQgAP0ABBAgGf0ABBD95AEiBSAX/QAEECAb/QAEEP3kASIG/eQBIQcgFv0ABBAgGv0ABBD95AEiCCAY/QAEECAc/QAEEP3kASIJ/eQBIQogASAA/QAEACAZ/QAEAP3kASILIBf9AAQAIBv9AAQA/eQBIgz95AEiDSAW/QAEACAa/QAEAP3kASIOIBj9AAQAIBz9AAQA/eQBIg/95AEiEP3kAf0LBAAgASAHIAr95AH9CwQQIB8gBSAG/eUBIgUgDiAP/eUBIgb95QEiDiAE/QkCDCIPIAsgDP3lASILIAggCf3lASII/eQBIgkgBP0JAggiDP3mAf2GAv0LBAAgHyAOIAwgCSAP/eYB/YUC/QsEECAhIAcgCv3lASIHIAT9CQIcIgkgDSAQ/eUBIgogBP0JAhgiDP3mAf2GAv0LBAAgISAHIAwgCiAJ/eYB/YUC/QsEECAjIAUgBv3kASIFIAT9CQIsIgYgCyAI/eUBIgcgBP0JAigiCP3mAf2GAv0LBAAgIyAFIAggByAG/eYB/YUC/QsEECAW/QAEACAa/QAEAP3lAf0M8wQ1P/MENT/zBDU/8wQ1P/3mASIFIBb9AAQQIBr9AAQQ/eUB/QzzBDU/8wQ1P/MENT/zBDU//eYBIgb95AEhCSAY/QAEECAc/QAEEP3lAf0M8wQ1P/MENT/zBDU/8wQ1P/3mASIHIBj9AAQAIBz9AAQA/eUB/QzzBDU/8wQ1P/MENT/zBDU//eYBIgj95QEhCiAA/QAEACAZ/QAEAP3lASILIBf9AAQQIBv9AAQQ/eUBIgz9DAAAgD8AAIA/AACAPwAAgD8gF/0ABAAgG/0ABAD95QEiDf0MMjGNJDIxjSQyMY0kMjGNJP3mAf2FAiIO/eQBIQ8gHiAA/QAEECAZ/QAEEP3lASIQIA39DAAAgL8AAIC/AACAvwAAgL8gDP0MMjGNJDIxjSQyMY0kMjGNJP3mAf2FAiIM/eQBIg0gBiAF/eUBIgUgCCAH/eQB/eEBIgb95AEiB/3kASIIIAT9CQIEIhEgDyAJIAr95AEiEv3kASITIAT9CQIAIhT95gH9hgL9CwQAIB4gCCAUIBMgEf3mAf2FAv0LBBAgICAQIAz95QEiCCAJIAr95QEiCf3lASIKIAT9CQIUIgwgCyAO/eUBIgsgBSAG/eUBIgX95AEiBiAE/QkCECIO/eYB/YYC/QsEACAgIAogDiAGIAz95gH9hQL9CwQQICIgDSAH/eUBIgYgBP0JAiQiByAPIBL95QEiCiAE/QkCICIM/eYB/YYC/QsEACAiIAYgDCAKIAf95gH9hQL9CwQQICQgCCAJ/eQBIgYgBP0JAjQiByALIAX95QEiBSAE/QkCMCII/eYB/YYC/QsEACAkIAYgCCAFIAf95gH9hQL9CwQQIABBIGohACABQSBqIQEMAQsLIARBOGohBCABIAJBB2xqIQEgHUEBaiEdDAELCwvIDAIaew9/IAIgA2whHwNAIAMgIEsEQCAAIAJqIS0DQCAAIC1JBEAgACAfaiIhIB9qIiIgH2oiIyAfaiIkIB9qIiUgH2ohJiABIAJqIicgAmoiKCACaiIpIAJqIiogAmoiKyACaiEsICH9AAQQIgogJv0ABBAiC/3kASEPICL9AAQQIgkgJf0ABBAiDP3kASEQICP9AAQQIg0gJP0ABBAiDv3kASERICP9AAQAIhIgJP0ABAAiE/3kASIF/QzlpWa/5aVmv+WlZr/lpWa/ICL9AAQAIhQgJf0ABAAiFf3kASIG/QyH3GO+h9xjvofcY76H3GO+ICH9AAQAIhYgJv0ABAAiF/3kASIH/QwHnR8/B50fPwedHz8HnR8/IAD9AAQAIgj9hQL9hQL9hQIiGCANIA795QEiGf0MAibePgIm3j4CJt4+AibePiAJIAz95QEiCf0M4JR5P+CUeT/glHk/4JR5PyAKIAv95QEiCv0MHCZIPxwmSD8cJkg/HCZIP/3mAf2FAv2FAiIa/eQBIQwgEf0M5aVmv+WlZr/lpWa/5aVmvyAQ/QyH3GO+h9xjvofcY76H3GO+IA/9DAedHz8HnR8/B50fPwedHz8gAP0ABBAiC/2FAv2FAv2FAiIbIBIgE/3lASIS/QwCJt4+AibePgIm3j4CJt4+IBQgFf3lASIT/QzglHk/4JR5P+CUeT/glHk/IBYgF/3lASIU/QwcJkg/HCZIPxwmSD8cJkg//eYB/YUC/YUCIhX95QEhDSABIAggB/3kASAG/eQBIAX95AH9CwQAIAEgCyAP/eQBIBD95AEgEf3kAf0LBBAgJyANIAT9CQIEIg4gDCAE/QkCACIW/eYB/YYC/QsEACAnIA0gFiAMIA795gH9hQL9CwQQICggEf0MB50fPwedHz8HnR8/B50fPyAQ/QzlpWa/5aVmv+WlZr/lpWa/IA/9DIfcY76H3GO+h9xjvofcY74gC/2FAv2FAv2FAiIWIBL9DBwmSL8cJki/HCZIvxwmSL8gE/0MAibevgIm3r4CJt6+AibeviAU/QzglHk/4JR5P+CUeT/glHk//eYB/YUC/YUCIhf95QEiDCAE/QkCDCINIAX9DAedHz8HnR8/B50fPwedHz8gBv0M5aVmv+WlZr/lpWa/5aVmvyAH/QyH3GO+h9xjvofcY76H3GO+IAj9hQL9hQL9hQIiDiAZ/QwcJki/HCZIvxwmSL8cJki/IAn9DAIm3r4CJt6+AibevgIm3r4gCv0M4JR5P+CUeT/glHk/4JR5P/3mAf2FAv2FAiIc/eQBIh0gBP0JAggiHv3mAf2GAv0LBAAgKCAMIB4gHSAN/eYB/YUC/QsEECApIBH9DIfcY76H3GO+h9xjvofcY74gEP0MB50fPwedHz8HnR8/B50fPyAP/QzlpWa/5aVmv+WlZr/lpWa/IAv9hQL9hQL9hQIiCyAS/QzglHk/4JR5P+CUeT/glHk/IBP9DBwmSL8cJki/HCZIvxwmSL8gFP0MAibePgIm3j4CJt4+AibePv3mAf2FAv2FAiIM/eUBIg0gBP0JAhQiDyAF/QyH3GO+h9xjvofcY76H3GO+IAb9DAedHz8HnR8/B50fPwedHz8gB/0M5aVmv+WlZr/lpWa/5aVmvyAI/YUC/YUC/YUCIgUgGf0M4JR5P+CUeT/glHk/4JR5PyAJ/QwcJki/HCZIvxwmSL8cJki/IAr9DAIm3j4CJt4+AibePgIm3j795gH9hQL9hQIiBv3kASIHIAT9CQIQIgj95gH9hgL9CwQAICkgDSAIIAcgD/3mAf2FAv0LBBAgKiALIAz95AEiByAE/QkCHCIIIAUgBv3lASIFIAT9CQIYIgb95gH9hgL9CwQAICogByAGIAUgCP3mAf2FAv0LBBAgKyAWIBf95AEiBSAE/QkCJCIGIA4gHP3lASIHIAT9CQIgIgj95gH9hgL9CwQAICsgBSAIIAcgBv3mAf2FAv0LBBAgLCAbIBX95AEiBSAE/QkCLCIGIBggGv3lASIHIAT9CQIoIgj95gH9hgL9CwQAICwgBSAIIAcgBv3mAf2FAv0LBBAgAEEgaiEAIAFBIGohAQwBCwsgBEEwaiEEIAEgAkEGbGohASAgQQFqISAMAQsLC9AIAgx7DX8gAiADbCERA0AgAyAXSwRAIAAgAmohHQNAIAAgHUkEQCAAIBFqIhIgEWoiEyARaiIUIBFqIhUgEWohFiABIAJqIhggAmoiGSACaiIaIAJqIhsgAmohHCAS/QAEECAV/QAEEP3kASIFIBP9AAQQIBb9AAQQ/eQBIgb95AEiB/0MAAAAvwAAAL8AAAC/AAAAvyAA/QAEECAU/QAEEP3kASII/YUCIQkgEv0ABAAgFf0ABAD95AEiCiAT/QAEACAW/QAEAP3kASIL/eQBIgz9DAAAAL8AAAC/AAAAvwAAAL8gAP0ABAAgFP0ABAD95AEiDf2FAiIOIAUgBv3lAf0M17NdP9ezXT/Xs10/17NdP/3mASIF/eQBIQYgASANIAz95AH9CwQAIAEgCCAH/eQB/QsEECAZIAkgCiAL/eUB/QzXs10/17NdP9ezXT/Xs10//eYBIgf95QEiCCAE/QkCDCIKIAYgBP0JAggiC/3mAf2GAv0LBAAgGSAIIAsgBiAK/eYB/YUC/QsEECAbIAkgB/3kASIGIAT9CQIcIgcgDiAF/eUBIgUgBP0JAhgiCP3mAf2GAv0LBAAgGyAGIAggBSAH/eYB/YUC/QsEECAA/QAEACAU/QAEAP3lASIHIBL9AAQQIBX9AAQQ/eUBIgX9DNezXT/Xs10/17NdP9ezXT8gEv0ABAAgFf0ABAD95QEiBv0MAAAAPwAAAD8AAAA/AAAAP/3mAf2FAiIIIBP9AAQQIBb9AAQQ/eUBIgn9DNezXT/Xs10/17NdP9ezXT8gE/0ABAAgFv0ABAD95QEiCv0MAAAAvwAAAL8AAAC/AAAAv/3mAf2FAiIL/eQBIgz95AEhDSAYIAD9AAQQIBT9AAQQ/eUBIg4gBv0M17Ndv9ezXb/Xs12/17NdvyAF/QwAAAA/AAAAPwAAAD8AAAA//eYB/YUCIgUgCv0M17Ndv9ezXb/Xs12/17NdvyAJ/QwAAAC/AAAAvwAAAL8AAAC//eYB/YUCIgn95AEiCv3kASIGIAT9CQIEIg8gDSAE/QkCACIQ/eYB/YYC/QsEACAYIAYgECANIA/95gH9hQL9CwQQIBogCv0MAAAAvwAAAL8AAAC/AAAAvyAO/YUCIgYgCCAL/eUB/QzXs10/17NdP9ezXT/Xs10//eYBIgj95QEiCiAE/QkCFCILIAz9DAAAAL8AAAC/AAAAvwAAAL8gB/2FAiIHIAUgCf3lAf0M17NdP9ezXT/Xs10/17NdP/3mASIF/eQBIgkgBP0JAhAiDP3mAf2GAv0LBAAgGiAKIAwgCSAL/eYB/YUC/QsEECAcIAYgCP3kASIGIAT9CQIkIgggByAF/eUBIgUgBP0JAiAiB/3mAf2GAv0LBAAgHCAGIAcgBSAI/eYB/YUC/QsEECAAQSBqIQAgAUEgaiEBDAELCyAEQShqIQQgASACQQVsaiEBIBdBAWohFwwBCwsLhAcCEnsLfyACIANsIRcDQCADIBhLBEAgACACaiEhA0AgACAhSQRAIAAgF2oiGSAXaiIaIBdqIhsgF2ohHCABIAJqIh0gAmoiHiACaiIfIAJqISAgGf0ABAAiCCAc/QAEACIJ/eQBIgUgGv0ABAAiCiAb/QAEACIL/eQBIgb95QEiDP0MvRsPP70bDz+9Gw8/vRsPPyAFIAb95AEiDf0MAACAvgAAgL4AAIC+AACAviAA/QAEACIO/YUCIgX9hQIhDyAZ/QAEECIQIBz9AAQQIhH95AEiBiAa/QAEECISIBv9AAQQIhP95AEiB/3lASIU/Qy9Gw8/vRsPP70bDz+9Gw8/IAYgB/3kASIG/QwAAIC+AACAvgAAgL4AAIC+IAD9AAQQIgf9hQIiFf2FAiEWIAEgDiAN/eQB/QsEACABIAcgBv3kAf0LBBAgHSAWIAogC/3lASIG/QwYeRY/GHkWPxh5Fj8YeRY/IAggCf3lASIH/QxxeHM/cXhzP3F4cz9xeHM//eYB/YUCIgj95QEiCSAE/QkCBCIKIA8gEiAT/eUBIgv9DBh5Fj8YeRY/GHkWPxh5Fj8gECAR/eUBIg39DHF4cz9xeHM/cXhzP3F4cz/95gH9hQIiDv3kASIQIAT9CQIAIhH95gH9hgL9CwQAIB0gCSARIBAgCv3mAf2FAv0LBBAgHiAU/Qy9Gw+/vRsPv70bD7+9Gw+/IBX9hQIiCSAG/QxxeHO/cXhzv3F4c79xeHO/IAf9DBh5Fj8YeRY/GHkWPxh5Fj/95gH9hQIiBv3lASIHIAT9CQIMIgogDP0MvRsPv70bD7+9Gw+/vRsPvyAF/YUCIgUgC/0McXhzv3F4c79xeHO/cXhzvyAN/QwYeRY/GHkWPxh5Fj8YeRY//eYB/YUCIgv95AEiDCAE/QkCCCIN/eYB/YYC/QsEACAeIAcgDSAMIAr95gH9hQL9CwQQIB8gCSAG/eQBIgYgBP0JAhQiByAFIAv95QEiBSAE/QkCECIJ/eYB/YYC/QsEACAfIAYgCSAFIAf95gH9hQL9CwQQICAgFiAI/eQBIgUgBP0JAhwiBiAPIA795QEiByAE/QkCGCII/eYB/YYC/QsEACAgIAUgCCAHIAb95gH9hQL9CwQQIABBIGohACABQSBqIQEMAQsLIARBIGohBCABIAJBAnRqIQEgGEEBaiEYDAELCwuRJQIyext/IAIgA2whNwNAIAMgOEsEQCAAIAJqIVEDQCAAIFFJBEAgACA3aiI5IDdqIjogN2oiOyA3aiI8IDdqIj0gN2oiPiA3aiI/IDdqIkAgN2oiQSA3aiJCIDdqIkMgN2ohRCABIAJqIkUgAmoiRiACaiJHIAJqIkggAmoiSSACaiJKIAJqIksgAmoiTCACaiJNIAJqIk4gAmoiTyACaiFQIDn9AAQQIg4gRP0ABBAiD/3kASEZIDr9AAQQIg0gQ/0ABBAiEP3kASEaIDv9AAQQIhEgQv0ABBAiEv3kASEHIDz9AAQQIhMgQf0ABBAiFP3kASEIID39AAQQIhUgQP0ABBAiFv3kASEJID79AAQQIhcgP/0ABBAiGP3kASEKID79AAQAIhsgP/0ABAAiHP3kASIL/Qylj3i/pY94v6WPeL+lj3i/ID39AAQAIh0gQP0ABAAiHv3kASIM/Qxnnj+/Z54/v2eeP79nnj+/IDz9AAQAIh8gQf0ABAAiIP3kASIh/QzGjrW+xo61vsaOtb7GjrW+IDv9AAQAIiIgQv0ABAAiI/3kASIk/Qzv2/Y979v2Pe/b9j3v2/Y9IDr9AAQAIiUgQ/0ABAAiJv3kASIn/QyxbBE/sWwRP7FsET+xbBE/IDn9AAQAIiggRP0ABAAiKf3kASIq/Qw/rWI/P61iPz+tYj8/rWI/IAD9AAQAIgX9hQL9hQL9hQL9hQL9hQL9hQIiBiAXIBj95QEiK/0MKg91PioPdT4qD3U+Kg91PiAVIBb95QEiLP0MaMIpP2jCKT9owik/aMIpPyATIBT95QEiLf0MOV1vPzldbz85XW8/OV1vPyARIBL95QEiLv0MKyJ+Pysifj8rIn4/KyJ+PyANIBD95QEiDf0MEq9SPxKvUj8Sr1I/Eq9SPyAOIA/95QEiDv0MMvDtPjLw7T4y8O0+MvDtPv3mAf2FAv2FAv2FAv2FAv2FAiIv/eQBIRAgCv0MpY94v6WPeL+lj3i/pY94vyAJ/Qxnnj+/Z54/v2eeP79nnj+/IAj9DMaOtb7GjrW+xo61vsaOtb4gB/0M79v2Pe/b9j3v2/Y979v2PSAa/QyxbBE/sWwRP7FsET+xbBE/IBn9DD+tYj8/rWI/P61iPz+tYj8gAP0ABBAiD/2FAv2FAv2FAv2FAv2FAv2FAiIwIBsgHP3lASIb/QwqD3U+Kg91PioPdT4qD3U+IB0gHv3lASIc/Qxowik/aMIpP2jCKT9owik/IB8gIP3lASId/Qw5XW8/OV1vPzldbz85XW8/ICIgI/3lASIe/QwrIn4/KyJ+Pysifj8rIn4/ICUgJv3lASIf/QwSr1I/Eq9SPxKvUj8Sr1I/ICggKf3lASIg/Qwy8O0+MvDtPjLw7T4y8O0+/eYB/YUC/YUC/YUC/YUC/YUCIiL95QEhESABIAUgKv3kASAn/eQBICT95AEgIf3kASAM/eQBIAv95AH9CwQAIAEgDyAZ/eQBIBr95AEgB/3kASAI/eQBIAn95AEgCv3kAf0LBBAgRSARIAT9CQIEIhIgECAE/QkCACIT/eYB/YYC/QsEACBFIBEgEyAQIBL95gH9hQL9CwQQIEYgCv0MP61iPz+tYj8/rWI/P61iPyAJ/Qzv2/Y979v2Pe/b9j3v2/Y9IAj9DGeeP79nnj+/Z54/v2eeP78gB/0MpY94v6WPeL+lj3i/pY94vyAa/QzGjrW+xo61vsaOtb7GjrW+IBn9DLFsET+xbBE/sWwRP7FsET8gD/2FAv2FAv2FAv2FAv2FAv2FAiIjIBv9DDLw7b4y8O2+MvDtvjLw7b4gHP0MKyJ+vysifr8rIn6/KyJ+vyAd/Qxowim/aMIpv2jCKb9owim/IB79DCoPdT4qD3U+Kg91PioPdT4gH/0MOV1vPzldbz85XW8/OV1vPyAg/QwSr1I/Eq9SPxKvUj8Sr1I//eYB/YUC/YUC/YUC/YUC/YUCIiX95QEiECAE/QkCDCIRIAv9DD+tYj8/rWI/P61iPz+tYj8gDP0M79v2Pe/b9j3v2/Y979v2PSAh/Qxnnj+/Z54/v2eeP79nnj+/ICT9DKWPeL+lj3i/pY94v6WPeL8gJ/0Mxo61vsaOtb7GjrW+xo61viAq/QyxbBE/sWwRP7FsET+xbBE/IAX9hQL9hQL9hQL9hQL9hQL9hQIiJiAr/Qwy8O2+MvDtvjLw7b4y8O2+ICz9DCsifr8rIn6/KyJ+vysifr8gLf0MaMIpv2jCKb9owim/aMIpvyAu/QwqD3U+Kg91PioPdT4qD3U+IA39DDldbz85XW8/OV1vPzldbz8gDv0MEq9SPxKvUj8Sr1I/Eq9SP/3mAf2FAv2FAv2FAv2FAv2FAiIo/eQBIhIgBP0JAggiE/3mAf2GAv0LBAAgRiAQIBMgEiAR/eYB/YUC/QsEECBHIAr9DGeeP79nnj+/Z54/v2eeP78gCf0MsWwRP7FsET+xbBE/sWwRPyAI/Qw/rWI/P61iPz+tYj8/rWI/IAf9DMaOtb7GjrW+xo61vsaOtb4gGv0MpY94v6WPeL+lj3i/pY94vyAZ/Qzv2/Y979v2Pe/b9j3v2/Y9IA/9hQL9hQL9hQL9hQL9hQL9hQIiKSAb/Qxowik/aMIpP2jCKT9owik/IBz9DBKvUj8Sr1I/Eq9SPxKvUj8gHf0MMvDtvjLw7b4y8O2+MvDtviAe/Qw5XW+/OV1vvzldb785XW+/IB/9DCoPdT4qD3U+Kg91PioPdT4gIP0MKyJ+Pysifj8rIn4/KyJ+P/3mAf2FAv2FAv2FAv2FAv2FAiIQ/eUBIhMgBP0JAhQiFCAL/Qxnnj+/Z54/v2eeP79nnj+/IAz9DLFsET+xbBE/sWwRP7FsET8gIf0MP61iPz+tYj8/rWI/P61iPyAk/QzGjrW+xo61vsaOtb7GjrW+ICf9DKWPeL+lj3i/pY94v6WPeL8gKv0M79v2Pe/b9j3v2/Y979v2PSAF/YUC/YUC/YUC/YUC/YUC/YUCIhEgK/0MaMIpP2jCKT9owik/aMIpPyAs/QwSr1I/Eq9SPxKvUj8Sr1I/IC39DDLw7b4y8O2+MvDtvjLw7b4gLv0MOV1vvzldb785XW+/OV1vvyAN/QwqD3U+Kg91PioPdT4qD3U+IA79DCsifj8rIn4/KyJ+Pysifj/95gH9hQL9hQL9hQL9hQL9hQIiEv3kASIVIAT9CQIQIhb95gH9hgL9CwQAIEcgEyAWIBUgFP3mAf2FAv0LBBAgSCAK/QyxbBE/sWwRP7FsET+xbBE/IAn9DKWPeL+lj3i/pY94v6WPeL8gCP0M79v2Pe/b9j3v2/Y979v2PSAH/Qw/rWI/P61iPz+tYj8/rWI/IBr9DGeeP79nnj+/Z54/v2eeP78gGf0Mxo61vsaOtb7GjrW+xo61viAP/YUC/YUC/YUC/YUC/YUC/YUCIhMgG/0MEq9SvxKvUr8Sr1K/Eq9SvyAc/QwqD3W+Kg91vioPdb4qD3W+IB39DCsifj8rIn4/KyJ+Pysifj8gHv0MMvDtvjLw7b4y8O2+MvDtviAf/Qxowim/aMIpv2jCKb9owim/ICD9DDldbz85XW8/OV1vPzldbz/95gH9hQL9hQL9hQL9hQL9hQIiFP3lASIVIAT9CQIcIhYgC/0MsWwRP7FsET+xbBE/sWwRPyAM/Qylj3i/pY94v6WPeL+lj3i/ICH9DO/b9j3v2/Y979v2Pe/b9j0gJP0MP61iPz+tYj8/rWI/P61iPyAn/Qxnnj+/Z54/v2eeP79nnj+/ICr9DMaOtb7GjrW+xo61vsaOtb4gBf2FAv2FAv2FAv2FAv2FAv2FAiIxICv9DBKvUr8Sr1K/Eq9SvxKvUr8gLP0MKg91vioPdb4qD3W+Kg91viAt/QwrIn4/KyJ+Pysifj8rIn4/IC79DDLw7b4y8O2+MvDtvjLw7b4gDf0MaMIpv2jCKb9owim/aMIpvyAO/Qw5XW8/OV1vPzldbz85XW8//eYB/YUC/YUC/YUC/YUC/YUCIjL95AEiFyAE/QkCGCIY/eYB/YYC/QsEACBIIBUgGCAXIBb95gH9hQL9CwQQIEkgCv0Mxo61vsaOtb7GjrW+xo61viAJ/Qw/rWI/P61iPz+tYj8/rWI/IAj9DKWPeL+lj3i/pY94v6WPeL8gB/0MsWwRP7FsET+xbBE/sWwRPyAa/Qzv2/Y979v2Pe/b9j3v2/Y9IBn9DGeeP79nnj+/Z54/v2eeP78gD/2FAv2FAv2FAv2FAv2FAv2FAiIVIBv9DDldbz85XW8/OV1vPzldbz8gHP0MMvDtvjLw7b4y8O2+MvDtviAd/QwqD3W+Kg91vioPdb4qD3W+IB79DBKvUj8Sr1I/Eq9SPxKvUj8gH/0MKyJ+vysifr8rIn6/KyJ+vyAg/Qxowik/aMIpP2jCKT9owik//eYB/YUC/YUC/YUC/YUC/YUCIhb95QEiFyAE/QkCJCIYIAv9DMaOtb7GjrW+xo61vsaOtb4gDP0MP61iPz+tYj8/rWI/P61iPyAh/Qylj3i/pY94v6WPeL+lj3i/ICT9DLFsET+xbBE/sWwRP7FsET8gJ/0M79v2Pe/b9j3v2/Y979v2PSAq/Qxnnj+/Z54/v2eeP79nnj+/IAX9hQL9hQL9hQL9hQL9hQL9hQIiMyAr/Qw5XW8/OV1vPzldbz85XW8/ICz9DDLw7b4y8O2+MvDtvjLw7b4gLf0MKg91vioPdb4qD3W+Kg91viAu/QwSr1I/Eq9SPxKvUj8Sr1I/IA39DCsifr8rIn6/KyJ+vysifr8gDv0MaMIpP2jCKT9owik/aMIpP/3mAf2FAv2FAv2FAv2FAv2FAiI0/eQBIjUgBP0JAiAiNv3mAf2GAv0LBAAgSSAXIDYgNSAY/eYB/YUC/QsEECBKIAr9DO/b9j3v2/Y979v2Pe/b9j0gCf0Mxo61vsaOtb7GjrW+xo61viAI/QyxbBE/sWwRP7FsET+xbBE/IAf9DGeeP79nnj+/Z54/v2eeP78gGv0MP61iPz+tYj8/rWI/P61iPyAZ/Qylj3i/pY94v6WPeL+lj3i/IA/9hQL9hQL9hQL9hQL9hQL9hQIiByAb/QwrIn6/KyJ+vysifr8rIn6/IBz9DDldbz85XW8/OV1vPzldbz8gHf0MEq9SvxKvUr8Sr1K/Eq9SvyAe/Qxowik/aMIpP2jCKT9owik/IB/9DDLw7b4y8O2+MvDtvjLw7b4gIP0MKg91PioPdT4qD3U+Kg91Pv3mAf2FAv2FAv2FAv2FAv2FAiII/eUBIgkgBP0JAiwiCiAL/Qzv2/Y979v2Pe/b9j3v2/Y9IAz9DMaOtb7GjrW+xo61vsaOtb4gIf0MsWwRP7FsET+xbBE/sWwRPyAk/Qxnnj+/Z54/v2eeP79nnj+/ICf9DD+tYj8/rWI/P61iPz+tYj8gKv0MpY94v6WPeL+lj3i/pY94vyAF/YUC/YUC/YUC/YUC/YUC/YUCIgUgK/0MKyJ+vysifr8rIn6/KyJ+vyAs/Qw5XW8/OV1vPzldbz85XW8/IC39DBKvUr8Sr1K/Eq9SvxKvUr8gLv0MaMIpP2jCKT9owik/aMIpPyAN/Qwy8O2+MvDtvjLw7b4y8O2+IA79DCoPdT4qD3U+Kg91PioPdT795gH9hQL9hQL9hQL9hQL9hQIiC/3kASIMIAT9CQIoIg395gH9hgL9CwQAIEogCSANIAwgCv3mAf2FAv0LBBAgSyAHIAj95AEiByAE/QkCNCIIIAUgC/3lASIFIAT9CQIwIgn95gH9hgL9CwQAIEsgByAJIAUgCP3mAf2FAv0LBBAgTCAVIBb95AEiBSAE/QkCPCIHIDMgNP3lASIIIAT9CQI4Ign95gH9hgL9CwQAIEwgBSAJIAggB/3mAf2FAv0LBBAgTSATIBT95AEiBSAE/QkCRCIHIDEgMv3lASIIIAT9CQJAIgn95gH9hgL9CwQAIE0gBSAJIAggB/3mAf2FAv0LBBAgTiApIBD95AEiBSAE/QkCTCIHIBEgEv3lASIIIAT9CQJIIgn95gH9hgL9CwQAIE4gBSAJIAggB/3mAf2FAv0LBBAgTyAjICX95AEiBSAE/QkCVCIHICYgKP3lASIIIAT9CQJQIgn95gH9hgL9CwQAIE8gBSAJIAggB/3mAf2FAv0LBBAgUCAwICL95AEiBSAE/QkCXCIHIAYgL/3lASIGIAT9CQJYIgj95gH9hgL9CwQAIFAgBSAIIAYgB/3mAf2FAv0LBBAgAEEgaiEAIAFBIGohAQwBCwsgBEHgAGohBCABIAJBDGxqIQEgOEEBaiE4DAELCwvBGwIqexd/IAIgA2whLwNAIAMgMEsEQCAAIAJqIUUDQCAAIEVJBEAgACAvaiIxIC9qIjIgL2oiMyAvaiI0IC9qIjUgL2oiNiAvaiI3IC9qIjggL2oiOSAvaiE6IAEgAmoiOyACaiI8IAJqIj0gAmoiPiACaiI/IAJqIkAgAmoiQSACaiJCIAJqIkMgAmohRCAx/QAEECILIDr9AAQQIgz95AEhFCAy/QAEECIKIDn9AAQQIg395AEhFSAz/QAEECIOIDj9AAQQIg/95AEhFiA0/QAEECIQIDf9AAQQIhH95AEhBSA1/QAEECISIDb9AAQQIhP95AEhBiA1/QAEACIXIDb9AAQAIhj95AEiB/0MVaF1v1Whdb9VoXW/VaF1vyA0/QAEACIZIDf9AAQAIhr95AEiCP0M9KQnv/SkJ7/0pCe/9KQnvyAz/QAEACIbIDj9AAQAIhz95AEiCf0M+7oRvvu6Eb77uhG++7oRviAy/QAEACIdIDn9AAQAIh795AEiH/0MR7HUPkex1D5HsdQ+R7HUPiAx/QAEACIgIDr9AAQAIiH95AEiIv0MZFxXP2RcVz9kXFc/ZFxXPyAA/QAEACIj/YUC/YUC/YUC/YUC/YUCIiQgEiAT/eUBIiX9DEA/kD5AP5A+QD+QPkA/kD4gECAR/eUBIib9DM54QT/OeEE/znhBP854QT8gDiAP/eUBIif9DPBkfT/wZH0/8GR9P/BkfT8gCiAN/eUBIgr9DKTdaD+k3Wg/pN1oP6TdaD8gCyAM/eUBIgv9DHBnCj9wZwo/cGcKP3BnCj/95gH9hQL9hQL9hQL9hQIiKP3kASENIAb9DFWhdb9VoXW/VaF1v1Whdb8gBf0M9KQnv/SkJ7/0pCe/9KQnvyAW/Qz7uhG++7oRvvu6Eb77uhG+IBX9DEex1D5HsdQ+R7HUPkex1D4gFP0MZFxXP2RcVz9kXFc/ZFxXPyAA/QAEECIM/YUC/YUC/YUC/YUC/YUCIikgFyAY/eUBIhf9DEA/kD5AP5A+QD+QPkA/kD4gGSAa/eUBIhj9DM54QT/OeEE/znhBP854QT8gGyAc/eUBIhn9DPBkfT/wZH0/8GR9P/BkfT8gHSAe/eUBIhr9DKTdaD+k3Wg/pN1oP6TdaD8gICAh/eUBIhv9DHBnCj9wZwo/cGcKP3BnCj/95gH9hQL9hQL9hQL9hQIiHP3lASEOIAEgIyAi/eQBIB/95AEgCf3kASAI/eQBIAf95AH9CwQAIAEgDCAU/eQBIBX95AEgFv3kASAF/eQBIAb95AH9CwQQIDsgDiAE/QkCBCIPIA0gBP0JAgAiEP3mAf2GAv0LBAAgOyAOIBAgDSAP/eYB/YUC/QsEECA8IAb9DGRcVz9kXFc/ZFxXP2RcVz8gBf0M+7oRvvu6Eb77uhG++7oRviAW/QxVoXW/VaF1v1Whdb9VoXW/IBX9DPSkJ7/0pCe/9KQnv/SkJ78gFP0MR7HUPkex1D5HsdQ+R7HUPiAM/YUC/YUC/YUC/YUC/YUCIh0gF/0McGcKv3BnCr9wZwq/cGcKvyAY/QzwZH2/8GR9v/Bkfb/wZH2/IBn9DEA/kL5AP5C+QD+QvkA/kL4gGv0MznhBP854QT/OeEE/znhBPyAb/Qyk3Wg/pN1oP6TdaD+k3Wg//eYB/YUC/YUC/YUC/YUCIh795QEiDSAE/QkCDCIOIAf9DGRcVz9kXFc/ZFxXP2RcVz8gCP0M+7oRvvu6Eb77uhG++7oRviAJ/QxVoXW/VaF1v1Whdb9VoXW/IB/9DPSkJ7/0pCe/9KQnv/SkJ78gIv0MR7HUPkex1D5HsdQ+R7HUPiAj/YUC/YUC/YUC/YUC/YUCIiAgJf0McGcKv3BnCr9wZwq/cGcKvyAm/QzwZH2/8GR9v/Bkfb/wZH2/ICf9DEA/kL5AP5C+QD+QvkA/kL4gCv0MznhBP854QT/OeEE/znhBPyAL/Qyk3Wg/pN1oP6TdaD+k3Wg//eYB/YUC/YUC/YUC/YUCIiH95AEiDyAE/QkCCCIQ/eYB/YYC/QsEACA8IA0gECAPIA795gH9hQL9CwQQID0gBv0M9KQnv/SkJ7/0pCe/9KQnvyAF/QxkXFc/ZFxXP2RcVz9kXFc/IBb9DEex1D5HsdQ+R7HUPkex1D4gFf0MVaF1v1Whdb9VoXW/VaF1vyAU/Qz7uhG++7oRvvu6Eb77uhG+IAz9hQL9hQL9hQL9hQL9hQIiDSAX/QzOeEE/znhBP854QT/OeEE/IBj9DHBnCj9wZwo/cGcKP3BnCj8gGf0MpN1ov6TdaL+k3Wi/pN1ovyAa/QxAP5C+QD+QvkA/kL5AP5C+IBv9DPBkfT/wZH0/8GR9P/BkfT/95gH9hQL9hQL9hQL9hQIiDv3lASIQIAT9CQIUIhEgB/0M9KQnv/SkJ7/0pCe/9KQnvyAI/QxkXFc/ZFxXP2RcVz9kXFc/IAn9DEex1D5HsdQ+R7HUPkex1D4gH/0MVaF1v1Whdb9VoXW/VaF1vyAi/Qz7uhG++7oRvvu6Eb77uhG+ICP9hQL9hQL9hQL9hQL9hQIiDyAl/QzOeEE/znhBP854QT/OeEE/ICb9DHBnCj9wZwo/cGcKP3BnCj8gJ/0MpN1ov6TdaL+k3Wi/pN1ovyAK/QxAP5C+QD+QvkA/kL5AP5C+IAv9DPBkfT/wZH0/8GR9P/BkfT/95gH9hQL9hQL9hQL9hQIiKv3kASISIAT9CQIQIhP95gH9hgL9CwQAID0gECATIBIgEf3mAf2FAv0LBBAgPiAG/QxHsdQ+R7HUPkex1D5HsdQ+IAX9DFWhdb9VoXW/VaF1v1Whdb8gFv0MZFxXP2RcVz9kXFc/ZFxXPyAV/Qz7uhG++7oRvvu6Eb77uhG+IBT9DPSkJ7/0pCe/9KQnv/SkJ78gDP2FAv2FAv2FAv2FAv2FAiIQIBf9DKTdaL+k3Wi/pN1ov6TdaL8gGP0MQD+QPkA/kD5AP5A+QD+QPiAZ/QxwZwo/cGcKP3BnCj9wZwo/IBr9DPBkfb/wZH2/8GR9v/Bkfb8gG/0MznhBP854QT/OeEE/znhBP/3mAf2FAv2FAv2FAv2FAiIR/eUBIhIgBP0JAhwiEyAH/QxHsdQ+R7HUPkex1D5HsdQ+IAj9DFWhdb9VoXW/VaF1v1Whdb8gCf0MZFxXP2RcVz9kXFc/ZFxXPyAf/Qz7uhG++7oRvvu6Eb77uhG+ICL9DPSkJ7/0pCe/9KQnv/SkJ78gI/2FAv2FAv2FAv2FAv2FAiIrICX9DKTdaL+k3Wi/pN1ov6TdaL8gJv0MQD+QPkA/kD5AP5A+QD+QPiAn/QxwZwo/cGcKP3BnCj9wZwo/IAr9DPBkfb/wZH2/8GR9v/Bkfb8gC/0MznhBP854QT/OeEE/znhBP/3mAf2FAv2FAv2FAv2FAiIs/eQBIi0gBP0JAhgiLv3mAf2GAv0LBAAgPiASIC4gLSAT/eYB/YUC/QsEECA/IAb9DPu6Eb77uhG++7oRvvu6Eb4gBf0MR7HUPkex1D5HsdQ+R7HUPiAW/Qz0pCe/9KQnv/SkJ7/0pCe/IBX9DGRcVz9kXFc/ZFxXP2RcVz8gFP0MVaF1v1Whdb9VoXW/VaF1vyAM/YUC/YUC/YUC/YUC/YUCIgUgF/0M8GR9P/BkfT/wZH0/8GR9PyAY/Qyk3Wi/pN1ov6TdaL+k3Wi/IBn9DM54QT/OeEE/znhBP854QT8gGv0McGcKv3BnCr9wZwq/cGcKvyAb/QxAP5A+QD+QPkA/kD5AP5A+/eYB/YUC/YUC/YUC/YUCIgb95QEiDCAE/QkCJCISIAf9DPu6Eb77uhG++7oRvvu6Eb4gCP0MR7HUPkex1D5HsdQ+R7HUPiAJ/Qz0pCe/9KQnv/SkJ7/0pCe/IB/9DGRcVz9kXFc/ZFxXP2RcVz8gIv0MVaF1v1Whdb9VoXW/VaF1vyAj/YUC/YUC/YUC/YUC/YUCIgcgJf0M8GR9P/BkfT/wZH0/8GR9PyAm/Qyk3Wi/pN1ov6TdaL+k3Wi/ICf9DM54QT/OeEE/znhBP854QT8gCv0McGcKv3BnCr9wZwq/cGcKvyAL/QxAP5A+QD+QPkA/kD5AP5A+/eYB/YUC/YUC/YUC/YUCIgj95AEiCSAE/QkCICIK/eYB/YYC/QsEACA/IAwgCiAJIBL95gH9hQL9CwQQIEAgBSAG/eQBIgUgBP0JAiwiBiAHIAj95QEiByAE/QkCKCII/eYB/YYC/QsEACBAIAUgCCAHIAb95gH9hQL9CwQQIEEgECAR/eQBIgUgBP0JAjQiBiArICz95QEiByAE/QkCMCII/eYB/YYC/QsEACBBIAUgCCAHIAb95gH9hQL9CwQQIEIgDSAO/eQBIgUgBP0JAjwiBiAPICr95QEiByAE/QkCOCII/eYB/YYC/QsEACBCIAUgCCAHIAb95gH9hQL9CwQQIEMgHSAe/eQBIgUgBP0JAkQiBiAgICH95QEiByAE/QkCQCII/eYB/YYC/QsEACBDIAUgCCAHIAb95gH9hQL9CwQQIEQgKSAc/eQBIgUgBP0JAkwiBiAkICj95QEiByAE/QkCSCII/eYB/YYC/QsEACBEIAUgCCAHIAb95gH9hQL9CwQQIABBIGohACABQSBqIQEMAQsLIARB0ABqIQQgASACQQpsaiEBIDBBAWohMAwBCwsL7QoCBn8OewJAAkACQAJAAkAgAEECaw4EAAECAwQLIAEgA2ohAANAIAAgAUsEQCAB/QAEACIMIAEgA2oiBv0ABAAiDf3kASEOIAIgAf0ABBAiDyAG/QAEECIQ/eQBIhEgBCARIAX95gH9hQIiESAOIAQgDiAF/eYB/YUCIg79DQABAgMQERITBAUGBxQVFhf9CwQAIAIgESAO/Q0ICQoLGBkaGwwNDg8cHR4f/QsEECACIANqIgYgDyAQ/eUBIg4gBCAOIAX95gH9hQIiDiAMIA395QEiDCAEIAwgBf3mAf2FAiIM/Q0AAQIDEBESEwQFBgcUFRYX/QsEACAGIA4gDP0NCAkKCxgZGhsMDQ4PHB0eH/0LBBAgAUEgaiEBIAJBIGohAgwBCwsMAwsgASADaiEAA0AgACABSwRAIAEgA2oiBiADaiEHIAIgA2oiCCADaiEJIAIgAf0ABBAiDCAG/QAEECINIAf9AAQQIg795AEiD/3kASIQIAQgECAF/eYB/YUCIhAgAf0ABAAiESAG/QAEACISIAf9AAQAIhP95AEiFP3kASIVIAQgFSAF/eYB/YUCIhX9DQABAgMQERITBAUGBxQVFhf9CwQAIAIgECAV/Q0ICQoLGBkaGwwNDg8cHR4f/QsEECAIIA/9DAAAAL8AAAC/AAAAvwAAAL8gDP2FAiIMIBIgE/3lAf0M17NdP9ezXT/Xs10/17NdP/3mASIP/eUBIhAgBCAQIAX95gH9hQIiECAU/QwAAAC/AAAAvwAAAL8AAAC/IBH9hQIiESANIA795QH9DNezXT/Xs10/17NdP9ezXT/95gEiDf3kASIOIAQgDiAF/eYB/YUCIg79DQABAgMQERITBAUGBxQVFhf9CwQAIAggECAO/Q0ICQoLGBkaGwwNDg8cHR4f/QsEECAJIAwgD/3kASIMIAQgDCAF/eYB/YUCIgwgESAN/eUBIg0gBCANIAX95gH9hQIiDf0NAAECAxAREhMEBQYHFBUWF/0LBAAgCSAMIA39DQgJCgsYGRobDA0ODxwdHh/9CwQQIAFBIGohASACQSBqIQIMAQsLDAILIAEgA2ohBwNAIAEgB0kEQCABIANqIgggA2oiCSADaiEKIAIgA2oiACADaiIGIANqIQsgAiAB/QAEECIPIAn9AAQQIhD95AEiESAI/QAEECISIAr9AAQQIhP95AEiFP3kASIMIAQgDCAF/eYB/YUCIhUgAf0ABAAiDCAJ/QAEACIN/eQBIg4gCP0ABAAiFiAK/QAEACIX/eQBIhj95AEiGSAEIBkgBf3mAf2FAiIZ/Q0AAQIDEBESEwQFBgcUFRYX/QsEACACIBUgGf0NCAkKCxgZGhsMDQ4PHB0eH/0LBBAgACAPIBD95QEiDyAWIBf95QEiEP3lASIVIAQgFSAF/eYB/YUCIhUgDCAN/eUBIgwgEiAT/eUBIg395AEiEiAEIBIgBf3mAf2FAiIS/Q0AAQIDEBESEwQFBgcUFRYX/QsEACAAIBUgEv0NCAkKCxgZGhsMDQ4PHB0eH/0LBBAgBiARIBT95QEiESAEIBEgBf3mAf2FAiIRIA4gGP3lASIOIAQgDiAF/eYB/YUCIg79DQABAgMQERITBAUGBxQVFhf9CwQAIAYgESAO/Q0ICQoLGBkaGwwNDg8cHR4f/QsEECALIA8gEP3kASIOIAQgDiAF/eYB/YUCIg4gDCAN/eUBIgwgBCAMIAX95gH9hQIiDP0NAAECAxAREhMEBQYHFBUWF/0LBAAgCyAOIAz9DQgJCgsYGRobDA0ODxwdHh/9CwQQIAFBIGohASACQSBqIQIMAQsLDAELIAEgAiADIAQgBRAnCwvrCAIOewZ/AkACQAJAAkACQCAAQQJrDgQAAQIDBAsgASADaiEAA0AgACABSwRAIAIgAf0ABAAiBCABIANqIhL9AAQAIgX95AEiBiAB/QAEECIHIBL9AAQQIgj95AEiCf0NAAECAxAREhMEBQYHFBUWF/0LBAAgAiAGIAn9DQgJCgsYGRobDA0ODxwdHh/9CwQQIAIgA2oiEiAEIAX95QEiBCAHIAj95QEiBf0NAAECAxAREhMEBQYHFBUWF/0LBAAgEiAEIAX9DQgJCgsYGRobDA0ODxwdHh/9CwQQIAFBIGohASACQSBqIQIMAQsLDAMLIAEgA2ohAANAIAAgAUsEQCABIANqIhIgA2ohEyACIANqIhQgA2ohFSACIAH9AAQAIgQgEv0ABAAiBSAT/QAEACIG/eQBIgf95AEiCCAB/QAEECIJIBL9AAQQIgogE/0ABBAiC/3kASIM/eQBIg39DQABAgMQERITBAUGBxQVFhf9CwQAIAIgCCAN/Q0ICQoLGBkaGwwNDg8cHR4f/QsEECAUIAf9DAAAAL8AAAC/AAAAvwAAAL8gBP2FAiIEIAogC/3lAf0M17NdP9ezXT/Xs10/17NdP/3mASIH/eQBIgggDP0MAAAAvwAAAL8AAAC/AAAAvyAJ/YUCIgkgBSAG/eUB/QzXs10/17NdP9ezXT/Xs10//eYBIgX95QEiBv0NAAECAxAREhMEBQYHFBUWF/0LBAAgFCAIIAb9DQgJCgsYGRobDA0ODxwdHh/9CwQQIBUgBCAH/eUBIgQgCSAF/eQBIgX9DQABAgMQERITBAUGBxQVFhf9CwQAIBUgBCAF/Q0ICQoLGBkaGwwNDg8cHR4f/QsEECABQSBqIQEgAkEgaiECDAELCwwCCyABIANqIRMDQCABIBNJBEAgASADaiIUIANqIhUgA2ohFiACIANqIgAgA2oiEiADaiEXIAIgAf0ABAAiCCAV/QAEACIJ/eQBIgogFP0ABAAiCyAW/QAEACIM/eQBIg395AEiBCAB/QAEECIFIBX9AAQQIgb95AEiByAU/QAEECIOIBb9AAQQIg/95AEiEP3kASIR/Q0AAQIDEBESEwQFBgcUFRYX/QsEACACIAQgEf0NCAkKCxgZGhsMDQ4PHB0eH/0LBBAgACAIIAn95QEiBCAOIA/95QEiCP3kASIJIAUgBv3lASIFIAsgDP3lASIG/eUBIgv9DQABAgMQERITBAUGBxQVFhf9CwQAIAAgCSAL/Q0ICQoLGBkaGwwNDg8cHR4f/QsEECASIAogDf3lASIJIAcgEP3lASIH/Q0AAQIDEBESEwQFBgcUFRYX/QsEACASIAkgB/0NCAkKCxgZGhsMDQ4PHB0eH/0LBBAgFyAEIAj95QEiBCAFIAb95AEiBf0NAAECAxAREhMEBQYHFBUWF/0LBAAgFyAEIAX9DQgJCgsYGRobDA0ODxwdHh/9CwQQIAFBIGohASACQSBqIQIMAQsLDAELIAEgAiADECgLC6AIAgl/EnsgACACaiENA0AgACANSQRAIAAgAmoiBSACaiIGIAJqIgcgAmohCCABIAJqIgkgAmoiCiACaiILIAJqIQwgBf0ABAAiEyAI/QAEACIU/eQBIhUgBv0ABAAiFiAH/QAEACIX/eQBIhj95AEiGf0MAACAvgAAgL4AAIC+AACAviAA/QAEACIa/YUCIQ4gBf0ABBAiGyAI/QAEECIP/eQBIhAgBv0ABBAiESAH/QAEECIc/eQBIh395AEiEv0MAACAvgAAgL4AAIC+AACAviAA/QAEECIe/YUCIR8gASAeIBL95AEiEiADIBIgBP3mAf2FAiISIBogGf3kASIZIAMgGSAE/eYB/YUCIhn9DQABAgMQERITBAUGBxQVFhf9CwQAIAEgEiAZ/Q0ICQoLGBkaGwwNDg8cHR4f/QsEECAJIBAgHf3lASIQ/Qy9Gw8/vRsPP70bDz+9Gw8/IB/9hQIiEiAWIBf95QEiFv0MGHkWPxh5Fj8YeRY/GHkWPyATIBT95QEiE/0McXhzP3F4cz9xeHM/cXhzP/3mAf2FAiIU/eUBIhcgAyAXIAT95gH9hQIiFyAVIBj95QEiFf0MvRsPP70bDz+9Gw8/vRsPPyAO/YUCIhggESAc/eUBIhH9DBh5Fj8YeRY/GHkWPxh5Fj8gGyAP/eUBIg/9DHF4cz9xeHM/cXhzP3F4cz/95gH9hQIiGf3kASIaIAMgGiAE/eYB/YUCIhr9DQABAgMQERITBAUGBxQVFhf9CwQAIAkgFyAa/Q0ICQoLGBkaGwwNDg8cHR4f/QsEECAKIBD9DL0bD7+9Gw+/vRsPv70bD78gH/2FAiIQIBb9DHF4c79xeHO/cXhzv3F4c78gE/0MGHkWPxh5Fj8YeRY/GHkWP/3mAf2FAiIT/eUBIhYgAyAWIAT95gH9hQIiFiAV/Qy9Gw+/vRsPv70bD7+9Gw+/IA79hQIiDiAR/QxxeHO/cXhzv3F4c79xeHO/IA/9DBh5Fj8YeRY/GHkWPxh5Fj/95gH9hQIiD/3kASIRIAMgESAE/eYB/YUCIhH9DQABAgMQERITBAUGBxQVFhf9CwQAIAogFiAR/Q0ICQoLGBkaGwwNDg8cHR4f/QsEECALIBAgE/3kASIQIAMgECAE/eYB/YUCIhAgDiAP/eUBIg4gAyAOIAT95gH9hQIiDv0NAAECAxAREhMEBQYHFBUWF/0LBAAgCyAQIA79DQgJCgsYGRobDA0ODxwdHh/9CwQQIAwgEiAU/eQBIg4gAyAOIAT95gH9hQIiDiAYIBn95QEiDyADIA8gBP3mAf2FAiIP/Q0AAQIDEBESEwQFBgcUFRYX/QsEACAMIA4gD/0NCAkKCxgZGhsMDQ4PHB0eH/0LBBAgAEEgaiEAIAFBIGohAQwBCwsLlAcCEnsJfyAAIAJqIR0DQCAAIB1JBEAgACACaiIVIAJqIhYgAmoiFyACaiEYIAEgAmoiGSACaiIaIAJqIhsgAmohHCAV/QAEACIHIBj9AAQAIgj95AEiCSAW/QAEACIKIBf9AAQAIgv95AEiDP3kASIN/QwAAIC+AACAvgAAgL4AAIC+IAD9AAQAIg79hQIhDyAV/QAEECIDIBj9AAQQIgT95AEiBSAW/QAEECIGIBf9AAQQIhD95AEiEf3kASIS/QwAAIC+AACAvgAAgL4AAIC+IAD9AAQQIhP9hQIhFCABIA4gDf3kASINIBMgEv3kASIO/Q0AAQIDEBESEwQFBgcUFRYX/QsEACABIA0gDv0NCAkKCxgZGhsMDQ4PHB0eH/0LBBAgGSAJIAz95QEiCf0MvRsPP70bDz+9Gw8/vRsPPyAP/YUCIgwgBiAQ/eUBIgb9DBh5Fj8YeRY/GHkWPxh5Fj8gAyAE/eUBIgP9DHF4cz9xeHM/cXhzP3F4cz/95gH9hQIiBP3kASINIAUgEf3lASIF/Qy9Gw8/vRsPP70bDz+9Gw8/IBT9hQIiDiAKIAv95QEiCv0MGHkWPxh5Fj8YeRY/GHkWPyAHIAj95QEiB/0McXhzP3F4cz9xeHM/cXhzP/3mAf2FAiII/eUBIgv9DQABAgMQERITBAUGBxQVFhf9CwQAIBkgDSAL/Q0ICQoLGBkaGwwNDg8cHR4f/QsEECAaIAn9DL0bD7+9Gw+/vRsPv70bD78gD/2FAiIJIAb9DHF4c79xeHO/cXhzv3F4c78gA/0MGHkWPxh5Fj8YeRY/GHkWP/3mAf2FAiID/eQBIgYgBf0MvRsPv70bD7+9Gw+/vRsPvyAU/YUCIgUgCv0McXhzv3F4c79xeHO/cXhzvyAH/QwYeRY/GHkWPxh5Fj8YeRY//eYB/YUCIgf95QEiCv0NAAECAxAREhMEBQYHFBUWF/0LBAAgGiAGIAr9DQgJCgsYGRobDA0ODxwdHh/9CwQQIBsgCSAD/eUBIgMgBSAH/eQBIgX9DQABAgMQERITBAUGBxQVFhf9CwQAIBsgAyAF/Q0ICQoLGBkaGwwNDg8cHR4f/QsEECAcIAwgBP3lASIDIA4gCP3kASIE/Q0AAQIDEBESEwQFBgcUFRYX/QsEACAcIAMgBP0NCAkKCxgZGhsMDQ4PHB0eH/0LBBAgAEEgaiEAIAFBIGohAQwBCwsLuQcCE3sGfyACQQN0IRggAkEEayEZA0AgAiAXSwRAIAAgFyAZIBcgGUkbIhpBA3RqIhv9AAQAIgQgG/0ABBAiBf0NAAECAwgJCgsQERITGBkaGyIGIBsgGEEBdGoiHP0ABAAiByAc/QAEECII/Q0AAQIDCAkKCxAREhMYGRobIgn95AEiCiAYIBtqIhz9AAQAIgsgHP0ABBAiDP0NAAECAwgJCgsQERITGBkaGyINIBsgGEEDbGoiG/0ABAAiDiAb/QAEECIP/Q0AAQIDCAkKCxAREhMYGRobIhD95AEiEf3kASESIAEgGkEFdGoiGiAEIAX9DQQFBgcMDQ4PFBUWFxwdHh8iBCAHIAj9DQQFBgcMDQ4PFBUWFxwdHh8iBf3kASIHIAsgDP0NBAUGBwwNDg8UFRYXHB0eHyIIIA4gD/0NBAUGBwwNDg8UFRYXHB0eHyIL/eQBIgz95AEiDiAGIAn95QEiCSAIIAv95QEiCP3lASILIAP9AAQQIg8gBCAF/eUBIhMgDSAQ/eUBIg395AEiECAD/QAEACIE/eYB/YYCIgX9DQABAgMQERITBAUGBxQVFhciFCAKIBH95QEiCiAD/QAEMCIRIAcgDP3lASIMIAP9AAQgIgb95gH9hgIiFSAJIAj95AEiCCAD/QAEUCIHIBMgDf3lASIJIAP9AARAIg395gH9hgIiE/0NAAECAxAREhMEBQYHFBUWFyIW/Q0AAQIDBAUGBxAREhMUFRYX/QsEACAaIBQgFv0NCAkKCwwNDg8YGRobHB0eH/0LBCAgGiAOIAX9DQgJCgsYGRobDA0ODxwdHh8iBSAVIBP9DQgJCgsYGRobDA0ODxwdHh8iDv0NAAECAwQFBgcQERITFBUWF/0LBEAgGiAFIA79DQgJCgsMDQ4PGBkaGxwdHh/9CwRgIBogEiALIAQgECAP/eYB/YUCIgT9DQABAgMQERITBAUGBxQVFhciBSAKIAYgDCAR/eYB/YUCIgYgCCANIAkgB/3mAf2FAiIH/Q0AAQIDEBESEwQFBgcUFRYXIgj9DQABAgMEBQYHEBESExQVFhf9CwQQIBogBSAI/Q0ICQoLDA0ODxgZGhscHR4f/QsEMCAaIBIgBP0NCAkKCxgZGhsMDQ4PHB0eHyIEIAYgB/0NCAkKCxgZGhsMDQ4PHB0eHyIF/Q0AAQIDBAUGBxAREhMUFRYX/QsEUCAaIAQgBf0NCAkKCwwNDg8YGRobHB0eH/0LBHAgA0HgAGohAyAXQQRqIRcMAQsLC7MKAhh7CH8gAkEDdCEdIAJBBGshHwNAIAIgHksEQCAeIB8gHiAfSRsiIkEDdCIgIABqIiP9AAQAIgcgI/0ABBAiCP0NAAECAwgJCgsQERITGBkaGyEJIAQgIGoiIP0ABAAiCiAg/QAEECIL/Q0AAQIDCAkKCxAREhMYGRobIQwgHSAjaiIh/QAEACINICH9AAQQIg79DQABAgMICQoLEBESExgZGhshDyAdICBqIiH9AAQAIhAgIf0ABBAiEf0NAAECAwgJCgsQERITGBkaGyESIB1BAXQiISAjaiIk/QAEACITICT9AAQQIhT9DQABAgMICQoLEBESExgZGhshFSAgICFqIiH9AAQAIhYgIf0ABBAiF/0NAAECAwgJCgsQERITGBkaGyEFIB1BA2wiISAjaiIj/QAEACIYICP9AAQQIhn9DQABAgMICQoLEBESExgZGhshGiAgICFqIiD9AAQAIgYgIP0ABBAiG/0NAAECAwgJCgsQERITGBkaGyEcIAcgCP0NBAUGBwwNDg8UFRYXHB0eHyIHIAogC/0NBAUGBwwNDg8UFRYXHB0eHyIIIAkgDP3mAf2GAiIKIBMgFP0NBAUGBwwNDg8UFRYXHB0eHyILIBYgF/0NBAUGBwwNDg8UFRYXHB0eHyITIBUgBf3mAf2GAiIU/eQBIhYgDSAO/Q0EBQYHDA0ODxQVFhccHR4fIg0gECAR/Q0EBQYHDA0ODxQVFhccHR4fIg4gDyAS/eYB/YYCIhAgGCAZ/Q0EBQYHDA0ODxQVFhccHR4fIhEgBiAb/Q0EBQYHDA0ODxQVFhccHR4fIgYgGiAc/eYB/YYCIhf95AEiGP3kASEZIAEgIkEFdGoiICAHIAwgCSAI/eYB/YUCIgcgCyAFIBUgE/3mAf2FAiIF/eQBIgggDSASIA8gDv3mAf2FAiIJIBEgHCAaIAb95gH9hQIiBv3kASIL/eQBIgwgCiAU/eUBIgogCSAG/eUBIgb95QEiCSAD/QAEECINIAcgBf3lASIFIBAgF/3lASIH/eQBIg4gA/0ABAAiD/3mAf2GAiIQ/Q0AAQIDEBESEwQFBgcUFRYXIhEgFiAY/eUBIhIgA/0ABDAiEyAIIAv95QEiCCAD/QAEICIL/eYB/YYCIhQgCiAG/eQBIgYgA/0ABFAiCiAFIAf95QEiBSAD/QAEQCIH/eYB/YYCIhX9DQABAgMQERITBAUGBxQVFhciFv0NAAECAwQFBgcQERITFBUWF/0LBAAgICARIBb9DQgJCgsMDQ4PGBkaGxwdHh/9CwQgICAgDCAQ/Q0ICQoLGBkaGwwNDg8cHR4fIgwgFCAV/Q0ICQoLGBkaGwwNDg8cHR4fIhD9DQABAgMEBQYHEBESExQVFhf9CwRAICAgDCAQ/Q0ICQoLDA0ODxgZGhscHR4f/QsEYCAgIBkgCSAPIA4gDf3mAf2FAiIJ/Q0AAQIDEBESEwQFBgcUFRYXIgwgEiALIAggE/3mAf2FAiIIIAYgByAFIAr95gH9hQIiBf0NAAECAxAREhMEBQYHFBUWFyIG/Q0AAQIDBAUGBxAREhMUFRYX/QsEECAgIAwgBv0NCAkKCwwNDg8YGRobHB0eH/0LBDAgICAZIAn9DQgJCgsYGRobDA0ODxwdHh8iBiAIIAX9DQgJCgsYGRobDA0ODxwdHh8iBf0NAAECAwQFBgcQERITFBUWF/0LBFAgICAGIAX9DQgJCgsMDQ4PGBkaGxwdHh/9CwRwIANB4ABqIQMgHkEEaiEeDAELCwvVCQIaewV/IAJBA3QiISAAaiEgA0AgACAgSQRAIAAgIWoiIiAhaiICICFqIR8gBP0ABAAiBiAE/QAEECIH/Q0AAQIDCAkKCxAREhMYGRobIQogBCAhaiIj/QAEACILICP9AAQQIgz9DQABAgMICQoLEBESExgZGhshDSAEICFBAXRqIiP9AAQAIg4gI/0ABBAiD/0NAAECAwgJCgsQERITGBkaGyEQIAQgIUEDbGoiI/0ABAAiESAj/QAEECIS/Q0AAQIDCAkKCxAREhMYGRobIRMgAP0ABBAiFCAC/QAEECIV/eQBIhYgIv0ABBAiFyAf/QAEECIY/eQBIhn95AEiBSAGIAf9DQQFBgcMDQ4PFBUWFxwdHh8iBiAA/QAEACIHIAL9AAQAIhr95AEiCCAi/QAEACIJIB/9AAQAIhv95AEiHP3kASIdIAr95gH9hgIiHiAWIBn95QEiFiAOIA/9DQQFBgcMDQ4PFBUWFxwdHh8iDiAIIBz95QEiCCAQ/eYB/YYCIg/95AEiGSAUIBX95QEiFCAJIBv95QEiCf3lASIVIAsgDP0NBAUGBwwNDg8UFRYXHB0eHyILIAcgGv3lASIHIBcgGP3lASIM/eQBIhcgDf3mAf2GAiIYIBQgCf3kASIJIBEgEv0NBAUGBwwNDg8UFRYXHB0eHyIRIAcgDP3lASIHIBP95gH9hgIiDP3kASIS/eQBIRQgASAFIAogHSAG/eYB/YUCIgUgFiAQIAggDv3mAf2FAiIG/eQBIgggFSANIBcgC/3mAf2FAiIKIAkgEyAHIBH95gH9hQIiB/3kASIJ/eQBIgsgHiAP/eUBIg0gCiAH/eUBIgf95QEiCiAD/QAEECIOIAUgBv3lASIFIBggDP3lASIG/eQBIgwgA/0ABAAiD/3mAf2GAiIQ/Q0AAQIDEBESEwQFBgcUFRYXIhEgGSAS/eUBIhIgA/0ABDAiEyAIIAn95QEiCCAD/QAEICIJ/eYB/YYCIhUgDSAH/eQBIgcgA/0ABFAiDSAFIAb95QEiBSAD/QAEQCIG/eYB/YYCIhb9DQABAgMQERITBAUGBxQVFhciF/0NAAECAwQFBgcQERITFBUWF/0LBAAgASARIBf9DQgJCgsMDQ4PGBkaGxwdHh/9CwQgIAEgCyAQ/Q0ICQoLGBkaGwwNDg8cHR4fIgsgFSAW/Q0ICQoLGBkaGwwNDg8cHR4fIhD9DQABAgMEBQYHEBESExQVFhf9CwRAIAEgCyAQ/Q0ICQoLDA0ODxgZGhscHR4f/QsEYCABIBQgCiAPIAwgDv3mAf2FAiIK/Q0AAQIDEBESEwQFBgcUFRYXIgsgEiAJIAggE/3mAf2FAiIIIAcgBiAFIA395gH9hQIiBf0NAAECAxAREhMEBQYHFBUWFyIG/Q0AAQIDBAUGBxAREhMUFRYX/QsEECABIAsgBv0NCAkKCwwNDg8YGRobHB0eH/0LBDAgASAUIAr9DQgJCgsYGRobDA0ODxwdHh8iBiAIIAX9DQgJCgsYGRobDA0ODxwdHh8iBf0NAAECAwQFBgcQERITFBUWF/0LBFAgASAGIAX9DQgJCgsMDQ4PGBkaGxwdHh/9CwRwIANB4ABqIQMgAEEgaiEAIARBIGohBCABQYABaiEBDAELCwvcBwIRfwJ7IAAoAgghEiAAKAIMIRQgACgCECEOIAAoAhQhCiABIQcDQCACIAdLBEAgByAKbiASbCAUbCAObCIBIAAoAgBqIQMgACgCBCABaiEQIAcgCnBBBnQiBEFAayIBIBIgASASSRshESAOQQhGBEBBACEGIBRBA3QhDSASQQN0IQwgBCARIARrQX5xaiEJA0AgBiAUSQRAIAYgBkEIaiIBIBQgASAUSRsiCCAGa0F+cWohCyAGIQUDQCAFIAtJBEAgAyAEIA1saiAFQQN0aiETIBAgBSAMbGogBEEDdGohDyAEIQEDQCABIAlJBEAgDyAT/QAEACIWIA0gE2r9AAQAIhX9DQABAgMEBQYHEBESExQVFhf9CwQAIAwgD2ogFiAV/Q0ICQoLDA0ODxgZGhscHR4f/QsEACABQQJqIQEgEyANQQF0aiETIA9BEGohDwwBCwsgCSARSQRAIA8gEykDADcDACAMIA9qIBMpAwg3AwALIAVBAmohBQwBCwsgCCALSwRAIAQhAQNAIAEgEUkEQCAQIAsgDGxqIAFBA3RqIAMgASANbGogC0EDdGopAwA3AwAgAUEBaiEBDAELCwsgBkEIaiEGDAELCwUgDkEQRgRAQQAhBgNAIAYgFEkEQCAGQQhqIgEgFCABIBRJGyEIIAQhBQNAIAUgEUkEQCAGIQEDQCABIAhJBEAgECABIBJsIAVqQQR0aiADIAUgFGwgAWpBBHRq/QAEAP0LBAAgAUEBaiEBDAELCyAFQQFqIQUMAQsLIAZBCGohBgwBCwsFIA5BBEYEQEEAIQYDQCAGIBRJBEAgBkEIaiIBIBQgASAUSRshCCAEIQUDQCAFIBFJBEAgBiEBA0AgASAISQRAIBAgASASbCAFakECdGogAyAFIBRsIAFqQQJ0aigCADYCACABQQFqIQEMAQsLIAVBAWohBQwBCwsgBkEIaiEGDAELCwUgDkECRgRAQQAhBgNAIAYgFEkEQCAGQQhqIgEgFCABIBRJGyEIIAQhBQNAIAUgEUkEQCAGIQEDQCABIAhJBEAgECABIBJsIAVqQQF0aiADIAUgFGwgAWpBAXRqLwEAOwEAIAFBAWohAQwBCwsgBUEBaiEFDAELCyAGQQhqIQYMAQsLBUEAIQYDQCAGIBRJBEAgBkEIaiIBIBQgASAUSRshCCAEIQUDQCAFIBFJBEAgBiEBA0AgASAISQRAIBAgBSABIBJsamogAyABIAUgFGxqai0AADoAACABQQFqIQEMAQsLIAVBAWohBQwBCwsgBkEIaiEGDAELCwsLCwsgB0EBaiEHDAELCwuoAQEIfyAAKAIMIQMgACgCECEHIAAoAhQhCSAAKAIYIQogACgCHCELIAAoAgQhBANAIAEgAkkEQCABIANsQQN0IgggACgCAGohBSAAKAIIIAhqIQYgBwRAIAdBAUYEQCAFIAQgASAJcEEDdGogBiADQQAQCAUgBSAEIAhqIAYgCyADIAEgCkEBa0YbQQgQCAsFIAUgBCAGIANBCBAICyABQQFqIQEMAQsLC5QCAgh/AXwgACgCCCEDIAAoAhAhCiAAKAIUIQggACgCGCEFIAAoAhwhCSAAKAIgIQsgACsDKCEMA0AgASACSQRAIAAoAgAgASADbCIEIAlsaiEGIAAoAgQgBCALbGohByABIApBAWtGBH8gACgCDAUgAwshBCAFIAhGIAxEAAAAAAAA8D9hcQRAIAcgBiAEIAls/AoAAAUgCARAIAhBAUYEQCAGIAcgBCAFIAwQMwUgCEECRgRAIAYgByAEIAUgDBAxBSAIQQNGBEAgBiAHIAQgBSAMEDIFIAhBBEYEQCAGIAcgBCAFIAwQLwUgBiAHIAQgBSAMEDALCwsLBSAGIAcgBCAFIAwQNAsLIAFBAWohAQwBCwsLyQUCAX8CfCADBEAgA0EBRgRAA0AgAiAFSwRAIAEgBUEDdGogACAFai0AALggBKI5AwAgBUEBaiEFDAELCwUgA0ECRgRAA0AgAiAFSwRAIAEgBWogACAFai0AALggBKIiBiAGYgR8RAAAAAAAAAAABSAGIAadIgahIgdEAAAAAAAA4D9mBHwgBkQAAAAAAADwP6AFIAZEAAAAAAAA8L+gIAYgB0QAAAAAAADgv2UbC0QAAAAAAMBfQKREAAAAAAAAYMClC/wCOgAAIAVBAWohBQwBCwsFIANBA0YEQANAIAIgBUsEQCABIAVBAXRqIAAgBWotAAC4IASiIgYgBmIEfEQAAAAAAAAAAAUgBiAGnSIGoSIHRAAAAAAAAOA/ZgR8IAZEAAAAAAAA8D+gBSAGRAAAAAAAAPC/oCAGIAdEAAAAAAAA4L9lGwtEAAAAAMD/30CkRAAAAAAAAODApQv8AjsBACAFQQFqIQUMAQsLBSADQQRGBEADQCACIAVLBEAgASAFaiAAIAVqLQAAuCAEoiIGIAZiBHxEAAAAAAAAAAAFIAYgBp0iBqEiB0QAAAAAAADgP2YEfCAGRAAAAAAAAPA/oAUgBkQAAAAAAADwv6AgBiAHRAAAAAAAAOC/ZRsLRAAAAAAA4G9ApEQAAAAAAAAAAKUL/AI6AAAgBUEBaiEFDAELCwUDQCACIAVLBEAgASAFQQJ0aiAAIAVqLQAAuCAEoiIGIAZiBHxEAAAAAAAAAAAFIAYgBp0iBqEiB0QAAAAAAADgP2YEfCAGRAAAAAAAAPA/oAUgBkQAAAAAAADwv6AgBiAHRAAAAAAAAOC/ZRsLRAAA4P///+9BpEQAAAAAAAAAAKUL/AM2AgAgBUEBaiEFDAELCwsLCwsFA0AgAiAFSwRAIAEgBUECdGogACAFai0AALggBKK2OAIAIAVBAWohBQwBCwsLC9kFAgF/AnwgAwRAIANBAUYEQANAIAIgBUsEQCABIAVBA3RqIAAgBUECdGooAgC4IASiOQMAIAVBAWohBQwBCwsFIANBAkYEQANAIAIgBUsEQCABIAVqIAAgBUECdGooAgC4IASiIgYgBmIEfEQAAAAAAAAAAAUgBiAGnSIGoSIHRAAAAAAAAOA/ZgR8IAZEAAAAAAAA8D+gBSAGRAAAAAAAAPC/oCAGIAdEAAAAAAAA4L9lGwtEAAAAAADAX0CkRAAAAAAAAGDApQv8AjoAACAFQQFqIQUMAQsLBSADQQNGBEADQCACIAVLBEAgASAFQQF0aiAAIAVBAnRqKAIAuCAEoiIGIAZiBHxEAAAAAAAAAAAFIAYgBp0iBqEiB0QAAAAAAADgP2YEfCAGRAAAAAAAAPA/oAUgBkQAAAAAAADwv6AgBiAHRAAAAAAAAOC/ZRsLRAAAAADA/99ApEQAAAAAAADgwKUL/AI7AQAgBUEBaiEFDAELCwUgA0EERgRAA0AgAiAFSwRAIAEgBWogACAFQQJ0aigCALggBKIiBiAGYgR8RAAAAAAAAAAABSAGIAadIgahIgdEAAAAAAAA4D9mBHwgBkQAAAAAAADwP6AFIAZEAAAAAAAA8L+gIAYgB0QAAAAAAADgv2UbC0QAAAAAAOBvQKREAAAAAAAAAAClC/wCOgAAIAVBAWohBQwBCwsFA0AgAiAFSwRAIAVBAnQiAyABaiAAIANqKAIAuCAEoiIGIAZiBHxEAAAAAAAAAAAFIAYgBp0iBqEiB0QAAAAAAADgP2YEfCAGRAAAAAAAAPA/oAUgBkQAAAAAAADwv6AgBiAHRAAAAAAAAOC/ZRsLRAAA4P///+9BpEQAAAAAAAAAAKUL/AM2AgAgBUEBaiEFDAELCwsLCwsFA0AgAiAFSwRAIAVBAnQiAyABaiAAIANqKAIAuCAEorY4AgAgBUEBaiEFDAELCwsLyQUCAX8CfCADBEAgA0EBRgRAA0AgAiAFSwRAIAEgBUEDdGogACAFaiwAALcgBKI5AwAgBUEBaiEFDAELCwUgA0ECRgRAA0AgAiAFSwRAIAEgBWogACAFaiwAALcgBKIiBiAGYgR8RAAAAAAAAAAABSAGIAadIgahIgdEAAAAAAAA4D9mBHwgBkQAAAAAAADwP6AFIAZEAAAAAAAA8L+gIAYgB0QAAAAAAADgv2UbC0QAAAAAAMBfQKREAAAAAAAAYMClC/wCOgAAIAVBAWohBQwBCwsFIANBA0YEQANAIAIgBUsEQCABIAVBAXRqIAAgBWosAAC3IASiIgYgBmIEfEQAAAAAAAAAAAUgBiAGnSIGoSIHRAAAAAAAAOA/ZgR8IAZEAAAAAAAA8D+gBSAGRAAAAAAAAPC/oCAGIAdEAAAAAAAA4L9lGwtEAAAAAMD/30CkRAAAAAAAAODApQv8AjsBACAFQQFqIQUMAQsLBSADQQRGBEADQCACIAVLBEAgASAFaiAAIAVqLAAAtyAEoiIGIAZiBHxEAAAAAAAAAAAFIAYgBp0iBqEiB0QAAAAAAADgP2YEfCAGRAAAAAAAAPA/oAUgBkQAAAAAAADwv6AgBiAHRAAAAAAAAOC/ZRsLRAAAAAAA4G9ApEQAAAAAAAAAAKUL/AI6AAAgBUEBaiEFDAELCwUDQCACIAVLBEAgASAFQQJ0aiAAIAVqLAAAtyAEoiIGIAZiBHxEAAAAAAAAAAAFIAYgBp0iBqEiB0QAAAAAAADgP2YEfCAGRAAAAAAAAPA/oAUgBkQAAAAAAADwv6AgBiAHRAAAAAAAAOC/ZRsLRAAA4P///+9BpEQAAAAAAAAAAKUL/AM2AgAgBUEBaiEFDAELCwsLCwsFA0AgAiAFSwRAIAEgBUECdGogACAFaiwAALcgBKK2OAIAIAVBAWohBQwBCwsLC9oFAgF/AnwgAwRAIANBAUYEQANAIAIgBUsEQCABIAVBA3RqIAAgBUEBdGouAQC3IASiOQMAIAVBAWohBQwBCwsFIANBAkYEQANAIAIgBUsEQCABIAVqIAAgBUEBdGouAQC3IASiIgYgBmIEfEQAAAAAAAAAAAUgBiAGnSIGoSIHRAAAAAAAAOA/ZgR8IAZEAAAAAAAA8D+gBSAGRAAAAAAAAPC/oCAGIAdEAAAAAAAA4L9lGwtEAAAAAADAX0CkRAAAAAAAAGDApQv8AjoAACAFQQFqIQUMAQsLBSADQQNGBEADQCACIAVLBEAgBUEBdCIDIAFqIAAgA2ouAQC3IASiIgYgBmIEfEQAAAAAAAAAAAUgBiAGnSIGoSIHRAAAAAAAAOA/ZgR8IAZEAAAAAAAA8D+gBSAGRAAAAAAAAPC/oCAGIAdEAAAAAAAA4L9lGwtEAAAAAMD/30CkRAAAAAAAAODApQv8AjsBACAFQQFqIQUMAQsLBSADQQRGBEADQCACIAVLBEAgASAFaiAAIAVBAXRqLgEAtyAEoiIGIAZiBHxEAAAAAAAAAAAFIAYgBp0iBqEiB0QAAAAAAADgP2YEfCAGRAAAAAAAAPA/oAUgBkQAAAAAAADwv6AgBiAHRAAAAAAAAOC/ZRsLRAAAAAAA4G9ApEQAAAAAAAAAAKUL/AI6AAAgBUEBaiEFDAELCwUDQCACIAVLBEAgASAFQQJ0aiAAIAVBAXRqLgEAtyAEoiIGIAZiBHxEAAAAAAAAAAAFIAYgBp0iBqEiB0QAAAAAAADgP2YEfCAGRAAAAAAAAPA/oAUgBkQAAAAAAADwv6AgBiAHRAAAAAAAAOC/ZRsLRAAA4P///+9BpEQAAAAAAAAAAKUL/AM2AgAgBUEBaiEFDAELCwsLCwsFA0AgAiAFSwRAIAEgBUECdGogACAFQQF0ai4BALcgBKK2OAIAIAVBAWohBQwBCwsLC9QFAgF/AnwgAwRAIANBAUYEQANAIAIgBUsEQCAFQQN0IgMgAWogACADaisDACAEojkDACAFQQFqIQUMAQsLBSADQQJGBEADQCACIAVLBEAgASAFaiAAIAVBA3RqKwMAIASiIgYgBmIEfEQAAAAAAAAAAAUgBiAGnSIGoSIHRAAAAAAAAOA/ZgR8IAZEAAAAAAAA8D+gBSAGRAAAAAAAAPC/oCAGIAdEAAAAAAAA4L9lGwtEAAAAAADAX0CkRAAAAAAAAGDApQv8AjoAACAFQQFqIQUMAQsLBSADQQNGBEADQCACIAVLBEAgASAFQQF0aiAAIAVBA3RqKwMAIASiIgYgBmIEfEQAAAAAAAAAAAUgBiAGnSIGoSIHRAAAAAAAAOA/ZgR8IAZEAAAAAAAA8D+gBSAGRAAAAAAAAPC/oCAGIAdEAAAAAAAA4L9lGwtEAAAAAMD/30CkRAAAAAAAAODApQv8AjsBACAFQQFqIQUMAQsLBSADQQRGBEADQCACIAVLBEAgASAFaiAAIAVBA3RqKwMAIASiIgYgBmIEfEQAAAAAAAAAAAUgBiAGnSIGoSIHRAAAAAAAAOA/ZgR8IAZEAAAAAAAA8D+gBSAGRAAAAAAAAPC/oCAGIAdEAAAAAAAA4L9lGwtEAAAAAADgb0CkRAAAAAAAAAAApQv8AjoAACAFQQFqIQUMAQsLBQNAIAIgBUsEQCABIAVBAnRqIAAgBUEDdGorAwAgBKIiBiAGYgR8RAAAAAAAAAAABSAGIAadIgahIgdEAAAAAAAA4D9mBHwgBkQAAAAAAADwP6AFIAZEAAAAAAAA8L+gIAYgB0QAAAAAAADgv2UbC0QAAOD////vQaREAAAAAAAAAAClC/wDNgIAIAVBAWohBQwBCwsLCwsLBQNAIAIgBUsEQCABIAVBAnRqIAAgBUEDdGorAwAgBKK2OAIAIAVBAWohBQwBCwsLC9kFAgF/AnwgAwRAIANBAUYEQANAIAIgBUsEQCABIAVBA3RqIAAgBUECdGoqAgC7IASiOQMAIAVBAWohBQwBCwsFIANBAkYEQANAIAIgBUsEQCABIAVqIAAgBUECdGoqAgC7IASiIgYgBmIEfEQAAAAAAAAAAAUgBiAGnSIGoSIHRAAAAAAAAOA/ZgR8IAZEAAAAAAAA8D+gBSAGRAAAAAAAAPC/oCAGIAdEAAAAAAAA4L9lGwtEAAAAAADAX0CkRAAAAAAAAGDApQv8AjoAACAFQQFqIQUMAQsLBSADQQNGBEADQCACIAVLBEAgASAFQQF0aiAAIAVBAnRqKgIAuyAEoiIGIAZiBHxEAAAAAAAAAAAFIAYgBp0iBqEiB0QAAAAAAADgP2YEfCAGRAAAAAAAAPA/oAUgBkQAAAAAAADwv6AgBiAHRAAAAAAAAOC/ZRsLRAAAAADA/99ApEQAAAAAAADgwKUL/AI7AQAgBUEBaiEFDAELCwUgA0EERgRAA0AgAiAFSwRAIAEgBWogACAFQQJ0aioCALsgBKIiBiAGYgR8RAAAAAAAAAAABSAGIAadIgahIgdEAAAAAAAA4D9mBHwgBkQAAAAAAADwP6AFIAZEAAAAAAAA8L+gIAYgB0QAAAAAAADgv2UbC0QAAAAAAOBvQKREAAAAAAAAAAClC/wCOgAAIAVBAWohBQwBCwsFA0AgAiAFSwRAIAVBAnQiAyABaiAAIANqKgIAuyAEoiIGIAZiBHxEAAAAAAAAAAAFIAYgBp0iBqEiB0QAAAAAAADgP2YEfCAGRAAAAAAAAPA/oAUgBkQAAAAAAADwv6AgBiAHRAAAAAAAAOC/ZRsLRAAA4P///+9BpEQAAAAAAAAAAKUL/AM2AgAgBUEBaiEFDAELCwsLCwsFA0AgAiAFSwRAIAVBAnQiAyABaiAAIANqKgIAuyAEorY4AgAgBUEBaiEFDAELCwsL";

// ../fft-cpu/src/wasm/factors.ts
function primeFactors(n) {
  const counts = /* @__PURE__ */ new Map();
  let rest = n;
  for (const p of [2, 3, 5, 7, 11, 13]) {
    while (rest % p === 0) {
      rest /= p;
      counts.set(p, (counts.get(p) ?? 0) + 1);
    }
  }
  return { counts, rest };
}
function radicesOfTwo(twos) {
  const fours = (count2) => new Array(count2).fill(4);
  if (twos % 2 === 0) return fours(twos / 2);
  return twos < 5 ? [2, ...fours((twos - 1) / 2)] : [8, ...fours((twos - 3) / 2)];
}
function oddRadices(counts) {
  const of = (p) => counts.get(p) ?? 0;
  const threes = of(3);
  return [
    ...new Array(of(13)).fill(13),
    ...new Array(of(11)).fill(11),
    ...new Array(of(7)).fill(7),
    ...new Array(of(5)).fill(5),
    ...new Array(threes >> 1).fill(9),
    ...new Array(threes & 1).fill(3)
  ];
}
function factorize(n) {
  const { counts, rest } = primeFactors(n);
  if (rest !== 1) return { mode: "chirp", m: convolutionLength(2 * n - 1) };
  return withinLine(n, counts) ?? { mode: "across", middle: [...oddRadices(counts), ...radicesOfTwo(counts.get(2) ?? 0)] };
}
function columnRadices(n) {
  const { counts } = primeFactors(n);
  return [...oddRadices(counts), ...radicesOfTwo(counts.get(2) ?? 0)];
}
function withinLine(n, counts) {
  const twos = counts.get(2) ?? 0;
  if (twos < 2 || n < 16) return void 0;
  const radices3 = [...oddRadices(counts), ...radicesOfTwo(twos - 2)];
  for (const last of [4, 5, 3, 2]) {
    const at = radices3.lastIndexOf(last);
    if (at >= 0) return { mode: "within", first: 4, middle: radices3.filter((_3, i) => i !== at), last };
  }
  return { mode: "within", first: 4, middle: radices3 };
}
var work = (n) => n * [...primeFactors(n).counts].reduce((total, [p, count2]) => total + count2 * (p === 2 ? 1 : 0.8 * p - 0.4), 2);
function convolutionLength(least) {
  let best = 16;
  while (best < least) best *= 2;
  const most2 = best;
  for (let fives = 1; 16 * fives < most2; fives *= 5) {
    for (let odd = fives; 16 * odd < most2; odd *= 3) {
      let m = 16 * odd;
      while (m < least) m *= 2;
      if (m < most2 && work(m) < work(best)) best = m;
    }
  }
  return best;
}
function factorsText(factors) {
  if (factors.mode === "chirp") return `bluestein m=${factors.m}`;
  if (factors.mode === "across") return `across 4 lines ${factors.middle.join("\xB7")}`;
  return [factors.first, ...factors.middle, ...factors.last ? [factors.last] : []].join("\xB7");
}

// ../core/src/roots.ts
function unitRoot(k, n) {
  const t = 8 * ((k % n + n) % n);
  const octant = Math.floor(t / n);
  const rest = octant % 2 === 0 ? t - octant * n : (octant + 1) * n - t;
  const angle = Math.PI * rest / (4 * n);
  const c2 = Math.cos(angle);
  const s = Math.sin(angle);
  const [re2, im2] = octant % 2 === 0 ? [c2, s] : [s, c2];
  switch (octant >> 1) {
    case 0:
      return [re2, -im2];
    case 1:
      return [-im2, -re2];
    case 2:
      return [-re2, im2];
    default:
      return [im2, re2];
  }
}
function rootsOf(n) {
  const bits2 = Math.max(0, Math.ceil(Math.log2(n)) - 13);
  const step3 = 2 ** bits2;
  const coarse = new Float64Array(2 * (Math.floor(n / step3) + 1));
  for (let i = 0; 2 * i < coarse.length; i++) {
    const [re2, im2] = unitRoot(i * step3, n);
    coarse[2 * i] = re2;
    coarse[2 * i + 1] = im2;
  }
  const fine = new Float64Array(2 * step3);
  for (let i = 0; i < step3; i++) {
    const sine2 = Math.sin(Math.PI * i / n);
    fine[2 * i] = -2 * sine2 * sine2;
    fine[2 * i + 1] = -Math.sin(2 * Math.PI * i / n);
  }
  return { n, bits: bits2, mask: step3 - 1, coarse, fine };
}
function putRoot({ bits: bits2, mask, fine, coarse }, e, out, re2, im2) {
  const a2 = 2 * (e >>> bits2);
  const b2 = 2 * (e & mask);
  out[re2] = coarse[a2] + (coarse[a2] * fine[b2] - coarse[a2 + 1] * fine[b2 + 1]);
  out[im2] = coarse[a2 + 1] + (coarse[a2] * fine[b2 + 1] + coarse[a2 + 1] * fine[b2]);
}
function putChirp({ n: period, bits: bits2, mask, fine, coarse }, start, count2, sign, out, at) {
  let square = start * start % period;
  let step3 = (2 * start + 1) % period;
  for (let i = 0, to = at; i < count2; i++, to += 2) {
    const a2 = 2 * (square >>> bits2);
    const b2 = 2 * (square & mask);
    out[to] = coarse[a2] + (coarse[a2] * fine[b2] - coarse[a2 + 1] * fine[b2 + 1]);
    out[to + 1] = -sign * (coarse[a2 + 1] + (coarse[a2] * fine[b2 + 1] + coarse[a2 + 1] * fine[b2]));
    square += step3;
    if (square >= period) square -= period;
    step3 += 2;
    if (step3 >= period) step3 -= period;
  }
}

// ../core/src/stages.ts
function radicesOf(n) {
  const radices3 = [];
  let rest = n;
  for (const r of [4, 2, 3, 5, 7, 11, 13]) {
    for (; rest % r === 0; rest /= r) radices3.push(r);
  }
  return rest === 1 ? radices3 : void 0;
}
var isSmooth = (n) => radicesOf(n) !== void 0;
function lineStages(n) {
  const roots = rootsOf(n);
  let m = n;
  const stages2 = (radicesOf(n) ?? []).map((radix) => {
    m /= radix;
    const twiddles = new Float64Array(2 * (radix - 1) * m);
    const step3 = n / (m * radix);
    let at = 0;
    for (let p = 0; p < m; p++) {
      for (let k = 1; k < radix; k++) {
        putRoot(roots, p * k * step3, twiddles, at, at + 1);
        at += 2;
      }
    }
    const unitRoots = new Float64Array(2 * radix);
    for (let k = 0; k < radix; k++) [unitRoots[2 * k], unitRoots[2 * k + 1]] = unitRoot(k, radix);
    return { radix, m, twiddles, unitRoots };
  });
  return { n, stages: stages2 };
}
function runStages({ stages: stages2 }, x, y, lanes3) {
  let from = x;
  let to = y;
  let s = lanes3;
  for (const stage2 of stages2) {
    if (stage2.radix === 4) four2(from, to, stage2, s);
    else if (stage2.radix === 2) two(from, to, stage2, s);
    else if (stage2.radix === 3) three(from, to, stage2, s);
    else if (stage2.radix === 5) five(from, to, stage2, s);
    else any(from, to, stage2, s);
    [from, to] = [to, from];
    s *= stage2.radix;
  }
  return from;
}
function two(x, y, { m, twiddles }, s) {
  const apart = 2 * s * m;
  const width = 2 * s;
  for (let p = 0; p < m; p++) {
    const wr = twiddles[2 * p];
    const wi = twiddles[2 * p + 1];
    let i = p * width;
    let o = 2 * p * width;
    for (const end = i + width; i < end; i += 2, o += 2) {
      const ar = x[i];
      const ai = x[i + 1];
      const br = x[i + apart];
      const bi = x[i + apart + 1];
      y[o] = ar + br;
      y[o + 1] = ai + bi;
      const dr = ar - br;
      const di = ai - bi;
      y[o + width] = dr * wr - di * wi;
      y[o + width + 1] = dr * wi + di * wr;
    }
  }
}
var sine3 = Math.sqrt(0.75);
function three(x, y, { m, twiddles }, s) {
  const apart = 2 * s * m;
  const width = 2 * s;
  for (let p = 0; p < m; p++) {
    const w1r = twiddles[4 * p];
    const w1i = twiddles[4 * p + 1];
    const w2r = twiddles[4 * p + 2];
    const w2i = twiddles[4 * p + 3];
    let i = p * width;
    let o = 3 * p * width;
    for (const end = i + width; i < end; i += 2, o += 2) {
      const ar = x[i];
      const ai = x[i + 1];
      const br = x[i + apart];
      const bi = x[i + apart + 1];
      const cr = x[i + 2 * apart];
      const ci = x[i + 2 * apart + 1];
      const tr = br + cr;
      const ti = bi + ci;
      y[o] = ar + tr;
      y[o + 1] = ai + ti;
      const ur = ar - 0.5 * tr;
      const ui = ai - 0.5 * ti;
      const vr = sine3 * (bi - ci);
      const vi = sine3 * (cr - br);
      const dr = ur + vr;
      const di = ui + vi;
      const er = ur - vr;
      const ei = ui - vi;
      y[o + width] = dr * w1r - di * w1i;
      y[o + width + 1] = dr * w1i + di * w1r;
      y[o + 2 * width] = er * w2r - ei * w2i;
      y[o + 2 * width + 1] = er * w2i + ei * w2r;
    }
  }
}
function four2(x, y, { m, twiddles }, s) {
  const apart = 2 * s * m;
  const width = 2 * s;
  for (let p = 0; p < m; p++) {
    const w = 6 * p;
    const w1r = twiddles[w];
    const w1i = twiddles[w + 1];
    const w2r = twiddles[w + 2];
    const w2i = twiddles[w + 3];
    const w3r = twiddles[w + 4];
    const w3i = twiddles[w + 5];
    let i = p * width;
    let o = 4 * p * width;
    for (const end = i + width; i < end; i += 2, o += 2) {
      const i1 = i + apart;
      const i2 = i1 + apart;
      const i3 = i2 + apart;
      const ar = x[i] + x[i2];
      const ai = x[i + 1] + x[i2 + 1];
      const br = x[i] - x[i2];
      const bi = x[i + 1] - x[i2 + 1];
      const cr = x[i1] + x[i3];
      const ci = x[i1 + 1] + x[i3 + 1];
      const dr = x[i1] - x[i3];
      const di = x[i1 + 1] - x[i3 + 1];
      y[o] = ar + cr;
      y[o + 1] = ai + ci;
      const o1 = o + width;
      const o2 = o1 + width;
      const o3 = o2 + width;
      const er = br + di;
      const ei = bi - dr;
      y[o1] = er * w1r - ei * w1i;
      y[o1 + 1] = er * w1i + ei * w1r;
      const fr = ar - cr;
      const fi = ai - ci;
      y[o2] = fr * w2r - fi * w2i;
      y[o2 + 1] = fr * w2i + fi * w2r;
      const gr = br - di;
      const gi = bi + dr;
      y[o3] = gr * w3r - gi * w3i;
      y[o3 + 1] = gr * w3i + gi * w3r;
    }
  }
}
var cosine51 = (Math.sqrt(5) - 1) / 4;
var cosine52 = -(Math.sqrt(5) + 1) / 4;
var sine51 = Math.sin(2 * Math.PI / 5);
var sine52 = Math.sin(Math.PI / 5);
function five(x, y, { m, twiddles }, s) {
  const apart = 2 * s * m;
  const width = 2 * s;
  for (let p = 0; p < m; p++) {
    const w = 8 * p;
    let i = p * width;
    let o = 5 * p * width;
    for (const end = i + width; i < end; i += 2, o += 2) {
      const i1 = i + apart;
      const i2 = i1 + apart;
      const i3 = i2 + apart;
      const i4 = i3 + apart;
      const ar = x[i];
      const ai = x[i + 1];
      const br = x[i1] + x[i4];
      const bi = x[i1 + 1] + x[i4 + 1];
      const cr = x[i2] + x[i3];
      const ci = x[i2 + 1] + x[i3 + 1];
      const dr = x[i1] - x[i4];
      const di = x[i1 + 1] - x[i4 + 1];
      const er = x[i2] - x[i3];
      const ei = x[i2 + 1] - x[i3 + 1];
      y[o] = ar + br + cr;
      y[o + 1] = ai + bi + ci;
      const fr = ar + cosine51 * br + cosine52 * cr;
      const fi = ai + cosine51 * bi + cosine52 * ci;
      const gr = ar + cosine52 * br + cosine51 * cr;
      const gi = ai + cosine52 * bi + cosine51 * ci;
      const hr = sine51 * di + sine52 * ei;
      const hi = -(sine51 * dr + sine52 * er);
      const kr = sine52 * di - sine51 * ei;
      const ki = -(sine52 * dr - sine51 * er);
      multiply(y, o + width, fr + hr, fi + hi, twiddles[w], twiddles[w + 1]);
      multiply(y, o + 2 * width, gr + kr, gi + ki, twiddles[w + 2], twiddles[w + 3]);
      multiply(y, o + 3 * width, gr - kr, gi - ki, twiddles[w + 4], twiddles[w + 5]);
      multiply(y, o + 4 * width, fr - hr, fi - hi, twiddles[w + 6], twiddles[w + 7]);
    }
  }
}
function any(x, y, { radix, m, twiddles, unitRoots }, s) {
  const apart = 2 * s * m;
  const width = 2 * s;
  for (let p = 0; p < m; p++) {
    for (let q = 0; q < width; q += 2) {
      const i = p * width + q;
      for (let k = 0; k < radix; k++) {
        let re2 = 0;
        let im2 = 0;
        for (let j = 0, turn2 = 0; j < radix; j++, turn2 = turn2 + k < radix ? turn2 + k : turn2 + k - radix) {
          const ar = x[i + j * apart];
          const ai = x[i + j * apart + 1];
          re2 += ar * unitRoots[2 * turn2] - ai * unitRoots[2 * turn2 + 1];
          im2 += ar * unitRoots[2 * turn2 + 1] + ai * unitRoots[2 * turn2];
        }
        const o = (radix * p + k) * width + q;
        if (k === 0) {
          y[o] = re2;
          y[o + 1] = im2;
        } else {
          const w = 2 * ((radix - 1) * p + k - 1);
          multiply(y, o, re2, im2, twiddles[w], twiddles[w + 1]);
        }
      }
    }
  }
}
function multiply(y, at, a2, b2, c2, d) {
  y[at] = a2 * c2 - b2 * d;
  y[at + 1] = a2 * d + b2 * c2;
}
function matrixOf(n) {
  let rows = Math.floor(Math.sqrt(n));
  while (n % rows !== 0) rows--;
  return [rows, n / rows];
}

// ../core/src/chirp-spectrum.ts
var lanes = 4;
function* chirpSpectrum(n, m, scale, target) {
  const [rows, columns] = matrixOf(m);
  const kept2 = Math.floor(rows / 2) + 1;
  const between = new Float64Array(2 * kept2 * columns);
  yield* cleared(between.length, () => between);
  yield* cleared(2 * m, target);
  const down = lineStages(rows);
  const along = lineStages(columns);
  const twiddles = rootsOf(m);
  const chirp2 = rootsOf(2 * n);
  yield;
  const x = new Float64Array(2 * lanes * columns);
  const y = new Float64Array(2 * lanes * columns);
  for (let j = 0; 2 * j <= columns; j += lanes) {
    x.fill(0, 0, 2 * lanes * rows);
    for (let q = 0; q < lanes && 2 * (j + q) <= columns; q++) chirpColumn(chirp2, j + q, rows, columns, x, q);
    const done = runStages(down, x, y, lanes);
    for (let q = 0; q < lanes && 2 * (j + q) <= columns; q++) twiddleColumn(done, q, j + q, between, kept2, rows, columns, twiddles);
    yield;
  }
  for (let k = 0; k < kept2; k += lanes) {
    const count2 = Math.min(lanes, kept2 - k);
    for (let q = 0; q < count2; q++) {
      const row = 2 * (k + q) * columns;
      for (let i = 0, to = 2 * q; i < 2 * columns; i += 2, to += 2 * lanes) {
        x[to] = between[row + i];
        x[to + 1] = between[row + i + 1];
      }
    }
    const done = runStages(along, x, y, lanes);
    storeRows(done, count2, k, rows, columns, scale, target());
    yield;
  }
}
var clearedAtOnce = 2 ** 18;
function* cleared(count2, target) {
  for (let start = 0; start < count2; start += clearedAtOnce) {
    target().fill(0, start, Math.min(count2, start + clearedAtOnce));
    yield;
  }
}
function chirpColumn(chirp2, j, rows, columns, x, q) {
  const { n: period, bits: bits2, mask, fine, coarse } = chirp2;
  const n = period / 2;
  const bend = 2 * columns * columns % period;
  for (const isMirrored of [false, true]) {
    const first2 = isMirrored ? columns - j : j;
    let square = first2 * first2 % period;
    let step3 = (2 * first2 * columns + columns * columns) % period;
    let to = 2 * (isMirrored ? (rows - 1) * lanes + q : q);
    const apart = isMirrored ? -2 * lanes : 2 * lanes;
    for (let t = first2; t < n; t += columns) {
      const a2 = 2 * (square >>> bits2);
      const b2 = 2 * (square & mask);
      x[to] = coarse[a2] + (coarse[a2] * fine[b2] - coarse[a2 + 1] * fine[b2 + 1]);
      x[to + 1] = -(coarse[a2 + 1] + (coarse[a2] * fine[b2 + 1] + coarse[a2 + 1] * fine[b2]));
      to += apart;
      square += step3;
      if (square >= period) square -= period;
      step3 += bend;
      if (step3 >= period) step3 -= period;
    }
  }
}
function twiddleColumn(done, q, j, between, kept2, rows, columns, { bits: bits2, mask, fine, coarse }) {
  const mirror2 = j === 0 ? 0 : columns - j;
  for (let k = 0, e = 0; k < kept2; k++, e += j) {
    const a2 = 2 * (e >>> bits2);
    const b2 = 2 * (e & mask);
    const wr = coarse[a2] + (coarse[a2] * fine[b2] - coarse[a2 + 1] * fine[b2 + 1]);
    const wi = coarse[a2 + 1] + (coarse[a2] * fine[b2 + 1] + coarse[a2 + 1] * fine[b2]);
    const from = 2 * (k * lanes + q);
    const back = 2 * ((k === 0 ? 0 : rows - k) * lanes + q);
    multiply2(between, 2 * (k * columns + mirror2), done[back], done[back + 1], wr, -wi);
    multiply2(between, 2 * (k * columns + j), done[from], done[from + 1], wr, wi);
  }
}
function storeRows(done, count2, k, rows, columns, scale, out) {
  const m = rows * columns;
  for (let i = 0; i < columns; i++) {
    for (let q = 0; q < count2; q++) {
      const to = i * rows + k + q;
      const re2 = scale * done[2 * (i * lanes + q)];
      const im2 = scale * done[2 * (i * lanes + q) + 1];
      out[2 * to] = re2;
      out[2 * to + 1] = im2;
      const mirror2 = to === 0 ? 0 : m - to;
      out[2 * mirror2] = re2;
      out[2 * mirror2 + 1] = im2;
    }
  }
}
function multiply2(y, at, a2, b2, c2, d) {
  y[at] = a2 * c2 - b2 * d;
  y[at + 1] = a2 * d + b2 * c2;
}

// ../core/src/codelets.ts
var times2 = ([a2, b2], [c2, d]) => [a2 * c2 - b2 * d, a2 * d + b2 * c2];
function formsOf2(x, codelet2) {
  const n = x.length;
  const sum2 = (factors) => x[0].map((_3, e) => x.reduce((total, form, i) => add(total, times2(form[e], factors(i))), [0, 0]));
  const sine2 = (k, m) => Math.fround(Math.sin(2 * Math.PI * (k % m) / m));
  const cosine2 = (k, m) => Math.fround(Math.cos(2 * Math.PI * (k % m) / m));
  const b2 = codelet2.split(n);
  const own = codelet2.cosine ?? cosine2;
  if (b2 === void 0) return x.map((_3, k) => sum2((i) => [i * k === 0 ? 1 : own(i * k % n, n), -sine2(i * k, n)]));
  const a2 = n / b2;
  const parts = Array.from(
    { length: b2 },
    (_3, i) => formsOf2(
      Array.from({ length: a2 }, (_4, j) => x[i + b2 * j]),
      codelet2
    ).map((form, k) => form.map((value2) => times2(value2, [cosine2(i * k, n), -sine2(i * k, n)])))
  );
  const y = new Array(n);
  for (let k = 0; k < a2; k++) {
    const across = formsOf2(
      parts.map((part) => part[k]),
      codelet2
    );
    for (const [j, form] of across.entries()) y[k + a2 * j] = form;
  }
  return y;
}
var add = ([a2, b2], [c2, d]) => [a2 + c2, b2 + d];
function legFactors(n, codelet2, side2) {
  const units = Array.from({ length: n }, (_3, i) => Array.from({ length: n }, (_4, e) => [e === i ? 1 : 0, 0]));
  const forms2 = formsOf2(units, codelet2);
  return units.map((_3, leg) => {
    let mean = 0;
    for (let i = 0; i < n; i++) {
      const angle = 2 * Math.PI * (leg * i % n) / n;
      mean += times2(side2 === "outputs" ? forms2[leg][i] : forms2[i][leg], [Math.cos(angle) / n, Math.sin(angle) / n])[0];
    }
    return 1 / mean;
  });
}

// ../fft-cpu/src/wasm/tables.ts
var pieceLength = 2 ** 15;
function tableOf(count2, each, prepare) {
  const step3 = Math.max(1, Math.floor(pieceLength / each));
  return {
    length: count2 * each,
    *pieces(target) {
      const write = prepare();
      for (let start = 0; start < count2; start += step3) {
        write(target(), start, Math.min(count2, start + step3));
        yield;
      }
    }
  };
}
var known = /* @__PURE__ */ new Map();
function legsOf(radix) {
  const legs = known.get(radix) ?? legFactors(radix, codelet, "outputs");
  known.set(radix, legs);
  return legs;
}
var codelet = {
  split: (n) => ({ 4: 2, 6: 3, 8: 4, 9: 3 })[n],
  cosine: (k, n) => n === 5 ? -0.25 + (k % 5 === 1 || k % 5 === 4 ? 1 : -1) * Math.fround(Math.sqrt(5) / 4) : Math.fround(Math.cos(2 * Math.PI * k / n))
};
var sharedTurns = (radix, m) => tableOf(m, 2 * (radix - 1), () => {
  const roots = rootsOf(radix * m);
  const legs = legsOf(radix);
  const root = new Float64Array(2);
  return (out, start, end) => {
    let at = 2 * (radix - 1) * start;
    for (let p = start; p < end; p++) {
      for (let k = 1; k < radix; k++, at += 2) {
        putRoot(roots, p * k, root, 0, 1);
        out[at] = legs[k] * root[0];
        out[at + 1] = legs[k] * root[1];
      }
    }
  };
});
var laneTurns = (radix, m) => tableOf(Math.ceil(m / 4), 8 * (radix - 1), () => {
  const roots = rootsOf(radix * m);
  const legs = legsOf(radix);
  const root = new Float64Array(2);
  return (out, start, end) => {
    let at = 8 * (radix - 1) * start;
    for (let group = start; group < end; group++) {
      const p = Math.min(4 * group, m - 4);
      for (let k = 1; k < radix; k++, at += 8) {
        for (let lane2 = 0; lane2 < 4; lane2++) {
          putRoot(roots, (p + lane2) * k, root, 0, 1);
          out[at + lane2] = legs[k] * root[0];
          out[at + lane2 + 4] = legs[k] * root[1];
        }
      }
    }
  };
});
var realTurns = (h, inverse, count2 = Math.floor(h / 2) + 1) => tableOf(count2, 2, () => {
  const roots = rootsOf(2 * h);
  const root = new Float64Array(2);
  return (out, start, end) => {
    for (let k = start; k < end; k++) {
      putRoot(roots, k, root, 0, 1);
      out[2 * k] = root[1];
      out[2 * k + 1] = (inverse ? 1 : -1) * root[0];
    }
  };
});
var rootTable = (n, count2, inverse) => tableOf(count2, 2, () => {
  const roots = rootsOf(n);
  return (out, start, end) => {
    for (let i = start; i < end; i++) {
      putRoot(roots, i % n, out, 2 * i, 2 * i + 1);
      if (inverse) out[2 * i + 1] = -out[2 * i + 1];
    }
  };
});
function turnFactors(rows, columns, inverse, mirrored) {
  const n = rows * columns;
  const fours = (count2) => Array.from({ length: Math.ceil(count2 / 4) }, (_3, i) => 4 * i);
  const starts = mirrored ? fours(Math.floor(columns / 2) + 1) : fours(columns).map((j) => Math.min(j, columns - 4));
  if (mirrored) starts.push(...starts.map((j) => columns - 3 - j));
  const points = rows + 4;
  return tableOf(starts.length * points, 8, () => {
    const roots = rootsOf(n);
    const root = new Float64Array(2);
    const scale = inverse ? 1 / n : 1;
    const lastRadix = columnRadices(rows).at(-1) ?? 1;
    const legs = legsOf(lastRadix);
    const sign = inverse ? -1 : 1;
    return (out, start, end) => {
      for (let item = start; item < end; item++) {
        const first2 = starts[Math.floor(item / points)];
        const k = item % points;
        const at = 8 * item;
        const factor = scale * legs[Math.floor(k * lastRadix / rows) % lastRadix];
        for (let lane2 = 0; lane2 < 4; lane2++) {
          putRoot(roots, (first2 + lane2) * k % n, root, 0, 1);
          out[at + lane2] = factor * root[0];
          out[at + lane2 + 4] = sign * factor * root[1];
        }
      }
    };
  });
}
var chirpTable = (n, scale = 1) => tableOf(n, 2, () => {
  const roots = rootsOf(2 * n);
  const chirp2 = new Float64Array(pieceLength);
  return (out, start, end) => {
    putChirp(roots, start, end - start, -1, chirp2, 0);
    for (let i = 0; i < 2 * (end - start); i++) out[2 * start + i] = scale * chirp2[i];
  };
});
var kernelTable = (n, m) => ({
  length: 2 * m,
  pieces: (target) => chirpSpectrum(n, m, 1 / m, target)
});

// ../fft-cpu/src/wasm/program.ts
var roundUp = (value2, to) => Math.ceil(value2 / to) * to;
function workLayout() {
  let pages = 0;
  let shift2 = groupLines.bytes;
  let end = shift2;
  return {
    take(bytes) {
      const offset = pages + shift2;
      end = offset + bytes;
      pages = roundUp(end, 4096);
      shift2 = (shift2 + 2112) % 4096;
      return offset;
    },
    get end() {
      return end;
    }
  };
}
var tileBytes = 2 ** 20 + 2 ** 16;
var leastColumns = 8;
var mostColumns = 64;
function placePlan(op3, memory3, allocate) {
  const work2 = workLayout();
  const placing = { memory: memory3, allocate, work: work2, tables: [] };
  const { n, kind } = op3;
  const isReal = kind === "real-fft" || kind === "inverse-real-fft";
  const halved = isReal && n % 2 === 0;
  const length = halved ? n / 2 : n;
  const factors = op3.factors ?? factorize(length);
  const bins = Math.floor(n / 2) + 1;
  const [inPer, needed] = kind === "real-fft" ? [1, n] : [2, isReal ? bins : n];
  const [outPer, produced] = kind === "inverse-real-fft" ? [1, n] : [2, isReal ? bins : n];
  const [keepStart, keepCount] = op3.keep ?? [0, produced];
  const available = Math.min(op3.inputLength ?? needed, needed);
  const scratch2 = placeScratch(length, factors, work2);
  const program2 = placeProgram(length, factors, placing, scratch2);
  const reversed = kind === "filter" ? meeting(n, factors) : void 0;
  const inverse = !reversed ? 0 : factorsText(reversed) === factorsText(factors) ? program2 : placeProgram(n, reversed, placing, scratch2);
  const table = halved ? placeTable(realTurns(length, kind === "inverse-real-fft"), placing) : 0;
  const pitch = roundUp(8 * Math.max(n, bins), 64) + 64;
  const staging = work2.take(pitch * (factors.mode === "across" ? 4 : 1));
  const rowsWorkBytes = work2.end;
  const columns = Math.max(leastColumns, Math.min(mostColumns, leastColumns * Math.floor(tileBytes / pitch / leastColumns)));
  const tile2 = work2.take(pitch * columns);
  const filters = kind === "filter" || kind === "filter-inverse" ? work2.take(pitch * columns) : 0;
  const address = allocate(linesPlan.bytes);
  linesPlan.write(memory3, address, {
    kind,
    program: program2,
    n,
    realTurns: table,
    available: available * inPer,
    needed: needed * inPer,
    keepStart: keepStart * outPer,
    keepCount: keepCount * outPer,
    produced: produced * outPer,
    stage: staging,
    stagePitch: pitch,
    elementIn: 4 * inPer,
    elementOut: 4 * outPer,
    tile: tile2,
    tilePitch: pitch,
    tileColumns: columns,
    filterTile: filters,
    inverse
  });
  const rest = `${available === needed ? "" : ` in=${available}`}${keepCount === produced ? "" : ` keep=${keepStart}+${keepCount}`}`;
  return {
    address,
    rowsWorkBytes,
    columnsWorkBytes: work2.end,
    tileColumns: columns,
    text: `${kind} n=${n}${rest} ${factorsText(factors)}`,
    convolved: factors.mode === "chirp",
    *tables() {
      for (const { address: at, table: table2 } of placing.tables) yield* table2.pieces(() => new Float32Array(memory3.buffer, at, table2.length));
    }
  };
}
function placeScratch(n, factors, work2) {
  if (factors.mode === "chirp") return [0, 0];
  const bytes = 8 * n * (factors.mode === "across" ? 4 : 1);
  return [work2.take(bytes), work2.take(bytes)];
}
function meeting(n, factors) {
  if (factors.mode !== "within" || factors.last !== 4 || n % 16 !== 0) return void 0;
  return { mode: "within", first: 4, middle: [...factors.middle].reverse(), last: factors.first };
}
function placeProgram(n, factors, placing, scratch2 = placeScratch(n, factors, placing.work)) {
  return factors.mode === "chirp" ? placeChirp(n, factors.m, placing) : placeStages(n, factors, placing, scratch2, 1 / n);
}
function placeStages(n, factors, placing, [first2, second], scale) {
  const { memory: memory3, allocate } = placing;
  const lanes3 = factors.mode === "across" ? 4 : 1;
  const stages2 = [];
  let m = n;
  let s = lanes3;
  if (factors.mode === "within") {
    m /= factors.first;
    s = factors.first;
    stages2.push({ radix: factors.first, step: 0, m, turns: placeTable(laneTurns(factors.first, m), placing) });
  }
  for (const radix of factors.middle) {
    m /= radix;
    stages2.push({ radix, step: 8 * s, m, turns: placeTable(sharedTurns(radix, m), placing) });
    s *= radix;
  }
  const address = allocate(stagesProgram.bytes + stages2.length * stage.bytes);
  stagesProgram.write(memory3, address, {
    n,
    mode: factors.mode,
    stages: stages2.length,
    last: factors.mode === "within" ? factors.last ?? 0 : 0,
    scale,
    first: first2,
    second,
    scaleRest: scale - Math.fround(scale)
  });
  for (const [i, values] of stages2.entries()) stage.write(memory3, address + stagesProgram.bytes + i * stage.bytes, values);
  return address;
}
function placeChirp(n, m, placing) {
  const { memory: memory3, allocate, work: work2 } = placing;
  const line = work2.take(8 * m);
  const stages2 = factorize(m);
  const convolver = placeStages(m, stages2, placing, placeScratch(m, stages2, work2), 1);
  const chirp2 = placeTable(chirpTable(n), placing);
  const inverse = placeTable(chirpTable(n, 1 / n), placing);
  const kernel = placeTable(kernelTable(n, m), placing);
  const address = allocate(chirpProgram.bytes);
  chirpProgram.write(memory3, address, { n, mode: "chirp", chirp: chirp2, kernel, inverseChirp: inverse, line, convolver, m });
  return address;
}
function placeTable(table, { allocate, tables }) {
  const address = allocate(Math.max(16, 4 * table.length));
  tables.push({ address, table });
  return address;
}

// ../fft-cpu/src/wasm/kernels.ts
var builds = { plain: lazyModules(plain), relaxed: lazyModules(relaxed) };
var compiled = /* @__PURE__ */ new Map();
async function loadKernels({ shared = false, relaxed: relaxed2 = true } = {}) {
  for (const isRelaxed of relaxed2 ? [true, false] : [false]) {
    const bytes = builds[isRelaxed ? "relaxed" : "plain"]()[shared ? "shared" : "plain"];
    let compiling = compiled.get(bytes);
    if (!compiling) {
      if (!WebAssembly.validate(bytes)) continue;
      compiling = WebAssembly.compile(bytes).catch(() => {
        compiled.delete(bytes);
        return void 0;
      });
      compiled.set(bytes, compiling);
    }
    const module = await compiling;
    return module && { module, shared, relaxed: isRelaxed };
  }
  return void 0;
}
var tableStart = 32;
function planLines(op3, memory3, owner) {
  const taken2 = [];
  const free = () => {
    for (const address of taken2.splice(0)) owner.free(address);
  };
  try {
    const placed = placePlan(op3, memory3, (bytes) => {
      const address = owner.allocate(bytes);
      taken2.push(address);
      return address;
    });
    return { ...placed, free };
  } catch (error) {
    free();
    throw error;
  }
}

// ../fft-cpu/src/engine.ts
var smallMilliseconds = 0.02;
var mostUnused = 32;
var sliceMilliseconds3 = 1;
var compiled2 = /* @__PURE__ */ new WeakMap();
function compile2(bytes) {
  let module = compiled2.get(bytes);
  if (!module) {
    module = WebAssembly.compile(bytes).catch((error) => {
      throw new RadarError("compile", `a WASM module could not be compiled: ${error.message}`, {}, error);
    });
    compiled2.set(bytes, module);
  }
  return module;
}
async function createEngine(kernels, heap, pool, queue) {
  const table = new WebAssembly.Table({ initial: tableStart, element: "anyfunc" });
  const modules2 = [];
  const known3 = /* @__PURE__ */ new Map();
  const uses = /* @__PURE__ */ new Map();
  const byText = /* @__PURE__ */ new Map();
  const moduleOf2 = async (bytes) => {
    const text3 = new TextDecoder("latin1").decode(bytes);
    const known4 = byText.get(text3);
    if (known4) return known4;
    const module = await compile2(bytes);
    const first2 = byText.get(text3) ?? module;
    byText.set(text3, first2);
    return first2;
  };
  const instantiate = (module) => {
    try {
      return new WebAssembly.Instance(module, { env: { memory: heap.memory, table, abort: () => {
      } } }).exports;
    } catch (error) {
      throw new RadarError("compile", `a WASM module could not be loaded: ${messageOf(error)}`, {}, error);
    }
  };
  const enter = (exports, number) => {
    const named = Object.entries(exports).filter((entry) => typeof entry[1] === "function");
    const place2 = modules2[number]?.place ?? table.length;
    if (number > 0) {
      if (number === modules2.length) table.grow(named.length);
      for (const [i, [, f]] of named.entries()) table.set(place2 + i, f);
    }
    modules2[number] = { functions: named.map(([, f]) => f), names: named.map(([name]) => name), place: place2 };
    return number;
  };
  const replaceable = async (module) => {
    const unused = [...uses].filter(([, count2]) => count2 === 0);
    if (unused.length <= mostUnused || WebAssembly.Module.exports(module).length !== 1) return void 0;
    for (const [old] of unused) {
      const number = await known3.get(old);
      if (number === void 0 || uses.get(old) !== 0 || modules2[number].functions.length !== 1) continue;
      known3.delete(old);
      uses.delete(old);
      for (const [text3, module2] of byText) if (module2 === old) byText.delete(text3);
      return number;
    }
    return void 0;
  };
  const loadModule = (module) => {
    let loading = known3.get(module);
    if (!loading) {
      loading = Promise.allSettled(known3.values()).then(async () => {
        const exports = instantiate(module);
        const replaced = await replaceable(module);
        await pool?.load(module, replaced);
        return enter(exports, replaced ?? modules2.length);
      });
      known3.set(module, loading);
      loading.catch(() => {
        known3.delete(module);
        uses.delete(module);
      });
    }
    return loading;
  };
  const load4 = async (bytes, name) => {
    if (!isArrayOf(bytes, Uint8Array)) throw layoutError("wasm", "the bytes of a module for both kinds of memory", bytes);
    const module = await moduleOf2(bytes);
    const count2 = uses.get(module) ?? 0;
    uses.delete(module);
    uses.set(module, count2 + 1);
    const number = await loadModule(module);
    const { names, place: place2 } = modules2[number];
    if (!names.includes(name)) throw new RadarError("compile", `a WASM module exports no function ${name}`, { entry: name });
    return { module: number, name, place: place2 + names.indexOf(name), source: module };
  };
  await loadModule(kernels.module);
  const units = pool?.units ?? 1;
  let reserved2 = { address: 0, pitch: 0 };
  return {
    heap,
    shared: kernels.shared,
    kernel: (name) => ({ module: 0, name, place: 0 }),
    load: load4,
    release({ source }) {
      if (source) uses.set(source, (uses.get(source) ?? 1) - 1);
    },
    run(work2) {
      const { what, uses: uses2, prepare, argument, items, chunk, milliseconds, signal } = work2;
      const everywhere = work2.units.length === units;
      if (pool && !(milliseconds < smallMilliseconds && everywhere)) {
        const { module, name } = work2.entry;
        return pool.run({ what, uses: uses2, prepare, module, entry: name, argument, items, chunk, signal }, work2.units);
      }
      const { functions: functions2, names } = modules2[work2.entry.module];
      const f = functions2[names.indexOf(work2.entry.name)];
      let prepared = false;
      return queue.push({
        what,
        uses: uses2,
        items,
        signal,
        slice: Math.max(1, Math.min(items, Math.floor(items * sliceMilliseconds3 / milliseconds))),
        run(start, end) {
          if (!prepared) prepare();
          prepared = true;
          f(argument, start, end, pool ? units : 0);
        }
      });
    },
    reserve(bytes) {
      const pitch = Math.ceil(bytes / 4096) * 4096 + apartBytes;
      if (pitch <= reserved2.pitch) return;
      const address = heap.allocate(pitch * (units + 1), "work memory", "raw");
      const old = reserved2.address;
      reserved2 = { address, pitch };
      if (old)
        queue.ready().then(
          () => heap.free(old),
          () => {
          }
        );
    },
    workMemory: () => reserved2
  };
}

// ../fft-cpu/src/wasm-rules.ts
function wasmRules(engine) {
  return [
    {
      name: "wasm lines",
      fused: false,
      try: (op3, context) => isBare(op3) && fits2(op3, context.options.inPlace) ? transformBody(op3, engine, context) : void 0
    },
    {
      name: "wasm lines, fused",
      fused: true,
      try: (op3, context) => isTransform(op3) && fits2(op3, context.options.inPlace) ? transformBody(op3, engine, context) : void 0
    },
    {
      name: "wasm kernel",
      fused: false,
      try: (op3) => op3.op === "kernel" && op3.wasm && op3.items < 2 ** 32 ? kernelBody(op3, op3.wasm, engine) : void 0
    }
  ];
}
var isBare = (op3) => (op3.op === "fft" || op3.op === "real-fft") && !op3.load && !op3.store;
function fits2(op3, inPlace) {
  if (op3.cornerTurn && (inPlace || !turns(op3))) return false;
  if (op3.layout.dtype !== "c64" && op3.layout.dtype !== "f32") return false;
  if (op3.op === "real-fft") return !op3.load && !op3.store;
  return [op3.load, filterHookOf(op3), op3.store].every((hook) => !hook || hook.wasm !== void 0);
}
var turns = (op3) => op3.op !== "real-fft" && op3.axis >= op3.layout.shape.length - 2 && !(op3.store && dtypes[op3.store.dtype].bytes > 8);
var flopsPerMillisecond = 5e6;
var bytesPerMillisecond2 = 1e6;
var callMilliseconds = 8;
function kindOf(op3) {
  if (op3.op === "fft") return op3.inverse ? "inverse-fft" : "fft";
  if (op3.op === "real-fft") return op3.inverse ? "inverse-real-fft" : "real-fft";
  return op3.op === "spectral-filter" ? "filter" : "filter-inverse";
}
async function transformBody(op3, engine, { pause }) {
  const { heap } = engine;
  const n = transformLength(op3);
  const { outers, extent, inners } = axisView(op3.layout, op3.axis);
  const result = keptLayout2(op3);
  const kept2 = result.shape[op3.axis];
  const columns = inners > 1 || op3.axis < op3.layout.shape.length - 1 && (op3.load ?? filterHookOf(op3) ?? op3.store) !== void 0;
  const adjacent2 = op3.cornerTurn && op3.axis === op3.layout.shape.length - 1 ? op3.layout.shape[op3.axis - 1] : inners;
  const way = columns ? op3.cornerTurn ? "corner-turned columns" : "columns" : adjacent2 > 1 ? "corner-turned rows" : "rows";
  const taken2 = [];
  const allocate = (bytes) => {
    const address = heap.allocate(bytes, `plan of ${formatOp(op3)}`);
    taken2.push(address);
    return address;
  };
  let plan;
  const hooks = [];
  const prepared = async (hook) => {
    const made = await prepareHook(engine, hook, allocate);
    hooks.push(made);
    return made;
  };
  const dispose = () => {
    plan?.free();
    for (const { entry } of hooks.splice(0)) engine.release(entry);
    for (const address of taken2.splice(0)) heap.free(address);
  };
  try {
    const load4 = op3.load ? await prepared(op3.load) : void 0;
    const hook = filterHookOf(op3);
    const filter = hook && await prepared(hook);
    const store2 = op3.store ? await prepared(op3.store) : void 0;
    plan = planLines({ kind: kindOf(op3), n, inputLength: extent, ...op3.keep && { keep: op3.keep } }, heap.memory, {
      allocate: (bytes) => heap.allocate(bytes, `tables of ${formatOp(op3)}`, "raw"),
      free: heap.free
    });
    const elementIn = dtypes[op3.layout.dtype].bytes;
    const elementOut = dtypes[op3.store?.dtype ?? result.dtype].bytes;
    const width = Math.min(plan.tileColumns, adjacent2);
    const own = Math.ceil((columns ? plan.columnsWorkBytes : plan.rowsWorkBytes) / 64) * 64 + 1088;
    const pitchOf = (elements2) => Math.ceil(8 * elements2 / 64) * 64 + 64;
    const bytesOf2 = (elements2) => columns ? 8 * elements2 * width : 4 * pitchOf(elements2);
    const filters = own + (load4 ? bytesOf2(extent) + 64 : 0);
    const results = filters + (filter ? bytesOf2(n) + 64 : 0);
    const tile2 = results + (store2 ? bytesOf2(kept2) + 64 : 0);
    engine.reserve(
      tile2 + (way === "corner-turned rows" ? pitchOf(kept2) * width : way === "corner-turned columns" && store2 ? elementOut * width * kept2 : 0)
    );
    const argument = allocate(linesTask.bytes);
    await runInPieces(plan.tables(), pause);
    const tiles = Math.ceil(adjacent2 / width);
    const items = outers * inners / adjacent2 * tiles;
    const cost = onePassCost(op3);
    const text3 = `(${op3.op}/wasm ${plan.text} lines=${outers * inners}${way === "rows" ? "" : ` ${way}`}${hooksText(op3)})`;
    const { address: planAddress } = plan;
    const what = formatOp(op3);
    const uses = usesOf2(op3);
    return {
      text: text3,
      cost,
      ...plan.convolved && { convolved: true },
      dispose,
      run(ports, { uniforms, units, signal }) {
        const h = ports["h"];
        const filterLine2 = "h" in op3 && op3.h === "line";
        const prepare = () => {
          const work2 = engine.workMemory();
          load4?.write(ports, uniforms);
          filter?.write(ports, uniforms);
          store2?.write(ports, uniforms);
          linesTask.write(heap.memory, argument, {
            way,
            plan: planAddress,
            source: load4 ? 0 : ports["in"].address,
            sourcePitch: load4 ? 0 : elementIn * (columns ? inners : extent),
            target: ports["out"].address,
            targetPitch: elementOut * (way === "rows" || way === "corner-turned columns" ? kept2 : adjacent2),
            filter: h?.address ?? 0,
            filterPitch: !h || filterLine2 ? 0 : 8 * (columns ? inners : n),
            work: work2.address,
            workPitch: work2.pitch,
            sourceOuter: load4 ? 0 : elementIn * extent * inners,
            targetOuter: elementOut * kept2 * adjacent2,
            filterOuter: 8 * n * inners,
            adjacent: adjacent2,
            tileLines: width,
            tiles,
            row: op3.layout.shape[op3.layout.shape.length - 1],
            loadHook: load4?.entry.place ?? 0,
            loadArgument: load4?.argument ?? 0,
            loaded: own,
            loadedPitch: pitchOf(extent),
            filterHook: filter?.entry.place ?? 0,
            filterArgument: filter?.argument ?? 0,
            filters,
            filtersPitch: pitchOf(n),
            storeHook: store2?.entry.place ?? 0,
            storeArgument: store2?.argument ?? 0,
            results,
            resultsPitch: pitchOf(kept2),
            loadedCount: extent,
            storedCount: kept2,
            elementIn,
            elementOut,
            tile: tile2,
            tilePitch: columns ? elementOut * width : pitchOf(kept2)
          });
        };
        const chunk = way !== "rows" ? 1 : 4 * Math.ceil(items / (32 * units.length));
        return engine.run({
          what,
          uses: uses(ports),
          entry: engine.kernel("linesTask"),
          prepare,
          argument,
          items,
          chunk,
          milliseconds: cost.flops / flopsPerMillisecond,
          units,
          signal
        });
      }
    };
  } catch (error) {
    dispose();
    throw limitOfLength(error, n);
  }
}
var limitOfLength = (error, n) => isRadarError(error, "limit") && error.fields["field"] === void 0 ? new RadarError("limit", error.message, { ...error.fields, field: "n", actual: n }, error) : error;
function prepareHook(engine, hook, allocate) {
  return prepareFunction(engine, hook, hook.wasm, Object.keys(hook.sources), allocate);
}
async function prepareFunction(engine, { uniforms: types = {}, constants: constants2 = {} }, wasm, names, allocate) {
  const entry = await engine.load(engine.shared ? wasm.shared : wasm.plain, wasm.entry);
  const numbers = Object.values(constants2).filter((value2) => typeof value2 === "number");
  const uniformNames = Object.entries(types);
  const { workBytes = 0 } = wasm;
  if (workBytes > 0) engine.reserve(workBytes);
  const argument = allocate(4 * (names.length + uniformNames.length + numbers.length + (workBytes > 0 ? 2 : 0)));
  return {
    entry,
    argument,
    write(ports, uniforms) {
      const view = new DataView(engine.heap.memory.buffer, argument);
      let at = 0;
      for (const name of names) view.setUint32(4 * at++, ports[name].address, true);
      for (const [name, type2] of uniformNames) {
        if (type2 === "f32") view.setFloat32(4 * at++, uniforms[name], true);
        else view.setInt32(4 * at++, uniforms[name], true);
      }
      for (const value2 of numbers) view.setFloat32(4 * at++, value2, true);
      if (workBytes === 0) return;
      const work2 = engine.workMemory();
      view.setUint32(4 * at++, work2.address, true);
      view.setUint32(4 * at, work2.pitch, true);
    }
  };
}
async function kernelBody(op3, wasm, engine) {
  const taken2 = [];
  let loaded;
  const dispose = () => {
    if (loaded) engine.release(loaded);
    loaded = void 0;
    for (const address of taken2.splice(0)) engine.heap.free(address);
  };
  const { entry, argument, write } = await prepareFunction(engine, op3, wasm, Object.keys(op3.ports), (bytes) => {
    const address = engine.heap.allocate(bytes, op3.name);
    taken2.push(address);
    return address;
  });
  loaded = entry;
  const cost = onePassCost(op3);
  const milliseconds = Math.max(cost.bytes / bytesPerMillisecond2, cost.flops / flopsPerMillisecond);
  const perCall = Math.max(1, Math.floor(op3.items * callMilliseconds / milliseconds));
  const uses = usesOf2(op3);
  return {
    text: `(kernel/wasm ${op3.name})`,
    cost,
    dispose,
    run: (ports, { uniforms, units, signal }) => engine.run({
      what: formatOp(op3),
      uses: uses(ports),
      entry,
      prepare: () => write(ports, uniforms),
      argument,
      items: op3.items,
      chunk: wasm.whole ? Math.ceil(op3.items / units.length) : Math.min(perCall, Math.ceil(op3.items / (16 * units.length))),
      milliseconds,
      units,
      signal
    })
  };
}

// ../fft-cpu/src/long-rules.ts
function longRules(engine) {
  return [
    {
      name: "wasm long lines",
      fused: false,
      async try(op3, context) {
        if (!isBare(op3)) return void 0;
        const n = complexLength(op3);
        if (n === void 0) return void 0;
        const lines2 = axisView(op3.layout, op3.axis).outers;
        const { units: most2 } = context.device;
        const counts = Array.from({ length: most2 }, (_3, i) => i + 1);
        const byLine = counts.filter((units) => !isQuicker(n, lines2, units, most2));
        return byLine.length < counts.length ? longBody(op3, n, engine, byLine, context) : void 0;
      }
    }
  ];
}
var shortest = 2 ** 12;
function complexLength(op3) {
  const n = transformLength(op3);
  const { extent, inners } = axisView(op3.layout, op3.axis);
  const isReal = op3.op === "real-fft";
  const natural = isReal && op3.inverse ? n / 2 + 1 : n;
  if (inners > 1 || extent !== natural || op3.keep || op3.cornerTurn || isReal && n % 2 !== 0) return void 0;
  if (op3.layout.dtype !== "c64" && op3.layout.dtype !== "f32") return void 0;
  const length = isReal ? n / 2 : n;
  return length >= shortest && isSmooth(length) ? length : void 0;
}
var lineFlopsPerMillisecond = 4e7;
var handoverMilliseconds = 0.1;
var twoPassesOverOne = 1.4;
var beyondCache = 2 ** 22;
function isQuicker(n, lines2, units, device) {
  if (n > beyondCache) return true;
  const handover = device > 1 ? handoverMilliseconds : 0;
  const line = 5 * n * Math.log2(n) / lineFlopsPerMillisecond;
  const together = factorize(n).mode === "across" ? 4 : 1;
  const byLine = line * together * Math.ceil(lines2 / together / units) + handover;
  return line * twoPassesOverOne * lines2 / units + 2 * handover < byLine;
}
function split(n) {
  let rows = Math.floor(Math.sqrt(n));
  while (n % rows !== 0) rows--;
  return [rows, n / rows];
}
var groupLength = 2 ** 19;
var tilesBytes = 2 ** 20;
var leastColumns2 = 8;
var mostColumns2 = 64;
var widestTile = ({ length, isMirrored }) => {
  const fit2 = Math.floor(tilesBytes / (16 * length * (isMirrored ? 2 : 1)) / leastColumns2);
  return leastColumns2 * Math.max(1, Math.min(mostColumns2 / leastColumns2, fit2));
};
var tileBytesOf = (pass) => 8 * pass.length * (pass.isMirrored ? 2 * (widestTile(pass) + 4) : widestTile(pass));
function tilesOf(pass, lines2, units) {
  const served = pass.isMirrored ? Math.floor(pass.columns / 2) : pass.columns;
  const even = leastColumns2 * Math.ceil(served * lines2 / (4 * units) / leastColumns2);
  const tileColumns = Math.min(widestTile(pass), even);
  return { tileColumns, tiles: Math.ceil(served / tileColumns) };
}
async function longBody(op3, n, engine, byLine, context) {
  const { heap } = engine;
  const what = formatOp(op3);
  const isReal = op3.op === "real-fft";
  const inverse = "inverse" in op3 && op3.inverse;
  const lines2 = axisView(op3.layout, op3.axis).outers;
  const [rows, columns] = split(n);
  const first2 = { length: rows, columns, isMirrored: isReal && inverse };
  const second = { length: columns, columns: rows, isMirrored: isReal && !inverse };
  const taken2 = [];
  const plans = [];
  let lineBody;
  const dispose = () => {
    lineBody?.dispose?.();
    for (const plan of plans.splice(0)) plan.free();
    for (const address of taken2.splice(0)) heap.free(address);
  };
  const allocate = (bytes, raw2) => {
    const address = heap.allocate(bytes, `plan of ${what}`, raw2);
    taken2.push(address);
    return address;
  };
  const unmade = [];
  const place2 = (table) => {
    const address = allocate(4 * table.length, "raw");
    unmade.push(() => table.pieces(() => new Float32Array(heap.memory.buffer, address, table.length)));
    return address;
  };
  const planOf = (length) => {
    const plan = planLines(
      { kind: inverse ? "inverse-fft" : "fft", n: length, factors: { mode: "across", middle: columnRadices(length) } },
      heap.memory,
      { allocate: (bytes) => heap.allocate(bytes, `tables of ${what}`, "raw"), free: heap.free }
    );
    plans.push(plan);
    unmade.push(() => plan.tables());
    return plan.address;
  };
  try {
    const firstPlan = planOf(rows);
    const secondPlan = rows === columns ? firstPlan : planOf(columns);
    const factors = place2(turnFactors(rows, columns, inverse, first2.isMirrored));
    const mirrored = inverse ? first2 : second;
    const turns3 = isReal ? place2(realTurns(mirrored.length, inverse, mirrored.length)) : 0;
    const columnTurns = isReal ? place2(rootTable(2 * n, Math.floor(mirrored.columns / 2) + 4, inverse)) : 0;
    const group = Math.max(1, Math.min(lines2, Math.floor(groupLength / n)));
    const betweenLine = columns * (second.isMirrored ? 16 * (Math.floor(rows / 2) + 4) : 32 * Math.ceil(rows / 4));
    const levelsLine = Math.ceil(columns / 16) * 16;
    const between = allocate(group * betweenLine, "raw");
    const levels = allocate(group * levelsLine);
    const most2 = Math.max(tileBytesOf(first2), tileBytesOf(second));
    const tile2 = 16 * (mostColumns2 + 4);
    const otherTile = tile2 + Math.ceil(most2 / 4096) * 4096 + 2112;
    engine.reserve(otherTile + most2);
    const passes = [
      { way: "long first", argument: allocate(longTask.bytes) },
      { way: "long second", argument: allocate(longTask.bytes) }
    ];
    if (byLine.length > 0) lineBody = await transformBody(op3, engine, context);
    for (const pieces of unmade) await runInPieces(pieces(), context.pause);
    const result = keptLayout2(op3);
    const sourceLine = dtypes[op3.layout.dtype].bytes * op3.layout.shape[op3.axis];
    const targetLine = dtypes[result.dtype].bytes * result.shape[op3.axis];
    const onePass2 = onePassCost(op3);
    const cost = { flops: onePass2.flops, bytes: onePass2.bytes + 16 * n * lines2, passes: 2 };
    const form = `four-step${inverse ? " inverse" : ""} n=${transformLength(op3)} ${rows}\xD7${columns}`;
    const stages2 = [rows, columns].map((length) => columnRadices(length).join("\xB7")).join(", ");
    const few = byLine.length > 1 && byLine.at(-1) === byLine.length ? `up to ${byLine.length}` : byLine.join(", ");
    const otherwise = lineBody ? `; on ${few} of the units ${lineBody.text}` : "";
    const uses = usesOf2(op3);
    const runPasses = async (ports, units, signal) => {
      const runs = [];
      for (let start = 0; start < lines2; start += group) {
        const count2 = Math.min(group, lines2 - start);
        const [firstTiles, secondTiles] = [first2, second].map((pass) => tilesOf(pass, count2, units.length));
        const task = (way) => {
          const work2 = engine.workMemory();
          return {
            way,
            firstPlan,
            firstColumns: columns,
            firstTileColumns: firstTiles.tileColumns,
            firstTiles: firstTiles.tiles,
            firstTurns: first2.isMirrored ? turns3 : 0,
            secondPlan,
            secondColumns: rows,
            secondTileColumns: secondTiles.tileColumns,
            secondTiles: secondTiles.tiles,
            secondTurns: second.isMirrored ? turns3 : 0,
            source: ports["in"].address + start * sourceLine,
            sourceLine,
            target: ports["out"].address + start * targetLine,
            targetLine,
            between,
            betweenLine,
            levels,
            levelsLine,
            work: work2.address,
            workPitch: work2.pitch,
            nowhere: 0,
            tile: tile2,
            otherTile,
            columnTurns,
            factors
          };
        };
        for (const { way, argument } of passes) {
          runs.push(
            engine.run({
              what,
              uses: uses(ports),
              entry: engine.kernel("linesTask"),
              prepare: () => longTask.write(heap.memory, argument, task(way)),
              argument,
              items: count2 * (way === "long first" ? firstTiles : secondTiles).tiles,
              chunk: 1,
              milliseconds: cost.flops * count2 / lines2 / 2 / flopsPerMillisecond,
              units,
              signal
            })
          );
        }
      }
      await Promise.allSettled(runs);
      await Promise.all(runs);
    };
    return {
      text: `(${op3.op}/wasm ${form} ${stages2} lines=${lines2}${otherwise})`,
      cost,
      ...lineBody?.convolved && { convolved: true },
      temporaryBytes: group * (betweenLine + levelsLine),
      dispose,
      run: (ports, options) => lineBody && byLine.includes(options.units.length) ? lineBody.run(ports, options) : runPasses(ports, options.units, options.signal)
    };
  } catch (error) {
    dispose();
    throw limitOfLength(error, transformLength(op3));
  }
}

// ../fft-cpu/src/node-module.ts
function nodeModule(name) {
  const { process: process2 } = globalThis;
  return process2?.getBuiltinModule?.(name);
}

// ../fft-cpu/src/worker-host.ts
function startWorker(source) {
  const threads = nodeModule("node:worker_threads");
  return threads ? startInNode(threads, source) : startInBrowser(source);
}
function startInNode({ Worker: Worker2 }, source) {
  const glue = `
    const { parentPort } = require("node:worker_threads");
    const host = { post: (m) => parentPort.postMessage(m), onMessage: (f) => parentPort.on("message", f) };
  `;
  const worker = new Worker2(glue + source, { eval: true });
  const host = {
    post: (message) => worker.postMessage(message),
    onMessage: () => {
    },
    onExit: () => {
    },
    ref: () => worker.ref(),
    unref: () => worker.unref(),
    terminate: () => void worker.terminate()
  };
  worker.on("message", (message) => host.onMessage(message));
  worker.on("error", () => {
  });
  worker.on("exit", () => host.onExit());
  return host;
}
function startInBrowser(source) {
  const glue = "const host = { post: (m) => postMessage(m), onMessage: (f) => { onmessage = (e) => f(e.data); } };";
  const url = URL.createObjectURL(new Blob([glue + source], { type: "text/javascript" }));
  const worker = new Worker(url);
  const host = {
    post: (message) => worker.postMessage(message),
    onMessage: () => {
    },
    onExit: () => {
    },
    ref() {
    },
    unref() {
    },
    terminate() {
      worker.terminate();
      URL.revokeObjectURL(url);
    }
  };
  worker.onmessage = (event) => host.onMessage(event.data);
  worker.onerror = () => {
    host.terminate();
    host.onExit();
  };
  return host;
}

// ../fft-cpu/src/worker-source.ts
var unitWords = { turn: 0, job: 1, busy: 2, owner: 3, size: 16 };
var failures = { none: 0, trapped: 1, owned: 2 };
var leave = -1;
var workerSource = `
"use strict";
let memory, words, unit, unitWords, jobWords, table;
const entries = [], places = [];
function instantiate(module, number = entries.length) {
  const { exports } = new WebAssembly.Instance(module, { env: { memory, table, abort() { throw new Error("abort"); } } });
  const functions = Object.values(exports).filter((value) => typeof value === "function");
  if (number === places.length) {
    places.push(table.length);
    if (number > 0) table.grow(functions.length);
  }
  if (number > 0) functions.forEach((f, i) => table.set(places[number] + i, f));
  entries[number] = functions;
}
function fail(job, code) {
  Atomics.compareExchange(words, job + jobWords.failed, ${failures.none}, code);
  Atomics.store(words, job + jobWords.stop, 1);
}
function part(job) {
  const entry = entries[words[job + jobWords.module]][words[job + jobWords.entry]];
  const items = words[job + jobWords.items] >>> 0, chunk = words[job + jobWords.chunk] >>> 0, argument = words[job + jobWords.argument];
  try {
    while (Atomics.load(words, job + jobWords.stop) === 0) {
      const start = Atomics.add(words, job + jobWords.next, 1) * chunk;
      if (start >= items) break;
      entry(argument, start, Math.min(start + chunk, items), unit);
    }
  } catch {
    fail(job, ${failures.trapped});
  }
}
function work(job) {
  const base = unit * unitWords.size, ticket = words[job + jobWords.ticket];
  if (Atomics.compareExchange(words, base + unitWords.owner, 0, ticket) === 0) {
    part(job);
    if (Atomics.compareExchange(words, base + unitWords.owner, ticket, 0) !== ticket) fail(job, ${failures.owned} + unit);
  } else fail(job, ${failures.owned} + unit);
  if (Atomics.exchange(words, base + unitWords.busy, 0) === 1 && Atomics.sub(words, job + jobWords.pending, 1) === 1) Atomics.notify(words, job + jobWords.pending);
}
let turn = 0;
function loop() {
  const base = unit * unitWords.size;
  for (;;) {
    Atomics.wait(words, base + unitWords.turn, turn);
    const now = Atomics.load(words, base + unitWords.turn);
    if (now === turn) continue;
    turn = now;
    const job = Atomics.load(words, base + unitWords.job);
    if (job === ${leave}) return;
    work(job);
  }
}
host.onMessage((message) => {
  try {
    if (message.memory) {
      ({ memory, unit, unitWords, jobWords } = message);
      table = new WebAssembly.Table({ initial: ${tableStart}, element: "anyfunc" });
      words = new Int32Array(memory.buffer, message.address, message.words);
      for (const module of message.modules) instantiate(module);
    } else {
      instantiate(message.module, message.number);
    }
    host.post({});
  } catch (error) {
    host.post({ error: String(error) });
  }
  loop();
});
`;

// ../fft-cpu/src/pool.ts
var jobWords = {
  next: 0,
  items: 1,
  chunk: 2,
  pending: 3,
  module: 4,
  entry: 5,
  argument: 6,
  failed: 7,
  stop: 8,
  ticket: 9,
  size: 16
};
var poolBytes = (units) => 4 * units * (unitWords.size + jobWords.size);
async function createPool(memory3, address, count2, queue) {
  const modules2 = [];
  const functions2 = [];
  const units = [];
  const resources = Array.from({ length: count2 }, createResource);
  let closed = false;
  let tickets = 0;
  const w = new Int32Array(memory3.buffer, address, count2 * (unitWords.size + jobWords.size));
  const jobAt = (unit) => count2 * unitWords.size + unit * jobWords.size;
  const ask = (unit, made, message) => new Promise((resolve, reject) => {
    made.lost = () => reject(closed ? new RadarError("disposed", "the device was disposed") : new RadarError("failed", `unit ${unit} died`, { unit }));
    made.worker.onMessage = (answer) => {
      const { error } = answer;
      if (error === void 0) resolve();
      else reject(new RadarError("compile", `a worker could not load a module: ${error}`, { unit }));
    };
    made.worker.post(message);
  });
  const start = async (unit) => {
    for (const word of [unitWords.turn, unitWords.busy, unitWords.owner]) Atomics.store(w, unit * unitWords.size + word, 0);
    const worker = startWorker(workerSource);
    const made = { worker, up: false, stillborn: false, ready: Promise.resolve(), lost: () => {
    }, task: void 0 };
    let begun = false;
    worker.onExit = () => {
      made.up = false;
      made.lost();
      if (closed) return;
      made.task?.died();
      if (begun) replace(unit, made);
      else made.stillborn = true;
    };
    made.ready = ask(unit, made, { memory: memory3, address, words: w.length, unit, unitWords, jobWords, modules: modules2 });
    made.ready.then(
      () => {
        begun = true;
        made.up = true;
        worker.unref();
      },
      // The worker died, or could not load the modules.
      () => {
        worker.onExit = () => {
        };
        worker.terminate();
        made.stillborn = true;
      }
    );
    if (closed) worker.terminate();
    return made;
  };
  const replace = (unit, gone) => {
    gone.stillborn = false;
    gone.ready = start(unit).then((next) => {
      units[unit] = next;
      return next.ready;
    });
    gone.ready.catch(() => {
    });
  };
  const close = () => {
    closed = true;
    for (const { worker, task, lost } of units) {
      task?.died();
      lost();
      worker.terminate();
    }
  };
  try {
    for (let unit = 0; unit < count2; unit++) units.push(await start(unit));
    await Promise.all(units.map(({ ready }) => ready));
  } catch (error) {
    close();
    throw error;
  }
  const wake = (unit, job) => {
    const base = unit * unitWords.size;
    Atomics.store(w, base + unitWords.job, job);
    Atomics.add(w, base + unitWords.turn, 1);
    Atomics.notify(w, base + unitWords.turn);
  };
  const allUp = async (chosen) => {
    if (closed) return;
    for (const unit of chosen) if (units[unit].stillborn) replace(unit, units[unit]);
    while (!closed && !chosen.every((unit) => units[unit].up)) await Promise.all(chosen.map((unit) => units[unit].ready));
  };
  const runTask = async (task, chosen) => {
    const { what, signal } = task;
    if (!chosen.every((unit) => units[unit].up)) await allUp(chosen);
    if (closed) throw new RadarError("disposed", `the device was disposed before ${what}`);
    throwIfAborted(signal, what);
    for (const unit of chosen) if (Atomics.load(w, unit * unitWords.size + unitWords.busy) !== 0) throw notFree(what, unit);
    task.prepare();
    const job = jobAt(chosen[0]);
    const at = (word) => job + jobWords[word];
    tickets = tickets % 2147483647 + 1;
    for (const [word, value2] of Object.entries({
      next: 0,
      items: task.items,
      chunk: task.chunk,
      pending: chosen.length,
      module: task.module,
      entry: functions2[task.module].indexOf(task.entry),
      argument: task.argument,
      failed: failures.none,
      stop: 0,
      ticket: tickets
    })) {
      Atomics.store(w, at(word), value2);
    }
    const unregister = onAbort(signal, () => void Atomics.store(w, at("stop"), 1));
    let deaths = 0;
    const working = chosen.map((unit) => units[unit]);
    for (const [i, unit] of chosen.entries()) {
      const busy = unit * unitWords.size + unitWords.busy;
      Atomics.store(w, busy, 1);
      working[i].task = {
        died() {
          if (Atomics.exchange(w, busy, 0) === 0) return;
          deaths++;
          Atomics.store(w, at("stop"), 1);
          Atomics.sub(w, at("pending"), 1);
          Atomics.notify(w, at("pending"));
        }
      };
      working[i].worker.ref();
      wake(unit, job);
    }
    try {
      await untilZero(w, at("pending"));
    } finally {
      unregister();
      for (const made of working) {
        made.task = void 0;
        made.worker.unref();
      }
    }
    if (closed) throw new RadarError("disposed", `the device was disposed before ${what} had finished`);
    if (deaths > 0) throw new RadarError("failed", `${what} failed: a worker died`, { what });
    const failed = Atomics.load(w, at("failed"));
    if (failed >= failures.owned) throw notFree(what, failed - failures.owned);
    if (failed === failures.trapped) throw new RadarError("failed", `${what} failed: its kernel trapped`, { what });
    throwIfAborted(signal, what);
  };
  const loadModule = async (module, number) => {
    await allUp([...units.keys()]);
    if (closed) throw new RadarError("disposed", "the device was disposed");
    const before = [modules2[number], functions2[number]];
    modules2[number] = module;
    functions2[number] = WebAssembly.Module.exports(module).filter(({ kind }) => kind === "function").map(({ name }) => name);
    const outcomes = await Promise.allSettled(
      units.map(async (made, i) => {
        made.worker.ref();
        wake(i, leave);
        made.up = false;
        made.ready = ask(i, made, { module, number }).then(() => {
          made.up = true;
        });
        await made.ready.catch(() => made.ready);
        made.worker.unref();
      })
    );
    const failure = outcomes.find((outcome) => outcome.status === "rejected");
    if (failure) {
      if (before[0]) [modules2[number], functions2[number]] = before;
      else modules2.length = functions2.length = number;
      for (const [unit, made] of closed ? [] : units.entries()) {
        made.up = false;
        made.worker.onExit = () => {
        };
        made.worker.terminate();
        replace(unit, made);
      }
      throw failure.reason;
    }
  };
  return {
    units: count2,
    async load(module, replaced) {
      let number = modules2.indexOf(module);
      const start2 = async () => {
        number = modules2.indexOf(module);
        if (number >= 0) return;
        number = replaced ?? modules2.length;
        await loadModule(module, number);
      };
      await queue.push({ what: "loading of a module", uses: { reads: [], writes: resources }, start: start2 });
      return number;
    },
    run(task, chosen) {
      const { reads, writes: writes2 } = task.uses;
      const uses = { reads, writes: [...writes2, ...chosen.map((unit) => resources[unit])] };
      return queue.push({ what: task.what, uses, start: () => runTask(task, chosen) });
    },
    killForTest: (unit) => units[unit].worker.terminate(),
    close
  };
}
var notFree = (what, unit) => new RadarError("failed", `${what} failed: another task used unit ${unit}`, { what, unit });
async function untilZero(words4, index) {
  for (let value2 = Atomics.load(words4, index); value2 !== 0; value2 = Atomics.load(words4, index)) {
    const { waitAsync } = Atomics;
    if (waitAsync) {
      const waiting = waitAsync(words4, index, value2);
      if (waiting.async) await waiting.value;
    } else await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

// ../fft-cpu/src/levels.ts
var single = { small: 2 ** -64, up: 2 ** 64, large: 2 ** 96, down: 2 ** -96 };
var double2 = { small: 2 ** -512, up: 2 ** 512, large: 2 ** 768, down: 2 ** -768 };
var step2 = 15;
function largest(line, apart) {
  let most2 = 0;
  for (let i = 0; i < line.length; i += apart) {
    const size = Math.abs(line[i]);
    if (size > most2) most2 = size;
  }
  return most2;
}
function settle(line) {
  const { small, up, large, down } = line instanceof Float32Array ? single : double2;
  let most2 = largest(line, line.length > 64 ? step2 : 1);
  if (most2 < small) most2 = largest(line, 1);
  if (most2 === 0 || most2 >= small && most2 < large) return 1;
  const factor = most2 < small ? up : down;
  multiplyBy(line, factor);
  return 1 / factor;
}
function multiplyBy(line, factor) {
  if (factor === 1) return;
  for (let i = 0; i < line.length; i++) line[i] *= factor;
}

// ../fft-cpu/src/lines.ts
var import_fft4 = __toESM(require_fft(), 1);
var longestByDefinition = 32;
var longestByStages = 4096;
var longestPower = 2 ** 17;
var isPowerOfTwo = (n) => Number.isInteger(Math.log2(n));
var ways = [
  { takes: (n) => n === 1, bytes: () => 0, make: copy },
  { takes: (n) => n <= longestPower && isPowerOfTwo(n), bytes: (n) => 24 * n, make: fftJs },
  { takes: (n) => n <= longestByStages && isSmooth(n), bytes: (n) => 48 * n, make: byStages },
  { takes: isSmooth, bytes: (n) => 16 * n, make: asMatrix },
  { takes: (n) => n <= longestByDefinition, bytes: () => 0, make: byDefinition },
  { takes: () => true, bytes: (n) => 16 * n + 64 * convolutionLength2(n), make: bluestein }
];
var wayOf = (n) => ways.find((way) => way.takes(n));
var lineTransform = (n, precision) => wayOf(n).make(n, precision);
var lineTransformBytes = (n) => wayOf(n).bytes(n);
function copyLine(to, from, n, inverse, scale) {
  const first2 = inverse ? 1 : 0;
  const second = 1 - first2;
  for (let i = 0; i < 2 * n; i += 2) {
    to[i] = from[i + first2] * scale;
    to[i + 1] = from[i + second] * scale;
  }
}
function* copy(n) {
  return { n, text: "copy", run: (output, input) => output.set(input) };
}
function* fftJs(n, precision) {
  const fft = new import_fft4.default(n);
  return {
    n,
    text: `fft.js ${precision === Float32Array ? "f32" : "f64"}`,
    run(output, input, inverse) {
      if (inverse) fft.inverseTransform(output, input);
      else fft.transform(output, input);
    }
  };
}
function* byStages(n) {
  const stages2 = lineStages(n);
  const a2 = new Float64Array(2 * n);
  const b2 = new Float64Array(2 * n);
  return {
    n,
    text: `stages ${stages2.stages.map(({ radix }) => radix).join("\xB7")} f64`,
    run(output, input, inverse) {
      copyLine(a2, input, n, inverse, 1);
      copyLine(output, runStages(stages2, a2, b2, 1), n, inverse, inverse ? 1 / n : 1);
    }
  };
}
var lanes2 = 4;
function* asMatrix(n) {
  const [rows, columns] = matrixOf(n);
  const down = lineStages(rows);
  const along = lineStages(columns);
  const turns3 = rootsOf(n);
  yield;
  const between = new Float64Array(2 * n);
  const x = new Float64Array(2 * lanes2 * columns);
  const y = new Float64Array(2 * lanes2 * columns);
  const root = new Float64Array(2);
  return inSteps({
    n,
    text: `matrix ${rows}\xD7${columns} f64`,
    *steps(output, input, inverse) {
      const first2 = inverse ? 1 : 0;
      const second = 1 - first2;
      const scale = inverse ? 1 / n : 1;
      for (let j = 0; j < columns; j += lanes2) {
        const width = Math.min(lanes2, columns - j);
        for (let i = 0; i < rows; i++) {
          const from = 2 * (i * columns + j);
          const to = 2 * i * width;
          for (let q = 0; q < 2 * width; q += 2) {
            x[to + q] = input[from + q + first2];
            x[to + q + 1] = input[from + q + second];
          }
        }
        const done = runStages(down, x, y, width);
        for (let k = 0; k < rows; k++) {
          const from = 2 * k * width;
          const to = 2 * (k * columns + j);
          for (let q = 0; q < width; q++) {
            putRoot(turns3, (j + q) * k, root, 0, 1);
            multiplyInto(between, to + 2 * q, done[from + 2 * q], done[from + 2 * q + 1], root[0], root[1]);
          }
        }
        yield;
      }
      for (let k = 0; k < rows; k += lanes2) {
        const width = Math.min(lanes2, rows - k);
        for (let q = 0; q < width; q++) {
          const row = 2 * (k + q) * columns;
          for (let i = 0, to = 2 * q; i < 2 * columns; i += 2, to += 2 * width) {
            x[to] = between[row + i];
            x[to + 1] = between[row + i + 1];
          }
        }
        const done = runStages(along, x, y, width);
        for (let i = 0; i < columns; i++) {
          const from = 2 * i * width;
          const to = 2 * (i * rows + k);
          for (let q = 0; q < 2 * width; q += 2) {
            output[to + q] = scale * done[from + q + first2];
            output[to + q + 1] = scale * done[from + q + second];
          }
        }
        yield;
      }
    }
  });
}
function* byDefinition(n) {
  const roots = rootsOf(n);
  const copy2 = new Float64Array(2 * n);
  return {
    n,
    text: "definition",
    run(output, input, inverse) {
      copyLine(copy2, input, n, inverse, 1);
      const [first2, second] = inverse ? [1, 0] : [0, 1];
      const scale = inverse ? 1 / n : 1;
      const { coarse } = roots;
      for (let k = 0; k < n; k++) {
        let re2 = 0;
        let im2 = 0;
        for (let i = 0, turn2 = 0; i < n; i++, turn2 = turn2 + k < n ? turn2 + k : turn2 + k - n) {
          const c2 = coarse[2 * turn2];
          const s = coarse[2 * turn2 + 1];
          re2 += copy2[2 * i] * c2 - copy2[2 * i + 1] * s;
          im2 += copy2[2 * i] * s + copy2[2 * i + 1] * c2;
        }
        output[2 * k + first2] = re2 * scale;
        output[2 * k + second] = im2 * scale;
      }
    }
  };
}
function convolutionLength2(n) {
  const power = 2 ** Math.ceil(Math.log2(2 * n - 1));
  return power <= longestPower ? power : nextFastLength(2 * n - 1);
}
var longestAtOnce = 2 ** 14;
var pieceLength2 = 2 ** 15;
function* bluestein(n) {
  const m = convolutionLength2(n);
  const convolver = yield* lineTransform(m, Float64Array);
  const spectrum2 = new Float64Array(2 * m);
  yield* chirpSpectrum(n, m, 1 / m, () => spectrum2);
  const roots = rootsOf(2 * n);
  const chirp2 = new Float64Array(2 * n);
  for (let start = 0; start < n; start += pieceLength2) {
    putChirp(roots, start, Math.min(pieceLength2, n - start), -1, chirp2, 2 * start);
    yield;
  }
  const a2 = new Float64Array(2 * m);
  const b2 = new Float64Array(2 * m);
  const convolve = (to, from) => convolver.steps?.(to, from, false) ?? [convolver.run(to, from, false)];
  return inSteps({
    n,
    text: `bluestein m=${m} f64`,
    convolved: true,
    *steps(output, input, inverse) {
      const [first2, second] = inverse ? [1, 0] : [0, 1];
      const scale = inverse ? 1 / n : 1;
      for (const [from, to] of spans(2 * n, 2 * m)) {
        a2.fill(0, from, to);
        yield;
      }
      for (const [from, to] of spans(0, 2 * n)) {
        for (let i = from; i < to; i += 2) multiplyInto(a2, i, input[i + first2], input[i + second], chirp2[i], chirp2[i + 1]);
        yield;
      }
      yield* convolve(b2, a2);
      for (const [from, to] of spans(0, 2 * m)) {
        for (let i = from; i < to; i += 2) multiplyInto(b2, i, b2[i + 1], b2[i], spectrum2[i], -spectrum2[i + 1]);
        yield;
      }
      yield* convolve(a2, b2);
      for (const [from, to] of spans(0, 2 * n)) {
        for (let i = from; i < to; i += 2) {
          multiplyInto(a2, i, a2[i + 1], a2[i], chirp2[i], chirp2[i + 1]);
          output[i + first2] = a2[i] * scale;
          output[i + second] = a2[i + 1] * scale;
        }
        yield;
      }
    }
  });
}
function* spans(from, to) {
  for (let at = from; at < to; at += 2 * pieceLength2) yield [at, Math.min(at + 2 * pieceLength2, to)];
}
function inSteps({ steps, ...facts }) {
  const run = (output, input, inverse) => runToEnd(steps(output, input, inverse));
  return facts.n <= longestAtOnce ? { ...facts, run } : { ...facts, run, steps };
}
function multiplyInto(y, at, a2, b2, c2, d) {
  y[at] = a2 * c2 - b2 * d;
  y[at + 1] = a2 * d + b2 * c2;
}

// ../fft-cpu/src/rules.ts
var tileLines = 8;
var isStraight = (op3) => isTransform(op3) && !op3.cornerTurn;
var isBare2 = (op3) => isStraight(op3) && (op3.op === "fft" || op3.op === "real-fft") && !op3.load && !op3.store;
function cpuRules(queue) {
  return [
    { name: "lines", fused: false, try: (op3, context) => isBare2(op3) ? transformBody2(op3, queue, context) : void 0 },
    { name: "lines, fused", fused: true, try: (op3, context) => isStraight(op3) ? transformBody2(op3, queue, context) : void 0 },
    { name: "kernel by reference", fused: false, try: (op3) => kernelBody2(op3, queue) }
  ];
}
function kernelBody2(op3, queue) {
  if (op3.op !== "kernel") return void 0;
  const uses = usesOf2(op3);
  return {
    text: `(kernel/reference ${op3.name})`,
    cost: onePassCost(op3),
    offUnits: true,
    run(ports, { uniforms, signal }) {
      return queue.push({
        what: formatOp(op3),
        uses: uses(ports),
        items: op3.items,
        signal,
        run: (start, end) => requireSynchronous(op3.reference(viewsOf(ports), uniforms, start, end), nameOfReference(op3))
      });
    }
  };
}
var nameOfReference = ({ name }) => `${name}.reference`;
var viewsOf = (ports) => Object.fromEntries(Object.entries(ports).map(([name, array]) => [name, array.elements]));
var mostPlanBytes = 2 ** 32;
async function transformBody2(op3, queue, { pause }) {
  const complexDType = op3.op === "real-fft" && !op3.inverse ? transformLayout(op3).dtype : op3.layout.dtype;
  const precision = realOf(complexDType) === "f32" ? Float32Array : Float64Array;
  const n = transformLength(op3);
  const input = axisView(op3.layout, op3.axis);
  const width = Math.min(tileLines, input.inners);
  const planBytes = lineTransformBytes(n) + 4 * n * width * precision.BYTES_PER_ELEMENT;
  if (planBytes > mostPlanBytes) {
    throw new RadarError("limit", `a plan of ${formatOp(op3)} needs ${planBytes} bytes of host memory, the limit is ${mostPlanBytes}`, {
      field: "n",
      actual: n,
      bytes: planBytes,
      limit: mostPlanBytes
    });
  }
  const lines2 = await runInPieces(lineTransform(n, precision), pause);
  const result = keptLayout2(op3);
  const kept2 = result.shape[op3.axis];
  const start = op3.keep?.[0] ?? 0;
  const tilesAcross = Math.ceil(input.inners / width);
  const items = input.outers * tilesAcross;
  const tileAt = (item) => {
    const inner2 = item % tilesAcross * width;
    return { outer: Math.floor(item / tilesAcross), inner: inner2, width: Math.min(width, input.inners - inner2) };
  };
  const work2 = Array.from({ length: width }, () => new precision(2 * n));
  const other = Array.from({ length: width }, () => new precision(2 * n));
  const uses = usesOf2(op3);
  return {
    text: `(${op3.op}/lines ${lines2.text} n=${n} lines=${input.outers * input.inners}${hooksText(op3, " by reference")})`,
    cost: onePassCost(op3),
    offUnits: true,
    ...lines2.convolved && { convolved: lines2.convolved },
    run(ports, { uniforms, signal }) {
      function* longLines(from, to) {
        for (let item = from; item < to; item++) {
          const tile2 = tileAt(item);
          const views = viewsOf(ports);
          (op3.load ? gatherLoaded(op3, op3.load, views, uniforms) : gatherPort(op3, ports["in"].data))(tile2, work2);
          yield;
          const filter = (...part) => filterOf(op3, ports, uniforms)?.(...part);
          for (let w = 0; w < tile2.width; w++) yield* transformLine(op3, lines2, filter, tile2, w, work2, other);
          (op3.store ? scatterStored(op3, op3.store, viewsOf(ports), uniforms) : scatterPort(op3, ports["out"].data))(
            tile2,
            other,
            start,
            kept2
          );
          yield;
        }
      }
      return queue.push({
        what: formatOp(op3),
        uses: uses(ports),
        items,
        signal,
        run(from, to) {
          const views = viewsOf(ports);
          const gather2 = op3.load ? gatherLoaded(op3, op3.load, views, uniforms) : gatherPort(op3, ports["in"].data);
          const scatter = op3.store ? scatterStored(op3, op3.store, views, uniforms) : scatterPort(op3, ports["out"].data);
          const filter = filterOf(op3, ports, uniforms);
          for (let item = from; item < to; item++) {
            const tile2 = tileAt(item);
            gather2(tile2, work2);
            for (let w = 0; w < tile2.width; w++) runToEnd(transformLine(op3, lines2, filter, tile2, w, work2, other));
            scatter(tile2, other, start, kept2);
          }
        },
        // One long line takes many steps.
        ...lines2.steps && { steps: longLines }
      });
    }
  };
}
var filteredAtOnce = 2 ** 14;
function* filterLine(filter, lines2, line, tile2, w) {
  if (!filter) return;
  const piece = lines2.steps ? filteredAtOnce : lines2.n;
  for (let from = 0; from < lines2.n; from += piece) {
    if (from > 0) yield;
    filter(line, tile2, w, from, Math.min(from + piece, lines2.n));
  }
}
function* transformLine(op3, lines2, filter, tile2, w, work2, other) {
  const back = settle(work2[w]);
  switch (op3.op) {
    case "fft":
    case "real-fft":
      if (lines2.steps) yield* lines2.steps(other[w], work2[w], op3.inverse);
      else lines2.run(other[w], work2[w], op3.inverse);
      break;
    case "spectral-filter":
      if (lines2.steps) yield* lines2.steps(other[w], work2[w], false);
      else lines2.run(other[w], work2[w], false);
      yield* filterLine(filter, lines2, other[w], tile2, w);
      if (lines2.steps) yield* lines2.steps(work2[w], other[w], true);
      else lines2.run(work2[w], other[w], true);
      [work2[w], other[w]] = [other[w], work2[w]];
      break;
    case "filter-inverse":
      yield* filterLine(filter, lines2, work2[w], tile2, w);
      if (lines2.steps) yield* lines2.steps(other[w], work2[w], true);
      else lines2.run(other[w], work2[w], true);
      break;
  }
  multiplyBy(other[w], back);
}
function filterOf(op3, ports, uniforms) {
  if (!("h" in op3)) return void 0;
  const hook = filterHookOf(op3);
  const { inners } = axisView(op3.layout, op3.axis);
  if (hook) return computedFilter(op3, hook, inners, viewsOf(ports), uniforms);
  const n = transformLength(op3);
  const h = ports["h"].data;
  const isLine = op3.h === "line";
  return (line, { outer, inner: inner2 }, w, from, to) => {
    for (let k = from; k < to; k++) {
      const f = isLine ? k : (outer * n + k) * inners + inner2 + w;
      multiplyInto(line, 2 * k, line[2 * k], line[2 * k + 1], h[2 * f], h[2 * f + 1]);
    }
  };
}
function computedFilter(op3, hook, inners, views, uniforms) {
  const walk = indexWalk(op3.layout.shape, op3.axis);
  const what = nameOfReference(hook);
  const one2 = referenceOf(hook);
  return (line, { outer, inner: inner2 }, w, from, to) => {
    const at = walk(outer * inners + inner2 + w);
    for (let k = from; k < to; k++) {
      at[op3.axis] = k;
      const [re2, im2] = requireSynchronous(one2(at, views, uniforms), what);
      multiplyInto(line, 2 * k, line[2 * k], line[2 * k + 1], re2, im2);
    }
  };
}
function gatherPort(op3, data) {
  const { extent, inners } = axisView(op3.layout, op3.axis);
  const n = transformLength(op3);
  const real2 = op3.op === "real-fft" && !op3.inverse;
  const half = op3.op === "real-fft" && op3.inverse;
  return ({ outer, inner: inner2, width }, work2) => {
    const used = Math.min(extent, half ? Math.floor(n / 2) + 1 : n);
    for (let i = 0; i < used; i++) {
      const s = (outer * extent + i) * inners + inner2;
      for (let w = 0; w < width; w++) {
        const line = work2[w];
        line[2 * i] = real2 ? data[s + w] : data[2 * (s + w)];
        line[2 * i + 1] = real2 ? 0 : data[2 * (s + w) + 1];
      }
    }
    for (let w = 0; w < width; w++) {
      if (half) mirror(work2[w], used, n);
      else work2[w].fill(0, 2 * used);
    }
  };
}
function mirror(line, used, n) {
  line[1] = 0;
  for (let k = used; k <= n >> 1; k++) line.fill(0, 2 * k, 2 * k + 2);
  if (n % 2 === 0) line[n + 1] = 0;
  for (let k = 1; 2 * k < n; k++) {
    line[2 * (n - k)] = line[2 * k];
    line[2 * (n - k) + 1] = -line[2 * k + 1];
  }
}
function gatherLoaded(op3, load4, views, uniforms) {
  const n = transformLength(op3);
  const walk = indexWalk(op3.layout.shape, op3.axis);
  const { extent, inners } = axisView(op3.layout, op3.axis);
  const real2 = op3.op === "real-fft" && !op3.inverse;
  const half = op3.op === "real-fft" && op3.inverse;
  const used = Math.min(extent, half ? Math.floor(n / 2) + 1 : n);
  const what = nameOfReference(load4);
  const one2 = referenceOf(load4);
  return ({ outer, inner: inner2, width }, work2) => {
    for (let w = 0; w < width; w++) {
      const line = work2[w];
      const at = walk(outer * inners + inner2 + w);
      for (let i = 0; i < used; i++) {
        at[op3.axis] = i;
        const [re2, im2] = requireSynchronous(one2(at, views, uniforms), what);
        line[2 * i] = re2;
        line[2 * i + 1] = real2 ? 0 : im2;
      }
      if (half) mirror(line, used, n);
      else line.fill(0, 2 * used);
    }
  };
}
function scatterPort(op3, data) {
  const { inners } = axisView(op3.layout, op3.axis);
  const real2 = op3.op === "real-fft" && op3.inverse;
  return ({ outer, inner: inner2, width }, lines2, start, kept2) => {
    for (let i = 0; i < kept2; i++) {
      const d = (outer * kept2 + i) * inners + inner2;
      const s = 2 * (start + i);
      for (let w = 0; w < width; w++) {
        if (real2) {
          data[d + w] = lines2[w][s];
        } else {
          data[2 * (d + w)] = lines2[w][s];
          data[2 * (d + w) + 1] = lines2[w][s + 1];
        }
      }
    }
  };
}
function scatterStored(op3, store2, views, uniforms) {
  const walk = indexWalk(keptLayout2(op3).shape, op3.axis);
  const { inners } = axisView(op3.layout, op3.axis);
  const real2 = op3.op === "real-fft" && op3.inverse;
  const what = nameOfReference(store2);
  const one2 = referenceOf(store2);
  return ({ outer, inner: inner2, width }, lines2, start, kept2) => {
    for (let w = 0; w < width; w++) {
      const at = walk(outer * inners + inner2 + w);
      for (let i = 0; i < kept2; i++) {
        at[op3.axis] = i;
        const value2 = [lines2[w][2 * (start + i)], real2 ? 0 : lines2[w][2 * (start + i) + 1]];
        const [re2, im2] = requireSynchronous(one2(at, value2, views, uniforms), what);
        views["out"].set((outer * kept2 + i) * inners + inner2 + w, re2, im2);
      }
    }
  };
}
function indexWalk(shape, axis) {
  const at = shape.map(() => 0);
  return (line) => {
    let rest = line;
    for (let a2 = shape.length - 1; a2 >= 0; a2--) {
      if (a2 === axis) continue;
      at[a2] = rest % shape[a2];
      rest = Math.floor(rest / shape[a2]);
    }
    at[axis] = 0;
    return at;
  };
}

// ../fft-cpu/src/index.ts
var mostBytes = 2 ** 32 - 65536;
var mostWorkers = 64;
function cpu(options = {}) {
  return { id: "cpu", contract: 1, open: () => openCpu(options) };
}
var fieldsOfOptions = { maxBufferBytes: true, workers: true, kernels: true };
async function openCpu(options) {
  checkFields(options, fieldsOfOptions, "the options of cpu");
  const { maxBufferBytes = 2 ** 32, kernels: wanted = "wasm" } = options;
  if (!Number.isFinite(maxBufferBytes) || maxBufferBytes <= 0) throw inputError("maxBufferBytes", "a positive number", maxBufferBytes);
  if (!["wasm", "plain", "js"].includes(wanted)) throw inputError("kernels", "wasm, plain or js", wanted);
  const asked = options.workers ?? cores();
  if (!Number.isInteger(asked) || asked < 1 || asked > mostWorkers)
    throw inputError("workers", `an integer from 1 to ${mostWorkers}`, asked);
  if (typeof WebAssembly === "undefined") throw new RadarError("no-backend", "this host has no WebAssembly", { backend: "cpu" });
  const shared = asked > 1 && wanted !== "js" && canShare();
  const kernels = wanted === "js" ? void 0 : await loadKernels({ shared, relaxed: wanted === "wasm" });
  const wantsPool = shared && kernels !== void 0;
  const queue = createQueue();
  const heap = createHeap({ shared: wantsPool, maximumBytes: mostBytes, reservedBytes: 64 + poolBytes(wantsPool ? asked : 1) });
  const pool = wantsPool ? await createPool(heap.memory, 64, asked, queue).catch(() => void 0) : void 0;
  const units = pool?.units ?? 1;
  const engine = kernels && await createEngine(kernels, heap, pool, queue).catch((error) => {
    pool?.close();
    throw error;
  });
  const threads = units > 1 ? `${units} workers` : "one thread";
  const arithmetic = kernels ? `WASM SIMD${kernels.relaxed ? ", relaxed" : ""}` : "JavaScript";
  return createDevice({
    id: "cpu",
    info: {
      description: `${arithmetic}, ${threads}; float64 in JavaScript`,
      notes: [
        ...kernels && asked > 1 && units === 1 ? [`single-threaded: this host does not let workers ${wantsPool ? "start" : "share memory"}`] : [],
        ...kernels || wanted === "js" ? [] : ["this host has no WASM SIMD or forbids it: everything runs in JavaScript"]
      ]
    },
    limits: { maxBufferBytes, maxTransformLength, dtypes: ["f32", "f64", "c64", "c128", "i8", "i16", "u8", "u32", "ci8", "ci16", "cf16"] },
    units,
    rules: [...engine ? [...longRules(engine), ...wasmRules(engine), ...arrayRules(engine)] : [], ...cpuRules(queue)],
    lost: new Promise(() => {
    }),
    allocate: (layout2, label) => allocateHostArray(layout2, label, heap, queue),
    ready: () => queue.ready(),
    close() {
      queue.close();
      pool?.close();
    }
  });
}
var canShare = () => typeof SharedArrayBuffer !== "undefined" && globalThis.crossOriginIsolated !== false;
function cores() {
  const { navigator } = globalThis;
  return Math.min(mostWorkers, nodeModule("node:os")?.availableParallelism() ?? navigator?.hardwareConcurrency ?? 1);
}

// ../fft-gpu/src/wgsl/names.ts
var identifier = /^(?!_$|__)[\p{XID_Start}_]\p{XID_Continue}*$/u;
var reserved = new Set(
  "NULL Self abstract active alias alignas alignof as asm asm_fragment async attribute auto await become break case cast catch class co_await co_return co_yield coherent column_major common compile compile_fragment concept const const_assert const_cast consteval constexpr constinit continue continuing crate debugger decltype default delete demote demote_to_helper diagnostic discard do dynamic_cast else enable enum explicit export extends extern external fallthrough false filter final finally fn for friend from fxgroup get goto groupshared highp if impl implements import inline instanceof interface layout let loop lowp macro macro_rules match mediump meta mod module move mut mutable namespace new nil noexcept noinline nointerpolation non_coherent noncoherent noperspective null nullptr of operator override package packoffset partition pass patch pixelfragment precise precision premerge priv protected pub public readonly ref regardless register reinterpret_cast require requires resource restrict return self set shared sizeof smooth snorm static static_assert static_cast std struct subroutine super switch target template this thread_local throw trait true try type typedef typeid typename typeof union unless unorm unsafe unsized use using var varying virtual volatile wgsl where while with writeonly yield".split(" ")
);
var memberOf = (uniform) => reserved.has(uniform) ? uniform.replace(/.$/, (last) => last < "a" ? last.toLowerCase() : last.toUpperCase()) : uniform;
var withMembers = (code2) => code2.replace(/(\buniforms\s*\.\s*)(\w+)/g, (_all, before, uniform) => before + memberOf(uniform));

// ../fft-gpu/src/accessors.ts
var bitsOf2 = (value2, low, high2) => `u32(dechirp_integer(${value2}, ${low}.0, ${high2}.0))`;
var pair = (low, high2, bits2) => `((${bitsOf2("value.x", low, high2)} & ${2 ** bits2 - 1}u) | ((${bitsOf2("value.y", low, high2)} & ${2 ** bits2 - 1}u) << ${bits2}u))`;
var signed = (at, bits2) => `f32(extractBits(bitcast<i32>(word), ${at}, ${bits2}u))`;
var elements = {
  f32: { word: "f32", value: "f32", perWord: 1, load: "word", store: "value" },
  c64: { word: "vec2f", value: "vec2f", perWord: 1, load: "word", store: "value" },
  u32: { word: "u32", value: "u32", perWord: 1, load: "word", store: "value" },
  i8: { word: "u32", value: "f32", perWord: 4, load: signed("place * 8u", 8), store: `(${bitsOf2("value", -128, 127)} & 255u)` },
  u8: { word: "u32", value: "f32", perWord: 4, load: "f32(extractBits(word, place * 8u, 8u))", store: bitsOf2("value", 0, 255) },
  i16: { word: "u32", value: "f32", perWord: 2, load: signed("place * 16u", 16), store: `(${bitsOf2("value", -32768, 32767)} & 65535u)` },
  ci8: {
    word: "u32",
    value: "vec2f",
    perWord: 2,
    load: `vec2f(${signed("place * 16u", 8)}, ${signed("place * 16u + 8u", 8)})`,
    store: pair(-128, 127, 8)
  },
  ci16: {
    word: "u32",
    value: "vec2f",
    perWord: 1,
    load: `vec2f(${signed("0u", 16)}, ${signed("16u", 16)})`,
    store: pair(-32768, 32767, 16)
  },
  cf16: { word: "u32", value: "vec2f", perWord: 1, load: "unpack2x16float(word)", store: "pack2x16float(value)" }
};
var gpuDTypes = Object.keys(elements);
var elementsPerWord = (dtype) => elementOf(dtype).perWord;
var wordBytes = (dtype) => elementOf(dtype).word === "vec2f" ? 8 : 4;
var valueType = (dtype) => elementOf(dtype).value;
var elementOf = (dtype) => elements[dtype];
var prelude = `fn cmul(a: vec2f, b: vec2f) -> vec2f { return vec2f(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
fn cmulc(a: vec2f, b: vec2f) -> vec2f { return vec2f(a.x * b.x + a.y * b.y, a.y * b.x - a.x * b.y); }
fn cis(cycles: f32) -> vec2f {
  let part = cycles - round(cycles);
  let quarter = round(4.0 * part);
  let a = 6.283185307179586 * (part - 0.25 * quarter);
  let s = a * a;
  let sine = a * (1.0 + s * (-0.16666666666666666 + s * (0.008333333333333333 + s * (-0.0001984126984126984 + s * 2.7557319223985893e-6))));
  let cosine = 1.0 + s * (-0.5 + s * (0.041666666666666664 + s * (-0.001388888888888889 + s * 2.48015873015873e-5)));
  let swapped = select(vec2f(cosine, sine), vec2f(-sine, cosine), (i32(quarter) & 1i) == 1i);
  return select(swapped, -swapped, (i32(quarter) & 2i) == 2i);
}
fn dechirp_rounded(x: f32) -> f32 {
  let whole = trunc(x);
  return whole + select(0.0, sign(x), abs(x - whole) >= 0.5);
}
fn dechirp_nan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }
fn dechirp_integer(x: f32, low: f32, high: f32) -> i32 {
  if (dechirp_nan(x)) { return 0i; }
  return i32(clamp(dechirp_rounded(clamp(x, low, high)), low, high));
}
fn nearest_f32(x: u32) -> f32 { return f32(x >> 16u) * 65536.0 + f32(x & 65535u); }
fn round_u32(x: f32) -> u32 {
  if (dechirp_nan(x) || x <= 0.0) { return 0u; }
  if (x >= 4294967295.0) { return 0xffffffffu; }
  return u32(dechirp_rounded(x));
}
`;
function declarations(arrays, uniforms, subgroups) {
  let binding = 0;
  const parts = arrays.filter((array) => array.alias === void 0).map((array) => {
    const text3 = bindings(array, binding);
    binding += array.segments;
    return text3;
  });
  const accessors = arrays.map((array) => accessorsOf(array, arrays.find((other) => other.name === array.alias) ?? array));
  const members = Object.entries(uniforms).map(([name, type2]) => `${memberOf(name)}: ${type2},`);
  if (members.length > 0)
    parts.push(`struct DechirpUniforms { ${members.join(" ")} }
@group(0) @binding(${binding}) var<uniform> uniforms: DechirpUniforms;`);
  return [subgroups ? "enable subgroups;" : "", ...parts, prelude, ...accessors].filter((part) => part !== "").join("\n");
}
var writes = (access) => access !== "read";
var atomic = (array) => writes(array.access) && elementOf(array.layout.dtype).perWord > 1;
function bindings(array, first2) {
  const { word } = elementOf(array.layout.dtype);
  const type2 = array.pairs ? "vec4f" : atomic(array) ? "atomic<u32>" : word;
  return Array.from(
    { length: array.segments },
    (_3, s) => `@group(0) @binding(${first2 + s}) var<storage, ${writes(array.access) ? "read_write" : "read"}> dechirp_${array.name}_${s}: array<${type2}>;`
  ).join("\n");
}
function accessorsOf(array, bound) {
  if (array.pairs) return pairAccessors(array, bound);
  const { word, value: value2, perWord, load: load4, store: store2 } = elementOf(array.layout.dtype);
  const at = perWord === 1 ? "" : `let place = index % ${perWord}u;
`;
  const index = perWord === 1 ? "index" : `(index / ${perWord}u)`;
  const parts = [];
  if (array.access !== "write" || array.alias) {
    const fetch = (variable) => atomic(bound) ? `atomicLoad(&${variable})` : variable;
    parts.push(
      `fn load_${array.name}(index: u32) -> ${value2} {
${at}${bySegment(bound, index, (variable) => `word = ${fetch(variable)};`, `var word: ${word};`)}
return ${load4};
}`
    );
  }
  if (writes(array.access) && !array.alias) {
    const shift2 = perWord > 1 ? `place * ${32 / perWord}u` : "";
    const mask = perWord > 1 ? `(${2 ** (32 / perWord) - 1}u << (${shift2}))` : "";
    const put = (variable) => atomic(array) ? `atomicAnd(&${variable}, ~${mask}); atomicOr(&${variable}, (${store2}) << (${shift2}));` : `${variable} = ${store2};`;
    parts.push(`fn store_${array.name}(index: u32, value: ${value2}) {
${at}${bySegment(array, index, put)}
}`);
  }
  return parts.join("\n");
}
function pairAccessors(array, bound) {
  const load4 = bySegment(bound, "(index >> 1u)", (variable) => `word = ${variable};`, "var word: vec4f;");
  const store2 = bySegment(array, "(index >> 1u)", (variable) => `${variable} = value;`);
  return [
    array.access !== "write" || array.alias ? `fn load2_${array.name}(index: u32) -> vec4f {
${load4}
return word;
}` : "",
    writes(array.access) && !array.alias ? `fn store2_${array.name}(index: u32, value: vec4f) {
${store2}
}` : ""
  ].join("\n");
}
function bySegment({ name, segments, segmentWords: segmentWords2 }, index, statement, before = "") {
  if (segments === 1) return `${before}${statement(`dechirp_${name}_0[${index}]`)}`;
  const cases = Array.from({ length: segments }, (_3, s) => {
    const label = s === segments - 1 ? "default" : `case ${s}u`;
    return `${label}: { ${statement(`dechirp_${name}_${s}[offset]`)} }`;
  });
  return `${before}let offset = ${index} & ${segmentWords2 - 1}u;
switch (${index} >> ${Math.log2(segmentWords2)}u) {
${cases.join("\n")}
}`;
}

// ../fft-gpu/src/vulkan.ts
var probeMilliseconds = 2e4;
var probeStatus = { adapter: 40, none: 41 };
async function missingVulkan(host, webgpu, flags) {
  try {
    if (host.platform !== "linux" || !host.getBuiltinModule || !host.dlopen) return void 0;
    const files = host.getBuiltinModule("node:fs");
    const hasLoader = loads(host, "libvulkan.so.1");
    if (hasLoader && manifests(host.env, files).some((manifest) => hasDriver(manifest, host, files))) return void 0;
    const found = await probe(host.getBuiltinModule("node:child_process"), host, webgpu(), flags);
    if (found !== "none") return void 0;
    return hasLoader ? "this machine has no Vulkan driver that WebGPU can use" : "this machine has no Vulkan loader (libvulkan.so.1)";
  } catch {
    return void 0;
  }
}
function loads(host, library) {
  try {
    host.dlopen?.({ exports: {} }, library);
    return true;
  } catch (error) {
    return /self-register/.test(error.message);
  }
}
function manifests(env, files) {
  const listed = (names) => (names ?? "").split(":").filter((path) => path !== "");
  const inside2 = (path) => {
    if (path.endsWith(".json")) return [path];
    try {
      return files.readdirSync(path).filter((name) => name.endsWith(".json")).map((name) => `${path}/${name}`);
    } catch {
      return [];
    }
  };
  const given = env["VK_DRIVER_FILES"] ?? env["VK_ICD_FILENAMES"];
  if (given) return listed(given).flatMap(inside2);
  const home = env["HOME"] ?? "";
  const bases = [
    env["XDG_CONFIG_HOME"] || `${home}/.config`,
    ...listed(env["XDG_CONFIG_DIRS"] || "/etc/xdg"),
    "/usr/local/etc",
    "/etc",
    env["XDG_DATA_HOME"] || `${home}/.local/share`,
    ...listed(env["XDG_DATA_DIRS"] || "/usr/local/share:/usr/share")
  ];
  return [...listed(env["VK_ADD_DRIVER_FILES"]), ...bases.map((base) => `${base}/vulkan/icd.d`)].flatMap(inside2);
}
function hasDriver(manifest, host, files) {
  try {
    const library = JSON.parse(files.readFileSync(manifest, "utf8"))?.ICD?.library_path;
    if (typeof library !== "string") return false;
    if (!library.includes("/")) return loads(host, library);
    return files.existsSync(library.startsWith("/") ? library : `${manifest.slice(0, manifest.lastIndexOf("/"))}/${library}`);
  } catch {
    return false;
  }
}
function probe({ spawn }, host, webgpu, flags) {
  const program2 = `const [url, flags] = process.argv.slice(1);
const { create } = await import(url);
const adapter = await create(JSON.parse(flags)).requestAdapter();
process.exit(adapter ? ${probeStatus.adapter} : ${probeStatus.none});`;
  const child = spawn(host.execPath, ["--input-type=module", "-e", program2, webgpu, JSON.stringify(flags)], {
    stdio: "ignore",
    timeout: probeMilliseconds,
    env: { ...host.env, NODE_OPTIONS: "", ELECTRON_RUN_AS_NODE: "1" }
  });
  return new Promise((resolve) => {
    child.on("error", () => resolve("unknown"));
    child.on("close", (status) => resolve(status === probeStatus.none ? "none" : status === probeStatus.adapter ? "adapter" : "unknown"));
  });
}

// ../fft-gpu/src/adapter.ts
var wantedLimits = [
  "maxStorageBufferBindingSize",
  "maxBufferSize",
  "maxComputeWorkgroupStorageSize",
  "maxComputeInvocationsPerWorkgroup",
  "maxComputeWorkgroupSizeX",
  "maxComputeWorkgroupSizeY",
  "maxStorageBuffersPerShaderStage"
];
var wantedFeatures = ["subgroups", "timestamp-query", "shader-f16"];
var started = /* @__PURE__ */ new Map();
var noBackend = (message, cause) => new RadarError("no-backend", message, { backend: "gpu" }, cause);
async function openAdapter(options) {
  checkOptions(options);
  if (options.device) {
    const given = options.device;
    const lost = await Promise.race([given.lost, Promise.resolve()]);
    if (lost) throw noBackend(`the given device is lost: ${lost.message || lost.reason}`);
    return describe2(given, void 0, options, false);
  }
  const instance = options.adapter ? void 0 : await instanceOf(options);
  const adapter = options.adapter ?? await request(instance, options);
  const all = options.limits !== "default";
  const features = wantedFeatures.filter((feature) => adapter.features.has(feature));
  const requiredLimits = all ? Object.fromEntries(wantedLimits.map((name) => [name, adapter.limits[name]])) : {};
  let device;
  try {
    device = await adapter.requestDevice({ label: "dechirp", requiredFeatures: features, requiredLimits });
  } catch (error) {
    throw noBackend(`the adapter refused to open a device: ${messageOf(error)}`, error);
  }
  return describe2(device, adapter, options, true);
}
var fieldsOfOptions2 = {
  device: true,
  adapter: true,
  powerPreference: true,
  limits: true,
  maxBindingBytes: true,
  dawnFlags: true,
  scratch: true,
  planning: true
};
function checkOptions(options) {
  checkFields(options, fieldsOfOptions2, "the options of gpu");
  const { device, adapter, maxBindingBytes, limits: limits2, powerPreference, dawnFlags, scratch: scratch2 } = options;
  if (device !== void 0 && typeof device?.createBuffer !== "function")
    throw inputError("device", "a GPUDevice", device);
  if (adapter !== void 0 && typeof adapter?.requestDevice !== "function")
    throw inputError("adapter", "a GPUAdapter", adapter);
  if (powerPreference !== void 0 && powerPreference !== "low-power" && powerPreference !== "high-performance")
    throw inputError("powerPreference", "low-power or high-performance", powerPreference);
  if (dawnFlags !== void 0 && !(Array.isArray(dawnFlags) && dawnFlags.every((flag) => typeof flag === "string")))
    throw inputError("dawnFlags", "an array of strings", dawnFlags);
  if (maxBindingBytes !== void 0 && !(Number.isFinite(maxBindingBytes) && maxBindingBytes >= 1024))
    throw inputError("maxBindingBytes", "a number of at least 1024", maxBindingBytes);
  if (scratch2 !== void 0 && scratch2 !== "f32" && scratch2 !== "f16") throw inputError("scratch", "f32 or f16", scratch2);
  if (limits2 !== void 0 && limits2 !== "adapter" && limits2 !== "default") throw inputError("limits", "adapter or default", limits2);
}
async function instanceOf(options) {
  const host = globalThis;
  if (host.navigator?.gpu) return host.navigator.gpu;
  if (!host.process?.versions?.node) throw noBackend("this browser has no WebGPU, or this page is not a secure context");
  let dawn;
  const name = "webgpu";
  try {
    dawn = await import(
      /* @vite-ignore */
      name
    );
  } catch (error) {
    throw noBackend("WebGPU in Node comes from the package webgpu, which could not be loaded: npm install webgpu", error);
  }
  const flags = options.dawnFlags ?? [];
  const key = JSON.stringify(flags);
  if (!started.has(key)) {
    const missing2 = await missingVulkan(host.process, () => import.meta.resolve(name), flags);
    if (missing2) throw noBackend(`no WebGPU adapter: ${missing2}`);
  }
  try {
    const instance = started.get(key) ?? dawn.create([...flags]);
    started.set(key, instance);
    return instance;
  } catch (error) {
    throw noBackend(`WebGPU could not be started: ${messageOf(error)}`, error);
  }
}
async function request(instance, { powerPreference }) {
  let adapter;
  try {
    adapter = await instance.requestAdapter({ powerPreference: powerPreference ?? "high-performance" });
  } catch (error) {
    throw noBackend(`no WebGPU adapter: ${messageOf(error)}`, error);
  }
  if (!adapter) throw noBackend("no WebGPU adapter: this machine has no GPU driver that WebGPU can use");
  return adapter;
}
function describe2(gpu2, adapter, options, owned) {
  const info = gpu2.adapterInfo ?? adapter?.info;
  const words4 = [info?.description || info?.device, info?.vendor, info?.architecture].filter((word) => word);
  const software = info?.isFallbackAdapter === true || /llvmpipe|lavapipe|swiftshader/i.test(words4.join(" "));
  return {
    gpu: gpu2,
    owned,
    software,
    description: `WebGPU: ${words4.length > 0 ? words4.join(", ") : "unnamed adapter"}`,
    notes: [
      ...software ? ["a software adapter: the CPU does the GPU's work, slowly"] : [],
      ...options.limits === "default" ? ["WebGPU's default limits: long lines take more passes"] : []
    ]
  };
}

// ../fft-gpu/src/allocation.ts
var firstLine = (error) => messageOf(error?.message?.split("\n", 1)[0] ?? error);
function allocated(gpu2, label, bytes, make) {
  const failure = (error) => new RadarError("out-of-memory", `${label} of ${bytes} bytes could not be allocated: ${firstLine(error)}`, { label, bytes }, error);
  gpu2.pushErrorScope("out-of-memory");
  gpu2.pushErrorScope("validation");
  let made;
  let scopes = [];
  try {
    made = make();
  } catch (error) {
    throw failure(error);
  } finally {
    scopes = [gpu2.popErrorScope(), gpu2.popErrorScope()];
    for (const scope of scopes) scope.catch(() => {
    });
  }
  const refused = Promise.all(scopes).then(
    (errors) => {
      const error = errors.find((e) => e !== null);
      return error ? failure(error) : void 0;
    },
    () => void 0
    // the device is lost, which is reported elsewhere
  );
  return { made, refused };
}
function ignoringErrors(gpu2, doubtful, use) {
  if (!doubtful) return use();
  gpu2.pushErrorScope("validation");
  try {
    return use();
  } finally {
    gpu2.popErrorScope().catch(() => {
    });
  }
}

// ../fft-gpu/src/flags.ts
var usage = { mapRead: 1, mapWrite: 2, copySource: 4, copyTarget: 8, uniform: 64, storage: 128, queryResolve: 512 };
var mapMode = { read: 1, write: 2 };
var computeStage = 4;

// ../fft-gpu/src/memory.ts
var doubtfulBytes = 2 ** 24;
var count = 0;
var GpuArray = class {
  layout;
  segments;
  /** Unique among all arrays. */
  id = count++;
  /** Resolves with the error if the allocation failed, else with undefined. */
  allocated;
  /** The same error, once it is known. */
  failure;
  settled = false;
  /** Settles when reads in several pieces are done. Writes to the array wait for it. */
  reading;
  #freed = false;
  #host;
  constructor(layout2, label, host) {
    this.layout = layout2;
    this.#host = host;
    const { gpu: gpu2, commands, segmentBytes } = host;
    const size = 4 * Math.ceil(byteLength(layout2) / 4);
    const segments = [];
    const make = () => {
      for (let start = 0; start < size; start += segmentBytes) {
        segments.push(
          gpu2.createBuffer({
            label,
            size: Math.max(16, Math.min(segmentBytes, size - start)),
            usage: usage.storage | usage.copySource | usage.copyTarget
          })
        );
      }
    };
    try {
      this.allocated = allocated(gpu2, label, size, make).refused.then((refused) => {
        this.failure = refused;
        this.settled = true;
        return refused;
      });
    } catch (error) {
      for (const segment of segments) segment.destroy();
      throw error;
    }
    commands.doubt(this.allocated);
    this.segments = segments;
  }
  /** Writes data. The returned promise rejects if the device refuses the copy. */
  write(data, offset) {
    const { timeline } = this.#host;
    if (!timeline.busy && !this.reading) return this.writeNow(data, offset);
    const copy2 = typedArray(this.layout.dtype, data.length);
    copy2.set(data);
    return timeline.after(
      () => [this.reading],
      // Wrapped in an object so that it is not awaited, as the timeline need not wait for the device.
      () => ({ written: this.writeNow(copy2, offset) })
    ).then(({ written: written2 }) => written2);
  }
  /** Whether the array is large and the device has not confirmed its memory yet. */
  get doubtful() {
    return !this.settled && byteLength(this.layout) >= doubtfulBytes;
  }
  /** Records the copy now, without waiting for the timeline. */
  writeNow(data, offset) {
    if (data.length === 0 || this.#freed || this.failure) return void 0;
    const source = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    const start = offset * data.BYTES_PER_ELEMENT;
    const batches = this.doubtful ? this.#host.commands.apart(() => this.#writeBytes(source, start)) : this.#writeBytes(source, start);
    if (batches.size === 0) return void 0;
    const written2 = Promise.all([...batches].map(({ done }) => done)).then(() => {
    });
    written2.catch(() => {
    });
    return written2;
  }
  /** Writes bytes from byte `start` on: whole words by copies, parts of words by patches. Returns the batches that contain the writes. */
  #writeBytes(source, start) {
    const { segmentBytes } = this.#host;
    const batches = /* @__PURE__ */ new Set();
    let at = 0;
    while (at < source.length) {
      const byte = start + at;
      const segment = Math.floor(byte / segmentBytes);
      const within2 = byte % segmentBytes;
      const room = Math.min(segmentBytes - within2, source.length - at);
      const wholeWords = within2 % 4 === 0 ? 4 * Math.floor(room / 4) : 0;
      if (wholeWords > 0) {
        this.#copyIn(source.subarray(at, at + wholeWords), segment, within2, batches);
        at += wholeWords;
      } else {
        const size = Math.min(4 - within2 % 4, room);
        let [mask, value2] = [0, 0];
        for (let b2 = 0; b2 < size; b2++) {
          const shift2 = 8 * (within2 % 4 + b2);
          mask |= 255 << shift2;
          value2 |= source[at + b2] << shift2;
        }
        batches.add(this.#host.patch(this, segment, Math.floor(within2 / 4), mask >>> 0, value2 >>> 0));
        at += size;
      }
    }
    return batches;
  }
  #copyIn(source, segment, offset, batches) {
    const { commands, staging } = this.#host;
    for (let at = 0; at < source.length; at += staging.chunkBytes) {
      const part = source.subarray(at, at + staging.chunkBytes);
      const stage2 = staging.upload(part);
      if (stage2) {
        const batch = commands.copy(stage2.buffer, 0, this.segments[segment], offset + at, part.length);
        stage2.sent(batch);
        batches.add(batch);
      } else commands.write(this.segments[segment], offset + at, part, !this.settled);
    }
  }
  async read(offset, length) {
    const { timeline, staging } = this.#host;
    const result = typedArray(this.layout.dtype, length);
    if (length === 0) return result;
    const start = offset * result.BYTES_PER_ELEMENT;
    await timeline.record(() => {
      const work2 = this.readNow(new Uint8Array(result.buffer), start);
      if (result.byteLength > staging.chunkBytes) this.#guard(work2);
      return work2;
    });
    return result;
  }
  #guard(read2) {
    const all = Promise.allSettled([this.reading, read2]).then(() => {
      if (this.reading === all) this.reading = void 0;
    });
    this.reading = all;
  }
  /** Reads bytes from `start` on, as of the commands recorded so far, without waiting for the timeline. */
  async readNow(target, start) {
    const { commands, staging, segmentBytes } = this.#host;
    if (this.failure) throw this.failure;
    const pending = [];
    let at = 0;
    while (at < target.length) {
      const byte = start + at;
      const segment = Math.floor(byte / segmentBytes);
      const within2 = byte % segmentBytes;
      const skip = within2 % 4;
      const size = Math.min(segmentBytes - within2, target.length - at, staging.chunkBytes - skip);
      const part = target.subarray(at, at + size);
      const wide = 4 * Math.ceil((skip + size) / 4);
      if (at > 0) await staging.room();
      const stage2 = staging.download(wide);
      const copy2 = () => commands.copy(this.segments[segment], within2 - skip, stage2.buffer, 0, wide);
      const batch = this.doubtful ? commands.apart(copy2) : copy2();
      commands.flush();
      const arrived = this.#arrive(batch, stage2, wide, (mapped) => part.set(mapped.subarray(skip, skip + size)));
      arrived.catch(() => {
      });
      pending.push(arrived);
      at += size;
    }
    await Promise.all(pending);
  }
  async #arrive(batch, { buffer, refused: none, isNew, release }, size, use) {
    const mapped = ignoringErrors(this.#host.gpu, isNew, () => buffer.mapAsync(mapMode.read, 0, size)).then(
      () => void 0,
      (error) => ({ error })
    );
    try {
      await batch.done;
      const refused = await mapped;
      if (refused) throw await this.#host.commands.failure("a read", refused.error);
      const ended = this.#host.ended();
      if (ended) throw ended;
      use(new Uint8Array(buffer.getMappedRange(0, size)));
    } catch (error) {
      throw await this.allocated ?? await none ?? error;
    } finally {
      mapped.then((refused) => {
        if (!refused) buffer.unmap();
        release();
      });
    }
  }
  free() {
    this.#freed = true;
    this.#host.commands.retire(this.segments);
  }
};
function segmentElements(layout2, segmentBytes) {
  const { dtype } = layout2;
  return segmentBytes / wordBytes(dtype) * elementsPerWord(dtype);
}

// ../fft-gpu/src/pace.ts
var mostAhead = 2;
var Pace = class {
  #commands;
  /** Submissions that the device has not finished, in order. */
  #unfinished = [];
  constructor(commands) {
    this.#commands = commands;
  }
  /** A promise that settles when there is room for another submission. Undefined if there is room now. */
  get full() {
    return this.#unfinished.at(-mostAhead)?.done;
  }
  /** Records a run in a submission of its own. */
  submit(record2) {
    const batch = this.#commands.apart(record2);
    if (batch) {
      this.#unfinished.push(batch);
      const remove = () => void this.#unfinished.splice(this.#unfinished.indexOf(batch), 1);
      batch.done.then(remove, remove);
    }
    return batch;
  }
};

// ../fft-gpu/src/pass.ts
var mostCommands = 256;
var patienceMilliseconds = 250;
var slotBytes = 256;
var ringBytes = 256 * slotBytes;
var Commands = class _Commands {
  #gpu;
  #ring;
  /** Resolves with the error if the memory for uniforms could not be allocated. The device can not be used then. */
  allocated;
  /** Allocations that the device has not confirmed yet. */
  #doubts = /* @__PURE__ */ new Set();
  #mirror = new Uint8Array(ringBytes);
  #ringUsed = 0;
  #encoder;
  #pass;
  /** The state that the open pass has set. */
  #pipeline;
  #group;
  #batch;
  /** Batches that the device has not finished. */
  #open = /* @__PURE__ */ new Set();
  /** Buffers to destroy after the next submission, as recorded commands may use them. */
  #retired = [];
  #timing;
  #ended;
  constructor(gpu2) {
    this.#gpu = gpu2;
    const descriptor = { label: "uniforms", size: ringBytes, usage: usage.uniform | usage.copyTarget };
    const ring = allocated(gpu2, "uniforms", ringBytes, () => gpu2.createBuffer(descriptor));
    this.#ring = ring.made;
    this.allocated = ring.refused;
  }
  /** Until `refused` resolves, commands may fail because of this allocation. They then fail with its error. */
  doubt(refused) {
    this.#doubts.add(refused);
    refused.then(() => this.#doubts.delete(refused));
  }
  /** The buffer that dynamic offsets of uniforms refer to. */
  get uniformRing() {
    return this.#ring;
  }
  /** Number of bytes that a bind group binds for a struct of `words` words. */
  static uniformBytes(words4) {
    return Math.max(16, 16 * Math.ceil(words4 / 4));
  }
  dispatch({ pipeline, group, uniforms, groups }) {
    let offset;
    if (uniforms) {
      const size = slotBytes * Math.ceil(_Commands.uniformBytes(uniforms.length) / slotBytes);
      if (this.#ringUsed + size > ringBytes) this.flush();
      offset = this.#ringUsed;
      this.#mirror.set(new Uint8Array(uniforms.buffer, uniforms.byteOffset, uniforms.byteLength), offset);
      this.#ringUsed += size;
    }
    const batch = this.#begin();
    if (!this.#pass) this.#pass = this.#encoder.beginComputePass(this.#passDescriptor());
    const pass = this.#pass;
    if (pipeline !== this.#pipeline) pass.setPipeline(pipeline);
    if (offset !== void 0) pass.setBindGroup(0, group, [offset]);
    else if (group !== this.#group) pass.setBindGroup(0, group);
    this.#pipeline = pipeline;
    this.#group = group;
    pass.dispatchWorkgroups(groups[0], groups[1], groups[2]);
    return this.#count(batch);
  }
  copy(from, fromOffset, to, toOffset, size) {
    const batch = this.#begin();
    this.#endPass();
    this.#encoder.copyBufferToBuffer(from, fromOffset, to, toOffset, size);
    return this.#count(batch);
  }
  /**
   * Writes a small amount of data through the queue, in order. `data` may change after the call. A `doubtful` buffer may have failed to
   * allocate.
   */
  write(to, offset, data, doubtful) {
    this.flush();
    const { buffer } = data;
    const plain2 = buffer instanceof ArrayBuffer && !buffer.resizable;
    const source = plain2 ? data : data.slice();
    ignoringErrors(this.#gpu, doubtful, () => this.#gpu.queue.writeBuffer(to, offset, source));
  }
  /** Records `action` in a submission of its own, because an invalid command invalidates its whole submission. */
  apart(action) {
    if (this.#timing) return action();
    this.flush();
    try {
      return action();
    } finally {
      this.flush();
    }
  }
  /** Destroys buffers after the recorded commands have been submitted. */
  retire(buffers) {
    this.#retired.push(...buffers);
    if (!this.#batch) this.#sweep();
  }
  /** Submits the recorded commands. */
  flush() {
    const [encoder, batch] = [this.#encoder, this.#batch];
    if (!encoder || !batch) return;
    this.#endPass();
    this.#encoder = void 0;
    this.#batch = void 0;
    const gpu2 = this.#gpu;
    if (this.#ringUsed > 0) gpu2.queue.writeBuffer(this.#ring, 0, this.#mirror, 0, this.#ringUsed);
    this.#ringUsed = 0;
    gpu2.pushErrorScope("validation");
    gpu2.queue.submit([encoder.finish()]);
    const scope = gpu2.popErrorScope();
    this.#sweep();
    const doubts = [...this.#doubts];
    const refused = async (error) => (await Promise.all(doubts)).find((failure) => failure !== void 0) ?? new RadarError("failed", `the device refused commands: ${firstLine(error)}`, { device: "gpu" }, error);
    Promise.all([scope, gpu2.queue.onSubmittedWorkDone()]).then(
      async ([error]) => batch.settle(error ? await refused(error) : void 0),
      async (error) => batch.settle(await this.failure("a submission", error))
    );
  }
  /** The error for work that the device has abandoned: that the device was lost, if so, else `failed`. */
  async failure(what, cause) {
    let timer;
    const patience = new Promise((resolve) => {
      timer = setTimeout(resolve, patienceMilliseconds);
    });
    await Promise.race([this.#gpu.lost, patience]);
    clearTimeout(timer);
    return this.#ended ?? new RadarError("failed", `${what} failed on the device: ${firstLine(cause)}`, { device: "gpu" }, cause);
  }
  /** Waits for all recorded commands. Their errors are reported to their owners. */
  async idle() {
    this.flush();
    await Promise.allSettled([...this.#open].map((batch) => batch.done));
    if (this.#ended) throw this.#ended;
  }
  /**
   * Measures the device's time in milliseconds for the commands that `work` records. Resolves with undefined if the device has no clock.
   */
  async time(work2) {
    const gpu2 = this.#gpu;
    if (!gpu2.features.has("timestamp-query")) {
      work2();
      return void 0;
    }
    this.flush();
    const queries = gpu2.createQuerySet({ type: "timestamp", count: 2 });
    const resolved = gpu2.createBuffer({ size: 16, usage: usage.queryResolve | usage.copySource });
    const read2 = gpu2.createBuffer({ size: 16, usage: usage.mapRead | usage.copyTarget });
    try {
      this.#timing = { queries, started: false };
      try {
        work2();
      } finally {
        const begun = this.#timing.started;
        this.#endPass();
        this.#timing = void 0;
        if (begun) {
          const encoder = this.#encoder;
          encoder.resolveQuerySet(queries, 0, 2, resolved, 0);
          encoder.copyBufferToBuffer(resolved, 0, read2, 0, 16);
        }
        this.flush();
      }
      await read2.mapAsync(mapMode.read).catch(async (error) => {
        throw await this.failure("reading the clock", error);
      });
      const [begin, end] = new BigUint64Array(read2.getMappedRange());
      return Number(end - begin) / 1e6;
    } finally {
      queries.destroy();
      resolved.destroy();
      read2.destroy();
    }
  }
  /** Ends all work. Unfinished batches reject with `error`. */
  end(error) {
    this.#ended = error;
    this.#encoder = void 0;
    this.#pass = void 0;
    this.#batch = void 0;
    for (const batch of [...this.#open]) batch.settle(error);
    this.#sweep();
    this.#ring.destroy();
  }
  #passDescriptor() {
    const timing = this.#timing;
    if (!timing) return {};
    const first2 = !timing.started;
    timing.started = true;
    return {
      timestampWrites: { querySet: timing.queries, ...first2 && { beginningOfPassWriteIndex: 0 }, endOfPassWriteIndex: 1 }
    };
  }
  #begin() {
    if (this.#ended) throw this.#ended;
    if (this.#batch) return this.#batch;
    this.#encoder = this.#gpu.createCommandEncoder();
    let resolve;
    let reject;
    const done = new Promise((yes, no) => {
      resolve = yes;
      reject = no;
    });
    done.catch(() => {
    });
    const batch = {
      done,
      commands: 0,
      settle: (error) => {
        if (!this.#open.delete(batch)) return;
        if (this.#ended ?? error) reject(this.#ended ?? error);
        else resolve();
      }
    };
    this.#open.add(batch);
    this.#batch = batch;
    queueMicrotask(() => {
      if (this.#batch === batch && !this.#ended) this.flush();
    });
    return batch;
  }
  #count(batch) {
    batch.commands += 1;
    if (batch.commands >= mostCommands && !this.#timing) this.flush();
    return batch;
  }
  #endPass() {
    this.#pass?.end();
    this.#pass = void 0;
    this.#pipeline = void 0;
    this.#group = void 0;
  }
  #sweep() {
    for (const buffer of this.#retired.splice(0)) buffer.destroy();
  }
};

// ../fft-gpu/src/patch.ts
var code = `struct Patch { word: u32, mask: u32, value: u32, unused: u32 }
@group(0) @binding(0) var<storage, read_write> words: array<u32>;
@group(0) @binding(1) var<uniform> patch_: Patch;
@compute @workgroup_size(1)
fn main() { words[patch_.word] = (words[patch_.word] & ~patch_.mask) | (patch_.value & patch_.mask); }`;
var Patcher = class {
  #gpu;
  #commands;
  #made;
  constructor(gpu2, commands) {
    this.#gpu = gpu2;
    this.#commands = commands;
  }
  /** Replaces the bits of `mask` in a word by those of `value`. */
  patch(buffer, word, mask, value2) {
    this.#made ??= this.#make();
    const { pipeline, layout: layout2 } = this.#made;
    const group = this.#gpu.createBindGroup({
      layout: layout2,
      entries: [
        { binding: 0, resource: { buffer } },
        { binding: 1, resource: { buffer: this.#commands.uniformRing, size: 16 } }
      ]
    });
    return this.#commands.dispatch({ pipeline, group, uniforms: Uint32Array.of(word, mask, value2, 0), groups: [1, 1, 1] });
  }
  #make() {
    const gpu2 = this.#gpu;
    const layout2 = gpu2.createBindGroupLayout({
      entries: [
        { binding: 0, visibility: computeStage, buffer: { type: "storage" } },
        { binding: 1, visibility: computeStage, buffer: { type: "uniform", hasDynamicOffset: true, minBindingSize: 16 } }
      ]
    });
    const module = gpu2.createShaderModule({ code, label: "patch" });
    gpu2.pushErrorScope("validation");
    gpu2.pushErrorScope("internal");
    const pipeline = gpu2.createComputePipeline({
      layout: gpu2.createPipelineLayout({ bindGroupLayouts: [layout2] }),
      compute: { module, entryPoint: "main" }
    });
    Promise.all([gpu2.popErrorScope(), gpu2.popErrorScope()]).then(
      (errors) => {
        if (errors.some((error) => error !== null)) this.#made = void 0;
      },
      () => {
      }
    );
    return { pipeline, layout: layout2 };
  }
};

// ../fft-gpu/src/wgsl/user-text.ts
var lineBreak = /\r\n|[\n\v\f\r\x85\u2028\u2029]/;
var mark = /^\/\/<dechirp (\d+) (.*)$/;
function called(field, call) {
  try {
    const value2 = call();
    Promise.resolve(value2).catch(() => {
    });
    return value2;
  } catch (error) {
    throw asRadarError(error, field, "compile", { field });
  }
}
function marked(field, text3) {
  if (typeof text3 !== "string") throw layoutError(field, "a string", text3);
  return `//<dechirp ${text3.split(lineBreak).length} ${field}
${text3}`;
}
function userFunction(head, field, call) {
  const body2 = called(field, call);
  if (typeof body2 !== "string" || body2.trim() === "") throw layoutError(`${field}()`, "a string that is not empty", body2);
  return `fn ${head} {
${marked(field, body2)}
}`;
}
function hookFunction(end, hook, rank) {
  if (!hook.wgsl) return void 0;
  const value2 = end === "store" ? ", value: vec2f" : "";
  return userFunction(`dechirp_${end}(at: array<u32, ${rank}>${value2}) -> vec2f`, `${end}.wgsl`, () => hook.wgsl?.(hook.constants ?? {}));
}
function placeOf(code2, line, column) {
  const texts = markedTexts(code2);
  const own = texts.filter(({ first: first3, last }) => first3 <= line && line <= last).at(-1);
  const unclosed = texts.filter((text4) => text4.last < line && text4 !== own && !isClosed(text4.lines));
  const open2 = unclosed.find(({ first: first3, last }) => !unclosed.some((inner2) => inner2.first > first3 && inner2.last <= last));
  const around = texts.find(({ first: first3 }) => line === first3 - 2) ?? texts.find(({ last }) => line === last + 1);
  const text3 = open2 ?? around ?? own;
  if (!text3) return { line, column };
  const { field, first: first2, lines: lines2 } = text3;
  if (text3 === own) return { field, line: line - first2 + 1, column };
  if (text3 !== open2 && line < first2) return { field, line: 1, column: 1 };
  return { field, line: lines2.length, column: (lines2.at(-1) ?? "").length + 1 };
}
function markedTexts(code2) {
  const lines2 = code2.split(lineBreak);
  const texts = [];
  for (const [at, line] of lines2.entries()) {
    const found = mark.exec(line);
    if (!found) continue;
    const [first2, last] = [at + 2, at + 1 + Number(found[1])];
    if (last > lines2.length || texts.some((outer) => at < outer.last && outer.last < last)) continue;
    texts.push({ field: found[2], first: first2, last, lines: lines2.slice(at + 1, last) });
  }
  return texts;
}
function isClosed(lines2) {
  let comments = 0;
  let brackets = 0;
  for (const line of lines2) {
    for (let i = 0; i < line.length; i++) {
      const two2 = line.slice(i, i + 2);
      if (two2 === "/*" || two2 === "*/" && comments > 0) {
        comments += two2 === "/*" ? 1 : -1;
        i++;
      } else if (comments === 0) {
        if (two2 === "//") break;
        if ("{([".includes(line[i])) brackets += 1;
        else if ("})]".includes(line[i])) brackets -= 1;
      }
    }
  }
  return comments === 0 && brackets === 0;
}

// ../fft-gpu/src/pipelines.ts
var mostKept = 256;
var Pipelines = class {
  #gpu;
  #made = /* @__PURE__ */ new Map();
  constructor(gpu2) {
    this.#gpu = gpu2;
  }
  /**
   * Returns the pipeline, compiled if it is not in the cache. Throws `compile` with these fields: `messages`, the compiler's messages,
   * each with its place in the user's own text (`field`, `line`, `column`) if it is there, and in the generated code (`generated`); the
   * first such place; `code`, the generated code.
   */
  get(spec, what) {
    const key = `${spec.entry}
${spec.code}`;
    const known3 = this.#made.get(key);
    const made = known3 ?? this.#make(spec, what);
    this.#made.delete(key);
    this.#made.set(key, made);
    if (known3) return known3;
    const [oldest] = this.#made.keys();
    if (this.#made.size > mostKept) this.#made.delete(oldest);
    made.catch(() => {
      if (this.#made.get(key) === made) this.#made.delete(key);
    });
    return made;
  }
  async #make({ code: code2, entry, readOnly, uniformBytes }, what) {
    const gpu2 = this.#gpu;
    const entries = readOnly.map((only, binding) => ({
      binding,
      visibility: computeStage,
      buffer: { type: only ? "read-only-storage" : "storage" }
    }));
    if (uniformBytes > 0)
      entries.push({
        binding: readOnly.length,
        visibility: computeStage,
        buffer: { type: "uniform", hasDynamicOffset: true, minBindingSize: uniformBytes }
      });
    gpu2.pushErrorScope("validation");
    const module = gpu2.createShaderModule({ code: code2, label: what });
    const layout2 = gpu2.createBindGroupLayout({ entries });
    const pipelineLayout = gpu2.createPipelineLayout({ bindGroupLayouts: [layout2] });
    const pending = gpu2.createComputePipelineAsync({ layout: pipelineLayout, compute: { module, entryPoint: entry }, label: what });
    const scope = gpu2.popErrorScope();
    let failure;
    const pipeline = await pending.catch((error) => {
      failure = error;
      return void 0;
    });
    const refused = await scope;
    if (pipeline && !refused) return { pipeline, layout: layout2 };
    const { messages } = await module.getCompilationInfo().catch(() => ({ messages: [] }));
    const said = messages.filter(({ type: type2 }) => type2 === "error").map((message) => ({ ...toldOf(code2, message), message: firstLine(message) }));
    const texts = said.map(
      ({ field: field2, line: line2, column: column2, message }) => line2 === 0 ? message : `${field2 ?? "generated code"}, line ${line2}, column ${column2}: ${message}`
    );
    const text3 = texts.join("; ") || firstLine(refused ?? failure ?? "for a reason that it does not tell");
    const { field, line, column } = said.find((one2) => one2.field !== void 0) ?? {};
    const place2 = field === void 0 ? {} : { field, line, column };
    throw new RadarError("compile", `${what} does not compile: ${text3}`, { what, ...place2, messages: said, code: code2 }, failure);
  }
};
function toldOf(code2, { lineNum, linePos }) {
  const place2 = lineNum === 0 ? { line: 0, column: 0 } : placeOf(code2, lineNum, linePos);
  return { ...place2, generated: [lineNum, linePos] };
}

// ../fft-gpu/src/scratch.ts
var keptBytes = 2 ** 27;
var Scratch = class {
  #allocate;
  #all = /* @__PURE__ */ new Map();
  constructor(allocate) {
    this.#allocate = allocate;
  }
  /** The memory for a plan's temporary of that number, until `give`. */
  take(layout2, number) {
    const key = `${number} ${byteLength(layout2)}`;
    let shared = this.#all.get(key);
    if (shared?.array.failure) shared = void 0;
    if (!shared) {
      this.#keep(keptBytes - byteLength(layout2));
      shared = { key, array: this.#allocate(layout2, `temporary ${number} of ${byteLength(layout2)} bytes`), users: 0 };
    }
    this.#all.delete(key);
    this.#all.set(key, shared);
    shared.users += 1;
    return shared.array;
  }
  give(array) {
    for (const shared of this.#all.values()) {
      if (shared.array !== array) continue;
      shared.users -= 1;
      if (shared.users === 0) this.#keep(keptBytes);
      return;
    }
    array.free();
  }
  end() {
    for (const { array } of this.#all.values()) array.free();
    this.#all.clear();
  }
  /** Frees unused arrays, oldest first, until at most `most` bytes of them are left. */
  #keep(most2) {
    const unused = [...this.#all.values()].filter(({ users }) => users === 0);
    let left = unused.reduce((sum2, { array }) => sum2 + byteLength(array.layout), 0);
    for (const { key, array } of unused) {
      if (left <= most2 && !array.failure) continue;
      left -= byteLength(array.layout);
      this.#all.delete(key);
      array.free();
    }
  }
};

// ../fft-gpu/src/staging.ts
var smallBytes = 2 ** 16;
var mostUploadBytes = 2 ** 28;
var mostDownloads = 4;
var Staging = class {
  /** The most bytes of one piece. */
  chunkBytes = 2 ** 23;
  #gpu;
  #doubt;
  /** Mapped upload buffers that are free. */
  #mapped = [];
  #uploadBytes = 0;
  #all = /* @__PURE__ */ new Set();
  #free = [];
  #downloads = 0;
  #queue = [];
  #closed = false;
  /** `doubt` is called with allocations that may still fail. */
  constructor(gpu2, doubt) {
    this.#gpu = gpu2;
    this.#doubt = doubt;
  }
  /**
   * Returns a buffer filled with `data`. Returns undefined if the queue's own copy is better: for little data, with many uploads in
   * flight, or without mappable memory.
   */
  upload(data) {
    if (data.length < smallBytes) return void 0;
    const used = this.#mapped.pop() ?? this.#makeUpload();
    if (!used) return void 0;
    try {
      new Uint8Array(used.getMappedRange(0, data.length)).set(data);
    } catch {
      this.#drop(used);
      return void 0;
    }
    used.unmap();
    return {
      buffer: used,
      sent: (batch) => {
        const again = async () => {
          if (this.#closed) return;
          await used.mapAsync(mapMode.write);
          this.#mapped.push(used);
        };
        batch.done.then(again, again).catch(() => this.#drop(used));
      }
    };
  }
  /** Waits until there are few downloads in flight. */
  async room() {
    while (this.#downloads >= mostDownloads && !this.#closed) await new Promise((resolve) => this.#queue.push(resolve));
  }
  /** Returns a buffer of at least `size` bytes. */
  download(size) {
    const small = size <= smallBytes;
    const kept2 = small ? void 0 : this.#free.pop();
    const held = kept2 ?? this.#makeDownload(small ? Math.max(16, size) : this.chunkBytes);
    const { made: buffer, refused } = held;
    if (!small) this.#all.add(buffer);
    this.#downloads += 1;
    return {
      buffer,
      refused,
      isNew: kept2 === void 0,
      release: () => {
        if (small) buffer.destroy();
        refused.then((failure) => {
          if (failure) this.#all.delete(buffer);
          else if (!small && !this.#closed) this.#free.push(held);
          this.#downloads -= 1;
          this.#queue.shift()?.();
        });
      }
    };
  }
  /** A mapped buffer, or undefined if there is no memory for one. */
  #makeUpload() {
    if (this.#uploadBytes + this.chunkBytes > mostUploadBytes) return void 0;
    const descriptor = { label: "upload", size: this.chunkBytes, usage: usage.mapWrite | usage.copySource, mappedAtCreation: true };
    try {
      const { made } = allocated(this.#gpu, "upload", this.chunkBytes, () => this.#gpu.createBuffer(descriptor));
      this.#uploadBytes += this.chunkBytes;
      this.#all.add(made);
      return made;
    } catch {
      return void 0;
    }
  }
  #makeDownload(size) {
    const descriptor = { label: "download", size, usage: usage.mapRead | usage.copyTarget };
    const made = allocated(this.#gpu, "download", size, () => this.#gpu.createBuffer(descriptor));
    this.#doubt(made.refused);
    return made;
  }
  #drop(buffer) {
    if (!this.#all.delete(buffer)) return;
    this.#uploadBytes -= this.chunkBytes;
    buffer.destroy();
  }
  close() {
    this.#closed = true;
    for (const buffer of this.#all) buffer.destroy();
    this.#all.clear();
    for (const resolve of this.#queue.splice(0)) resolve();
  }
};

// ../fft-gpu/src/timeline.ts
var Timeline = class {
  #waiting = [];
  #busy = false;
  #ended;
  /** Whether host work is in progress. */
  get busy() {
    return this.#busy;
  }
  /** Calls `action` now, or after the host work before it. Rejects if the timeline ends first. */
  async record(action) {
    if (!this.#busy) return action();
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => {
        try {
          if (this.#ended) throw this.#ended;
          resolve(action());
        } catch (error) {
          reject(error);
        }
      });
    });
  }
  /** Runs `work` in program order. Later work waits until it has settled. */
  async hold(work2) {
    return this.record(async () => {
      this.#busy = true;
      try {
        return await work2();
      } finally {
        this.#busy = false;
        this.#go();
      }
    });
  }
  /** Calls `action` in program order after the promises that `waits` then returns have settled. Later work waits, too. */
  async after(waits, action) {
    return this.record(() => {
      const named = waits().filter((wait2) => wait2 !== void 0);
      if (named.length === 0) return action();
      return this.hold(async () => {
        await Promise.allSettled(named);
        if (this.#ended) throw this.#ended;
        return action();
      });
    });
  }
  /** Resolves when no host work is in progress. */
  async idle() {
    while (this.#busy) await this.record(() => void 0);
  }
  end(error) {
    this.#ended = error;
    for (const action of this.#waiting.splice(0)) action();
  }
  #go() {
    while (!this.#busy) {
      const next = this.#waiting.shift();
      if (!next) return;
      next();
    }
  }
};

// ../fft-gpu/src/engine.ts
var Engine = class {
  gpu;
  commands;
  timeline = new Timeline();
  staging;
  segmentBytes;
  limits;
  #pace;
  #pipelines;
  #patcher;
  #tables = /* @__PURE__ */ new Map();
  #scratch = new Scratch((layout2, label) => this.allocate(layout2, label));
  #ended;
  constructor(gpu2, { segmentBytes, planning }) {
    this.gpu = gpu2;
    this.segmentBytes = segmentBytes;
    this.commands = new Commands(gpu2);
    this.#pace = new Pace(this.commands);
    this.staging = new Staging(gpu2, (refused) => this.commands.doubt(refused));
    this.#pipelines = new Pipelines(gpu2);
    this.#patcher = new Patcher(gpu2, this.commands);
    const info = gpu2.adapterInfo;
    this.limits = {
      workgroupBytes: gpu2.limits.maxComputeWorkgroupStorageSize,
      invocations: Math.min(gpu2.limits.maxComputeInvocationsPerWorkgroup, gpu2.limits.maxComputeWorkgroupSizeX),
      storageBuffers: gpu2.limits.maxStorageBuffersPerShaderStage,
      segmentElements: (layout2) => segmentElements(layout2, segmentBytes),
      ...gpu2.features.has("subgroups") && { subgroups: [info?.subgroupMinSize ?? 4, info?.subgroupMaxSize ?? 128] },
      ...planning
    };
  }
  ended() {
    return this.#ended;
  }
  allocate(layout2, label) {
    return new GpuArray(layout2, label, this);
  }
  /** Makes a plan of the dispatches. Throws `compile`, `limit`, `out-of-memory` or `aborted`. */
  async body(spec, { options, pause, signal }) {
    const tables = /* @__PURE__ */ new Map();
    const temporaries = [];
    const dispose = () => {
      for (const array of temporaries.splice(0)) this.#scratch.give(array);
      for (const [key, table] of tables) this.#letGo(key, table);
      tables.clear();
    };
    try {
      for (const { arrays } of spec.dispatches) {
        for (const { from } of Object.values(arrays)) {
          if ("table" in from && !tables.has(from.table.key)) tables.set(from.table.key, this.#table(from.table));
        }
      }
      for (const [i, layout2] of (spec.temporaries ?? []).entries()) temporaries.push(this.#scratch.take(layout2, i));
      const compiled3 = (both3) => orAborted(this.#compileAll(spec, both3, pause), signal, spec.text);
      const apart = await compiled3(false);
      const together = options.inPlace ? await compiled3(true) : void 0;
      const shared = [...tables.values()];
      for (const array of [...temporaries, ...shared.map((table) => table.array)]) {
        const failure = await array.allocated;
        if (failure) throw failure;
      }
      await orAborted(Promise.all(shared.map((table) => table.made)), signal, spec.text);
      const copies = shared.flatMap((table) => table.copies);
      const groups = new BindGroups(this, temporaries, tables);
      const written2 = Object.entries(portsOf(spec.op)).flatMap(([name, { access }]) => access === "read" ? [] : [name]);
      return {
        text: spec.text,
        cost: spec.cost,
        ...spec.convolved && { convolved: spec.convolved },
        temporaryBytes: (spec.temporaries ?? []).reduce((sum2, layout2) => sum2 + byteLength(layout2), 0),
        dispose,
        run: async (ports, { uniforms, signal: signal2 }) => {
          const chosen = together && ports["in"] === ports["out"] ? together : apart;
          const arrays = Object.values(ports);
          const record2 = () => {
            for (const array of arrays) if (array.failure) throw array.failure;
            throwIfAborted(signal2, spec.text);
            let last;
            for (const [i, compiled4] of chosen.entries()) {
              last = this.commands.dispatch({
                pipeline: compiled4.pipeline.pipeline,
                group: groups.get(compiled4, ports),
                groups: spec.dispatches[i].groups,
                ...Object.keys(compiled4.uniforms).length > 0 && {
                  uniforms: words3(compiled4.uniforms, { ...uniforms, ...spec.dispatches[i].fixed })
                }
              });
            }
            return last;
          };
          const recordSafely = () => {
            if (signal2) return this.#pace.submit(record2);
            return arrays.some((array) => array.doubtful) ? this.commands.apart(record2) : record2();
          };
          const waits = () => [...written2.map((name) => ports[name].reading), ...signal2 ? [this.#pace.full] : []];
          const now = !this.timeline.busy && waits().every((wait2) => wait2 === void 0);
          const batch = now ? recordSafely() : await this.timeline.after(waits, recordSafely);
          let refused;
          await batch?.done.catch((error) => {
            refused = error;
          });
          for (const array of arrays) {
            const failure = array.settled ? array.failure : await array.allocated;
            if (failure) throw failure;
          }
          if (refused) throw refused;
          for (const copy2 of copies) {
            const empty = await copy2;
            if (empty) throw empty;
          }
        }
      };
    } catch (error) {
      dispose();
      throw error;
    }
  }
  /**
   * Compiles the dispatches. Those that differ only in fixed uniforms share a pipeline. Drivers start compiling inside the call, so this
   * pauses between two.
   */
  async #compileAll(spec, inPlace, pause) {
    const seen = [];
    const all = [];
    for (const dispatch of spec.dispatches) {
      const known3 = seen.find(
        ({ dispatch: other }) => other.arrays === dispatch.arrays && other.entry === dispatch.entry && other.code === dispatch.code
      );
      if (known3) {
        all.push(known3.compiled);
        continue;
      }
      const compiled3 = this.#compile(dispatch, spec, inPlace);
      compiled3.catch(() => {
      });
      seen.push({ dispatch, compiled: compiled3 });
      all.push(compiled3);
      await pause();
    }
    return Promise.all(all);
  }
  async #compile(dispatch, spec, inPlace) {
    const over = dispatch.groups.find((g2) => g2 > this.gpu.limits.maxComputeWorkgroupsPerDimension);
    if (over !== void 0)
      throw new RadarError("limit", `${spec.text}: a dispatch of ${dispatch.groups.join(" \xD7 ")} workgroups is too large`, {
        field: "groups",
        limit: this.gpu.limits.maxComputeWorkgroupsPerDimension,
        actual: over
      });
    const isPort = (use, port2) => "port" in use.from && use.from.port === port2;
    const uses = Object.entries(dispatch.arrays);
    const target = uses.find(([, use]) => isPort(use, "out"))?.[0];
    const arrays = uses.map(([name, use]) => {
      const elements2 = this.limits.segmentElements(use.layout);
      const total = use.layout.shape.reduce((a2, b2) => a2 * b2, 1);
      const perWord = elements2 / segmentWords(use.layout, this.segmentBytes);
      return {
        name,
        layout: use.layout,
        access: use.access,
        segments: Math.ceil(total / elements2),
        segmentWords: elements2 / perWord / (use.pairs ? 2 : 1),
        ...use.pairs && { pairs: true },
        ...use.alias !== void 0 && { alias: use.alias },
        ...inPlace && target !== void 0 && isPort(use, "in") && { alias: target }
      };
    });
    const uniforms = { ...dispatch.uniforms };
    for (const name of Object.keys(dispatch.fixed ?? {})) uniforms[name] = "u32";
    for (const name of [...Object.keys(dispatch.arrays), ...Object.keys(uniforms)])
      if (!identifier.test(name)) throw layoutError(name, "an identifier of WGSL", name);
    const bound = uses.filter((_3, i) => arrays[i].alias === void 0).map(([, use]) => use);
    const readOnly = arrays.filter(({ alias }) => alias === void 0).flatMap(({ access, segments }) => Array(segments).fill(access === "read"));
    if (readOnly.length > this.limits.storageBuffers)
      throw new RadarError(
        "limit",
        `${spec.text} binds ${readOnly.length} arrays or segments, but the device allows ${this.limits.storageBuffers}`,
        {
          field: "ports",
          limit: this.limits.storageBuffers,
          actual: readOnly.length
        }
      );
    const pipeline = await this.#pipelines.get(
      {
        code: `${declarations(arrays, uniforms, this.limits.subgroups !== void 0)}
${withMembers(dispatch.code)}`,
        entry: dispatch.entry,
        readOnly,
        uniformBytes: Object.keys(uniforms).length === 0 ? 0 : Commands.uniformBytes(Object.keys(uniforms).length)
      },
      spec.text
    );
    return { pipeline, bound, uniforms };
  }
  #table(spec) {
    const known3 = this.#tables.get(spec.key);
    const table = known3 && !known3.failed && !known3.array.failure ? known3 : this.#makeTable(spec);
    table.users += 1;
    return table;
  }
  #makeTable(spec) {
    const array = this.allocate(spec.layout, `table ${spec.key}`);
    const copies = [];
    const fail3 = (error) => {
      table.failed = true;
      return error;
    };
    const make = async () => {
      const refused = await array.allocated;
      if (refused) throw refused;
      const pause = createPause(`table ${spec.key}`);
      const pauseInUse = () => {
        if (this.#ended) throw this.#ended;
        if (table.users === 0) throw new RadarError("aborted", `no plan needs table ${spec.key} any more`);
        return pause();
      };
      const data = await runInPieces(spec.make(), pauseInUse);
      const step3 = this.staging.chunkBytes / data.BYTES_PER_ELEMENT;
      for (let start = 0; start < data.length; start += step3) {
        const copied = Promise.resolve(array.write(data.subarray(start, start + step3), start));
        copies.push(copied.then(() => void 0, fail3));
        await pauseInUse();
      }
    };
    const made = Promise.resolve().then(make);
    made.catch(fail3);
    const table = { array, made, copies, failed: false, users: 0 };
    this.#tables.set(spec.key, table);
    return table;
  }
  #letGo(key, table) {
    table.users -= 1;
    if (table.users > 0) return;
    if (this.#tables.get(key) === table) this.#tables.delete(key);
    table.array.free();
  }
  patch(array, segment, word, mask, value2) {
    return ignoringErrors(this.gpu, !array.settled, () => this.#patcher.patch(array.segments[segment], word, mask, value2));
  }
  /** Waits for everything that was queued. */
  async idle() {
    await this.timeline.idle();
    await this.commands.idle();
  }
  /** Ends all work. Whatever waits rejects with `error`. */
  end(error) {
    if (this.#ended) return;
    this.#ended = error;
    this.commands.end(error);
    this.timeline.end(error);
    this.staging.close();
    for (const { array } of this.#tables.values()) array.free();
    this.#tables.clear();
    this.#scratch.end();
  }
};
async function orAborted(work2, signal, what) {
  work2.catch(() => {
  });
  throwIfAborted(signal, what);
  let ignore = () => {
  };
  const aborted = new Promise((_3, reject) => {
    ignore = onAbort(signal, () => reject(new RadarError("aborted", `${what} was aborted`, { what }, signal?.reason)));
  });
  try {
    return await Promise.race([work2, aborted]);
  } finally {
    ignore();
  }
}
var segmentWords = (layout2, segmentBytes) => segmentBytes / (layout2.dtype === "c64" ? 8 : 4);
function words3(types, values) {
  const names = Object.keys(types);
  const out = new Uint32Array(names.length);
  const floats = new Float32Array(out.buffer);
  names.forEach((name, i) => {
    if (types[name] === "f32") floats[i] = values[name];
    else out[i] = values[name];
  });
  return out;
}
var mostGroups = 64;
var BindGroups = class {
  #made = /* @__PURE__ */ new Map();
  #engine;
  #temporaries;
  #tables;
  constructor(engine, temporaries, tables) {
    this.#engine = engine;
    this.#temporaries = temporaries;
    this.#tables = tables;
  }
  get(compiled3, ports) {
    const { bound, pipeline, uniforms } = compiled3;
    let made = this.#made.get(compiled3);
    if (!made) {
      made = /* @__PURE__ */ new Map();
      this.#made.set(compiled3, made);
    }
    let key = "";
    for (const { from } of bound) if ("port" in from) key += `${ports[from.port].id},`;
    const known3 = made.get(key);
    if (known3) return known3;
    if (made.size >= mostGroups) made.clear();
    const entries = [];
    for (const { from } of bound) {
      const array = "port" in from ? ports[from.port] : "temporary" in from ? this.#temporaries[from.temporary] : this.#tables.get(from.table.key).array;
      for (const buffer of array.segments) entries.push({ binding: entries.length, resource: { buffer } });
    }
    const count2 = Object.keys(uniforms).length;
    if (count2 > 0)
      entries.push({
        binding: entries.length,
        resource: { buffer: this.#engine.commands.uniformRing, size: Commands.uniformBytes(count2) }
      });
    const { gpu: gpu2 } = this.#engine;
    const doubtful = bound.some(({ from }) => "port" in from && !ports[from.port].settled);
    const group = ignoringErrors(gpu2, doubtful, () => gpu2.createBindGroup({ layout: pipeline.layout, entries }));
    made.set(key, group);
    return group;
  }
};

// ../fft-gpu/src/gains.ts
var rootNear = (value2) => 2 ** Math.round(Math.log2(value2) / 2);
function gainsOf(kind, n) {
  const forward = kind === "filter" ? rootNear(1 / n) : 1;
  return { forward, inverse: kind === "forward" ? 1 : 1 / n / forward };
}
function sharesOf(points, gain) {
  const all = points.reduce((sum2, count2) => sum2 + Math.log2(count2), 0);
  let done = 0;
  let given = 1;
  return points.map((count2, i) => {
    done += Math.log2(count2);
    const until = i === points.length - 1 ? gain : 2 ** Math.round(Math.log2(gain) * done / all);
    const share = until / given;
    given = until;
    return share;
  });
}

// ../fft-gpu/src/bluestein.ts
var pieceLength3 = 2 ** 15;
function* chirp(n, sign, out) {
  const roots = rootsOf(2 * n);
  for (let start = 0; start < n; start += pieceLength3) {
    putChirp(roots, start, Math.min(pieceLength3, n - start), sign, out, 2 * start);
    yield;
  }
}
function* spectrum(n, m, sign, scale, out) {
  yield* chirpSpectrum(n, m, scale, () => out);
  if (sign < 0) return;
  for (let k = 0; k < m; k++) {
    out[2 * k + 1] = -out[2 * k + 1];
    if (k % pieceLength3 === pieceLength3 - 1) yield;
  }
}
function bluestein2(transform, m) {
  const { n, kind, read: read2, write } = transform;
  const sign = kind === "inverse" ? 1 : -1;
  const gains = { forward: rootNear(1 / m), inverse: sign > 0 ? rootNear(1 / n) ** 2 : 1 };
  const scale = (sign > 0 ? 1 / n : 1) / m / gains.forward / gains.inverse;
  const chirpTable2 = (table) => table.addPieces(`chirp ${sign}/${n}`, n, (out) => chirp(n, sign, out));
  return {
    ...transform,
    n: m,
    kind: "filter",
    gains,
    read: {
      ...read2,
      extent: Math.min(read2.extent, n),
      line(text3, at, table) {
        const element2 = read2.line(text3, at, table);
        const offset = chirpTable2(table);
        return (t, i) => `cmul(${element2(t, i)}, load_dechirp_table((${i}) + ${offset}u))`;
      }
    },
    filter: {
      line(_text, _at, table) {
        const offset = table.addPieces(`chirp spectrum ${sign}/${n}/${m}`, m, (out) => spectrum(n, m, sign, scale, out));
        return (_3, k) => `load_dechirp_table((${k}) + ${offset}u)`;
      }
    },
    write: {
      ...write,
      line(text3, at, table) {
        const element2 = write.line(text3, at, table);
        const offset = chirpTable2(table);
        const first2 = write.keep[0];
        return (t, k, value2) => {
          const turned2 = t.let(`cmul(${value2}, load_dechirp_table((${k}) + ${offset + first2}u))`);
          element2(t, k, turned2);
        };
      }
    }
  };
}

// ../fft-gpu/src/dispatch.ts
var groupsPerDimension = 65535;
function spread(count2) {
  if (count2 <= groupsPerDimension) return { groups: [count2, 1, 1], index: "group_id.x" };
  const y = Math.ceil(count2 / groupsPerDimension);
  const x = Math.ceil(count2 / y);
  return { groups: [x, y, 1], index: `(group_id.y * ${x}u + group_id.x)` };
}

// ../fft-gpu/src/wgsl/codelets.ts
var radices2 = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
var inner = { 4: 2, 6: 2, 8: 2, 9: 3, 10: 2, 12: 4, 14: 2, 15: 3, 16: 4, 32: 4, 64: 8 };
var splitOf = (radix) => inner[radix];
function dft(text3, v, sign) {
  const r = v.length;
  if (r === 1) return [...v];
  if (r === 2) return [text3.let(`${v[0]} + ${v[1]}`), text3.let(`${v[0]} - ${v[1]}`)];
  const p = inner[r];
  return p === void 0 ? primeDft(text3, v, sign) : compositeDft(text3, v, sign, p, r / p);
}
function compositeDft(text3, v, sign, p, q) {
  const r = p * q;
  const parts = Array.from({ length: p }, (_3, i) => {
    const part = dft(
      text3,
      Array.from({ length: q }, (_4, m) => v[i + p * m]),
      sign
    );
    return part.map((value2, k) => turn(text3, value2, sign * i * k / r));
  });
  const out = new Array(r);
  for (let k = 0; k < q; k++) {
    dft(
      text3,
      parts.map((part) => part[k]),
      sign
    ).forEach((value2, m) => {
      out[k + q * m] = value2;
    });
  }
  return out;
}
function turn(text3, value2, cycles) {
  const eighths = (Math.round(cycles * 8) % 8 + 8) % 8;
  if (Math.abs(cycles * 8 - Math.round(cycles * 8)) < 1e-9) {
    const root = eighths % 2 === 0 ? value2 : text3.let(`${wgslFloat(Math.SQRT1_2)} * ${value2}`);
    const { x, y } = { x: `${root}.x`, y: `${root}.y` };
    const forms2 = [
      void 0,
      `vec2f(${x} - ${y}, ${x} + ${y})`,
      `vec2f(-${y}, ${x})`,
      `vec2f(-${x} - ${y}, ${x} - ${y})`,
      `-${value2}`,
      `vec2f(${y} - ${x}, -${x} - ${y})`,
      `vec2f(${y}, -${x})`,
      `vec2f(${x} + ${y}, ${y} - ${x})`
    ];
    const form = forms2[eighths];
    return form === void 0 ? value2 : text3.let(form);
  }
  const angle = 2 * Math.PI * cycles;
  return text3.let(`cmul(${value2}, vec2f(${wgslFloat(Math.cos(angle))}, ${wgslFloat(Math.sin(angle))}))`);
}
function primeDft(text3, v, sign) {
  const p = v.length;
  const half = (p - 1) / 2;
  const sums = [];
  const differences = [];
  for (let m = 1; m <= half; m++) {
    sums.push(text3.let(`${v[m]} + ${v[p - m]}`));
    differences.push(text3.let(`${v[m]} - ${v[p - m]}`));
  }
  const out = new Array(p);
  out[0] = text3.let([v[0], ...sums].join(" + "));
  for (let k = 1; k <= half; k++) {
    const angle = (m) => 2 * Math.PI * (k * (m + 1) % p) / p;
    const even = text3.let([v[0], ...sums.map((s, m) => `${wgslFloat(Math.cos(angle(m)))} * ${s}`)].join(" + "));
    const odd = text3.let(differences.map((d, m) => `${wgslFloat(sign * Math.sin(angle(m)))} * ${d}`).join(" + "));
    out[k] = text3.let(`vec2f(${even}.x - ${odd}.y, ${even}.y + ${odd}.x)`);
    out[p - k] = text3.let(`vec2f(${even}.x + ${odd}.y, ${even}.y - ${odd}.x)`);
  }
  return out;
}

// ../fft-gpu/src/shape.ts
var mostValues = 32;
var goodValues = 16;
var memory2 = /* @__PURE__ */ new Map();
function stagesOf(n, largest3 = 16) {
  if (n === 1) return [];
  const key = `${n} ${largest3}`;
  if (memory2.has(key)) return memory2.get(key);
  let best;
  for (const r of radices2) {
    if (n % r !== 0 || r > largest3) continue;
    const rest = stagesOf(n / r, largest3);
    if (!rest) continue;
    const stages2 = [...rest, r].sort((a2, b2) => a2 - b2);
    if (!best || weigh(stages2) < weigh(best)) best = stages2;
  }
  memory2.set(key, best);
  return best;
}
var weigh = (stages2) => 1e3 * stages2.length + stages2.reduce((sum2, r) => sum2 + r ** 1.5, 0);
var valuesOf = (n, stages2, threads) => Math.max(1, ...stages2.map((r) => r * Math.ceil(n / r / threads)));
function threadsFor(n, stages2, most2, together) {
  const candidates = /* @__PURE__ */ new Set([...stages2.map((r) => n / r), most2]);
  let best;
  for (const threads of candidates) {
    if (threads > most2) continue;
    const values = valuesOf(n, stages2, threads);
    if (values > mostValues / together) continue;
    const work2 = stages2.reduce((sum2, r) => sum2 + r * Math.ceil(n / r / threads) * threads / n, 0);
    const cost = work2 + (values > goodValues ? 10 * (values - goodValues) : 0);
    if (!best || cost < best.cost - 1e-9 || cost < best.cost + 1e-9 && threads > best.threads) best = { threads, cost };
  }
  return best?.threads;
}
var workgroupBytes = (s) => Math.ceil(s.n / s.windows) * (s.lines / s.together) * 4 * (s.exchange === "both" ? 2 : 1);
function lineShape(n, limits2, options) {
  const stages2 = options.radices?.[n] ?? stagesFor(n, options);
  if (!stages2) return void 0;
  const { mapping, count: count2, exchange = "split", together = 1 } = options;
  const exchanges = stages2.length > 1 || mapping === "line";
  const wanted = mapping === "tile" ? options.tile ?? 8 : 1;
  const fewest = mapping === "tile" ? Math.min(options.fewestTile ?? 1, count2) : 1;
  for (let lines2 = Math.max(1, Math.min(wanted, count2)); lines2 >= fewest; lines2 = Math.floor(lines2 / 2)) {
    const threads = options.threads?.[n] ?? threadsFor(n, stages2, Math.floor(limits2.invocations * together / lines2), together);
    if (threads === void 0) continue;
    for (const windows of [1, 2]) {
      const shape = { n, radices: stages2, threads, lines: lines2, together, exchange, windows };
      if (windows > 1 && n % (2 * stages2[0]) !== 0) continue;
      if (!exchanges || workgroupBytes(shape) <= limits2.workgroupBytes) return widen(shape, limits2, count2);
    }
  }
  return void 0;
}
function stagesFor(n, { mapping, wide = false, busy = false }) {
  if (busy) return stagesOf(n, busyRadix) ?? stagesOf(n);
  if (mapping === "line" && n <= 16) {
    const pair2 = { 4: [2, 2], 8: [2, 4], 9: [3, 3], 12: [3, 4], 15: [3, 5], 16: [4, 4] }[n];
    if (pair2) return pair2;
  }
  return wide && wideStages(n, mapping) || stagesOf(n);
}
var busyRadix = 8;
function wideStages(n, mapping) {
  let best;
  for (const wide of [[32], [32, 32]]) {
    const rest = n % 32 ** wide.length === 0 ? stagesOf(n / 32 ** wide.length) : void 0;
    if (rest && (!best || rest.length + wide.length < best.length)) best = [...rest, ...wide];
  }
  if (best && mapping === "tile" && best.length === 3) return [best[0], best[2], best[1]];
  return best && n > 4096 ? [...best].reverse() : best;
}
var goodInvocations = 128;
function widen(shape, limits2, count2) {
  let lines2 = shape.lines;
  if (shape.together > 1) return shape;
  while (2 * lines2 * shape.threads <= Math.min(limits2.invocations, 2 * goodInvocations) && lines2 * shape.threads < goodInvocations && lines2 < count2 && workgroupBytes({ ...shape, lines: 2 * lines2 }) <= limits2.workgroupBytes / 2) {
    lines2 *= 2;
  }
  return { ...shape, lines: lines2 };
}

// ../fft-gpu/src/tables.ts
var pieceLength4 = 2 ** 12;
var TableBuilder = class {
  #sections = [];
  #length = 0;
  /** Adds a section of `length` values and returns its offset in elements. Sections with equal keys are shared. */
  add(key, length, value2) {
    return this.addPieces(key, length, function* (out) {
      for (let i = 0; i < length; i++) {
        out.set(value2(i), 2 * i);
        if (i % pieceLength4 === pieceLength4 - 1) yield;
      }
    });
  }
  /** Adds a section that `make` writes. */
  addPieces(key, length, make) {
    const known3 = this.#sections.find((s) => s.key === key);
    if (known3) return known3.offset;
    const offset = this.#length;
    this.#sections.push({ key, length, make, offset });
    this.#length += length;
    return offset;
  }
  /** The table, or undefined without sections. */
  build() {
    if (this.#length === 0) return void 0;
    const sections = [...this.#sections];
    const length = this.#length;
    return {
      key: sections.map((s) => s.key).join(" | "),
      layout: layout("c64", [length]),
      *make() {
        const data = new Float32Array(2 * length);
        for (const { offset, length: count2, make } of sections) {
          yield* make(data.subarray(2 * offset, 2 * (offset + count2)));
          yield;
        }
        return data;
      }
    };
  }
};
var known2 = /* @__PURE__ */ new Map();
function legsOf2(radix) {
  const legs = known2.get(radix) ?? legFactors(radix, { split: splitOf }, "inputs");
  known2.set(radix, legs);
  return legs;
}
function stageTwiddles(table, radices3, gains = []) {
  let before = 1;
  return radices3.map((r, s) => {
    const span = before;
    before *= r;
    if (span === 1) return 0;
    const factor = gains[s] ?? 1;
    const mean = s === 1 ? (legsOf2(radices3[0]).reduce((sum2, leg) => sum2 + leg, 0) / radices3[0]) ** (r / (r - 1)) : 1;
    const legs = legsOf2(r);
    const key = `stage ${radices3.slice(0, s).join("\xB7")}\xB7${r}${factor === 1 ? "" : `\xB7${factor}`}`;
    return table.add(key, span * (r - 1), (i) => {
      const leg = Math.floor(i / span) + 1;
      const [re2, im2] = unitRoot(i % span * leg, span * r);
      const scale = factor * mean * legs[leg];
      return [scale * re2, scale * im2];
    });
  });
}
function rootLessOne(i, n) {
  const sine2 = Math.sin(Math.PI * i / n);
  return [-2 * sine2 * sine2, unitRoot(i, n)[1]];
}
function longTwiddle(table, n) {
  const bits2 = Math.min(12, Math.max(1, Math.ceil(Math.log2(n) / 2)));
  const size = 2 ** bits2;
  return {
    bits: bits2,
    low: table.add(`low ${n}/${bits2}`, size, (i) => rootLessOne(i, n)),
    high: table.add(`high ${n}/${bits2}`, Math.ceil(n / size), (i) => unitRoot(i * size, n))
  };
}

// ../fft-gpu/src/wgsl/stages.ts
var both = (a2, b2) => a2 && b2 ? `${a2} && ${b2}` : a2 ?? b2;
function placesOf(text3, { n, threads }, r, t, always) {
  const butterflies = n / r;
  const places2 = [];
  for (let b2 = 0; b2 * threads < butterflies; b2++) {
    const j = b2 === 0 ? t : text3.let(`${t} + ${b2 * threads}u`, "j");
    const highest = Math.min(butterflies, (b2 + 1) * threads) - 1;
    const guard = (b2 + 1) * threads > butterflies ? `${j} < ${butterflies}u` : always;
    for (let q = 0; q < r; q++) {
      const offset = q * butterflies;
      const index = offset === 0 ? j : text3.let(`${j} + ${offset}u`, "i");
      places2.push({ index, low: b2 * threads + offset, high: highest + offset, guard, sum: { base: t, offset: b2 * threads + offset } });
    }
  }
  return places2;
}
var Stages = class {
  #text;
  #shape;
  #name;
  /** Names of common parts of addresses in workgroup memory. */
  #common = /* @__PURE__ */ new Map();
  #used = false;
  #scales = false;
  /** Whether workgroup memory was read since the last barrier. */
  #busy = false;
  /** `name` is a prefix of the names of workgroup memory. */
  constructor(text3, shape, name = "exchange") {
    this.#text = text3;
    this.#shape = shape;
    this.#name = name;
  }
  places(r, { t }) {
    return placesOf(this.#text, this.#shape, r, t);
  }
  stage(held, { r, span, sign, offset, scale = 1, factors = /* @__PURE__ */ new Map() }) {
    const text3 = this.#text;
    const { n, threads } = this.#shape;
    const butterflies = n / r;
    const out = [];
    for (let b2 = 0; b2 * r < held.length; b2++) {
      const first2 = held[b2 * r];
      const highest = Math.min(butterflies, (b2 + 1) * threads) - 1;
      const k = span === 1 ? "0u" : span === butterflies ? first2.index : text3.let(remainder(first2.index, span), "k");
      const values = held.slice(b2 * r, (b2 + 1) * r).map((h) => h.value);
      const scaled = (value2) => scale === 1 ? value2 : text3.let(`${wgslFloat(scale)} * ${value2}`);
      const turned2 = span === 1 ? values.map(scaled) : [scaled(values[0]), ...this.#turn(values.slice(1), k, { r, span, sign, offset, factors })];
      const base = span === butterflies ? k : span === 1 ? text3.let(`${first2.index} * ${r}u`, "b") : text3.let(`(${first2.index} - ${k}) * ${r}u + ${k}`, "b");
      dft(text3, turned2, sign).forEach((value2, q) => {
        const index = q === 0 ? base : text3.let(`${base} + ${q * span}u`, "i");
        const last = span === butterflies;
        out.push({
          index,
          low: (last ? b2 * threads : 0) + q * span,
          high: last ? highest + q * span : n - 1,
          guard: first2.guard,
          sum: { base, offset: q * span },
          value: value2
        });
      });
    }
    return out;
  }
  /** Multiplies all values but the first by the stage's twiddle factors exp(sign·j2π·k·q/(span·r)). */
  #turn(values, k, { span, sign, offset, factors = /* @__PURE__ */ new Map() }) {
    const text3 = this.#text;
    const multiply3 = sign < 0 ? "cmul" : "cmulc";
    const found = values.map((_3, i) => {
      const load4 = `load_dechirp_table(${k} + ${offset + i * span}u)`;
      const known3 = factors.get(load4) ?? text3.let(load4, "w");
      factors.set(load4, known3);
      return known3;
    });
    return values.map((value2, i) => text3.let(`${multiply3}(${value2}, ${found[i]})`));
  }
  /** Passes elements to the invocations that hold their indices next. */
  exchange(held, from, places2, to) {
    if (this.#shape.exchange === "both") {
      const values = this.#through(held, from, places2, to, "");
      return places2.map((place2, i) => ({ ...place2, value: values[i] }));
    }
    const re2 = this.#through(held, from, places2, to, ".x");
    const im2 = this.#through(held, from, places2, to, ".y");
    return places2.map((place2, i) => ({ ...place2, value: this.#text.let(`vec2f(${re2[i]}, ${im2[i]})`) }));
  }
  /** The values at the mirrored indices (n − index) mod n of the given elements. */
  mirror(held, to) {
    const { n } = this.#shape;
    const places2 = held.map(
      (h) => ({
        index: this.#text.let(`select(${n}u - ${h.index}, 0u, ${h.index} == 0u)`, "m"),
        low: 0,
        high: n - 1,
        guard: h.guard
      })
    );
    return this.exchange(held, to, places2, to).map((h) => h.value);
  }
  /**
   * Divides the values by the power of two that brings the largest part of the line to 2¹⁴…2¹⁵, the upper end of half precision.
   * Infinities and NaN are not changed. The first invocation of the line passes the scale on.
   */
  scale(held, to, valid, hand) {
    const text3 = this.#text;
    this.#scales = true;
    const peak = text3.variable("f32", "peak");
    for (const h of held) text3.when(h.guard, () => text3.line(`${peak} = max(${peak}, max(abs(${h.value}.x), abs(${h.value}.y)));`));
    text3.line(`atomicMax(&dechirp_peaks[${to.c}], bitcast<u32>(${peak}));`);
    text3.line("workgroupBarrier();");
    const found = text3.let(`atomicLoad(&dechirp_peaks[${to.c}]) >> 23u`, "e");
    const exponent = text3.let(`select(clamp(${found}, 15u, 254u), 141u, ${found} == 255u)`, "e");
    const down = text3.let(`bitcast<f32>((268u - ${exponent}) << 23u)`);
    const up = text3.let(`bitcast<f32>((${exponent} - 14u) << 23u)`);
    text3.when(both(valid, `${to.t} == 0u`), () => hand(up));
    return held.map((h) => ({ ...h, value: text3.let(`${down} * ${h.value}`) }));
  }
  /** Passes whole values, or one part of them, through workgroup memory. */
  #through(held, from, places2, to, part) {
    const text3 = this.#text;
    const { n, windows } = this.#shape;
    const bitwise = this.#bitwise;
    const size = Math.ceil(n / windows);
    const type2 = part === "" ? "vec2f" : "f32";
    const values = new Array(places2.length);
    this.#used = true;
    for (let w = 0; w < windows; w++) {
      const [low, high2] = [w * size, Math.min(n, (w + 1) * size) - 1];
      const within2 = (place2) => {
        if (place2.high < low || place2.low > high2) return false;
        if (place2.low >= low && place2.high <= high2) return place2.guard;
        if (bitwise && place2.sum && windows === 2) return both(place2.guard, `(${place2.sum.base} & ${size}u) == ${low}u`);
        const inside2 = low === 0 ? `${place2.index} <= ${high2}u` : high2 === n - 1 ? `${place2.index} >= ${low}u` : `${place2.index} / ${size}u == ${w}u`;
        return both(place2.guard, inside2);
      };
      const reach = (place2, by) => {
        const condition = within2(place2);
        return { condition, address: condition === false ? "" : this.#address(place2, by, low) };
      };
      const targets = held.map((h) => ({ ...reach(h, from), value: h.value }));
      const sources = places2.map((place2) => reach(place2, to));
      sources.forEach(({ condition }, i) => {
        if (condition) values[i] ??= text3.variable(type2, "e");
      });
      if (this.#busy) text3.line("workgroupBarrier();");
      for (const { condition, value: value2, address } of targets) {
        if (condition === false) continue;
        text3.when(condition, () => text3.line(`${this.#name}[${address}] = ${value2}${part};`));
      }
      text3.line("workgroupBarrier();");
      sources.forEach(({ condition, address }, i) => {
        const read2 = `${this.#name}[${address}]`;
        if (condition === void 0) values[i] = text3.let(read2, "e");
        else if (condition !== false) text3.when(condition, () => text3.line(`${values[i]} = ${read2};`));
      });
      this.#busy = true;
    }
    return values;
  }
  /**
   * The address of an element of line c, in its window. For powers of two, addresses are spread over the 32 banks for every stride. Bits
   * are only moved and added without carry, so that the constant part of an index gives a constant part of its address.
   */
  #address({ index, sum: sum2 }, { c: c2 }, low) {
    const { n, windows, radices: radices3 } = this.#shape;
    const lines2 = this.#shape.lines / this.#shape.together;
    const size = Math.ceil(n / windows);
    const beginning = lines2 === 1 ? "" : `${c2} * ${size}u + `;
    if (!this.#bitwise || n < 64) return `${beginning}${low === 0 ? index : `(${index} - ${low}u)`}`;
    const shift2 = Math.log2(Math.max(...radices3));
    const apart = lines2 > 1 && isPowerOfTwo2(lines2) && lines2 <= 32 ? ` ^ (${c2} * ${32 / lines2}u)` : "";
    const { base, offset } = sum2 ?? { base: index, offset: 0 };
    const common2 = this.#once(`${base} ${c2}`, () => {
      const at2 = windows === 1 ? base : this.#text.let(`${base} & ${size - 1}u`, "a");
      return `${beginning}(${at2} ^ ((${at2} >> ${shift2}u) & 31u)${apart})`;
    });
    const at = offset & size - 1;
    const turned2 = at ^ at >> shift2 & 31;
    const bank = turned2 & 31;
    const turn2 = bank === 0 ? common2 : this.#once(`${common2} ${bank}`, () => `${common2} ^ ${bank}u`);
    return turned2 === bank ? turn2 : `${turn2} + ${turned2 - bank}u`;
  }
  /** Whether the digits of an index are bits of it. */
  get #bitwise() {
    return isPowerOfTwo2(this.#shape.n) && isPowerOfTwo2(this.#shape.threads);
  }
  #once(key, value2) {
    let name = this.#common.get(key);
    if (name === void 0) {
      name = this.#text.let(value2(), "a");
      this.#common.set(key, name);
    }
    return name;
  }
  declarations() {
    const { exchange, lines: lines2, together } = this.#shape;
    const size = workgroupBytes({ ...this.#shape, exchange: "split" }) / 4;
    const parts = [
      this.#used ? `var<workgroup> ${this.#name}: array<${exchange === "both" ? "vec2f" : "f32"}, ${size}>;` : "",
      this.#scales ? `var<workgroup> dechirp_peaks: array<atomic<u32>, ${lines2 / together}>;` : ""
    ];
    return parts.filter((part) => part !== "").join("\n");
  }
};
var isPowerOfTwo2 = (n) => Number.isInteger(Math.log2(n));
var remainder = (index, n) => isPowerOfTwo2(n) ? `${index} & ${n - 1}u` : `${index} % ${n}u`;

// ../fft-gpu/src/wgsl/text.ts
var Text = class {
  #lines = [];
  #names = 0;
  /** The condition of the `if` that the last line closes. */
  #ended;
  line(text3) {
    this.#ended = void 0;
    this.#lines.push(text3);
  }
  /** A unique name. */
  fresh(prefix = "v") {
    return `${prefix}${this.#names++}`;
  }
  /** A new constant with this value. */
  let(value2, prefix = "v") {
    const name = this.fresh(prefix);
    this.line(`let ${name} = ${value2};`);
    return name;
  }
  /** A new variable, initially zero. */
  variable(type2, prefix = "v") {
    const name = this.fresh(prefix);
    this.line(`var ${name}: ${type2};`);
    return name;
  }
  /**
   * Adds what `body` adds inside `if (condition)`. Consecutive calls with the same condition share one block. Without a condition there is
   * no `if`.
   */
  when(condition, body2) {
    if (condition === void 0) return body2();
    if (this.#ended === condition) this.#lines.pop();
    else this.line(`if (${condition}) {`);
    body2();
    this.line("}");
    this.#ended = condition;
  }
  toString() {
    return this.#lines.join("\n");
  }
};

// ../fft-gpu/src/wgsl/line.ts
function lineKernel(kernel) {
  const { shape, kind, lines: lines2, read: read2, write, filter } = kernel;
  const { n, threads } = shape;
  const text3 = new Text();
  const table = new TableBuilder();
  const groups = Math.ceil(lines2.count / shape.lines);
  const grid = spread(groups);
  const partial = grid.groups[0] * grid.groups[1] > groups;
  if (partial) text3.line(`if (${grid.index} >= ${groups}u) { return; }`);
  text3.line(`let group = ${kernel.backwards ? `${groups - 1}u - ` : ""}${grid.index};`);
  const mappings = /* @__PURE__ */ new Map();
  const mapped = (mapping2) => {
    const known3 = mappings.get(shape.lines === 1 ? "line" : mapping2);
    if (known3) return known3;
    const made = emitMapping(text3, kernel, mapping2);
    mappings.set(shape.lines === 1 ? "line" : mapping2, made);
    return made;
  };
  const stages2 = new Stages(text3, shape);
  const from = mapped(kernel.load);
  let held = emitLoad(text3, kernel, from, table);
  let mapping = from;
  const to = mapped(kernel.store);
  const { forward, inverse } = kernel.gains ?? gainsOf(kind, n);
  const pass = (radices3, sign) => {
    const shares = sharesOf(radices3, sign < 0 ? forward : inverse);
    const offsets = stageTwiddles(table, radices3, shares);
    let span = 1;
    radices3.forEach((r, s) => {
      if (s > 0) {
        const next = to;
        const places2 = stages2.places(r, next);
        held = held.map((line) => stages2.exchange(line, mapping, places2, next));
        mapping = next;
      }
      const stage2 = { r, span, sign, offset: offsets[s], scale: shares[s], factors: /* @__PURE__ */ new Map() };
      held = held.map((line) => stages2.stage(line, stage2));
      span *= r;
    });
  };
  const backwards = [...shape.radices].reverse();
  if (kind === "filter") {
    if (!filter) throw new TypeError("a filter kernel needs a filter");
    pass(shape.radices, -1);
    held = held.map((line) => emitFilter(text3, filter, line, mapping, table));
    pass(backwards, 1);
  } else {
    pass(shape.radices, kind === "forward" ? -1 : 1);
  }
  if (mapping !== to) {
    const places2 = stages2.places(1, to);
    held = held.map((line) => stages2.exchange(line, mapping, places2, to));
    mapping = to;
  }
  emitStore(text3, kernel, stages2, held, mapping, table);
  const built = table.build();
  const ports = shape.together === 2 ? [pairedOf(read2), pairedOf(write)] : [read2, write];
  const arrays = {
    ...ports[0].arrays,
    ...filter?.arrays,
    ...ports[1].arrays,
    ...built && { dechirp_table: { from: { table: built }, layout: built.layout, access: "read" } }
  };
  return {
    code: [
      stages2.declarations(),
      read2.declarations ?? "",
      filter?.declarations ?? "",
      write.declarations ?? "",
      `@compute @workgroup_size(${threads * shape.lines / shape.together})`,
      "fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) group_id: vec3u) {",
      text3.toString(),
      "}"
    ].filter((part) => part !== "").join("\n"),
    entry: "main",
    arrays,
    uniforms: { ...read2.uniforms, ...filter?.uniforms, ...write.uniforms },
    groups: grid.groups
  };
}
function emitMapping(text3, { shape, lines: lines2 }, mapping) {
  const { threads, together } = shape;
  const side2 = shape.lines / together;
  const [c2, t] = side2 === 1 ? ["0u", "tid"] : threads === 1 ? ["tid", "0u"] : mapping === "line" ? [text3.let(`tid / ${threads}u`, "c"), text3.let(`tid % ${threads}u`, "t")] : [text3.let(`tid % ${side2}u`, "c"), text3.let(`tid / ${side2}u`, "t")];
  const number = side2 === 1 ? "group" : `group * ${side2}u + ${c2}`;
  const line = text3.let(together === 1 ? number : `(${number}) * ${together}u`, "line");
  const at = lines2.locate(text3, line);
  const conditions = [lines2.count % shape.lines === 0 ? void 0 : `${line} < ${lines2.count}u`, lines2.exists?.(at)].filter(
    (condition) => condition !== void 0
  );
  return { t, c: c2, at, valid: conditions.length > 0 ? text3.let(conditions.join(" && "), "valid") : void 0 };
}
function emitLoad(text3, { shape, read: read2 }, from, table) {
  const places2 = placesOf(text3, shape, shape.radices[0] ?? 1, from.t);
  const { element: element2, type: type2 } = shape.together === 1 ? { element: read2.line(text3, from.at, table), type: "vec2f" } : { element: pairedOf(read2).line(text3, from.at, table), type: "vec4f" };
  const conditions = places2.map((place2) => {
    const beyond = place2.high < read2.extent ? void 0 : `${place2.index} < ${read2.extent}u`;
    return both(both(from.valid, place2.guard), beyond);
  });
  const variables = places2.map(
    (place2, i) => place2.low >= read2.extent ? text3.let(`${type2}()`) : conditions[i] === void 0 ? void 0 : text3.variable(type2)
  );
  const values = places2.map((place2, i) => {
    const variable = variables[i];
    if (variable === void 0) return text3.let(element2(text3, place2.index));
    if (place2.low < read2.extent) text3.when(conditions[i], () => text3.line(`${variable} = ${element2(text3, place2.index)};`));
    return variable;
  });
  const halves = shape.together === 1 ? [""] : [".xy", ".zw"];
  return halves.map((half) => places2.map((place2, i) => ({ ...place2, value: `${values[i]}${half}` })));
}
function pairedOf(port2) {
  if (!port2.paired) throw new TypeError("a kernel of pairs needs readers and writers of pairs");
  return port2.paired;
}
function emitFilter(text3, filter, held, { at, valid }, table) {
  const element2 = filter.line(text3, at, table);
  const values = held.map((h) => both(valid, h.guard) === void 0 ? void 0 : text3.variable("vec2f"));
  return held.map((h, i) => {
    const value2 = values[i];
    if (value2 === void 0) return { ...h, value: text3.let(`cmul(${h.value}, ${element2(text3, h.index)})`) };
    text3.when(both(valid, h.guard), () => text3.line(`${value2} = cmul(${h.value}, ${element2(text3, h.index)});`));
    return { ...h, value: value2 };
  });
}
function emitStore(text3, kernel, stages2, [held, beside2], to, table) {
  const { write } = kernel;
  const [start, count2] = write.keep;
  const mirrors = write.mirrored ? stages2.mirror(held, to) : [];
  const factor = write.factor?.(text3, to.at, table);
  const turned2 = factor ? held.map((h) => ({ ...h, value: text3.let(`cmul(${h.value}, ${factor(h)})`) })) : held;
  const { scaled } = write;
  const results = scaled ? stages2.scale(turned2, to, to.valid, (scale) => scaled(text3, to.at, scale)) : turned2;
  const element2 = beside2 ? pairedOf(write).line(text3, to.at) : write.line(text3, to.at, table);
  results.forEach((h, i) => {
    const end = start + count2;
    if (h.high < start || h.low >= end) return;
    const kept2 = [h.low < start ? `${h.index} >= ${start}u` : void 0, h.high >= end ? `${h.index} < ${end}u` : void 0].filter(
      (condition2) => condition2 !== void 0
    );
    const condition = both(both(to.valid, h.guard), kept2.length > 0 ? kept2.join(" && ") : void 0);
    const index = start === 0 ? h.index : `(${h.index} - ${start}u)`;
    const value2 = beside2 ? `vec4f(${h.value}, ${beside2[i].value})` : write.mirrored ? `${h.value}, ${mirrors[i]}` : h.value;
    text3.when(condition, () => element2(text3, index, value2));
  });
}

// ../fft-gpu/src/pass-kernel.ts
var scalesLayout = (block, n, length) => layout("f32", [block.outers, n / length, block.inners]);
var product = (list) => list.reduce((a2, b2) => a2 * b2, 1);
function passKernel(transform, context, limits2) {
  const { n, outers, inners } = transform;
  const { p, kind, way, factors, block, half, number, last, backwards } = context;
  const first2 = number === 0;
  const length = factors[p];
  const done = product(factors.slice(0, p));
  const rest = product(factors.slice(p + 1));
  const count2 = block.outers * done * rest * block.inners;
  const natural = p === factors.length - 1 && way === "out";
  const rows = rest === 1 && block.inners === 1;
  const shape = lineShape(length, limits2, {
    mapping: "tile",
    count: count2,
    exchange: "split",
    wide: length >= 1024,
    ...limits2.prefer,
    ...rows && kind === "filter" && { tile: 1 }
  });
  if (!shape) return void 0;
  const digit = (text3, value2, extent, name) => extent === 1 ? ["0u", value2] : [text3.let(`${value2} % ${extent}u`, name), text3.let(`${value2} / ${extent}u`, name)];
  const lines2 = {
    count: count2,
    locate(text3, line) {
      const [w, r1] = digit(text3, line, block.inners, "w");
      const [m, r2] = digit(text3, r1, rest, "m");
      const [kappa, ob] = digit(text3, r2, done, "k");
      return {
        outer: text3.let(`uniforms.dechirp_outer + ${ob}`, "outer"),
        inner: text3.let(`uniforms.dechirp_inner + ${w}`, "inner"),
        digits: { w, m, ob, ...frequencies(text3, kappa, factors.slice(0, p), natural) }
      };
    },
    exists: ({ outer, inner: inner2 }) => [outers % block.outers === 0 ? void 0 : `${outer} < ${outers}u`, inners % block.inners === 0 ? void 0 : `${inner2} < ${inners}u`].filter((condition) => condition !== void 0).join(" && ") || void 0
  };
  const scratchIndex = (text3, { digits }) => {
    const base = text3.let(
      `((${digits["ob"]} * ${n}u + ${digits["k"]} * ${length * rest}u) + ${digits["m"]}) * ${block.inners}u + ${digits["w"]}`,
      "base"
    );
    return (i) => `${base} + (${i}) * ${rest * block.inners}u`;
  };
  const scalesUse = (of, length2, access) => half ? { [`dechirp_scales${of}`]: { from: { temporary: 1 + of }, layout: scalesLayout(block, n, length2), access } } : {};
  const afterOut = way === "out" || kind === "filter";
  const before = factors[afterOut ? p - 1 : p + 1] ?? 1;
  const scaleIndex = (text3, { digits: { ob, k, m, w } }) => {
    const lines3 = text3.let(`${ob} * ${n / before}u`, "s");
    if (afterOut) {
      const row2 = text3.let(`(${lines3} + (${k} / ${before}u) * ${length * rest}u + ${m}) * ${block.inners}u + ${w}`, "s");
      return (i) => `${row2} + (${i}) * ${rest * block.inners}u`;
    }
    const apart = rest / before;
    const row = text3.let(`(${lines3} + ${k} * ${length * apart}u + ${m} % ${apart}u) * ${block.inners}u + ${w}`, "s");
    return (i) => `${row} + (${i}) * ${apart * block.inners}u`;
  };
  const inOrder = ({ digits }, i) => `((${i}) * ${rest}u + ${digits["m"]})`;
  const scratchUse = (access) => ({
    dechirp_scratch: { from: { temporary: 0 }, layout: context.scratch, access }
  });
  const inPlace = !first2 && !last;
  const read2 = first2 ? { ...transform.read, extent: length, line: limited(transform.read, n, inOrder) } : {
    arrays: { ...scratchUse(inPlace ? "update" : "read"), ...scalesUse(number - 1, before, "read") },
    extent: length,
    line(text3, at) {
      const index = scratchIndex(text3, at);
      if (!half) return (_3, i) => `load_dechirp_scratch(${index(i)})`;
      const scale = scaleIndex(text3, at);
      return (_3, i) => `load_dechirp_scales${number - 1}(${scale(i)}) * load_dechirp_scratch(${index(i)})`;
    }
  };
  const order = (at, i) => way === "back" ? inOrder(at, i) : done === 1 ? i : `(${at.digits["kappa"]} + (${i}) * ${done}u)`;
  const write = last ? { ...transform.write, keep: [0, length], line: kept(transform.write, n, order) } : {
    arrays: { ...scratchUse(inPlace ? "update" : "write"), ...scalesUse(number, length, "write") },
    keep: [0, length],
    ...half && {
      scaled: (text3, { digits: { ob, k, m, w } }, scale) => text3.line(`store_dechirp_scales${number}(((${ob} * ${done}u + ${k}) * ${rest}u + ${m}) * ${block.inners}u + ${w}, ${scale});`)
    },
    factor: (text3, at, table) => {
      const step3 = length / (shape.radices.at(-1) ?? 1);
      if (way === "out") return rootsAlong(text3, { table, n: length * rest, step: step3, inverse: kind === "inverse", slope: at.digits["m"] });
      const { before: before2, m } = at.digits;
      const slope = rest === 1 ? before2 : text3.let(`${before2} * ${rest}u`, "e");
      const start = rest === 1 ? void 0 : text3.let(`${before2} * ${m}`, "e");
      return rootsAlong(text3, { table, n: factors[p - 1] * length * rest, step: step3, inverse: true, slope, ...start && { start } });
    },
    line(text3, at) {
      const index = scratchIndex(text3, at);
      return (t, k, value2) => t.line(`store_dechirp_scratch(${index(k)}, ${value2});`);
    }
  };
  const { filter } = transform;
  const applied = kind === "filter" && filter ? {
    ...filter,
    line(text3, at, table) {
      const element2 = filter.line(text3, at, table);
      return (t, k) => element2(t, t.let(done === 1 ? k : `${at.digits["kappa"]} + (${k}) * ${done}u`, "k"));
    }
  } : void 0;
  const dispatch = lineKernel({
    shape,
    kind,
    load: rows ? "line" : "tile",
    store: rows && !natural ? "line" : "tile",
    lines: lines2,
    read: read2,
    write,
    backwards,
    gains: context.gains,
    ...applied && { filter: applied }
  });
  return { dispatch, shape };
}
function frequencies(text3, number, factors, natural) {
  if (factors.length === 0) return { k: "0u", kappa: "0u", before: "0u" };
  if (factors.length === 1) return { k: number, kappa: number, before: number };
  const order = natural ? factors : [...factors].reverse();
  const digits = [];
  let restText = number;
  order.forEach((factor, i) => {
    const lastDigit = i === order.length - 1;
    digits.push(lastDigit ? restText : text3.let(`${restText} % ${factor}u`, "f"));
    if (!lastDigit) restText = text3.let(`${restText} / ${factor}u`, "f");
  });
  const byFactor = natural ? digits : digits.reverse();
  const join2 = (list, extents) => list.reduce((sum2, digit, i) => i === 0 ? digit : `(${sum2}) * ${extents[i]}u + ${digit}`, "");
  return {
    k: natural ? text3.let(join2(byFactor, factors), "k") : number,
    kappa: natural ? number : text3.let(join2([...byFactor].reverse(), [...factors].reverse()), "k"),
    before: byFactor[byFactor.length - 1]
  };
}
var lookedUp = 4;
function rootsAlong(text3, { table, n, step: step3, inverse, slope, start }) {
  const { low, high: high2, bits: bits2 } = longTwiddle(table, n);
  const known3 = /* @__PURE__ */ new Map();
  const root = (exponent) => {
    let name = known3.get(exponent);
    if (name === void 0) {
      const e = text3.let(exponent, "e");
      const turn2 = text3.let(`load_dechirp_table((${e} >> ${bits2}u) + ${high2}u)`, "w");
      name = text3.let(`${turn2} + cmul(${turn2}, load_dechirp_table((${e} & ${2 ** bits2 - 1}u) + ${low}u))`, "w");
      if (inverse) name = text3.let(`vec2f(${name}.x, -${name}.y)`, "w");
      known3.set(exponent, name);
    }
    return name;
  };
  const at = (index) => `${start ? `${start} + ` : ""}(${index}) * ${slope}`;
  return ({ index, sum: sum2 }) => {
    if (!sum2) return root(at(index));
    const near = sum2.offset % (lookedUp * step3);
    const far = sum2.offset - near;
    const w = root(at(far === 0 ? sum2.base : `${sum2.base} + ${far}u`));
    return near === 0 ? w : `cmul(${w}, ${root(`${near}u * ${slope}`)})`;
  };
}
var limited = (reader, n, order) => (text3, at, table) => {
  const element2 = reader.line(text3, at, table);
  return (t, i) => {
    const index = t.let(order(at, i), "i");
    if (reader.extent >= n) return element2(t, index);
    const value2 = t.variable("vec2f");
    t.when(`${index} < ${reader.extent}u`, () => t.line(`${value2} = ${element2(t, index)};`));
    return value2;
  };
};
var kept = ({ keep: [start, count2], line }, n, order) => (text3, at, table) => {
  const element2 = line(text3, at, table);
  return (t, k, value2) => {
    const index = t.let(order(at, k), "k");
    const condition = [start > 0 ? `${index} >= ${start}u` : void 0, start + count2 < n ? `${index} < ${start + count2}u` : void 0].filter((part) => part !== void 0).join(" && ");
    t.when(condition === "" ? void 0 : condition, () => element2(t, start === 0 ? index : `(${index} - ${start}u)`, value2));
  };
};

// ../fft-gpu/src/passes.ts
var shapeText = (s) => `radix=${s.radices.join("\xB7") || "1"} threads=${s.threads} lines=${s.lines}${s.together > 1 ? " in pairs" : ""} exchange=${s.exchange}${s.windows > 1 ? `/${s.windows}` : ""}`;
function planTransform(transform, limits2) {
  return onePass(transform, limits2) ?? severalPasses(transform, limits2);
}
function onePass(transform, limits2) {
  const { n, kind, outers, inners, read: read2, write, filter, gains } = transform;
  const mapping = inners === 1 ? "line" : "tile";
  if (n > (limits2.longestPass ?? (mapping === "tile" ? longestTile : longestLine))) return void 0;
  const options = {
    mapping,
    count: outers * inners,
    exchange: n <= 512 ? "both" : "split",
    wide: n > 4096 || n === 4096 && kind === "filter" || n >= 1024 && mapping === "tile",
    busy: read2.worked ?? false,
    fewestTile: Math.min(inners, fewestTile),
    ...limits2.prefer
  };
  const shape = pairShape(transform, limits2, options) ?? lineShape(n, limits2, options);
  if (!shape) return void 0;
  const lines2 = {
    count: outers * inners,
    locate: (text3, line) => inners === 1 ? { outer: line, inner: "0u", digits: {} } : outers === 1 ? { outer: "0u", inner: line, digits: {} } : { outer: text3.let(`${line} / ${inners}u`, "outer"), inner: text3.let(`${line} % ${inners}u`, "inner"), digits: {} }
  };
  const dispatch = lineKernel({
    shape,
    kind,
    load: mapping,
    store: mapping,
    lines: lines2,
    read: read2,
    write,
    ...filter && { filter },
    ...gains && { gains }
  });
  return { text: `one-pass ${shapeText(shape)}`, dispatches: [dispatch], temporaries: [], passes: 1 };
}
function pairShape({ n, kind, inners, read: read2, write }, limits2, options) {
  if (options.mapping !== "tile" || kind === "filter" || !read2.paired || !write.paired) return void 0;
  const narrow2 = n > (limits2.longestWideTile ?? longestWideTile);
  if (!narrow2 && !read2.worked) return void 0;
  for (const tile2 of narrow2 ? [fewestTile] : [2 * fewestTile, fewestTile]) {
    const shape = lineShape(n, limits2, { ...options, together: 2, wide: false, tile: tile2 });
    if (shape && inners % shape.lines === 0 && shape.lines % 2 === 0) return shape;
  }
  return void 0;
}
var longestWideTile = 2048;
var fewestTile = 4;
var longestLine = 16384;
var longestTile = 4096;
function splitLength(n, most2) {
  for (let passes = 2; passes <= 4; passes++) {
    const found = split2(n, passes, most2);
    if (found) return found;
  }
  return void 0;
}
function split2(n, parts, most2) {
  if (parts === 1) return n <= most2 && stagesOf(n) ? [n] : void 0;
  const ideal = n ** (1 / parts);
  let best;
  for (let factor = Math.min(most2, Math.floor(n / 2)); factor >= 2; factor--) {
    if (n % factor !== 0 || !stagesOf(factor)) continue;
    const rest = split2(n / factor, parts - 1, most2);
    if (!rest) continue;
    const factors = [...rest, factor].sort((a2, b2) => a2 - b2);
    if (!best || uneven(factors, ideal) < uneven(best, ideal)) best = factors;
    if (factor < ideal) break;
  }
  return best;
}
var uneven = (factors, ideal) => factors.reduce((sum2, f) => sum2 + Math.abs(Math.log2(f / ideal)) + (stagesOf(f)?.length ?? 9), 0);
function blockOf({ n, outers, inners }, bytes) {
  const lines2 = Math.max(1, Math.floor(bytes / (8 * n)));
  if (lines2 >= inners) return { outers: Math.min(outers, Math.floor(lines2 / inners)), inners };
  return { outers: 1, inners: Math.min(inners, Math.max(64, 2 ** Math.floor(Math.log2(lines2)))) };
}
function severalPasses(transform, limits2) {
  const { n, kind, outers, inners } = transform;
  const factors = passFactors(n, limits2);
  if (!factors) return void 0;
  const block = blockOf(transform, limits2.cacheBytes ?? 2 ** 27);
  const half = limits2.scratch === "f16" && passCount(kind, factors) - 1 <= mostRoundings;
  const scratch2 = layout(half ? "cf16" : "c64", [block.outers, n, block.inners]);
  const last = factors.length - 1;
  const total = transform.gains ?? gainsOf(kind, n);
  const forward = sharesOf(factors, total.forward);
  const inverse = kind === "filter" ? [...sharesOf([...factors].reverse(), total.inverse)].reverse() : sharesOf(factors, total.inverse);
  const gains = factors.map((_3, p) => ({ forward: forward[p], inverse: inverse[p] }));
  const passes = kind === "filter" ? [
    ...factors.slice(0, -1).map((_3, p) => ({ p, kind: "forward", way: "out", gains: gains[p] })),
    { p: last, kind: "filter", way: "back", gains: gains[last] },
    ...factors.slice(0, -1).map((_3, p) => ({ p, kind: "inverse", way: "back", gains: gains[p] })).reverse()
  ] : factors.map((_3, p) => ({ p, kind, way: "out", gains: gains[p] }));
  const shapes = [];
  const planned = passes.map((pass, i) => {
    const made = passKernel(
      transform,
      {
        ...pass,
        factors,
        block,
        scratch: scratch2,
        half,
        number: i,
        last: i === passes.length - 1,
        backwards: i % 2 === 1 && limits2.backwards !== false
      },
      limits2
    );
    if (made) shapes.push(made.shape);
    return made?.dispatch;
  });
  const templates = planned.filter((dispatch) => dispatch !== void 0);
  if (templates.length < passes.length) return void 0;
  const dispatches = [];
  for (let outer = 0; outer < outers; outer += block.outers) {
    for (let inner2 = 0; inner2 < inners; inner2 += block.inners) {
      for (const dispatch of templates) dispatches.push({ ...dispatch, fixed: { dechirp_outer: outer, dechirp_inner: inner2 } });
    }
  }
  return {
    text: `${passes.length}-pass ${shapes.map((s) => `(${s.n}: ${shapeText(s)})`).join(" ")} blocks=${dispatches.length / passes.length}${half ? ` scratch=f16 SQNR=${sqnrDb(passes.length - 1).toFixed(0)}dB` : ""}`,
    dispatches,
    temporaries: [scratch2, ...half ? shapes.slice(0, -1).map(({ n: length }) => scalesLayout(block, n, length)) : []],
    passes: passes.length,
    elementBytes: half ? 4 : 8
  };
}
var passCount = (kind, factors) => kind === "filter" ? 2 * factors.length - 1 : factors.length;
var mostRoundings = 2;
var sqnrDb = (times5) => 10 * Math.log10(3 / (2 * Math.LN2) * 12 * 2 ** 20 / times5);
function passFactors(n, limits2) {
  let best;
  for (const tile2 of [8, 4, 2]) {
    const most2 = Math.min(
      Math.floor(limits2.workgroupBytes / (4 * tile2)),
      Math.floor(limits2.invocations / tile2 * 16),
      limits2.longestFactor ?? 4096
    );
    const factors = splitLength(n, most2);
    if (factors && (!best || factors.length < best.length)) best = factors;
  }
  return best;
}

// ../fft-gpu/src/wgsl/elements.ts
var beside = (at) => ({ ...at, inner: `(${at.inner} + 1u)` });
var fromRows = (op3) => op3.cornerTurn === true && op3.axis === op3.layout.shape.length - 1;
function linesOf(op3) {
  const { outers, inners } = axisView(op3.layout, op3.axis);
  if (!fromRows(op3)) return { outers, inners };
  const rows = op3.layout.shape[op3.axis - 1];
  return { outers: outers / rows, inners: rows };
}
function straight(op3, text3, at) {
  if (!fromRows(op3)) return at;
  return { ...at, outer: text3.let(plus(times3(at.outer, op3.layout.shape[op3.axis - 1]), at.inner), "row"), inner: "0u" };
}
var portUse = (op3, name) => {
  const { layout: layout2, access } = portsOf(op3)[name];
  return { from: { port: name }, layout: layout2, access };
};
var plus = (a2, b2) => a2 === "0u" ? b2 : b2 === "0u" ? a2 : `${a2} + ${b2}`;
var times3 = (a2, b2) => a2 === "0u" ? a2 : b2 === 1 ? a2 : `${a2} * ${b2}u`;
function lineBase(text3, { outer, inner: inner2 }, extent, inners) {
  const base = text3.let(plus(times3(outer, extent * inners), inner2), "base");
  return (i) => plus(base, times3(i.includes(" ") ? `(${i})` : i, inners));
}
function vectorText(text3, shape, axis, at) {
  const parts = [];
  const unravel2 = (from, to, flat) => {
    let rest = flat;
    for (let a2 = to - 1; a2 >= from; a2--) {
      parts[a2] = a2 === from ? rest : text3.let(`${rest} % ${shape[a2]}u`, "at");
      if (a2 > from) rest = text3.let(`${rest} / ${shape[a2]}u`, "at");
    }
  };
  unravel2(0, axis, at.outer);
  unravel2(axis + 1, shape.length, at.inner);
  return (i) => {
    const vector = Array.from({ length: shape.length }, (_3, a2) => a2 === axis ? i : parts[a2]);
    return `array<u32, ${shape.length}>(${vector.join(", ")})`;
  };
}
var sourceUses = (op3, hook) => Object.fromEntries(Object.keys(hook.sources).map((name) => [name, portUse(op3, name)]));
function elementsOf(op3) {
  const { load: load4 } = op3;
  if (!load4) {
    const { extent, inners } = axisView(op3.layout, op3.axis);
    const use = portUse(op3, "in");
    const elements3 = {
      arrays: { in: use },
      line(text3, at) {
        const index = lineBase(text3, straight(op3, text3, at), extent, inners);
        return (_3, i) => `load_in(${index(i)})`;
      }
    };
    if (linesOf(op3).inners % 2 === 1 || op3.layout.dtype !== "c64") return elements3;
    if (fromRows(op3)) return { ...elements3, paired: inTurn(elements3) };
    const paired3 = {
      arrays: { in: { ...use, pairs: true } },
      line(text3, at) {
        const index = lineBase(text3, at, extent, inners);
        return (_3, i) => `load2_in(${index(i)})`;
      }
    };
    return { ...elements3, paired: paired3 };
  }
  const real2 = op3.op === "real-fft" && !op3.inverse;
  const { shape } = op3.layout;
  const code2 = hookFunction("load", load4, shape.length);
  if (code2 === void 0) return void 0;
  const elements2 = {
    arrays: sourceUses(op3, load4),
    ...load4.uniforms && { uniforms: load4.uniforms },
    worked: load4.wgslPair !== void 0,
    declarations: code2,
    line(text3, at) {
      const vector = vectorText(text3, shape, op3.axis, straight(op3, text3, at));
      return (_3, i) => `dechirp_load(${vector(i)})${real2 ? ".x" : ""}`;
    }
  };
  if (linesOf(op3).inners % 2 === 1) return elements2;
  const pair2 = load4.wgslPair;
  if (real2 || pair2?.axis !== (op3.axis === shape.length - 1 ? shape.length - 2 : shape.length - 1) || shape[pair2.axis] % 2 === 1)
    return { ...elements2, paired: inTurn(elements2) };
  const paired2 = {
    arrays: elements2.arrays,
    line(text3, at) {
      const vector = vectorText(text3, shape, op3.axis, straight(op3, text3, at));
      return (_3, i) => `dechirp_load2(${vector(i)})`;
    }
  };
  const head = `dechirp_load2(at: array<u32, ${shape.length}>) -> vec4f`;
  const both3 = userFunction(head, "load.wgslPair.text", () => pair2.text(load4.constants ?? {}));
  return { ...elements2, declarations: `${code2}
${both3}`, paired: paired2 };
}
var inTurn = (elements2) => ({
  arrays: elements2.arrays,
  line(text3, at) {
    const [a2, b2] = [at, beside(at)].map((one2) => elements2.line(text3, one2));
    return (t, i) => `vec4f(${a2(t, i)}, ${b2(t, i)})`;
  }
});
function readerOf(op3, form) {
  const elements2 = elementsOf(op3);
  if (!elements2) return void 0;
  const { line: _3, paired: paired2, ...port2 } = elements2;
  const n = transformLength(op3);
  const extent = op3.layout.shape[op3.axis];
  if (form === "pairs") return { ...port2, extent: Math.ceil(Math.min(extent, n) / 2), line: pairs(elements2, Math.min(extent, n)) };
  if (form === "half pairs") return { ...port2, extent: n / 2, line: halfPairs(elements2, n, extent) };
  if (op3.op === "real-fft") {
    if (op3.inverse) return { ...port2, extent: n, line: hermitian(elements2, n, extent) };
    return {
      ...port2,
      extent: Math.min(extent, n),
      line(text3, at) {
        const element2 = elements2.line(text3, at);
        return (t, i) => `vec2f(${element2(t, i)}, 0.0)`;
      }
    };
  }
  const reader = {
    ...port2,
    extent: Math.min(extent, n),
    line: (text3, at) => elements2.line(text3, at),
    ...paired2 && { paired: paired2 }
  };
  if (op3.op !== "filter-inverse") return reader;
  const filter = filterOf2(op3);
  return filter && filtered(op3, reader, filter);
}
var pairs = (elements2, extent) => (text3, at) => {
  const element2 = elements2.line(text3, at);
  return (t, i) => {
    const even = t.let(`2u * (${i})`, "i");
    if (extent % 2 === 0) return `vec2f(${element2(t, even)}, ${element2(t, `(${even} + 1u)`)})`;
    const odd = t.variable("f32");
    t.when(`${even} + 1u < ${extent}u`, () => t.line(`${odd} = ${element2(t, `(${even} + 1u)`)};`));
    return `vec2f(${element2(t, even)}, ${odd})`;
  };
};
function bin(t, element2, k, n, extent) {
  const value2 = t.variable("vec2f");
  t.when(extent > Math.floor(n / 2) ? void 0 : `${k} < ${extent}u`, () => t.line(`${value2} = ${element2(t, k)};`));
  t.line(`if (${k} == 0u${n % 2 === 0 ? ` || ${k} == ${n / 2}u` : ""}) { ${value2}.y = 0.0; }`);
  return value2;
}
var hermitian = (elements2, n, extent) => (text3, at) => {
  const element2 = elements2.line(text3, at);
  return (t, i) => {
    const k = t.let(`min(${i}, ${n}u - (${i}))`, "k");
    const value2 = bin(t, element2, k, n, extent);
    return `select(vec2f(${value2}.x, -${value2}.y), ${value2}, ${k} == ${i})`;
  };
};
var halfPairs = (elements2, n, extent) => (text3, at, table) => {
  const element2 = elements2.line(text3, at);
  const offset = splitTwiddles(table, n);
  return (t, i) => {
    const a2 = t.let(`0.5 * ${bin(t, element2, i, n, extent)}`);
    const mirrored = t.let(`${n / 2}u - (${i})`, "k");
    const b2 = t.let(`0.5 * ${bin(t, element2, mirrored, n, extent)}`);
    const even = t.let(`vec2f(${a2}.x + ${b2}.x, ${a2}.y - ${b2}.y)`);
    const odd = t.let(`cmulc(vec2f(${a2}.x - ${b2}.x, ${a2}.y + ${b2}.y), load_dechirp_table(${plus(i, `${offset}u`)}))`);
    return `vec2f(${even}.x - ${odd}.y, ${even}.y + ${odd}.x)`;
  };
};
var splitTwiddles = (table, n) => table.add(`split ${n}`, n / 2, (k) => unitRoot(k, n));
function filtered(op3, reader, filter) {
  return {
    ...reader,
    arrays: { ...reader.arrays, ...filter.arrays },
    uniforms: { ...reader.uniforms, ...filter.uniforms },
    declarations: `${reader.declarations ?? ""}
${filter.declarations ?? ""}`,
    line(text3, at, table) {
      const element2 = reader.line(text3, at, table);
      const h = filter.line(text3, at, table);
      return (t, i) => `cmul(${element2(t, i)}, ${h(t, i)})`;
    },
    ...reader.paired && { paired: filteredPairs(op3, reader.paired, filter) }
  };
}
function filteredPairs(op3, reader, filter) {
  return {
    ...reader,
    arrays: { ...reader.arrays, ...filter.arrays },
    line(text3, at, table) {
      const element2 = reader.line(text3, at, table);
      const [a2, b2] = [at, beside(at)].map((one2) => filter.line(text3, one2, table));
      return (t, i) => {
        const value2 = t.let(element2(t, i));
        const first2 = t.let(a2(t, i));
        return `vec4f(cmul(${value2}.xy, ${first2}), cmul(${value2}.zw, ${op3.h === "line" ? first2 : b2(t, i)}))`;
      };
    }
  };
}
function filterOf2(op3) {
  const n = transformLength(op3);
  const hook = filterHookOf(op3);
  if (hook) {
    const { shape } = withAxis(op3.layout, op3.axis, n);
    const declarations2 = hookFunction("h", hook, shape.length);
    if (declarations2 === void 0) return void 0;
    return {
      arrays: sourceUses(op3, hook),
      ...hook.uniforms && { uniforms: hook.uniforms },
      declarations: declarations2,
      line(text3, at) {
        const vector = vectorText(text3, shape, op3.axis, straight(op3, text3, at));
        return (_3, k) => `dechirp_h(${vector(k)})`;
      }
    };
  }
  const { inners } = axisView(op3.layout, op3.axis);
  return {
    arrays: { h: portUse(op3, "h") },
    line(text3, at) {
      const index = op3.h === "line" ? (k) => k : lineBase(text3, straight(op3, text3, at), n, inners);
      return (_3, k) => `load_h(${index(k)})`;
    }
  };
}
function resultBase(op3, text3, at, kept2) {
  const { inners } = linesOf(op3);
  if (!op3.cornerTurn || fromRows(op3)) return lineBase(text3, at, kept2, inners);
  return lineBase(text3, { ...at, outer: text3.let(plus(times3(at.outer, inners), at.inner), "row"), inner: "0u" }, kept2, 1);
}
function resultsOf(op3, kept2) {
  const out = portUse(op3, "out");
  const { store: store2 } = op3;
  const { shape } = keptLayout2(op3);
  const code2 = store2 && hookFunction("store", store2, shape.length);
  if (store2 && code2 === void 0) return void 0;
  return {
    port: {
      arrays: { ...store2 && sourceUses(op3, store2), out },
      ...store2?.uniforms && { uniforms: store2.uniforms },
      ...code2 !== void 0 && { declarations: code2 }
    },
    line(text3, at) {
      const index = resultBase(op3, text3, at, kept2);
      const vector = store2 ? vectorText(text3, shape, op3.axis, straight(op3, text3, at)) : void 0;
      return (t, k, value2) => {
        const result = t.let(vector ? `dechirp_store(${vector(k)}, ${value2})` : value2);
        t.line(`store_out(${index(k)}, ${wgslStored(out.layout.dtype, result)});`);
      };
    }
  };
}
function writerOf(op3, form) {
  const full = transformLayout(op3).shape[op3.axis];
  const [start, count2] = op3.keep ?? [0, full];
  const results = resultsOf(op3, count2);
  if (!results) return void 0;
  const n = transformLength(op3);
  const kept2 = (t, write, k, value2) => {
    const condition = [start > 0 ? `${k} >= ${start}u` : void 0, start + count2 < full ? `${k} < ${start + count2}u` : void 0].filter((part) => part !== void 0).join(" && ");
    t.when(condition === "" ? void 0 : condition, () => write(t, start === 0 ? k : `(${k} - ${start}u)`, value2));
  };
  if (form === "pairs") {
    return {
      ...results.port,
      keep: [0, n / 2],
      line(text3, at) {
        const write = results.line(text3, at);
        return (t, k, value2) => {
          const even = t.let(`2u * (${k})`, "k");
          kept2(t, write, even, `vec2f(${value2}.x, 0.0)`);
          kept2(t, write, `(${even} + 1u)`, `vec2f(${value2}.y, 0.0)`);
        };
      }
    };
  }
  if (form === "split") {
    return {
      ...results.port,
      keep: [0, n / 2],
      mirrored: true,
      line(text3, at, table) {
        const write = results.line(text3, at);
        const offset = splitTwiddles(table, n);
        return (t, k, values) => {
          const [z, m] = values.split(", ").map((value2) => t.let(`0.5 * ${value2}`));
          const even = t.let(`vec2f(${z}.x + ${m}.x, ${z}.y - ${m}.y)`);
          const odd = t.let(`cmul(vec2f(${z}.y + ${m}.y, ${m}.x - ${z}.x), load_dechirp_table(${plus(k, `${offset}u`)}))`);
          kept2(t, write, k, t.let(`${even} + ${odd}`));
          t.when(`${k} == 0u`, () => kept2(t, write, `${n / 2}u`, `vec2f(${even}.x - ${odd}.x, 0.0)`));
        };
      }
    };
  }
  const real2 = op3.op === "real-fft" && op3.inverse;
  const writer = {
    ...results.port,
    keep: [start, count2],
    line(text3, at) {
      const write = results.line(text3, at);
      return (t, k, value2) => write(t, k, real2 ? `vec2f(${value2}.x, 0.0)` : value2);
    }
  };
  if (real2 || linesOf(op3).inners % 2 === 1) return writer;
  const out = portUse(op3, "out");
  const paired2 = op3.store || out.layout.dtype !== "c64" || op3.cornerTurn && !fromRows(op3) ? {
    arrays: results.port.arrays ?? {},
    line(text3, at) {
      const [a2, b2] = [at, beside(at)].map((one2) => results.line(text3, one2));
      return (t, k, value2) => {
        const both3 = t.let(value2);
        a2(t, k, `${both3}.xy`);
        b2(t, k, `${both3}.zw`);
      };
    }
  } : {
    arrays: { out: { ...out, pairs: true } },
    line(text3, at) {
      const index = resultBase(op3, text3, at, count2);
      return (t, k, value2) => t.line(`store2_out(${index(k)}, ${value2});`);
    }
  };
  return { ...writer, paired: paired2 };
}

// ../fft-gpu/src/fft-rules.ts
function fftRules(engine) {
  const known3 = /* @__PURE__ */ new Map();
  const specOf = (op3) => {
    if (op3.load || op3.store || filterHookOf(op3)) return fittingSpec(op3, engine.limits);
    const key = JSON.stringify(op3);
    if (!known3.has(key)) {
      if (known3.size >= mostKnown) known3.clear();
      known3.set(key, fittingSpec(op3, engine.limits));
    }
    return known3.get(key);
  };
  const rule = async (op3, context) => {
    const spec = isTransform(op3) && !(op3.cornerTurn && !turns2(op3, context.options.inPlace)) ? specOf(op3) : void 0;
    return spec && engine.body({ ...spec, op: op3 }, context);
  };
  const isBare3 = (op3) => (op3.op === "fft" || op3.op === "real-fft") && !op3.load && !op3.store;
  return [
    { name: "lines", fused: false, try: (op3, context) => isBare3(op3) ? rule(op3, context) : void 0 },
    { name: "lines, fused", fused: true, try: (op3, context) => rule(op3, context) }
  ];
}
var mostKnown = 256;
var turns2 = (op3, inPlace) => op3.op !== "real-fft" && op3.axis >= op3.layout.shape.length - 2 && !inPlace;
function fittingSpec(op3, limits2) {
  const spec = transformBody3(op3, limits2);
  if (spec && fits3(spec, limits2)) return spec;
  const staged = spec && stagedBody(op3, spec);
  return staged && fits3(staged, limits2) ? staged : void 0;
}
function fits3({ dispatches }, limits2) {
  const segments = ({ layout: layout2, alias }) => alias === void 0 ? Math.ceil(elementCount(layout2) / limits2.segmentElements(layout2)) : 0;
  return dispatches.every(({ arrays }) => Object.values(arrays).reduce((sum2, use) => sum2 + segments(use), 0) <= limits2.storageBuffers);
}
function transformBody3(op3, limits2) {
  const found = realInHalf(op3, limits2) ?? complexForm(op3, limits2);
  if (!found) return void 0;
  const { planned, how, convolved } = found;
  const hooks = `${op3.cornerTurn ? " corner-turn" : ""}${hooksText(op3)}`;
  return {
    op: op3,
    text: `(${op3.op}/gpu n=${transformLength(op3)} ${how}${planned.text}${hooks})`,
    cost: costOf(op3, planned),
    ...convolved && { convolved },
    dispatches: planned.dispatches,
    temporaries: planned.temporaries
  };
}
function costOf(op3, planned) {
  const once = onePassCost(op3);
  const { outers, inners } = axisView(op3.layout, op3.axis);
  const between = 2 * (planned.elementBytes ?? 8) * outers * inners * transformLength(op3);
  return { flops: once.flops, bytes: once.bytes + (planned.passes - 1) * between, passes: planned.passes };
}
function realInHalf(op3, limits2) {
  const n = transformLength(op3);
  if (op3.op !== "real-fft" || n % 2 !== 0 || !stagesOf(n / 2)) return void 0;
  const read2 = readerOf(op3, op3.inverse ? "half pairs" : "pairs");
  const write = writerOf(op3, op3.inverse ? "pairs" : "split");
  if (!read2 || !write) return void 0;
  const { outers, inners } = axisView(op3.layout, op3.axis);
  const planned = planTransform({ n: n / 2, kind: op3.inverse ? "inverse" : "forward", outers, inners, read: read2, write }, limits2);
  return planned?.passes === 1 ? { planned, how: "half-length " } : void 0;
}
function complexForm(op3, limits2) {
  const n = transformLength(op3);
  const read2 = readerOf(op3, "complex");
  const write = writerOf(op3, "complex");
  const filter = op3.op === "spectral-filter" ? filterOf2(op3) : void 0;
  if (!read2 || !write || op3.op === "spectral-filter" && !filter) return void 0;
  const transform = {
    n,
    kind: op3.op === "spectral-filter" ? "filter" : op3.op === "filter-inverse" || op3.inverse ? "inverse" : "forward",
    ...linesOf(op3),
    read: read2,
    write,
    ...filter && { filter }
  };
  const direct = planTransform(transform, limits2);
  if (direct) return op3.cornerTurn && direct.passes > 1 ? void 0 : { planned: direct, how: "" };
  if (transform.kind === "filter") return void 0;
  const m = nextFastLength(2 * n - 1);
  const planned = op3.cornerTurn ? void 0 : planTransform(bluestein2(transform, m), limits2);
  return planned && { planned, how: `bluestein m=${m} `, convolved: true };
}
function stagedBody(op3, spec) {
  const { in: input, out } = portsOf(op3);
  if (op3.op !== "fft" || op3.load || op3.store || op3.cornerTurn || !sameLayout(input.layout, out.layout)) return void 0;
  const grid = spread(Math.ceil(elementCount(out.layout) / 256));
  const copy2 = {
    code: `@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) group_id: vec3u) {
let i = ${grid.index} * 256u + tid;
if (i < ${elementCount(out.layout)}u) { store_out(i, load_in(i)); }
}`,
    entry: "main",
    arrays: {
      in: { from: { port: "in" }, layout: input.layout, access: "read" },
      out: { from: { port: "out" }, layout: out.layout, access: "write" }
    },
    groups: grid.groups
  };
  const dispatches = spec.dispatches.map((dispatch) => {
    const { in: source, out: target } = dispatch.arrays;
    if (!source) return dispatch;
    const copied = { ...source, from: { port: "out" }, ...target && { alias: "out" } };
    return { ...dispatch, arrays: { ...dispatch.arrays, in: copied } };
  });
  return {
    ...spec,
    text: `(fft/gpu copied ${spec.text})`,
    cost: { ...spec.cost, bytes: spec.cost.bytes + 16 * elementCount(out.layout), passes: spec.cost.passes + 1 },
    dispatches: [copy2, ...dispatches]
  };
}

// ../fft-gpu/src/wgsl/toolkit.ts
function toolkitFft(options, limits2, table) {
  const { name, n, inverse, exchange } = options;
  const shape = shapeOf(n, limits2);
  if (!shape) return void 0;
  const { radices: radices3, threads } = shape;
  const values = n / threads;
  const text3 = new Text();
  const active = radices3.length <= 1 ? void 0 : text3.let(`t < ${threads}u`, "active");
  const at = { t: "t", c: "0u" };
  const stages2 = new Stages(text3, shape, exchange ?? `${name}_exchange`);
  const place2 = (r) => placesOf(text3, shape, r, at.t, active);
  const ends = { first: radices3[0] ?? 1, last: radices3.at(-1) ?? 1 };
  const slot = (i, r) => {
    const butterflies = values / r;
    return Math.floor(i / r) + i % r * butterflies;
  };
  let held = place2(ends.first).map((p, i) => ({ ...p, value: text3.let(`(*v)[${slot(i, ends.first)}]`) }));
  const shares = sharesOf(radices3, gainsOf(inverse ? "inverse" : "forward", n).inverse);
  const offsets = stageTwiddles(table, radices3, shares);
  let span = 1;
  radices3.forEach((r, s) => {
    if (s > 0) held = stages2.exchange(held, at, place2(r), at);
    held = stages2.stage(held, { r, span, sign: inverse ? 1 : -1, offset: offsets[s], scale: shares[s] });
    span *= r;
  });
  held.forEach((h, i) => {
    text3.line(`(*v)[${slot(i, ends.last)}] = ${h.value};`);
  });
  if (radices3.length > 1) text3.line("workgroupBarrier();");
  return {
    code: `${exchange === void 0 ? stages2.declarations() : ""}
fn ${name}(v: ptr<function, array<vec2f, ${values}>>, t: u32) {
${text3}
}`,
    threads,
    values,
    exchange: radices3.length > 1 ? workgroupBytes(shape) / 4 : 0
  };
}
function shapeOf(n, limits2) {
  const radices3 = stagesOf(n);
  if (!radices3) return void 0;
  if (radices3.length <= 1) return { n, radices: radices3, threads: 1, lines: 1, together: 1, exchange: "split", windows: 1 };
  for (let values = 1; values <= 32; values++) {
    if (n % values !== 0 || values % radices3[0] !== 0 || values % (radices3.at(-1) ?? 1) !== 0) continue;
    const threads = n / values;
    const shape = { n, radices: radices3, threads, lines: 1, together: 1, exchange: "split", windows: 1 };
    if (threads > limits2.invocations || valuesOf(n, radices3, threads) > 32) continue;
    if (workgroupBytes(shape) <= limits2.workgroupBytes) return shape;
  }
  return void 0;
}

// ../fft-gpu/src/kernel-rules.ts
function kernelRules(engine) {
  return [
    {
      name: "kernel in WGSL",
      fused: false,
      try: (op3, context) => op3.op === "kernel" ? wgslBody(op3, engine, context) : void 0
    },
    { name: "kernel on the host", fused: false, try: (op3) => op3.op === "kernel" ? hostBody(op3, engine) : void 0 }
  ];
}
var itemsPerGroup = 64;
function itemKernel(items, body2, declared = "") {
  const { groups, index } = spread(Math.ceil(items / itemsPerGroup));
  return {
    code: `${declared === "" ? "" : marked("the declarations of items()", declared)}
fn dechirp_item(item: u32) {
${marked("the body of items()", body2)}
}
@compute @workgroup_size(${itemsPerGroup})
fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) group_id: vec3u) {
  let group = ${index};
  if (group > ${Math.floor((items - 1) / itemsPerGroup)}u) { return; }
  let item = group * ${itemsPerGroup}u + tid;
  if (item <= ${items - 1}u) { dechirp_item(item); }
}`,
    dispatches: [{ entry: "main", groups }]
  };
}
async function wgslBody(op3, engine, context) {
  const { limits: limits2 } = engine;
  const table = new TableBuilder();
  const toolkit = {
    items: (body2, declared) => itemKernel(op3.items, body2, declared),
    fft: (options) => toolkitFft(options, limits2, table),
    hook: hookFunction
  };
  const { workgroupBytes: workgroupBytes2, invocations, subgroups } = limits2;
  const kernel = called(
    "wgsl",
    () => op3.wgsl?.(op3.constants ?? {}, { workgroupBytes: workgroupBytes2, invocations, ...subgroups && { subgroups } }, toolkit)
  );
  if (kernel === void 0) return void 0;
  checkWgsl(kernel);
  const code2 = marked("wgsl", kernel.code);
  const built = table.build();
  const arrays = Object.fromEntries(
    Object.entries(op3.ports).map(([name, { layout: layout2, access }]) => [name, { from: { port: name }, layout: layout2, access }])
  );
  if (built) arrays["dechirp_table"] = { from: { table: built }, layout: built.layout, access: "read" };
  const dispatches = kernel.dispatches.map(
    ({ entry, groups, uniforms }) => ({
      code: code2,
      entry,
      groups,
      arrays,
      ...op3.uniforms && { uniforms: op3.uniforms },
      ...uniforms && { fixed: uniforms }
    })
  );
  return engine.body({ op: op3, text: `(kernel/wgsl ${op3.name})`, cost: onePassCost(op3), dispatches }, context);
}
var fieldsOfWgsl = { code: "string", dispatches: "object" };
var fieldsOfDispatches = { entry: "string", groups: "object", uniforms: "object" };
function checkWgsl(kernel) {
  const path = "wgsl()";
  const fail3 = (field, expected, actual) => {
    throw layoutError(`${path}.${field}`, expected, actual);
  };
  checkFields(kernel, fieldsOfWgsl, path, "layout", `${path}.`);
  const { code: code2, dispatches } = kernel;
  if (!code2?.trim()) fail3("code", "a string that is not empty", code2);
  if (!Array.isArray(dispatches) || dispatches.length === 0) fail3("dispatches", "a list of at least one", dispatches);
  for (const [i, dispatch] of dispatches.entries()) {
    const at = `dispatches[${i}]`;
    checkFields(dispatch, fieldsOfDispatches, `${path}.${at}`, "layout", `${path}.${at}.`);
    const { entry, groups, uniforms = {} } = dispatch;
    if (!entry) fail3(`${at}.entry`, "the name of an entry point", entry);
    if (!Array.isArray(groups) || groups.length !== 3 || ![...groups].every((count2) => Number.isInteger(count2) && count2 > 0))
      fail3(`${at}.groups`, "three positive integers", groups);
    for (const [name, value2] of Object.entries(uniforms))
      if (value2 !== value2 >>> 0) fail3(`${at}.uniforms.${name}`, "an integer from 0 to 4294967295", value2);
  }
}
var sliceMilliseconds4 = 8;
function hostBody(op3, engine) {
  const what = formatOp(op3);
  return {
    text: `(kernel/host ${op3.name})`,
    cost: onePassCost(op3),
    offUnits: true,
    async run(ports, { uniforms, signal }) {
      const { written: written2 } = await engine.timeline.hold(async () => {
        throwIfAborted(signal, what);
        const data = /* @__PURE__ */ new Map();
        for (const array of Object.values(ports)) {
          if (data.has(array)) continue;
          const numbersOf = typedArray(array.layout.dtype, scalarCount(array.layout));
          await array.readNow(new Uint8Array(numbersOf.buffer), 0);
          data.set(array, numbersOf);
        }
        const views = Object.fromEntries(
          Object.entries(ports).map(([name, array]) => [name, new ArrayView(array.layout, data.get(array))])
        );
        try {
          await forEachSlice2(
            op3.items,
            signal,
            what,
            (start, end) => requireSynchronous(op3.reference(views, uniforms, start, end), `${op3.name}.reference`)
          );
        } catch (error) {
          throw asRadarError(error, what, "failed", { op: what });
        }
        await Promise.all(Object.entries(ports).map(([name, array]) => op3.ports[name].access === "read" ? void 0 : array.reading));
        const written3 = Object.entries(ports).map(
          ([name, array]) => op3.ports[name].access === "read" ? void 0 : array.writeNow(data.get(array), 0)
        );
        engine.commands.flush();
        return { written: written3 };
      });
      await Promise.all(written2);
      for (const array of Object.values(ports)) {
        const failure = await array.allocated;
        if (failure) throw failure;
      }
    }
  };
}
async function forEachSlice2(items, signal, what, work2) {
  let start = 0;
  let size = Math.min(items, 1024);
  while (start < items) {
    const end = Math.min(items, start + size);
    const begin = performance.now();
    work2(start, end);
    const taken2 = performance.now() - begin;
    start = end;
    size = Math.max(1, Math.min(8 * size, Math.round(size * sliceMilliseconds4 / Math.max(taken2, 0.01))));
    if (start < items) {
      await new Promise((resolve) => setTimeout(resolve));
      throwIfAborted(signal, what);
    }
  }
}

// ../fft-gpu/src/wgsl/transpose.ts
var tile = 32;
var height = 8;
function turnDispatch({ input, output, matrices, rows, columns, type: type2 }) {
  const across = Math.ceil(columns / tile);
  const down = Math.ceil(rows / tile);
  const { groups, index } = spread(matrices * across * down);
  const whole2 = rows % tile === 0 && columns % tile === 0;
  const guarded = (condition, statement) => whole2 ? statement : `if (${condition}) { ${statement} }`;
  return {
    code: `var<workgroup> square: array<${type2}, ${tile * (tile + 1)}>;
@compute @workgroup_size(${tile * height})
fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) group_id: vec3u) {
  let group = ${index};
  if (group >= ${matrices * across * down}u) { return; }
  let x = tid % ${tile}u;
  let y = tid / ${tile}u;
  let first = (group / ${across * down}u) * ${rows * columns}u;
  let column = (group % ${across}u) * ${tile}u;
  let row = (group / ${across}u % ${down}u) * ${tile}u;
  for (var i = y; i < ${tile}u; i += ${height}u) {
    ${guarded(`row + i < ${rows}u && column + x < ${columns}u`, `square[i * ${tile + 1}u + x] = load_in(first + (row + i) * ${columns}u + column + x);`)}
  }
  workgroupBarrier();
  for (var i = y; i < ${tile}u; i += ${height}u) {
    ${guarded(`column + i < ${columns}u && row + x < ${rows}u`, `store_out(first + (column + i) * ${rows}u + row + x, square[x * ${tile + 1}u + i]);`)}
  }
}`,
    entry: "main",
    arrays: {
      in: { from: { port: "in" }, layout: input, access: "read" },
      out: { from: { port: "out" }, layout: output, access: "write" }
    },
    groups
  };
}

// ../fft-gpu/src/transpose-rules.ts
var tileBytes2 = 32 * 33 * 8;
function transposeRules(engine) {
  return [
    {
      name: "tiled corner turn",
      fused: false,
      try(op3, context) {
        if (op3.op !== "transpose" || context.options.inPlace || elementsPerWord(op3.layout.dtype) > 1) return void 0;
        if (engine.limits.workgroupBytes < tileBytes2 || engine.limits.invocations < 256) return void 0;
        const shape = asMatrices2(op3);
        if (!shape || Math.min(shape.rows, shape.columns) < 8) return void 0;
        const dispatch = turnDispatch({ ...shape, input: op3.layout, output: portsOf(op3)["out"].layout, type: valueType(op3.layout.dtype) });
        const text3 = `(transpose/gpu tiled ${shape.matrices} of ${shape.rows}\xD7${shape.columns})`;
        return engine.body({ op: op3, text: text3, cost: onePassCost(op3), dispatches: [dispatch] }, context);
      }
    }
  ];
}
function asMatrices2(op3) {
  const { permutation } = op3;
  const rank = permutation.length;
  const kept2 = permutation.findIndex((axis, i) => axis !== i);
  if (kept2 < 0) return void 0;
  const first2 = permutation[kept2];
  const rotated = Array.from({ length: rank - kept2 }, (_3, i) => kept2 + (first2 - kept2 + i) % (rank - kept2));
  if (rotated.some((axis, i) => permutation[kept2 + i] !== axis)) return void 0;
  const product3 = (from, to) => op3.layout.shape.slice(from, to).reduce((a2, b2) => a2 * b2, 1);
  return { matrices: product3(0, kept2), rows: product3(kept2, first2), columns: product3(first2, rank) };
}

// ../fft-gpu/src/index.ts
function gpu(options = {}) {
  return { id: "gpu", contract: 1, open: () => openGpu(options) };
}
var engines = /* @__PURE__ */ new WeakMap();
async function openGpu(options) {
  const { gpu: device, owned, description, notes, software } = await openAdapter(options);
  const { maxStorageBufferBindingSize, maxBufferSize, maxStorageBuffersPerShaderStage } = device.limits;
  const most2 = Math.min(maxStorageBufferBindingSize, maxBufferSize, options.maxBindingBytes ?? Number.POSITIVE_INFINITY);
  const segmentBytes = 2 ** Math.floor(Math.log2(most2));
  const { planning, scratch: scratch2 } = options;
  let engine;
  try {
    engine = new Engine(device, { segmentBytes, planning: { ...scratch2 && { scratch: scratch2 }, ...planning } });
    const none = await engine.commands.allocated;
    if (none) throw none;
  } catch (error) {
    if (owned) device.destroy();
    throw error;
  }
  const lost = new Promise((resolve) => {
    device.lost.then((info) => {
      const error = new RadarError("device-lost", `the GPU device was lost: ${info.message || info.reason}`, {
        device: "gpu",
        reason: info.reason
      });
      if (engine.ended()) return;
      engine.end(error);
      resolve(error);
    });
  });
  const made = createDevice({
    id: "gpu",
    info: { description, notes, software },
    limits: {
      // An op with one input and one output array must be able to bind both.
      maxBufferBytes: segmentBytes * Math.max(1, Math.floor(maxStorageBuffersPerShaderStage / 2)),
      maxTransformLength: Math.min(maxTransformLength, 2 ** 24),
      // One binding is reserved for twiddle factors.
      kernelArrays: { count: maxStorageBuffersPerShaderStage - 1, bytes: segmentBytes },
      dtypes: gpuDTypes
    },
    units: 1,
    rules: [...fftRules(engine), ...transposeRules(engine), ...kernelRules(engine)],
    lost,
    allocate: (layout2, label) => engine.allocate(layout2, label),
    ready: () => engine.idle(),
    close() {
      engine.end(new RadarError("disposed", "device gpu was disposed", { device: "gpu" }));
      if (owned) device.destroy();
    }
  });
  engines.set(made, engine);
  return made;
}

// ../conformance/src/random.ts
function random(seed) {
  let state = Math.imul(seed + 1, 2654435761) >>> 0 || 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  const integer2 = (low, high2) => low + Math.floor(next() * (high2 - low + 1));
  return { next, integer: integer2, pick: (values) => values[integer2(0, values.length - 1)] };
}
function randomArray(layout2, source) {
  const data = typedArray(layout2.dtype, scalarCount(layout2));
  const range = 2 ** (8 * data.BYTES_PER_ELEMENT);
  const one2 = dtypes[layout2.dtype].float ? () => source.next() - 0.5 : () => Math.floor(source.next() * range);
  for (let i = 0; i < data.length; i++) data[i] = one2();
  return data;
}

// ../core/src/expression/hooks.ts
init_errors();
init_fields();
init_layout();

// ../core/src/expression/build.ts
var build_exports = {};
__export(build_exports, {
  abs: () => abs,
  and: () => and,
  asI32: () => asI32,
  asU32: () => asU32,
  atan2: () => atan22,
  cis: () => cis,
  complex: () => complex,
  conj: () => conj,
  divide: () => divide2,
  equal: () => equal,
  finite: () => finite,
  flatten: () => flatten,
  floor: () => floor,
  greater: () => greater,
  greaterOrEqual: () => greaterOrEqual,
  i32: () => i32,
  im: () => im,
  indexOf: () => indexOf,
  inside: () => inside,
  less: () => less,
  lessOrEqual: () => lessOrEqual,
  log: () => log2,
  max: () => max,
  min: () => min,
  minus: () => minus,
  mod: () => mod,
  negate: () => negate,
  not: () => not,
  notEqual: () => notEqual,
  or: () => or,
  plus: () => plus2,
  re: () => re,
  real: () => real,
  round: () => round,
  select: () => select,
  shiftLeft: () => shiftLeft,
  shiftRight: () => shiftRight,
  sourceOf: () => sourceOf,
  sqrt: () => sqrt,
  sum: () => sum,
  taps: () => taps2,
  times: () => times4,
  toI32: () => toI32,
  toReal: () => toReal,
  toU32: () => toU32,
  u32: () => u32,
  uniformOf: () => uniformOf,
  valueOfStore: () => valueOfStore,
  xor: () => xor
});
init_errors();
init_layout();
init_check();
init_nodes();
var refuse = () => {
  throw layoutError("an operand of an operator of JavaScript", "a number (plus, less and other functions take values)", "a value");
};
var value = (kind, ...parts) => Object.defineProperty({ kind, parts }, Symbol.toPrimitive, { value: refuse });
var isValue = (given) => typeof given === "object" && given !== null && "kind" in given && "parts" in given;
function real(x) {
  if (!Number.isFinite(x) || !Number.isFinite(Math.fround(x))) throw layoutError("a real constant", "finite in float32", x);
  return Object.is(x, -0) ? value("real", "neg", real(0)) : value("real", "real", x);
}
function i32(x) {
  if (!isWhole(x, -(2 ** 31), 2 ** 31 - 1)) throw layoutError("an i32 constant", "an integer from -2147483648 to 2147483647", x);
  return value("i32", "i32", x);
}
function u32(x) {
  if (!isWhole(x, 0, 2 ** 32 - 1)) throw layoutError("a u32 constant", "an integer from 0 to 4294967295", x);
  return value("u32", "u32", x);
}
var constants = { real, i32, u32, complex: (x) => complex(x, 0), bool: real };
function as(operand, kind = "real") {
  if (typeof operand === "boolean") return value("bool", "bool", operand);
  if (typeof operand === "number") return constants[kind](operand);
  if (!isValue(operand)) throw layoutError("an operand of an expression", "a value, a number or true or false", operand);
  return operand.kind === "real" && kind === "complex" ? complex(operand, 0) : operand;
}
function node(operator, ...operands) {
  const kinds2 = operands.map(({ kind: kind2 }) => kind2);
  const kind = kindOfResult(operator, kinds2);
  if (!kind)
    throw layoutError(
      `operands of ${operator}`,
      `of one kind of ${kindsTaken(operator)} (toReal, toI32 and others convert)`,
      kinds2.join(" and ")
    );
  return value(kind, operator, ...operands);
}
var unary = (operator) => (a2) => node(operator, as(a2));
function both2(a2, b2, keepsReal = false) {
  const kinds2 = [a2, b2].filter(isValue).map(({ kind }) => kind);
  const common2 = kinds2.includes("complex") && !keepsReal ? "complex" : kinds2.find((kind) => kind !== "complex") ?? "real";
  return [as(a2, common2), as(b2, common2)];
}
var binary = (operator, keepsReal = false, swapped = false) => (a2, b2) => {
  const [x, y] = both2(a2, b2, keepsReal);
  return node(operator, ...swapped ? [y, x] : [x, y]);
};
var plus2 = binary("add");
var minus = binary("sub");
var times4 = binary("mul", true);
var divide2 = binary("div", true);
var mod = binary("mod");
var min = binary("min");
var max = binary("max");
var atan22 = binary("atan2");
var and = binary("and");
var or = binary("or");
var xor = binary("xor");
var less = binary("lt");
var lessOrEqual = binary("le");
var greater = binary("lt", false, true);
var greaterOrEqual = binary("le", false, true);
var equal = binary("eq");
var notEqual = binary("ne");
var negate = unary("neg");
var abs = (a2) => node("abs", as(a2));
var floor = unary("floor");
var round = unary("round");
var sqrt = unary("sqrt");
var log2 = unary("log");
var cis = unary("cis");
var re = unary("re");
var im = unary("im");
var conj = unary("conj");
var not = unary("not");
var finite = unary("finite");
var toReal = unary("real-of");
var toI32 = unary("i32-of");
var toU32 = unary("u32-of");
var asI32 = unary("bits");
var asU32 = unary("bits");
var shiftLeft = (a2, count2) => node("shl", as(a2), as(count2, "u32"));
var shiftRight = (a2, count2) => node("shr", as(a2), as(count2, "u32"));
var complex = (real2, imaginary) => node("complex", as(real2), as(imaginary));
function select(condition, whenTrue, whenFalse) {
  const operands = [as(condition), ...both2(whenTrue, whenFalse)];
  const kinds2 = operands.map(({ kind: kind2 }) => kind2);
  const kind = kindOfResult("select", kinds2);
  if (!kind) throw layoutError("operands of select", "a truth value and two values of one kind", kinds2.join(" and "));
  return value(kind, "select", ...operands);
}
function sum(count2, term, most2) {
  const largest3 = most2 ?? (typeof count2 === "number" ? Math.max(1, count2) : void 0);
  if (!isWhole(largest3, 1, maxWork)) {
    const given = most2 === void 0 && typeof count2 === "number";
    throw layoutError(given ? "count" : "most", `a whole number of at most ${maxWork}`, given ? count2 : most2);
  }
  const index = value("i32", "term");
  const each = as(term(index));
  if (each.kind === "bool") throw layoutError("the terms of a sum", "numbers", each.kind);
  return value(each.kind, "sum", index, as(count2, "i32"), each, largest3);
}
var inside = (source, ...indices) => element("inside", source.source, source.layout, indices);
function taps2(source, axis, weights, ...indices) {
  const { source: name, layout: layout2 } = source;
  const places2 = indicesOf(name, layout2, indices);
  if (!isWhole(axis, 0, places2.length - 1)) throw layoutError("the axis of taps", `from 0 to ${places2.length - 1}`, axis);
  const factors = weights.map((weight) => as(weight));
  if (!isWhole(factors.length, 1, maxTaps) || factors.some(({ kind: kind2 }) => kind2 !== "real"))
    throw layoutError(
      "weights of taps",
      `from 1 to ${maxTaps} real numbers`,
      factors.map(({ kind: kind2 }) => kind2)
    );
  const kind = kindOfElement(layout2.dtype);
  if (kind === "u32") throw layoutError("the source of taps", "real or complex", layout2.dtype);
  return value(kind, "taps", name, axis, factors.length, ...factors, ...places2);
}
var sourceOf = (name, layout2) => Object.assign((...indices) => element("load", name, layout2, indices), { source: name, layout: layout2 });
var element = (operator, name, layout2, indices) => value(kindOfElement(layout2.dtype), operator, name, ...indicesOf(name, layout2, indices));
function indicesOf(name, layout2, indices) {
  const places2 = indices.flat().map((index) => as(index, "i32"));
  if (places2.length !== layout2.shape.length || places2.some(({ kind }) => kind !== "i32"))
    throw layoutError(
      `indices of ${name}`,
      `${layout2.shape.length} of kind i32`,
      places2.map(({ kind }) => kind)
    );
  return places2;
}
var indexOf = (axis) => value("i32", "index", axis);
var uniformOf = (name, type2) => value(type2 === "f32" ? "real" : type2, "uniform", name);
var valueOfStore = () => value("complex", "value");
function flatten(results) {
  const nodes = [];
  const places2 = /* @__PURE__ */ new Map();
  const known3 = /* @__PURE__ */ new Map();
  const sums = /* @__PURE__ */ new Map();
  const add2 = (item) => {
    const parts = item.parts.map((part) => isValue(part) ? places2.get(part) : part);
    const [operator] = parts;
    if (operator === "term") parts.push(numberOf(item));
    if (operator === "sum") parts[1] = numberOf(item.parts[1]);
    const key = JSON.stringify(parts);
    const place2 = known3.get(key) ?? nodes.push(parts) - 1;
    if (place2 >= maxNodes)
      throw new RadarError("limit", `an expression must have at most ${maxNodes} nodes`, { field: "expression", limit: maxNodes });
    known3.set(key, place2);
    return place2;
  };
  const numberOf = (index) => {
    const number = sums.get(index) ?? sums.size;
    sums.set(index, number);
    return number;
  };
  const finals = results.map((result) => as(result));
  const stack = [...finals].reverse();
  for (let item = stack.at(-1); item; item = stack.at(-1)) {
    const open2 = places2.has(item) ? [] : item.parts.filter((part) => isValue(part) && !places2.has(part));
    if (open2.length > 0) stack.push(...open2.reverse());
    else {
      if (!places2.has(item)) places2.set(item, add2(item));
      stack.pop();
    }
  }
  return { nodes, results: finals.map((result) => places2.get(result)) };
}

// ../core/src/expression/hooks.ts
init_check();

// ../core/src/expression/text.ts
init_errors();
var infix2 = [
  [["|", "or", "or"]],
  [["^", "xor", "xor"]],
  [["&", "and", "and"]],
  [
    ["==", "equal", "eq"],
    ["!=", "notEqual", "ne"]
  ],
  [
    ["<=", "lessOrEqual", "le"],
    [">=", "greaterOrEqual", ""],
    ["<", "less", "lt"],
    [">", "greater", ""]
  ],
  [
    ["<<", "shiftLeft", "shl"],
    [">>", "shiftRight", "shr"]
  ],
  [
    ["+", "plus", "add"],
    ["-", "minus", "sub"]
  ],
  [
    ["*", "times", "mul"],
    ["/", "divide", "div"],
    ["%", "mod", "mod"]
  ]
];
var functions = {
  abs: "abs",
  floor: "floor",
  round: "round",
  sqrt: "sqrt",
  log: "log",
  cis: "cis",
  re: "re",
  im: "im",
  conj: "conj",
  complex: "complex",
  min: "min",
  max: "max",
  atan2: "atan2",
  select: "select",
  finite: "finite",
  "real-of": "toReal",
  "i32-of": "toI32",
  "u32-of": "toU32"
};
var callable = /* @__PURE__ */ new Set([...Object.values(functions), "asI32", "asU32", "i32", "u32", "real", "sum", "inside", "taps"]);
var token = /\s*(?:(0x[0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|([A-Za-z][A-Za-z0-9_]*)|(<<|>>|<=|>=|==|!=|[-+*/%&|^<>=!()[\],;]))/y;
var deepest = 100;
var longest = 1e5;
var fail2 = (expected, at, text3, actual) => {
  throw new RadarError(
    "layout",
    `expression: ${expected} at character ${at + 1}, not ${actual === "" ? "the end" : JSON.stringify(actual)}`,
    {
      field: "expression",
      offset: at,
      expected,
      actual,
      text: text3
    }
  );
};
function tokens(text3) {
  if (text3.length > longest)
    throw new RadarError("limit", `expression must have at most ${longest} characters`, {
      field: "expression",
      limit: longest,
      actual: text3.length
    });
  const list = [];
  let at = 0;
  while (text3.slice(at).trim() !== "") {
    token.lastIndex = at;
    const found = token.exec(text3);
    if (!found) {
      const start2 = at + text3.slice(at).search(/\S/);
      return fail2("a number, a name or an operator is expected", start2, text3, text3[start2]);
    }
    const [whole2, number, name, sign] = found;
    const said = number ?? name ?? sign;
    const start = at + whole2.length - said.length;
    list.push({ text: said, type: number ? "number" : name ? "name" : "sign", at: start, newLine: whole2.includes("\n") });
    at = token.lastIndex;
  }
  list.push({ text: "", type: "end", at: text3.length, newLine: true });
  return list;
}
function checkNames2(domain) {
  for (const name of Object.keys({ ...domain.sources, ...domain.uniforms }))
    if (callable.has(name) || /^(i\d+|true|false|value)$/.test(name))
      throw layoutError(`sources.${name}`, "a name that is not taken", name);
}
function parse(text3, { shape, sources, uniforms = {}, value: value2 }, outputs) {
  checkNames2({ shape, sources, uniforms });
  const list = tokens(text3);
  let place2 = 0;
  let depth = 0;
  let brackets = 0;
  const named = new Map([
    ...shape.map((_3, axis) => [`i${axis}`, indexOf(axis)]),
    ...Object.entries(uniforms).map(([name, type2]) => [name, uniformOf(name, type2)]),
    ...value2 ? [["value", valueOfStore()]] : [],
    ["true", true],
    ["false", false]
  ]);
  const isFree = (name) => !named.has(name) && !Object.hasOwn(sources, name) && !callable.has(name);
  const is = (sign, anyLine = brackets > 0) => list[place2].type === "sign" && list[place2].text === sign && (anyLine || !list[place2].newLine);
  const wrong = (expected) => fail2(`${expected} is expected`, list[place2].at, text3, list[place2].text);
  const take = (sign) => {
    if (list[place2].type !== "sign" || list[place2].text !== sign) wrong(`"${sign}"`);
    place2 += 1;
  };
  const placed = (at, call) => {
    try {
      return call();
    } catch (error) {
      if (!(error instanceof RadarError) || "offset" in error.fields) throw error;
      throw new RadarError(
        error.code,
        `expression: ${error.message} (at character ${at + 1})`,
        { ...error.fields, field: "expression", offset: at },
        error
      );
    }
  };
  const functionOf = (name) => build_exports[name];
  const make = (name, operands2, at) => placed(at, () => functionOf(name)(...operands2));
  const operands = (close) => {
    const all = [];
    brackets += 1;
    while (all.length === 0 || is(",")) {
      if (all.length > 0) take(",");
      all.push(operation2(0));
    }
    take(close);
    brackets -= 1;
    return all;
  };
  function operation2(level) {
    if (level === infix2.length) return prefix();
    let left = operation2(level + 1);
    for (; ; ) {
      const found = infix2[level].find(([sign]) => is(sign));
      if (!found) return left;
      const { at } = list[place2];
      place2 += 1;
      left = make(found[1], [left, operation2(level + 1)], at);
    }
  }
  function prefix() {
    const { at } = list[place2];
    if (++depth > deepest) fail2(`at most ${deepest} brackets and signs within each other are possible`, at, text3, list[place2].text);
    try {
      for (const [sign, name] of [
        ["-", "negate"],
        ["!", "not"]
      ]) {
        if (!is(sign, true)) continue;
        place2 += 1;
        const operand = prefix();
        return sign === "-" && typeof operand === "number" ? -operand : make(name, [operand], at);
      }
      return primary();
    } finally {
      depth -= 1;
    }
  }
  function primary() {
    const { text: said, type: type2, at } = list[place2];
    if (type2 === "number") {
      place2 += 1;
      return Number(said);
    }
    if (is("(", true)) {
      place2 += 1;
      return block();
    }
    if (type2 !== "name") return wrong("a value");
    place2 += 1;
    if (said === "sum") return sum2();
    if (said === "inside") {
      take("(");
      const name = list[place2].text;
      if (!Object.hasOwn(sources, name)) return wrong("the name of a source");
      place2 += 1;
      if (is(")")) {
        place2 += 1;
        return make("inside", [sourceOf(name, sources[name]), ...own(name)], at);
      }
      take(",");
      return make("inside", [sourceOf(name, sources[name]), ...operands(")")], at);
    }
    if (said === "taps") return taps3(at);
    if (Object.hasOwn(sources, said)) {
      if (!is("[")) return element2(said, own(said), at);
      place2 += 1;
      return element2(said, operands("]"), at);
    }
    if (callable.has(said)) {
      take("(");
      const given = operands(")");
      const { length } = functionOf(said);
      if (given.length !== length) fail2(`${length} operands are expected`, at, text3, said);
      return make(said, given, at);
    }
    if (!named.has(said)) {
      place2 -= 1;
      return wrong("a source, a uniform, an index, a function or a named value");
    }
    return named.get(said);
  }
  function block() {
    const own2 = [];
    brackets += 1;
    while (isNaming()) {
      own2.push(naming());
      take(";");
    }
    const result = operation2(0);
    take(")");
    brackets -= 1;
    for (const name of own2) named.delete(name);
    return result;
  }
  const isNaming = () => list[place2].type === "name" && list[place2 + 1].text === "=";
  function naming() {
    const { text: name, at } = list[place2];
    if (!isFree(name)) fail2("a name that is not taken is expected", at, text3, name);
    place2 += 2;
    named.set(name, operation2(0));
    return name;
  }
  const own = (name) => {
    const rank = sources[name].shape.length;
    if (rank !== shape.length) wrong(`"[" and ${rank} indices of ${name}, whose rank is not that of the result,`);
    return shape.map((_3, axis) => named.get(`i${axis}`));
  };
  const element2 = (name, indices, at) => placed(at, () => sourceOf(name, sources[name])(...indices));
  function taps3(at) {
    take("(");
    const name = list[place2].text;
    if (!Object.hasOwn(sources, name)) return wrong("the name of a source");
    place2 += 1;
    take(",");
    if (list[place2].type !== "number") return wrong("the number of an axis");
    const axis = Number(list[place2].text);
    place2 += 1;
    take(",");
    const given = operands(")");
    const count2 = given.length - sources[name].shape.length;
    return make(
      "taps",
      [sourceOf(name, sources[name]), axis, given.slice(0, Math.max(0, count2)), given.slice(Math.max(0, count2))],
      at
    );
  }
  function sum2() {
    take("(");
    const { at } = list[place2];
    const name = list[place2].text;
    if (list[place2].type !== "name" || !isFree(name)) return wrong("a new name for the index of the sum");
    place2 += 1;
    take(",");
    brackets += 1;
    const count2 = operation2(0);
    take(",");
    const hasMost = list[place2].type === "number" && list[place2 + 1].text === ",";
    const most2 = hasMost ? [Number(list[place2].text)] : [];
    if (hasMost) place2 += 2;
    const term = (index) => {
      named.set(name, index);
      const made2 = operation2(0);
      named.delete(name);
      return made2;
    };
    const made = make("sum", [count2, term, ...most2], at);
    take(")");
    brackets -= 1;
    return made;
  }
  let last;
  while (list[place2].type !== "end") {
    if (isNaming()) {
      naming();
      last = void 0;
    } else last = operation2(0);
    if (is(";", true)) place2 += 1;
    else if (list[place2].type !== "end" && !list[place2].newLine) wrong('an operator, ";" or the end');
    if (last !== void 0 && list[place2].type !== "end") wrong("the end after the result");
  }
  if (!outputs) return last === void 0 ? wrong("a result") : last;
  return Object.fromEntries(
    outputs.map((name) => [
      name,
      named.has(name) ? named.get(name) : outputs.length === 1 && last !== void 0 ? last : wrong(`a value ${name}`)
    ])
  );
}

// ../core/src/expression/hooks.ts
var taken = /* @__PURE__ */ new Set(["at", "value", "index"]);
var fields = {
  name: true,
  layout: true,
  shape: true,
  sources: true,
  uniforms: "object",
  outputs: true,
  dtype: true,
  tuned: "object"
};
function written(options, what, compute) {
  checkFields(options, fields, `options of ${what}`, "layout");
  const { name = "expression", sources, uniforms = {}, outputs, shape, layout: layout2, tuned: tuned2 } = options;
  const own = what === "map" ? { dtype: "f32", shape } : layout2;
  checkLayout(own, what === "map" ? "map" : "layout");
  checkObject(sources, "sources");
  for (const name2 of Object.keys(sources)) checkLayout(sources[name2], `sources.${name2}`);
  const named = Object.keys({ ...sources, ...uniforms });
  if (named.length < Object.keys(sources).length + Object.keys(uniforms).length)
    throw layoutError("uniforms", "names that no source has", Object.keys(uniforms));
  for (const name2 of named) if (taken.has(name2)) throw layoutError(`sources.${name2}`, "a name that is not taken", name2);
  if (typeof compute !== "function" && typeof compute !== "string") throw layoutError("expression", "a function or a text", compute);
  const value2 = what === "store";
  const domain = { ...own, sources, uniforms, value: value2 };
  const results = what === "map" ? checkObject(outputs, "outputs").map(([name2]) => name2) : void 0;
  const names = {
    at: domain.shape.map((_3, axis) => indexOf(axis)),
    ...Object.fromEntries(Object.entries(sources).map(([name2, layout3]) => [name2, sourceOf(name2, layout3)])),
    ...Object.fromEntries(Object.entries(uniforms).map(([name2, type2]) => [name2, uniformOf(name2, type2)])),
    ...value2 && { value: valueOfStore() }
  };
  const made = typeof compute === "string" ? parse(compute, domain, results) : compute(names);
  const expression = flatten(results ? results.map((name2) => made?.[name2] ?? missing(name2)) : [made]);
  const facts = checkExpression(expression, domain);
  results?.forEach((name2, i) => {
    if (facts[expression.results[i]].kind === "complex" && dtypes[outputs[name2]]?.components === 1)
      throw layoutError(`outputs.${name2}`, "a complex type, as the value is complex (re, im and abs give real ones)", outputs[name2]);
  });
  const fixed = what === "map" || expression.nodes.some(([operator]) => operator === "index");
  return { name, ...fixed && { shape: own.shape }, sources, ...options.uniforms && { uniforms }, expression, ...tuned2 && { tuned: tuned2 } };
}
function missing(name) {
  throw layoutError(`outputs.${name}`, "a value that the expression returns by this name", void 0);
}
function load2(options, compute) {
  return written(options, "load", compute);
}

// ../radar/src/special-functions.ts
function besselI0(x) {
  const q = x * x / 4;
  let term = 1;
  let sum2 = 1;
  for (let k = 1; term > sum2 * 1e-17; k++) {
    term *= q / (k * k);
    sum2 += term;
  }
  return sum2;
}
var sinc = (x) => Math.abs(x) < 1e-9 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);

// ../radar/src/interpolation/kernels.ts
var defaultPhases = 2048;
function checkInterpolator(spec, field = "interpolator") {
  if (spec === "nearest") return;
  if (typeof spec !== "object" || spec === null || spec.kind !== "sinc") throw inputError(field, '"nearest" or a sinc kernel', spec);
  if (!Number.isInteger(spec.taps) || spec.taps < 2 || spec.taps > 32 || spec.taps % 2 !== 0) {
    throw inputError(`${field}.taps`, "an even integer from 2 to 32", spec.taps);
  }
  if (spec.window !== "kaiser" && spec.window !== "knab") throw inputError(`${field}.window`, '"kaiser" or "knab"', spec.window);
  if (spec.beta !== void 0 && !(typeof spec.beta === "number" && spec.beta >= 0 && spec.beta <= 100)) {
    throw inputError(`${field}.beta`, "from 0 to 100", spec.beta);
  }
}
function checkOversampling(oversampling) {
  if (!(typeof oversampling === "number" && oversampling >= 1 && oversampling <= 64)) {
    throw inputError("oversampling", "the sampling rate over the bandwidth, from 1 to 64", oversampling);
  }
}
var knabBeta = (taps3, oversampling) => Math.PI / 2 * taps3 * (1 - 1 / oversampling);
function taper(window, beta, x) {
  const q = 1 - 4 * x * x;
  if (q < 0) return 0;
  return window === "knab" ? Math.cosh(beta * Math.sqrt(q)) : besselI0(beta * Math.sqrt(q));
}
function writeRow(row, taps3, window, beta, mu) {
  let sum2 = 0;
  for (let j = 0; j < taps3; j++) {
    const d = j - taps3 / 2 + 1 - mu;
    row[j] = sinc(d) * taper(window, beta, d / taps3);
    sum2 += row[j];
  }
  for (let j = 0; j < taps3; j++) row[j] /= sum2;
}
function writeSpecRow(row, spec, beta, mu) {
  if (spec !== "nearest") writeRow(row, spec.taps, spec.window, beta, mu);
  else row.set(mu < 0.5 ? [1, 0] : [0, 1]);
}
var interpolatorTaps = (spec) => spec === "nearest" ? 2 : spec.taps;
function errorPower(taps3, oversampling, write) {
  const row = new Float64Array(taps3);
  const frequencies2 = 64;
  const delays = 16;
  let sum2 = 0;
  for (let i = 0; i < delays; i++) {
    const mu = (i + 0.5) / delays;
    write(row, mu);
    for (let k = 0; k < frequencies2; k++) {
      const f = (k + 0.5) / frequencies2 * (0.5 / oversampling);
      let re2 = 0;
      let im2 = 0;
      for (let j = 0; j < taps3; j++) {
        const angle = 2 * Math.PI * f * (j - taps3 / 2 + 1 - mu);
        re2 += row[j] * Math.cos(angle);
        im2 += row[j] * Math.sin(angle);
      }
      sum2 += (re2 - 1) ** 2 + im2 ** 2;
    }
  }
  return sum2 / (frequencies2 * delays);
}
function interpolatorBeta(spec, oversampling) {
  checkInterpolator(spec);
  checkOversampling(oversampling);
  if (spec === "nearest") return 0;
  if (spec.beta !== void 0) return spec.beta;
  if (spec.window === "knab") return knabBeta(spec.taps, oversampling);
  const { taps: taps3 } = spec;
  const error = (beta) => errorPower(taps3, oversampling, (row, mu) => writeRow(row, taps3, "kaiser", beta, mu));
  const top = knabBeta(taps3, oversampling) + 4;
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i <= 24; i++) {
    const value2 = error(top * i / 24);
    if (value2 < least) [best, least] = [top * i / 24, value2];
  }
  let a2 = Math.max(0, best - top / 24);
  let b2 = Math.min(top, best + top / 24);
  const golden = (Math.sqrt(5) - 1) / 2;
  let left = b2 - golden * (b2 - a2);
  let right = a2 + golden * (b2 - a2);
  let atLeft = error(left);
  let atRight = error(right);
  while (b2 - a2 > 1e-4) {
    if (atLeft < atRight) {
      [b2, right, atRight] = [right, left, atLeft];
      left = b2 - golden * (b2 - a2);
      atLeft = error(left);
    } else {
      [a2, left, atLeft] = [left, right, atRight];
      right = a2 + golden * (b2 - a2);
      atRight = error(right);
    }
  }
  return (a2 + b2) / 2;
}
function interpolatorTable(spec, options) {
  const { oversampling, phases = defaultPhases } = options;
  if (!Number.isInteger(phases) || phases < 1 || phases > 65536) throw inputError("phases", "an integer from 1 to 65536", phases);
  const beta = interpolatorBeta(spec, oversampling);
  const taps3 = interpolatorTaps(spec);
  const table = new Float64Array((phases + 1) * taps3);
  for (let q = 0; q <= phases; q++) writeSpecRow(table.subarray(q * taps3, (q + 1) * taps3), spec, beta, q / phases);
  return { taps: taps3, phases, beta, table };
}

// ../radar/src/interpolation/polynomials.ts
var tolerance = 2 ** -26;
var highestDegree = 16;
function interpolatorPolynomials({ taps: taps3, phases, table }) {
  const rows = phases + 1;
  const half = Array.from({ length: taps3 / 2 }, (_3, j) => Float64Array.from({ length: rows }, (_4, q) => table[q * taps3 + j]));
  for (let degree = 4; degree <= highestDegree; degree += 2) {
    const found = half.map((values) => fit(values, degree));
    if (found.every(({ error }) => error <= tolerance)) return found.map(({ coefficients }) => coefficients);
  }
  return void 0;
}
function fit(values, degree) {
  const size = degree + 1;
  const at = (i) => values.length === 1 ? 0 : 2 * i / (values.length - 1) - 1;
  const normal = Array.from({ length: size }, () => new Float64Array(size + 1));
  const basis = new Float64Array(size);
  const chebyshev = (v) => {
    for (let k = 0; k < size; k++) basis[k] = k === 0 ? 1 : k === 1 ? v : 2 * v * basis[k - 1] - basis[k - 2];
  };
  values.forEach((value2, i) => {
    chebyshev(at(i));
    for (let r = 0; r < size; r++) {
      for (let c2 = 0; c2 < size; c2++) normal[r][c2] += basis[r] * basis[c2];
      normal[r][size] += basis[r] * value2;
    }
  });
  const solved = solve(normal);
  let error = 0;
  values.forEach((value2, i) => {
    chebyshev(at(i));
    error = Math.max(error, Math.abs(solved.reduce((sum2, c2, k) => sum2 + c2 * basis[k], 0) - value2));
  });
  return { coefficients: monomials(solved), error };
}
function solve(rows) {
  const n = rows.length;
  for (let i = 0; i < n; i++) {
    let pivot = i;
    for (let r = i + 1; r < n; r++) if (Math.abs(rows[r][i]) > Math.abs(rows[pivot][i])) pivot = r;
    [rows[i], rows[pivot]] = [rows[pivot], rows[i]];
    for (let r = 0; r < n; r++) {
      if (r === i) continue;
      const factor = rows[r][i] / rows[i][i];
      for (let c2 = i; c2 <= n; c2++) rows[r][c2] -= factor * rows[i][c2];
    }
  }
  return rows.map((row, i) => row[n] / row[i]);
}
function monomials(chebyshev) {
  const size = chebyshev.length;
  const out = new Array(size).fill(0);
  let [before, now] = [[1], [0, 1]];
  chebyshev.forEach((c2, k) => {
    const powers = k === 0 ? before : now;
    for (let d = 0; d < powers.length; d++) out[d] += c2 * powers[d];
    if (k > 0) {
      const next = [0, ...now.map((p) => 2 * p)];
      for (let d = 0; d < before.length; d++) next[d] -= before[d];
      [before, now] = [now, next];
    }
  });
  return out;
}

// ../radar/src/interpolation/positions.ts
var fineBits = 18;
var maxGatheredExtent = 2 ** 26;
var maxTurnedExtent = 2 ** 16;
var maxDegree = 6;
var positionColumns = (degree) => degree + 2;
var phaseColumns = (degree) => 2 * degree + 1;
var bitsOf3 = (extent) => Math.max(0, 32 - Math.clz32(extent - 1));
function checkTable(table, { lines: lines2, extent, degree, bits: bits2 = fineBits }, line, columns, coefficients, largest3) {
  const whole2 = (field, value2, low, high2) => {
    if (!(Number.isInteger(value2) && value2 >= low && value2 <= high2))
      throw inputError(field, `a whole number from ${low} to ${high2}`, value2);
  };
  whole2("lines", lines2, 1, 2 ** 31);
  whole2("extent", extent, 1, largest3);
  whole2("bits", bits2, 1, 24);
  whole2("degree", degree, 0, maxDegree);
  whole2("line", line, 0, lines2 - 1);
  if (!(table instanceof Uint32Array) || table.length !== columns * lines2)
    throw inputError("table", `a Uint32Array of ${columns * lines2} numbers`, table);
  if (coefficients.length > degree + 1 || !coefficients.every(Number.isFinite))
    throw inputError("coefficients", `at most ${degree + 1} finite numbers`, coefficients);
}
function setLinePositions(table, shape, line, coefficients) {
  const { lines: lines2, extent, degree, bits: fine = fineBits } = shape;
  checkTable(table, shape, line, positionColumns(degree), coefficients, maxGatheredExtent);
  if (degree === 0) throw inputError("degree", "from 1 to 6 for positions", degree);
  const bits2 = bitsOf3(extent);
  const scaled = Array.from({ length: degree + 1 }, (_3, m) => ((coefficients[m] ?? 0) - (m === 1 ? 1 : 0)) * 2 ** (bits2 * m));
  const whole2 = Math.floor(scaled[0]);
  scaled[0] -= whole2;
  const size = scaled.reduce((sum2, c2) => sum2 + Math.abs(c2), 0);
  if (!(size < 2 ** (31 - fine) - 2) || !(Math.abs(whole2) < 2 ** 30)) {
    const most2 = 2 ** (31 - fine);
    throw new RadarError(
      "limit",
      `line ${line} has positions that differ from the index by ${size} samples and a constant; at most ${most2}`,
      {
        field: "coefficients",
        limit: most2,
        actual: size
      }
    );
  }
  table[line] = whole2;
  for (const [m, c2] of scaled.entries()) table[(m + 1) * lines2 + line] = Math.round(c2 * 2 ** fine);
}
function setLinePhase(table, shape, line, coefficients) {
  const { lines: lines2, degree } = shape;
  checkTable(table, shape, line, phaseColumns(degree), coefficients, degree > 1 ? maxTurnedExtent : maxGatheredExtent);
  for (let m = 0; m <= degree; m++) {
    const cycles = coefficients[m] ?? 0;
    const scaled = (cycles - Math.floor(cycles)) * 2 ** 32;
    if (m === 0) {
      table[line] = Math.round(scaled) % 2 ** 32;
      continue;
    }
    const [high2, low] = [Math.floor(scaled), Math.round((scaled - Math.floor(scaled)) * 2 ** 16)];
    table[(2 * m - 1) * lines2 + line] = (high2 + (low === 2 ** 16 ? 1 : 0)) % 2 ** 32;
    table[2 * m * lines2 + line] = low % 2 ** 16;
  }
}
function product2(c2, index, bits2) {
  if (bits2 > 16) {
    const more = bits2 - 16;
    const rest = shiftRight(times4(shiftRight(c2, 16), and(index, 2 ** more - 1)), more);
    return plus2(product2(c2, shiftRight(index, more), 16), rest);
  }
  const high2 = times4(shiftRight(c2, bits2), index);
  const low = asI32(shiftRight(times4(asU32(and(c2, 2 ** bits2 - 1)), asU32(index)), bits2));
  return plus2(high2, low);
}
function polynomialOf(coefficients, index, extent) {
  const bits2 = bitsOf3(extent);
  return coefficients.reduceRight((inner2, c2) => plus2(c2, product2(inner2, index, bits2)));
}
function phaseOf(columns, index, extent) {
  const i = asU32(index);
  let [high2, low] = columns.slice(-2);
  if (columns.length === 1) return columns[0];
  const more = Math.max(0, bitsOf3(extent) - 16);
  if (more > 0) return plus2(plus2(columns[0], times4(high2, i)), shiftRight(times4(low, shiftRight(i, more)), 16 - more));
  for (let m = columns.length - 4; m > 0; m -= 2) {
    const more2 = plus2(times4(low, i), columns[m + 1]);
    high2 = plus2(plus2(times4(high2, i), columns[m]), shiftRight(more2, 16));
    low = and(more2, u32(65535));
  }
  return plus2(plus2(columns[0], times4(high2, i)), shiftRight(times4(low, i), 16));
}
function affinePosition(offset, step3, index, extent) {
  const [stride, whole2] = [Math.round(step3), Math.floor(offset)];
  const slope = (step3 - stride) * 2 ** bitsOf3(extent);
  const size = Math.abs(slope) + 2;
  const bits2 = Math.min(fineBits, 30 - Math.ceil(Math.log2(size)));
  if (!(Math.abs(whole2) < 2 ** 30 && Math.abs(stride) * extent < 2 ** 30))
    throw inputError("positions", "such that positions are below 2 ** 30", { offset, step: step3 });
  const [c0, c1] = [(offset - whole2) * 2 ** bits2, slope * 2 ** bits2].map((c2) => i32(Math.round(c2)));
  return { whole: plus2(times4(index, stride), whole2), fixed: slope === 0 ? c0 : polynomialOf([c0, c1], index, extent), bits: bits2 };
}

// ../radar/src/interpolation/gather.ts
var fields2 = {
  layout: "object",
  samples: "object",
  axis: "number",
  positions: "object",
  interpolator: true,
  phase: "object",
  name: "string",
  ports: "object",
  weightType: "string",
  tuned: "object"
};
var port = ({ ports }, name) => ports?.[name] ?? name;
var isTable = (interpolator) => typeof interpolator === "object" && "phases" in interpolator && "taps" in interpolator;
var linesOf2 = ({ layout: { shape }, axis }, lines2) => lines2 === "one" ? 1 : shape.reduce((product3, extent, a2) => a2 === axis ? product3 : product3 * extent, 1);
function check(options) {
  checkFields(options, fields2, "options of gather");
  const { layout: layout2, samples: samples2, axis, positions, interpolator, phase } = options;
  const fail3 = (field, expected, actual) => {
    throw inputError(field, expected, actual);
  };
  if (!Array.isArray(layout2?.shape)) fail3("layout", "a layout", layout2);
  if (!Array.isArray(samples2?.shape)) fail3("samples", "a layout", samples2);
  const rank = layout2.shape.length;
  if (!Number.isInteger(axis) || axis < 0 || axis >= rank) fail3("axis", `from 0 to ${rank - 1}`, axis);
  if (samples2.shape.length !== rank || samples2.shape.some((extent, a2) => a2 !== axis && extent !== layout2.shape[a2]))
    fail3("samples.shape", `that of layout but along axis ${axis}, [${layout2.shape.join(", ")}]`, samples2.shape);
  const isDegree = (field, value2, low) => Number.isInteger(value2) && value2 >= low && value2 <= maxDegree || fail3(field, `a whole number from ${low} to ${maxDegree}`, value2);
  const hasLines = (field, value2) => value2 === void 0 || value2 === "each" || value2 === "one" || fail3(field, '"each" or "one"', value2);
  const isShort = (most2) => {
    const extent = layout2.shape[axis];
    return extent <= most2 || fail3("layout.shape", `at most ${most2} along axis ${axis} for polynomials`, extent);
  };
  const hasBits = (bits2) => bits2 === void 0 || Number.isInteger(bits2) && bits2 >= 1 && bits2 <= 24 || fail3("positions.bits", "a whole number from 1 to 24", bits2);
  switch (positions?.kind) {
    case "affine":
      for (const name of ["offset", "step"])
        if (!Number.isFinite(positions[name])) fail3(`positions.${name}`, "a finite number", positions[name]);
      isShort(maxGatheredExtent);
      break;
    case "polynomial":
      isDegree("positions.degree", positions.degree, 1);
      hasLines("positions.lines", positions.lines);
      hasBits(positions.bits);
      isShort(maxGatheredExtent);
      break;
    case "table":
      hasLines("positions.lines", positions.lines);
      hasBits(positions.bits);
      break;
    case "expression":
      if (typeof positions.position !== "function") fail3("positions.position", "a function", positions.position);
      break;
    default:
      fail3("positions.kind", "affine, polynomial, table or expression", positions?.kind);
  }
  if (phase) {
    isDegree("phase.degree", phase.degree, 0);
    hasLines("phase.lines", phase.lines);
    isShort(phase.degree > 1 ? maxTurnedExtent : maxGatheredExtent);
  }
  if (typeof interpolator === "string") {
    if (interpolator !== "nearest" && interpolator !== "linear") fail3("interpolator", "nearest, linear or an object", interpolator);
  } else if (typeof interpolator !== "object" || interpolator === null) fail3("interpolator", "nearest, linear or an object", interpolator);
  else if (isTable(interpolator)) {
    const { taps: count2, phases } = interpolator;
    if (!Number.isInteger(count2) || count2 < 2 || count2 > 64 || count2 % 2 !== 0) fail3("interpolator.taps", "even, from 2 to 64", count2);
    if (!Number.isInteger(phases) || phases < 1 || phases > 2 ** 16) fail3("interpolator.phases", "from 1 to 65536", phases);
  } else if ("polynomials" in interpolator) {
    const { polynomials } = interpolator;
    const isList = Array.isArray(polynomials) && polynomials.length >= 1 && polynomials.length <= 32;
    if (!isList || !polynomials.every((list) => Array.isArray(list) && list.length >= 1 && list.length <= 32))
      fail3("interpolator.polynomials", "a list of 1 to 32 lists of coefficients", polynomials);
  }
}
function gatherSources(options) {
  check(options);
  const { layout: layout2, samples: samples2, axis, positions, interpolator, phase, weightType = "f32" } = options;
  const words4 = (...shape) => ({ dtype: "u32", shape });
  return {
    [port(options, "samples")]: samples2,
    ...positions.kind === "polynomial" && {
      [port(options, "positions")]: words4(positionColumns(positions.degree), linesOf2(options, positions.lines))
    },
    ...positions.kind === "table" && {
      [port(options, "positions")]: positions.lines === "one" ? words4(layout2.shape[axis]) : words4(...layout2.shape)
    },
    ...positions.kind === "expression" && positions.sources,
    ...isTable(interpolator) && {
      [port(options, "weights")]: { dtype: weightType, shape: [interpolator.phases + 1, interpolator.taps] }
    },
    ...phase && { [port(options, "phase")]: words4(phaseColumns(phase.degree), linesOf2(options, phase.lines)) }
  };
}
function lineOf({ layout: { shape }, axis }, at, lines2) {
  const others2 = lines2 === "one" ? [] : shape.flatMap((_3, a2) => a2 === axis ? [] : [a2]);
  return others2.reduce((sum2, a2) => sum2 ? plus2(times4(sum2, shape[a2]), at[a2]) : at[a2], void 0) ?? i32(0);
}
function placeOf2(options, names) {
  const { layout: layout2, axis, positions } = options;
  const index = names.at[axis];
  const words4 = () => names[port(options, "positions")];
  const fixedPlace = (whole2, fixed, bits2) => ({
    first: plus2(whole2, shiftRight(fixed, bits2)),
    fixed: and(fixed, 2 ** bits2 - 1),
    bits: bits2
  });
  switch (positions.kind) {
    case "affine": {
      const { whole: whole2, fixed, bits: bits2 } = affinePosition(positions.offset, positions.step, index, layout2.shape[axis]);
      return fixedPlace(whole2, fixed, bits2);
    }
    case "polynomial": {
      const line = lineOf(options, names.at, positions.lines);
      const [whole2, ...coefficients] = Array.from({ length: positionColumns(positions.degree) }, (_3, m) => asI32(words4()(m, line)));
      return fixedPlace(plus2(index, whole2), polynomialOf(coefficients, index, layout2.shape[axis]), positions.bits ?? fineBits);
    }
    case "table":
      return fixedPlace(index, asI32(positions.lines === "one" ? words4()(index) : words4()(names.at)), positions.bits ?? fineBits);
    case "expression": {
      const position = positions.position(names);
      if (position.kind === "i32") return fixedPlace(index, position, fineBits);
      if (position.kind !== "real")
        throw inputError("positions.position", "a function that returns a real or i32 value", position);
      const whole2 = floor(position);
      return { first: toI32(whole2), fraction: minus(position, whole2) };
    }
  }
}
function polynomialWeights(polynomials, place2) {
  const v = "fixed" in place2 ? minus(times4(toReal(place2.fixed), 2 ** (1 - place2.bits)), 1) : minus(times4(place2.fraction, 2), 1);
  const square = times4(v, v);
  const horner = (coefficients) => coefficients.reduceRight((inner2, c2) => inner2 ? plus2(times4(square, inner2), c2) : real(c2), void 0) ?? real(0);
  const halves = polynomials.map((coefficients) => ({
    even: horner(coefficients.filter((_3, d) => d % 2 === 0)),
    odd: times4(v, horner(coefficients.filter((_3, d) => d % 2 === 1)))
  }));
  return [...halves.map(({ even, odd }) => plus2(even, odd)), ...[...halves].reverse().map(({ even, odd }) => minus(even, odd))];
}
function tableWeights(count2, phases, table, place2) {
  let [row, blend] = [void 0, void 0];
  const step3 = Math.log2(phases);
  if ("fixed" in place2 && Number.isInteger(step3) && step3 <= place2.bits) {
    const rest = place2.bits - step3;
    row = shiftRight(place2.fixed, rest);
    blend = times4(toReal(and(place2.fixed, 2 ** rest - 1)), 2 ** -rest);
  } else {
    const fraction = "fixed" in place2 ? times4(toReal(place2.fixed), 2 ** -place2.bits) : place2.fraction;
    const scaled = times4(fraction, phases);
    row = min(toI32(floor(scaled)), phases - 1);
    blend = minus(scaled, toReal(row));
  }
  return Array.from({ length: count2 }, (_3, j) => {
    const near = table(row, j);
    return plus2(near, times4(blend, minus(table(plus2(row, 1), j), near)));
  });
}
var fitted = /* @__PURE__ */ new WeakMap();
function polynomialsOf(interpolator) {
  const known3 = fitted.get(interpolator);
  if (known3) return known3;
  const { oversampling, ...spec } = interpolator;
  const made = interpolatorPolynomials(interpolatorTable(spec, { oversampling }));
  if (!made) throw inputError("interpolator", "a kernel that polynomials of degree 16 represent, or a table", interpolator);
  fitted.set(interpolator, made);
  return made;
}
function gathered2(options, names) {
  check(options);
  const { axis, interpolator, phase } = options;
  const samples2 = names[port(options, "samples")];
  const place2 = placeOf2(options, names);
  const from = (first2) => names.at.map((own, a2) => a2 === axis ? first2 : own);
  const weighed = (weights) => taps2(samples2, axis, weights, from(weights.length === 2 ? place2.first : plus2(place2.first, 1 - weights.length / 2)));
  let value2;
  if (interpolator === "nearest") {
    const isLater = "fixed" in place2 ? shiftRight(place2.fixed, place2.bits - 1) : toI32(floor(plus2(place2.fraction, 0.5)));
    value2 = inside(samples2, from(plus2(place2.first, isLater)));
  } else if (interpolator === "linear") {
    const fraction = "fixed" in place2 ? times4(toReal(place2.fixed), 2 ** -place2.bits) : place2.fraction;
    value2 = weighed([minus(1, fraction), fraction]);
  } else if (isTable(interpolator)) {
    const { taps: count2, phases } = interpolator;
    value2 = weighed(tableWeights(count2, phases, names[port(options, "weights")], place2));
  } else {
    const polynomials = "polynomials" in interpolator ? interpolator.polynomials : polynomialsOf(interpolator);
    value2 = weighed(polynomialWeights(polynomials, place2));
  }
  if (!phase) return value2;
  const line = lineOf(options, names.at, phase.lines);
  const table = names[port(options, "phase")];
  const columns = Array.from({ length: phaseColumns(phase.degree) }, (_3, m) => table(m, line));
  return times4(value2, cis(phaseOf(columns, names.at[axis], options.layout.shape[axis])));
}
function common(options) {
  const { positions, name = "gather" } = options;
  return {
    name,
    sources: gatherSources(options),
    ...positions.kind === "expression" && positions.uniforms && { uniforms: positions.uniforms }
  };
}
function gather(options) {
  const { layout: layout2, tuned: tuned2 } = options;
  return load2({ ...common(options), layout: layout2, ...tuned2 && { tuned: tuned2 } }, (names) => gathered2(options, names));
}

// ../radar/src/window-shapes.ts
var cosineSum = (terms) => ({
  at(x) {
    let value2 = terms[0];
    for (let m = 1; m < terms.length; m++) value2 += 2 * terms[m] * Math.cos(2 * Math.PI * m * x);
    return value2;
  },
  spectrum(f) {
    let value2 = terms[0] * sinc(f);
    for (let m = 1; m < terms.length; m++) value2 += terms[m] * (sinc(f - m) + sinc(f + m));
    return value2;
  },
  cycles: 2 * terms.length
});
function kaiser(beta) {
  const norm = besselI0(beta);
  return {
    at: (x) => besselI0(beta * Math.sqrt(1 - 4 * x * x)) / norm,
    spectrum(f) {
      const q = beta ** 2 - (Math.PI * f) ** 2;
      const r = Math.sqrt(Math.abs(q));
      if (r < 1e-8) return 1 / norm;
      return (q > 0 ? Math.sinh(r) : Math.sin(r)) / r / norm;
    }
  };
}
function taylorTerms(nbar, sidelobeDb) {
  const a2 = Math.acosh(10 ** (-sidelobeDb / 20)) / Math.PI;
  const dilation = nbar ** 2 / (a2 ** 2 + (nbar - 0.5) ** 2);
  const terms = [1];
  for (let m = 1; m < nbar; m++) {
    let value2 = m % 2 === 1 ? 0.5 : -0.5;
    for (let n = 1; n < nbar; n++) {
      value2 *= 1 - m ** 2 / (dilation * (a2 ** 2 + (n - 0.5) ** 2));
      if (n !== m) value2 /= 1 - (m / n) ** 2;
    }
    terms.push(value2);
  }
  const middle = terms.reduce((sum2, value2, m) => sum2 + (m === 0 ? value2 : 2 * value2), 0);
  return terms.map((value2) => value2 / middle);
}
function dolphChebyshev(n, sidelobeDb) {
  const order = n - 1;
  const weights = new Float64Array(n).fill(1);
  if (order === 0) return weights;
  const x0 = Math.cosh(Math.acosh(10 ** (-sidelobeDb / 20)) / order);
  const chebyshev = (x) => {
    if (Math.abs(x) <= 1) return Math.cos(order * Math.acos(x));
    return (x < 0 && order % 2 === 1 ? -1 : 1) * Math.cosh(order * Math.acosh(Math.abs(x)));
  };
  for (let i = 0; i < n; i++) {
    let sum2 = 0;
    for (let k = 0; k < n; k++) sum2 += chebyshev(x0 * Math.cos(Math.PI * k / n)) * Math.cos(2 * Math.PI * k * (i - order / 2) / n);
    weights[i] = sum2;
  }
  const largest3 = weights.reduce((a2, b2) => Math.max(a2, b2));
  return weights.map((w) => w / largest3);
}

// ../radar/src/window-table.ts
var harris = "Harris, Proc. IEEE 66 (1978)";
var windowTable = {
  rect: {
    parameters: [],
    formula: "1",
    description: "no taper: best resolution, highest side lobes",
    source: harris,
    shape: () => cosineSum([1])
  },
  hamming: {
    parameters: [],
    formula: "0.54 + 0.46\xB7cos 2\u03C0x",
    description: "raised cosine on a pedestal, which lowers the first side lobe",
    source: harris,
    shape: () => cosineSum([0.54, 0.23])
  },
  hann: {
    parameters: [],
    formula: "0.5 + 0.5\xB7cos 2\u03C0x",
    description: "raised cosine: side lobes fall by 18 dB an octave",
    source: harris,
    shape: () => cosineSum([0.5, 0.25])
  },
  kaiser: {
    parameters: [
      {
        name: "beta",
        label: "BETA",
        min: 0,
        max: 200,
        // I₀ and its ratios stay far inside float64.
        default: 2.5,
        description: "Bessel argument \u03B2; larger values lower the side lobes and widen the main lobe"
      }
    ],
    formula: "I\u2080(\u03B2\u221A(1 \u2212 4x\xB2))/I\u2080(\u03B2)",
    description: "nearly the most energy in a main lobe of given width; the default of most SAR processors, with \u03B2 = 2.5",
    source: "Kaiser & Schafer, IEEE Trans. ASSP 28 (1980)",
    shape: kaiser
  },
  taylor: {
    parameters: [
      { name: "nbar", label: "NBAR", min: 1, max: 64, default: 4, integer: true, description: "number n\u0304 of nearly equal side lobes" },
      { name: "sidelobeDb", label: "DB", min: -150, max: -13, default: -30, level: true, description: "level of these side lobes in dB" }
    ],
    formula: "a\u2080 + 2\xB7\u03A3 a\u2098\xB7cos 2\u03C0mx, m < n\u0304",
    description: "n\u0304 side lobes at nearly the same level, the others falling",
    source: "Taylor, IRE Trans. AP 3 (1955); Carrara et al., Spotlight SAR (1995), appendix D",
    shape: (nbar, sidelobeDb) => cosineSum(taylorTerms(nbar, sidelobeDb))
  },
  chebyshev: {
    parameters: [
      { name: "sidelobeDb", label: "DB", min: -200, max: -1, default: -40, level: true, description: "level of all side lobes in dB" }
    ],
    formula: "inverse DFT of T_(n \u2212 1)(x\u2080\xB7cos(\u03C0k/n)), for n samples",
    description: "narrowest main lobe for given side lobes, which are all equal; for a number of samples, such as the pulses of STAP",
    source: "Dolph, Proc. IRE 34 (1946)",
    samples: dolphChebyshev,
    maxSamples: 2 ** 12
  }
};

// ../radar/src/windows.ts
var windowKinds = /* @__PURE__ */ Object.keys(windowTable);
var maxSamples = 2 ** 26;
var rowOf2 = (kind) => windowTable[kind];
var isKind = (kind) => typeof kind === "string" && Object.hasOwn(windowTable, kind);
var isContinuous = (kind) => rowOf2(kind).shape !== void 0;
var choiceFields = { continuous: "boolean" };
function chosenKinds(choice) {
  checkFields(choice, choiceFields, "options of windows", "input");
  return windowKinds.filter((kind) => !choice.continuous || isContinuous(kind));
}
function checkWindow(window, field = "window", options = {}) {
  const kind = window?.kind;
  const kinds2 = chosenKinds(options);
  if (!(isKind(kind) && kinds2.includes(kind))) {
    const why = isKind(kind) ? `: ${kind} is defined for a number of samples only` : "";
    throw inputError(field, `one of ${kinds2.join(", ")}${why}`, kind);
  }
  for (const parameter of rowOf2(kind).parameters) checkParameter(window, parameter, field);
}
function checkParameter(window, { name, min: min2, max: max2, integer: integer2 }, field) {
  const value2 = window[name];
  const sound = typeof value2 === "number" && value2 >= min2 && value2 <= max2 && (!integer2 || Number.isInteger(value2));
  if (!sound) throw inputError(`${field}.${name}`, `${integer2 ? "an integer" : "a number"} from ${min2} to ${max2}`, value2);
}
var parametersOf = (window) => rowOf2(window.kind).parameters.map(({ name }) => window[name]);
function windowShape(window) {
  checkWindow(window, "window", { continuous: true });
  return rowOf2(window.kind).shape(...parametersOf(window));
}
function windowFunction(window) {
  const { at } = windowShape(window);
  return (x) => Math.abs(x) <= 0.5 ? at(x) : 0;
}
function windowSamples(window, n) {
  checkWindow(window);
  const { samples: samples2, maxSamples: most2 = maxSamples } = rowOf2(window.kind);
  if (!Number.isInteger(n) || n < 1 || n > most2) throw inputError("n", `an integer from 1 to ${most2}`, n);
  if (samples2) return samples2(n, ...parametersOf(window));
  const w = windowFunction(window);
  return Float64Array.from({ length: n }, (_3, i) => w((i + 0.5) / n - 0.5));
}

// ../radar/src/chirp.ts
var optionFields = { window: "object", oversample: "number" };
var maxSamples2 = 2 ** 26;
var maxHertz = 1e15;
var chirpSamples = ({ pulseSeconds, samplingRateHz }) => Math.floor(pulseSeconds * samplingRateHz + 1e-9);
function chirpReplica(chirp2, options = {}) {
  checkObject(chirp2, "chirp", "input");
  const { pulseSeconds, samplingRateHz } = chirp2;
  checkPositive(pulseSeconds, "pulseSeconds", 1e9);
  checkPositive(samplingRateHz, "samplingRateHz", maxHertz);
  const rated = "chirpRateHzPerSecond" in chirp2;
  const stated = rated ? chirp2.chirpRateHzPerSecond : chirp2.bandwidthHz;
  if (!(typeof stated === "number" && Math.abs(rated ? stated * pulseSeconds : stated) <= maxHertz)) {
    const expected = `a number, for a bandwidth of at most ${maxHertz} Hz`;
    throw inputError(`chirp.${rated ? "chirpRateHzPerSecond" : "bandwidthHz"}`, expected, stated);
  }
  checkFields(options, optionFields, "options of chirpReplica", "input");
  const { window = { kind: "rect" }, oversample = 1 } = options;
  if (!Number.isInteger(oversample) || oversample < 1 || oversample > 1024)
    throw inputError("oversample", "an integer from 1 to 1024", oversample);
  const rateHz = samplingRateHz * oversample;
  const n = chirpSamples({ pulseSeconds, samplingRateHz: rateHz });
  if (!(n >= 1 && n <= maxSamples2)) throw inputError("chirp.pulseSeconds", "of 1 to 2^26 samples", pulseSeconds);
  const chirpRate = rated ? stated : stated / pulseSeconds;
  const w = windowFunction(window);
  const replica = new Float64Array(2 * n);
  for (let i = 0; i < n; i++) {
    const u = i / rateHz - pulseSeconds / 2;
    const cycles = 0.5 * chirpRate * u * u;
    const angle = 2 * Math.PI * (cycles - Math.round(cycles));
    const gain = w(u / pulseSeconds);
    replica[2 * i] = gain * Math.cos(angle);
    replica[2 * i + 1] = gain * Math.sin(angle);
  }
  return replica;
}
function checkPositive(value2, field, most2) {
  if (!(typeof value2 === "number" && value2 > 0 && value2 <= most2))
    throw inputError(`chirp.${field}`, `a positive number up to ${most2}`, value2);
}

// ../radar/src/constants.ts
var speedOfLight = 299792458;
var wavelengthMeters = ({ carrierHz }) => speedOfLight / carrierHz;

// src/range-doppler/spectrum.ts
function designSpectrum(x, n) {
  const cosines = Float64Array.from({ length: n }, (_3, k) => Math.cos(2 * Math.PI * k / n));
  const sines = Float64Array.from({ length: n }, (_3, k) => -Math.sin(2 * Math.PI * k / n));
  const spectrum2 = new Float64Array(2 * n);
  const transform = (m, step3, offset, into, at) => {
    if (m % 2 === 0) {
      const half = m / 2;
      transform(half, 2 * step3, offset, into, at);
      transform(half, 2 * step3, offset + step3, into, at + half);
      for (let k = 0; k < half; k++) {
        const [p, q] = [2 * (at + k), 2 * (at + half + k)];
        const c2 = cosines[k * step3];
        const s = sines[k * step3];
        const re2 = into[q] * c2 - into[q + 1] * s;
        const im2 = into[q] * s + into[q + 1] * c2;
        into[q] = into[p] - re2;
        into[q + 1] = into[p + 1] - im2;
        into[p] += re2;
        into[p + 1] += im2;
      }
      return;
    }
    for (let k = 0; k < m; k++) {
      let re2 = 0;
      let im2 = 0;
      for (let i = 0; i < m && 2 * (offset + i * step3) < x.length; i++) {
        const turn2 = i * k % m * step3;
        const s = 2 * (offset + i * step3);
        re2 += x[s] * cosines[turn2] - x[s + 1] * sines[turn2];
        im2 += x[s] * sines[turn2] + x[s + 1] * cosines[turn2];
      }
      into[2 * (at + k)] = re2;
      into[2 * (at + k) + 1] = im2;
    }
  };
  transform(n, 1, 0, spectrum2, 0);
  return spectrum2;
}
var binFrequency = (k, n) => 2 * k < n ? k / n : k / n - 1;
var nextPowerOfTwo = (n) => 2 ** Math.ceil(Math.log2(n));

// src/weights-text.ts
function weightsText(polynomials, delay) {
  const last = 2 * polynomials.length - 1;
  const horner = (coefficients) => coefficients.reduceRight((inner2, c2) => inner2 === "" ? wgslFloat(c2) : `fma(square, ${inner2}, ${wgslFloat(c2)})`, "");
  const lines2 = polynomials.flatMap((coefficients, j) => [
    `let even${j} = ${horner(coefficients.filter((_3, d) => d % 2 === 0))};`,
    `let odd${j} = centred * ${horner(coefficients.filter((_3, d) => d % 2 === 1))};`,
    `let weight${j} = even${j} + odd${j};`,
    `let weight${last - j} = even${j} - odd${j};`
  ]);
  return [`let centred = 2.0 * (${delay}) - 1.0;`, "let square = centred * centred;", ...lines2].join("\n");
}

// src/radar.ts
var largest2 = [
  ["carrierHz", 1e15],
  ["samplingRateHz", 1e15],
  ["prfHz", 1e15],
  ["pulseSeconds", 1e9],
  ["velocityMetersPerSecond", speedOfLight],
  ["nearRangeMeters", 1e15]
];
var mostLines = 2 ** 43;
function checkRadar(radar2) {
  checkObject(radar2, "radar", "input");
  for (const [field, most2] of largest2) {
    const value2 = radar2[field];
    if (typeof value2 !== "number" || !Number.isFinite(value2) || value2 <= 0) throw inputError(`radar.${field}`, "a positive number", value2);
    if (value2 > most2) throw inputError(`radar.${field}`, `at most ${most2}`, value2);
  }
  for (const field of ["chirpRateHzPerSecond", "dopplerCentroidHz"]) {
    if (typeof radar2[field] !== "number" || !Number.isFinite(radar2[field]))
      throw inputError(`radar.${field}`, "a finite number", radar2[field]);
  }
  if (radar2.chirpRateHzPerSecond === 0) throw inputError("radar.chirpRateHzPerSecond", "different from zero", 0);
  if (radar2.startSeconds !== void 0 && !(Math.abs(radar2.startSeconds) * radar2.prfHz <= mostLines))
    throw inputError("radar.startSeconds", "a finite number, within 2^43 lines of zero", radar2.startSeconds);
  if (chirpBandwidthHz(radar2) > radar2.samplingRateHz * 1.0001) {
    throw inputError("radar.samplingRateHz", `at least the chirp bandwidth of ${chirpBandwidthHz(radar2)} Hz`, radar2.samplingRateHz);
  }
  if (radar2.pulseSeconds * radar2.samplingRateHz < 1) throw inputError("radar.pulseSeconds", "at least one sample long", radar2.pulseSeconds);
  if (Math.abs(radar2.dopplerCentroidHz) >= maxDopplerHz(radar2)) {
    throw inputError("radar.dopplerCentroidHz", `below 2V/\u03BB = ${maxDopplerHz(radar2)} Hz in magnitude`, radar2.dopplerCentroidHz);
  }
}
var chirpBandwidthHz = (radar2) => Math.abs(radar2.chirpRateHzPerSecond) * radar2.pulseSeconds;
var rangeSpacingMeters = (radar2) => speedOfLight / (2 * radar2.samplingRateHz);
var maxDopplerHz = (radar2) => 2 * radar2.velocityMetersPerSecond / wavelengthMeters(radar2);
var migrationFactor = (radar2, dopplerHz) => Math.sqrt(1 - (dopplerHz / maxDopplerHz(radar2)) ** 2);
var azimuthRateHzPerSecond = (radar2, slantRangeMeters, dopplerHz) => 2 * radar2.velocityMetersPerSecond ** 2 * migrationFactor(radar2, dopplerHz) ** 3 / (wavelengthMeters(radar2) * slantRangeMeters);
var beamOffsetSeconds = (radar2, slantRangeMeters, dopplerHz) => -wavelengthMeters(radar2) * slantRangeMeters * dopplerHz / (2 * radar2.velocityMetersPerSecond ** 2 * migrationFactor(radar2, dopplerHz));

// src/wasm/binaries.ts
var binary2 = "AGFzbQEAAAABEAJgBX9/f39/AGAEf39/fwACEgEDZW52Bm1lbW9yeQIDAYCABAMEAwAAAQceAwhjb3VwbGluZwACB2RlY2liZWwAAQVwb3dlcgAACusVA8kCAQN7A0AgAkEASgRAIAJBAUoEeyAD/QAEAAUgA/1dAwALIgUgBf0NAAECAwgJCgsAAQIDCAkKC/1fIgYgBv3yASAFIAX9DQQFBgcMDQ4PBAUGBwwNDg/9XyIFIAX98gH98AH9XiEGIAJBA0oEeyAD/QAEEAUgAkECSgR7IAP9XQMQBf0MAAAAAAAAAAAAAAAAAAAAAAsLIgUgBf0NAAECAwgJCgsAAQIDCAkKC/1fIgcgB/3yASAFIAX9DQQFBgcMDQ4PBAUGBwwNDg/9XyIFIAX98gH98AH9XiEFAkAgAkEETgRAIAQgBiAF/Q0AAQIDBAUGBxAREhMUFRYX/QsEAAwBCyAEIAb9WgIAACACQQFKBEAgBCAG/VoCBAELIAJBAkoEQCAEIAX9WgIIAAsLIAJBBGshAiADQSBqIQMgBEEQaiEEDAELCwvyCQIKewF8IAAqAgC7Ig/9FCEFRAAAAAAA4G9AIAAqAgS7IA+ho/0UIQYDQCACQQBKBEAgAkEBSgR7IAP9AAQABSAD/V0DAAsiByAH/Q0AAQIDCAkKCwABAgMICQoL/V8iCCAI/fIBIAcgB/0NBAUGBwwNDg8EBQYHDA0OD/1fIgcgB/3yAf3wASII/QwzxICZYV8JADPEgJlhXwkA/c4BIgf9DP///////w8A////////DwD9Tv0MzTt/Zp6g5j/NO39mnqDmP/3OASIJ/QwAAAAAAADwPwAAAAAAAPA//fEBIAn9DAAAAAAAAPA/AAAAAAAA8D/98AH98wEiCyAL/fIBIQwgAkEDSgR7IAP9AAQQBSACQQJKBHsgA/1dAxAF/QwAAAAAAAAAAAAAAAAAAAAACwsiCSAJ/Q0AAQIDCAkKCwABAgMICQoL/V8iCiAK/fIBIAkgCf0NBAUGBwwNDg8EBQYHDA0OD/1fIgkgCf3yAf3wASIJ/QwzxICZYV8JADPEgJlhXwkA/c4BIg39DP///////w8A////////DwD9Tv0MzTt/Zp6g5j/NO39mnqDmP/3OASIK/QwAAAAAAADwPwAAAAAAAPA//fEBIAr9DAAAAAAAAPA/AAAAAAAA8D/98AH98wEiDiAO/fIBIQogB0E0/c0B/QwAAAAAAAAwQwAAAAAAADBD/VD9DP8DAAAAADBD/wMAAAAAMEP98QEgC/0MFO0rZUcVB0AU7StlRxUHQCAM/Qw9/jvRCcfuPz3+O9EJx+4/IAz9DOv7ZvR3d+I/6/tm9Hd34j8gDP0MfaPm6txY2j99o+bq3FjaPyAM/QzvGS33Oc7VP+8ZLfc5ztU//fIB/fAB/fIB/fAB/fIB/fAB/fIB/fAB/fIB/fAB/QwAAAAAAADw/wAAAAAAAPD/IAggCP0MAAAAAAAAAAAAAAAAAAAAAP1H/VIgCP0MAAAAAAAAAAAAAAAAAAAAAP1KIAj9DAAAAAAAAPB/AAAAAAAA8H/9Sf1O/VL9DH9YxyQYFQhAf1jHJBgVCED98gEgBf3xASAG/fIB/QwAAAAAAADgPwAAAAAAAOA//fAB/fwBIA1BNP3NAf0MAAAAAAAAMEMAAAAAAAAwQ/1Q/Qz/AwAAAAAwQ/8DAAAAADBD/fEBIA79DBTtK2VHFQdAFO0rZUcVB0AgCv0MPf470QnH7j89/jvRCcfuPyAK/Qzr+2b0d3fiP+v7ZvR3d+I/IAr9DH2j5urcWNo/faPm6txY2j8gCv0M7xkt9znO1T/vGS33Oc7VP/3yAf3wAf3yAf3wAf3yAf3wAf3yAf3wAf3yAf3wAf0MAAAAAAAA8P8AAAAAAADw/yAJIAn9DAAAAAAAAAAAAAAAAAAAAAD9R/1SIAn9DAAAAAAAAAAAAAAAAAAAAAD9SiAJ/QwAAAAAAADwfwAAAAAAAPB//Un9Tv1S/Qx/WMckGBUIQH9YxyQYFQhA/fIBIAX98QEgBv3yAf0MAAAAAAAA4D8AAAAAAADgP/3wAf38Af0NAAECAwQFBgcQERITFBUWFyIHIAf9hQEiByAH/WYhByACQQROBEAgBCAH/VoCAAAFIAQgB/1YAAAAIAJBAUoEQCAEIAf9WAABAQsgAkECSgRAIAQgB/1YAAICCwsgAkEEayECIANBIGohAyAEQQRqIQQMAQsLC6kJAwx7AXwDfyAAKAIEIAEgACoCCPwBIhFuIhNBDGxqIhIqAgC7/RQhBiASKgIEu/0UIQcgEioCCLv9FCEIIBG4IhD9FCEFRAAAAAAAAABAIBCj/RQhCSABIBEgE2xruCIQ/RQgEEQAAAAAAADwP6D9IgEhBCAAKAIAIAFBA3RqIQADQCACQQBKBEAgBCAEIAT98AEgBf1MIAX9Tv3xASAJ/fIBIgogCv3yASAGIAogByAKIAj98gH98AH98gH98AH98gEiCiAK/ZQB/fEB/QwAAAAAAADwQQAAAAAAAPBB/fIB/QwAAAAAAAA4QwAAAAAAADhD/fABIAT9DAAAAAAAAABAAAAAAAAAAED98AEiCiAKIAr98AEgBf1MIAX9Tv3xASAJ/fIBIgogCv3yASAGIAogByAKIAj98gH98AH98gH98AH98gEiCiAK/ZQB/fEB/QwAAAAAAADwQQAAAAAAAPBB/fIB/QwAAAAAAAA4QwAAAAAAADhD/fAB/Q0AAQIDCAkKCxAREhMYGRobIgr9DAAAACAAAAAgAAAAIAAAACD9rgFBHv2tASENIAogDUEe/asB/bEB/foB/QwAAAAxAAAAMQAAADEAAAAx/eYBIgogCv3mASELIAr9DNsPST/bD0k/2w9JP9sPST8gC/0M3V2lvd1dpb3dXaW93V2lvSAL/QxiLyM7Yi8jO2IvIztiLyM7IAv9DKDNFrigzRa4oM0WuKDNFrj95gH95AH95gH95AH95gH95AH95gEiCv0MAACAPwAAgD8AAIA/AACAPyAL/Qzm6Z2+5umdvubpnb7m6Z2+IAv9DPXggTz14IE89eCBPPXggTwgC/0MzOWquczlqrnM5aq5zOWquSAL/QxJsm02SbJtNkmybTZJsm02/eYB/eQB/eYB/eQB/eYB/eQB/eYB/eQBIg4gDUEf/asBQR/9rAEiD/1SIA39DAEAAAABAAAAAQAAAAEAAAD9rgH9DAIAAAACAAAAAgAAAAIAAAD9TkEe/asB/VEhCyACQQFKBHsgAP0ABAAFIAD9XQMACyIMIAsgC/0NAAECAwABAgMEBQYHBAUGB/3mASAMIAz9DQQFBgcAAQIDDA0ODwgJCgsgDiAKIA/9UiAN/QwCAAAAAgAAAAIAAAACAAAA/U5BHv2rAf1RIgogCv0NAAECAwABAgMEBQYHBAUGB/0MAAAAgAAAAAAAAACAAAAAAP1R/eYB/eQBIQwgAkEDSgR7IAD9AAQQBSACQQJKBHsgAP1dAxAF/QwAAAAAAAAAAAAAAAAAAAAACwsiDSALIAv9DQgJCgsICQoLDA0ODwwNDg/95gEgDSAN/Q0EBQYHAAECAwwNDg8ICQoLIAogCv0NCAkKCwgJCgsMDQ4PDA0OD/0MAAAAgAAAAAAAAACAAAAAAP1R/eYB/eQBIQoCQCACQQROBEAgAyAM/QsEACADIAr9CwQQDAELIAMgDP1bAwAAIAJBAUoEQCADIAz9WwMIAQsgAkECSgRAIAMgCv1bAxAACwsgBP0MAAAAAAAAEEAAAAAAAAAQQP3wASEEIAJBBGshAiAAQSBqIQAgA0EgaiEDDAELCws=";

// src/wasm/hooks.ts
var modules = lazyModules(binary2);
function wasmHook(entry, fits4) {
  return fits4 ? { wasm: { ...modules(), entry, precision: "f32" } } : {};
}

// src/range-doppler/exposed-lines.ts
function exposedLines(radar2, lines2, bandwidthHz, rangesMeters) {
  const seen = (side2) => rangesMeters.map((range) => beamOffsetSeconds(radar2, range, radar2.dopplerCentroidHz + side2 * bandwidthHz / 2) * radar2.prfHz);
  const [early, late] = [seen(1), seen(-1)];
  const [first2, last] = [-0.5, lines2 - 0.5];
  const partFrom = Math.floor(first2 - Math.max(...late)) + 1;
  const partEnd = Math.ceil(last - Math.min(...early));
  const fullFrom = Math.ceil(first2 - Math.min(...early));
  const fullEnd = Math.floor(last - Math.max(...late)) + 1;
  return { part: [partFrom, Math.max(1, partEnd - partFrom)], full: [fullFrom, Math.max(0, fullEnd - fullFrom)] };
}

// src/range-doppler/azimuth.ts
var pieceRows = 4096;
function linesOf3({ migration, reference, cells }) {
  let steepest = 0;
  for (const d of migration) steepest = Math.max(steepest, Math.abs(reference / d - 1));
  const bits2 = Math.max(1, Math.min(fineBits, 30 - Math.ceil(Math.log2(2 * cells * steepest + 4))));
  return { lines: migration.length, extent: cells, degree: 1, bits: bits2 };
}
var migrationBits = (geometry) => linesOf3(geometry).bits;
function* migrationTable(geometry, corrected) {
  const { radar: radar2, migration, reference, guard, firstCell } = geometry;
  const nearCells = radar2.nearRangeMeters / rangeSpacingMeters(radar2) + firstCell;
  const lines2 = linesOf3(geometry);
  const table = new Uint32Array(positionColumns(1) * migration.length);
  for (const [k, d] of migration.entries()) {
    if (k % pieceRows === 0) yield;
    const slope = corrected ? reference / d - 1 : 0;
    setLinePositions(table, lines2, k, [guard[0] + nearCells * slope, 1 + slope]);
  }
  return table;
}
function* phaseTable(geometry, remainder2) {
  const { radar: radar2, migration, axes } = geometry;
  const { start, step: step3 } = axes.slantRangeMeters;
  const lines2 = linesOf3(geometry);
  const table = new Uint32Array(phaseColumns(1) * migration.length);
  const perMeter = 2 * radar2.carrierHz / speedOfLight;
  for (const [k, d] of migration.entries()) {
    if (k % pieceRows === 0) yield;
    const left = remainder2(k, start);
    const slope = perMeter * step3 * (d - 1) + remainder2(k, start + step3) - left;
    setLinePhase(table, lines2, k, [perMeter * start * (d - 1) + left, slope]);
  }
  return table;
}
function migrationLoad(doppler, cells, interpolator, bits2 = fineBits) {
  const [width, rows] = doppler.shape;
  const polynomials = typeof interpolator === "object" && "polynomials" in interpolator ? interpolator.polynomials : void 0;
  const single2 = ["c64", "cf16"].includes(doppler.dtype);
  return gather({
    name: "migration and azimuth phase",
    layout: { dtype: doppler.dtype, shape: [cells, rows] },
    samples: doppler,
    axis: 0,
    positions: { kind: "polynomial", degree: 1, bits: bits2 },
    phase: { degree: 1 },
    interpolator,
    ports: { samples: "doppler", positions: "migration" },
    ...!single2 && { weightType: "f64" },
    // The texts multiply 16 bits by a cell.
    ...polynomials && single2 && cells <= 2 ** 16 && { tuned: tunedMigration({ width, rows, cells, bits: bits2, polynomials }) }
  });
}
var tunedMigration = (tuned2) => ({ wgsl: migrationText(tuned2), wgslPair: { axis: 0, text: pairText(tuned2) } });
var rowText = (rows) => `let row = at[1];
let cell = at[0];
let before = bitcast<i32>(load_migration(row));
let offset = bitcast<i32>(load_migration(${rows}u + row));
let slope = bitcast<i32>(load_migration(${2 * rows}u + row));
let base = load_phase(row);
let turn = load_phase(${rows}u + row);
let fine = load_phase(${2 * rows}u + row);`;
function shiftText(cell, cells) {
  const bits2 = cells > 1 ? 32 - Math.clz32(cells - 1) : 0;
  return `offset + (slope >> ${bits2}u) * i32(${cell}) + i32(((bitcast<u32>(slope) & ${2 ** bits2 - 1}u) * ${cell}) >> ${bits2}u)`;
}
var delayText = (shift2, bits2) => `f32(${shift2} & ${2 ** bits2 - 1}i) * ${wgslFloat(2 ** -bits2)}`;
var turnText = (cell) => `cis(f32(bitcast<i32>(base + turn * ${cell} + ((fine * ${cell}) >> 16u))) * ${wgslFloat(2 ** -32)})`;
function migrationText({ width, rows, cells, bits: bits2, polynomials }) {
  const taps3 = Array.from({ length: 2 * polynomials.length }, (_3, j) => j);
  return `${rowText(rows)}
let shift = ${shiftText("cell", cells)};
let first = i32(cell) + before + (shift >> ${bits2}u) - ${polynomials.length - 1}i;
var sum = vec2f();
${weightsText(polynomials, delayText("shift", bits2))}
if (first >= 0i && first <= ${width - taps3.length}i) {
  let start = u32(first) * ${rows}u + row;
${taps3.map((j) => `  sum += weight${j} * load_doppler(start + ${j * rows}u);`).join("\n")}
} else {
${taps3.map((j) => `  if (first >= ${-j}i && first < ${width - j}i) { sum += weight${j} * load_doppler(u32(first + ${j}i) * ${rows}u + row); }`).join("\n")}
}
return cmul(sum, ${turnText("cell")});`;
}
function pairText({ width, rows, cells, bits: bits2, polynomials }) {
  const count2 = 2 * polynomials.length;
  const taps3 = Array.from({ length: count2 }, (_3, j) => j);
  const sum2 = (from) => taps3.map((j) => `weight${j} * s${from + j}`).join(" + ");
  return `${rowText(rows)}
let near = ${shiftText("cell", cells)};
let next = ${shiftText("(cell + 1u)", cells)};
let first = i32(cell) + before + (near >> ${bits2}u) - ${polynomials.length - 1}i;
var a = vec2f();
var b = vec2f();
if ((next >> ${bits2}u) == (near >> ${bits2}u) && first >= 0i && first < ${width - count2}i) {
  let start = u32(first) * ${rows}u + row;
${[...taps3, count2].map((j) => `  let s${j} = load_doppler(start + ${j * rows}u);`).join("\n")}
  {
${weightsText(polynomials, delayText("near", bits2))}
    a = cmul(${sum2(0)}, ${turnText("cell")});
  }
  {
${weightsText(polynomials, delayText("next", bits2))}
    b = cmul(${sum2(1)}, ${turnText("(cell + 1u)")});
  }
} else {
  for (var c = 0u; c < 2u; c++) {
    var place = at;
    place[0] = cell + c;
    let one = dechirp_load(place);
    if (c == 0u) { a = one; } else { b = one; }
  }
}
return vec4f(a, b);`;
}
function* azimuthFilter(geometry, window) {
  const { radar: radar2, azimuthLength: n, dopplerHz, firstLine: firstLine2, midRangeMeters, processedBandwidthHz: processedBandwidthHz2 } = geometry;
  const w = windowFunction(window);
  const weights = new Float64Array(n);
  for (let k = 0; k < n; k++) {
    weights[k] = w((dopplerHz[k] - radar2.dopplerCentroidHz) / processedBandwidthHz2);
    if (k % pieceRows === 0) yield;
  }
  const rate = azimuthRateHzPerSecond(radar2, midRangeMeters, radar2.dopplerCentroidHz);
  const gain = weights.reduce((sum2, v) => sum2 + v, 0) / n * (radar2.prfHz / Math.sqrt(rate));
  const filter = new Float64Array(2 * n);
  const roll = (-firstLine2 % n + n) % n;
  for (let k = 0; k < n; k++) {
    const angle = 2 * Math.PI * (1 / 8 - k * roll % n / n);
    filter[2 * k] = weights[k] / gain * Math.cos(angle);
    filter[2 * k + 1] = weights[k] / gain * Math.sin(angle);
    if (k % pieceRows === 0) yield;
  }
  return filter;
}

// src/range-doppler/geometry.ts
function imageGeometry(params2) {
  const { radar: radar2, lines: lines2, samples: samples2 } = params2;
  checkRadar(radar2);
  for (const [field, value2] of Object.entries({ lines: lines2, samples: samples2 })) {
    if (!Number.isInteger(value2) || value2 < 1 || value2 > maxTransformLength)
      throw inputError(field, `an integer from 1 to ${maxTransformLength}`, value2);
  }
  const pulse = chirpSamples(radar2);
  const exposed = samples2 - pulse + 1;
  if (exposed < 1) throw inputError("samples", `at least the ${pulse} samples of a pulse`, samples2);
  const processedBandwidthHz2 = params2.processedBandwidthHz ?? radar2.prfHz;
  if (!(processedBandwidthHz2 > 0 && processedBandwidthHz2 <= radar2.prfHz))
    throw inputError("processedBandwidthHz", `positive and at most the PRF of ${radar2.prfHz} Hz`, processedBandwidthHz2);
  for (const f of [-0.5, 0.5].map((edge) => radar2.dopplerCentroidHz + edge * radar2.prfHz)) {
    if (!(migrationFactor(radar2, f) > 0.05))
      throw inputError("radar.prfHz", `such that the Doppler band stays well below 2V/\u03BB; it holds ${f} Hz`, radar2.prfHz);
  }
  const reference = migrationFactor(radar2, radar2.dopplerCentroidHz);
  const spacing = rangeSpacingMeters(radar2);
  const edgesMeters = [0, exposed - 1].map((cell) => (radar2.nearRangeMeters + cell * spacing) * reference);
  const { azimuthLength, ...placed } = placeRows(params2, processedBandwidthHz2, edgesMeters);
  if (processedBandwidthHz2 < radar2.prfHz / azimuthLength)
    throw inputError(
      "processedBandwidthHz",
      `at least ${radar2.prfHz / azimuthLength} Hz, the spacing of Doppler frequencies`,
      processedBandwidthHz2
    );
  const dopplerHz = new Float64Array(azimuthLength);
  const migration = new Float64Array(azimuthLength);
  for (let k = 0; k < azimuthLength; k++) {
    const baseband = k * radar2.prfHz / azimuthLength;
    dopplerHz[k] = baseband + radar2.prfHz * Math.round((radar2.dopplerCentroidHz - baseband) / radar2.prfHz);
    migration[k] = migrationFactor(radar2, dopplerHz[k]);
  }
  const farCell = radar2.nearRangeMeters / spacing + exposed - 1;
  const taps3 = params2.rcmc === "off" ? 0 : interpolatorTaps(params2.rcmc ?? "nearest");
  let [nearest2, farthest] = [0, 0];
  for (let k = 0; params2.rcmc !== "off" && k < azimuthLength; k++) {
    const cells2 = farCell * (reference / migration[k] - 1);
    nearest2 = Math.min(nearest2, cells2);
    farthest = Math.max(farthest, cells2);
  }
  const near = taps3 / 2 + Math.ceil(-nearest2);
  const far = taps3 / 2 + Math.ceil(farthest);
  const most2 = 4 * samples2;
  if (near + far + 3 > most2) throw inputError("radar.prfHz", `low enough that no target migrates by more than ${most2} cells`, radar2.prfHz);
  const { cells, firstCell, guard, rangeLength } = rangeCells(params2, exposed, near, far);
  const nearMeters = (radar2.nearRangeMeters + firstCell * spacing) * reference;
  const midRangeMeters = nearMeters + (cells - 1) / 2 * spacing * reference;
  const start = (radar2.startSeconds ?? 0) + placed.firstLine / radar2.prfHz;
  const azimuthSeconds = { count: placed.rows, start, step: 1 / radar2.prfHz };
  const v = radar2.velocityMetersPerSecond;
  return {
    radar: radar2,
    lines: lines2,
    processedBandwidthHz: processedBandwidthHz2,
    rangeLength,
    azimuthLength,
    ...placed,
    cells,
    firstCell,
    guard,
    dopplerHz,
    migration,
    reference,
    midRangeMeters,
    axes: {
      azimuthSeconds,
      azimuthMeters: { count: placed.rows, start: start * v, step: v / radar2.prfHz },
      slantRangeMeters: { count: cells, start: nearMeters, step: spacing * reference }
    }
  };
}
var longestDefault = [2 ** 17, 64];
function placeRows({ radar: radar2, lines: lines2, azimuthLength: given, rows: kept2 = "all" }, processedBandwidthHz2, rangesMeters) {
  if (kept2 !== "all" && kept2 !== "full") throw inputError("rows", "all or full", kept2);
  const { part, full } = exposedLines(radar2, lines2, processedBandwidthHz2, rangesMeters);
  if (kept2 === "full" && full[1] === 0) {
    const needed2 = part[1] - lines2;
    throw inputError(
      "rows",
      `all, because no row is exposed over the whole processed band in every column, which needs more than ${needed2} lines`,
      kept2
    );
  }
  const fading = Math.ceil(
    fadingUnits * radar2.prfHz / Math.sqrt(azimuthRateHzPerSecond(radar2, rangesMeters[1], radar2.dopplerCentroidHz))
  );
  const unfolded = part[1] + fading;
  const needed = kept2 === "full" ? lines2 + fading : unfolded;
  const most2 = Math.min(maxTransformLength, Math.max(longestDefault[0], longestDefault[1] * lines2));
  if (given === void 0 && !(needed <= most2)) {
    throw inputError(
      "azimuthLength",
      `given for ${lines2} lines that expose ${part[1]} rows, more than ${most2}; a narrower processedBandwidthHz takes less`,
      given
    );
  }
  const azimuthLength = given ?? fastLength(needed);
  if (!Number.isInteger(azimuthLength) || azimuthLength < lines2 || azimuthLength > maxTransformLength)
    throw inputError("azimuthLength", `an integer of at least ${lines2}, the lines, and at most ${maxTransformLength}`, azimuthLength);
  const outside = Math.max(0, part[1] - azimuthLength);
  const middle = part[0] + Math.round(outside / 2);
  const [firstLine2, rows] = kept2 === "full" ? full : [middle, given ?? part[1]];
  return {
    azimuthLength,
    rows,
    firstLine: firstLine2,
    exposure: {
      fullRows: [full[1] === 0 ? 0 : full[0] - firstLine2, full[1]],
      exposedRows: [0, Math.min(rows, part[1])],
      foldedRows: kept2 === "full" ? 0 : Math.min(azimuthLength, outside),
      unfoldedLength: unfolded <= maxTransformLength ? fastLength(unfolded) : unfolded
    }
  };
}
var fadingUnits = 4;
var fastLength = (n) => 16 * nextFastLength(Math.ceil(n / 16));
function rangeCells({ samples: samples2, rangeLength }, exposed, near, far) {
  const guard = [near, far + (-(near + exposed + far) & 3)];
  const padded = samples2 + guard[0] + guard[1];
  const length = rangeLength ?? nextPowerOfTwo(padded);
  if (!Number.isInteger(length) || length < samples2 || length > maxTransformLength)
    throw inputError("rangeLength", `an integer from ${samples2} to ${maxTransformLength}`, length);
  if (length >= padded) return { cells: exposed, firstCell: 0, guard, rangeLength: length };
  const cells = exposed - near - far - (-(near + far) & 3) & ~3;
  if (cells < 4)
    throw inputError("rangeLength", `at least ${padded}, because ${exposed} cells are too few for ${near + far} guard cells`, length);
  return { cells, firstCell: near, guard: [near, far + (-(near + cells + far) & 3)], rangeLength: length };
}

// src/range-doppler/params.ts
var defaultWindow = { kind: "kaiser", beta: 2.5 };
var defaultRcmc = { kind: "sinc", taps: 8, window: "kaiser" };

// src/range-doppler/range.ts
function couplingCycles(radar2, slantRangeMeters, dopplerHz) {
  const d = migrationFactor(radar2, dopplerHz);
  const scale = 2 * slantRangeMeters * radar2.carrierHz / speedOfLight;
  return [
    scale / 2 * (1 / d - 1 / d ** 3),
    scale / 2 * (1 / d ** 5 - 1 / d ** 3),
    scale * (-1 / (8 * d ** 3) + 3 / (4 * d ** 5) - 5 / (8 * d ** 7))
  ];
}
var cyclesAt = ([a2, b2, c2], u) => u * u * (a2 + u * (b2 + u * c2));
function foldingErrorRadians(geometry, processedBandwidthHz2) {
  const { radar: radar2, midRangeMeters, axes } = geometry;
  const u = chirpBandwidthHz(radar2) / 2 / radar2.carrierHz;
  const folded = cyclesAt(couplingCycles(radar2, midRangeMeters, radar2.dopplerCentroidHz), u);
  const near = axes.slantRangeMeters.start;
  const far = near + (axes.slantRangeMeters.count - 1) * axes.slantRangeMeters.step;
  const limit2 = 0.999 * maxDopplerHz(radar2);
  let worst2 = 0;
  for (const range of [near, far]) {
    for (const side2 of [-1, 1]) {
      const doppler = Math.max(-limit2, Math.min(limit2, radar2.dopplerCentroidHz + side2 * processedBandwidthHz2 / 2));
      worst2 = Math.max(worst2, 2 * Math.PI * Math.abs(cyclesAt(couplingCycles(radar2, range, doppler), u) - folded));
    }
  }
  return worst2;
}
function rangeFilter(geometry, window, folded) {
  const { radar: radar2, rangeLength: n, guard, firstCell, midRangeMeters } = geometry;
  const delay = guard[0] - firstCell;
  const filter = designSpectrum(chirpReplica(radar2), n);
  const coupling = couplingCycles(radar2, midRangeMeters, radar2.dopplerCentroidHz);
  const taper2 = windowFunction(window);
  const flat = radar2.samplingRateHz ** 2 / Math.abs(radar2.chirpRateHzPerSecond);
  let gain = 0;
  for (let k = 0; k < n; k++) {
    const f = binFrequency(k, n) * radar2.samplingRateHz;
    const u = f / radar2.carrierHz;
    const cycles = (folded ? cyclesAt(coupling, u) : 0) - k * delay % n / n;
    const angle = 2 * Math.PI * (cycles - Math.round(cycles));
    const power = Math.max(filter[2 * k] ** 2 + filter[2 * k + 1] ** 2, flat / 8);
    const weight = taper2(f / chirpBandwidthHz(radar2));
    gain += weight / n;
    const [c2, s] = [Math.cos(angle) * weight / power, Math.sin(angle) * weight / power];
    const [re2, im2] = [filter[2 * k], -filter[2 * k + 1]];
    filter[2 * k] = re2 * c2 - im2 * s;
    filter[2 * k + 1] = re2 * s + im2 * c2;
  }
  return filter.map((value2) => value2 / gain);
}
var pieceRows2 = 4096;
function* couplingTable(geometry) {
  const { radar: radar2, midRangeMeters, dopplerHz } = geometry;
  const u = radar2.samplingRateHz / 2 / radar2.carrierHz;
  const table = new Float64Array(3 * dopplerHz.length);
  for (const [k, f] of dopplerHz.entries()) {
    if (k % pieceRows2 === 0) yield;
    const [a2, b2, c2] = couplingCycles(radar2, midRangeMeters, f);
    table.set([a2 * u ** 2, b2 * u ** 3, c2 * u ** 4], 3 * k);
  }
  return table;
}
function* couplingRemainder(geometry, window, mode) {
  if (mode === "off") return () => 0;
  const { radar: radar2, midRangeMeters, dopplerHz } = geometry;
  const half = chirpBandwidthHz(radar2) / 2 / radar2.carrierHz;
  const weights = windowSamples(window, 255);
  let weight = 0;
  let moment = 0;
  weights.forEach((w, i) => {
    weight += w;
    moment += w * ((2 * i + 1) / weights.length - 1) ** 2;
  });
  const meanSquare = moment / weight * half ** 2;
  const compensated = new Float64Array(dopplerHz.length);
  for (const [k, f] of dopplerHz.entries()) {
    compensated[k] = couplingCycles(radar2, midRangeMeters, mode === "range" ? radar2.dopplerCentroidHz : f)[0];
    if (k % pieceRows2 === 0) yield;
  }
  return (row, slantRangeMeters) => meanSquare * (couplingCycles(radar2, slantRangeMeters, dopplerHz[row])[0] - compensated[row]);
}
var rawLoad = (raw2, lineGain) => load2(
  { name: "raw \xD7 line gain", layout: raw2, sources: { raw: raw2, lineGain } },
  ({ at, raw: raw3, lineGain: lineGain2 }) => times4(raw3(at), lineGain2(at[0]))
);
function couplingLoad(spectrum2, coupling) {
  const n = spectrum2.shape[1];
  const wasm = spectrum2.dtype === "c64" && coupling.dtype === "f32" && n <= maxWasmConstant;
  const tuned2 = wasm ? { tuned: { constants: { n }, ...wasmHook("coupling", true) } } : {};
  return load2({ name: "secondary range compression", layout: spectrum2, sources: { spectrum: spectrum2, coupling }, ...tuned2 }, (names) => {
    const { at, spectrum: spectrum3, coupling: coupling2 } = names;
    const [row, bin2] = at;
    const table = (power) => coupling2(row, power);
    const x = times4(toReal(select(less(bin2, Math.ceil(n / 2)), bin2, minus(bin2, n))), 2 / n);
    const cycles = times4(times4(x, x), plus2(table(0), times4(x, plus2(table(1), times4(x, table(2))))));
    return times4(spectrum3(at), cis(cycles));
  });
}

// src/range-doppler/storage.ts
function storesOf(params2, dtype) {
  const { storage = "f32", rawPeak = integerPeak(params2) } = params2;
  if (storage !== "f32" && storage !== "f16") throw inputError("storage", "f32 or f16", storage);
  if (storage === "f32") {
    return {
      array: (rows, columns) => ({ dtype, shape: [rows, columns] }),
      scale: () => 1,
      store: () => ({}),
      source: () => ({ hook: {}, port: "in" })
    };
  }
  if (dtype !== "c64") throw inputError("storage", "f32 if precision is f64", storage);
  if (!(typeof rawPeak === "number" && rawPeak > 1e-30 && rawPeak < 1e30))
    throw inputError("rawPeak", "the largest magnitude of a sample, from 1e-30 to 1e30, if f16 storage holds floats", rawPeak);
  return {
    array: (rows, columns) => ({ dtype: "cf16", shape: [rows, columns] }),
    scale: (largest3) => 2 ** Math.floor(Math.log2(2 ** 15 / (largest3 * rawPeak))),
    store: (scale) => ({ store: halfStore(scale) }),
    source: (name, layout2) => ({ hook: { load: halfLoad(name, layout2) }, port: name })
  };
}
function integerPeak({ rawType, lineGain }) {
  const largest3 = rawType === "ci8" ? 2 ** 7 : rawType === "ci16" ? 2 ** 15 : void 0;
  if (largest3 === void 0) return void 0;
  const gain = lineGain ? Array.from(lineGain).reduce((most2, value2) => Math.max(most2, Math.abs(value2)), 0) : 1;
  return largest3 * Math.SQRT2 * gain;
}
function responseNorm(spectrum2) {
  return Math.sqrt(spectrum2.reduce((sum2, value2) => sum2 + value2 * value2, 0) / (spectrum2.length / 2));
}
function halfStore(scale) {
  return {
    name: "half",
    dtype: "cf16",
    constants: { scale },
    sources: {},
    wgsl: () => `return ${wgslFloat(scale)} * value;`,
    reference: (_3, [re2, im2]) => [re2 * scale, im2 * scale]
  };
}
function halfLoad(name, layout2) {
  const columns = layout2.shape[1];
  return {
    name: "half",
    constants: { columns },
    sources: { [name]: layout2 },
    wgsl: () => `return load_${name}(at[0] * ${columns}u + at[1]);`,
    reference: ([row, column], sources) => [sources[name].re(row * columns + column), sources[name].im(row * columns + column)]
  };
}

// src/range-doppler/program.ts
var fieldsOfParams = {
  radar: "object",
  lines: "number",
  samples: "number",
  rawType: "string",
  lineGain: "object",
  precision: "string",
  rangeWindow: "object",
  azimuthWindow: "object",
  processedBandwidthHz: "number",
  rcmc: true,
  src: "string",
  azimuthLength: "number",
  rows: "string",
  rangeLength: "number",
  storage: "string",
  rawPeak: "number"
};
var foldingLimitRadians = Math.PI / 8;
var rangeDoppler = (params2) => runToEnd(rangeDopplerSteps(params2));
function* rangeDopplerSteps(params2) {
  checkSpelling(params2, fieldsOfParams, "parameters of rangeDoppler");
  const { radar: radar2, lines: lines2, samples: samples2, rangeWindow = defaultWindow, azimuthWindow = defaultWindow, rcmc = defaultRcmc, src = "on" } = params2;
  checkWindow(rangeWindow, "rangeWindow", { continuous: true });
  checkWindow(azimuthWindow, "azimuthWindow", { continuous: true });
  if (rcmc !== "off") checkInterpolator(rcmc, "rcmc");
  const { precision = "f32" } = params2;
  if (precision !== "f32" && precision !== "f64") throw inputError("precision", "f32 or f64", precision);
  if (!["off", "on", "range", "doppler"].includes(src)) throw inputError("src", "off, on, range or doppler", src);
  const geometry = imageGeometry({ ...params2, rcmc });
  const { processedBandwidthHz: processedBandwidthHz2 } = geometry;
  const error = foldingErrorRadians(geometry, processedBandwidthHz2);
  const mode = src === "on" ? error <= foldingLimitRadians ? "range" : "doppler" : src;
  const dtype = precision === "f64" ? "c128" : "c64";
  const real2 = realOf(dtype);
  const { azimuthLength, rangeLength, rows, cells, guard } = geometry;
  const width = guard[0] + cells + guard[1];
  const stores = storesOf(params2, dtype);
  const input = rawInput(params2, dtype);
  const array = (rows2, columns) => ({ dtype, shape: [rows2, columns] });
  const line = (n) => ({ dtype, shape: [n] });
  const table = (rows2, columns) => ({ dtype: real2, shape: [rows2, columns] });
  const oversampling = Math.max(1, radar2.samplingRateHz / chirpBandwidthHz(radar2));
  if (oversampling > 64)
    throw inputError(
      "radar.chirpRateHzPerSecond",
      "such that the bandwidth is at least 1/64 of the sampling rate",
      radar2.chirpRateHzPerSecond
    );
  const kernel = rcmc === "off" || rcmc === "nearest" ? void 0 : interpolatorTable(rcmc, { oversampling });
  const compress = mode === "doppler" ? yield* inTwoDimensions() : lineByLine();
  function lineByLine() {
    const filter2 = rangeFilter(geometry, rangeWindow, mode === "range");
    const largest3 = Math.sqrt(samples2) * responseNorm(filter2);
    const [first2, scale] = [largest3, lines2 * largest3].map(stores.scale);
    const compressed = stores.source("compressed", stores.array(lines2, width));
    const range = { op: "spectral-filter", layout: array(lines2, samples2), axis: 1, n: rangeLength, h: "line", keep: [0, width] };
    return {
      scale,
      constants: { ...input.constants, rangeFilter: constant(line(rangeLength), filter2) },
      steps: [
        {
          name: "range",
          op: { ...range, ...input.load && { load: input.load }, ...stores.store(first2) },
          bind: { ...input.bind, h: "rangeFilter", out: "compressed" }
        },
        {
          name: "doppler",
          op: {
            op: "fft",
            layout: array(lines2, width),
            axis: 0,
            n: azimuthLength,
            inverse: false,
            cornerTurn: true,
            ...compressed.hook,
            ...stores.store(scale / first2)
          },
          bind: { [compressed.port]: "compressed", out: "doppler" }
        }
      ]
    };
  }
  function* inTwoDimensions() {
    const ranges = stores.source("ranges", stores.array(lines2, rangeLength));
    const spectrum2 = stores.array(azimuthLength, rangeLength);
    const coupling = table(azimuthLength, 3);
    const load4 = couplingLoad(spectrum2, coupling);
    const filter2 = rangeFilter(geometry, rangeWindow, false);
    const [first2, second, scale] = [samples2, lines2 * samples2, Math.sqrt(samples2) * lines2 * responseNorm(filter2)].map(stores.scale);
    return {
      scale,
      constants: {
        ...input.constants,
        rangeFilter: constant(line(rangeLength), filter2),
        coupling: constant(coupling, yield* couplingTable(geometry))
      },
      steps: [
        {
          name: "range spectrum",
          op: {
            op: "fft",
            layout: array(lines2, samples2),
            axis: 1,
            n: rangeLength,
            inverse: false,
            ...input.load && { load: input.load },
            ...stores.store(first2)
          },
          bind: { ...input.bind, out: "ranges" }
        },
        {
          name: "doppler",
          op: {
            op: "fft",
            layout: array(lines2, rangeLength),
            axis: 0,
            n: azimuthLength,
            inverse: false,
            ...ranges.hook,
            ...stores.store(second / first2)
          },
          bind: { [ranges.port]: "ranges", out: "spectrum" }
        },
        {
          name: "range",
          op: {
            op: "filter-inverse",
            layout: array(azimuthLength, rangeLength),
            axis: 1,
            h: "line",
            keep: [0, width],
            cornerTurn: true,
            load: load4,
            ...stores.store(scale / second)
          },
          bind: { spectrum: "spectrum", coupling: "coupling", h: "rangeFilter", out: "doppler" }
        }
      ]
    };
  }
  yield;
  const migration = yield* migrationTable(geometry, rcmc !== "off");
  const phase = yield* phaseTable(geometry, yield* couplingRemainder(geometry, rangeWindow, mode));
  const filter = yield* azimuthFilter(geometry, azimuthWindow);
  for (let i = 0; i < filter.length; i++) filter[i] /= compress.scale;
  yield;
  const polynomials = kernel && interpolatorPolynomials(kernel);
  const interpolator = polynomials ? { polynomials } : kernel ?? "nearest";
  yield;
  const words4 = (rows2) => ({ dtype: "u32", shape: [rows2, azimuthLength] });
  const gathered3 = migrationLoad(stores.array(width, azimuthLength), cells, interpolator, migrationBits(geometry));
  const tabulated = "weights" in gathered3.sources && kernel !== void 0;
  return {
    name: "range-doppler",
    inputs: { raw: input.layout },
    constants: {
      ...compress.constants,
      migration: { layout: words4(positionColumns(1)), data: migration },
      phase: { layout: words4(phaseColumns(1)), data: phase },
      ...tabulated && { weights: constant(table(kernel.phases + 1, kernel.taps), kernel.table) },
      azimuthFilter: constant(line(azimuthLength), filter)
    },
    steps: [
      ...compress.steps,
      {
        name: "image",
        op: {
          op: "filter-inverse",
          layout: array(cells, azimuthLength),
          axis: 1,
          h: "line",
          cornerTurn: true,
          ...rows < azimuthLength && { keep: [0, rows] },
          load: gathered3
        },
        bind: {
          doppler: "doppler",
          migration: "migration",
          phase: "phase",
          ...tabulated && { weights: "weights" },
          h: "azimuthFilter",
          out: "image"
        }
      }
    ],
    outputs: ["image"],
    axes: geometry.axes,
    geometry,
    src: { mode, foldingErrorRadians: error },
    processedBandwidthHz: processedBandwidthHz2
  };
}
function rawInput(params2, dtype) {
  const { lines: lines2, samples: samples2, rawType = dtype, lineGain } = params2;
  const layout2 = { dtype: rawType, shape: [lines2, samples2] };
  if (!["ci8", "ci16", "c64", "c128"].includes(rawType)) throw inputError("rawType", "ci8, ci16, c64 or c128", rawType);
  if (lineGain !== void 0 && (lineGain?.length !== lines2 || !Array.from(lineGain).every(Number.isFinite))) {
    throw inputError("lineGain", `${lines2} finite numbers`, lineGain);
  }
  if (rawType === dtype && lineGain === void 0) return { layout: layout2, load: void 0, bind: { in: "raw" }, constants: {} };
  const gain = { dtype: realOf(dtype), shape: [lines2] };
  return {
    layout: layout2,
    load: rawLoad(layout2, gain),
    bind: { raw: "raw", lineGain: "lineGain" },
    constants: { lineGain: constant(gain, Float64Array.from(lineGain ?? new Array(lines2).fill(1))) }
  };
}
function constant(layout2, values) {
  const data = typedArray(layout2.dtype, values.length);
  data.set(values);
  return { layout: layout2, data };
}

// src/simulate/place.ts
function place(radar2, name, line, cell, amplitude = 1, phaseRadians = 0) {
  const slantRangeMeters = radar2.nearRangeMeters + cell * rangeSpacingMeters(radar2);
  const azimuthSeconds = (radar2.startSeconds ?? 0) + line / radar2.prfHz - beamOffsetSeconds(radar2, slantRangeMeters, radar2.dopplerCentroidHz);
  return { name, azimuthSeconds, slantRangeMeters, amplitude, phaseRadians };
}

// src/simulate/fused-sar-paper.ts
var places = [
  ["centre", 0.5, 0.4708, 0],
  ["range offset", 0.5, 0.566, 1],
  ["azimuth offset", 0.3, 0.4708, 2],
  ["diagonal", 0.68, 0.6241, -1],
  ["far", 0.57, 0.894, -2]
];
var side = 4096;
function fusedSarScene(lines2, samples2) {
  const [along, across] = [lines2 / side, samples2 / side];
  const radar2 = {
    carrierHz: 1e10,
    samplingRateHz: 12e7,
    prfHz: 250,
    chirpRateHzPerSecond: 1e8 / (2e-6 * across),
    pulseSeconds: 2e-6 * across,
    // The number of pulses of an aperture is proportional to range over speed squared.
    velocityMetersPerSecond: 120 * Math.sqrt(across / along),
    nearRangeMeters: 1e4 * across,
    dopplerCentroidHz: 0
  };
  const rangeOf2 = (cell) => radar2.nearRangeMeters + cell * samples2 * rangeSpacingMeters(radar2);
  const targets = places.map(([name, line, cell, phaseRadians], i) => {
    const amplitude = (rangeOf2(places[0][2]) / rangeOf2(cell)) ** 2;
    return place(radar2, name, line * lines2 + 0.13 + 0.17 * i, cell * samples2, amplitude, phaseRadians);
  });
  return {
    title: "Five point targets as in a paper on fused kernels, X band, broadside, 20 dB in a range-compressed pulse",
    radar: radar2,
    lines: lines2,
    samples: samples2,
    beam: { kind: "doppler-band", bandwidthHz: 204 },
    processedBandwidthHz: 170,
    rangeLength: samples2,
    targets,
    noise: { snrDb: 20 - 10 * Math.log10(chirpSamples(radar2)) },
    seed: 1
  };
}

// src/simulate/presets.ts
var defaultRadar = {
  carrierHz: 53e8,
  samplingRateHz: 15e7,
  prfHz: 160,
  chirpRateHzPerSecond: 4e13,
  pulseSeconds: 3e-6,
  velocityMetersPerSecond: 130,
  nearRangeMeters: 3e3,
  dopplerCentroidHz: 120
};
var qualityRadar = {
  carrierHz: 54e8,
  samplingRateHz: 135e6,
  prfHz: 260,
  chirpRateHzPerSecond: 1e8 / 6e-6,
  pulseSeconds: 6e-6,
  velocityMetersPerSecond: 150,
  nearRangeMeters: 15e3,
  dopplerCentroidHz: 0
};
var qualityLast = 2048 - chirpSamples(qualityRadar);
var largeRadar = {
  carrierHz: 1e10,
  samplingRateHz: 12e7,
  prfHz: 250,
  chirpRateHzPerSecond: 1e13,
  pulseSeconds: 1e-5,
  velocityMetersPerSecond: 100,
  nearRangeMeters: 2e4,
  dopplerCentroidHz: 0
};
var scenePresets = {
  default: {
    title: "Reflectors in made-up farmland by a lake, C band, slightly squinted, 1 m",
    radar: defaultRadar,
    lines: 1024,
    samples: 1024,
    beam: { kind: "doppler-band", bandwidthHz: 132 },
    processedBandwidthHz: 110,
    targets: [
      place(defaultRadar, "centre", 512.3, 287.4, 5),
      place(defaultRadar, "near", 330.75, 60.2, 5, 1),
      place(defaultRadar, "far", 690.6, 510.7, 5, 2),
      place(defaultRadar, "early", 180.1, 380.55, 5, -1),
      place(defaultRadar, "late", 860.45, 150.85, 5, -2)
    ],
    background: { levelDb: -25, density: 1, texture: "terrain" },
    noise: { snrDb: -7 },
    seed: 1
  },
  quality: {
    title: "Point targets only, for measuring impulse responses, C band, broadside",
    radar: qualityRadar,
    lines: 2048,
    samples: 2048,
    beam: { kind: "doppler-band", bandwidthHz: 210 },
    processedBandwidthHz: 175,
    targets: [
      place(qualityRadar, "centre", 1024.37, qualityLast / 2 + 0.21),
      place(qualityRadar, "near edge", 1024.81, 48.37, 1, 0.5),
      place(qualityRadar, "far edge", 1024.13, qualityLast - 52.29, 1, 1),
      place(qualityRadar, "early", 620.44, qualityLast / 2 + 100.58, 1, 1.5),
      place(qualityRadar, "late", 1427.69, qualityLast / 2 - 100.17, 1, 2),
      place(qualityRadar, "early near", 700.06, 160.93, 1, 2.5),
      place(qualityRadar, "late far", 1350.92, qualityLast - 170.46, 1, 3)
    ],
    seed: 1
  },
  large: {
    title: "Five point targets in noise, X band, broadside, 4096 by 4096",
    radar: largeRadar,
    lines: 4096,
    samples: 4096,
    beam: { kind: "doppler-band", bandwidthHz: 204 },
    processedBandwidthHz: 170,
    targets: [
      place(largeRadar, "centre", 2048.25, 1448.4),
      place(largeRadar, "near edge", 1900.6, 64.7, 1, 1),
      place(largeRadar, "far edge", 2210.35, 2820.15, 1, 2),
      place(largeRadar, "early", 1000.8, 900.55, 1, -1),
      place(largeRadar, "late", 3090.45, 2050.9, 1, -2)
    ],
    noise: { snrDb: 20 },
    seed: 1
  },
  "fused-sar-paper": fusedSarScene(4096, 4096)
};

// tmp/t.ts
var { radar, processedBandwidthHz } = scenePresets.quality;
var [lines, samples] = [96, chirpSamples(radar) + 128];
var params = { radar, lines, samples, processedBandwidthHz };
var raw = randomArray(layout("c64", [lines, samples]), random(1));
var [g, c] = [await open(gpu()), await open(cpu())];
var program = rangeDoppler({ ...params, src: "range" });
for (const step3 of program.steps) {
  var _stack = [];
  try {
    const t = performance.now();
    const plan = __using(_stack, await g.plan(step3.op));
    console.log(step3.name, plan.text, (performance.now() - t).toFixed(0), "ms");
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    __callDispose(_stack, _error, _hasError);
  }
}
var { first, stages } = await compare(program, g, c, { raw });
console.log(first, stages.map((s) => [s.stage, s.error ?? s]));
var op2 = program.steps.at(-1).op;
var { tuned, ...load3 } = op2.load;
{
  var _stack2 = [];
  try {
    const t = performance.now();
    const plan = __using(_stack2, await g.plan({ ...op2, load: load3 }));
    console.log("expression", (performance.now() - t).toFixed(0), "ms");
  } catch (_2) {
    var _error2 = _2, _hasError2 = true;
  } finally {
    __callDispose(_stack2, _error2, _hasError2);
  }
}
var untuned = { ...program, steps: program.steps.map((s) => s.name === "image" ? { ...s, op: { ...s.op, load: load3 } } : s) };
var [a, b] = [await evaluate(program, g, { raw }), await evaluate(untuned, g, { raw })];
var worst = 0;
var most = 0;
for (let i = 0; i < a.image.length; i++) {
  worst = Math.max(worst, Math.abs(a.image[i] - b.image[i]));
  most = Math.max(most, Math.abs(a.image[i]));
}
console.log("tuned against expression", worst / most);
process.exit(0);
