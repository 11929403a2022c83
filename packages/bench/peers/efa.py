#!/usr/bin/env python3
"""The extended factored algorithm in vectorised numpy, which dechirp's is compared with.

Reads a folder (scene.json: channels, pulses, dopplerBins, ranges, blockRanges, temporalTaps, steeringVectors; cube.c64 [channel]
[pulse][range], steering.c64 [vector][n]) and computes the output of the adaptive matched filter with training by adjacent blocks,
all in complex64. "tuned": the fastest variant that was tried, a few Doppler bins at a time so that they stay in the cache, with
covariances as matrix products and inverses of whole batches, which are faster than solving. "solve": the same with
np.linalg.solve. "plain": as one would first write it, with einsum on whole arrays. Without --processes there is one process, and
linear algebra chooses its threads. With it, the processes share the ranges of the transform and then the bins, and have one
thread each. blockRanges must divide ranges. Writes y.f32 [vector][bin][range] of the last pass, and prints one line of JSON: the
median milliseconds of passes after a warm-up, those of every stage, and with --reference FILE (float64, y's shape) the relative
L2 error.

    python3 efa.py FOLDER [--form tuned|solve|plain] [--processes N] [--repeat N] [--bins N] [--reference FILE]
"""
import json
import multiprocessing
import os
import sys
import time
from pathlib import Path


def option(name, default):
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else default


# The library reads this when it is loaded.
if "--processes" in sys.argv:
    os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np  # noqa: E402

STAGES = ("doppler", "covariance", "solve", "weighting")


def trainers(blocks):
    """The two training blocks of each block: its neighbours, or the two nearest at the edges."""
    below, above = np.arange(blocks) - 1, np.arange(blocks) + 1
    below[0], above[-1] = 2, blocks - 3
    return below, above


def power(z, gains):
    p = np.square(z.real)
    p += np.square(z.imag)
    p /= gains[..., None]
    return p


