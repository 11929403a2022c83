#!/usr/bin/env python3
"""Reductions and histograms by numpy, which dechirp's are compared with.

Prints its name, then answers each line of JSON, {"what", "dtype", "shape", "axes", "bins", "window"}, with another: {"milliseconds"} of one run,
the mean over a window of so many milliseconds, and {"error"} against float64, relative to the sum of magnitudes.
"""
import json
import sys
import time

import numpy as np

kept = {}


def numbers(dtype, shape, seed):
    key = (dtype, tuple(shape), seed)
    if key not in kept:
        generator = np.random.default_rng(seed)
        made = generator.random((*shape, 2) if dtype == "c64" else shape, dtype=np.float32) - np.float32(0.5)
        if len(kept) > 3:
            kept.clear()
        kept[key] = made.view(np.complex64)[..., 0] if dtype == "c64" else made
    return kept[key]


def way(ask):
    what, axes, dtype = ask["what"], tuple(ask["axes"]), ask["dtype"]
    x = numbers(dtype, ask["shape"], 1)
    whole = len(axes) == 2
    if what == "sum":
        return x, None, lambda: np.sum(x, axis=axes)
    if what == "max":
        return x, None, lambda: np.max(x, axis=axes)
    if what == "argmax":
        return x, None, lambda: np.argmax(x, axis=None if whole else axes[0])
    if what == "histogram":
        return x, None, lambda: np.histogram(x, bins=ask["bins"], range=(-0.5, 0.5))[0]
    if what == "sum of squares":
        # The fastest of several ways in numpy: real numbers in pairs, without arrays between.
        pairs = x.view(np.float32).reshape(*x.shape, -1)
        letters = {(0,): "abc,abc->b", (1,): "abc,abc->a", (0, 1): "abc,abc->"}[axes]
        if whole:
            flat = x.view(np.float32).reshape(-1)
            return x, x, lambda: np.dot(flat, flat)
        return x, x, lambda: np.einsum(letters, pairs, pairs)
    y = numbers(dtype, ask["shape"], 2)
    if whole:
        return x, y, lambda: np.vdot(y, x)
    return x, y, lambda: np.sum(x * y.conj(), axis=axes)


def error(what, axes, x, y, result):
    if what in ("max", "argmax", "histogram"):
        return 0.0
    wide = x.astype(np.complex128)
    terms = wide if y is None else wide * y.astype(np.complex128).conj()
    wanted, size = np.sum(terms, axis=axes), np.sum(np.abs(terms), axis=axes)
    return float(np.max(np.abs(result - wanted) / size))


print(f"numpy {np.__version__}", flush=True)
for line in sys.stdin:
    ask = json.loads(line)
    x, y, run = way(ask)
    result = run()
    wrong = error(ask["what"], tuple(ask["axes"]), x, y, result) if ask.get("check") else None
    runs, start = 0, time.perf_counter()
    while runs == 0 or time.perf_counter() - start < ask["window"] / 1e3:
        run()
        runs += 1
    print(json.dumps({"milliseconds": (time.perf_counter() - start) * 1e3 / runs, "error": wrong}), flush=True)
