#!/usr/bin/env python3
"""Backprojection in vectorised numpy, which dechirp's backprojection is compared with.

Reads a folder (scene.json; positions.f64 [pulse][3], ranges.f64 [pulse], profiles.c64 [pulse][bin]) and computes the image of its
ground grid with linear interpolation, pulse by pulse over chunks of pixels that stay in the cache, in buffers that are allocated
once. "f32": single precision, with ranges as differences from the scene's centre, (x.x - 2A.x)/(|A - x| + |A|), which keeps the
digits of float32. "f64": double precision, by the definition. "plain": the definition in four lines, as one would first write it,
on the whole image at once. An image takes one thread unless --processes is given. Writes image.c64 [ny][nx] and prints one line
of JSON: milliseconds, without reading and writing files.

    python3 backprojection.py FOLDER [--form f32|f64|plain] [--processes N] [--chunk PIXELS]
"""
import json
import multiprocessing
import sys
import time
from pathlib import Path

import numpy as np

C = 299_792_458.0


def option(name, default):
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else default


def pixels(scene, dtype):
    """Coordinates x, y and z of all pixels, row by row."""
    j, i = np.divmod(np.arange(scene["nx"] * scene["ny"]), scene["nx"])
    grid = [scene["originMeters"][a] + i * scene["xStepMeters"][a] + j * scene["yStepMeters"][a] for a in range(3)]
    return [axis.astype(dtype) for axis in grid]


def project32(scene, positions, ranges, profiles, xyz):
    x, y, z = xyz
    n = len(x)
    squares = x * x + y * y + z * z
    image = np.zeros(n, np.complex64)
    turns = 4 * np.pi * scene["carrierHz"] / C
    inverse = np.float32(1 / scene["binMeters"])
    d, a, b, mu = (np.empty(n, np.float32) for _ in range(4))
    k = np.empty(n, np.int32)
    low, high, turn = (np.empty(n, np.complex64) for _ in range(3))
    for (px, py, pz), r0, profile in zip(positions, ranges, profiles):
        away = np.sqrt(px * px + py * py + pz * pz)
        np.multiply(x, np.float32(-2 * px), out=d)
        d += np.multiply(y, np.float32(-2 * py), out=a)
        d += np.multiply(z, np.float32(-2 * pz), out=a)
        d += squares
        np.add(d, np.float32(away * away), out=a)
        np.sqrt(a, out=a)
        a += np.float32(away)
        d /= a
        np.multiply(d, inverse, out=b)
        b += np.float32((away - r0 - scene["firstRangeMeters"]) / scene["binMeters"])
        np.copyto(k, b, casting="unsafe")
        np.subtract(b, k, out=mu)
        np.take(profile, k, out=low, mode="clip")
        k += 1
        np.take(profile, k, out=high, mode="clip")
        high -= low
        high *= mu
        low += high
        d *= np.float32(turns)
        np.cos(d, out=turn.real)
        np.sin(d, out=turn.imag)
        low *= turn
        low *= np.complex64(np.exp(1j * turns * (away - r0)))
        image += low
    return image


def project64(scene, positions, ranges, profiles, xyz):
    x, y, z = xyz
    n = len(x)
    image = np.zeros(n, np.complex128)
    turns = 4 * np.pi * scene["carrierHz"] / C
    d, a, b = (np.empty(n) for _ in range(3))
    k = np.empty(n, np.int64)
    turn = np.empty(n, np.complex128)
    for (px, py, pz), r0, profile in zip(positions, ranges, profiles.astype(np.complex128)):
        np.square(np.subtract(x, px, out=a), out=d)
        d += np.square(np.subtract(y, py, out=a), out=a)
        d += np.square(np.subtract(z, pz, out=a), out=a)
        np.sqrt(d, out=d)
        d -= r0
        np.subtract(d, scene["firstRangeMeters"], out=b)
        b /= scene["binMeters"]
        np.copyto(k, b, casting="unsafe")
        b -= k
        low = profile[k]
        k += 1
        low += b * (profile[k] - low)
        d *= turns
        np.cos(d, out=turn.real)
        np.sin(d, out=turn.imag)
        low *= turn
        image += low
    return image


def plain(scene, positions, ranges, profiles, xyz):
    x, y, z = xyz
    image = np.zeros(len(x), complex)
    bins = scene["firstRangeMeters"] + scene["binMeters"] * np.arange(profiles.shape[1])
    for (px, py, pz), r0, profile in zip(positions, ranges, profiles):
        d = np.sqrt((x - px) ** 2 + (y - py) ** 2 + (z - pz) ** 2) - r0
        image += np.interp(d, bins, profile) * np.exp(4j * np.pi * scene["carrierHz"] / C * d)
    return image


def work(form, scene, positions, ranges, profiles, chunk, first, last):
    project, dtype = {"f32": (project32, np.float32), "f64": (project64, np.float64), "plain": (plain, np.float64)}[form]
    xyz = [axis[first:last] for axis in pixels(scene, dtype)]
    parts = [
        project(scene, positions, ranges, profiles, [axis[c : c + chunk] for axis in xyz]) for c in range(0, last - first, chunk)
    ]
    return np.concatenate(parts)


def main():
    folder = Path(sys.argv[1])
    form, processes = option("--form", "f32"), int(option("--processes", "1"))
    chunk = int(option("--chunk", "16384"))
    scene = json.loads((folder / "scene.json").read_text())
    positions = np.fromfile(folder / "positions.f64").reshape(-1, 3)
    ranges = np.fromfile(folder / "ranges.f64")
    profiles = np.fromfile(folder / "profiles.c64", np.complex64).reshape(len(ranges), -1)
    total = scene["nx"] * scene["ny"]
    given = (form, scene, positions, ranges, profiles, total if form == "plain" else chunk)
    if processes == 1:
        start = time.perf_counter()
        image = work(*given, 0, total)
        milliseconds = 1e3 * (time.perf_counter() - start)
    else:
        edges = [total * p // processes for p in range(processes + 1)]
        with multiprocessing.get_context("fork").Pool(processes) as pool:
            pool.map(abs, range(processes))
            start = time.perf_counter()
            image = np.concatenate(pool.starmap(work, [(*given, a, b) for a, b in zip(edges, edges[1:])]))
            milliseconds = 1e3 * (time.perf_counter() - start)
    image.astype(np.complex64).tofile(folder / "image.c64")
    what = {"f32": "complex64", "f64": "complex128", "plain": "complex128, plain"}[form]
    name = f"numpy {np.__version__}, {what}, {processes} {'process' if processes == 1 else 'processes'}"
    print(json.dumps({"peer": name, "milliseconds": milliseconds}))


main()