def plain(scene, cube, v, mark):
    m, bins, taps, b = scene["channels"], scene["dopplerBins"], scene["temporalTaps"], scene["blockRanges"]
    blocks = scene["ranges"] // b
    x = np.fft.fft(cube, bins, axis=1)
    mark("doppler")
    window = (np.arange(bins)[:, None] - taps // 2 + np.arange(taps)) % bins
    q = x[:, window].transpose(1, 0, 2, 3).reshape(bins, m * taps, blocks, b)
    r = np.einsum("kibl,kjbl->kbij", q, q.conj()) / np.float32(b)
    below, above = trainers(blocks)
    r = (r[:, below] + r[:, above]) / np.float32(2)
    mark("covariance")
    w = np.linalg.solve(r, v.T)
    gains = np.einsum("pi,kbip->kbp", v.conj(), w).real
    mark("solve")
    z = np.einsum("kbip,kibl->kbpl", w.conj(), q)
    y = power(z, gains).transpose(2, 0, 1, 3).reshape(len(v), bins, -1)
    mark("weighting")
    return y


def doppler(ranges):
    """Computes the ranges `ranges` of x."""
    scene, cube, x = given["scene"], given["cube"], given["x"]
    start = time.perf_counter()
    x[:, :, slice(*ranges)] = np.fft.fft(cube[:, :, slice(*ranges)], scene["dopplerBins"], axis=1)
    return {"doppler": 1e3 * (time.perf_counter() - start)}


def tuned(chosen):
    """Computes the bins `chosen` of y, a few at a time."""
    scene, v, x, y, step, solving = (given[name] for name in ("scene", "v", "x", "y", "step", "solving"))
    spent, mark = stopwatch()
    m, bins, taps, b = scene["channels"], scene["dopplerBins"], scene["temporalTaps"], scene["blockRanges"]
    blocks = scene["ranges"] // b
    below, above = trainers(blocks)
    sides = np.ascontiguousarray(v.T)
    for first in range(chosen[0], chosen[1], step):
        count = min(step, chosen[1] - first)
        q = np.empty((count, blocks, m, taps, b), np.complex64)
        for tap in range(taps):
            rows = (np.arange(first, first + count) - taps // 2 + tap) % bins
            q[:, :, :, tap] = x[:, rows].reshape(m, count, blocks, b).transpose(1, 2, 0, 3)
        q = q.reshape(count, blocks, m * taps, b)
        r = np.matmul(q, q.conj().swapaxes(2, 3))
        r = (r[:, below] + r[:, above]) * np.float32(0.5 / b)
        mark("covariance")
        w = np.linalg.solve(r, sides) if solving else np.linalg.inv(r) @ sides
        w = w.conj()
        gains = (sides * w).sum(axis=2).real
        mark("solve")
        z = np.matmul(w.swapaxes(2, 3), q)
        y.reshape(len(v), bins, blocks, b)[:, first : first + count] = power(z, gains).transpose(2, 0, 1, 3)
        mark("weighting")
    return spent


def stopwatch():
    spent = dict.fromkeys(STAGES, 0.0)
    last = time.perf_counter()

    def mark(stage):
        nonlocal last
        now = time.perf_counter()
        spent[stage] += 1e3 * (now - last)
        last = now

    return spent, mark


def shared_array(shape, dtype):
    """Zeros in memory that forked processes share."""
    block = multiprocessing.RawArray("B", int(np.prod(shape)) * np.dtype(dtype).itemsize)
    return np.frombuffer(block, dtype).reshape(shape)


def split(count, parts):
    edges = [count * p // parts for p in range(parts + 1)]
    return list(zip(edges, edges[1:]))


def main():
    global given
    folder = Path(sys.argv[1])
    form, processes, repeat = option("--form", "tuned"), int(option("--processes", "1")), int(option("--repeat", "7"))
    scene = json.loads((folder / "scene.json").read_text())
    channels, bins, ranges, vectors = (scene[name] for name in ("channels", "dopplerBins", "ranges", "steeringVectors"))
    cube = np.fromfile(folder / "cube.c64", np.complex64).reshape(channels, scene["pulses"], ranges)
    v = np.fromfile(folder / "steering.c64", np.complex64).reshape(vectors, -1)
    x = shared_array((channels, bins, ranges), np.complex64)
    y = shared_array((vectors, bins, ranges), np.float32)
    step = int(option("--bins", "4"))
    given = {"scene": scene, "cube": cube, "v": v, "x": x, "y": y, "step": step, "solving": form == "solve"}
    pool = multiprocessing.get_context("fork").Pool(processes) if processes > 1 else None
    each = (lambda f, parts: pool.map(f, parts, chunksize=1)) if pool else (lambda f, parts: [f(one) for one in parts])
    totals, stages = [], []
    for _ in range(repeat + 1):
        start = time.perf_counter()
        if form == "plain":
            spent, mark = stopwatch()
            y = plain(scene, cube, v, mark)
        else:
            transformed = each(doppler, split(ranges, processes))
            rest = each(tuned, split(bins, processes))
            spent = {stage: max(one[stage] for one in rest) for stage in STAGES[1:]}
            spent["doppler"] = max(one["doppler"] for one in transformed)
        totals.append(1e3 * (time.perf_counter() - start))
        stages.append(spent)
    if pool:
        pool.terminate()
    y.tofile(folder / "y.f32")
    report = {
        "peer": f"numpy {np.__version__}, complex64, {form}, {processes} {'process' if processes == 1 else 'processes'}",
        "milliseconds": float(np.median(totals[1:])),
        "stages": {stage: float(np.median([one[stage] for one in stages[1:]])) for stage in STAGES},
    }
    if "--reference" in sys.argv:
        exact = np.fromfile(option("--reference", ""), np.float64).reshape(y.shape)
        report["error"] = float(np.linalg.norm(y - exact) / np.linalg.norm(exact))
    print(json.dumps(report))


main()
